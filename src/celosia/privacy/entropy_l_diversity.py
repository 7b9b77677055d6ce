"""Entropy l-diversity: the sensitive values of a class are as uncertain as l equally frequent ones."""

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.model import TOLERANCE, ModelSyntax, PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["EntropyLDiversity", "class_entropies"]


class EntropyLDiversity(PrivacyModel):
    """Entropy l-diversity: the entropy of the sensitive column in every class is at least log l.

    With shares p(s) of the values s in a class, the entropy is -sum p(s) log p(s); l equally frequent values
    have entropy log l, so exp(entropy) is the number of equally frequent values that would be as uncertain. l
    may be fractional. It implies distinct l-diversity. A missing value counts as a value.

    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond k-anonymity.
    ACM Transactions on Knowledge Discovery from Data 1(1), 2007, definition 4.1.

    A class with flu 2 and asthma 2 has exactly the entropy log 2; one with flu 3 and asthma 1 has log 1.75.

    >>> import numpy as np
    >>> disease = Histogram(classes=np.array([0, 0, 1, 1]), codes=np.array([0, 1, 0, 1]),
    ...                     counts=np.array([2, 2, 3, 1]), values=("flu", "asthma"), rank=np.array([1, 0]))
    >>> classes = Classes(counts=np.array([4, 4]), histograms={"disease": disease})
    >>> EntropyLDiversity(column="disease", l=2).violations(classes).tolist()
    [False, True]
    >>> EntropyLDiversity(column="disease", l=1.75).violations(classes).tolist()
    [False, False]
    """

    name: ClassVar[str] = "entropy-l-diversity"
    class_monotone: ClassVar[bool] = False
    example: ClassVar[str] = "l=3"
    forms: ClassVar[tuple[ModelSyntax, ...]] = (ModelSyntax("l", "entropy", ("l",), "entropy:3"),)

    column: str
    l: float = Field(ge=1, description="equally frequent values whose entropy every class has")  # noqa: E741

    @property
    def guards(self) -> str | None:
        """Its column; every class is as uncertain as one value."""
        return self.column if self.l > 1 else None

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the entropy of the class is less than log l."""
        entropies = class_entropies(histogram_of(classes, self.column), len(classes.counts))
        return entropies < math.log(self.l) - TOLERANCE

    def describe(self) -> str:
        """What the model promises.

        >>> EntropyLDiversity(column="disease", l=3).describe()
        "'disease' is in each class at least as uncertain as among 3 equally frequent values"
        """
        return say(
            "{column!r} is in each class at least as uncertain as among {l:g} equally frequent values",
            column=self.column,
            l=self.l,
        )


def class_entropies(histogram: Histogram, classes: int) -> npt.NDArray[np.float64]:
    """``entropies[class]`` of the sensitive values, in nats.

    >>> import numpy as np
    >>> even = Histogram(classes=np.array([0, 0]), codes=np.array([0, 1]), counts=np.array([5, 5]),
    ...                  values=("flu", "asthma"), rank=np.array([1, 0]))
    >>> np.exp(class_entropies(even, 1)).round(12).tolist()
    [2.0]
    """
    counts = histogram.counts.astype(np.float64)
    rows = np.bincount(histogram.classes, weights=counts, minlength=classes)
    # -sum p log p with p = c/n is log n - (sum c log c)/n: one logarithm per entry and no division.
    logarithms = np.bincount(histogram.classes, weights=counts * np.log(counts), minlength=classes)
    occupied = np.maximum(rows, 1.0)
    return np.log(occupied) - logarithms / occupied
