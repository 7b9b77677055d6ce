"""People of the original who are singled out: one released row, and no other, can be theirs."""

import numpy as np

from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.risk.classes import released_risk
from celosia.measure.risk.matching import match_classes
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES"]


def _singled_out(subject: MeasureSubject) -> list[MeasuredValue]:
    """A suppressed cell allows everybody, so that the row hides others too: uniques of the release need not be."""
    released_risk(subject)
    lacking = [name for name in subject.released_quasi_identifiers if name not in subject.source.columns()]
    if lacking:
        raise NotMeasurableError(say("the original has no column {column!r}", column=lacking[0]))
    counts = subject.original_counts(*subject.released_quasi_identifiers)
    if not counts.rows:
        raise NotMeasurableError(say("the original has no rows"))
    rows = np.zeros(len(counts), np.int64)
    for combinations, classes in match_classes(subject, counts):
        rows += np.bincount(combinations, subject.class_counts.counts[classes], len(rows)).astype(np.int64)
    people = int(counts.counts[rows == 1].sum())
    unmatched = int(counts.counts[rows == 0].sum())
    return [MeasuredValue(people / counts.rows, details={"people": people, "allowed_by_no_row": unmatched})]


MEASURES = (
    ReleaseMeasure(
        name="singled-out",
        family=MeasureFamily.RISK,
        meaning=say(
            "share of the original's people whom exactly one released row allows by its quasi-identifiers"
        ),
        reference="Article 29 Working Party, Opinion 05/2014 on anonymisation techniques, section 2.2.2",
        better="lower",
        compute=_singled_out,
    ),
)
