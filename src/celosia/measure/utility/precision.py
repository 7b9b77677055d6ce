"""Precision: how far up its hierarchy every cell was moved."""

import numpy as np
import numpy.typing as npt

from celosia.measure.utility.measure import CellMeasure, ColumnLevel
from celosia.say import say

__all__ = ["measure"]


def share_of_height(level: ColumnLevel) -> npt.NDArray[np.float64]:
    """The level over the height of the hierarchy.

    >>> share_of_height(ColumnLevel(1, 2, leaves=np.array([2, 2]), size=4, rows=np.array([5, 5])))
    array([0.5, 0.5])
    """
    return np.full(len(level.leaves), level.number / level.height if level.height else 0.0)


measure = CellMeasure(
    name="precision",
    meaning=say("mean level over height of all cells (1 - Prec); a suppressed cell 1"),
    reference="Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, 2002",
    cost=share_of_height,
    full=lambda rows: 1.0,
)
