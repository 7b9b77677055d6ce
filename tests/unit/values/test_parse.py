"""What the texts of a column are as values: exactly, or not at all."""

import math
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from celosia.errors import TableError
from celosia.types import ColumnType
from celosia.values.parse import ValueParser, canonical_real, parse_texts, parser_of

few = settings(max_examples=60, deadline=None)


def chosen(type, *texts):
    return parser_of(type, pl.Series(list(texts), dtype=pl.String)).dtype


def read(type, *texts):
    """The texts as the values of the type that they have together."""
    series = pl.Series(list(texts), dtype=pl.String)
    return parser_of(type, series.drop_nulls().unique()).parse(series).to_list()


# --- numbers
# --------------------------------------------------------------------------------------------------------------


@few
@given(values=st.lists(st.integers(-(2**126), 2**126), min_size=1, max_size=6))
@example(values=[2**63 - 1, -(2**63)])
@example(values=[2**63])
def test_integers_are_read_exactly_in_64_bits_if_all_fit(values):
    texts = [str(value) for value in values]
    assert read(ColumnType.INTEGER, *texts) == values
    fits = all(-(2**63) <= value < 2**63 for value in values)
    assert chosen(ColumnType.INTEGER, *texts) == (pl.Int64 if fits else pl.Int128)


@pytest.mark.parametrize("texts", [("9" * 39,), ("1", "9" * 45), ("1", "x"), ("1", "1.5"), ("",)])
def test_texts_that_are_not_all_integers_of_128_bits_stay_texts(texts):
    assert chosen(ColumnType.INTEGER, *texts) == pl.String


def test_a_declared_integer_may_have_leading_zeros_a_sign_and_blanks():
    assert read(ColumnType.INTEGER, "007", "7", "+7", " 7 ", "-7") == [7, 7, 7, 7, -7]


@few
@given(values=st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=1, max_size=6))
@example(values=[0.1, 1e-30, -0.0])
def test_real_numbers_of_few_digits_are_read_as_a_program_reads_them(values):
    texts = [f"{value:.9g}" for value in values]
    assert chosen(ColumnType.REAL, *texts) == pl.Float64
    assert read(ColumnType.REAL, *texts) == [float(text) for text in texts]


@few
@given(digits=st.lists(st.integers(0, 10**38 - 1), min_size=2, max_size=6), scale=st.integers(1, 38))
@example(digits=[12345678901234567, 12345678901234568], scale=17)
def test_decimals_are_read_exactly_however_many_of_38_digits_they_have(digits, scale):
    texts = [f"{digit:0{scale + 1}d}" for digit in digits]
    texts = [f"{text[:-scale]}.{text[-scale:]}" for text in texts]
    whole = max(len(text.partition(".")[0]) for text in texts)
    for type in (ColumnType.REAL, ColumnType.DECIMAL):
        if whole + scale <= 38:
            found = read(type, *texts)
            is_exact = chosen(type, *texts).is_decimal()
            assert found == (
                [Decimal(text) for text in texts] if is_exact else [float(text) for text in texts]
            )
            assert len(set(found)) == len({Decimal(text) for text in texts})


@pytest.mark.parametrize(
    ("texts", "dtype"),
    [
        (("1.10", "2"), pl.Float64()),
        (("0.123456789012345", "1.5"), pl.Float64()),
        (("0.1234567890123456", "1.5"), pl.Decimal(38, 16)),
        (("123456789012.34567", "1"), pl.Decimal(38, 5)),
        (("1e300", "1.5"), pl.Float64()),
        (("000000000000000000001.5", "2"), pl.Float64()),
    ],
)
def test_a_floating_point_number_is_chosen_where_it_keeps_all_digits(texts, dtype):
    assert chosen(ColumnType.REAL, *texts) == dtype


@pytest.mark.parametrize(
    "texts",
    [
        ("0." + "1" * 39 + "1", "0." + "1" * 39 + "2"),
        ("1" * 38 + ".5", "1" * 38 + ".6"),
        ("0.123456789012345678", "0.123456789012345679", "1e5"),
        ("1.23456789012345678e5", "1.23456789012345679e5"),
    ],
)
def test_numbers_that_no_type_keeps_apart_stay_texts(texts):
    values = read(ColumnType.REAL, *texts)
    assert len(set(values)) == len(texts)


def test_spellings_of_a_number_are_read_as_one():
    assert read(ColumnType.REAL, "1.10", "1.1", " 1.100", "11e-1") == [1.1] * 4
    assert read(ColumnType.DECIMAL, "1.1000000000000000000", "1.1") == [Decimal("1.1")] * 2


def test_there_is_one_zero_and_no_number_that_is_none():
    zeros = parse_texts(pl.Series(["0", "-0", "-0.0", "0e5"]), pl.Float64())
    assert [repr(value) for value in zeros] == ["0.0"] * 4
    assert parse_texts(pl.Series(["nan", "NaN", "-nan"]), pl.Float64()).to_list() == [None] * 3
    assert chosen(ColumnType.REAL, "1.5", "nan") == pl.String


@pytest.mark.parametrize("value", [0.0, -0.0, 1.5, -1.5, float("inf"), float("-inf"), float("nan"), None])
def test_a_real_number_in_its_one_form(value):
    found = (
        pl.DataFrame({"x": pl.Series([value], dtype=pl.Float64)}).select(canonical_real(pl.col("x"))).item()
    )
    expected = None if value is None or math.isnan(value) else value + 0.0
    assert repr(found) == repr(expected)


# --- truth values, dates and times
# -----------------------------------------------------------------------------------------


