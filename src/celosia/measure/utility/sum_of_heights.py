"""Sum of heights: how far up its hierarchy every cell of a row was moved, added up."""

from celosia.measure.utility.measure import CellMeasure
from celosia.measure.utility.precision import share_of_height
from celosia.say import say

__all__ = ["measure"]

measure = CellMeasure(
    name="sum-of-heights",
    meaning=say(
        "mean over rows of the sum of level over height, from 0 to the number of columns; a suppressed row all"
    ),
    reference="Serra, Rosolino and Rivas, Implementación de un algoritmo de anonimización, 2020, definition 5.1.1",
    cost=share_of_height,
    full=lambda rows: 1.0,
    is_share=False,
)
