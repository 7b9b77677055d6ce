"""Distinct l-diversity: every class holds at least l different sensitive values."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import ModelSyntax, PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["DistinctLDiversity"]


class DistinctLDiversity(PrivacyModel):
    """Distinct l-diversity: every class has at least l different values of the sensitive column.

    Whoever finds the class of a person cannot exclude that she has any of l values. One of them may still be
    far more likely than the others: entropy and recursive diversity guard against that. A missing value
    counts as a value.

    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond k-anonymity.
    ACM Transactions on Knowledge Discovery from Data 1(1), 2007; named so by N. Li, T. Li and S.
    Venkatasubramanian.

    A first class with three times flu, and a second one with flu and asthma, l = 2: the first fails.

    >>> import numpy as np
    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 1, 1]), codes=np.array([0, 0, 1]),
    ...                     counts=np.array([3, 2, 1]), values=("flu", "asthma"), rank=np.array([1, 0]))
    >>> classes = Classes(counts=np.array([3, 3]), histograms={"disease": disease})
    >>> DistinctLDiversity(column="disease", l=2).violations(classes).tolist()
    [True, False]
    """

    name: ClassVar[str] = "distinct-l-diversity"
    class_monotone: ClassVar[bool] = True
    example: ClassVar[str] = "l=3"
    forms: ClassVar[tuple[ModelSyntax, ...]] = (
        ModelSyntax("l", "", ("l",), "3"),
        ModelSyntax("l", "distinct", ("l",), "distinct:3"),
    )

    column: str
    l: int = Field(ge=1, description="different values that every class has at least")  # noqa: E741

    @property
    def least_rows(self) -> int:
        """As many as values."""
        return max(1, int(self.l))

    @property
    def guards(self) -> str | None:
        """Its column; every class has one value."""
        return self.column if self.l > 1 else None

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class has fewer than l different values."""
        histogram = histogram_of(classes, self.column)
        return np.bincount(histogram.classes, minlength=len(classes.counts)) < self.l

    def describe(self) -> str:
        """What the model promises.

        >>> DistinctLDiversity(column="disease", l=3).describe()
        "each class has at least 3 different values of 'disease'"
        """
        return say("each class has at least {l} different values of {column!r}", l=self.l, column=self.column)
