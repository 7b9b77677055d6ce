"""What changed in a table since the project was written: columns that came, went, or are something else."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from celosia.errors import CelosiaError, ProjectError, raise_it
from celosia.project.parts import ColumnPlan, Unlisted
from celosia.project.project import TablePlan
from celosia.say import say
from celosia.types import NUMBERS, Column, ColumnType, Role, Schema, nearest

__all__ = ["SchemaChange", "changed_types", "match_to_table"]


@dataclass(frozen=True)
class SchemaChange:
    """One difference between the columns that a project lists and those that the table has."""

    column: str
    kind: Literal["new", "gone", "type", "length"]
    text: str


def match_to_table(
    plan: TablePlan,
    names: Sequence[str],
    shared: Mapping[str, ColumnPlan],
    *,
    location: str,
    refuse: Callable[[CelosiaError], None] = raise_it,
) -> tuple[TablePlan, tuple[SchemaChange, ...]]:
    """The plan for a table as it is, and what is not as the project says.

    A column that is gone is a mistake of somebody's, unless columns that are not listed are dropped: only then can it
    not have come back under another name and leave untouched. ``refuse`` is told of every mistake; if it does not
    raise, columns that are gone are left out, and those that are not listed are common.
    """
    columns = {**plan.columns, **shared}
    gone = [name for name in columns if name not in names]
    new = [name for name in names if name not in columns]
    for name in gone if plan.unlisted is not Unlisted.DROP else ():
        others = len(gone) - 1 if name == gone[0] else 0
        refuse(
            ProjectError(
                say("column {name!r} does not exist, nor do {count} more", name=name, count=others)
                if others
                else say("column {name!r} does not exist", name=name),
                where=location,
                remedy=nearest(name, tuple(names)),
            )
        )
    for name in new if plan.unlisted is Unlisted.STOP else ():
        others = len(new) - 1 if name == new[0] else 0
        refuse(
            ProjectError(
                say("column {name!r} is not in the project, nor are {count} more", name=name, count=others)
                if others
                else say("column {name!r} is not in the project", name=name),
                where=location,
                remedy=say(
                    "list it with its role, or say what becomes of such columns with unlisted: common or drop"
                ),
            )
        )
    changes = [SchemaChange(name, "gone", say("column {name!r} is gone", name=name)) for name in gone]
    settled = {name: column for name, column in columns.items() if name not in gone}
    if plan.unlisted is Unlisted.DROP:
        suppressed = ColumnPlan.model_validate({"operation": "suppress"})
        settled |= dict.fromkeys(new, suppressed)
        changes += [
            SchemaChange(name, "new", say("column {name!r} is not in the project, and left out", name=name))
            for name in new
        ]
    elif "unlisted" not in plan.model_fields_set:
        # Whoever says that they are common has thought of them.
        changes += [
            SchemaChange(
                name, "new", say("column {name!r} is not in the project, and released as it is", name=name)
            )
            for name in new
        ]
    return plan.model_copy(update={"columns": _with_person(plan, settled, names, location)}), tuple(changes)


def _with_person(
    plan: TablePlan, columns: dict[str, ColumnPlan], names: Sequence[str], location: str
) -> dict[str, ColumnPlan]:
    """The column that tells people apart is an identifier unless something else is said of it."""
    person = plan.person
    if person is None:
        return columns
    if person not in names:
        raise ProjectError(
            say("column {name!r}, which tells people apart, does not exist", name=person),
            where=location,
            remedy=nearest(person, tuple(names)),
        )
    listed = columns.get(person, ColumnPlan())
    if listed.role is not None or listed.operation:
        return columns
    return {**columns, person: listed.model_copy(update={"role": Role.IDENTIFIER})}


def changed_types(plan: TablePlan, schema: Schema) -> tuple[SchemaChange, ...]:
    """Columns whose values are not, or no longer, what the project says, as far as the table itself tells."""
    changed = []
    for name, column in plan.columns.items():
        if name not in schema or column.type is None:
            continue
        actual = schema[name]
        if not _fits(actual.type, column.type):
            text = say(
                "column {name!r} is {now}, and was {before}", name=name, now=actual.type, before=column.type
            )
            changed.append(SchemaChange(name, "type", text))
        elif _is_longer(actual, column):
            text = say(
                "column {name!r} holds texts of up to {now} characters, and had {before}",
                name=name,
                now=actual.length,
                before=column.length,
            )
            changed.append(SchemaChange(name, "length", text))
    return tuple(changed)


def _fits(actual: ColumnType, declared: ColumnType) -> bool:
    """Whether values can be what they were declared: integers are reals too, and anything is text."""
    if declared is ColumnType.TEXT or actual is declared:
        return True
    return declared in (ColumnType.REAL, ColumnType.DECIMAL) and actual in NUMBERS


def _is_longer(actual: Column, declared: ColumnPlan) -> bool:
    return declared.length is not None and (actual.length or 0) > declared.length
