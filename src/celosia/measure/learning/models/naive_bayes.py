"""Naive Bayes."""

from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.measure.learning.features import FeatureKind, FeatureLayout
from celosia.measure.learning.model import Estimator, LearningModel

__all__ = ["NaiveBayes"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class NaiveBayes(LearningModel):
    """Multiply the chances of every column's value in a class, as if columns were independent within it.

    Numbers are normal in every class, with a deviation of at least a sixth of the mean gap between neighbouring
    values, as in Weka; categories have the share of their rows, every category being seen ``added`` times more.

    G. John, P. Langley: Estimating continuous distributions in Bayesian classifiers. UAI 1995.
    """

    name: ClassVar[str] = "naive-bayes"
    takes_layout: ClassVar[bool] = True

    added: float = Field(default=1.0, gt=0, description="rows added to every category of every class")

    def classifier(self, seed: int) -> Estimator:
        """Chances of classes."""
        return _NaiveBayes(self.added)


class _NaiveBayes:
    def __init__(self, added: float) -> None:
        self.added = added

    def fit(
        self, features: Floats, targets: Integers, *, sample_weight: Floats, layout: FeatureLayout
    ) -> None:
        self.classes_, codes = np.unique(targets, return_inverse=True)
        weights = np.zeros((len(self.classes_), len(codes)))
        weights[codes, np.arange(len(codes))] = sample_weight
        rows = weights.sum(axis=1)
        self.prior = np.log((rows + self.added) / (rows + self.added).sum())
        kinds = np.array(layout.kinds)
        self.numbers = np.flatnonzero(kinds != FeatureKind.SHARE)
        numeric = features[:, self.numbers]
        self.mean = weights @ numeric / rows[:, None]
        spread = weights @ numeric**2 / rows[:, None] - self.mean**2
        self.deviation = np.maximum(np.sqrt(np.maximum(spread, 0.0)), _least_deviation(numeric))
        # Columns of shares: in each, every category has its chance; one share alone has the rest as its other.
        self.shares, self.yes, self.no = np.flatnonzero(kinds == FeatureKind.SHARE), [], []
        for column in range(layout.size):
            places = layout.of(column, FeatureKind.SHARE)
            if len(places):
                seen = weights @ features[:, places] + self.added
                whole = rows[:, None] + self.added * max(2, len(places))
                chances = seen / whole
                self.yes.append(np.log(chances))
                self.no.append(np.log1p(-chances) if len(places) == 1 else np.zeros_like(chances))

    def predict_proba(self, features: Floats) -> Floats:
        numeric = features[:, self.numbers]
        logs = np.repeat(self.prior[None, :], len(features), axis=0)
        for number in range(len(self.classes_)):
            away = (numeric - self.mean[number]) / self.deviation[number]
            logs[:, number] -= (away**2 / 2 + np.log(self.deviation[number])).sum(axis=1)
        if len(self.shares):
            shares = features[:, self.shares]
            logs += shares @ np.hstack(self.yes).T + (1 - shares) @ np.hstack(self.no).T
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        scaled: Floats = chances / chances.sum(axis=1, keepdims=True)
        return scaled


def _least_deviation(numbers: Floats) -> Floats:
    """A sixth of the mean gap between neighbouring values of each column; of one value only, a six-hundredth.

    >>> _least_deviation(np.array([[1.0, 5.0], [4.0, 5.0], [7.0, 5.0]])).tolist()
    [0.5, 0.0016666666666666668]
    """
    gaps = np.diff(np.sort(numbers, axis=0), axis=0)
    several = (gaps > 0).sum(axis=0)
    mean = np.divide(gaps.sum(axis=0), several, out=np.full(numbers.shape[1], 0.01), where=several > 0)
    least: Floats = mean / 6
    return least
