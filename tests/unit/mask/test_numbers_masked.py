"""Numbers rounded, coded and put into intervals, against plain loops."""

import math
from datetime import date
from decimal import Decimal
from fractions import Fraction
from threading import Thread

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mask_subjects import masked, subject_of

from celosia import mask_columns
from celosia.errors import ProjectError, TableError
from celosia.hierarchies import intervals
from celosia.mask.registry import make_operation
from celosia.types import ColumnType

STEPS = st.sampled_from(["1", "2", "5", "7", "10", "1000", "0.5", "0.1", "0.25", "0.3", "2.5", "0.001"])
INTEGERS = st.integers(-(10**6), 10**6)
REALS = st.floats(-1e6, 1e6) | st.decimals(-1000, 1000, places=3).map(float)
TYPED = {"find_type": lambda: ColumnType.INTEGER}


def rounded(number, step):
    """To a multiple of the step, halves away from zero, in exact fractions."""
    steps = Fraction(str(number)) / Fraction(step)
    return (1 if steps >= 0 else -1) * math.floor(abs(steps) + Fraction(1, 2)) * Fraction(step)


@pytest.mark.parametrize(
    ("values", "to", "expected"),
    [
        ([23, 25, -25, 0, None], 10, [20, 30, -30, 0, None]),
        ([2, 3, -3], 5, [0, 5, -5]),
        ([3], 2.5, [2.5]),
        ([0.15, 1.005, 2.675, -0.05], 0.1, [0.2, 1.0, 2.7, -0.1]),
        ([1.005], 0.01, [1.01]),
        ([0.4, -0.4], 1, [0.0, 0.0]),
        ([1e300, float("inf")], 10, [1e300, float("inf")]),
    ],
)
def test_halves_are_rounded_away_from_zero(values, to, expected):
    found = masked("round", pl.Series("n", values), to=to)
    assert found.to_list() == expected
    assert not any(math.copysign(1, value) < 0 for value in found.to_list() if value == 0)


@pytest.mark.parametrize(
    "dtype", [pl.Int8, pl.UInt8, pl.Int32, pl.Int64, pl.UInt64, pl.Int128, pl.Float32, pl.Float64]
)
def test_integers_stay_integers_and_reals_stay_reals(dtype):
    found = masked("round", pl.Series("n", [127, 4, None], dtype=dtype), to=10)
    assert found.to_list() == [130, 0, None]
    assert found.dtype.is_integer() == dtype.is_integer()
    assert found.dtype.is_float() == dtype.is_float()


def test_decimals_stay_exact():
    values = pl.Series("n", [Decimal("1.25"), Decimal("-2.50"), None, Decimal("99999999999999999.99")])
    assert masked("round", values, to="0.5").to_list() == [
        Decimal("1.50"),
        Decimal("-2.50"),
        None,
        Decimal("100000000000000000.00"),
    ]
    assert masked("round", values.head(2).cast(pl.Decimal(38, 1)), to="0.125").dtype == pl.Decimal(38, 3)


def test_texts_give_one_type_whatever_is_in_their_batch():
    values = pl.Series("n", ["23", " 25 ", "7.5", None, "1e2", "9007199254740993"])
    found = masked("round", values, batches=(1, 2, 3), to=2)
    assert found.to_list() == [24, 26, 8, None, 100, 9007199254740994]
    assert masked("round", values.head(3), batches=(1, 2), to=0.5).to_list() == [23.0, 25.0, 7.5]


@pytest.mark.parametrize(
    ("name", "parameters"),
    [("round", {"to": 2}), ("code", {"top": 2, "top_label": "x"}), ("bin", {"width": 2})],
)
def test_a_text_that_is_no_number_is_refused_without_showing_it(name, parameters):
    with pytest.raises(TableError, match="column 'n' holds 1 values that are no numbers") as caught:
        masked(name, pl.Series("n", ["1", "Ana", "2.5"]), **parameters)
    assert "Ana" not in str(caught.value)


def test_numbers_too_large_for_their_step_are_refused():
    with pytest.raises(TableError, match="too large to be rounded"):
        masked("round", pl.Series("n", [2**63 - 1]), to=10)
    with pytest.raises(TableError, match="too large to be rounded"):
        masked("round", pl.Series("n", ["1e30"]), to=10)


