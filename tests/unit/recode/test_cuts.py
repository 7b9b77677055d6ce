"""Cuts: the part of a row, whatever kind of table it comes from."""

import datetime

import numpy as np
import polars as pl
import pytest

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.recode.cuts import CutAxis, CutTree, names_a_value
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.types import ColumnType

CITIES = Hierarchy.from_rows(
    "city", [("Soria", "north", "*"), ("Cádiz", "south", "*"), ("Lugo", "north", "*")]
)
MARKERS = ("", "?", "NA")


def part_of(line: CutAxis, bound: object, values: pl.Series) -> list[int]:
    return CutTree((line,)).divide({0: (0, bound)}).number(values.alias(line.name).to_frame()).tolist()


def test_what_lies_at_the_bound_goes_low_and_what_is_missing_goes_high():
    line = CutAxis("age", ColumnType.INTEGER)
    assert part_of(line, 40, pl.Series([39, 40, 41, None])) == [0, 0, 1, 1]


def test_a_cut_at_the_largest_value_parts_missing_from_present():
    line = CutAxis("age", ColumnType.INTEGER)
    assert part_of(line, 41, pl.Series([39, 41, None])) == [0, 0, 1]


def test_numbers_in_a_text_file_are_compared_as_numbers():
    line = CutAxis("age", ColumnType.INTEGER, markers=MARKERS)
    assert part_of(line, 9, pl.Series([" 9", "10", "?", ""])) == [0, 1, 1, 1]


def test_infinite_numbers_have_their_side_and_nan_is_missing():
    line = CutAxis("rate", ColumnType.REAL)
    values = pl.Series([-np.inf, -0.0, 0.0, np.inf, np.nan])
    assert part_of(line, 0.0, values) == part_of(line, -0.0, values) == [0, 0, 0, 1, 1]
    assert part_of(line, -np.inf, values) == [0, 1, 1, 1, 1]
    assert part_of(line, np.inf, values) == [0, 0, 0, 0, 1]


@pytest.mark.parametrize("as_text", [False, True])
def test_dates_are_days_and_times_are_microseconds(as_text):
    days = pl.Series([datetime.date(1969, 12, 31), datetime.date(1970, 1, 2)])
    times = days.cast(pl.Datetime("ms"))
    if as_text:
        days, times = days.cast(pl.String), times.dt.to_string("%Y-%m-%dT%H:%M:%S")
    assert part_of(CutAxis("d", ColumnType.DATE), 0, days) == [0, 1]
    assert CutAxis("d", ColumnType.DATE).read(days).to_list() == [-1, 1]
    assert CutAxis("t", ColumnType.DATETIME).read(times).to_list() == [-86_400_000_000, 86_400_000_000]


def test_texts_are_in_the_order_of_their_code_points():
    line = CutAxis("name", ColumnType.TEXT)
    assert part_of(line, "Z", pl.Series(["Ana", "Z", "ana", "Ñ", None])) == [0, 0, 1, 1, 1]


def test_values_of_a_hierarchy_lie_beside_those_that_share_their_labels():
    line = CutAxis("city", ColumnType.TEXT, CITIES)
    ranks = dict(zip(CITIES.values, line.read(pl.Series(CITIES.values)).to_list(), strict=True))
    assert sorted(ranks.values()) == [0, 1, 2]
    assert abs(ranks["Soria"] - ranks["Lugo"]) == 1


def test_a_value_that_the_hierarchy_does_not_know_is_named():
    cuts = CutTree((CutAxis("city", ColumnType.TEXT, CITIES),)).divide({0: (0, 0)})
    with pytest.raises(HierarchyError, match="Ávila"):
        cuts.number(pl.DataFrame({"city": ["Soria", "Ávila"]}))


def test_rows_that_leave_the_release_are_dealt_out_evenly():
    line = CutAxis(
        "city", ColumnType.TEXT, CITIES, missing=MissingPolicy.DROP, unknown=UnknownPolicy.SUPPRESS
    )
    cuts = CutTree((line,)).divide({0: (0, 0)}).divide({0: (0, -1)})
    number = cuts.number(pl.DataFrame({"city": [None, "Ávila"] * 30}))
    assert np.bincount(number).tolist() == [20, 20, 20]


def test_a_marker_that_is_a_number_means_missing_in_a_typed_column_too():
    assert names_a_value(("-99",))
    assert not names_a_value(MARKERS)
    line = CutAxis("age", ColumnType.INTEGER, markers=("-99",))
    assert part_of(line, 40, pl.Series([-99, 39, 41])) == [1, 0, 1]


@pytest.mark.parametrize(
    ("line", "column", "filled"),
    [
        (CutAxis("a", ColumnType.INTEGER, filled=7), pl.Series([None, 1]), [7, 1]),
        (CutAxis("a", ColumnType.INTEGER, markers=("?",), filled=7), pl.Series(["?", "1"]), ["7", "1"]),
        (CutAxis("a", ColumnType.INTEGER, markers=("-9",), filled=7), pl.Series([-9, 1, None]), [7, 1, 7]),
        (
            CutAxis("a", ColumnType.TEXT, markers=("?",), filled="x"),
            pl.Series(["?", "x"], dtype=pl.Enum(["?", "x"])),
            ["x", "x"],
        ),
        (CutAxis("a", ColumnType.TEXT, CITIES, filled=2), pl.Series(["Ávila", None]), ["Ávila", "Cádiz"]),
        (CutAxis("a", ColumnType.REAL, filled=0.5), pl.Series([np.nan, 1.0]), [0.5, 1.0]),
        (
            CutAxis("a", ColumnType.DATE, filled=1),
            pl.Series([None], dtype=pl.Date),
            [datetime.date(1970, 1, 2)],
        ),
        (CutAxis("a", ColumnType.DATE, filled=1), pl.Series([None], dtype=pl.String), ["1970-01-02"]),
        (CutAxis("a", ColumnType.TEXT, CITIES, filled=2), pl.Series([None], dtype=pl.String), ["Cádiz"]),
    ],
)
def test_the_value_for_missing_ones_is_written_as_the_table_writes_it(line, column, filled):
    done = line.fill(column)
    assert (done.to_list(), done.dtype) == (filled, column.dtype)
    assert line.read(done).to_list() == line.read(column).to_list()


def test_a_value_that_is_not_of_its_type_is_named():
    with pytest.raises(ProjectError, match="'old' is none"):
        part_of(CutAxis("age", ColumnType.INTEGER), 40, pl.Series(["12", "old"]))


def test_parts_keep_their_numbers_when_others_are_cut():
    age = CutAxis("age", ColumnType.INTEGER)
    frame = pl.DataFrame({"age": np.arange(100)})
    cuts = CutTree((age,)).divide({0: (0, 49)})
    before = cuts.number(frame)
    cuts = cuts.divide({1: (0, 74)}).divide({2: (0, 89), 1: (0, 60)})
    after = cuts.number(frame)
    assert cuts.count == 5
    assert (after[before == 0] == 0).all()
    assert np.bincount(after).tolist() == [50, 11, 15, 14, 10]


def test_without_cuts_there_is_one_part():
    cuts = CutTree((CutAxis("age", ColumnType.INTEGER),))
    assert cuts.number(pl.DataFrame({"age": [1, None]})).tolist() == [0, 0]
    assert cuts.sql(["q0"]) == ("0", [])
