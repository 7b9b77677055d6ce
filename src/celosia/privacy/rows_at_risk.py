"""Rows at risk: few people may be found with more than a given chance."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.privacy.whole import leave_smallest

__all__ = ["RowsAtRisk"]


class RowsAtRisk(PrivacyModel):
    """Rows at risk: at most a share of the rows stands in classes where the chance of being found exceeds a limit.

    What remains of the maximum risk when a few exceptions can be borne. It is a promise about the release as a whole:
    where it is not kept the smallest classes are left out, all of one size together.

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

        def fails(
            sizes: npt.NDArray[np.int64], kept: npt.NDArray[np.int64], rows: npt.NDArray[np.int64]
        ) -> npt.NDArray[np.bool_]:
            safe = sizes >= 1.0 / (self.risk + TOLERANCE)
            of_safe = rows[safe][0] if safe.any() else 0
            too_many: npt.NDArray[np.bool_] = (rows - of_safe) / rows > self.share + TOLERANCE
            return too_many & ~safe

        return leave_smallest(classes.counts, fails)

    def describe(self) -> str:
        """What the model promises.

        >>> RowsAtRisk(risk=0.2, share=0.05).describe()
        'at most 0.05 of the people can be found with a chance above 0.2'
        """
        return f"at most {self.share:g} of the people can be found with a chance above {self.risk:g}"