@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(st.none() | INTEGERS, max_size=20), step=STEPS)
def test_integers_are_rounded_as_by_a_plain_loop(numbers, step):
    values = pl.Series("n", numbers, dtype=pl.Int64)
    expected = [None if number is None else float(rounded(number, step)) for number in numbers]
    assert [None if n is None else float(n) for n in masked("round", values, to=step).to_list()] == expected
    assert make_operation("round", to=step).broken(masked("round", values, to=step).drop_nulls()) == 0


@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(st.none() | REALS, max_size=20), step=STEPS)
def test_reals_are_rounded_as_they_are_written(numbers, step):
    expected = [None if number is None else float(rounded(repr(number), step)) for number in numbers]
    assert masked("round", pl.Series("n", numbers, dtype=pl.Float64), to=step).to_list() == expected
    texts = [None if number is None else repr(number) for number in numbers]
    assert masked("round", pl.Series("n", texts, dtype=pl.String), to=step).to_list() == expected


@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(st.decimals(-1000, 1000, places=2), min_size=1, max_size=20), step=STEPS)
def test_decimals_are_rounded_as_by_a_plain_loop(numbers, step):
    values = pl.Series("n", numbers, dtype=pl.Decimal(38, 2))
    assert masked("round", values, to=step).to_list() == [rounded(number, step) for number in numbers]


# Top and bottom coding


def coded(number, top, top_label, bottom, bottom_label):
    if number is None:
        return None
    if top is not None and number >= top:
        return top_label if top_label is not None else top
    if bottom is not None and number < bottom:
        return bottom_label if bottom_label is not None else bottom
    return number


def test_without_labels_the_limit_replaces_and_the_type_stays():
    ages = pl.Series("age", [3, 17, 18, 90, 104, None], dtype=pl.Int16)
    found = masked("code", ages, top=90, bottom=18)
    assert (found.to_list(), found.dtype) == ([18, 18, 18, 90, 90, None], pl.Int16)


def test_a_limit_that_the_type_does_not_hold_widens_it():
    assert masked("code", pl.Series("n", [7], dtype=pl.Int8), bottom=1000).to_list() == [1000]
    assert masked("code", pl.Series("n", [7], dtype=pl.Int8), top=1000).to_list() == [7]
    assert masked("code", pl.Series("n", [7, 3], dtype=pl.UInt8), bottom=-4, top=5).to_list() == [5, 3]
    assert masked("code", pl.Series("n", [7, 8]), top=7.5).to_list() == [7.0, 7.5]
    assert masked("code", pl.Series("n", [2**63 + 1], dtype=pl.UInt64), top=10).to_list() == [10]


def test_decimals_are_coded_exactly():
    values = pl.Series("n", [Decimal("1.10"), Decimal("2.25"), None])
    assert masked("code", values, top="2.125").to_list() == [Decimal("1.100"), Decimal("2.125"), None]


def test_texts_within_the_limits_stay_as_they_are_written():
    values = pl.Series("n", ["007", "1.50", "95", None])
    assert masked("code", values, batches=(1, 2), top=90).to_list() == ["007", "1.50", "90", None]


@pytest.mark.parametrize("dtype", [pl.Int64, pl.Float64, pl.String])
def test_labels_make_texts(dtype):
    values = pl.Series("age", [3, 18, 89, 90, None]).cast(dtype)
    found = masked("code", values, top=90, top_label="90+", bottom=18, bottom_label="< 18").to_list()
    shown = ["18", "89"] if dtype != pl.Float64 else ["18.0", "89.0"]
    assert found == ["< 18", *shown, "90+", None]


def test_two_labels_at_one_limit_leave_only_the_side():
    found = masked(
        "code", pl.Series("n", [1, 35, None]), top=35, bottom=35, top_label="≥ 35", bottom_label="< 35"
    )
    assert found.to_list() == ["< 35", "≥ 35", None]
    assert isinstance(found.dtype, pl.Enum)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "give top, bottom or both"),
        ({"top": 1, "bottom": 2}, "bottom is above top"),
        ({"top": 1, "bottom_label": "x"}, "a label needs its limit"),
    ],
)
def test_limits_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ProjectError, match=message):
        make_operation("code", **parameters)


