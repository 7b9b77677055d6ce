"""Each builder makes the levels it promises, and no level that merges nothing."""

import re
from decimal import Decimal

import polars as pl
import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import dates, digits, flat, intervals, prefixes, taxonomy


def test_digits_are_masked_one_by_one_from_the_right():
    values = ["1986", "1987", "1990", "1890", "2001"]
    assert digits("born", values).rows() == [
        ("1890", "189*", "18**", "1***", "****"),
        ("1986", "198*", "19**", "1***", "****"),
        ("1987", "198*", "19**", "1***", "****"),
        ("1990", "199*", "19**", "1***", "****"),
        ("2001", "200*", "20**", "2***", "****"),
    ]


def test_digits_stop_where_all_values_are_the_same():
    assert digits("zip", ["53706", "53715", "53703"]).rows()[-1] == ("53715", "5371*", "537**")
    assert digits("born", ["1986"]).rows() == [("1986", "****")]


def test_numbers_with_fewer_digits_are_never_padded():
    assert digits("n", ["7", "8", "42", "48", "123"]).rows() == [
        ("7", "*", "**", "***"),
        ("8", "*", "**", "***"),
        ("42", "4*", "**", "***"),
        ("48", "4*", "**", "***"),
        ("123", "12*", "1**", "***"),
    ]


def test_leading_zeros_are_digits():
    assert digits("zip", ["08001", "08002", "08101", "28001"]).level(1)["08001"] == "0800*"


def test_the_sign_stays_until_all_digits_are_masked():
    assert digits("n", ["-12", "-17", "-5", "12", "15", "123"]).rows() == [
        ("-17", "-1*", "-**", "***"),
        ("-12", "-1*", "-**", "***"),
        ("-5", "-*", "-**", "***"),
        ("12", "1*", "**", "***"),
        ("15", "1*", "**", "***"),
        ("123", "12*", "1**", "***"),
    ]


def test_decimals_keep_their_point_and_count_the_same_places():
    assert digits("x", ["3.5", "3.57", "13.0", "14.25"]).rows() == [
        ("3.5", "3.5*", "*.**", "**.**"),
        ("3.57", "3.5*", "*.**", "**.**"),
        ("13.0", "13.0*", "1*.**", "**.**"),
        ("14.25", "14.2*", "1*.**", "**.**"),
    ]


def test_digits_of_what_is_no_number_are_refused():
    with pytest.raises(HierarchyError, match="1 of the values is no number: 'A1'; use prefixes"):
        digits("code", ["A1", "12"])
    with pytest.raises(HierarchyError, match="a step is 1 digit or more"):
        digits("n", ["12"], step=0)


def test_natural_intervals_have_round_bounds_and_nest():
    ages = [str(age) for age in range(17, 91)]
    hierarchy = intervals("age", ages)
    assert hierarchy.rows()[6] == ("23", "[20-24]", "[20-29]", "[0-49]", "*")
    assert [len(level) for level in hierarchy.labels] == [74, 16, 9, 2, 1]


def test_natural_intervals_of_reals_are_half_open():
    hierarchy = intervals("x", ["0.3", "0.35", "0.29", "0.1", "0.7"], bins=7)
    assert hierarchy.rows() == [
        ("0.1", "[0.1, 0.2[", "[0.0, 0.5[", "*"),
        ("0.29", "[0.2, 0.3[", "[0.0, 0.5[", "*"),
        ("0.3", "[0.3, 0.4[", "[0.0, 0.5[", "*"),
        ("0.35", "[0.3, 0.4[", "[0.0, 0.5[", "*"),
        ("0.7", "[0.7, 0.8[", "[0.5, 1.0[", "*"),
    ]
    assert intervals("x", ["20.5", "21.0", "26.0", "31.0"], bins=4).labels[1][0] == "[20.0, 25.0["


def test_natural_intervals_cross_zero():
    rows = intervals("n", [str(n) for n in range(-30, 31)], bins=8).rows()
    assert rows[0] == ("-30", "[-30 - -21]", "[-50 - -1]", "*")
    assert rows[-1] == ("30", "[30-39]", "[0-49]", "*")


def test_intervals_of_equal_width_join_as_many_as_said():
    hierarchy = intervals("n", [str(n) for n in range(27)], kind="width", bins=9, merge=3)
    assert hierarchy.rows()[10] == ("10", "[9-11]", "[9-17]", "*")
    assert [len(level) for level in hierarchy.labels] == [27, 9, 3, 1]


