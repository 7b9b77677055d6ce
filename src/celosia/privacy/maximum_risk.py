"""Maximum re-identification risk: nobody's row is found with more than a given chance."""

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.say import say

__all__ = ["MaximumRisk"]


class MaximumRisk(PrivacyModel):
    """Maximum re-identification risk: one over the size of the class is at most a limit for every row.

    k-anonymity as those say it who start from a risk they can bear: 0.09 of the European Medicines Agency is k = 12
    (prosecutor risk).

    K. El Emam, F. K. Dankar: Protecting privacy using k-anonymity. Journal of the American Medical Informatics
    Association 15(5), 2008.

    Classes of 12 and 11 rows: 1/12 = 0.083, 1/11 = 0.091.

    >>> MaximumRisk(risk=0.09).violations(Classes(counts=np.array([12, 11]))).tolist()
    [False, True]
    """

    name: ClassVar[str] = "maximum-risk"
    class_monotone: ClassVar[bool] = True
    example: ClassVar[str] = "risk=0.09"

    column: None = None
    risk: float = Field(gt=0, le=1, description="largest chance of finding the row of a person")

    @property
    def least_rows(self) -> int:
        """The size at which the chance is low enough."""
        return max(1, math.ceil(1.0 / (self.risk + TOLERANCE)))

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the chance is too high there."""
        return classes.counts < self.least_rows

    def describe(self) -> str:
        """What the model promises.

        >>> MaximumRisk(risk=0.09).describe()
        'the row of a person is found with a chance of 0.09 at most'
        """
        return say("the row of a person is found with a chance of {risk:g} at most", risk=self.risk)
