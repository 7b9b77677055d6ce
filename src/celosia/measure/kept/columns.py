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
from celosia.measure.distribution.variation import marginal_variation
from celosia.measure.kept.histogram import histogram
from celosia.measure.kept.rows import row_counts
from celosia.measure.kept.spread import Spread, spread_column
from celosia.measure.measured import Family, Measured, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import Subject

__all__ = ["MEASURES", "both_marginals"]

_PARTS = 2**52
"""Fractions of rows are counted in parts, so many in all: whole numbers whose shares are still rounded correctly."""


def both_marginals(spread: Spread) -> tuple[Marginal, Marginal]:
    """The numbers of a column before and after, the release in small parts of rows.

    >>> import polars as pl
    >>> subject = Subject.of(pl.DataFrame({"age": [31, 38, 47]}), pl.DataFrame({"age": ["[30-39]"]}))
    >>> before, after = both_marginals(spread_column(subject, "age"))
    >>> after.values.tolist(), (after.rows / after.present).tolist(), round(ks_distance(before, after), 3)
    ([31.0, 38.0], [0.5, 0.5], 0.333)
    """
    return Marginal.of(spread.numbers, spread.before), Marginal.of(spread.numbers, _parts(spread))


def _parts(spread: Spread) -> npt.NDArray[np.int64]:
    rows = max(1, int(spread.rows.sum()))
    return np.rint(spread.deal(spread.rows) * max(1, _PARTS // rows)).astype(np.int64)


def _variation(subject: Subject, spread: Spread) -> Measured:
    if spread.decoded.is_number:
        value = marginal_variation(*both_marginals(spread))
    else:
        values = spread.decoded.values
        value = total_variation((values, spread.before), (values, _parts(spread)))
    kind = subject.kinds[spread.column]
    return Measured(value, details={"histogram": histogram(spread, kind, least=subject.threshold)})


def _ks(subject: Subject, spread: Spread) -> Measured:
    return Measured(ks_distance(*both_marginals(spread)))


def _wasserstein(subject: Subject, spread: Spread) -> Measured:
    before, after = both_marginals(spread)
    moved = wasserstein_distance(before, after)
    if not isfinite(moved):
        raise NotMeasurableError(f"{spread.column!r} has no finite numbers on one side")
    return Measured(wasserstein_share(before, after), details={"distance": moved})


def _of_numbers(
    compute: Callable[[Subject, Spread], Measured],
) -> Callable[[Subject], Iterator[Measured]]:
    def found(subject: Subject) -> Iterator[Measured]:
        names = [name for name in subject.shared_columns if subject.decoded(name).is_number]
        if not names:
            raise NotMeasurableError("no column of both tables holds numbers or dates")
        yield from _each(subject, names, lambda name: compute(subject, spread_column(subject, name)))

    return found


def _of_all(subject: Subject) -> Iterator[Measured]:
    return _each(
        subject, subject.shared_columns, lambda name: _variation(subject, spread_column(subject, name))
    )


def _of_texts(subject: Subject) -> Iterator[Measured]:
    def compared(name: str) -> Measured:
        before, after = subject.original_counts(name), subject.counts(name)
        value = total_variation((before.values[0], before.rows_of(0)), (after.values[0], after.rows_of(0)))
        return Measured(value)

    return _each(subject, subject.shared_columns, compared)


def _each(subject: Subject, names: Iterable[str], compute: Callable[[str], Measured]) -> Iterator[Measured]:
    """The mean over the columns, and each column; those that were named and are not released say so."""
    row_counts(subject)
    found = []
    for name in names:
        try:
            one = compute(name)
            found.append(Measured(one.value, about=name, details=one.details))
        except NotMeasurableError as reason:
            found.append(Measured(None, about=name, why_not=str(reason)))
    if not found:
        raise NotMeasurableError("the two tables share no column")
    values = [one.value for one in found if one.value is not None]
    if values:
        yield Measured(float(np.mean(values)), details={"columns": len(values)})
    yield from found
    yield from (
        Measured(None, about=name, why_not=f"the release has no column {name!r}")
        for name in dict.fromkeys((*subject.quasi_identifiers, *subject.sensitive, *subject.targets))
        if name not in subject.release.columns()
    )


MEASURES = (
    ReleaseMeasure(
        name="variation",
        family=Family.UTILITY,
        meaning="share of rows that would have to change their value, labels spread evenly over what they allow",
        reference="Levin, Peres and Wilmer, Markov chains and mixing times, 2009",
        better="lower",
        compute=_of_all,
    ),
    ReleaseMeasure(
        name="text-variation",
        family=Family.UTILITY,
        meaning="share of rows that would have to change their text: an interval is another text than its values",
        reference="Levin, Peres and Wilmer, Markov chains and mixing times, 2009",
        better="lower",
        compute=_of_texts,
    ),
    ReleaseMeasure(
        name="ks",
        family=Family.UTILITY,
        meaning="largest difference between the shares of rows up to a number (Kolmogorov-Smirnov), labels spread",
        reference="Smirnov, Table for estimating the goodness of fit, Annals of Mathematical Statistics 19(2), 1948",
        better="lower",
        compute=_of_numbers(_ks),
    ),
    ReleaseMeasure(
        name="wasserstein",
        family=Family.UTILITY,
        meaning="how far numbers moved on average, as a share of the original's range, labels spread",
        reference="Vallender, Theory of Probability and Its Applications 18(4), 1974",
        better="lower",
        high=inf,
        compute=_of_numbers(_wasserstein),
    ),
)
