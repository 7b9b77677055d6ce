"""The combinations of a table as small numbers, kept on the cluster: what is asked of them is answered there."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl
import pyarrow as pa
from pyspark.sql import DataFrame

from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.values import collect

__all__ = ["SparkCombinations"]

Change = Callable[[pl.DataFrame], pl.DataFrame]
ROWS = "rows"
PER_SHARE = 1_000_000
"""Combinations that one part of the work holds at once."""


@dataclass
class SparkCombinations:
    """Combinations with their ``rows``, one or more columns ``keys`` that tell classes apart, and ``others``.

    ``encode`` makes them of what a group-by finds: the ``columns`` of the table and ``rows``.
    """

    table: SparkTable
    columns: tuple[str, ...]
    encode: Change
    keys: tuple[str, ...]
    others: tuple[str, ...] = ()
    size: int = 0

    def __post_init__(self) -> None:
        schema = ", ".join(f"{name} bigint" for name in self.names)
        encode, names = self.encode, list(self.columns)

        def encoded(frame: pl.DataFrame) -> pl.DataFrame:
            frame.columns = [*names, ROWS]
            return encode(frame)

        with spark_errors_explained(self.table.name):
            made = _mapped(self.table.grouped(self.columns), encoded, self.names, schema)
            self._frame = self.table.keep(made)

    @property
    def names(self) -> list[str]:
        """All columns, the rows last."""
        return [*self.keys, *self.others, ROWS]

    def collect(self, change: Change) -> pl.DataFrame:
        """Combinations as a change leaves them, those that are then the same put together, brought here."""
        with spark_errors_explained(self.table.name):
            return collect(self._grouped(change))

    def fold(self, change: Change, columns: Sequence[str]) -> pl.DataFrame:
        """What a change makes of some combinations at a time: whole numbers, put together by adding up ``rows``."""
        schema = ", ".join(f"{name} bigint" for name in [*columns, ROWS])
        with spark_errors_explained(self.table.name):
            made = _mapped(self._frame, change, [*columns, ROWS], schema)
            return collect(made.groupBy(*columns).agg({ROWS: "sum"}).toDF(*columns, ROWS))

    def shares(self, change: Change, work: Callable[[pl.DataFrame], bytes]) -> list[bytes]:
        """What a piece of work finds in every share of the changed combinations; a class is in one share as a whole."""
        with spark_errors_explained(self.table.name):
            changed = self._changed(change)
            parts = max(self.table.spark.sparkContext.defaultParallelism, -(-self.size // PER_SHARE))
            dealt = changed.repartition(parts, *self.keys)
            return _worked(dealt, work)

    def parts(self, change: Change, part: str, work: Callable[[pl.DataFrame], bytes]) -> list[bytes]:
        """What a piece of work finds in all combinations with the same number ``part``, which a change gives them."""
        names = [*self.names, part]
        schema = ", ".join(f"{name} bigint" for name in names)

        def one(table: pa.Table) -> pa.Table:
            return pa.table({"found": pa.array([work(pl.DataFrame(pl.from_arrow(table)))], pa.binary())})

        with spark_errors_explained(self.table.name):
            made = _mapped(self._frame, change, names, schema)
            return [bytes(row[0]) for row in made.groupBy(part).applyInArrow(one, "found binary").collect()]

    def _changed(self, change: Change) -> DataFrame:
        return _mapped(self._frame, change, self.names, self._frame.schema)

    def _grouped(self, change: Change) -> DataFrame:
        names = [*self.keys, *self.others]
        return self._changed(change).groupBy(*names).agg({ROWS: "sum"}).toDF(*names, ROWS)


def _mapped(frame: DataFrame, change: Change, names: Sequence[str], schema: Any) -> DataFrame:
    """A frame whose batches go through a change; it gives whole numbers."""
    wanted = list(names)

    def work(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            made = change(pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch]))))
            yield from made.select(pl.col(name).cast(pl.Int64) for name in wanted).to_arrow().to_batches()

    return frame.mapInArrow(work, schema)


def _worked(frame: DataFrame, work: Callable[[pl.DataFrame], bytes]) -> list[bytes]:
    def whole(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        held = [pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch]))) for batch in batches]
        if held:
            found = work(pl.concat(held))
            yield pa.RecordBatch.from_arrays([pa.array([found], pa.binary())], ["found"])

    return [bytes(row[0]) for row in frame.mapInArrow(whole, "found binary").collect()]
