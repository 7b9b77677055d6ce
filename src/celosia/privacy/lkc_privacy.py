"""LKC-privacy: whoever knows up to L quasi-identifiers finds K rows, and is sure of no sensitive value beyond C."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.known_columns import Integers, KnownColumns, choose_columns
from celosia.privacy.model import TOLERANCE, histogram_of
from celosia.say import say, say_count
from celosia.values.same import find_like

__all__ = ["LKCPrivacy"]


class LKCPrivacy(KnownColumns):
    """LKC-privacy: k^m-anonymity in which no sensitive value has more than a share C of any group.

    Every combination of up to L quasi-identifiers (``known``) is shared by at least K rows (``k``), and of these no
    value of the sensitive column has more than ``confidence``. With ``value`` only that one is guarded. A missing value
    counts as a value.

    N. Mohammed, B. C. M. Fung, P. C. K. Hung, C. Lee: Anonymizing healthcare data: a case study on the blood
    transfusion service. KDD 2009.

    Two nurses with flu and two cooks, one with flu and one with gout; L = 1, K = 2, C = 0.5: nurses have flu.

    >>> from celosia.privacy.classes import Histogram
    >>> disease = Histogram(classes=np.array([0, 1, 1]), codes=np.array([0, 0, 1]),
    ...                     counts=np.array([2, 1, 1]), values=("flu", "gout"), rank=np.array([0, 1]))
    >>> classes = Classes(np.array([2, 2]), {"disease": disease}, labels={"job": np.array([0, 1])})
    >>> LKCPrivacy(column="disease", known=1, k=2, confidence=0.5).violations(classes).tolist()
    [True, False]
    """

    name: ClassVar[str] = "lkc-privacy"
    class_monotone: ClassVar[bool] = False
    example: ClassVar[str] = "known=2,k=5,confidence=0.5"

    column: str
    known: int = Field(ge=1, description="quasi-identifiers that somebody knows of a person at most (L)")
    confidence: float = Field(
        gt=0, le=1, description="largest share of a sensitive value in such a group (C)"
    )

    value: str | None = Field(
        default=None, description="the only value that is guarded; every value if not given"
    )

    @property
    def guards(self) -> str | None:
        """Its column, unless a value may have all of a group, or only one is guarded."""
        return self.column if self.confidence < 1 and self.value is None else None

    def views(self, columns: Sequence[str]) -> list[tuple[str, ...]]:
        """Every choice of so many columns."""
        return choose_columns(columns, self.known)

    def assumption(self) -> str:
        """That nobody knows more of them."""
        return say_count(
            "nobody knows more than {count} quasi-identifier of a person",
            "nobody knows more than {count} quasi-identifiers of a person",
            self.known,
        )

    def _tell_values(self, group: Integers, classes: Classes, groups: int) -> npt.NDArray[np.bool_]:
        histogram = histogram_of(classes, self.column)
        limit = (self.confidence + TOLERANCE) * np.bincount(group, classes.counts, groups)
        if self.value is not None:
            # Of values that are one to some reader the histogram names one only, which need not be like that given.
            told = histogram.spelled or histogram
            guarded = find_like(told.values, self.value)[told.codes]
            found = np.bincount(group[told.classes[guarded]], told.counts[guarded], groups)
            return np.asarray(found > limit)
        values = max(1, len(histogram.values))
        pairs, place = np.unique(group[histogram.classes] * values + histogram.codes, return_inverse=True)
        rows = np.bincount(place, histogram.counts, len(pairs))
        bad = np.zeros(groups, bool)
        bad[(pairs // values)[rows > limit[pairs // values]]] = True
        return bad

    def describe(self) -> str:
        """What the model promises.

        >>> LKCPrivacy(column="sex", known=2, k=5, confidence=0.5).describe()
        "whoever knows up to 2 quasi-identifiers finds at least 5 rows, and no value of 'sex' has more than 0.5 of them"
        """
        if self.value is not None:
            return say(
                "whoever knows up to {known} quasi-identifiers finds at least {k} rows, and the value {value!r} of "
                "{column!r} has no more than {confidence:g} of them",
                known=self.known,
                k=self.k,
                value=self.value,
                column=self.column,
                confidence=self.confidence,
            )
        return say(
            "whoever knows up to {known} quasi-identifiers finds at least {k} rows, and no value of {column!r} has "
            "more than {confidence:g} of them",
            known=self.known,
            k=self.k,
            column=self.column,
            confidence=self.confidence,
        )
