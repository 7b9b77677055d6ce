"""What changed in a table since the project was written: columns that came, went, or are something else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from celosia.errors import ProjectError
from celosia.project.parts import ColumnPlan, Unlisted
from celosia.project.project import TablePlan
from celosia.types import NUMBERS, Column, ColumnType, Role, Schema, nearest

__all__ = ["SchemaChange", "changed_types", "settle"]


@dataclass(frozen=True)
class SchemaChange:
    """One difference between the columns that a project lists and those that the table has."""

    column: str
    kind: Literal["new", "gone", "type", "length"]
    text: str


def settle(
    plan: TablePlan, names: Sequence[str], shared: Mapping[str, ColumnPlan], *, where: str
) -> tuple[TablePlan, tuple[SchemaChange, ...]]:
    """The plan for a table as it is, and what is not as the project says.

    A column that is gone is a mistake of somebody's, unless columns that are not listed are dropped: only then can it
    not have come back under another name and leave untouched.
    """
    columns = {**plan.columns, **shared}
    gone = [name for name in columns if name not in names]
    new = [name for name in names if name not in columns]
    if gone and plan.unlisted is not Unlisted.DROP:
        raise ProjectError(
            f"column {gone[0]!r} does not exist"
            + (f", nor do {len(gone) - 1} more" if len(gone) > 1 else ""),
            where=where,
            remedy=nearest(gone[0], tuple(names)),
        )
    if new and plan.unlisted is Unlisted.STOP:
        raise ProjectError(
            f"column {new[0]!r} is not in the project"
            + (f", nor are {len(new) - 1} more" if len(new) > 1 else ""),
            where=where,
            remedy="list it with its role, or say what becomes of such columns with unlisted: common or drop",
        )
    changes = [SchemaChange(name, "gone", f"column {name!r} is gone") for name in gone]
    settled = {name: column for name, column in columns.items() if name not in gone}
    if plan.unlisted is Unlisted.DROP:
        suppressed = ColumnPlan.model_validate({"operation": "suppress"})
        settled |= dict.fromkeys(new, suppressed)
        changes += [
            SchemaChange(name, "new", f"column {name!r} is not in the project, and left out") for name in new
        ]
    elif "unlisted" not in plan.model_fields_set:
        # Whoever says that they are common has thought of them.
        changes += [
            SchemaChange(name, "new", f"column {name!r} is not in the project, and released as it is")
            for name in new
        ]
    return plan.model_copy(update={"columns": _with_person(plan, settled, names, where)}), tuple(changes)


def _with_person(
    plan: TablePlan, columns: dict[str, ColumnPlan], names: Sequence[str], where: str
) -> dict[str, ColumnPlan]:
    """The column that tells people apart is an identifier unless something else is said of it."""
    person = plan.person
    if person is None:
        return columns
    if person not in names:
        raise ProjectError(
            f"column {person!r}, which tells people apart, does not exist",
            where=where,
            remedy=nearest(person, tuple(names)),
        )
    listed = columns.get(person, ColumnPlan())
    if listed.role is not None or listed.operation:
        return columns
    return {**columns, person: listed.model_copy(update={"role": Role.IDENTIFIER})}


def changed_types(plan: TablePlan, schema: Schema) -> tuple[SchemaChange, ...]:
    """Columns whose values are not, or no longer, what the project says, as far as the table itself tells."""
    found = []
    for name, column in plan.columns.items():
        if name not in schema or column.type is None:
            continue
        actual = schema[name]
        if not _fits(actual.type, column.type):
            text = f"column {name!r} is {actual.type}, and was {column.type}"
            found.append(SchemaChange(name, "type", text))
        elif _is_longer(actual, column):
            text = f"column {name!r} holds texts of up to {actual.length} characters, and had {column.length}"
            found.append(SchemaChange(name, "length", text))
    return tuple(found)


def _fits(actual: ColumnType, declared: ColumnType) -> bool:
    """Whether values can be what they were declared: integers are reals too, and anything is text."""
    if declared is ColumnType.TEXT or actual is declared:
        return True
    return declared in (ColumnType.REAL, ColumnType.DECIMAL) and actual in NUMBERS


def _is_longer(actual: Column, declared: ColumnPlan) -> bool:
    return declared.length is not None and (actual.length or 0) > declared.length
