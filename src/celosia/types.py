"""Words shared by every room: column types, roles, schemas."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from celosia.errors import TableError
from celosia.say import Text, join_texts, say

__all__ = [
    "DATES",
    "MISSING_MARKERS",
    "NUMBERS",
    "CallerFrame",
    "Column",
    "ColumnType",
    "Role",
    "Schema",
    "TableLike",
    "all_of",
    "either",
    "nearest",
]


MISSING_MARKERS = ("", "?", "NA")
"""Texts that mean a missing value unless the user says otherwise."""


THE_COLUMNS = say("the columns")


class CallerFrame(Protocol):
    """A frame of pandas, Polars, Arrow, DuckDB or Spark that a caller hands over: each has columns in its own form."""

    @property
    def columns(self) -> object:
        """The columns, or their names."""
        ...


TableLike = str | Path | CallerFrame
"""What a caller may name or hand over as a table: a file, an address, a place on a cluster, or a frame."""


SQL_WORDS = {
    "text": "char character varchar varchar2 nvarchar nchar clob string str uuid enum",
    "integer": "int int2 int4 int8 int64 bigint smallint tinyint mediumint serial bigserial",
    "real": "float float4 float8 double number",
    "decimal": "numeric dec money",
    "boolean": "bool bit",
    "datetime": "timestamp timestamptz datetime2 smalldatetime",
}
"""What databases and programs call types that have another name here."""


class ColumnType(StrEnum):
    """What the values of a column are, whatever the engine calls it; words of SQL are understood, too.

    >>> ColumnType("varchar(20)"), ColumnType("decimal(10, 2)").value, ColumnType("double precision").value
    (<ColumnType.TEXT: 'text'>, 'decimal', 'real')
    """

    TEXT = "text"
    INTEGER = "integer"
    REAL = "real"
    DECIMAL = "decimal"
    BOOLEAN = "boolean"
    DATE = "date"
    DATETIME = "datetime"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> "ColumnType | None":
        words = re.findall("[a-z0-9]+", str(value).lower().partition("(")[0])
        word = words[0] if words else ""
        if word in {str(type) for type in cls}:
            return cls(word)
        known = {name: type for type, names in SQL_WORDS.items() for name in names.split()}
        return cls(known[word]) if word in known else None


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
        raise TableError(say("column {name!r} does not exist", name=name), remedy=nearest(name, self.names))


def either(names: Iterable[str]) -> Text:
    """Names of which one is meant.

    >>> either(["full-domain", "local", "mondrian"])
    'full-domain or local or mondrian'
    """
    first, *others = names
    found = join_texts("", [first])
    for other in others:
        found = say("{one} or {other}", one=found, other=other)
    return found


def all_of(names: Iterable[str]) -> Text:
    """Names all of which are meant.

    >>> all_of(["visits.person", "people.id"])
    'visits.person and people.id'
    """
    first, *others = names
    found = join_texts("", [first])
    for other in others:
        found = say("{one} and {other}", one=found, other=other)
    return found


def nearest(name: str, names: tuple[str, ...], what: str = THE_COLUMNS) -> str:
    """Advice for a misspelt name; ``what`` the names are that it may be.

    >>> nearest("agee", ("age", "sex"))
    "did you mean 'age'?"
    >>> nearest("x", ("people", "visits"), say("the tables"))
    'the tables are: people, visits'
    """
    import difflib

    close = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    if close:
        return say("did you mean {name!r}?", name=close[0])
    shown = ", ".join((*names[:20], "...") if len(names) > 20 else names)
    return say("{what} are: {names}", what=what, names=shown)
