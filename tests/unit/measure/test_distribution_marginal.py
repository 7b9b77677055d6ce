"""Marginals, and the numbers that the texts of a column are."""

import datetime
import math

import numpy as np
import polars as pl
import pytest

from celosia.measure.distribution.marginal import Marginal, align, read_numbers
from celosia.types import ColumnType


def test_values_are_sorted_merged_and_freed_of_missing_ones() -> None:
    found = Marginal.of([2.0, math.nan, -math.inf, 2.0, math.inf, 1.0], [1, 7, 2, 3, 4, 0])
    assert found.values.tolist() == [-math.inf, 2.0, math.inf]
    assert found.rows.tolist() == [2, 4, 4]
    assert (found.missing, found.present, found.missing_share) == (7, 10, 7 / 17)


def test_both_infinities_merge_with_their_own_kind() -> None:
    assert Marginal.of([math.inf, -math.inf, math.inf, -math.inf]).rows.tolist() == [2, 2]


def test_the_two_zeros_are_one_value() -> None:
    assert Marginal.of([0.0, -0.0]).rows.tolist() == [2]


@pytest.mark.parametrize("values", [[], [math.nan]])
def test_a_column_may_have_no_values(values: list[float]) -> None:
    found = Marginal.of(values)
    assert (len(found.values), found.present, found.missing) == (0, 0, len(values))


def test_rows_beyond_what_a_double_counts_are_kept() -> None:
    assert Marginal.of([1.0, 1.0], [2**60, 1]).rows.tolist() == [2**60 + 1]


def test_aligned_marginals_have_a_place_for_every_value() -> None:
    values, before, after = align(Marginal.of([1, math.inf]), Marginal.of([]))
    assert (values.tolist(), before.tolist(), after.tolist()) == ([1.0, math.inf], [1, 1], [0, 0])


@pytest.mark.parametrize(
    ("kind", "text", "number"),
    [
        (ColumnType.INTEGER, "007", 7.0),
        (ColumnType.INTEGER, "35.5", 35.5),
        (ColumnType.REAL, "-1e3", -1000.0),
        (ColumnType.REAL, "-inf", -math.inf),
        (ColumnType.DECIMAL, "123456789012345678901234567890.10", 1.2345678901234568e29),
        (ColumnType.DATE, "1969-12-31", -1.0),
        (ColumnType.DATE, "2000-02-29", 11016.0),
        (ColumnType.DATETIME, "1970-01-02T00:00:00", 86400.0),
        (ColumnType.DATETIME, "1970-01-01 00:01", 60.0),
        (ColumnType.DATETIME, "1970-01-01T00:00:00.250", 0.25),
        (ColumnType.DATETIME, "1970-01-01T00:00:00Z", 0.0),
        (ColumnType.DATETIME, "1970-01-01T00:00:00-01:30", 5400.0),
        (ColumnType.DATETIME, "1970-01-01T02:00:00+0200", 0.0),
    ],
)
def test_a_text_is_read_as_the_number_it_is(kind: ColumnType, text: str, number: float) -> None:
    assert read_numbers(pl.Series([text, None]), kind).tolist() == pytest.approx(
        [number, math.nan], nan_ok=True, rel=0, abs=0
    )


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ColumnType.INTEGER, "[30-39]"),
        (ColumnType.INTEGER, "198*"),
        (ColumnType.INTEGER, "1,5"),
        (ColumnType.INTEGER, "*"),
        (ColumnType.REAL, "NaN"),
        (ColumnType.REAL, "2024-05-01"),
        (ColumnType.DATE, "2024-05"),
        (ColumnType.DATE, "2024"),
        (ColumnType.DATE, "2024-02-30"),
        (ColumnType.DATETIME, "2024-05-01"),
        (ColumnType.DATETIME, "2024-05-01T24:00:00"),
        (ColumnType.DATETIME, "2024-02-30T10:00:00"),
        (ColumnType.TEXT, "7"),
        (ColumnType.BOOLEAN, "true"),
    ],
)
def test_a_text_that_is_no_number_of_its_kind_is_nan(kind: ColumnType, text: str) -> None:
    assert np.isnan(read_numbers(pl.Series([text]), kind)).all()


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        (ColumnType.INTEGER, pl.Series([3, None, -7], dtype=pl.Int16)),
        (ColumnType.REAL, pl.Series([0.1, None, math.inf, math.nan])),
        (ColumnType.DECIMAL, pl.Series(["1.10", None, "-20.05"]).cast(pl.Decimal(38, 2))),
        (ColumnType.DATE, pl.Series([datetime.date(2024, 5, 1), None, datetime.date(1890, 1, 1)])),
        (ColumnType.INTEGER, pl.Series(["31", None, "47"]).cast(pl.Categorical)),
    ]
    + [
        (ColumnType.DATETIME, pl.Series([time, None]).cast(pl.Datetime(unit, zone)))
        for time in (
            datetime.datetime(2024, 5, 1, 10, 30, 59, 123456),
            datetime.datetime(1931, 2, 3, 4, 5, 6, 700001),
        )
        for unit in ("ms", "us", "ns")
        for zone in (None, "America/Bogota")
    ],
)
def test_a_typed_column_has_the_numbers_of_its_texts(kind: ColumnType, values: pl.Series) -> None:
    from celosia.values.text import text_of

    texts = values.alias("a").to_frame().select(text_of(pl.col("a"), values.dtype)).to_series()
    assert np.array_equal(read_numbers(values, kind), read_numbers(texts, kind), equal_nan=True)


def test_no_texts_are_no_numbers() -> None:
    for kind in ColumnType:
        assert read_numbers(pl.Series([], dtype=pl.String), kind).tolist() == []
        assert np.isnan(read_numbers(pl.Series([None], dtype=pl.String), kind)).all()
