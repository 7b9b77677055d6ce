"""Recursive (c, l)-diversity: frequent sensitive values are not too frequent, rare ones not too rare."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import ModelSyntax, PrivacyModel, histogram_of
from celosia.say import say

__all__ = ["RecursiveCLDiversity"]


class RecursiveCLDiversity(PrivacyModel):
    """Recursive (c, l)-diversity: in every class r1 < c (rl + ... + rm), the counts of its values descending.

    Even after l - 2 values were excluded by other knowledge, the most frequent one is not overwhelmingly
    likely: it occurs less than c times as often as all those from the l-th on together. A class with fewer
    than l values fails. A missing value counts as a value.

    A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam: l-diversity: privacy beyond k-anonymity.
    ACM Transactions on Knowledge Discovery from Data 1(1), 2007, definition 4.2.

    Counts 3, 2, 1 with c = 2 and l = 2: 3 < 2 (2 + 1) holds. With l = 3: 3 < 2 x 1 does not.

    >>> import numpy as np
    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 0, 0]), codes=np.array([0, 1, 2]),
    ...                     counts=np.array([2, 3, 1]), rank=np.array([1, 0, 2]),
    ...                     values=("flu", "asthma", "gout"))
    >>> classes = Classes(counts=np.array([6]), histograms={"disease": disease})
    >>> RecursiveCLDiversity(column="disease", c=2, l=2).violations(classes).tolist()
    [False]
    >>> RecursiveCLDiversity(column="disease", c=2, l=3).violations(classes).tolist()
    [True]
    """

    name: ClassVar[str] = "recursive-l-diversity"
    class_monotone: ClassVar[bool] = False
    example: ClassVar[str] = "c=2,l=3"
    forms: ClassVar[tuple[ModelSyntax, ...]] = (ModelSyntax("l", "recursive", ("c", "l"), "recursive:2:3"),)

    column: str
    c: float = Field(gt=0, description="times that the most frequent value may outnumber the rare ones")
    l: int = Field(ge=1, description="rank from which values count as rare")  # noqa: E741

    @property
    def least_rows(self) -> int:
        """As many as values."""
        return max(1, int(self.l))

    @property
    def guards(self) -> str | None:
        """Its column; no value is more frequent than all together."""
        return self.column if self.l > 1 or self.c <= 1 else None

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the most frequent value outnumbers the rare ones c times or more."""
        histogram = histogram_of(classes, self.column)
        order = np.lexsort((-histogram.counts, histogram.classes))
        owner, counts = histogram.classes[order], histogram.counts[order]
        values = np.bincount(owner, minlength=len(classes.counts))
        first = np.concatenate(([0], np.cumsum(values)[:-1])) if len(values) else values
        place = np.arange(len(owner)) - first[owner]
        most = np.zeros(len(values), dtype=np.int64)
        most[owner[place == 0]] = counts[place == 0]
        rare = np.bincount(owner, weights=np.where(place >= self.l - 1, counts, 0), minlength=len(values))
        # Divided, not multiplied: 1.1 x 50 is more than 55 in binary, while 55 / 50 is 1.1.
        outnumbers: npt.NDArray[np.bool_] = (rare == 0) | (most / np.maximum(rare, 1) >= self.c)
        return outnumbers

    def describe(self) -> str:
        """What the model promises.

        >>> RecursiveCLDiversity(column="disease", c=2, l=3).describe()
        "in each class the top 'disease' is less than 2 times as frequent as those from number 3 on together"
        """
        return say(
            "in each class the top {column!r} is less than {c:g} times as frequent as those from "
            "number {l} on together",
            column=self.column,
            c=self.c,
            l=self.l,
        )