@settings(deadline=None, max_examples=60)
@given(
    numbers=st.lists(st.none() | st.integers(-20, 20), max_size=12),
    limits=st.tuples(st.integers(-20, 20), st.integers(-20, 20)).map(sorted),
    labels=st.tuples(st.none() | st.just("low"), st.none() | st.just("high")),
    which=st.sampled_from(["top", "bottom", "both"]),
)
def test_coding_agrees_with_a_plain_loop(numbers, limits, labels, which):
    bottom = limits[0] if which != "top" else None
    top = limits[1] if which != "bottom" else None
    low_label = labels[0] if bottom is not None else None
    high_label = labels[1] if top is not None else None
    parameters = {"top": top, "top_label": high_label, "bottom": bottom, "bottom_label": low_label}
    expected = [coded(number, top, high_label, bottom, low_label) for number in numbers]
    found = masked("code", pl.Series("n", numbers, dtype=pl.Int64), **parameters)
    shown = [None if value is None else str(value) for value in expected]
    assert found.cast(pl.String).to_list() == shown
    texts = pl.Series("n", [None if number is None else str(number) for number in numbers], dtype=pl.String)
    assert masked("code", texts, **parameters).cast(pl.String).to_list() == shown
    assert make_operation("code", **parameters).broken(found.drop_nulls()) == 0


# Intervals


@pytest.mark.parametrize(
    ("values", "parameters", "expected"),
    [
        (
            [23, 20, 29, 30, -3, None],
            {"width": 10},
            ["[20-29]", "[20-29]", "[20-29]", "[30-39]", "[-10 - -1]", None],
        ),
        ([5, 6], {"width": 1}, ["5", "6"]),
        ([7, 3], {"width": 10, "origin": 5}, ["[5-14]", "[-5 - 4]"]),
        ([3], {"width": 2.5}, ["[2.5, 5.0["]),
        ([0.3, 0.1, None], {"width": 0.1}, ["[0.3, 0.4[", "[0.1, 0.2[", None]),
        ([17, 18, 64, 65], {"cuts": [18, 65]}, ["< 18", "[18-64]", "[18-64]", "≥ 65"]),
        ([17.9, 18.0, 70.0], {"cuts": [18, 65]}, ["< 18", "[18.0, 65.0[", "≥ 65"]),
        ([23, -3, None], {"width": 10, "label": "lower"}, [20, -10, None]),
        ([23, -3], {"width": 10, "label": "midpoint"}, [24.5, -5.5]),
        ([23.0], {"width": 10, "label": "midpoint"}, [25.0]),
        ([23.0], {"width": 0.5, "label": "lower"}, [23.0]),
        ([20, 40], {"cuts": [18, 30, 65], "label": "lower"}, [18, 30]),
        ([20], {"cuts": [18, 30, 65], "label": "midpoint"}, [23.5]),
    ],
)
def test_numbers_fall_into_their_intervals(values, parameters, expected):
    assert masked("bin", pl.Series("n", values), **parameters).to_list() == expected


def test_texts_are_spelled_as_the_column_is():
    texts = pl.Series("n", ["23", "7", None])
    assert masked("bin", texts, batches=(1,), subject=TYPED, width=10).to_list() == ["[20-29]", "[0-9]", None]
    as_real = {"find_type": lambda: ColumnType.REAL}
    assert masked("bin", texts, subject=as_real, width=10).to_list() == ["[20.0, 30.0[", "[0.0, 10.0[", None]
    assert masked("bin", texts, subject=as_real, cuts=[10]).to_list() == ["≥ 10", "< 10", None]


def test_labels_are_those_of_hierarchies():
    ages = ["17", "23", "28", "61"]
    found = masked("bin", pl.Series("age", ages), subject=TYPED, width=10).to_list()
    assert found == list(intervals("age", ages).level(1).values())
    weights = ["50.5", "71.25", "80.0"]
    found = masked("bin", pl.Series("w", weights), width=25).to_list()
    assert found == list(intervals("w", weights, kind="width", bins=2).level(1).values())


