"""A table as other machines know it: what it is, without a way to its rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import polars as pl

from celosia.errors import TableError
from celosia.tables.format import Format, Options
from celosia.types import ColumnType, Schema

__all__ = ["Described"]


@dataclass(frozen=True)
class Described:
    """Name, columns and types of a table of Spark; its rows are asked for where the work is given out."""

    name: str
    names: tuple[str, ...]
    dtypes: tuple[pl.DataType, ...]
    options: Options
    format: Format | None
    known: Schema | None
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def reader(self) -> "Described":
        """What can be known of its rows."""
        return self

    def columns(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.names

    def schema(self) -> Schema:
        """Columns with their types."""
        if self.known is None:
            raise self._refusal("the types of texts")
        return self.known

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """Never: other rows are elsewhere."""
        raise self._refusal("other rows of the table")

    def _refusal(self, what: str) -> TableError:
        return TableError(
            f"on one machine of a cluster {what} cannot be looked at",
            where=self.name,
            remedy="declare the types of its columns, or choose an operation that needs no other rows",
        )
