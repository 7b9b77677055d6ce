"""Objects of Python that are one value leave as one: whoever holds the frame could tell them apart."""

import datetime
import json
from collections import Counter
from decimal import Decimal

import polars as pl
import pytest

import celosia
from celosia.tables import open_table

pandas = pytest.importorskip("pandas")

DAY = datetime.date(2020, 1, 1)
NOON = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
MIXED = {
    "decimals": [Decimal("1.10")] * 3 + [Decimal("1.1")] * 2 + [Decimal(2)] * 5,
    "numbers and texts": [1] * 3 + ["1"] * 2 + [2] * 5,
    "dates and times": [DAY] * 3 + [datetime.datetime(2020, 1, 1)] * 2 + [DAY.replace(year=2021)] * 5,
    "zones": [NOON] * 3 + [NOON.astimezone(datetime.timezone(datetime.timedelta(hours=2)))] * 2 + [None] * 5,
    "missing values": [None] * 3 + [float("nan")] * 2 + [1] * 5,
    "late zeros": [0] * 1000 + [-0.0] * 3 + [0.0] * 3 + [1.5] * 5,
}


def seen(frame):
    """How often every object stands in the column, as the sharpest reader tells them apart."""
    return Counter((type(value), repr(value)) for value in frame["x"])


@pytest.mark.parametrize("technique", ["full-domain", "top-down", "local", "mondrian"])
@pytest.mark.parametrize("values", MIXED.values(), ids=MIXED)
def test_what_is_counted_as_one_value_leaves_as_one(values, technique):
    frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
    release = celosia.anonymize(frame, quasi_identifiers=["x"], k=5, technique=technique)
    assert min(seen(release.table).values()) >= 5
    assert len(release.table) == len(values)


@pytest.mark.parametrize("values", MIXED.values(), ids=MIXED)
def test_objects_that_are_one_value_are_noticed(values):
    frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
    found = celosia.verify(frame, quasi_identifiers=["x"], k=5)
    assert not found.passed
    assert "several forms" in found.findings[0].text


def test_objects_of_one_kind_stay_what_they_are():
    frame = pandas.DataFrame({"x": pandas.Series([1] * 5 + [2] * 5, dtype=object)})
    assert celosia.verify(frame, quasi_identifiers=["x"], k=5).passed
    release = celosia.anonymize(frame, quasi_identifiers=["x"], k=5)
    assert seen(release.table) == {(int, "1"): 5, (int, "2"): 5}


@pytest.mark.parametrize(
    ("values", "texts"),
    [
        ([DAY, 2], ["2020-01-01", "2"]),
        ([DAY, 2.5, None], ["2020-01-01", "2.5", None]),
        ([datetime.datetime(2020, 1, 1, 9), 1], ["2020-01-01 09:00:00", "1"]),
        ([DAY, datetime.datetime(2020, 1, 1, 9)], ["2020-01-01", "2020-01-01 09:00:00"]),
        ([datetime.timedelta(days=1), 1], ["1 day, 0:00:00", "1"]),
        ([1.5, True], ["1.5", "True"]),
    ],
)
def test_objects_that_have_no_type_in_common_are_told_by_their_texts(values, texts, tmp_path):
    frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
    found = open_table(frame)
    assert [value for batch in found.scan() for value in batch["x"]] == texts
    celosia.anonymize(
        frame.assign(q="a"), out=tmp_path / "safe.json", quasi_identifiers=["q"], common=["x"], k=2
    )
    written = json.loads((tmp_path / "safe.json").read_text())
    assert Counter(row["x"] for row in written) == Counter(texts)


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([1, 2.5, None], pl.Float64()),
        ([Decimal("1.5"), 1, float("nan")], pl.Decimal(2, 1)),
        ([DAY, None, float("nan")], pl.Date()),
        ([[1], [2, 3]], pl.List(pl.Int64())),
        (["a", None, float("nan")], pl.String()),
    ],
)
def test_objects_that_have_a_type_in_common_are_of_that_type(values, dtype):
    frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
    assert [batch["x"].dtype for batch in open_table(frame).scan()] == [dtype]
