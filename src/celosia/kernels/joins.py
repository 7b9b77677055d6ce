"""Joins of points: what a class of them covers, column by column, and what that costs each of its rows.

A join is two numbers per column, ``join[column, 0]`` and ``join[column, 1]``. In a column of ranges and in one with a
hierarchy they are the lowest and the highest code; in a column of sets they are 64 bits, one for each value that
occurs, the last for a missing one. A point is the join of itself. ``axes`` are, per column, its kind and where its
numbers begin, then the places of codes, ``prices[column]`` (the most that a row can pay, and what one more value of a
set costs), and the labels of hierarchies as :func:`celosia.kernels.mondrian.grow` reads them.
"""

from typing import Any

import numpy as np

from celosia.kernels.compiler import inner

__all__ = ["RANGE", "SET", "TREE", "column_cost", "copy_join", "cost_of", "cost_with", "distance", "widen"]

RANGE, SET, TREE = 0, 1, 2
"""Kinds of columns."""
ROUNDING = 1e-9
"""Sums that differ by less may be the same."""


@inner
def _bits(word: int) -> int:
    """How many bits of 32 are set."""
    bits = np.uint32(word)
    bits = np.uint32(bits - ((bits >> np.uint32(1)) & np.uint32(0x55555555)))
    bits = np.uint32((bits & np.uint32(0x33333333)) + ((bits >> np.uint32(2)) & np.uint32(0x33333333)))
    bits = np.uint32((bits + (bits >> np.uint32(4))) & np.uint32(0x0F0F0F0F))
    return int(np.uint32(bits * np.uint32(0x01010101)) >> np.uint32(24))


@inner
def column_cost(c: int, low: int, high: int, axes: Any) -> float:
    """What a row pays in one column for what its class covers there: 0 for one value."""
    kinds, starts, places, prices, ups, shares = axes
    if kinds[c] == SET:
        further = _bits(low) + _bits(high) - 1
        # A class in which some values are missing and others are not shows nothing.
        return float(prices[c, 0] if high < 0 and further > 0 else further * prices[c, 1])
    if low == high:
        return 0.0
    start = starts[c]
    if kinds[c] == RANGE:
        return float(min(prices[c, 0], places[start + high] - places[start + low]))
    size, place = starts[c + 1] - start, ups[c, 1]
    for _ in range(ups[c, 0]):
        if shares[1, place + low] == shares[1, place + high]:
            return float(shares[0, place + low])
        place += size
    return float(prices[c, 0])


@inner
def cost_of(join: Any, axes: Any) -> float:
    """What a row of a class with this join pays in all columns."""
    total = 0.0
    for c in range(join.shape[0]):
        total += column_cost(c, join[c, 0], join[c, 1], axes)
    return total


@inner
def cost_with(join: Any, point: Any, axes: Any, limit: float) -> float:
    """The same once a point, or all points of another join, are in the class; more than ``limit`` may be cut short.

    It is cut short only when it is surely more: of two that cost the same, rounding must not make one seem cheaper.
    """
    kinds, total = axes[0], 0.0
    limit += ROUNDING
    for c in range(join.shape[0]):
        if kinds[c] == SET:
            low, high = join[c, 0] | point[c, 0], join[c, 1] | point[c, 1]
        else:
            low, high = min(join[c, 0], point[c, 0]), max(join[c, 1], point[c, 1])
        total += column_cost(c, low, high, axes)
        if total > limit:
            break
    return total


@inner
def distance(one: Any, other: Any, axes: Any, limit: float) -> float:
    """What each of two points would pay in a class of both."""
    return float(cost_with(one, other, axes, limit))


@inner
def widen(join: Any, point: Any, axes: Any) -> None:
    """Take a point into a join."""
    kinds = axes[0]
    for c in range(join.shape[0]):
        if kinds[c] == SET:
            join[c, 0] |= point[c, 0]
            join[c, 1] |= point[c, 1]
        else:
            join[c, 0], join[c, 1] = min(join[c, 0], point[c, 0]), max(join[c, 1], point[c, 1])


@inner
def copy_join(target: Any, source: Any) -> None:
    """Write one join over another."""
    for c in range(source.shape[0]):
        target[c, 0], target[c, 1] = source[c, 0], source[c, 1]
