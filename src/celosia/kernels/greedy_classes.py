"""Greedy classes: from the row with the nearest neighbours on, each takes the free rows that raise its loss least.

J.-W. Byun, A. Kamra, E. Bertino, N. Li: Efficient k-anonymization using clustering techniques. DASFAA 2007, with
candidates from near lists instead of all rows.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.compiler import inner
from celosia.kernels.joins import copy_join, cost_of, cost_with, widen

__all__ = ["form_classes", "join_left_over"]

MADE_WITH = "d5e6eb8494d4"
"""Digest of ``joins.py`` and ``parts.py``: Numba keeps what it compiled as long as this very file stays the same."""


def form_classes(
    points: Any, weights: Any, lists: Any, seeds: Any, axes: Any, *, least: int, values: Any, wanted: Any
) -> npt.NDArray[np.int64]:
    """``classes[row]``: classes of ``least`` rows or more with enough different values, and -1 for the rows left over.

    ``seeds`` are all rows in the order in which they may begin a class. ``values`` are, for every row, the sensitive
    values that it brings, as ``(starts, codes)`` per column, and ``wanted[column]`` how many a class must have.
    """
    classes = np.full(len(points), -1, np.int64)
    _form(points, weights, lists, seeds, axes, least, values, wanted, classes)
    return classes


def join_left_over(
    points: Any, weights: Any, lists: Any, axes: Any, classes: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    """The same classes with every row in one of them: those left over join where the loss rises least."""
    found = classes.copy()
    count = int(found.max(initial=-1)) + 1
    if count == 0:
        return np.zeros(len(found), np.int64)
    _join(points, weights, lists, axes, found, count)
    return found


POOL = 160
"""Candidates that a class looks at; beyond them only rows near the first members are."""


@inner
def _is_new(row: int, j: int, values: Any, seen: Any, stamp: int) -> bool:
    """Whether a row brings a value of column ``j`` that the class does not have."""
    starts, codes = values
    is_new = False
    for i in range(starts[j, row], starts[j, row + 1]):
        is_new |= seen[codes[i]] != stamp
    return is_new


@inner
def _lacks(have: Any, wanted: Any) -> int:
    """The first column of which a class has too few values, or -1."""
    for j in range(len(wanted)):
        if have[j] < wanted[j]:
            return j
    return -1


@inner
def _note(row: int, values: Any, seen: Any, stamp: int, have: Any) -> None:
    """Count the values that a new member brings."""
    starts, codes = values
    for j in range(len(have)):
        for i in range(starts[j, row], starts[j, row + 1]):
            if seen[codes[i]] != stamp:
                seen[codes[i]] = stamp
                have[j] += 1


@inner
def _gather(row: int, lists: Any, classes: Any, pool: Any, pooled: Any, waiting: int, stamp: int) -> int:
    """Put the free rows near a new member into the pool; how many wait there then."""
    for i in range(lists.shape[1]):
        other = lists[row, i]
        if other < 0 or waiting == len(pool):
            break
        if classes[other] < 0 and pooled[other] != stamp:
            pooled[other] = stamp
            pool[waiting] = other
            waiting += 1
    return waiting


@inner
def _choose(
    join: Any, points: Any, axes: Any, pool: Any, waiting: int, lacking: int, values: Any, seen: Any, stamp: int
) -> int:  # fmt: skip
    """The place of the row in the pool that raises the loss least; of those with a new value if one is ``lacking``."""
    best, place = np.inf, -1
    for i in range(waiting):
        if lacking >= 0 and not _is_new(pool[i], lacking, values, seen, stamp):
            continue
        cost = cost_with(join, points[pool[i]], axes, best)
        if cost < best:
            best, place = cost, i
    return place


@numba.njit(cache=True, nogil=True)
def _form(
    points: Any, weights: Any, lists: Any, seeds: Any, axes: Any, least: int, values: Any, wanted: Any, classes: Any
) -> None:  # fmt: skip
    size = len(points)
    join = np.empty((points.shape[1], 2), np.int32)
    pool, pooled = np.empty(POOL, np.int64), np.full(size, -1, np.int64)
    members = np.empty(size, np.int64)
    seen = np.full(values[1].max() + 1 if len(values[1]) else 1, -1, np.int64)
    have = np.zeros(len(wanted), np.int64)
    found = 0
    for stamp in range(size):
        newest = seeds[stamp]
        if classes[newest] >= 0:
            continue
        copy_join(join, points[newest])
        have[:] = 0
        count, rows, waiting = 0, 0, 0
        pooled[newest] = stamp
        while newest >= 0:
            members[count] = newest
            count += 1
            rows += weights[newest]
            widen(join, points[newest], axes)
            _note(newest, values, seen, stamp, have)
            lacking = _lacks(have, wanted)
            if rows >= least and lacking < 0:
                break
            waiting = _gather(newest, lists, classes, pool, pooled, waiting, stamp)
            lacking = lacking if rows >= least else -1
            place = _choose(join, points, axes, pool, waiting, lacking, values, seen, stamp)
            newest = -1
            if place >= 0:
                newest = pool[place]
                waiting -= 1
                pool[place] = pool[waiting]
        if newest >= 0:
            for i in range(count):
                classes[members[i]] = found
            found += 1


@inner
def _add_up(points: Any, weights: Any, axes: Any, classes: Any, joins: Any, rows: Any, costs: Any) -> None:
    """What classes cover, how many rows they have and what each of these costs."""
    for x in range(len(points)):
        own = classes[x]
        if own >= 0:
            if rows[own] == 0:
                copy_join(joins[own], points[x])
            widen(joins[own], points[x], axes)
            rows[own] += weights[x]
    for own in range(len(rows)):
        costs[own] = cost_of(joins[own], axes)


@inner
def _raised(
    own: int, point: Any, weight: int, axes: Any, best: float, joins: Any, rows: Any, costs: Any
) -> float:
    """What a class would cost more with a point in it; if that is more than ``best``, anything above it."""
    before, after = rows[own] * costs[own], rows[own] + weight
    return float(after * cost_with(joins[own], point, axes, (best + before) / after) - before)


@numba.njit(cache=True, nogil=True)
def _join(points: Any, weights: Any, lists: Any, axes: Any, classes: Any, count: int) -> None:
    joins = np.empty((count, points.shape[1], 2), np.int32)
    rows, costs = np.zeros(count, np.int64), np.zeros(count)
    _add_up(points, weights, axes, classes, joins, rows, costs)
    for x in range(len(points)):
        if classes[x] >= 0:
            continue
        best, chosen = np.inf, -1
        for i in range(lists.shape[1]):
            own = classes[lists[x, i]] if lists[x, i] >= 0 else -1
            if own >= 0:
                raised = _raised(own, points[x], weights[x], axes, best, joins, rows, costs)
                if raised < best:
                    best, chosen = raised, own
        for own in range(0 if chosen >= 0 else count):
            raised = _raised(own, points[x], weights[x], axes, best, joins, rows, costs)
            if raised < best:
                best, chosen = raised, own
        classes[x] = chosen
        rows[chosen] += weights[x]
        widen(joins[chosen], points[x], axes)
        costs[chosen] = cost_of(joins[chosen], axes)
