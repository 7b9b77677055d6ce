"""Discernibility: every row pays for the rows it cannot be told from."""

from typing import Any

from celosia.measure.utility.measure import ClassMeasure, NodeTally
from celosia.say import say

__all__ = ["measure"]


def penalty(tally: NodeTally) -> Any:
    """Sum of squared sizes of the classes released, plus the whole table for every row suppressed.

    >>> penalty(NodeTally(rows=10, suppressed=1, doomed=1, classes=3, squares=42, kept_classes=2, kept_squares=41))
    51
    """
    return tally.kept_squares + tally.rows * tally.suppressed


measure = ClassMeasure(
    name="discernibility",
    meaning=say("sum over rows of the size of their class; a suppressed row pays the size of the table"),
    reference="Bayardo and Agrawal, Data privacy through optimal k-anonymization, ICDE 2005",
    value=penalty,
    # Above, classes only merge, and a row pays at most the size of the table.
    floor_above=lambda tally: tally.squares,
    # Below, doomed rows stay suppressed and every other row pays at least for itself.
    floor_below=lambda tally: tally.rows * tally.doomed + (tally.rows - tally.doomed),
)