def test_what_has_no_number_is_refused():
    with pytest.raises(TableError, match="beyond the cuts, which have no midpoint"):
        masked("bin", pl.Series("n", [70]), cuts=[18, 65], label="midpoint")
    with pytest.raises(TableError, match="in no interval: infinite or too large"):
        masked("bin", pl.Series("n", [math.inf]), width=10)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({}, "give either width or cuts"),
        ({"width": 1, "cuts": [1]}, "give either width or cuts"),
        ({"cuts": [3, 3]}, "cuts must rise"),
        ({"cuts": [3], "label": "lower"}, "two cuts at least"),
        ({"width": 0}, "greater than 0"),
    ],
)
def test_intervals_that_make_no_sense_are_refused(parameters, message):
    with pytest.raises(ProjectError, match=message):
        make_operation("bin", **parameters)


@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(INTEGERS, max_size=12), width=STEPS, origin=st.sampled_from(["0", "3", "0.5"]))
def test_integers_are_in_the_interval_that_they_get(numbers, width, origin):
    check_lower_bounds(pl.Series("n", numbers, dtype=pl.Int64), numbers, width, origin)


@settings(deadline=None, max_examples=60)
@given(numbers=st.lists(REALS, max_size=12), width=STEPS, origin=st.sampled_from(["0", "3", "0.5"]))
def test_reals_are_in_the_interval_that_they_get(numbers, width, origin):
    check_lower_bounds(pl.Series("n", numbers, dtype=pl.Float64), numbers, width, origin)


def check_lower_bounds(values, numbers, width, origin):
    found = masked("bin", values, width=width, origin=origin, label="lower").to_list()
    for number, low in zip(numbers, found, strict=True):
        place = math.floor((Fraction(repr(number)) - Fraction(origin)) / Fraction(width))
        assert low == float(Fraction(origin) + place * Fraction(width))
    operation = make_operation("bin", width=width, origin=origin)
    assert operation.broken(masked("bin", values, width=width, origin=origin)) == 0


@settings(deadline=None, max_examples=60)
@given(
    numbers=st.lists(st.none() | st.integers(-30, 30), max_size=12),
    cuts=st.lists(st.integers(-30, 30), min_size=1, max_size=25, unique=True).map(sorted),
)
def test_cuts_part_numbers_as_a_plain_loop_does(numbers, cuts):
    found = masked("bin", pl.Series("n", numbers, dtype=pl.Int64), cuts=cuts).cast(pl.String).to_list()
    for number, label in zip(numbers, found, strict=True):
        if number is None:
            assert label is None
        elif number < cuts[0]:
            assert label == f"< {cuts[0]}"
        elif number >= cuts[-1]:
            assert label == f"≥ {cuts[-1]}"
        else:
            low = max(cut for cut in cuts if cut <= number)
            high = min(cut for cut in cuts if cut > number) - 1
            both = f"[{low}-{high}]" if low >= 0 else f"[{low} - {high}]"
            assert label == (both if high > low else str(low))


def test_intervals_far_apart_are_spelled_one_by_one():
    values = pl.Series("n", [0, 10**9, None, 3])
    assert masked("bin", values, width=10).to_list() == ["[0-9]", "[1000000000-1000000009]", None, "[0-9]"]


def test_a_column_of_another_type_is_refused_by_its_type():
    days = pl.Series("d", [date(2024, 5, 1)])
    for values in (days, days.clear()):
        with pytest.raises(TableError, match="column 'd' is of type Date, which is no number"):
            make_operation("bin", width=10).start(subject_of(values))(values, values.to_frame())


@pytest.mark.parametrize("ending", ["parquet", "xlsx", "json"])
def test_numbers_of_a_text_file_are_put_into_intervals_of_a_typed_one(tmp_path, ending):
    people = tmp_path / "people.csv"
    people.write_text("age,other\n23,24\n31,30\n", encoding="utf-8")
    low, cell = {"name": "bin", "width": 10}, {"name": "suppress", "where": "age > other", "label": "-"}

    def release():
        mask_columns(people, {"age": low, "other": cell}, out=tmp_path / f"new.{ending}", seed=1)

    # A thread of its own, for what goes wrong here is that it never ends.
    thread = Thread(target=release, daemon=True)
    thread.start()
    thread.join(timeout=60)
    assert not thread.is_alive()
    assert (tmp_path / f"new.{ending}").exists()
