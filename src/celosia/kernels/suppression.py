"""Cells that are suppressed so that every row looks like k others, where a missing value looks like any value."""

import numba
import numpy as np

from celosia.kernels.arrays import Flags, Floats, Integers

__all__ = ["suppress_cells"]


inner = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@numba.njit(cache=True, nogil=True)
def suppress_cells(
    codes: Integers,
    patterns: Integers,
    counts: Integers,
    pattern_of: Integers,
    order: Integers,
    k: int,
    costs: Floats,
) -> None:
    """Put -1 into cells of ``codes[row, column]`` until each row of ``order`` can be any of k rows.

    ``patterns`` are the distinct rows of ``codes`` and then room for one more per row of ``order``; ``counts`` say how
    many rows have each, 0 for the room, and ``pattern_of[row]`` which one a row has. Each row gives up the cells in
    which it differs from the pattern that costs least to look like, then from the next, until k rows look like it. What
    a row gives up never takes anything from others: whoever looked like it before still does.
    """
    used = patterns.shape[0] - order.shape[0]
    gone = np.zeros(codes.shape[1], np.bool_)
    for place in range(order.shape[0]):
        row = order[place]
        gone[:] = False
        while True:
            alike, cheapest = _count_alike(codes[row], gone, patterns, counts, used, costs)
            if alike >= k:
                break
            if cheapest < 0:  # there are fewer than k rows: nothing of them is shown
                gone[:] = True
                break
            for c in range(len(gone)):
                gone[c] |= _differ(codes[row, c], patterns[cheapest, c])
        if gone.any():
            counts[pattern_of[row]] -= 1
            codes[row][gone] = -1
            patterns[used] = codes[row]
            counts[used] = 1
            used += 1


@inner
def _count_alike(
    mine: Integers, gone: Flags, patterns: Integers, counts: Integers, used: int, costs: Floats
) -> tuple[int, int]:
    """How many rows look like one that has given up some cells, and the pattern that is cheapest to look like next."""
    alike, best, cheapest = 0, np.inf, -1
    for p in range(used):
        if counts[p] == 0:
            continue
        cost = 0.0
        for c in range(len(gone)):
            if not gone[c] and _differ(mine[c], patterns[p, c]):
                cost += costs[c]
        if cost == 0.0:
            alike += counts[p]
        elif cost < best:
            best, cheapest = cost, p
    return alike, cheapest


@inner
def _differ(left: int, right: int) -> bool:
    return left != right and left >= 0 and right >= 0
