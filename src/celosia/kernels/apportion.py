"""Values dealt out to rows so that each has its share of every stretch of them."""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Floats

__all__ = ["apportion"]


@numba.njit(cache=True, nogil=True)
def apportion(shares: Floats, groups: npt.NDArray[np.int64], offsets: Floats) -> npt.NDArray[np.int64]:
    """``values[row]``: for every row the value that lags furthest behind its share of the rows so far.

    ``shares[group, value]`` are those among rows of a group, ``groups[row]`` says which group a row is in, and
    ``offsets[value]`` how far each value lags before the first row.
    """
    lag = offsets.copy()
    values = np.empty(len(groups), np.int64)
    for row in range(len(groups)):
        group = groups[row]
        best = -1
        for value in range(shares.shape[1]):
            share = shares[group, value]
            lag[value] += share
            if share > 0 and (best < 0 or lag[value] > lag[best]):
                best = value
        best = max(best, 0)
        lag[best] -= 1
        values[row] = best
    return values
