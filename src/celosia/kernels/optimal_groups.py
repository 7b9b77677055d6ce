"""The best groups of sorted numbers, as a shortest path."""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Floats

__all__ = ["optimal_groups"]


@numba.njit(cache=True, nogil=True)
def optimal_groups(ordered: Floats, k: int) -> npt.NDArray[np.int64]:
    """``groups[place]`` of ascending numbers: groups of k or more whose squares about their means add up to least.

    The best groups are stretches of k to 2k - 1 neighbours. An edge from place i to place j costs the squares of the
    stretch between them; the shortest path from the first place to the end is the answer, in n k steps. Of equally
    short paths the one with the longer last stretch is taken.
    """
    size = ordered.shape[0]
    groups = np.zeros(size, np.int64)
    if size < 2 * k:
        return groups
    centre = ordered.mean()  # squares of numbers far from 0 would lose their digits
    sums, squares = np.zeros(size + 1), np.zeros(size + 1)
    for i in range(size):
        value = ordered[i] - centre
        sums[i + 1] = sums[i] + value
        squares[i + 1] = squares[i] + value * value
    cost = np.full(size + 1, np.inf)
    cost[0] = 0.0
    start = np.zeros(size + 1, np.int64)
    for end in range(k, size + 1):
        for begin in range(max(0, end - 2 * k + 1), end - k + 1):
            total = sums[end] - sums[begin]
            path = cost[begin] + squares[end] - squares[begin] - total * total / (end - begin)
            if path < cost[end]:
                cost[end], start[end] = path, begin
    end, groups_made = size, 0
    while end > 0:
        for i in range(start[end], end):
            groups[i] = groups_made
        groups_made += 1
        end = int(start[end])
    return groups
