"""What is still there: rows, columns, and cells that say something."""

from collections.abc import Iterator
from math import inf

import numpy as np

from celosia.measure.decode import LabelMeaning
from celosia.measure.release_measure import MeasuredValue, MeasureFamily, NotMeasurableError, ReleaseMeasure
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "row_counts"]


def row_counts(subject: MeasureSubject) -> tuple[int, int]:
    """Rows of the original and of the release; an original without any cannot be measured against.

    >>> import polars as pl
    >>> row_counts(MeasureSubject.of(pl.DataFrame({"age": [31, 38]}), pl.DataFrame({"age": [31]})))
    (2, 1)
    """
    before, after = subject.source.columns()[:1], subject.release.columns()[:1]
    rows, released = subject.original_counts(*before).rows, subject.counts(*after).rows
    if not rows:
        raise NotMeasurableError(say("the original has no rows"))
    return rows, released


def _rows_kept(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    rows, released = row_counts(subject)
    yield MeasuredValue(released / rows, details={"before": rows, "after": released})


def _columns_kept(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    names = [name for name in subject.source.columns() if name != subject.key]
    if not names:
        raise NotMeasurableError(say("the original has no columns"))
    after = subject.release.columns()
    details = {
        "dropped": [name for name in names if name not in after],
        "added": [name for name in after if name not in names and name != subject.key],
    }
    yield MeasuredValue(len(subject.shared_columns) / len(names), details=details)


def _cells_suppressed(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    """Cells of released rows that allow everything, or are empty where the original has fewer empty ones."""
    rows = row_counts(subject)[1]
    suppressed = {
        name: _stars(subject, name) + max(0, _missing(subject, name)[2]) for name in _shared(subject)
    }
    yield MeasuredValue(
        sum(suppressed.values()) / max(1, rows * len(suppressed)), details={"cells": sum(suppressed.values())}
    )
    for name, cells in suppressed.items():
        yield MeasuredValue(cells / max(1, rows), about=name, details={"cells": cells})


def _missing_added(subject: MeasureSubject) -> Iterator[MeasuredValue]:
    row_counts(subject)
    missing = {name: _missing(subject, name) for name in _shared(subject)}
    yield MeasuredValue(float(np.mean([after - before for before, after, _ in missing.values()])))
    for name, (before, after, _) in missing.items():
        yield MeasuredValue(after - before, about=name, details={"before": before, "after": after})


def _shared(subject: MeasureSubject) -> tuple[str, ...]:
    if not subject.shared_columns:
        raise NotMeasurableError(say("the two tables share no column"))
    return subject.shared_columns


def _stars(subject: MeasureSubject, name: str) -> int:
    counts, decoded = subject.counts(name), subject.decoded(name)
    return int(counts.rows_of(0)[decoded.meanings == LabelMeaning.EVERYTHING].sum())


def _missing(subject: MeasureSubject, name: str) -> tuple[float, float, int]:
    """The share of missing values before and after, and how many more there are."""
    missing = []
    for counts in (subject.original_counts(name), subject.counts(name)):
        empty = int(counts.rows_of(0)[counts.values[0].is_null().to_numpy()].sum())
        missing.append((empty, empty / max(1, counts.rows)))
    (before, share_before), (after, share_after) = missing
    return share_before, share_after, after - before


MEASURES = (
    ReleaseMeasure(
        name="rows-kept",
        family=MeasureFamily.UTILITY,
        meaning=say("rows of the release over rows of the original"),
        reference="Samarati, Protecting respondents' identities in microdata release, TKDE 2001",
        better="higher",
        high=inf,
        compute=_rows_kept,
    ),
    ReleaseMeasure(
        name="columns-kept",
        family=MeasureFamily.UTILITY,
        meaning=say("share of the original's columns that the release has"),
        reference="Hundepool et al., Statistical disclosure control, 2012",
        better="higher",
        compute=_columns_kept,
    ),
    ReleaseMeasure(
        name="cells-suppressed",
        family=MeasureFamily.UTILITY,
        meaning=say("share of released cells that say nothing: any value is possible, or it was taken out"),
        reference="De Waal and Willenborg, Information loss through global recoding and local suppression, 1999",
        better="lower",
        compute=_cells_suppressed,
    ),
    ReleaseMeasure(
        name="missing-added",
        family=MeasureFamily.UTILITY,
        meaning=say("share of missing values in the release less that in the original"),
        reference="Hundepool et al., Statistical disclosure control, 2012",
        better="lower",
        low=-1,
        compute=_missing_added,
    ),
)
