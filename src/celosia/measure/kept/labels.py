"""The measures that searches minimize, of any release: computed from its labels and the sizes of its classes.

They agree with what a full-domain search reports of the same release, for both ask the same functions what a cell or
the classes cost.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf

import numpy as np
import numpy.typing as npt

from celosia.measure.kept.levels import NO_LEVEL, LabelLevels, label_column
from celosia.measure.kept.rows import row_counts
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.measure.utility import (
    CellMeasure,
    ClassMeasure,
    ColumnLevel,
    Measure,
    NodeTally,
    utility_measures,
)
from celosia.say import say

__all__ = ["MEASURES"]

_NEED_LEVELS = ("precision", "height", "sum-of-heights")

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class _Paid:
    """What all cells of a column pay, what they paid in the original, and what they would if all were suppressed."""

    cost: float
    before: float
    worst: float


def _classes_cost(measure: ClassMeasure, subject: MeasureSubject) -> Iterator[MeasuredValue]:
    rows, released = row_counts(subject)
    sizes = subject.classes.counts
    squares = float(np.sum(sizes.astype(np.float64) ** 2))
    suppressed = max(0, rows - released)
    tally = NodeTally(max(rows, released), suppressed, suppressed, len(sizes), squares, len(sizes), squares)
    smallest = int(sizes.min()) if len(sizes) else 0
    yield MeasuredValue(float(measure.value(tally)), details={"classes": len(sizes), "smallest": smallest})


def _cells_cost(measure: CellMeasure, subject: MeasureSubject) -> Iterator[MeasuredValue]:
    """Over all quasi-identifiers, then each; a quasi-identifier that is not released has lost all its cells."""
    if not subject.quasi_identifiers:
        raise NotMeasurableError(say("no quasi-identifier was named"))
    rows, released = row_counts(subject)
    paid: list[_Paid] = []
    answers: list[MeasuredValue] = []
    for name in subject.quasi_identifiers:
        try:
            answer = _column_cost(measure, subject, name, rows=rows, released=released)
            paid.append(answer)
            details = {} if name in subject.release.columns() else {"is_released": False}
            answers.append(
                MeasuredValue(_total(measure, [answer], max(rows, released)), about=name, details=details)
            )
        except NotMeasurableError as reason:
            answers.append(MeasuredValue(None, about=name, why_not=reason.why))
    reasons = [answer.why_not for answer in answers if answer.why_not]
    # Over some of the columns it would look better than it is.
    whole = None if reasons else _total(measure, paid, max(rows, released))
    yield MeasuredValue(whole, why_not=reasons[0] if reasons else None)
    yield from answers


def _total(measure: CellMeasure, paid: Iterable[_Paid], rows: int) -> float:
    """As searches put columns together: a share of the way from the original to nothing, or a sum per row."""
    columns = list(paid)
    if not measure.is_share:
        return sum(answer.cost for answer in columns) / rows
    most = sum(answer.worst - answer.before for answer in columns)
    # Where every row has the same value nothing can be lost, and what is left is a rounding.
    can_lose = most > 1e-9 * sum(answer.worst for answer in columns)
    return sum(answer.cost - answer.before for answer in columns) / most if can_lose else 0.0


def _column_cost(
    measure: CellMeasure, subject: MeasureSubject, column: str, *, rows: int, released: int
) -> _Paid:
    everything = max(rows, released)
    full = 0.0 if measure.full is None else measure.full(everything)
    counted = subject.original_counts(column)
    of_values, values = counted.rows_of(0), len(counted.values[0])
    hierarchy = subject.hierarchies.get(column)
    height = 1 if hierarchy is None else hierarchy.height
    at_first = measure.cost(ColumnLevel(0, height, np.ones(values, np.int64), values, of_values))
    before = float(at_first @ of_values) * everything / rows
    if column not in subject.release.columns():
        if measure.full is None:
            raise NotMeasurableError(say("the release has no column {column!r}", column=column))
        return _Paid(full * everything, before, full * everything)
    costs = _label_costs(measure, column, label_column(subject, column))
    costs += _emptied(subject, column) * (full - costs)
    cost = float(costs @ subject.counts(column).rows_of(0))
    if measure.full is None:
        return _Paid(cost * everything / max(1, released), before, inf)
    return _Paid(cost + full * (everything - released), before, full * everything)


def _label_costs(measure: CellMeasure, column: str, labelled: LabelLevels) -> Floats:
    if measure.name in _NEED_LEVELS and (labelled.levels == NO_LEVEL).any():
        raise NotMeasurableError(say("labels of {column!r} are at no level of a hierarchy", column=column))
    costs = np.zeros(len(labelled.levels))
    for number in np.unique(labelled.levels).tolist():
        here = labelled.levels == number
        level = ColumnLevel(
            number, labelled.height, labelled.leaves[here], labelled.size, labelled.rows[here]
        )
        costs[here] = measure.cost(level)
    # Of an interval of numbers, Xu et al. take the share of the range, as multidimensional recoding does here too.
    return np.where(np.isnan(labelled.widths), costs, labelled.widths) if measure.name == "loss" else costs


def _emptied(subject: MeasureSubject, column: str) -> Floats:
    """Per label 0; of an empty one the share of its cells that had a value in the original."""
    before, after = subject.original_counts(column), subject.counts(column)
    is_null = after.values[0].is_null().to_numpy()
    empty = int(after.rows_of(0)[is_null].sum())
    was_empty = int(before.rows_of(0)[before.values[0].is_null().to_numpy()].sum())
    return np.where(is_null, max(0, empty - was_empty) / max(1, empty), 0.0)


def _of_release(measure: Measure) -> ReleaseMeasure:
    compute: Callable[[MeasureSubject], Iterable[MeasuredValue]]
    if isinstance(measure, ClassMeasure):
        compute, high = partial(_classes_cost, measure), inf
    else:
        compute, high = partial(_cells_cost, measure), 1.0 if measure.is_share else inf
    return ReleaseMeasure(
        name=measure.name,
        family=MeasureFamily.UTILITY,
        meaning=measure.meaning,
        reference=measure.reference,
        better="lower",
        high=high,
        compute=compute,
    )


MEASURES = tuple(_of_release(measure) for measure in utility_measures().values())
