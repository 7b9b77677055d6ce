"""delta-disclosure privacy: in every class every sensitive value is about as frequent as in the whole release."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.model import TOLERANCE, PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["DeltaDisclosure"]


class DeltaDisclosure(PrivacyModel):
    """delta-disclosure privacy: in every class |ln(q / p)| < delta for every sensitive value.

    With shares q of a value in the class and p in the whole release. It forbids that a value becomes much likelier or
    much less likely; a class that lacks a value excludes it for certain and fails. So it is among the strictest models,
    and for a column of many values hardly ever satisfied below the root. A missing value counts as a value.

    J. Brickell, V. Shmatikov: The cost of privacy: destruction of data-mining utility in anonymized data publishing.
    KDD 2008, definition 2.

    Flu and asthma, each half of all: 3 of 4 rows with flu are ln 1.5 = 0.41 away, 1 of 4 with asthma ln 2 = 0.69.

    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 0, 1, 1]), codes=np.array([0, 1, 0, 1]),
    ...                     counts=np.array([3, 1, 1, 3]), values=("flu", "asthma"), rank=np.array([1, 0]))
    >>> classes = Classes(counts=np.array([4, 4]), histograms={"disease": disease})
    >>> DeltaDisclosure(column="disease", delta=0.7).violations(classes).tolist()
    [False, False]
    >>> DeltaDisclosure(column="disease", delta=0.6).violations(classes).tolist()
    [True, True]
    """

    name: ClassVar[str] = "delta-disclosure"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    example: ClassVar[str] = "delta=1"

    column: str
    delta: float = Field(gt=0, description="what the logarithm of a share over that in the whole stays below")

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether a value lacks, or is too far from its share in the whole, to any reader."""
        size = len(classes.counts)
        bad = np.zeros(size, np.bool_)
        for view in histogram_of(classes, self.column).views:
            bad |= self._changes(view, size)
        return bad

    def _changes(self, histogram: Histogram, size: int) -> npt.NDArray[np.bool_]:
        """Classes in which a value lacks or is too far off, as one reader tells the values apart."""
        overall = histogram.shares()
        rows = np.bincount(histogram.classes, weights=histogram.counts, minlength=size)
        change = np.abs(np.log(histogram.counts / rows[histogram.classes] / overall[histogram.codes]))
        # Every value of the whole must be there: as many entries as the whole has values.
        bad: npt.NDArray[np.bool_] = np.bincount(histogram.classes, minlength=size) < np.count_nonzero(
            overall
        )
        bad[histogram.classes[change > self.delta - TOLERANCE]] = True
        return bad

    def describe(self) -> str:
        """What the model promises.

        >>> DeltaDisclosure(column="disease", delta=1).describe()
        "each value of 'disease' has in each class its share of the whole release, by a factor of less than e^1"
        """
        return say(
            "each value of {column!r} has in each class its share of the whole release, by a "
            "factor of less than e^{delta:g}",
            column=self.column,
            delta=self.delta,
        )
