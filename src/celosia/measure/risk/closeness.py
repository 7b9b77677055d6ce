"""How far the sensitive values of a class are from those of the whole release: the t that is really reached."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from celosia.measure.decode.bounds import read_bounds
from celosia.measure.distribution.marginal import NUMERIC_TYPES
from celosia.measure.measured import Family, Measured, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.shares import by_column
from celosia.measure.subject import Subject
from celosia.privacy import Histogram
from celosia.privacy.distance import equal_distance, hierarchical_distance, ordered_distance
from celosia.types import ColumnType

__all__ = ["MEASURES"]

Distance = Callable[[Histogram, int], npt.NDArray[np.float64]]
REFERENCE = (
    "Li, Li and Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007"
)


def _measured(subject: Subject, column: str, distance: Distance) -> Measured:
    classes = subject.classes
    distances = distance(classes.histograms[column], len(classes.counts))
    mean = float(distances @ classes.counts / classes.counts.sum())
    return Measured(float(distances.max()), details={"mean": mean})


def _equal(subject: Subject, column: str) -> Measured:
    return _measured(subject, column, equal_distance)


def _ordered(subject: Subject, column: str) -> Measured:
    kind = subject.kinds.get(column, ColumnType.TEXT)
    if kind not in NUMERIC_TYPES:
        raise NotMeasurableError("its values are neither numbers nor dates, so that they have no order")
    return _measured(
        subject, column, lambda histogram, classes: ordered_distance(_in_order(histogram, kind), classes)
    )


def _in_order(histogram: Histogram, kind: ColumnType) -> Histogram:
    """With ranks by size: intervals of numbers or dates come by where they begin, a missing value last."""
    bounds = [None if text is None else read_bounds(text, kind) for text in histogram.values]
    unread = [
        text
        for text, found in zip(histogram.values, bounds, strict=True)
        if text is not None and found is None
    ]
    if unread:
        raise NotMeasurableError(
            f"the label {unread[0]!r} is neither a number, a date nor an interval of them"
        )
    ends = np.array([found or (np.inf, np.inf) for found in bounds]).reshape(-1, 2)
    is_missing = np.array([found is None for found in bounds], np.bool_)
    rank = np.empty(len(bounds), np.int64)
    rank[np.lexsort((ends[:, 1], ends[:, 0], is_missing))] = np.arange(len(bounds))
    return replace(histogram, rank=rank)


def _hierarchical(subject: Subject, column: str) -> Measured:
    if column not in subject.hierarchies:
        raise NotMeasurableError("it has no hierarchy")
    return _measured(subject, column, hierarchical_distance)


MEASURES = tuple(
    ReleaseMeasure(
        name=f"t-{name}",
        family=Family.RISK,
        meaning=f"largest earth mover's distance between a class and the whole, {apart}",
        reference=REFERENCE,
        better="lower",
        compute=by_column(find),
    )
    for name, apart, find in (
        ("equal", "any two values being 1 apart", _equal),
        ("ordered", "values being as far apart as their places in the order", _ordered),
        (
            "hierarchical",
            "values being as far apart as the level at which their hierarchy joins them",
            _hierarchical,
        ),
    )
)
