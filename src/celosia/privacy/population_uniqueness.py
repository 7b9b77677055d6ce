"""Population uniqueness: hardly anybody in the population is told apart from all others."""

from typing import ClassVar, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.errors import ProjectError
from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.privacy.population_uniques import unique_share
from celosia.privacy.whole_release import least_number, leave_smallest
from celosia.say import say

__all__ = ["PopulationUniqueness"]


class PopulationUniqueness(PrivacyModel):
    """Population uniqueness: an estimated share of the population, at most, is unique by the released labels.

    A row alone in its class is no danger if the population has more such people. How many have no twin there is
    estimated from the sizes of the classes and the ``fraction`` of the population that the table holds: by Pitman's
    sampling formula, by Zayatz's method, by the (slide) negative binomial distribution, or by the one that errs least
    at this fraction (dankar, the default). It is a promise about the release as a whole: where it is not kept, as few
    rows that are alone in their class are left out as will do; with each the estimate falls. Estimates rest on the
    table being a random sample; no search prunes by them, for an estimate may rise when classes merge.

    F. K. Dankar, K. El Emam, A. Neisa, T. Roffey: Estimating the re-identification risk of clinical data sets. BMC
    Medical Informatics and Decision Making 12:66, 2012.

    Two single rows and two classes of two, half of 12 people, by Zayatz: 1.9 people are unique, 0.16 of all. Without
    one of them it is 0.06.

    >>> model = PopulationUniqueness(share=0.1, fraction=0.5, estimator="zayatz")
    >>> model.violations(Classes(counts=np.array([1, 1, 2, 2]))).tolist()
    [True, False, False, False]
    >>> model.model_copy(update={"share": 0.2}).violations(Classes(counts=np.array([1, 1, 2, 2]))).tolist()
    [False, False, False, False]
    """

    name: ClassVar[str] = "population-uniqueness"
    class_monotone: ClassVar[bool] = False
    union_monotone: ClassVar[bool] = False
    is_relative: ClassVar[bool] = True
    of_whole: ClassVar[bool] = True
    example: ClassVar[str] = "share=0.01,fraction=0.1"

    column: None = None
    share: float = Field(
        ge=0, lt=1, description="largest share of the population that is unique, as estimated"
    )
    fraction: float | None = Field(
        default=None,
        gt=0,
        le=1,
        description="share of the population in the table; that of its population if not given",
    )
    estimator: Literal["dankar", "pitman", "zayatz", "negative-binomial"] = Field(
        default="dankar", description="how uniques are estimated; dankar chooses by the fraction"
    )

    def settled(self, fraction: float | None) -> "PopulationUniqueness":
        """With the fraction of the table where none is given."""
        if self.fraction is not None or fraction is None:
            return self
        return self.model_copy(update={"fraction": fraction})

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether it is a single row that has to leave."""
        if self.fraction is None:
            raise ProjectError(
                say("population-uniqueness must know the share of the population that the table holds"),
                where="models",
                remedy=say("give its fraction, or --population-fraction"),
            )
        fraction, limit = self.fraction, self.share + TOLERANCE
        ordered = np.sort(classes.counts)
        alone = int(np.searchsorted(ordered, 1, side="right"))
        leaving = least_number(
            alone, lambda number: unique_share(ordered[number:], fraction, self.estimator) - limit
        )
        return leave_smallest(classes.counts, leaving)

    def describe(self) -> str:
        """What the model promises.

        >>> PopulationUniqueness(share=0.01, fraction=0.1).describe()
        'of the population, of which the table holds 0.1, a share of 0.01 at most is estimated to be unique'
        """
        if self.fraction is None:
            return say(
                "of the population a share of {share:g} at most is estimated to be unique", share=self.share
            )
        return say(
            "of the population, of which the table holds {fraction:g}, a share of {share:g} at most is estimated to "
            "be unique",
            fraction=self.fraction,
            share=self.share,
        )
