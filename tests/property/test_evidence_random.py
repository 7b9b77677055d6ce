"""Evidence is about values: it is the same from CSV, Parquet and a returned frame, in memory and part by part."""

import datetime
import math
import tempfile
from decimal import Decimal
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import celosia
from celosia.errors import CelosiaError
from celosia.measure.distribution import compare_counts, compare_large
from celosia.release.reading import as_received
from celosia.tables import open_table, write_frame
from celosia.types import Column, ColumnType

NUMBERS = [0.0, -0.0, 1.1, 1.25, 7.0, -3.5]
COLUMNS = {
    "n": (pl.Int64, st.integers(-2, 6)),
    "r": (pl.Float64, st.sampled_from([*NUMBERS, 1e20])),
    "f": (pl.Float32, st.sampled_from([0.1, 0.2, 1.5, 7.0])),
    "c": (pl.Decimal(12, 2), st.sampled_from([Decimal("1.10"), Decimal("2.00"), Decimal("-0.35")])),
    "d": (pl.Date, st.dates(datetime.date(2020, 1, 1), datetime.date(2020, 1, 6))),
    "m": (pl.Datetime("us"), st.sampled_from([datetime.datetime(2020, 1, day, 10, 30) for day in (1, 2, 9)])),
    "b": (pl.Boolean, st.booleans()),
    "t": (pl.String, st.sampled_from(["a", "b", "1.10", "1.1"])),
}
MONDRIAN = [("mondrian", {"represent": shown}) for shown in ("mode", "median", "mean", "range")]
TECHNIQUES = [
    *MONDRIAN,
    ("distribution-mondrian", {}),
    ("clustering", {}),
    ("clustering", {"represent": "mode", "blind": True}),
    ("full-domain", {}),
    ("local", {}),
    ("top-down", {}),
    ("two-phase", {}),
]
AS_FOUND = (Phase.explicit, Phase.reuse, Phase.generate)
"""Tables are small already; to make one smaller takes minutes of releases."""
MEASURES = ("variation", "text-variation", "ks", "wasserstein", "loss", "cells-suppressed", "missing-added")


@st.composite
def people(draw, names):
    """A few people with two columns of some types, here and there missing, and an illness."""
    rows = draw(st.integers(6, 14))
    chosen = draw(st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True))
    cells = {name: st.none() | COLUMNS[name][1] for name in chosen}
    columns = [
        pl.Series(name, draw(st.lists(cell, min_size=rows, max_size=rows)), dtype=COLUMNS[name][0])
        for name, cell in cells.items()
    ]
    assume(all(column.null_count() < rows for column in columns))
    ill = pl.Series("ill", draw(st.lists(st.sampled_from("xyz"), min_size=rows, max_size=rows)))
    return pl.DataFrame([*columns, ill])


def answers(original, release, names, **how):
    """What the measures answer, without labels: those of files of text are texts."""
    found = celosia.measure_release(
        original, release, quasi_identifiers=names, sensitive=["ill"], measures=MEASURES, **how
    )
    return {
        (result.measure.name, one.about): (one.value, one.why_not)
        for result in found
        for one in result.answers
    }


def same(one, other):
    assert one.keys() == other.keys()
    for key, (value, why_not) in one.items():
        assert other[key][1] == why_not, key
        assert near(value, other[key][0], 1e-12), key


@pytest.mark.parametrize(
    ("technique", "how"), TECHNIQUES, ids=lambda one: one if isinstance(one, str) else ""
)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck), phases=AS_FOUND)
@given(data=st.data())
def test_evidence_is_the_same_from_every_place_a_release_goes_to(technique, how, data):
    numbers_only = technique == "distribution-mondrian"
    frame = data.draw(people(["n", "r"] if numbers_only else list(COLUMNS)))
    marker = data.draw(st.sampled_from(["", "?", "NA"]))
    names = frame.columns[:2]
    told = {
        "quasi_identifiers": names,
        "sensitive": ["ill"],
        "k": 2,
        "technique": technique,
        "seed": 1,
        **how,
    }
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, data.draw(st.sampled_from(["people.csv", "people.parquet"])))
        write_frame(frame, source, missing=(marker,))
        try:
            in_memory = celosia.anonymize(open_frame(source), **told)
        except CelosiaError:
            assume(False)
        measured = None
        for name in ("one.csv", "two.parquet"):
            written = celosia.anonymize(source, out=Path(folder, name), **told)
            assert written.comparison == in_memory.comparison
            found = answers(source, Path(folder, name), names)
            measured = found if measured is None else measured
            same(measured, found)
        if source.suffix == ".parquet":
            same(measured, answers(frame, in_memory.table, names))


def open_frame(source):
    """The rows of a file as a frame, with the types that the file has."""
    if source.suffix == ".parquet":
        return pl.read_parquet(source)
    table = open_table(source)
    parsers = table.parsers_of(table.columns())
    rows = pl.concat(list(table.scan()))
    missing = pl.Series(["", "?", "NA"]).implode()
    known = rows.select(pl.when(pl.all().is_in(missing)).then(None).otherwise(pl.all()).name.keep())
    return pl.DataFrame(
        [
            parsers[name].parse(known.get_column(name)).alias(name)
            if name in parsers
            else known.get_column(name)
            for name in rows.columns
        ]
    )


@st.composite
def both_sides(draw):
    """Two tables of the same columns, each here and there missing."""
    cells = {name: st.none() | one for name, (_, one) in COLUMNS.items()} | {
        "r": st.none() | st.sampled_from([*NUMBERS, math.inf, -math.inf, math.nan])
    }
    sides = []
    for _ in range(2):
        rows = draw(st.integers(1, 8))
        sides.append(
            pl.DataFrame(
                [
                    pl.Series(
                        name, draw(st.lists(cell, min_size=rows, max_size=rows)), dtype=COLUMNS[name][0]
                    )
                    for name, cell in cells.items()
                ]
            )
        )
    return sides


KINDS = {
    "n": ColumnType.INTEGER,
    "r": ColumnType.REAL,
    "f": ColumnType.REAL,
    "c": ColumnType.DECIMAL,
    "d": ColumnType.DATE,
    "m": ColumnType.DATETIME,
    "b": ColumnType.BOOLEAN,
    "t": ColumnType.TEXT,
}


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), phases=AS_FOUND)
@given(both_sides(), st.sampled_from(["", "?"]))
def test_tables_that_do_not_fit_are_compared_as_those_that_do(sides, marker):
    names = list(KINDS)
    types = {name: Column(name, kind) for name, kind in KINDS.items()}
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        write_frame(sides[1], Path(folder, "after.csv"), missing=(marker,))
        before = open_table(sides[0])
        after = as_received(open_table(Path(folder, "after.csv"), missing=()), missing=(marker,), types=types)
        counts = [table.count_by(names) for table in (before, after)]
        here = compare_counts(counts[0], counts[1], names, types=KINDS)
        there = compare_large(before, after, names, types=KINDS, memory=1 << 26, folder=Path(folder))
    for one, other in zip(here.columns, there.columns, strict=True):
        assert one.kind == other.kind
        for field in ("distance", "significance", "is_kept", "missing_before", "missing_after"):
            assert getattr(one, field) == getattr(other, field), (one.column, field)
        for field in ("wasserstein", "wasserstein_share", "variation"):
            assert near(getattr(one, field), getattr(other, field), 1e-9), (one.column, field)
    for field in ("correlation_largest", "correlation_mean"):
        assert near(getattr(here, field), getattr(there, field), 1e-6), field


def near(one, other, within):
    return one is other is None or other == pytest.approx(one, rel=within, abs=within)
