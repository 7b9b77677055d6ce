"""(alpha, k)-anonymity: classes of k rows in which no sensitive value has more than a share alpha."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel, histogram_of
from celosia.say import say
from celosia.values.same import find_like

__all__ = ["AlphaKAnonymity"]


class AlphaKAnonymity(PrivacyModel):
    """(alpha, k)-anonymity: every class has k rows or more, and no sensitive value more than the share alpha of them.

    Whoever finds the class of a person believes in none of her values with more than alpha. With ``value`` only that
    one is guarded, such as a disease that others must not learn of (the simple model of the paper); without, every
    value is (the general one). A missing value counts as a value.

    R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang: (alpha, k)-anonymity: an enhanced k-anonymity model for
    privacy-preserving data publishing. KDD 2006.

    A class with HIV 1 and flu 3, and one with HIV 2 and flu 2; alpha = 0.5, k = 2. Of HIV alone both have few enough;
    three quarters of the first have flu.

    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 0, 1, 1]), codes=np.array([0, 1, 0, 1]),
    ...                     counts=np.array([1, 3, 2, 2]), values=("HIV", "flu"), rank=np.array([0, 1]))
    >>> classes = Classes(counts=np.array([4, 4]), histograms={"disease": disease})
    >>> AlphaKAnonymity(column="disease", alpha=0.5, k=2, value="HIV").violations(classes).tolist()
    [False, False]
    >>> AlphaKAnonymity(column="disease", alpha=0.5, k=2).violations(classes).tolist()
    [True, False]
    """

    name: ClassVar[str] = "alpha-k-anonymity"
    class_monotone: ClassVar[bool] = False
    example: ClassVar[str] = "alpha=0.5,k=3"

    column: str
    alpha: float = Field(gt=0, le=1, description="largest share of a sensitive value in a class")
    k: int = Field(ge=2, description="rows that every class has at least")
    value: str | None = Field(
        default=None, description="the only value that is guarded; every value if not given"
    )

    @property
    def least_rows(self) -> int:
        """Its k."""
        return self.k

    @property
    def least_people(self) -> int:
        """Its k."""
        return self.k

    @property
    def guards(self) -> str | None:
        """Its column, unless it looks at one value only; no value has more than all of a class."""
        return self.column if self.value is None and self.alpha < 1 else None

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class has fewer than k rows, or too many with one value."""
        histogram = histogram_of(classes, self.column)
        rows = np.bincount(histogram.classes, weights=histogram.counts, minlength=len(classes.counts))
        bad = classes.counts < self.k
        if self.value is not None:
            # Of values that are one to some reader the histogram names one only, which need not be like that given.
            told = histogram.spelled or histogram
            guarded = find_like(told.values, self.value)[told.codes]
            guarded_rows = np.bincount(told.classes[guarded], told.counts[guarded], len(classes.counts))
            return bad | (guarded_rows > (self.alpha + TOLERANCE) * rows)
        too_many = histogram.counts / rows[histogram.classes] > self.alpha + TOLERANCE
        bad[histogram.classes[too_many]] = True
        return bad

    def describe(self) -> str:
        """What the model promises.

        >>> AlphaKAnonymity(column="disease", alpha=0.5, k=3).describe()
        "each person hides among at least 3 rows, and no value of 'disease' has more than 0.5 of any class"
        """
        if self.value is None:
            return say(
                "each person hides among at least {k} rows, and no value of {column!r} has more than {alpha:g} of "
                "any class",
                k=self.k,
                column=self.column,
                alpha=self.alpha,
            )
        return say(
            "each person hides among at least {k} rows, and the value {value!r} of {column!r} has no more than "
            "{alpha:g} of any class",
            k=self.k,
            value=self.value,
            column=self.column,
            alpha=self.alpha,
        )
