"""For models of the release as a whole: the smallest classes that have to leave so that the rest satisfies one.

All classes of one size leave or none, so that what is released does not depend on the order in which classes stand.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

__all__ = ["leave_smallest"]

Integers = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


def leave_smallest(counts: Integers, fails: Callable[[Integers, Integers, Integers], Flags]) -> Flags:
    """``leaves[class]``: the classes up to the least size without which the rest no longer fails.

    ``fails(sizes, classes, rows)`` says of each size, in ascending order, whether a release of the classes of this
    size and more would fail; ``classes`` and ``rows`` are how many these are together.

    >>> leave_smallest(np.array([1, 3, 1, 2]), lambda sizes, classes, rows: classes / rows > 0.5).tolist()
    [True, False, True, False]
    """
    sizes, times = np.unique(counts, return_counts=True)
    classes = np.cumsum(times[::-1])[::-1]
    rows = np.cumsum((sizes * times)[::-1])[::-1]
    enough = np.flatnonzero(~fails(sizes, classes, rows))
    if not len(enough):
        return np.ones(len(counts), np.bool_)
    least: Flags = counts < sizes[enough[0]]
    return least
