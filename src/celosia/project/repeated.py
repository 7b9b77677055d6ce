"""The same attribute in several tables: said once, done everywhere alike."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from celosia.errors import ProjectError
from celosia.project.parts import ColumnPlan
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
    remedy = nearest(table, tuple(tables), "the tables")
    raise ProjectError(
        f"{place!r} is no table.column of this project", where="repeated_attributes", remedy=remedy
    )


def spread(
    tables: "Mapping[str, TablePlan]",
    groups: Sequence[Sequence[str]],
    shared: Mapping[str, ColumnPlan] = MappingProxyType({}),
) -> dict[str, dict[str, ColumnPlan]]:
    """The columns of every table, where repeated attributes have in every place what is said of them in one.

    ``shared`` is what is said of columns of a name in all tables that say nothing else.
    """
    found = {name: dict(table.columns) for name, table in tables.items()}
    seen: dict[tuple[str, str], int] = {}
    for number, group in enumerate(groups):
        places = [split_place(place, tables) for place in group]
        if len(set(places)) < 2:
            raise ProjectError(
                "a repeated attribute stands in fewer than two places",
                where=f"repeated_attributes.{number}",
                remedy="name every table.column that holds it",
            )
        for place in places:
            if seen.setdefault(place, number) != number:
                raise ProjectError(
                    f"{'.'.join(place)} is in two groups",
                    where="repeated_attributes",
                    remedy="make one group of them",
                )
        for table, column in places:
            found[table].setdefault(column, shared.get(column, ColumnPlan()))
        said = _said(found, places)
        for table, column in places:
            found[table][column] = found[table][column].model_copy(update=said)
    return found


def _said(
    found: Mapping[str, Mapping[str, ColumnPlan]], places: Sequence[tuple[str, str]]
) -> dict[str, object]:
    """What is said of an attribute anywhere; two places that say different things are a mistake."""
    said: dict[str, tuple[object, str]] = {}
    for table, column in places:
        for field in _ALIKE:
            value = getattr(found[table][column], field)
            if value is None or value == ():
                continue
            before, where = said.setdefault(field, (value, f"{table}.{column}"))
            if before != value:
                raise ProjectError(
                    f"{where} and {table}.{column} hold the same attribute and have different {field}s",
                    where="repeated_attributes",
                    remedy=f"say the {field} in one place: it holds in all",
                )
    return {field: value for field, (value, _) in said.items()}
