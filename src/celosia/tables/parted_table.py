"""Rows of a table that is too large for memory, a part at a time, by way of private files."""

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import Reader
from celosia.tables.row_buckets import RowBuckets
from celosia.tables.table import Progress, Recoding, no_progress

__all__ = ["PartedTable", "parted_rows"]

Integers = npt.NDArray[np.int64]
SLICE = 1 << 17
"""Rows that are given back at once."""


class PartedTable(Protocol):
    """What has to be known of the parts of a table: ``rows`` that stay in each, and the ``columns`` that decide."""

    @property
    def count(self) -> int:
        """How many parts there are."""
        ...

    @property
    def rows(self) -> Sequence[int]:
        """Rows of every part that stay in the release."""
        ...

    @property
    def excluded(self) -> int:
        """Rows that leave the release; every part may have some of them."""
        ...

    @property
    def columns(self) -> Sequence[str]:
        """Columns that a recoding looks at."""
        ...

    @property
    def spare(self) -> int:
        """Bytes that rows may take on their way, beside what recoding a part does."""
        ...

    def prepare(self, frame: pl.DataFrame) -> pl.DataFrame:
        """Rows as the parts hold them."""
        ...

    def number(self, frame: pl.DataFrame) -> Integers:
        """The part of every row."""
        ...

    def recode(self, part: pl.DataFrame) -> Recoding:
        """What happens to the rows of one part."""
        ...


@contextmanager
def parted_rows(
    reader: Reader,
    kept_names: Sequence[str],
    parts: PartedTable,
    *,
    folder: Path,
    memory: int,
    where: str = "",
    progress: Progress = no_progress,
) -> Iterator[Iterator[tuple[Recoding, Iterator[pl.DataFrame]]]]:
    """Read a table once and give back its parts, each a recoding and the frames of rows that it is for.

    To make a recoding, ``parts.columns`` of one part are in memory at once; its rows then come a few at a time. Until
    then they lie in files in ``folder`` that nobody else may read and that are gone when the context is left,
    however that happens. While rows are sorted into parts, they take about ``memory`` bytes.

    Let go of a recoding and all that was made of it before asking for the next, or both are in memory.
    """
    piles = RowBuckets(folder, parts.count, memory=memory)
    try:
        expected, done = max(1, reader.size()[0]), 0
        for batch in reader.batches(kept_names):
            frame = parts.prepare(batch)
            piles.add(frame, parts.number(frame))
            done += batch.height
            progress(say("sorting rows into parts"), min(1.0, done / expected))
        piles.spill()  # from now on memory is for the parts
        _check(piles.rows, parts, where)
        yield _give_back(piles, parts, progress)
    finally:
        piles.remove()


def _give_back(
    piles: RowBuckets, parts: PartedTable, progress: Progress
) -> Iterator[tuple[Recoding, Iterator[pl.DataFrame]]]:
    for part in range(parts.count):
        progress(say("recoding parts"), part / parts.count)
        # What was made of the last part refers to itself in circles, and would stay until there are many of them.
        gc.collect()
        yield parts.recode(piles.look_at(part, parts.columns)), _few_at_a_time(piles.take(part))
    progress(say("recoding parts"), 1.0)


def _few_at_a_time(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    for frame in frames:
        yield from frame.iter_slices(SLICE)


def _check(rows: Integers, parts: PartedTable, where: str) -> None:
    """Raise if the rows are not those that were counted before."""
    planned = np.array(parts.rows)
    if (rows < planned).any() or rows.sum() != planned.sum() + parts.excluded:
        raise TableError(
            say("the table changed while it was being recoded"),
            where=where,
            remedy=say("run it again when nobody writes to it"),
        )
