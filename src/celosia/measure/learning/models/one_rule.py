"""One rule: the single column that tells the class best."""

from collections.abc import Callable
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.measure.learning.features import FeatureKind, FeatureLayout
from celosia.measure.learning.model import Estimator, LearningModel

__all__ = ["OneRule"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class OneRule(LearningModel):
    """Look at one column only, the one by whose values fewest rows are told wrong (OneR).

    Numbers are grouped first, so that in every group but the last one class has a fewest number of rows; a missing
    value is a value of its own.

    R. C. Holte: Very simple classification rules perform well on most commonly used datasets. Machine Learning 11,
    1993.
    """

    name: ClassVar[str] = "one-rule"
    takes_layout: ClassVar[bool] = True

    bucket: int = Field(default=6, ge=1, description="rows that one class has at least in a group of numbers")

    def classifier(self, seed: int) -> Estimator:
        """The rule."""
        return _OneRule(self.bucket)


Reader = Callable[[Floats], Integers]
"""From the features of rows to the place of each in a table of classes; the last place is for what was never seen."""


class _OneRule:
    def __init__(self, bucket: int) -> None:
        self.bucket = bucket

    def fit(
        self, features: Floats, targets: Integers, *, sample_weight: Floats, layout: FeatureLayout
    ) -> None:
        self.classes_, codes = np.unique(targets, return_inverse=True)
        rows = np.zeros((len(codes), len(self.classes_)))
        rows[np.arange(len(codes)), codes] = sample_weight
        usual = int(np.argmax(rows.sum(axis=0)))
        best = -1.0
        for column in range(layout.size):
            read, size = self._reader(column, features, rows, layout)
            table = np.zeros((size, rows.shape[1]))
            np.add.at(table, read(features), rows)
            right = float(table.max(axis=1).sum())
            if right > best:
                said = np.where(table.sum(axis=1) > 0, table.argmax(axis=1), usual)
                best, self.read, self.said = right, read, self.classes_[said]

    def predict(self, features: Floats) -> Integers:
        return self.said[self.read(features)]

    def _reader(
        self, column: int, features: Floats, rows: Floats, layout: FeatureLayout
    ) -> tuple[Reader, int]:
        numbers, shares = layout.of(column, FeatureKind.NUMBER), layout.of(column, FeatureKind.SHARE)
        if not len(numbers):
            return _categories(shares), len(shares) + 1
        known = np.ones(len(features), np.bool_) if not len(shares) else features[:, shares[0]] < 0.5
        cuts = self._cuts(features[known, numbers[0]], rows[known])
        return _groups(int(numbers[0]), shares, cuts), len(cuts) + 2

    def _cuts(self, numbers: Floats, rows: Floats) -> Floats:
        from celosia.kernels.buckets import fill_buckets

        if not len(numbers):
            return np.empty(0)
        values, places = np.unique(numbers, return_inverse=True)
        table = np.zeros((len(values), rows.shape[1]))
        np.add.at(table, places, rows)
        buckets, _ = fill_buckets(table, float(self.bucket))
        ends = np.flatnonzero(np.diff(buckets))
        cuts: Floats = (values[ends] + values[ends + 1]) / 2
        return cuts


def _categories(shares: Integers) -> Reader:
    """The value that has more than half of a label; the last place is for labels that tell none."""

    def read(features: Floats) -> Integers:
        chosen = features[:, shares]
        return np.where(chosen.max(axis=1) > 0.5, chosen.argmax(axis=1), len(shares)).astype(np.int64)

    return read


def _groups(number: int, shares: Integers, cuts: Floats) -> Reader:
    """The group of a number; the last place is for missing ones."""

    def read(features: Floats) -> Integers:
        places = np.searchsorted(cuts, features[:, number], side="right")
        if len(shares):
            places = np.where(features[:, shares[0]] < 0.5, places, len(cuts) + 1)
        return places.astype(np.int64)

    return read
