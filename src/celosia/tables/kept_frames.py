"""Rows of a file that is read from its beginning only: in memory if it is small, else as Parquet in a private file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import polars as pl

from celosia.tables.duckdb_engine import stage
from celosia.tables.format import FrameReader, Options, Reader
from celosia.tables.formats.parquet import ParquetReader
from celosia.tables.staged import StagedPath, name_of, stage_file
from celosia.types import ColumnType

__all__ = ["LARGE", "KeptReader", "keep_frames", "stage_rows"]

LARGE = 1 << 26
"""Bytes of a file whose rows do not stay in memory."""


@dataclass(frozen=True)
class KeptReader:
    """Rows that are kept in a private file."""

    rows: Reader
    options: Options
    declared: Mapping[str, ColumnType] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Column names."""
        return self.rows.names

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Types of the columns."""
        return self.rows.dtypes

    def size(self) -> tuple[int, int]:
        """Rows and bytes."""
        return self.rows.size()

    def lazy(self) -> pl.LazyFrame | None:
        """The rows as a query."""
        return self.rows.lazy()

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, some at a time."""
        return self.rows.batches(columns)


def keep_frames(
    frames: Iterable[pl.DataFrame],
    path: Path,
    options: Options,
    declared: Mapping[str, ColumnType] | None = None,
) -> Reader:
    """A reader of the rows that were read of a file, at least one frame, all with the same columns."""
    if path.stat().st_size < LARGE:
        return FrameReader(pl.concat(list(frames)), options, declared or {})

    kept = stage_rows(frames, shown=name_of(path))
    return KeptReader(ParquetReader(kept, options), options, declared or {})


def stage_rows(frames: Iterable[pl.DataFrame], *, shown: str) -> StagedPath:
    """Rows as Parquet in a private file, which is gone when nobody reads it any more."""

    def fill(file: IO[bytes]) -> None:
        file.close()
        stage(frames, Path(file.name))

    return stage_file("rows.parquet", fill, shown=shown)
