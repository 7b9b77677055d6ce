"""Average re-identification risk: the mean chance of finding the right row stays below a limit."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.privacy.whole_release import leave_smallest
from celosia.say import say

__all__ = ["AverageRisk"]


class AverageRisk(PrivacyModel):
    """Average re-identification risk: one over the size of her class, on average over all rows, is at most a limit.

    The mean of 1 / size over the rows is the number of classes over the number of rows: what somebody who matches
    everybody to a row at random gets right (marketer risk). Small classes are allowed as long as there are few; ask
    for k-anonymity beside it if nobody is to stand alone. It is a promise about the release as a whole: where it is
    not kept the smallest classes are left out, one by one, until it is. No fewer rows would do: whatever is left, a
    larger class in the place of a smaller one lowers the mean and keeps more rows.

    K. El Emam, F. K. Dankar: Protecting privacy using k-anonymity. Journal of the American Medical Informatics
    Association 15(5), 2008; K. El Emam: Guide to the de-identification of personal health information. CRC Press, 2013.

    Classes of 1, 1, 2 and 8 rows: 4 / 12 is more than 0.3; without one of the single rows 3 / 11 is not.

    >>> AverageRisk(risk=0.3).violations(Classes(counts=np.array([1, 8, 1, 2]))).tolist()
    [True, False, False, False]
    """

    name: ClassVar[str] = "average-risk"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    of_whole: ClassVar[bool] = True
    example: ClassVar[str] = "risk=0.05"

    column: None = None
    risk: float = Field(gt=0, le=1, description="largest mean chance of finding the right row")

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether it is to leave so that the mean is low enough."""
        counts = classes.counts
        # mean[n - 1]: that of the n largest, which rises with every smaller one.
        mean = np.arange(1, len(counts) + 1) / np.cumsum(np.sort(counts)[::-1])
        stay = int(np.searchsorted(mean, self.risk + TOLERANCE, side="right"))
        return leave_smallest(counts, len(counts) - stay)

    def describe(self) -> str:
        """What the model promises.

        >>> AverageRisk(risk=0.05).describe()
        'the chance of finding the row of a person is 0.05 or less on average'
        """
        return say("the chance of finding the row of a person is {risk:g} or less on average", risk=self.risk)
