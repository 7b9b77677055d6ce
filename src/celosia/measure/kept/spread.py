"""A released column spread over the values of the original: every label gives each value that it allows the same share.

So a release of intervals, sets and nodes has a distribution over the original's own values, and can be compared with it
fairly; the uniform spread is what X. Xiao and Y. Tao: Anatomy: simple and effective privacy preservation. VLDB 2006,
assume of whoever reads such a table.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode import DecodedColumn, LabelMeaning
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["SpreadColumn", "codes_among", "spread_column"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_NAMED = 3
"""Labels that a message names before it says how many more there are."""


@dataclass(frozen=True)
class SpreadColumn:
    """What a column shows, over points: the original's values, and behind them numbers that only the release has.

    ``before[point]`` are rows of the original, ``rows[label]`` rows of the release. A label allows
    ``codes[starts[label] : starts[label + 1]]``; or, of numbers, all from place ``first[label]`` to before place
    ``last[label]`` of ``order``, which are the points in ascending order. ``emptied`` is the share of the release's
    empty cells that must have had a value, for the original has fewer empty ones: they allow everything.
    """

    decoded: DecodedColumn
    before: Integers
    rows: Integers
    numbers: Floats
    starts: Integers
    codes: Integers
    order: Integers
    first: Integers
    last: Integers
    emptied: float

    @property
    def column(self) -> str:
        """The name of the column."""
        return self.decoded.column

    def average(self, of_points: npt.ArrayLike, *, only_told: bool = False) -> Floats:
        """``average[label, ...]`` of ``of_points[point, ...]`` over the points that a label allows.

        With ``only_told`` it is 0 of labels that allow everything: they tell of no point more than of any other.
        """
        points = np.asarray(of_points, np.float64)
        table = points.reshape(len(points), -1)
        averages = np.zeros((len(self.rows), table.shape[1]))
        listed = np.flatnonzero(np.diff(self.starts) > 0)
        if len(listed):
            averages[listed] = np.add.reduceat(table[self.codes], self.starts[listed])
        if self._is_range.any():
            sums = np.concatenate((np.zeros((1, table.shape[1])), np.cumsum(table[self.order], axis=0)))
            averages[self._is_range] = sums[self.last[self._is_range]] - sums[self.first[self._is_range]]
        values = len(self.decoded.values)
        averages[self._is_everything] = 0.0 if only_told else table[:values].sum(axis=0)
        averages /= np.maximum(1, self.allowed)[:, None]
        if self.emptied:
            everything = 0.0 if only_told else table[:values].sum(axis=0) / max(1, values)
            missing = self.decoded.meanings == LabelMeaning.MISSING
            averages[missing] += self.emptied * (everything - averages[missing])
        return averages.reshape(len(averages), *points.shape[1:])

    def deal(self, rows: npt.ArrayLike, *, only_told: bool = False) -> Floats:
        """``dealt[point]``: ``rows[label]`` dealt out evenly to the points that each label allows.

        With ``only_told`` those of labels that allow everything are left out, see :meth:`untold`.
        """
        weights = np.asarray(rows, np.float64)
        missing = self.decoded.meanings == LabelMeaning.MISSING
        for_all = 0.0 if only_told else self.untold(weights)
        portions = np.where(missing, weights * (1 - self.emptied), weights) / np.maximum(1, self.allowed)
        dealt = np.bincount(self.codes, np.repeat(portions, np.diff(self.starts)), len(self.numbers))
        totals = dealt.astype(np.float64)
        if self._is_range.any():
            steps = np.zeros(len(self.order) + 1)
            np.add.at(steps, self.first[self._is_range], portions[self._is_range])
            np.add.at(steps, self.last[self._is_range], -portions[self._is_range])
            # What is left of a range behind its end is a rounding, and no row.
            totals[self.order] += np.maximum(np.cumsum(steps[:-1]), 0.0)
        values = len(self.decoded.values)
        totals[:values] += for_all / max(1, values)
        return totals

    def untold(self, rows: npt.ArrayLike) -> float:
        """Of ``rows[label]`` those whose label tells nothing: everything is allowed, or a value was taken out."""
        weights = np.asarray(rows, np.float64)
        missing = self.decoded.meanings == LabelMeaning.MISSING
        return float(weights[self._is_everything].sum() + self.emptied * weights[missing].sum())

    @cached_property
    def allowed(self) -> Integers:
        """``allowed[label]``: how many points it allows."""
        listed = np.where(self._is_range, self.last - self.first, np.diff(self.starts))
        return np.where(self._is_everything, len(self.decoded.values), listed)

    @cached_property
    def _is_everything(self) -> npt.NDArray[np.bool_]:
        return np.asarray(self.decoded.meanings == LabelMeaning.EVERYTHING)

    @cached_property
    def _is_range(self) -> npt.NDArray[np.bool_]:
        return self.last > self.first


def spread_column(subject: MeasureSubject, column: str) -> SpreadColumn:
    """Spread a column of a release; a column with labels that are not understood cannot be.

    >>> people = pl.DataFrame({"age": [31, 38, 38, 47]})
    >>> release = pl.DataFrame({"age": ["[30-39]", "[30-39]", "[30-39]", "*"]})
    >>> found = spread_column(MeasureSubject.of(people, release), "age")
    >>> dict(zip(found.numbers.tolist(), found.deal(found.rows).round(3).tolist()))
    {31.0: 1.833, 38.0: 1.833, 47.0: 0.333}
    """
    decoded = subject.decoded(column)
    rows = subject.counts(column).rows_of(0)
    before = subject.original_counts(column).rows_of(0)
    _refuse_unknown(decoded, rows)
    is_null = decoded.labels.is_null().to_numpy()
    empty_after, empty_before = (
        int(rows[is_null].sum()),
        int(before[decoded.values.is_null().to_numpy()].sum()),
    )
    order = np.argsort(decoded.numbers, kind="stable")
    order = order[: int((~np.isnan(decoded.numbers)).sum())]
    first, last = _places(decoded, decoded.numbers[order])
    # A number or an interval of none of the original's values is a point of its own: the number, or its middle.
    stands_alone = (last <= first) & (np.diff(decoded.starts) == 0) & ~np.isnan(decoded.low)
    lengths = np.diff(decoded.starts) + stands_alone
    starts = np.concatenate(([0], np.cumsum(lengths)))
    codes = np.empty(starts[-1], np.int64)
    own = np.zeros(len(codes), bool)
    own[starts[:-1][stands_alone]] = True
    codes[~own] = decoded.codes
    codes[own] = len(before) + np.arange(int(stands_alone.sum()))
    middles = _middles(decoded.low[stands_alone], decoded.high[stands_alone])
    return SpreadColumn(
        decoded=decoded,
        before=np.append(before, np.zeros(len(middles), np.int64)),
        rows=rows,
        numbers=np.append(decoded.numbers, middles),
        starts=starts,
        codes=codes,
        order=order,
        first=first,
        last=last,
        emptied=max(0, empty_after - empty_before) / max(1, empty_after),
    )


def _places(decoded: DecodedColumn, ordered: Floats) -> tuple[Integers, Integers]:
    """From which place to before which of the ordered numbers a label reaches; equal places where it is no range."""
    is_range = (decoded.meanings == LabelMeaning.SOME) & ~np.isnan(decoded.low)
    first = np.searchsorted(ordered, decoded.low, "left")
    last = np.searchsorted(ordered, decoded.high, "right")
    return np.where(is_range, first, 0), np.where(is_range, last, 0)


def _middles(low: Floats, high: Floats) -> Floats:
    with np.errstate(invalid="ignore"):
        middle = low / 2 + high / 2
    return np.where(np.isfinite(middle), middle, np.where(np.isfinite(low), low, high))


def _refuse_unknown(decoded: DecodedColumn, rows: Integers) -> None:
    unknown = decoded.labels.filter((decoded.meanings == LabelMeaning.UNKNOWN) & (rows > 0)).to_list()
    if unknown:
        named = ", ".join(repr(label) for label in unknown[:_NAMED])
        if len(unknown) > _NAMED:
            raise NotMeasurableError(
                say(
                    "labels of {column!r} say nothing that the original knows: {labels} and {more} more; give the "
                    "hierarchy they come from",
                    column=decoded.column,
                    labels=named,
                    more=len(unknown) - _NAMED,
                )
            )
        raise NotMeasurableError(
            say(
                "labels of {column!r} say nothing that the original knows: {labels}; give the "
                "hierarchy they come from",
                column=decoded.column,
                labels=named,
            )
        )


def codes_among(values: pl.Series, known: pl.Series) -> Integers:
    """``codes[value]``: the place of each text of ``values`` in ``known``, which has them all.

    >>> codes_among(pl.Series(["b", None]), pl.Series(["a", None, "b"])).tolist()
    [2, 1]
    """
    place = {text: code for code, text in enumerate(known.to_list())}
    return np.array([place[text] for text in values.to_list()], np.int64)
