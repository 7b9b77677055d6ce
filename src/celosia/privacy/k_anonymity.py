"""k-anonymity: nobody stands in a class of fewer than k rows."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import ModelSyntax, PrivacyModel
from celosia.say import say

__all__ = ["KAnonymity"]


class KAnonymity(PrivacyModel):
    """k-anonymity: every class has at least k rows.

    Whoever knows all quasi-identifiers of a person finds at least k rows that could be hers, so the chance of
    pointing at the right one is at most 1/k. It says nothing about what those rows have in common: if all of
    them have the same disease, her disease is known.

    P. Samarati, L. Sweeney: Protecting privacy when disclosing information: k-anonymity and its enforcement
    through generalization and suppression. SRI International, 1998.

    Classes of 5, 2 and 3 rows, k = 3: only the second is too small.

    >>> import numpy as np
    >>> KAnonymity(k=3).violations(Classes(counts=np.array([5, 2, 3]))).tolist()
    [False, True, False]
    """

    name: ClassVar[str] = "k-anonymity"
    class_monotone: ClassVar[bool] = True
    example: ClassVar[str] = "k=5"
    forms: ClassVar[tuple[ModelSyntax, ...]] = (ModelSyntax("k", "", ("k",), "5"),)

    column: None = None
    k: int = Field(ge=2, description="rows that every class has at least")

    @property
    def least_rows(self) -> int:
        """Its k."""
        return self.k

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether the class has fewer than k rows."""
        return classes.counts < self.k

    def describe(self) -> str:
        """What the model promises.

        >>> KAnonymity(k=5).describe()
        'each person hides among at least 5 rows'
        """
        return say("each person hides among at least {k} rows", k=self.k)
