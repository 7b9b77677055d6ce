"""Rows at risk: few people may be found with more than a given chance."""

from bisect import bisect_right
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.privacy.whole_release import fullest, leave_of_sizes
from celosia.say import say

__all__ = ["RowsAtRisk"]


class RowsAtRisk(PrivacyModel):
    """Rows at risk: at most a share of the rows stands in classes where the chance of being found exceeds a limit.

    What remains of the maximum risk when a few exceptions can be borne. It is a promise about the release as a whole:
    where it is not kept classes at risk are left out, so that as many of their rows as the share allows stay.

    K. El Emam: Guide to the de-identification of personal health information. CRC Press, 2013 (the proportion of
    records at risk).

    Classes of 1, 2 and 7 rows with a limit of 0.2: three of ten rows are at risk. With a share of 0.25 the single one
    has to leave; of the other nine, two are at risk.

    >>> RowsAtRisk(risk=0.2, share=0.25).violations(Classes(counts=np.array([2, 1, 7]))).tolist()
    [False, True, False]
    """

    name: ClassVar[str] = "rows-at-risk"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    of_whole: ClassVar[bool] = True
    example: ClassVar[str] = "risk=0.2,share=0.05"

    column: None = None
    risk: float = Field(
        gt=0, le=1, description="chance of finding the row of a person above which it is at risk"
    )
    share: float = Field(ge=0, lt=1, description="largest share of the rows that are at risk")

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether it is to leave so that few enough rows are at risk."""
        counts = classes.counts
        at_risk: npt.NDArray[np.bool_] = counts < 1.0 / (self.risk + TOLERANCE)
        sizes, times = np.unique(counts[at_risk], return_counts=True)
        stay = fullest(sizes, times, self._room(int(counts[~at_risk].sum()), int(sizes @ times)))
        leaves = np.zeros(len(counts), np.bool_)
        leaves[at_risk] = leave_of_sizes(counts[at_risk], times - stay)
        return leaves

    def _room(self, safe: int, at_risk: int) -> int:
        """How many rows at risk may stay beside those that are safe."""
        fits = range(at_risk + 1)
        return bisect_right(fits, self.share + TOLERANCE, key=lambda rows: rows / max(1, rows + safe)) - 1

    def describe(self) -> str:
        """What the model promises.

        >>> RowsAtRisk(risk=0.2, share=0.05).describe()
        'at most 0.05 of the people can be found with a chance above 0.2'
        """
        return say(
            "at most {share:g} of the people can be found with a chance above {risk:g}",
            share=self.share,
            risk=self.risk,
        )
