"""A table in memory that answers the two verbs a profile needs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from celosia.tables.location import Location
from celosia.tables.table import Counts
from celosia.types import Column, ColumnType, Schema

TYPES = {
    pl.Int64: ColumnType.INTEGER,
    pl.Int16: ColumnType.INTEGER,
    pl.Int32: ColumnType.INTEGER,
    pl.Float64: ColumnType.REAL,
    pl.Decimal: ColumnType.DECIMAL,
    pl.Boolean: ColumnType.BOOLEAN,
    pl.Date: ColumnType.DATE,
    pl.Datetime: ColumnType.DATETIME,
    pl.String: ColumnType.TEXT,
}


class MemoryTable:
    name = "memory"
    location = Location.FRAME

    def __init__(self, frame: pl.DataFrame) -> None:
        self.frame = frame
        self.asked: list[tuple[str, ...]] = []

    def schema(self) -> Schema:
        return Schema(tuple(Column(n, TYPES[t.base_type()]) for n, t in self.frame.schema.items()))

    def scan(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        yield self.frame.select(columns or self.frame.columns)

    def count_by(self, columns: Sequence[str], **_: Any) -> Counts:
        self.asked.append(tuple(columns))
        grouped = self.frame.group_by(columns).len(name="len ")
        values, codes = zip(*(encode(grouped[column]) for column in columns), strict=True)
        return Counts(tuple(columns), values, codes, grouped["len "].to_numpy().astype(np.int64))


def encode(column: pl.Series) -> tuple[pl.Series, np.ndarray]:
    values = column.unique(maintain_order=True)
    places = pl.DataFrame({"value": values}).with_row_index("code")
    codes = pl.DataFrame({"value": column}).join(
        places, on="value", how="left", nulls_equal=True, maintain_order="left"
    )
    return values.cast(pl.String), codes["code"].to_numpy().astype(np.int32)


@pytest.fixture
def table() -> Callable[[Mapping[str, Any] | pl.DataFrame], MemoryTable]:
    return lambda data: MemoryTable(pl.DataFrame(data))
