"""What is kept of the distribution of each column: labels are spread over the values that they allow, then compared."""

from collections.abc import Callable, Iterable, Iterator
from math import inf, isfinite

import numpy as np
import numpy.typing as npt

from celosia.measure.distribution import (
    Marginal,
    ks_distance,
    total_variation,
    wasserstein_distance,
    wasserstein_share,
)
from celosia.measure.distribution.variation import half_difference
from celosia.measure.kept.histogram import histogram
from celosia.measure.kept.rows import row_counts
from celosia.measure.kept.spread import SpreadColumn, spread_column
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "both_marginals"]

_PARTS = 2**52
"""Fractions of rows are counted in parts, so many in all: whole numbers whose shares are still rounded correctly."""


def both_marginals(spread: SpreadColumn) -> tuple[Marginal, Marginal]:
    """The numbers of a column before and after, the release in small parts of rows.

    >>> import polars as pl
    >>> subject = MeasureSubject.of(pl.DataFrame({"age": [31, 38, 47]}), pl.DataFrame({"age": ["[30-39]"]}))
    >>> before, after = both_marginals(spread_column(subject, "age"))
    >>> after.values.tolist(), (after.rows / after.present).tolist(), round(ks_distance(before, after), 3)
    ([31.0, 38.0], [0.5, 0.5], 0.333)
    """
    after = _parts(spread, spread.deal(spread.rows))
    return Marginal.of(spread.numbers, spread.before), Marginal.of(spread.numbers, after)


def _parts(spread: SpreadColumn, rows: npt.ArrayLike) -> npt.NDArray[np.int64]:
    whole = max(1, int(spread.rows.sum()))
    parts: npt.NDArray[np.int64] = np.rint(np.asarray(rows) * max(1, _PARTS // whole)).astype(np.int64)
    return parts


def _distributions(spread: SpreadColumn) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Rows before and after of every point and, last, those of which the release tells nothing.

    To spread ``*`` over all values would take a column of nothing else for one that is evenly distributed.
    """
    told = np.append(spread.deal(spread.rows, only_told=True), spread.untold(spread.rows))
    return np.append(spread.before, 0), _parts(spread, told)


def _variation(subject: MeasureSubject, spread: SpreadColumn) -> MeasuredValue:
    before, after = _distributions(spread)
    value = half_difference(before, after)
    kind = subject.kinds[spread.column]
    return MeasuredValue(value, details={"histogram": histogram(spread, kind, least=subject.threshold)})


def _ks(subject: MeasureSubject, spread: SpreadColumn) -> MeasuredValue:
    """What is not told lies beyond all numbers: at the last of them so many rows are not there yet."""
    numbers = np.append(spread.numbers, np.inf)
    before, after = (Marginal.of(numbers, rows) for rows in _distributions(spread))
    return MeasuredValue(ks_distance(before, after))


def _wasserstein(subject: MeasureSubject, spread: SpreadColumn) -> MeasuredValue:
    if spread.untold(spread.rows) >= spread.rows.sum():
        raise NotMeasurableError(say("every value of {column!r} is hidden", column=spread.column))
    before, after = both_marginals(spread)
    moved = wasserstein_distance(before, after)
    if not isfinite(moved):
        raise NotMeasurableError(say("{column!r} has no finite numbers on one side", column=spread.column))
    return MeasuredValue(wasserstein_share(before, after), details={"distance": moved})


def _of_numbers(
    compute: Callable[[MeasureSubject, SpreadColumn], MeasuredValue],
) -> Callable[[MeasureSubject], Iterator[MeasuredValue]]:
    def measure_numbers(subject: MeasureSubject) -> Iterator[MeasuredValue]:
        names = [name for name in subject.shared_columns if subject.decoded(name).is_number]
        if not names:
            raise NotMeasurableError(say("no column of both tables holds numbers or dates"))
        yield from _column_answers(
            subject, names, lambda name: compute(subject, spread_column(subject, name))
        )

    return measure_numbers


def _of_all(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    return _column_answers(
        subject, subject.shared_columns, lambda name: _variation(subject, spread_column(subject, name))
    )


def _of_texts(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    def compared(name: str) -> MeasuredValue:
        before, after = subject.original_counts(name), subject.counts(name)
        value = total_variation((before.texts[0], before.rows_of(0)), (after.texts[0], after.rows_of(0)))
        return MeasuredValue(value)

    return _column_answers(subject, subject.shared_columns, compared)


def _column_answers(
    subject: MeasureSubject, names: Iterable[str], compute: Callable[[str], MeasuredValue]
) -> Iterator[MeasuredValue]:
    """The mean over the columns, and each column; those that were named and are not released say so."""
    row_counts(subject)
    answers = []
    for name in names:
        try:
            answer = compute(name)
            answers.append(MeasuredValue(answer.value, about=name, details=answer.details))
        except NotMeasurableError as reason:
            answers.append(MeasuredValue(None, about=name, why_not=reason.why))
    if not answers:
        raise NotMeasurableError(say("the two tables share no column"))
    values = [answer.value for answer in answers if answer.value is not None]
    if values:
        yield MeasuredValue(float(np.mean(values)), details={"columns": len(values)})
    yield from answers
    yield from (
        MeasuredValue(None, about=name, why_not=say("the release has no column {name!r}", name=name))
        for name in dict.fromkeys((*subject.quasi_identifiers, *subject.sensitive, *subject.targets))
        if name not in subject.release.columns()
    )


MEASURES = (
    ReleaseMeasure(
        name="variation",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "share of rows that would have to change their value, labels spread evenly over what they allow; one "
            "that allows everything is no value"
        ),
        reference="Levin, Peres and Wilmer, Markov chains and mixing times, 2009",
        better="lower",
        compute=_of_all,
    ),
    ReleaseMeasure(
        name="text-variation",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "share of rows that would have to change their text: an interval is another text than its values"
        ),
        reference="Levin, Peres and Wilmer, Markov chains and mixing times, 2009",
        better="lower",
        compute=_of_texts,
    ),
    ReleaseMeasure(
        name="ks",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "largest difference between the shares of rows up to a number (Kolmogorov-Smirnov), labels spread; "
            "what allows everything is beyond all numbers"
        ),
        reference="Smirnov, Table for estimating the goodness of fit, Annals of Mathematical Statistics 19(2), 1948",
        better="lower",
        compute=_of_numbers(_ks),
    ),
    ReleaseMeasure(
        name="wasserstein",
        family=MeasureFamily.UTILITY,
        meaning=say("how far numbers moved on average, as a share of the original's range, labels spread"),
        reference="Vallender, Theory of Probability and Its Applications 18(4), 1974",
        better="lower",
        high=inf,
        compute=_of_numbers(_wasserstein),
    ),
)
