"""What stands for the values of a class: ranges, labels, values of the column's own type."""

import math
from datetime import UTC, date, datetime, timedelta, timezone

import polars as pl
import pytest

from celosia.hierarchies import Hierarchy
from celosia.privacy import KAnonymity
from celosia.recode.local import partition_measures
from celosia.recode.mondrian import CutRules, mondrian
from celosia.recode.represent import Represent, choose, represent
from celosia.recode.space import build_space
from celosia.tables import open_table
from celosia.types import ColumnType

RANGE, SET, NODE, MODE, MEDIAN, MEAN = Represent
TOWNS = [("Lugo", "Galicia", "*"), ("Vigo", "Galicia", "*"), ("Soria", "Castilla", "*")]


def partition_of(values, k=None, *, paths=None, types=None):
    frame = pl.DataFrame({"x": values})
    table = open_table(frame)
    space = build_space(
        table.count_by(["x"]),
        quasi_identifiers=["x"],
        types={column.name: column.type for column in table.schema()} | (types or {}),
        hierarchies={} if paths is None else {"x": Hierarchy.from_rows("x", paths)},
    )
    return mondrian(space, CutRules(models=(KAnonymity(k=k or len(frame)),)))


def shown(values, how, *, k=None, keep=None, **options):
    """What the classes of a column show, one for all of it unless ``k`` is given."""
    return represent(partition_of(values, k, **options), how, {"x": keep})["x"]


def one(values, how, **options):
    (value,) = shown(values, how, **options)
    return value


# --- ranges
# ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ([20, 29, 21], "[20-29]"),
        ([5, 5], "5"),
        ([0, 10**18 + 1], "[0-1000000000000000001]"),
        ([-5, 3], "[-5 - 3]"),
        ([1.5, 2.25], "[1.5-2.25]"),
        ([-math.inf, math.inf], "[-inf - inf]"),
        ([date(2024, 5, 1), date(2023, 5, 1)], "[2023-05-01 - 2024-05-01]"),
        ([datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 9)], "[2024-05-01T09:00:00 - 2024-05-01T10:00:00]"),
        (["b", "a", "c"], "[a - c]"),
        ([True, False], "[false - true]"),
        ([1, None], "*"),
        (["a", None], "*"),
        ([math.inf, None], "*"),
        (pl.Series([None, None], dtype=pl.Int64), None),
    ],
)
def test_a_range_goes_from_the_lowest_to_the_highest_value(values, text):
    assert one(values, RANGE) == text


def test_minus_signs_are_told_from_the_dash_in_all_ranges_of_a_column():
    assert sorted(shown([-5, -3, 3, 5], RANGE, k=2)) == ["[-5 - -3]", "[3 - 5]"]


def test_a_time_is_told_with_its_zone():
    madrid = timezone(timedelta(hours=2))
    noon = pl.Series([datetime(2024, 5, 1, 12, tzinfo=madrid)] * 2)
    text = one(noon, RANGE)
    assert datetime.fromisoformat(text) == datetime(2024, 5, 1, 10, tzinfo=UTC)


# --- labels
# ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "label"),
    [
        (["Lugo", "Lugo"], "Lugo"),
        (["Lugo", "Vigo"], "Galicia"),
        (["Lugo", "Soria"], "*"),
        (["Lugo", None], "*"),
        ([None, None], None),
    ],
)
def test_the_lowest_label_that_covers_the_class(values, label):
    for how in Represent:
        assert one(pl.Series(values, dtype=pl.String), how, paths=TOWNS) == label


def test_numbers_show_their_label_only_if_asked_for_nodes():
    paths = [("1", "low", "*"), ("2", "low", "*"), ("8", "high", "*")]
    assert one([1, 2], NODE, paths=paths) == "low"
    assert one([1, 8], NODE, paths=paths) == "*"
    assert one([1, 2], RANGE, paths=paths) == "[1-2]"
    assert one([1, 2], NODE) == "[1-2]"


def test_missing_values_are_not_the_only_value_of_a_hierarchy_without_levels():
    assert shown(["x", "x", None, None], NODE, k=2, paths=[("x",)]).to_list() == ["x", None]
    assert one(["x", None], NODE, paths=[("x",)]) == "*"


# --- values of the column's own type
# --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "value"),
    [
        ([1, 1, 9], 1),
        ([1, 2], 1),
        ([-2, -1], -2),  # rounded down, not towards zero
        ([1, 1, 4, 4], 2),
        ([1, 2, 9], 2),
        ([1.0, 2.0], 1.5),
        ([1.0, 1.0, 9.0], 1.0),
        ([date(2024, 1, 1), date(2024, 1, 4)], date(2024, 1, 2)),
        ([datetime(2024, 1, 1), datetime(2024, 1, 2)], datetime(2024, 1, 1, 12)),
        ([2**62, 2**62 + 1, 2**62 + 1], 2**62 + 1),
        ([None, None, 7], None),
        ([None, 7, 7], 7),
        ([None, 7], 7),
        ([None, None, None, 1, 1, 2, 2], None),  # nothing is as frequent as a missing value
        ([None, None, 1, 1, 2, 2], 1),
        ([math.inf, math.inf, 1.0], math.inf),
        ([-math.inf, math.inf], -math.inf),
    ],
)
def test_the_most_frequent_value_or_else_the_median(values, value):
    assert one(values, MODE) == value


