"""What is kept of how columns hang together: correlations of numbers, mutual information of all columns."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from celosia.measure.distribution import Moments, correlation_change
from celosia.measure.kept.counted_pairs import Pair, Pairs, understood_columns
from celosia.measure.kept.rows import row_counts
from celosia.measure.kept.spread import SpreadColumn
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import join_texts, say

__all__ = ["LARGEST", "MEASURES", "MOST_GROUPS", "normalized_information"]

MOST_GROUPS = 20
"""Groups of a column in which mutual information is counted: bins of numbers, or the most frequent values."""
LARGEST = say("largest change")

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def _correlations(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    """Numbers of a label have the mean and the variance of those it allows, and nothing else in common."""
    row_counts(subject)
    spreads, left_out = understood_columns(
        subject, tuple(name for name in subject.shared_columns if subject.decoded(name).is_number)
    )
    if len(spreads) < 2:
        raise NotMeasurableError(
            join_texts("; ", [say("it takes two columns of numbers in both tables"), *left_out.values()])
        )
    pairs, names = Pairs(subject, tuple(spreads)), tuple(spreads)
    values = {name: spread.numbers[: len(spread.decoded.values)] for name, spread in spreads.items()}
    labels = {name: _moments(spread) for name, spread in spreads.items()}
    sides = np.full((2, len(names), len(names)), np.nan)
    for (i, left), (j, right) in combinations(enumerate(names), 2):
        exact = [(values[name], np.zeros(len(values[name]))) for name in (left, right)]
        sides[0, i, j] = sides[0, j, i] = _correlation(pairs.before(left, right), *exact)
        sides[1, i, j] = sides[1, j, i] = _correlation(pairs.after(left, right), labels[left], labels[right])
    yield from _changes(names, sides, left_out, say("no two columns of numbers vary"))


def _correlation(pair: Pair, left: tuple[Floats, Floats], right: tuple[Floats, Floats]) -> float:
    """Of two columns given by the mean and the variance of every code."""
    first, second, rows = pair
    values = np.column_stack((left[0][first], right[0][second]))
    moments = Moments.of(values, rows)
    together = rows * np.isfinite(values).all(axis=1)
    spreads = [
        float(together @ np.nan_to_num(variance[codes]))
        for variance, codes in ((left[1], first), (right[1], second))
    ]
    squares = moments.squares + np.array([[0.0, spreads[0]], [spreads[1], 0.0]])
    return float(replace(moments, squares=squares).correlations()[0, 1])


def _moments(spread: SpreadColumn) -> tuple[Floats, Floats]:
    """Mean and variance of the numbers that each label allows; NaN where it allows none."""
    is_there = np.isfinite(spread.numbers)
    # From the middle on, so that squares of large numbers keep their digits.
    middle = float(spread.numbers[is_there].mean()) if is_there.any() else 0.0
    moved = np.where(is_there, spread.numbers - middle, 0.0)
    share, first, second = spread.average(np.column_stack((is_there, moved, moved**2))).T
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / share
        variance = np.maximum(second / share - mean**2, 0.0)
    return np.where(share > 0, mean + middle, np.nan), variance


def _information(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    row_counts(subject)
    spreads, left_out = understood_columns(subject, subject.shared_columns)
    if len(spreads) < 2:
        raise NotMeasurableError(
            join_texts("; ", [say("it takes two columns in both tables"), *left_out.values()])
        )
    names = tuple(spreads)
    pairs = Pairs(subject, names)
    grouped = {name: _Grouped(spread) for name, spread in spreads.items()}
    sides = np.full((2, len(names), len(names)), np.nan)
    for (i, left), (j, right) in combinations(enumerate(names), 2):
        a, b = grouped[left], grouped[right]
        first, second, rows = pairs.before(left, right)
        joint = np.bincount(a.groups[first] * b.size + b.groups[second], rows, a.size * b.size)
        sides[0, i, j] = sides[0, j, i] = normalized_information(joint.reshape(a.size, b.size))
        sides[1, i, j] = sides[1, j, i] = normalized_information(_dealt(a, b, pairs.after(left, right)))
    yield from _changes(names, sides, left_out, "")


def normalized_information(joint: npt.ArrayLike) -> float:
    """Mutual information over the geometric mean of the entropies: 0 of independent columns, 1 of equal ones.

    A constant column shares nothing. A. Strehl and J. Ghosh: Cluster ensembles. Journal of Machine Learning Research 3,
    2002.

    >>> normalized_information([[2, 0], [0, 2]]), normalized_information([[1, 1], [1, 1]])
    (1.0, 0.0)
    """
    rows = np.asarray(joint, np.float64)
    shares = rows / max(1e-300, float(rows.sum()))
    of_rows, of_columns, both = (
        _bits(some) for some in (shares.sum(axis=1), shares.sum(axis=0), shares.ravel())
    )
    if of_rows < 1e-12 or of_columns < 1e-12:
        return 0.0
    return float(np.clip((of_rows + of_columns - both) / np.sqrt(of_rows * of_columns), 0.0, 1.0))


def _bits(shares: Floats) -> float:
    some = shares[shares > 0]
    return float(-(some * np.log2(some)).sum())


class _Grouped:
    """A column in few groups: ``groups[value]`` of the original, ``shares[part, group]`` of the release.

    ``parts[label]`` are numbered so that labels with a single value are told apart by its group alone.
    """

    def __init__(self, spread: SpreadColumn) -> None:
        self.groups = _groups(spread)
        self.size = int(self.groups.max(initial=0)) + 1
        shares = spread.average(np.eye(self.size)[self.groups])
        several = np.flatnonzero(shares.max(axis=1, initial=0.0) < 1.0)
        self.parts = np.argmax(shares, axis=1) if len(shares) else np.zeros(0, np.int64)
        self.parts[several] = self.size + np.arange(len(several))
        self.shares = np.concatenate((np.eye(self.size), shares[several]))


def _groups(spread: SpreadColumn) -> Integers:
    """At most 20 groups: bins of numbers with about as many rows each, or the most frequent values and the rest."""
    before = spread.before
    if not spread.decoded.is_number:
        rank = np.empty(len(before), np.int64)
        rank[np.argsort(-before, kind="stable")] = np.arange(len(before))
        return np.minimum(rank, MOST_GROUPS - 1)
    ends = _ends(spread)
    places = np.minimum(np.searchsorted(ends, spread.numbers, "left"), max(0, len(ends) - 1))
    return np.where(np.isnan(spread.numbers), len(ends), places)


def _ends(spread: SpreadColumn) -> Floats:
    """The last number of every bin; missing values need a group too, so one less than there may be."""
    known = np.sort(spread.numbers[(spread.before > 0) & ~np.isnan(spread.numbers)])
    if len(np.unique(known)) < MOST_GROUPS:
        return np.unique(known)
    order = np.argsort(spread.numbers, kind="stable")[: int((~np.isnan(spread.numbers)).sum())]
    up_to = np.cumsum(spread.before[order])
    wanted = np.arange(1, MOST_GROUPS) / (MOST_GROUPS - 1) * up_to[-1]
    return np.unique(spread.numbers[order][np.minimum(np.searchsorted(up_to, wanted), len(order) - 1)])


def _dealt(a: _Grouped, b: _Grouped, pair: Pair) -> Floats:
    """Rows of every two groups, where the rows of two labels are spread over all pairs that they allow."""
    first, second, rows = pair
    first_parts, second_parts = a.parts[first], b.parts[second]
    size = len(a.shares), len(b.shares)
    if size[0] * size[1] <= 4 * len(rows) + 10_000:
        joint = np.bincount(first_parts * size[1] + second_parts, rows, size[0] * size[1]).reshape(size)
        return np.asarray(a.shares.T @ joint @ b.shares)
    return np.asarray((a.shares[first_parts] * rows[:, None]).T @ b.shares[second_parts])


def _changes(
    names: tuple[str, ...], sides: Floats, left_out: dict[str, str], why_not: str
) -> Iterator[MeasuredValue]:
    """The mean change over all pairs, and the largest."""
    before, after = sides
    largest, mean = correlation_change(before, after)
    if not np.isfinite(mean):
        raise NotMeasurableError(why_not)
    changes = np.triu(np.abs(np.nan_to_num(before) - np.nan_to_num(after)), k=1)
    i, j = np.unravel_index(int(np.argmax(changes)), changes.shape)
    details = {
        "columns": list(names),
        "before": _listed(before),
        "after": _listed(after),
        "left_out": left_out,
    }
    yield MeasuredValue(mean, details=details)
    yield MeasuredValue(largest, about=LARGEST, details={"columns": [names[i], names[j]]})


def _listed(matrix: Floats) -> list[list[float | None]]:
    return [[None if np.isnan(value) else float(value) for value in row] for row in matrix]


MEASURES = (
    ReleaseMeasure(
        name="correlation-change",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "change of Pearson's correlation, mean over all pairs of columns of numbers, labels spread"
        ),
        reference="Domingo-Ferrer and Torra, Disclosure control methods and information loss for microdata, 2001",
        better="lower",
        high=2.0,
        compute=_correlations,
    ),
    ReleaseMeasure(
        name="information-change",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "change of the normalized mutual information, mean over all pairs of columns, labels spread"
        ),
        reference="Strehl and Ghosh, Cluster ensembles, Journal of Machine Learning Research 3, 2002",
        better="lower",
        compute=_information,
    ),
)
