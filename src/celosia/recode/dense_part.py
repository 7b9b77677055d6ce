"""A part of a table in which people stand as close together as in the whole: what techniques are tried on."""

import numpy as np
import numpy.typing as npt

from celosia.recode.space import Space

__all__ = ["dense_part"]

Integers = npt.NDArray[np.int64]
PIECES = 4
"""So many neighbourhoods are taken together: one alone may be unlike the others."""
LOOKED_AT = 10_000
"""Points by which a cut is chosen: where exactly it is does not matter."""


def dense_part(space: Space, size: int, *, seed: int = 0) -> Integers:
    """The points of some neighbourhoods, about ``size`` together, ascending.

    A sample of the rows would not do: in it everybody's neighbours are further away, and classes of k of them lose
    more. A neighbourhood is found as Mondrian would: cut in two beside the median of the widest axis, go to one of the
    sides, as likely as it has points, and cut again.
    """
    random = np.random.default_rng(seed)
    wanted = max(1, size // PIECES)
    found = [_neighbourhood(space, wanted, random) for _ in range(PIECES)]
    return np.unique(np.concatenate(found))


def _neighbourhood(space: Space, size: int, random: np.random.Generator) -> Integers:
    points = np.arange(len(space.weights))
    while len(points) > size:
        cut = _find_cut(space, points if len(points) <= LOOKED_AT else random.choice(points, LOOKED_AT))
        if cut is None:
            return points
        axis, last = cut
        left = space.codes[points, axis] <= last
        goes_left = random.random() * len(points) < left.sum()
        points = points[left if goes_left else ~left]
    return points


def _find_cut(space: Space, points: Integers) -> tuple[int, int] | None:
    """The widest axis that can be cut, and the last code before the cut; None if all points are the same."""
    codes = space.codes[points]
    low, high = codes.min(axis=0).astype(np.int64), codes.max(axis=0).astype(np.int64)
    widths = [axis.shares(low[i : i + 1], high[i : i + 1])[0] for i, axis in enumerate(space.axes)]
    widest = max(range(len(widths)), key=lambda i: (low[i] < high[i], widths[i]))
    if low[widest] == high[widest]:
        return None
    column = codes[:, widest]
    middle = np.partition(column, len(column) // 2)[len(column) // 2]
    before, after = int((column < middle).sum()), int((column <= middle).sum())
    is_before = min(before, len(column) - before) >= min(after, len(column) - after)
    return widest, int(column[column < middle].max()) if is_before else int(middle)