@pytest.mark.parametrize(
    ("values", "median", "mean"),
    [
        ([1, 1, 9], 1, 4),
        ([0, 0, 1], 0, 0),
        ([0, 2, 3], 2, 2),
        ([1.0, 1.0, 4.0], 1.0, 2.0),
        ([None, 1, 9], 5, 5),
        ([math.inf, 1.0, 2.0], 2.0, 2.0),
        ([date(2024, 1, 1), date(2024, 1, 2), date(2024, 1, 9)], date(2024, 1, 2), date(2024, 1, 4)),
        ([2**60, 2**60 + 2, 2**60 + 4], 2**60 + 2, 2**60 + 2),
        ([-(2**63), 2**63 - 1], -1, -1),
        ([-(2**63), -(2**63), 2**63 - 1, 2**63 - 1, 2**63 - 1], 2**63 - 1, 1844674407370955161),
        ([-1.7e308, 1.7e308], 0.0, 0.0),
        ([5e-324, 5e-324], 5e-324, 5e-324),
    ],
)
def test_median_and_mean(values, median, mean):
    assert one(values, MEDIAN) == median
    assert one(values, MEAN) == (pytest.approx(mean, rel=1e-12) if isinstance(mean, int) else mean)


def test_a_mean_of_numbers_too_large_to_add_up_is_still_told_without_a_warning():
    assert math.isfinite(one([1.7e308, 1.7e308, 1.6e308, -1.7e308], MEAN))


def test_texts_keep_their_type_only_if_asked_to():
    assert one(["b", "b", "a"], MODE) == "[a - b]"
    assert one(["b", "b", "a"], MODE, keep=True) == "b"
    assert one(["b", "b", "a"], RANGE, keep=True) == "b"
    assert one(["Lugo", "Lugo", "Vigo"], NODE, keep=True, paths=TOWNS) == "Lugo"
    assert one(["b", "a"], MODE, keep=True) in ("a", "b")
    assert one([None, None, "a"], MODE, keep=True) is None


def test_booleans_stay_booleans_however_they_are_written():
    assert one([True, True, False], MODE, keep=True) is True
    written = pl.Series(["TRUE", "TRUE", "False"])
    assert one(written, MODE, keep=True, types={"x": ColumnType.BOOLEAN}) is True


def test_numbers_show_a_range_where_they_are_not_to_keep_their_type():
    assert one([1, 1, 2], MODE, keep=False) == "[1-2]"
    assert one([1, 1, 2], RANGE, keep=True) == 1
    assert one([1, 1, 2, 4], MEAN, keep=True) == 2


def test_how_each_column_is_shown_is_chosen_one_by_one():
    towns = partition_of(["Lugo", "Soria"], paths=TOWNS).space.axes[0]
    ages = partition_of([1, 2]).space.axes[0]
    words = partition_of(["a", "b"]).space.axes[0]
    for asked, keep, expected in [
        (RANGE, None, (NODE, RANGE, RANGE)),
        (NODE, None, (NODE, RANGE, RANGE)),
        (MEAN, None, (NODE, MEAN, RANGE)),
        (MEAN, True, (MODE, MEAN, MODE)),
        (RANGE, True, (MODE, MODE, MODE)),
        (MEAN, False, (NODE, RANGE, RANGE)),
    ]:
        assert tuple(choose(axis, asked, keep) for axis in (towns, ages, words)) == expected


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        [1.5, 2.5, None],
        [date(2024, 1, 1), None, None],
        [datetime(2024, 1, 1), datetime(2024, 1, 2), datetime(2024, 1, 2)],
        [None, None, None],
        ["a", "b", None],
    ],
)
def test_typed_representatives_have_the_type_of_the_column(values):
    series = pl.Series(values)
    expected = pl.String if series.dtype == pl.Null else series.dtype
    for how in (MODE, MEDIAN, MEAN):
        assert shown(series, how, keep=True).dtype == expected


# --- what it costs
# --------------------------------------------------------------------------------------------------------


def test_a_class_costs_the_part_of_the_column_that_it_covers():
    loss = partition_measures(partition_of([0, 1, 9, 10], 2))["loss"]
    assert loss == pytest.approx(0.1)
    assert partition_measures(partition_of([0, 1, 9, 10]))["loss"] == 1
    assert partition_measures(partition_of([4, 4]))["loss"] == 0
    assert partition_measures(partition_of(["Lugo", "Vigo"], paths=TOWNS))["loss"] == pytest.approx(2 / 3)


def test_what_shows_nothing_costs_everything():
    assert partition_measures(partition_of([1.0, None]))["loss"] == 1
    assert partition_measures(partition_of([math.inf, None]))["loss"] == 1
    assert partition_measures(partition_of([math.inf, 1.0, 2.0]))["loss"] == 1
