"""Average class size: how many rows share a class, suppressed rows taken as one class of their own."""

from typing import Any

import numpy as np

from celosia.measure.utility.measure import ClassMeasure, NodeTally
from celosia.say import say

__all__ = ["measure"]


def average(tally: NodeTally) -> Any:
    """Rows over classes.

    >>> float(average(NodeTally(rows=10, suppressed=2, doomed=2, classes=4, squares=0, kept_classes=3, kept_squares=0)))
    2.5
    """
    return tally.rows / np.maximum(1, tally.kept_classes + (tally.suppressed > 0))


measure = ClassMeasure(
    name="class-size",
    meaning=say("rows per class (C_avg times k), all suppressed rows being one class"),
    reference="LeFevre, DeWitt and Ramakrishnan, Mondrian multidimensional k-anonymity, ICDE 2006",
    value=average,
    # Above, there are no more classes than here, whether released or suppressed.
    floor_above=lambda tally: tally.rows / np.maximum(1, tally.classes),
    floor_below=lambda tally: 1.0,
)