def test_truth_values_are_read_in_any_case():
    assert read(ColumnType.BOOLEAN, "true", "TRUE", " True ", "false", None) == [
        True,
        True,
        True,
        False,
        None,
    ]
    assert chosen(ColumnType.BOOLEAN, "true", "yes") == pl.String


@few
@given(days=st.lists(st.dates(), min_size=1, max_size=5))
def test_days_are_read_as_they_are(days):
    texts = [day.isoformat() for day in days]
    assert read(ColumnType.DATE, *texts) == days
    assert chosen(ColumnType.DATE, *texts) == pl.Date


@pytest.mark.parametrize("text", ["2023-02-30", "2023-13-01", "yesterday", "01/05/2024", "2024-05-01T10:30"])
def test_what_is_no_day_leaves_the_column_texts(text):
    assert chosen(ColumnType.DATE, "2024-05-01", text) == pl.String


@few
@given(times=st.lists(st.datetimes(), min_size=1, max_size=5))
def test_times_are_read_to_the_microsecond(times):
    texts = [at.isoformat(sep=" ") if i % 2 else at.isoformat() for i, at in enumerate(times)]
    assert read(ColumnType.DATETIME, *texts) == times
    assert chosen(ColumnType.DATETIME, *texts) == pl.Datetime("us")


def test_spellings_of_a_time_are_read_as_one():
    texts = [
        "2024-05-01T10:30",
        "2024-05-01 10:30",
        "2024-05-01T10:30:00",
        "2024-05-01 10:30:00.000",
        " 2024-05-01T10:30 ",
    ]
    assert read(ColumnType.DATETIME, *texts) == [datetime(2024, 5, 1, 10, 30)] * 5


@few
@given(
    times=st.lists(st.datetimes(datetime(1700, 1, 1), datetime(2200, 1, 1)), min_size=1, max_size=5),
    offsets=st.lists(st.integers(-14 * 60, 14 * 60), min_size=5, max_size=5),
)
def test_times_with_a_zone_are_the_moment_that_they_name(times, offsets):
    zones = [timezone(timedelta(minutes=offset)) for offset in offsets]
    moments = [at.replace(tzinfo=zone) for at, zone in zip(times, zones, strict=False)]
    texts = [moment.isoformat() for moment in moments]
    assert read(ColumnType.DATETIME, *texts) == [moment.astimezone(UTC) for moment in moments]
    assert chosen(ColumnType.DATETIME, *texts) == pl.Datetime("us", "UTC")


def test_spellings_of_a_zone_are_read_as_one():
    texts = [
        "2024-05-01T10:00Z",
        "2024-05-01 12:00+02:00",
        "2024-05-01T12:00:00+0200",
        "2024-05-01T10:00:00.0-00:00",
    ]
    assert read(ColumnType.DATETIME, *texts) == [datetime(2024, 5, 1, 10, tzinfo=UTC)] * 4


def test_times_with_and_without_a_zone_have_no_type_together():
    assert chosen(ColumnType.DATETIME, "2024-05-01T10:00Z", "2024-05-01T10:00") == pl.String


@pytest.mark.parametrize("zone", ["", "Z"])
def test_finer_times_than_microseconds_stay_texts_and_so_apart(zone):
    texts = pl.Series([f"2024-05-01T10:00:00.{i:09d}{zone}" for i in (1, 2, 1_000)])
    parser = parser_of(ColumnType.DATETIME, texts)
    assert parser.is_text
    assert parser.parse(texts).n_unique() == 3


@pytest.mark.parametrize("year", ["0001", "1600", "2300", "9999"])
def test_times_that_nanoseconds_cannot_hold_stay_texts(year):
    texts = [f"{year}-05-01T10:00:00.1234567", "2024-05-01T10:00:00.1234567"]
    assert chosen(ColumnType.DATETIME, *texts) == pl.String
    assert chosen(ColumnType.DATETIME, f"{year}-05-01T10:00:00.123456") == pl.Datetime("us")


# --- all of them
# ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type", [ColumnType.TEXT, ColumnType.OTHER])
def test_texts_and_what_has_no_name_are_left_as_they_are(type):
    parser = parser_of(type, pl.Series(["1", "2"]))
    assert parser.is_text
    assert parser.parse(pl.Series(["1", None])).to_list() == ["1", None]


@pytest.mark.parametrize("type", list(ColumnType))
def test_a_column_without_values_is_read_all_the_same(type):
    nothing = pl.Series([], dtype=pl.String)
    parser = parser_of(type, nothing)
    assert parser.parse(nothing).to_list() == []
    assert parser.parse(pl.Series([None], dtype=pl.String)).to_list() == [None]


@pytest.mark.parametrize(
    ("dtype", "text"),
    [
        (pl.Int64(), "x"),
        (pl.Float64(), "nan"),
        (pl.Boolean(), "yes"),
        (pl.Date(), "2023-02-30"),
        (pl.Datetime("us"), "2024-05-01T10:00Z"),
    ],
)
def test_a_text_that_was_not_there_when_the_type_was_chosen_is_refused_by_name(dtype, text):
    parser = ValueParser(ColumnType.INTEGER, dtype)
    with pytest.raises(TableError) as refused:
        parser.parse(pl.Series([None, text]), column="dose", where="people.csv")
    told = str(refused.value)
    assert f"people.csv: column 'dose' is read as integer, and '{text}' is none" in told
    assert "declare the column with --type dose=text" in told


def test_a_day_is_not_a_value_of_another_type():
    assert parse_texts(pl.Series(["2024-05-01"]), pl.Date()).to_list() == [date(2024, 5, 1)]
    assert parse_texts(pl.Series(["2024-05-01"]), pl.Int64()).to_list() == [None]
    assert parse_texts(pl.Series(["2024-05-01"]), pl.Datetime("us")).to_list() == [None]
