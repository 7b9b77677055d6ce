"""The risk of every row, for whoever wants it beside the release: an evidence for its keeper, not for publishing."""

from collections.abc import Iterator
from contextlib import suppress

import numpy as np
import polars as pl

from celosia.errors import ProjectError
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.risk.classes import released_risk
from celosia.measure.risk.individual import released_individual_risk
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts
from celosia.values.named import named
from celosia.values.text import text_of

__all__ = ["RISK_COLUMNS", "row_risks"]

RISK_COLUMNS = ("class_rows", "row_risk", "population_risk")
"""Rows of the class; the prosecutor's risk; that of being named among the population, where it is known."""


def row_risks(subject: MeasureSubject) -> Iterator[pl.DataFrame]:
    """The rows of the release in batches, as the table scans them, with ``RISK_COLUMNS`` at their end.

    Only the classes are held in memory. A file gets them batch after batch; in memory ``pl.concat`` makes them one
    frame. Not measurable where the release shows no quasi-identifier or has no rows.

    >>> release = pl.DataFrame({"age": ["3*", "4*", "3*"], "job": ["cook", "nurse", "nurse"]})
    >>> subject = MeasureSubject.of(None, release, quasi_identifiers=["age"])
    >>> pl.concat(row_risks(subject)).rows()
    [('3*', 'cook', 2, 0.5), ('4*', 'nurse', 1, 1.0), ('3*', 'nurse', 2, 0.5)]
    """
    taken = [name for name in RISK_COLUMNS if name in subject.release.columns()]
    if taken:
        raise ProjectError(
            say("the release has a column {column!r} already", column=taken[0]),
            where=subject.release.name,
            remedy=say("rename it: the risk of every row is to be called so"),
        )
    released_risk(subject)
    counts = subject.class_counts
    risks = _risks(subject)
    classes = pl.DataFrame([pl.Series(f"c{i}", codes) for i, codes in enumerate(counts.codes)])
    classes = classes.with_columns(pl.Series("class", np.arange(len(counts))))
    return (
        batch.hstack(risks[_classes(batch, counts, classes)].get_columns())
        for batch in subject.release.scan()
    )


def _risks(subject: MeasureSubject) -> pl.DataFrame:
    """The risks of every class."""
    sizes = subject.class_counts.counts
    columns = {RISK_COLUMNS[0]: sizes, RISK_COLUMNS[1]: 1 / sizes}
    with suppress(NotMeasurableError):
        columns[RISK_COLUMNS[2]] = released_individual_risk(subject)
    return pl.DataFrame(columns)


def _classes(batch: pl.DataFrame, counts: Counts, classes: pl.DataFrame) -> pl.Series:
    """The class of every row."""
    codes = []
    for place, name in enumerate(counts.columns):
        known = counts.texts[place].drop_nulls()
        texts = batch.select(text_of(named(name), batch.schema[name], column=name)).to_series()
        # A text that was not counted as a value is one that means a missing value.
        numbers = texts.cast(pl.Enum(known), strict=False).to_physical().cast(pl.Int32).fill_null(len(known))
        codes.append(numbers.alias(f"c{place}"))
    keys = [f"c{place}" for place in range(len(codes))]
    return pl.DataFrame(codes).join(classes, on=keys, how="left", maintain_order="left").get_column("class")