def test_intervals_of_equal_frequency_hold_about_as_many_rows():
    values = ["0", "1", "2", "3", "4", "5"]
    even = intervals("n", values, kind="frequency", bins=2)
    assert even.level(1) == dict.fromkeys(["0", "1", "2"], "[0-2]") | dict.fromkeys(["3", "4", "5"], "[3-9]")
    weighed = intervals("n", values, kind="frequency", bins=2, counts=[5, 1, 1, 1, 1, 1])
    assert weighed.level(1)["0"] == "0"
    assert weighed.level(1)["1"] == "[1-9]"


def test_intervals_of_equal_frequency_are_parted_by_round_numbers():
    hierarchy = intervals("x", ["1.5", "2.5", "3.75", "9.25"], kind="frequency", bins=2)
    assert hierarchy.labels[1] == ("[0.0, 3.0[", "[3.0, 10.0[")
    assert intervals("x", ["-7.5", "-2.5", "3.75", "9.25"], kind="frequency", bins=2).labels[1] == (
        "[-10.0, 0.0[",
        "[0.0, 10.0[",
    )


@pytest.mark.parametrize(
    ("kind", "top"),
    [
        ("natural", "[95000000-99999999]"),
        ("width", "[96000000-99999999]"),
        ("frequency", "[50000000-99999999]"),
    ],
)
def test_the_exact_incomes_of_the_few_at_the_top_are_in_no_label(kind, top):
    values = [str(income) for income in range(1000, 1100)] + ["96123456", "97000001", "98765432"]
    hierarchy = intervals("income", values, kind=kind)
    assert [hierarchy.level(1)[value] for value in values[-3:]] == [top] * 3
    labels = " ".join(label for level in hierarchy.labels[1:] for label in level)
    assert not [exact for exact in ("1000", *values[-3:]) if exact in re.findall("[0-9]+", labels)]


def test_equal_widths_do_not_start_at_the_smallest_value():
    ages = [str(age) for age in range(17, 92)]
    assert intervals("age", ages, kind="width").rows()[0] == (
        "17",
        "[15-17]",
        "[12-17]",
        "[12-23]",
        "[0-23]",
        "[0-47]",
        "*",
    )


def test_spellings_of_one_number_stay_in_one_interval():
    hierarchy = intervals("n", ["5", "05", "005", "9"], kind="frequency", bins=4)
    assert hierarchy.level(1) == dict.fromkeys(["005", "05", "5"], "[5-6]") | {"9": "[7-9]"}


@pytest.mark.parametrize("kind", ["natural", "width", "frequency"])
def test_neighbouring_floats_fall_where_their_labels_say(kind):
    values = ["0.9999999999999998", "0.9999999999999999", "1.0", "1.0000000000000002", "1.0000000000000004"]
    hierarchy = intervals("x", values, kind=kind, bins=3)
    assert hierarchy.height > 1
    for value, label in hierarchy.level(1).items():
        low, high = label[1:-1].split(", ")
        assert Decimal(low) <= Decimal(value) < Decimal(high)


def test_whole_numbers_of_any_size_are_exact():
    values = [str(10**30 + n) for n in range(20)]
    assert intervals("n", values, bins=4).level(1)[values[7]] == f"[{10**30 + 5}-{10**30 + 9}]"


def test_values_that_are_not_finite_stay_themselves():
    hierarchy = intervals("x", ["1.5", "2.5", "300.0", "NaN", "inf"], bins=3)
    assert hierarchy.level(1)["NaN"] == "NaN"
    assert hierarchy.level(1)["inf"] == "inf"
    assert hierarchy.level(1)["1.5"] == hierarchy.level(1)["2.5"]
    assert intervals("x", ["NaN"]).rows() == [("NaN", "*")]


def test_intervals_of_one_value_are_suppression_only():
    for kind in ("natural", "width", "frequency"):
        assert intervals("n", ["5"], kind=kind).rows() == [("5", "*")]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"kind": "round"}, "no intervals of kind 'round'; the kinds are"),
        ({"bins": 1}, "bins=1 and merge=2; both are 2 or more"),
        ({"merge": 1}, "bins=32 and merge=1"),
        ({"counts": [1]}, "1 counts for 2 values; give one count per value"),
    ],
)
def test_impossible_intervals_are_refused(options, message):
    with pytest.raises(HierarchyError, match=message):
        intervals("n", ["1", "2"], **options)


