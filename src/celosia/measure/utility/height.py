"""Height: the sum of the levels, the plainest notion of "least generalized"."""

import numpy as np

from celosia.measure.utility.measure import CellMeasure
from celosia.say import say

__all__ = ["measure"]

measure = CellMeasure(
    name="height",
    meaning=say("sum of the levels of the node; suppression costs nothing, the limit alone bounds it"),
    reference="Samarati, Protecting respondents' identities in microdata release, TKDE 2001",
    cost=lambda level: np.full(len(level.leaves), float(level.number)),
    full=None,
    is_share=False,
)
