"""How large the groups are that share some values: how many members are alone, how many are with fewer than k."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["GroupSizes"]

SHORT = 16
"""Up to this k small groups are counted by passes over all keys, one for each size."""


@dataclass(frozen=True)
class GroupSizes:
    """Groups that share some values: how many members and groups, how many members are alone or with few.

    Members are rows, or people where a column tells them apart. ``small`` counts those in groups smaller than k,
    those who are alone included.
    """

    members: int
    groups: int
    alone: int
    small: int

    @classmethod
    def of_counts(cls, counts: npt.NDArray[np.int64], k: int) -> "GroupSizes":
        """From ``counts[group]``, the members of every group.

        >>> GroupSizes.of_counts(np.array([1, 3, 1]), k=3)
        GroupSizes(members=5, groups=3, alone=2, small=2)
        """
        return cls(
            members=int(counts.sum()),
            groups=len(counts),
            alone=int(np.count_nonzero(counts == 1)),
            small=int(counts[counts < k].sum()),
        )

    @classmethod
    def of_histogram(cls, histogram: Sequence[tuple[int, int]], k: int) -> "GroupSizes":
        """From sizes of groups and how many groups have each.

        >>> GroupSizes.of_histogram([(1, 2), (3, 1)], k=3)
        GroupSizes(members=5, groups=3, alone=2, small=2)
        """
        return cls(
            members=sum(size * times for size, times in histogram),
            groups=sum(times for _, times in histogram),
            alone=sum(times for size, times in histogram if size == 1),
            small=sum(size * times for size, times in histogram if size < k),
        )

    @classmethod
    def of_sorted(cls, keys: npt.NDArray[np.uint64], k: int) -> "GroupSizes":
        """From ``keys[member]``, which come sorted: equal keys are a group.

        >>> GroupSizes.of_sorted(np.array([3, 4, 4, 9, 9, 9], np.uint64), k=3)
        GroupSizes(members=6, groups=3, alone=1, small=3)
        """
        if not len(keys):
            return cls(0, 0, 0, 0)
        begins = np.ones(len(keys) + 1, np.bool_)
        np.not_equal(keys[1:], keys[:-1], out=begins[1:-1])
        times = _times_by_length(begins, k) if k <= SHORT else _times_by_place(begins, k)
        return cls(
            members=len(keys),
            groups=int(np.count_nonzero(begins)) - 1,
            alone=times[0] if times else 0,
            small=sum(size * count for size, count in enumerate(times, 1)),
        )

    def __add__(self, other: "GroupSizes") -> "GroupSizes":
        """Both taken together, where no group is in both.

        >>> GroupSizes(5, 3, 2, 2) + GroupSizes(1, 1, 1, 1)
        GroupSizes(members=6, groups=4, alone=3, small=3)
        """
        return GroupSizes(
            self.members + other.members,
            self.groups + other.groups,
            self.alone + other.alone,
            self.small + other.small,
        )


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
    return [int(count) for count in np.bincount(sizes[sizes < k], minlength=k)[1:]]
