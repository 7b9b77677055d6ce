"""A table as other machines know it: what it is, without a way to its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import Format, Options
from celosia.tables.parsers import ColumnParsers
from celosia.types import ColumnType, Schema
from celosia.values.parse import ValueParser

__all__ = ["TableDescription"]


@dataclass(frozen=True)
class TableDescription:
    """Name, columns and types of a table of Spark; its rows are asked for where the work is given out."""

    name: str
    names: tuple[str, ...]
    dtypes: tuple[pl.DataType, ...]
    options: Options
    format: Format | None
    known: Schema | None
    parsers: ColumnParsers = field(default_factory=ColumnParsers)
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def reader(self) -> "TableDescription":
        """What can be known of its rows."""
        return self

    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.names

    def schema(self) -> Schema:
        """Columns with their types."""
        if self.known is None:
            raise self._refusal(say("the types of texts"))
        return self.known

    def parsers_of(self, columns: Sequence[str]) -> dict[str, ValueParser]:
        """How the texts of some columns are read, as was found out before."""
        return self.parsers.known(columns)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Never: other rows are elsewhere."""
        raise self._refusal(say("other rows of the table"))

    def _refusal(self, what: str) -> TableError:
        return TableError(
            say("on one machine of a cluster {what} cannot be looked at", what=what),
            where=self.name,
            remedy=say("declare the types of its columns, or choose an operation that needs no other rows"),
        )
