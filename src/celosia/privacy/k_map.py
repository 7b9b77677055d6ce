"""k-map: everybody in the release could be one of k people of the population."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.privacy.classes import Classes
from celosia.privacy.model import PrivacyModel, population_of
from celosia.say import say

__all__ = ["KMap"]


class KMap(PrivacyModel):
    """k-map: every class of the release fits at least k people of the population.

    For an attacker who does not know who is in the table: a person alone in her class hides among all people of the
    population whose values become the same labels. It asks for less than k-anonymity where the table is a sample, and
    it needs a table of the population, with the same names of columns. People of the population with values that a
    hierarchy does not know count for nobody.

    L. Sweeney: Computational disclosure control: a primer on data privacy protection. Doctoral thesis, Massachusetts
    Institute of Technology, 2001; D. Desfontaines: k-map, the weird cousin of k-anonymity, 2017.

    Classes of 1, 2 and 4 rows, into which 5, 2 and 40 people of the population fall; k = 3.

    >>> classes = Classes(counts=np.array([1, 2, 4]), population=np.array([5, 2, 40]))
    >>> KMap(k=3).violations(classes).tolist()
    [False, True, False]
    """

    name: ClassVar[str] = "k-map"
    class_monotone: ClassVar[bool] = True
    needs_population: ClassVar[bool] = True
    example: ClassVar[str] = "k=5"

    column: None = None
    k: int = Field(ge=2, description="people of the population that every class fits at least")

    @property
    def hides_everybody(self) -> bool:
        """Among people of the population."""
        return True

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether it fits fewer than k people."""
        return population_of(classes) < self.k

    def describe(self) -> str:
        """What the model promises.

        >>> KMap(k=5).describe()
        'what is released of each person fits at least 5 people of the population'
        """
        return say("what is released of each person fits at least {k} people of the population", k=self.k)
