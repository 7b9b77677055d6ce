"""A space as the loops of clustering take it: points as joins, what columns cost, and the rows in several orders."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.recode.space import Space

__all__ = ["join_axes", "join_points", "sort_orders"]

Codes = npt.NDArray[np.int32]
MISSING_BIT = 63


def join_axes(space: Space, weights: Mapping[str, float]) -> Any:
    """What columns cost; see :mod:`celosia.kernels.joins`."""
    from celosia.kernels import joins

    starts, places, trees, shares = space.weigh(weights)
    kinds, prices = np.full(len(space.axes), joins.RANGE, np.int64), np.ones((len(space.axes), 2))
    for number, axis in enumerate(space.axes):
        prices[number] = weights.get(axis.name, 1.0)
        if axis.is_tree:
            kinds[number] = joins.TREE
        elif axis.is_set:
            kinds[number] = joins.SET
            prices[number, 1] /= max(1, axis.missing - 1)
    return kinds, starts, places, prices, trees, shares


def join_points(space: Space, codes: Codes) -> Codes:
    """``points[row, column]``: every row as the join of itself."""
    points = np.repeat(codes[:, :, None], 2, axis=2)
    for number, axis in enumerate(space.axes):
        if axis.is_set:
            bit = np.where(codes[:, number] == axis.missing, MISSING_BIT, codes[:, number]).astype(np.uint64)
            words = (np.uint64(1) << bit).view(np.uint32).reshape(-1, 2)
            points[:, number] = words.view(np.int32)
    return np.ascontiguousarray(points)


def sort_orders(codes: Codes, count: int, seed: int) -> Codes:
    """``orders[order]``: the rows sorted by the columns in several sequences, each with another pair of them last.

    Rows that differ in these two columns alone are neighbours in that order.
    """
    random = np.random.default_rng(seed)
    width = codes.shape[1]
    pairs: list[tuple[int, ...]] = list(combinations(range(width), 2)) or [(0,)]
    random.shuffle(pairs)
    orders = np.empty((count, len(codes)), np.int32)
    for number in range(count):
        last = pairs[number % len(pairs)]
        rest = [column for column in random.permutation(width) if column not in last]
        orders[number] = _sort_by(codes, [*rest, *random.permutation(last)])
    return orders


def _sort_by(codes: Codes, columns: list[int]) -> npt.NDArray[np.intp]:
    """Rows by some columns, the first first; several of them as one number as long as that holds them."""
    keys, size = [np.zeros(len(codes), np.int64)], 1
    for column in columns:
        own = int(codes[:, column].max(initial=0)) + 1
        if size * own > 1 << 62:
            keys.append(np.zeros(len(codes), np.int64))
            size = 1
        keys[-1] = keys[-1] * own + codes[:, column]
        size *= own
    return np.argsort(keys[0], kind="stable") if len(keys) == 1 else np.lexsort(keys[::-1])
