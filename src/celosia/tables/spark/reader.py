"""The rows of a table of Spark on their way here, and what all its texts are, found out where they are."""

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa
from pyspark.sql import DataFrame

from celosia.tables.format import Options
from celosia.tables.infer import ColumnEvidence, gather_evidence
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.values import collect, dtypes_of, stream
from celosia.types import ColumnType

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable

__all__ = ["SparkReader", "gather_texts"]


@dataclass(frozen=True)
class SparkReader:
    """The rows of a table of Spark, brought here a part at a time."""

    table: "SparkTable"
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return self.table.columns()

    @cached_property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types in which values arrive."""
        return dtypes_of(self.table.frame.schema)

    @property
    def options(self) -> Options:
        """How missing values are written."""
        return self.table.options

    def size(self) -> tuple[int, int]:
        """Rows, counted, and bytes, guessed."""
        rows = self.table.count()
        return rows, rows * 24 * len(self.names)

    def lazy(self) -> None:
        """None: rows come in batches."""
        return

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, a part of the table at a time."""
        names = self.names if columns is None else tuple(columns)
        yield from self._named(names, self.table.plain.select(*map(self.table.place, names)))

    def first(self, columns: Sequence[str], rows: int) -> Iterator[pl.DataFrame]:
        """So many rows, whichever come first."""
        with spark_errors_explained(self.table.name):
            found = collect(self.table.plain.select(*map(self.table.place, columns)).limit(rows))
        found.columns = list(columns)
        yield found

    def _named(self, names: Sequence[str], frame: DataFrame) -> Iterator[pl.DataFrame]:
        is_empty = True
        with spark_errors_explained(self.table.name):
            for batch in stream(frame):
                batch.columns = list(names)
                is_empty = False
                yield batch
        if is_empty:
            yield pl.DataFrame(schema={name: self.table.dtype(name) for name in names})


def gather_texts(frame: DataFrame, missing: Sequence[str]) -> dict[str, ColumnEvidence]:
    """The evidence of all parts of a table, gathered in each and put together here."""

    def gather(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        frames = (pl.DataFrame(pl.from_arrow(pa.Table.from_batches([batch]))) for batch in batches)
        found = pickle.dumps(gather_evidence(frames, missing))
        yield pa.RecordBatch.from_arrays([pa.array([found], pa.binary())], ["found"])

    whole: dict[str, ColumnEvidence] = {}
    for row in frame.mapInArrow(gather, "found binary").collect():
        for name, evidence in pickle.loads(row[0]).items():
            whole[name] = evidence if name not in whole else whole[name].and_of(evidence)
    return whole
