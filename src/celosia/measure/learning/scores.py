"""Scores of several folds as one, with an interval that knows that folds share their training rows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan, nan, sqrt
from typing import Any

import numpy as np

from celosia.measure.release_measure import Interval

__all__ = ["Difference", "MetricScore", "paired_difference", "summarize", "variance_factor"]

CONFIDENCE = 0.95


@dataclass(frozen=True)
class MetricScore:
    """One metric: its mean over the ``folds``, each counting as its test rows, and a 95 % interval."""

    value: float | None
    interval: Interval | None
    folds: tuple[float | None, ...]

    def as_json(self) -> dict[str, object]:
        """As JSON takes it."""
        return {
            "value": self.value,
            "interval": None if self.interval is None else list(self.interval),
            "folds": list(self.folds),
        }


@dataclass(frozen=True)
class Difference:
    """How much one is above the other; ``is_noise`` where the interval holds 0."""

    value: float | None
    interval: Interval | None
    p_value: float | None
    is_noise: bool

    def as_json(self) -> Mapping[str, object]:
        """As JSON takes it."""
        interval = None if self.interval is None else list(self.interval)
        return {"value": self.value, "interval": interval, "p_value": self.p_value, "is_noise": self.is_noise}


def variance_factor(folds: int, tested: float, trained: float) -> float:
    """What the variance between folds is multiplied with to get the variance of their mean.

    Folds are trained on rows that they share, so their scores move together; 1 / folds would be far too small.
    C. Nadeau, Y. Bengio: Inference for the generalization error. Machine Learning 52, 2003; for repeated
    cross-validation, R. Bouckaert, E. Frank, PAKDD 2004.

    >>> variance_factor(10, 100, 900)
    0.2111111111111111
    """
    return 1 / folds + tested / trained


def summarize(
    folds: Sequence[float], rows: Sequence[float], *, factor: float, bounds: Interval = (-inf, inf)
) -> MetricScore:
    """One score of several; NaN is a fold that has none.

    >>> found = summarize([0.8, 0.9], [10, 30], factor=0.75)
    >>> found.value, [round(end, 2) for end in found.interval]
    (0.875, [0.1, 1.65])
    """
    scores, weights = np.asarray(folds, np.float64), np.asarray(rows, np.float64)
    known = ~np.isnan(scores)
    shown = tuple(None if isnan(score) else score for score in scores.tolist())
    if not known.any():
        return MetricScore(None, None, shown)
    value = float(scores[known] @ weights[known] / weights[known].sum())
    half = _half_width(scores[known], factor)
    if isnan(half):
        return MetricScore(value, None, shown)
    return MetricScore(value, (max(bounds[0], value - half), min(bounds[1], value + half)), shown)


def paired_difference(
    first: Sequence[float | None], other: Sequence[float | None], rows: Sequence[float], *, factor: float
) -> Difference:
    """How much ``first`` scores above ``other``, fold by fold: the corrected resampled t-test.

    >>> found = paired_difference([0.80, 0.84, 0.82], [0.70, 0.72, 0.71], [10, 10, 10], factor=1 / 3 + 1 / 2)
    >>> round(found.value, 2), round(found.p_value, 3), found.is_noise
    (0.11, 0.007, False)
    >>> paired_difference([0.8, 0.7], [0.8, 0.7], [5, 5], factor=1).is_noise
    True
    """
    from scipy.special import stdtr

    folds = [nan if a is None or b is None else a - b for a, b in zip(first, other, strict=True)]
    summary = summarize(folds, rows, factor=factor)
    known = np.array([fold for fold in folds if not isnan(fold)])
    if summary.value is None or summary.interval is None:
        return Difference(summary.value, None, None, is_noise=True)
    error = sqrt(factor * float(np.var(known, ddof=1)))
    if error == 0:
        p_value = 1.0 if summary.value == 0 else 0.0
    else:
        p_value = float(2 * stdtr(len(known) - 1, -abs(summary.value) / error))
    low, high = summary.interval
    return Difference(summary.value, summary.interval, p_value, is_noise=low <= 0 <= high)


def _half_width(folds: Any, factor: float) -> float:
    """Half of the interval around the mean; NaN of fewer than two folds."""
    from scipy.special import stdtrit

    if len(folds) < 2:
        return nan
    return float(stdtrit(len(folds) - 1, (1 + CONFIDENCE) / 2) * sqrt(factor * np.var(folds, ddof=1)))