def test_intervals_of_what_is_no_number_are_refused():
    with pytest.raises(HierarchyError, match="1 of the values is no number: 'x'"):
        intervals("n", ["1", "x"])


def test_dates_become_longer_and_longer_periods():
    values = ["2021-03-04", "2021-03-05", "2021-01-31", "2021-12-24", "2023-07-01", "1999-05-05"]
    assert dates("born", values).rows()[2] == ("2021-03-04", "2021-03", "2021-Q1", "2021", "2020s", "*")
    assert [len(level) for level in dates("born", values).labels] == [6, 5, 4, 3, 2, 1]


def test_dates_with_times_become_days_first():
    values = ["2021-03-04T10:00:00", "2021-03-04 11:30:00.5", "2021-03-05T00:00:00Z", "2020-01-01T00:00"]
    assert dates("seen", values).level(1)[values[0]] == "2021-03-04"


def test_dates_written_day_first_are_understood():
    assert dates("born", ["4/3/2021", "05-03-2021", "31.12.1999"], levels=("month",)).rows() == [
        ("31.12.1999", "1999-12", "*"),
        ("4/3/2021", "2021-03", "*"),
        ("05-03-2021", "2021-03", "*"),
    ]


def test_only_the_levels_asked_for_are_made():
    values = ["2021-03-04", "2021-06-05", "1999-12-31"]
    assert dates("born", values, levels=("year",)).rows()[1] == ("2021-03-04", "2021", "*")


@pytest.mark.parametrize(
    "levels", [("week", "month"), ("year", "month"), ("year", "year"), ("quarter", "school-year")]
)
def test_levels_that_do_not_nest_are_refused(levels):
    with pytest.raises(
        HierarchyError,
        match="take some of one row, in its order: day, month, quarter",
    ):
        dates("born", ["2021-03-04"], levels=levels)


def test_days_that_do_not_exist_are_refused():
    with pytest.raises(HierarchyError, match="2 of the values are no date: '12/31/2021', '2021-02-30'"):
        dates("born", ["2021-02-30", "12/31/2021", "2021-01-01"])


def test_prefixes_lose_some_characters_at_each_level():
    values = ["J45.1", "J45.2", "J46.0", "K21.0"]
    assert prefixes("icd", values, lengths=(3, 1)).rows()[0] == ("J45.1", "J45*", "J*", "*")
    assert prefixes("icd", values, step=3).rows()[0] == ("J45.1", "J4*", "*")


@pytest.mark.parametrize("lengths", [(1, 3), (2, 2), (0,)])
def test_prefix_lengths_must_fall(lengths):
    with pytest.raises(HierarchyError, match="do not fall from level to level"):
        prefixes("icd", ["J45.1"], lengths=lengths)


def test_texts_too_long_for_single_steps_ask_for_larger_ones():
    with pytest.raises(HierarchyError, match="would have 999 levels; take larger steps"):
        prefixes("text", ["x" * 1000])
    assert prefixes("text", ["x" * 1000], step=100).height == 1


def test_flat_keeps_or_suppresses():
    assert flat("sex", pl.Series(["M", "F", None, "M"])).rows() == [("F", "*"), ("M", "*")]


def test_a_column_without_values_has_no_hierarchy():
    with pytest.raises(HierarchyError, match="hierarchy of 'sex': the column has no values"):
        flat("sex", [None])


def test_a_taxonomy_is_written_as_groups_of_groups():
    hierarchy = taxonomy("work", {"Paid": {"State": ["City", "Army"], "Own": ["Farm"]}, "None": []})
    assert hierarchy.rows() == [
        ("City", "State", "Paid", "*"),
        ("Army", "State", "Paid", "*"),
        ("Farm", "Own", "Paid", "*"),
        ("None", "None", "None", "*"),
    ]


def test_levels_of_a_taxonomy_that_merge_nothing_are_left_out():
    assert taxonomy("w", {"All": {"A": ["a"], "B": ["b"]}}, root="any").rows() == [("a", "any"), ("b", "any")]


def test_impossible_taxonomies_are_refused():
    with pytest.raises(HierarchyError, match="there are no groups"):
        taxonomy("w", {})
    with pytest.raises(HierarchyError, match="a group holds 'abc'; a group is a list"):
        taxonomy("w", {"A": "abc"})
    with pytest.raises(HierarchyError, match="'a'"):
        taxonomy("w", {"A": ["a"], "B": ["a"]})
    endless = {}
    endless["A"] = endless
    with pytest.raises(HierarchyError, match="a group holds itself"):
        taxonomy("w", endless)
