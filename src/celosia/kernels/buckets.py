"""A column of sorted numbers grouped into buckets that each speak for one class (Holte's 1R).

``rows[value, class]`` are the rows with each distinct number, in ascending order. A bucket grows until one class has
``least`` rows in it, goes on while all rows are of that class, and joins the one before it where both speak for the
same class.
"""

import numba
import numpy as np

from celosia.kernels.arrays import Floats, Integers

__all__ = ["fill_buckets"]


def fill_buckets(rows: Floats, least: float) -> tuple[Integers, Integers]:
    """``bucket[value]``, and the class ``chosen[bucket]`` that each speaks for."""
    buckets = np.empty(len(rows), np.int64)
    chosen = np.empty(len(rows), np.int64)
    size = _fill(rows, least, buckets, chosen)
    return buckets, chosen[:size]


@numba.njit(cache=True)
def _fill(rows: Floats, least: float, buckets: Integers, chosen: Integers) -> int:
    values, classes = rows.shape
    counts = np.zeros(classes)
    number = -1
    value = 0
    while value < values:
        counts[:] = 0
        first = value
        while value < values:
            counts += rows[value]
            value += 1
            if counts.max() >= least:
                break
        best = np.argmax(counts)
        while value < values and rows[value].sum() == rows[value, best]:
            counts[best] += rows[value, best]
            value += 1
        if number >= 0 and counts[chosen[number]] == counts[best]:
            best = chosen[number]
        if number < 0 or chosen[number] != best:
            number += 1
            chosen[number] = best
        buckets[first:value] = number
    return number + 1
