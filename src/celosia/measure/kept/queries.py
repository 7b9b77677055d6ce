"""How wrong counts come out: random queries asked of the original and of the release.

A query asks how many rows have a number in a range, or one of some values, in each of a few columns. The release
answers with the share of what each row allows that lies in the query.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.kept.counted_pairs import understood_columns
from celosia.measure.kept.rows import row_counts
from celosia.measure.kept.spread import SpreadColumn, codes_among
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts

__all__ = ["MEASURES", "MEDIAN", "QueryAnswers", "ask_queries"]

MEDIAN = say("median query")

Floats = npt.NDArray[np.float64]

_MOST_CELLS = 4_000_000
"""Rows times queries that are looked at together: 32 MB."""
_RESAMPLES = 1_000


@dataclass(frozen=True)
class QueryAnswers:
    """Per query: over how many ``columns`` it was, the ``true`` rows, and those that the release has (``found``)."""

    columns: npt.NDArray[np.int64]
    true: Floats
    found: Floats


def ask_queries(
    subject: MeasureSubject, *, queries: int = 400, most_columns: int = 4, least: float = 0.001
) -> QueryAnswers:
    """Ask random queries over 1 to ``most_columns`` columns that at least the share ``least`` of the rows satisfy.

    Quasi-identifiers and sensitive columns are asked for, or all columns if none are named. How many rows a query is
    to reach is drawn evenly on a logarithmic scale; every column of it then has the same share of its rows in it, as
    in the experiments of X. Xiao and Y. Tao: Anatomy. VLDB 2006. Fewer are asked if too few reach enough rows.

    >>> people = pl.DataFrame({"age": [31, 38, 38, 47], "job": ["cook", "cook", "nurse", "nurse"]})
    >>> found = ask_queries(MeasureSubject.of(people, people), queries=20)
    >>> len(found.true), bool((found.true == found.found).all())
    (20, True)
    """
    rows, _ = row_counts(subject)
    columns = _queried_columns(subject)
    before, after = subject.original_counts(*columns), subject.counts(*columns)
    spreads = list(columns.values())
    codes = [
        (_codes(before, place, spread.decoded.values), _codes(after, place, spread.decoded.labels))
        for place, spread in enumerate(spreads)
    ]
    rng = np.random.default_rng(subject.seed)
    # Not by the release: all releases of one original are asked the same.
    size = max(1, min(64, _MOST_CELLS // max(1, len(before))))
    kept: list[QueryAnswers] = []
    asked = 0
    while (wanted := queries - sum(len(some.true) for some in kept)) > 0 and asked < 20 * queries:
        uses, members = _draw(rng, spreads, size, most_columns, least)
        asked += size
        true, estimated = np.ones((len(before), size)), np.ones((len(after), size))
        for spread, inside, (codes_before, codes_after) in zip(spreads, members, codes, strict=True):
            true *= inside[codes_before]
            estimated *= spread.average(inside)[codes_after]
        answers = QueryAnswers(uses.sum(axis=1), before.counts @ true, after.counts @ estimated)
        enough = np.flatnonzero(answers.true >= max(1.0, least * rows))[:wanted]
        kept.append(QueryAnswers(answers.columns[enough], answers.true[enough], answers.found[enough]))
    if not any(len(some.true) for some in kept):
        raise NotMeasurableError(say("no query was found that enough rows satisfy"))
    return QueryAnswers(
        np.concatenate([some.columns for some in kept]),
        np.concatenate([some.true for some in kept]),
        np.concatenate([some.found for some in kept]),
    )


def _queried_columns(subject: MeasureSubject) -> dict[str, SpreadColumn]:
    shared = subject.shared_columns
    named = [name for name in (*subject.quasi_identifiers, *subject.sensitive) if name in shared]
    columns, left_out = understood_columns(subject, tuple(dict.fromkeys(named)) or shared)
    if not columns:
        raise NotMeasurableError(next(iter(left_out.values()), "the two tables share no column"))
    return columns


def _codes(counts: Counts, place: int, alone: pl.Series) -> npt.NDArray[np.int64]:
    return codes_among(counts.texts[place], alone)[counts.codes[place]]


def _draw(
    rng: np.random.Generator, spreads: list[SpreadColumn], size: int, most_columns: int, least: float
) -> tuple[npt.NDArray[np.bool_], list[Floats]]:
    """``uses[query, column]``, and per column ``inside[point, query]``: 1 where a query takes a point, or all."""
    width = len(spreads)
    many = rng.integers(1, min(width, most_columns) + 1, size)
    uses = np.argsort(rng.random((size, width)), axis=1).argsort(axis=1) < many[:, None]
    share = np.exp(rng.uniform(np.log(least), 0.0, size)) ** (1 / many)
    members = []
    for place, spread in enumerate(spreads):
        draw = _ranges if spread.decoded.is_number else _sets
        members.append(np.where(uses[:, place], draw(rng, spread, share), 1.0))
    return uses, members


def _ranges(rng: np.random.Generator, spread: SpreadColumn, share: Floats) -> Floats:
    """Ranges that hold about a share of the rows each, from anywhere."""
    start = rng.random(len(share)) * (1 - share)
    ordered = spread.numbers[spread.order]
    up_to = np.cumsum(spread.before[spread.order])
    if not len(ordered):
        return np.zeros((len(spread.numbers), len(share)))
    ends = [np.searchsorted(up_to, place * up_to[-1], "right") for place in (start, start + share)]
    low, high = (ordered[np.minimum(end, len(ordered) - 1)] for end in ends)
    numbers = spread.numbers[:, None]
    return np.asarray((numbers >= low) & (numbers <= high), np.float64)


def _sets(rng: np.random.Generator, spread: SpreadColumn, share: Floats) -> Floats:
    """Every value is taken with the chance of the share; one value, drawn by its rows, where none was."""
    # By the order of their texts: tables list values in orders of their own, and a seed must mean the same queries.
    order = spread.decoded.values.arg_sort().to_numpy()
    rows = spread.before[order]
    taken = rng.random((len(rows), len(share))) < share
    single = rng.choice(len(rows), len(share), p=rows / rows.sum())
    empty = ~taken.any(axis=0)
    taken[single[empty], np.flatnonzero(empty)] = True
    inside = np.empty(taken.shape)
    inside[order] = taken
    return inside


def _errors(subject: MeasureSubject, *, sanity: float = 0.005) -> Iterator[MeasuredValue]:
    """Relative errors, of the true count or of ``sanity`` times the rows if it is less."""
    answers = ask_queries(subject)
    bound = sanity * row_counts(subject)[0]
    errors = np.abs(answers.found - answers.true) / np.maximum(answers.true, bound)
    rng = np.random.default_rng(subject.seed)
    samples = errors[rng.integers(0, len(errors), (_RESAMPLES, len(errors)))]
    by_columns = {
        str(many): float(errors[answers.columns == many].mean())
        for many in np.unique(answers.columns).tolist()
    }
    details = {"queries": len(errors), "by_columns": by_columns}
    yield MeasuredValue(float(errors.mean()), interval=_interval(samples.mean(axis=1)), details=details)
    yield MeasuredValue(
        float(np.median(errors)), interval=_interval(np.median(samples, axis=1)), about=MEDIAN
    )


def _interval(estimates: Floats) -> tuple[float, float]:
    """95 %, by the bootstrap over queries (Efron, Annals of Statistics 7(1), 1979)."""
    low, high = np.quantile(estimates, (0.025, 0.975))
    return float(low), float(high)


MEASURES = (
    ReleaseMeasure(
        name="query-error",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "relative error of random counts over 1 to 4 columns, mean; small counts taken as 0.5 % of the rows"
        ),
        reference="LeFevre, DeWitt and Ramakrishnan, Workload-aware anonymization, KDD 2006; Xiao and Tao, VLDB 2006",
        better="lower",
        high=inf,
        compute=_errors,
    ),
)
