"""How people fall into groups by what some columns show of them: what every way of counting answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["GroupCounter", "GroupSizes", "LikelySets", "count_few", "few_columns", "sizes_of_sorted"]

Keys = npt.NDArray[np.uint64]
SHORT = 16
"""Up to this k small groups are counted by passes over all keys, one for each size."""


@dataclass(frozen=True)
class GroupSizes:
    """Groups of people who share some values: how many people and groups, how many people are alone or with few.

    ``small`` counts people in groups smaller than k, those who are alone included.
    """

    people: int
    groups: int
    alone: int
    small: int

    @classmethod
    def of_histogram(cls, histogram: Sequence[tuple[int, int]], k: int) -> "GroupSizes":
        """From sizes of groups and how many groups have each.

        >>> GroupSizes.of_histogram([(1, 2), (3, 1)], k=3)
        GroupSizes(people=5, groups=3, alone=2, small=2)
        """
        return cls(
            people=sum(size * times for size, times in histogram),
            groups=sum(times for _, times in histogram),
            alone=sum(times for size, times in histogram if size == 1),
            small=sum(size * times for size, times in histogram if size < k),
        )


@dataclass(frozen=True)
class LikelySets:
    """The pairs and triples that single out most, and whether all of them were counted to find these."""

    sets: tuple[tuple[str, ...], ...] = ()
    are_all_counted: bool = True


class GroupCounter(Protocol):
    """Counts the people of a table in groups, where the table is."""

    @property
    def people(self) -> int:
        """How many people there are."""
        ...

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns."""
        ...

    def likely_sets(self, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
        """Pairs and triples with one of the ``columns`` that single out most; ``further`` ones may join."""
        ...


def few_columns(columns: Sequence[str], further: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """All pairs and triples with one of the columns.

    >>> list(few_columns(["a"], ["b", "c"]))
    [('a', 'b'), ('a', 'c'), ('a', 'b', 'c')]
    """
    own = set(columns)
    names = list(dict.fromkeys([*columns, *further]))
    for size in (2, 3):
        yield from (some for some in combinations(names, size) if own & set(some))


def count_few(columns: Sequence[str], further: Sequence[str]) -> int:
    """How many these are.

    >>> count_few(["a"], ["b", "c"])
    3
    """
    both, others = len({*columns, *further}), len({*further} - {*columns})
    return comb(both, 2) + comb(both, 3) - comb(others, 2) - comb(others, 3)


def sizes_of_sorted(keys: Keys, k: int) -> GroupSizes:
    """The groups of equal keys, which come sorted.

    >>> sizes_of_sorted(np.array([3, 4, 4, 9, 9, 9], np.uint64), k=3)
    GroupSizes(people=6, groups=3, alone=1, small=3)
    """
    if not len(keys):
        return GroupSizes(0, 0, 0, 0)
    begins = np.ones(len(keys) + 1, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=begins[1:-1])
    groups = int(np.count_nonzero(begins)) - 1
    times = _times_by_length(begins, k) if k <= SHORT else _times_by_place(begins, k)
    alone = times[0] if times else 0
    small = sum(size * count for size, count in enumerate(times, 1))
    return GroupSizes(len(keys), groups, alone, small)


def _times_by_length(begins: npt.NDArray[np.bool_], k: int) -> list[int]:
    """How many groups have 1, 2, ... k - 1 members: few passes over truth values, which take no time."""
    times = []
    is_open = begins[:-1]
    for size in range(1, min(k, len(begins))):
        ends = begins[size:]
        is_open = is_open[: len(ends)]
        times.append(int(np.count_nonzero(is_open & ends)))
        is_open = is_open & ~ends
    return times


def _times_by_place(begins: npt.NDArray[np.bool_], k: int) -> list[int]:
    sizes = np.diff(np.flatnonzero(begins))
    return np.bincount(sizes[sizes < k], minlength=k)[1:].tolist()
