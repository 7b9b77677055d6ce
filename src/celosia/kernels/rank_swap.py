"""Partners for rank swapping."""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Floats

__all__ = ["rank_partners"]


@numba.njit(cache=True, nogil=True)
def rank_partners(size: int, reach: int, chances: Floats) -> npt.NDArray[np.int64]:
    """``partners[rank]``: the rank that each of ``size`` ranks changes places with, itself if nobody is left for it.

    From the lowest on, a rank that has no partner gets one of the free ranks among the next ``reach``, picked by
    ``chances[rank]``, a number from 0 up to 1.
    """
    partners = np.arange(size)
    free = np.ones(size, np.bool_)
    window = np.empty(reach, np.int64)
    for rank in range(size):
        if not free[rank]:
            continue
        candidates = 0
        for other in range(rank + 1, min(size, rank + reach + 1)):
            if free[other]:
                window[candidates] = other
                candidates += 1
        if candidates > 0:
            other = window[int(chances[rank] * candidates)]
            partners[rank], partners[other] = other, rank
            free[other] = False
        free[rank] = False
    return partners
