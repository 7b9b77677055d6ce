"""Loss: how much of its column's values every cell still leaves possible."""

import numpy as np
import numpy.typing as npt

from celosia.measure.utility.measure import CellMeasure, ColumnLevel
from celosia.say import say

__all__ = ["measure"]


def ncp(level: ColumnLevel) -> npt.NDArray[np.float64]:
    """Normalized certainty penalty: 0 for a single value, else the share of the column's values.

    >>> ncp(ColumnLevel(1, 2, leaves=np.array([1, 3]), size=4, rows=np.array([10, 10])))
    array([0.  , 0.75])
    """
    return np.where(level.leaves > 1, level.leaves / level.size, 0.0)


measure = CellMeasure(
    name="loss",
    meaning=say(
        "mean share of a column's values that a cell leaves possible (NCP, over all GCP); a suppressed cell 1"
    ),
    reference="Xu et al., Utility-based anonymization using local recoding, KDD 2006",
    cost=ncp,
    full=lambda rows: 1.0,
)
