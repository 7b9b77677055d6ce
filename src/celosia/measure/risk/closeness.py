"""How far the sensitive values of a class are from those of the whole release: the t that is really reached."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode.bounds import read_bounds
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.shares import by_column
from celosia.measure.subject import MeasureSubject
from celosia.privacy import Histogram
from celosia.privacy.distance import equal_distance, hierarchical_distance, ordered_distance
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["MEASURES"]

Distance = Callable[[Histogram, int], npt.NDArray[np.float64]]
REFERENCE = (
    "Li, Li and Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007"
)


def _measured(subject: MeasureSubject, column: str, distance: Distance) -> MeasuredValue:
    """What the reader finds to whom classes are farthest from the whole, as the verification does."""
    classes = subject.classes
    histogram, size = classes.histograms[column], len(classes.counts)
    views = histogram.views if distance is equal_distance else histogram.meanings
    distances = np.max([distance(view, size) for view in views], axis=0)
    mean = float(distances @ classes.counts / classes.counts.sum())
    return MeasuredValue(float(distances.max()), details={"mean": mean})


def _equal(subject: MeasureSubject, column: str) -> MeasuredValue:
    return _measured(subject, column, equal_distance)


def _ordered(subject: MeasureSubject, column: str) -> MeasuredValue:
    kind = subject.kinds.get(column, ColumnType.TEXT)
    if kind not in NUMERIC_TYPES:
        raise NotMeasurableError(say("its values are neither numbers nor dates, so that they have no order"))
    return _measured(
        subject, column, lambda histogram, classes: ordered_distance(_in_order(histogram, kind), classes)
    )


def _in_order(histogram: Histogram, kind: ColumnType) -> Histogram:
    """With ranks by size: intervals of numbers or dates come by where they begin, what is missing last."""
    numbers = read_numbers(pl.Series(histogram.values), kind)
    # A text that says it is not a number is a missing one, not a label.
    labels = {
        int(code): str(text)
        for code in np.flatnonzero(np.isnan(numbers))
        if (text := histogram.values[code]) is not None and str(text).lower() != "nan"
    }
    if not labels and histogram.rank is not None:
        return histogram
    low, high = numbers.copy(), numbers.copy()
    for code, text in labels.items():
        bounds = read_bounds(text, kind)
        if bounds is None:
            raise NotMeasurableError(
                say("the label {text!r} is neither a number, a date nor an interval of them", text=text)
            )
        low[code], high[code] = bounds
    rank = np.empty(len(low), np.int64)
    rank[np.lexsort((high, low))] = np.arange(len(low))
    return replace(histogram, rank=rank)


def _hierarchical(subject: MeasureSubject, column: str) -> MeasuredValue:
    if column not in subject.hierarchies:
        raise NotMeasurableError(say("it has no hierarchy"))
    return _measured(subject, column, hierarchical_distance)


MEASURES = tuple(
    ReleaseMeasure(
        name=f"t-{name}",
        family=MeasureFamily.RISK,
        meaning=meaning,
        reference=REFERENCE,
        better="lower",
        compute=by_column(find),
    )
    for name, meaning, find in (
        (
            "equal",
            say("largest earth mover's distance between a class and the whole, any two values being 1 apart"),
            _equal,
        ),
        (
            "ordered",
            say(
                "largest earth mover's distance between a class and the whole, values being as far apart as their"
                " places in the order"
            ),
            _ordered,
        ),
        (
            "hierarchical",
            say(
                "largest earth mover's distance between a class and the whole, values being as far apart as the level"
                " at which their hierarchy joins them"
            ),
            _hierarchical,
        ),
    )
)
