"""The same attribute in several tables: said once, done everywhere alike."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.project.parts import ColumnPlan
from celosia.say import Text, say
from celosia.types import nearest

if TYPE_CHECKING:
    from celosia.project.project import TablePlan

__all__ = ["split_place", "spread"]

_ALIKE = ("role", "operation", "hierarchy", "type")


def split_place(place: str, tables: "Mapping[str, TablePlan]") -> tuple[str, str]:
    """Table and column of a text such as ``visits.person``; both may hold points.

    >>> split_place("clinic.visits.person", {"clinic.visits": None})
    ('clinic.visits', 'person')
    """
    points = [i for i, letter in enumerate(place) if letter == "."]
    for point in reversed(points):
        if place[:point] in tables and place[point + 1 :]:
            return place[:point], place[point + 1 :]
    table = place.partition(".")[0]
    remedy = nearest(table, tuple(tables), say("the tables"))
    raise ProjectError(
        say("{place!r} is no table.column of this project", place=place),
        where="repeated_attributes",
        remedy=remedy,
    )


def spread(
    tables: "Mapping[str, TablePlan]",
    groups: Sequence[Sequence[str]],
    shared: Mapping[str, ColumnPlan] = MappingProxyType({}),
) -> dict[str, dict[str, ColumnPlan]]:
    """The columns of every table, where repeated attributes have in every place what is said of them in one.

    ``shared`` is what is said of columns of a name in all tables that say nothing else.
    """
    columns = {name: dict(table.columns) for name, table in tables.items()}
    seen: dict[tuple[str, str], int] = {}
    for number, group in enumerate(groups):
        places = [split_place(place, tables) for place in group]
        if len(set(places)) < 2:
            raise ProjectError(
                say("a repeated attribute stands in fewer than two places"),
                where=f"repeated_attributes.{number}",
                remedy=say("name every table.column that holds it"),
            )
        for place in places:
            if seen.setdefault(place, number) != number:
                raise ProjectError(
                    say("{column} is in two groups", column=".".join(place)),
                    where="repeated_attributes",
                    remedy=say("make one group of them"),
                )
        for table, column in places:
            columns[table].setdefault(column, shared.get(column, ColumnPlan()))
        said = _said(columns, places)
        for table, column in places:
            columns[table][column] = columns[table][column].model_copy(update=said)
    return columns


def _said(
    columns: Mapping[str, Mapping[str, ColumnPlan]], places: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """What is said of an attribute anywhere; two places that say different things are a mistake."""
    said: dict[str, tuple[object, str]] = {}
    for table, column in places:
        for field in _ALIKE:
            value = getattr(columns[table][column], field)
            if value is None or value == ():
                continue
            before, first = said.setdefault(field, (value, f"{table}.{column}"))
            if before != value:
                raise ProjectError(
                    _say_different(field, column=first, other=f"{table}.{column}"),
                    where="repeated_attributes",
                    remedy=_say_once(field),
                )
    return {field: value for field, (value, _) in said.items()}


def _say_different(field: str, *, column: str, other: str) -> Text:
    match field:
        case "role":
            return say(
                "{one} and {other} hold the same attribute and have different roles", one=column, other=other
            )
        case "operation":
            return say(
                "{one} and {other} hold the same attribute and have different operations",
                one=column,
                other=other,
            )
        case "hierarchy":
            return say(
                "{one} and {other} hold the same attribute and have different hierarchies",
                one=column,
                other=other,
            )
    return say("{one} and {other} hold the same attribute and have different types", one=column, other=other)


def _say_once(field: str) -> Text:
    match field:
        case "role":
            return say("say the role in one place: it holds in all")
        case "operation":
            return say("say the operation in one place: it holds in all")
        case "hierarchy":
            return say("say the hierarchy in one place: it holds in all")
    return say("say the type in one place: it holds in all")
