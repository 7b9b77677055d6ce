"""Rows in uniformly random order, in memory while they fit and through files of their own when they do not.

Every row is thrown into a bucket at random and every bucket is then put into random order (Rao, 1961; Sandelius,
1962): each order of all rows is equally likely, and no more than a bucket has to be in memory. Buckets do not depend
on the memory there is, so that a seed gives the same order on every machine.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Shuffle", "memory_budget"]

_BUCKET_BYTES = 1 << 25
_MOST_BUCKETS = 256


def memory_budget(*, most: int = 5 << 28) -> int:
    """Bytes that rows may take before they go to disk: a quarter of the free memory, at most 1.25 GB.

    >>> 0 < memory_budget() <= 5 << 28
    True
    """
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))
    except (OSError, StopIteration, ValueError):
        free = 4 * most
    return max(1 << 26, min(most, free // 4))


class Shuffle:
    """Takes rows in batches and gives them back in random order; files beside the destination never outlive it.

    >>> with Shuffle(Path("."), size=0, memory=1 << 20, seed=7) as shuffle:
    ...     shuffle.add(pl.DataFrame({"a": range(4)}))
    ...     sorted(row for part in shuffle.parts() for row in part["a"])
    [0, 1, 2, 3]
    """

    def __init__(self, folder: Path, *, size: int, memory: int, seed: int | None) -> None:
        self.buckets = int(min(_MOST_BUCKETS, max(1, -(-size // _BUCKET_BYTES))))
        throws, orders = np.random.SeedSequence(seed).spawn(2)
        self._throws, self._orders = np.random.default_rng(throws), np.random.default_rng(orders)
        self._folder, self._memory = folder, memory
        # Whole batches, sorted by bucket, and where each bucket starts: slices of hundreds of columns weigh too much.
        self._held: list[tuple[pl.DataFrame, npt.NDArray[np.int64]]] = []
        self._held_bytes = 0
        self._files: list[list[Path]] = [[] for _ in range(self.buckets)]
        self._private: Path | None = None

    def __enter__(self) -> "Shuffle":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held = []
        if self._private is not None:
            _remove(self._private)

    def add(self, frame: pl.DataFrame, kept: npt.NDArray[np.bool_] | None = None) -> None:
        """Throw rows, or those ``kept`` says, into the buckets."""
        rows = np.arange(frame.height) if kept is None else np.flatnonzero(kept)
        thrown = self._throws.integers(0, self.buckets, len(rows), dtype=np.uint16)
        order = np.argsort(thrown, kind="stable")
        if kept is not None or self.buckets > 1:
            # One chunk first: from many, every row would be looked for in each.
            frame = frame.rechunk()[rows[order]]
        self._held.append((frame, np.cumsum([0, *np.bincount(thrown, minlength=self.buckets)])))
        self._held_bytes += _bytes_of(frame)
        if self._held_bytes > self._memory:
            self._spill()

    def _spill(self) -> None:
        if self._private is None:
            self._private = Path(tempfile.mkdtemp(prefix=".celosia-", dir=self._folder))
        for bucket in range(self.buckets):
            if held := self._slices(bucket):
                path = self._private / f"{bucket}-{len(self._files[bucket])}.arrow"
                # Without views: rows of a slice would drag all the text of their batch along.
                pl.concat(held).write_ipc(
                    path, compat_level=pl.CompatLevel.oldest(), compression="uncompressed"
                )
                self._files[bucket].append(path)
        self._held, self._held_bytes = [], 0

    def _slices(self, bucket: int) -> list[pl.DataFrame]:
        """What is held of a bucket."""
        cuts = [(frame, int(starts[bucket]), int(starts[bucket + 1])) for frame, starts in self._held]
        return [frame.slice(start, end - start) for frame, start, end in cuts if end > start]

    def parts(self) -> Iterator[pl.DataFrame]:
        """All rows, in random order, a bucket at a time."""
        for bucket in range(self.buckets):
            frames = [*(pl.read_ipc(path) for path in self._files[bucket]), *self._slices(bucket)]
            if frames:
                whole = pl.concat(frames, rechunk=True)
                del frames
                yield whole[self._orders.permutation(whole.height)]
            for path in self._files[bucket]:
                path.unlink()


def _bytes_of(frame: pl.DataFrame) -> int:
    """Bytes in memory; the engine's own estimate leaves out the 16 bytes beside every text."""
    texts = sum(dtype == pl.String for dtype in frame.dtypes)
    return int(frame.estimated_size()) + 16 * texts * frame.height


def _remove(folder: Path) -> None:
    """Remove a folder even if somebody is impatient."""
    interrupted = False
    while os.path.lexists(folder):
        try:
            shutil.rmtree(folder)
        except KeyboardInterrupt:
            interrupted = True
    if interrupted:
        raise KeyboardInterrupt
