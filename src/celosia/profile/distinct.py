"""How many distinct values some columns have together, counted no further than needed.

A set of columns is a tuple of positions, ascending. The combinations of all columns are distinct by
construction and lie in random order, so a part of them already bounds the answer from above: every repetition
seen in the first rows is one distinct value less than there are combinations.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.table import Counts

__all__ = ["Columns", "DistinctCombinations"]

Columns = tuple[int, ...]

WORD = 2**62
"""Several columns share one 64-bit key as long as the product of their sizes stays below this."""

WHOLE = 20_000
"""With fewer combinations than this a part is no cheaper than the whole."""


class DistinctCombinations:
    """The distinct combinations of some columns; counts subsets of the columns and remembers what it learnt.

    ``sizes[column]`` is the number of distinct values of a column, ``maximum`` that of all columns together,
    ``work`` how many keys were looked at so far.

    >>> codes = (np.array([0, 0, 1, 1], np.int32), np.array([0, 1, 0, 1], np.int32))
    >>> combinations = DistinctCombinations(codes, [2, 2])
    >>> combinations.maximum, combinations.sizes.tolist(), combinations.distinct((0,))
    (4, [2, 2], 2)
    """

    def __init__(self, codes: Sequence[npt.NDArray[np.int32]], sizes: Sequence[int]) -> None:
        self.codes = codes
        self.sizes = np.array(sizes, np.int64)
        self.maximum = len(codes[0]) if codes else 0
        self.work = 0
        self.seen: set[Columns] = set()
        self.bounds: dict[Columns, int] = {}  # an upper bound on the distinct count of every subset looked at
        self.exact: dict[Columns, int] = {}

    @property
    def examined(self) -> int:
        """How many different subsets were counted, wholly or in part."""
        return len(self.seen)

    @classmethod
    def of_counts(cls, counts: Counts, columns: Sequence[str]) -> "DistinctCombinations":
        """The combinations of some of the columns that were counted.

        Their order is that of a hash of the values: random, yet the same however the table was counted.
        """
        places = [counts.columns.index(column) for column in columns]
        dense, sizes = zip(*(encode_densely(counts.codes[place]) for place in places), strict=True)
        hashes = np.zeros(len(counts), np.uint64)
        for place in places:
            hashes = hashes * np.uint64(31) + counts.texts[place].hash().to_numpy()[counts.codes[place]]
        rows = np.arange(len(counts)) if len(columns) == len(counts.columns) else first_rows(dense, sizes)
        rows = rows[np.argsort(hashes[rows], kind="stable")]
        return cls([column[rows] for column in dense], sizes)

    def distinct(self, columns: Columns) -> int:
        """The exact number of distinct values of ``columns`` together."""
        if columns not in self.exact:
            self.exact[columns] = self.bounds[columns] = self.count(columns, self.maximum)
        return self.exact[columns]

    def at_most(self, columns: Columns, *, goal: int, share: float = 1.0) -> int:
        """An upper bound: exact, or at most ``goal``, or what the first ``share`` of the combinations shows.

        A small part is tried first, because a set with few distinct values repeats itself soon.
        """
        for part in (1 / 16, 1 / 4, 1.0):
            bound = self.bounds.get(columns, self.maximum)
            if bound <= goal or columns in self.exact or part > share:
                break
            rows = int(self.maximum * part)
            if rows == self.maximum or self.maximum < WHOLE:
                return self.distinct(columns)
            if self.maximum - rows < goal:  # else not even equal rows would show enough repetitions
                self.bounds[columns] = min(bound, self.maximum - rows + self.count(columns, rows))
        return self.bounds.get(columns, self.maximum)

    def count(self, columns: Columns, rows: int) -> int:
        """Distinct values of ``columns`` together among the first ``rows`` combinations."""
        self.seen.add(columns)
        self.work += max(rows, 4096)
        if not columns:
            return min(1, rows)
        words, size = pack([self.codes[c][:rows] for c in columns], [int(self.sizes[c]) for c in columns])
        if len(words) > 1:
            return pl.DataFrame(words, schema=[f"{i}" for i in range(len(words))]).n_unique()
        if size <= 16 * rows:  # a bit per possible key is much cheaper than hashing
            seen = np.zeros(size, np.bool_)
            seen[words[0]] = True
            return int(np.count_nonzero(seen))
        return pl.Series(words[0]).n_unique()


def encode_densely(codes: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], int]:
    """The same codes without unused ones, and how many there are.

    >>> encode_densely(np.array([5, 0, 5], np.int32))
    (array([1, 0, 1], dtype=int32), 2)
    """
    used = np.bincount(codes) > 0
    size = int(np.count_nonzero(used))
    if size == len(used):
        return codes, size
    return (np.cumsum(used, dtype=np.int32) - 1)[codes].astype(np.int32), size


def pack(
    codes: Sequence[npt.NDArray[np.int32]], sizes: Sequence[int]
) -> tuple[list[npt.NDArray[np.int64]], int]:
    """Mixed-radix keys of the rows, in as few 64-bit words as hold them, and how many last words can be.

    >>> pack([np.array([1, 2], np.int32), np.array([0, 1], np.int32)], [3, 2])
    ([array([2, 5])], 6)
    """
    words: list[npt.NDArray[np.int64]] = []
    product = WORD
    for column, size in zip(codes, sizes, strict=True):
        if product * size >= WORD:
            words.append(column.astype(np.int64))
            product = size
        else:
            words[-1] *= size
            words[-1] += column
            product *= size
    return words, product


def first_rows(codes: Sequence[npt.NDArray[np.int32]], sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    """The first row of every distinct combination, ascending.

    >>> first_rows([np.array([1, 1, 0], np.int32)], [2]).tolist()
    [0, 2]
    """
    words, _ = pack(codes, sizes)
    frame = pl.DataFrame(words, schema=[f"{i}" for i in range(len(words))])
    firsts = frame.select(pl.struct(pl.all()).is_first_distinct()).to_series().to_numpy()
    return np.flatnonzero(firsts).astype(np.int64)
