"""Profitability: a publisher and an attacker who each do what pays (a game of re-identification)."""

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.errors import ProjectError
from celosia.privacy.classes import Classes
from celosia.privacy.model import TOLERANCE, PrivacyModel
from celosia.say import say

__all__ = ["NoAttack", "Profitability"]


class Profitability(PrivacyModel):
    """Profitability: a row is released only if that still pays in view of a rational attacker.

    A row is worth ``benefit`` to the publisher, less the share of information that its labels take away (the sum of
    the logarithms of the values that each label stands for, over that of all values). The attacker knows who is in the
    table, finds the right one of n rows of a class with a chance of 1/n and then gains ``gain``, pays ``cost`` for
    every try, and tries only where gain / n exceeds the cost. Of a row that is attacked the publisher expects to lose
    ``loss`` / n. All four are amounts of the same money. Rows whose payoff is not above 0 are left out. Generalizing
    protects a row and makes it worth less, so that no search prunes by this model.

    Z. Wan, Y. Vorobeychik, W. Xia, E. W. Clayton, M. Kantarcioglu, R. Ganta, R. Heatherly, B. A. Malin: A game
    theoretic framework for analyzing re-identification risk. PLOS ONE 10(3), 2015.

    With a benefit of 1200 and a loss and gain of 300 at a cost of 4, as in their study: a single row that keeps nine
    tenths of its information brings 1080 - 300; one that keeps a fifth does not pay; hidden among 75 it is not
    attacked.

    >>> model = Profitability(benefit=1200, loss=300, gain=300, cost=4)
    >>> classes = Classes(counts=np.array([1, 1, 75]), losses=np.array([0.1, 0.8, 0.8]))
    >>> model.payoffs(classes).round(6).tolist()
    [780.0, -60.0, 240.0]
    >>> model.violations(classes).tolist()
    [False, True, False]
    """

    name: ClassVar[str] = "profitability"
    class_monotone: ClassVar[bool] = False
    union_monotone: ClassVar[bool] = False
    needs_losses: ClassVar[bool] = True
    example: ClassVar[str] = "benefit=1200,loss=300,gain=300,cost=4"

    column: None = None
    benefit: float = Field(gt=0, description="what a row as it is brings the publisher")
    loss: float = Field(ge=0, description="what the publisher loses with a row that is found")
    gain: float = Field(ge=0, description="what an attacker gains with a row that is found")
    cost: float = Field(ge=0, description="what an attacker pays for every try")

    def payoffs(self, classes: Classes) -> npt.NDArray[np.float64]:
        """``payoffs[class]``: what the publisher expects of each of its rows."""
        if classes.losses is None:
            raise ProjectError(
                say("what the labels of a class take away is not known here"),
                where="models",
                remedy=say("use technique full-domain, with a hierarchy for every quasi-identifier"),
            )
        chance = 1.0 / np.maximum(classes.counts, 1)
        is_attacked = self.gain * chance > self.cost + TOLERANCE
        payoffs: npt.NDArray[np.float64] = self.benefit * (1.0 - classes.losses) - np.where(
            is_attacked, self.loss * chance, 0.0
        )
        return payoffs

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether it does not pay to release its rows."""
        return self.payoffs(classes) <= TOLERANCE * self.benefit

    def describe(self) -> str:
        """What the model promises.

        >>> Profitability(benefit=1200, loss=300, gain=300, cost=4).describe()
        'each row is worth more (1200 as it is) than what a rational attacker costs (loss 300, gain 300, cost 4)'
        """
        return say(
            "each row is worth more ({benefit:g} as it is) than what a rational attacker costs "
            "(loss {loss:g}, gain {gain:g}, cost {cost:g})",
            benefit=self.benefit,
            loss=self.loss,
            gain=self.gain,
            cost=self.cost,
        )


class NoAttack(PrivacyModel):
    """No attack: trying to find somebody costs an attacker at least as much as it can be expected to bring.

    The variant of profitability in which the publisher leaves no row that is worth an attack: gain / n is at most the
    cost in every class of n rows. So it is k-anonymity with k = gain / cost, rounded up.

    Z. Wan, Y. Vorobeychik, W. Xia, E. W. Clayton, M. Kantarcioglu, R. Ganta, R. Heatherly, B. A. Malin: A game
    theoretic framework for analyzing re-identification risk. PLOS ONE 10(3), 2015.

    With a gain of 300 and a cost of 4, classes of 75 and 74 rows: 300 / 74 = 4.05 is worth it.

    >>> NoAttack(gain=300, cost=4).violations(Classes(counts=np.array([75, 74]))).tolist()
    [False, True]
    """

    name: ClassVar[str] = "no-attack"
    class_monotone: ClassVar[bool] = True
    example: ClassVar[str] = "gain=300,cost=4"

    column: None = None
    gain: float = Field(ge=0, description="what an attacker gains with a row that is found")
    cost: float = Field(gt=0, description="what an attacker pays for every try")

    @property
    def least_rows(self) -> int:
        """The size from which on an attack does not pay."""
        return max(1, math.ceil(self.gain / self.cost - TOLERANCE))

    def violations(self, classes: Classes) -> npt.NDArray[np.bool_]:
        """``violations[class]``: whether an attack on it pays."""
        return classes.counts < self.least_rows

    def describe(self) -> str:
        """What the model promises.

        >>> NoAttack(gain=300, cost=4).describe()
        'whoever tries to find somebody pays no less (4) than can be expected of a gain of 300'
        """
        return say(
            "whoever tries to find somebody pays no less ({cost:g}) than can be expected of a gain of {gain:g}",
            cost=self.cost,
            gain=self.gain,
        )
