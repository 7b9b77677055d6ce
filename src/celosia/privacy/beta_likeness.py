"""beta-likeness: a class does not make any sensitive value much likelier than it is anyway."""

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes, Histogram
from celosia.privacy.model import TOLERANCE, PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["BetaLikeness"]


class BetaLikeness(PrivacyModel):
    """beta-likeness: no sensitive value is in a class more than beta times likelier, on top, than in the whole release.

    With shares p of a value in the whole release and q in a class, (q - p) / p is at most beta wherever q exceeds p;
    and in the ``enhanced`` model, the default, also at most -ln p, so that frequent values gain less than rare ones and
    none becomes certain. Differences are relative: t-closeness lets a rare disease become many times likelier. That a
    value becomes less likely is no harm. A missing value counts as a value.

    J. Cao, P. Karras: Publishing microdata with a robust privacy guarantee. PVLDB 5(11), 2012.

    HIV in 1 of 10 rows, and in 1 of 2 of the first class: (0.5 - 0.1) / 0.1 = 4 is more than -ln 0.1 = 2.3.

    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 0, 1]), codes=np.array([0, 1, 1]), counts=np.array([1, 1, 8]),
    ...                     values=("HIV", "flu"), rank=np.array([0, 1]))
    >>> classes = Classes(counts=np.array([2, 8]), histograms={"disease": disease})
    >>> BetaLikeness(column="disease", beta=4, kind="basic").violations(classes).tolist()
    [False, False]
    >>> BetaLikeness(column="disease", beta=4).violations(classes).tolist()
    [True, True]

    The second class fails as well: flu, 0.9 of all, may gain -ln 0.9 = 0.105, and has 0.111 more.
    """

    name: ClassVar[str] = "beta-likeness"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    example: ClassVar[str] = "beta=2"

    column: str
    beta: float = Field(
        gt=0, description="how much likelier a value may be in a class, over its share in the whole"
    )
    kind: Literal["basic", "enhanced"] = Field(
        default="enhanced",
        description="enhanced also bounds the gain of a value by -ln of its share; basic does not",
    )

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether a value gains too much in the class, to any reader."""
        size = len(classes.counts)
        bad = np.zeros(size, np.bool_)
        for view in histogram_of(classes, self.column).views:
            bad |= self._gains(view, size)
        return bad

    def _gains(self, histogram: Histogram, size: int) -> npt.NDArray[np.bool_]:
        """Classes in which a value gains too much, as one reader tells the values apart."""
        overall = histogram.shares()
        rows = np.bincount(histogram.classes, weights=histogram.counts, minlength=size)
        p = overall[histogram.codes]
        gain = histogram.counts / rows[histogram.classes] / p - 1.0
        limit = np.full(len(p), self.beta) if self.kind == "basic" else np.minimum(self.beta, -np.log(p))
        bad = np.zeros(size, np.bool_)
        bad[histogram.classes[gain > limit + TOLERANCE]] = True
        return bad

    def describe(self) -> str:
        """What the model promises.

        >>> BetaLikeness(column="disease", beta=2).describe()
        "no value of 'disease' has in a class a share more than 2 times above that in the whole release, or -ln of it"
        """
        if self.kind == "basic":
            return say(
                "no value of {column!r} has in a class a share more than {beta:g} times above that "
                "in the whole release",
                column=self.column,
                beta=self.beta,
            )
        return say(
            "no value of {column!r} has in a class a share more than {beta:g} times above that "
            "in the whole release, or -ln of it",
            column=self.column,
            beta=self.beta,
        )
