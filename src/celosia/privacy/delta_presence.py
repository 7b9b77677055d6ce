"""delta-presence: the release hardly tells whether somebody of the population is in it."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field, model_validator

from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel, population_of
from celosia.say import say

__all__ = ["DeltaPresence"]


class DeltaPresence(PrivacyModel):
    """delta-presence: of the people of the population who fit a class, a share from low to high is in the table.

    Being in a table may be the secret: that of a clinic for addicts. Whoever finds the class of a person in the release
    believes that she is in the table with the number of its rows over that of the people who fit it. A lower bound
    above 0 also forbids that somebody can be excluded, so that every person of the population must fit a class that
    is released: then no class can be suppressed, and a release is either whole or not valid. It needs a table of the
    population that holds the people of the table, with the same names of columns.

    M. E. Nergiz, M. Atzori, C. Clifton: Hiding the presence of individuals from shared databases. SIGMOD 2007.

    Classes of 1 and 3 rows, which 4 people each fit, with an upper bound of 1/2: of the second too many are there. With
    bounds of 1/4 and 3/4 both are good, as long as nobody fits neither.

    >>> classes = Classes(counts=np.array([1, 3]), population=np.array([4, 4]))
    >>> DeltaPresence(high=0.5).violations(classes).tolist()
    [False, True]
    >>> DeltaPresence(low=0.25, high=0.75).violations(classes).tolist()
    [False, False]
    >>> nearby = Classes(counts=np.array([1, 3]), population=np.array([4, 4]), absent=2)
    >>> DeltaPresence(low=0.25, high=0.75).violations(nearby).tolist()
    [True, True]
    """

    name: ClassVar[str] = "delta-presence"
    class_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    of_whole: ClassVar[bool] = True
    needs_population: ClassVar[bool] = True
    example: ClassVar[str] = "high=0.5"

    column: None = None
    low: float = Field(
        default=0.0, ge=0, lt=1, description="least share of those who fit a class that are in the table"
    )
    high: float = Field(
        gt=0, le=1, description="largest share of those who fit a class that are in the table"
    )

    @model_validator(mode="after")
    def _in_order(self) -> "DeltaPresence":
        if self.low > self.high:
            raise ValueError(
                say("low must not be more than high, got {low:g} and {high:g}", low=self.low, high=self.high)
            )
        return self

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether its share is out of bounds; with a lower bound, all if one of people is."""
        people = population_of(classes)
        shares = np.where(people > 0, classes.counts / np.maximum(people, 1), np.inf)
        bad: npt.NDArray[np.bool_] = (shares > self.high + TOLERANCE) | (shares < self.low - TOLERANCE)
        # Those of a class that is left out would be known not to be in the release; of some classes there are none.
        if self.low > 0 and (classes.absent > 0 or bad[people > 0].any()):
            bad[:] = True
        return bad

    def describe(self) -> str:
        """What the model promises.

        >>> DeltaPresence(low=0.1, high=0.5).describe()
        'of the people of the population who fit a class, a share from 0.1 to 0.5 is in the table'
        """
        if self.low:
            return say(
                "of the people of the population who fit a class, a share from {low:g} to {high:g} is in the table",
                low=self.low,
                high=self.high,
            )
        return say(
            "of the people of the population who fit a class, a share of at most {high:g} is in the table",
            high=self.high,
        )
