"""Non-uniform entropy: how many bits it takes to guess the original value of every cell."""

import numpy as np
import numpy.typing as npt

from celosia.measure.utility.measure import CellMeasure, ColumnLevel
from celosia.say import say

__all__ = ["measure"]


def bits(level: ColumnLevel) -> npt.NDArray[np.float64]:
    """Logarithm of the rows that share a label; less its value at level 0 it is the bits lost.

    >>> bits(ColumnLevel(1, 1, leaves=np.array([2]), size=2, rows=np.array([8])))
    array([3.])
    """
    return np.asarray(np.log2(np.maximum(level.rows, 1)))


measure = CellMeasure(
    name="entropy",
    meaning=say(
        "bits lost over the bits that there were, by the frequencies of the values (non-uniform entropy)"
    ),
    reference="De Waal and Willenborg, Information loss through global recoding and local suppression, 1999",
    cost=bits,
    full=lambda rows: float(np.log2(max(rows, 1))),
)
