"""Rows on numbered piles: in memory while they fit, and in private files when they do not."""

from collections.abc import Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.private import erase_file, make_private_folder, remove_folder

__all__ = ["RowBuckets"]

Integers = npt.NDArray[np.int64]
# Rows outlive their file, and a file is overwritten: no version of the engine may map it into memory.
UNMAPPED: dict[str, Any] = {"memory_map": False} if "memory_map" in signature(pl.read_ipc).parameters else {}


class RowBuckets:
    """Takes rows in batches, each with the number of its pile, and gives the piles back one by one.

    Beyond ``memory`` bytes, what is held goes to files in a private folder in ``folder``; ``remove`` takes it away.
    ``rows[pile]`` tells how many rows were put there.

    >>> piles = RowBuckets(Path("."), 2, memory=1 << 20)
    >>> piles.add(pl.DataFrame({"a": [1, 2, 3]}), np.array([1, 0, 1]))
    >>> [pl.concat(piles.take(pile))["a"].to_list() for pile in range(2)]
    [[2], [1, 3]]
    >>> piles.remove()
    """

    def __init__(self, folder: Path, count: int, *, memory: int) -> None:
        self.rows = np.zeros(count, np.int64)
        self._folder, self._memory = folder, memory
        # Whole batches, sorted by pile, and where each pile starts: slices of hundreds of columns weigh too much.
        self._held: list[tuple[pl.DataFrame, Integers]] = []
        self._held_bytes = 0
        self._files: list[list[Path]] = [[] for _ in range(count)]
        self._private: Path | None = None

    def add(
        self, frame: pl.DataFrame, numbers: npt.NDArray[np.integer], rows: Integers | None = None
    ) -> None:
        """Put every row, or those given, onto the pile of its number."""
        counts = np.bincount(numbers, minlength=len(self.rows))
        self.rows += counts
        if rows is not None or len(self.rows) > 1:
            order = np.argsort(numbers, kind="stable")
            # One chunk first: from many, every row would be looked for in each.
            frame = frame.rechunk()[order if rows is None else rows[order]]
        self._held.append((frame, np.concatenate(([0], np.cumsum(counts)))))
        self._held_bytes += _bytes_of(frame)
        if self._held_bytes > self._memory:
            self.spill()

    def spill(self) -> None:
        """Write down what is held."""
        if self._private is None:
            self._private = make_private_folder(self._folder)
        for pile, files in enumerate(self._files):
            if slices := self._slices(pile):
                path = self._private / f"{pile}-{len(files)}.arrow"
                # Without views: rows of a slice would drag all the text of their batch along.
                pl.concat(slices).write_ipc(
                    path, compat_level=pl.CompatLevel.oldest(), compression="uncompressed"
                )
                files.append(path)
        self._held, self._held_bytes = [], 0

    def look_at(self, pile: int, columns: Sequence[str]) -> pl.DataFrame:
        """Some columns of all rows of a pile."""
        frames = [pl.read_ipc(path, columns=list(columns), **UNMAPPED) for path in self._files[pile]]
        # By name one by one: a selection would take '*' or '^a$' for a pattern.
        chosen = (
            pl.DataFrame([frame.get_column(name) for name in columns])
            for frame in (*frames, *self._slices(pile))
        )
        return pl.concat(chosen, rechunk=True)

    def take(self, pile: int) -> Iterator[pl.DataFrame]:
        """The rows of a pile; a file is erased once it is read."""
        for path in self._files[pile]:
            frame = pl.read_ipc(path, **UNMAPPED)
            erase_file(path)
            yield frame
        self._files[pile] = []
        yield from self._slices(pile)

    def remove(self) -> None:
        """Let go of all rows, and leave no file."""
        self._held = []
        if self._private is not None:
            remove_folder(self._private)

    def _slices(self, pile: int) -> list[pl.DataFrame]:
        """What is held of a pile."""
        cuts = [(frame, int(starts[pile]), int(starts[pile + 1])) for frame, starts in self._held]
        return [frame.slice(start, end - start) for frame, start, end in cuts if end > start]


def _bytes_of(frame: pl.DataFrame) -> int:
    """Bytes in memory; the engine's own estimate leaves out the 16 bytes beside every text."""
    texts = sum(dtype == pl.String for dtype in frame.dtypes)
    return int(frame.estimated_size()) + 16 * texts * frame.height
