"""Words shared by every room: column types, roles, schemas."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from celosia.errors import TableError

__all__ = ["DATES", "MISSING_MARKERS", "NUMBERS", "Column", "ColumnType", "Role", "Schema", "nearest"]


MISSING_MARKERS = ("", "?", "NA")
"""Texts that mean a missing value unless the user says otherwise."""


class ColumnType(StrEnum):
    """What the values of a column are, whatever the engine calls it."""

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    OTHER = "other"


NUMBERS = (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL)
DATES = (ColumnType.DATE, ColumnType.DATETIME)


class Role(StrEnum):
    """What a column tells about a person; every column has exactly one."""

    IDENTIFIER = "identifier"
    QUASI_IDENTIFIER = "quasi-identifier"
    SENSITIVE = "sensitive"
    COMMON = "common"


@dataclass(frozen=True)
class Column:
    """One column: its name, type and, for text, the length of the longest value where known."""

    name: str
    type: ColumnType
    length: int | None = None


@dataclass(frozen=True)
class Schema:
    """The columns of a table, in order.

    >>> schema = Schema((Column("age", ColumnType.INTEGER), Column("sex", ColumnType.TEXT)))
    >>> schema.names, schema["age"].type.value
    (('age', 'sex'), 'integer')
    """

    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in table order."""
        return tuple(column.name for column in self.columns)

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.names

    def __getitem__(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise TableError(f"column {name!r} does not exist", remedy=nearest(name, self.names))


def nearest(name: str, names: tuple[str, ...], what: str = "the columns") -> str:
    """Advice for a misspelt name; ``what`` the names are that it may be.

    >>> nearest("agee", ("age", "sex"))
    "did you mean 'age'?"
    >>> nearest("x", ("people", "visits"), "the tables")
    'the tables are: people, visits'
    """
    import difflib

    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
    return f"{what} are: {shown}"
