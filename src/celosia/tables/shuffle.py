"""Rows in uniformly random order, in memory while they fit and through files of their own when they do not.

Every row is thrown into a bucket at random and every bucket is then put into random order (Rao, 1961; Sandelius,
1962): each order of all rows is equally likely, and no more than a bucket has to be in memory. Buckets do not depend
on the memory there is, so that a seed gives the same order on every machine.
"""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.machine import free_memory
from celosia.tables.row_buckets import RowBuckets

__all__ = ["OrderedRows", "RowShuffle", "memory_budget"]

_BUCKET_BYTES = 1 << 25
_MOST_BUCKETS = 256


def memory_budget() -> int:
    """Bytes that rows may take before they go to disk: a quarter of the free memory, at most 1.25 GB.

    >>> 0 < memory_budget() <= 5 << 28
    True
    """
    most, free = 5 << 28, free_memory()
    return most if free is None else max(1 << 26, min(most, free // 4))


class _Waiting:
    """Rows that wait on piles; files of theirs never outlive it."""

    _piles: RowBuckets

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._piles.remove()


class RowShuffle(_Waiting):
    """Takes rows in batches and gives them back in random order; files beside the destination never outlive it.

    >>> with RowShuffle(Path("."), size=0, memory=1 << 20, seed=7) as shuffle:
    ...     shuffle.add(pl.DataFrame({"a": range(4)}))
    ...     sorted(row for part in shuffle.parts() for row in part["a"])
    [0, 1, 2, 3]
    """

    def __init__(self, folder: Path, *, size: int, memory: int, seed: int | None) -> None:
        self.buckets = int(min(_MOST_BUCKETS, max(1, -(-size // _BUCKET_BYTES))))
        throws, orders = np.random.SeedSequence(seed).spawn(2)
        self._throws, self._orders = np.random.default_rng(throws), np.random.default_rng(orders)
        self._piles = RowBuckets(folder, self.buckets, memory=memory)

    def add(self, frame: pl.DataFrame, kept: npt.NDArray[np.bool_] | None = None) -> None:
        """Throw rows, or those ``kept`` says, into the buckets."""
        rows = None if kept is None else np.flatnonzero(kept)
        count = frame.height if rows is None else len(rows)
        self._piles.add(frame, self._throws.integers(0, self.buckets, count, dtype=np.uint16), rows)

    def parts(self) -> Iterator[pl.DataFrame]:
        """All rows, in random order, a bucket at a time."""
        for bucket in range(self.buckets):
            if frames := list(self._piles.take(bucket)):
                whole = pl.concat(frames, rechunk=True)
                del frames
                yield whole[self._orders.permutation(whole.height)]


class OrderedRows(_Waiting):
    """Takes rows in batches and gives them back as they came, once all are there; otherwise as :class:`RowShuffle`.

    >>> with OrderedRows(Path("."), memory=1 << 20) as waiting:
    ...     waiting.add(pl.DataFrame({"a": range(4)}), np.array([True, False, True, True]))
    ...     [row for part in waiting.parts() for row in part["a"]]
    [0, 2, 3]
    """

    def __init__(self, folder: Path, *, memory: int) -> None:
        self._piles = RowBuckets(folder, 1, memory=memory)

    def add(self, frame: pl.DataFrame, kept: npt.NDArray[np.bool_] | None = None) -> None:
        """Put rows, or those ``kept`` says, behind the others."""
        rows = None if kept is None else np.flatnonzero(kept)
        count = frame.height if rows is None else len(rows)
        self._piles.add(frame, np.zeros(count, np.uint16), rows)

    def parts(self) -> Iterator[pl.DataFrame]:
        """All rows, a batch at a time."""
        yield from self._piles.take(0)
