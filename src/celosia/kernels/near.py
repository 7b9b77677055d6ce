"""The nearest rows of every row, by what two of them would lose in one class: near lists, sorted, the nearest first.

Candidates are neighbours in several orders of the rows. Lists that were made more exact by looking at neighbours of
neighbours, too, led to worse classes: they hold the same few rows, and nobody is left to change places with.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.compiler import inner
from celosia.kernels.joins import distance

__all__ = ["make_lists"]

MADE_WITH = "d5e6eb8494d4"
"""Digest of ``joins.py`` and ``parts.py``: Numba keeps what it compiled as long as this very file stays the same."""


def make_lists(
    points: Any, orders: Any, axes: Any, *, window: int, length: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
    """``lists[row]`` and ``distances[row]``: the nearest rows among those up to ``window`` places away in any order.

    Where there are fewer than ``length`` the list ends in -1.
    """
    lists = np.full((len(points), length), -1, np.int32)
    distances = np.full((len(points), length), np.inf)
    _look_around(points, orders, axes, window, lists, distances)
    return lists, distances


@inner
def _offer(row: int, other: int, apart: float, lists: Any, distances: Any) -> None:
    """Put a row into the list of another if it is near enough and not yet there."""
    length = lists.shape[1]
    for i in range(length):
        if lists[row, i] == other:
            return
    place = length - 1
    while place > 0 and distances[row, place - 1] > apart:
        distances[row, place], lists[row, place] = distances[row, place - 1], lists[row, place - 1]
        place -= 1
    distances[row, place], lists[row, place] = apart, other


@inner
def _compare(row: int, other: int, points: Any, axes: Any, lists: Any, distances: Any) -> None:
    """Offer two rows to each other."""
    last = lists.shape[1] - 1
    limit = max(distances[row, last], distances[other, last])
    apart = distance(points[row], points[other], axes, limit)
    if apart < distances[row, last]:
        _offer(row, other, apart, lists, distances)
    if apart < distances[other, last]:
        _offer(other, row, apart, lists, distances)


@numba.njit(cache=True, nogil=True)
def _look_around(points: Any, orders: Any, axes: Any, window: int, lists: Any, distances: Any) -> None:
    size = orders.shape[1]
    for o in range(orders.shape[0]):
        for i in range(size):
            for j in range(i + 1, min(size, i + 1 + window)):
                _compare(orders[o, i], orders[o, j], points, axes, lists, distances)
