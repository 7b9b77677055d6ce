"""Draw codes and words for millions of rows at a time."""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Codes", "LevelTable", "by_group", "draw", "forget", "pick", "reached", "zipf"]

Codes = npt.NDArray[np.int32]

LevelTable = list[tuple[str, ...]]
"""One row per value: the value, what it becomes at each level, ``*`` at the last."""

SLOTS = 65_536
"""Draws look up a table of this many places: one 16-bit number per row, far faster than a choice."""


def zipf(size: int, exponent: float = 1.0) -> list[float]:
    """Weights of ``size`` values of which the first is the most frequent.

    >>> zipf(4)
    [1.0, 0.5, 0.3333333333333333, 0.25]
    """
    return [1 / rank**exponent for rank in range(1, size + 1)]


def draw(generator: np.random.Generator, weights: Sequence[float], size: int) -> Codes:
    """Codes 0, 1, ... in proportion to ``weights``.

    >>> draw(np.random.default_rng(1), [0, 1], 3).tolist()
    [1, 1, 1]
    """
    return places(weights)[generator.integers(0, SLOTS, size, dtype=np.uint16)]


def by_group(generator: np.random.Generator, group: Codes, weights: Sequence[Sequence[float]]) -> Codes:
    """For every row a code drawn with the weights of its group.

    >>> by_group(np.random.default_rng(1), np.array([0, 1, 1]), [[1, 0], [0, 1]]).tolist()
    [0, 1, 1]
    """
    tables = np.concatenate([places(of_group) for of_group in weights])
    drawn: Codes = tables[group * np.int32(SLOTS) + generator.integers(0, SLOTS, len(group), dtype=np.uint16)]
    return drawn


def places(weights: Sequence[float]) -> Codes:
    """Every code as often as its weight says, ascending, in all ``SLOTS`` places.

    >>> np.bincount(places([1, 0, 3])).tolist()
    [16384, 0, 49152]
    """
    limits = np.cumsum(weights) / np.sum(weights)
    return np.searchsorted(limits, (np.arange(SLOTS) + 0.5) / SLOTS).astype(np.int32)


def reached(values: Codes, limits: Sequence[int]) -> Codes:
    """How many of the ``limits`` each value has reached.

    >>> reached(np.array([10, 20, 70]), [18, 65]).tolist()
    [0, 1, 2]
    """
    count = np.zeros(len(values), np.int32)
    for limit in limits:
        count += values >= limit
    return count


def pick(words: Iterable[str], codes: npt.ArrayLike) -> pl.Series:
    """The word of every code, none for a code below 0.

    >>> pick(["F", "M"], np.array([1, -1])).to_list()
    ['M', None]
    """
    # A null at the end of the list is what -1 points to.
    return pl.Series([*words, None], dtype=pl.String).gather(np.asarray(codes))


def forget(codes: Codes, share: float, generator: np.random.Generator) -> Codes:
    """The same codes with -1 in about ``share`` of the rows.

    >>> forget(np.array([3, 4]), 1.0, np.random.default_rng(1)).tolist()
    [-1, -1]
    """
    return np.where(generator.random(len(codes), dtype=np.float32) < share, np.int32(-1), codes)
