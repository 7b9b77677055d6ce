"""How people fall into groups by what some columns show of them: what every way of counting answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["GroupCounter", "GroupSizes", "sizes_of_sorted"]

Keys = npt.NDArray[np.uint64]


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


class GroupCounter(Protocol):
    """Counts the people of a table in groups, where the table is."""

    @property
    def people(self) -> int:
        """How many people there are."""
        ...

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns."""
        ...

    def likely_sets(
        self, columns: Sequence[str], further: Sequence[str], k: int
    ) -> tuple[tuple[str, ...], ...]:
        """Pairs and triples with one of the ``columns`` that may single out most; ``further`` ones may join."""
        ...


def sizes_of_sorted(keys: Keys, k: int) -> GroupSizes:
    """The groups of equal keys, which come sorted.

    >>> sizes_of_sorted(np.array([3, 4, 4, 9, 9, 9], np.uint64), k=3)
    GroupSizes(people=6, groups=3, alone=1, small=3)
    """
    if not len(keys):
        return GroupSizes(0, 0, 0, 0)
    starts = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    sizes = np.diff(starts, prepend=0, append=len(keys))
    return GroupSizes(
        people=len(keys),
        groups=len(sizes),
        alone=int(np.count_nonzero(sizes == 1)),
        small=int(sizes[sizes < k].sum()),
    )
