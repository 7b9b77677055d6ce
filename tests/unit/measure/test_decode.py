"""Labels of our own techniques and of other tools are read back as what they allow."""

import numpy as np
import polars as pl
import pytest

from celosia.hierarchies import Hierarchy
from celosia.measure.decode import LabelMeaning, decode_column
from celosia.measure.subject import MeasureSubject
from celosia.types import ColumnType

AGES = ["5", "18", "20", "25", "29", "30", "34", "39", "64", "65", "91"]


def allowed(kind, values, label, *, others=(), **more):
    """The values that one label allows."""
    texts = pl.Series(values, dtype=pl.String)
    found = decode_column("c", kind, texts, pl.Series([label, *others], dtype=pl.String), **more)
    codes = np.arange(len(values))
    return [values[code] for code in codes[found.allows(codes, np.zeros(len(codes), np.int64))]]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("[20-29]", ["20", "25", "29"]),
        ("[20 - 29]", ["20", "25", "29"]),
        ("20-30", ["20", "25", "29", "30"]),  # Amnesia, anonypy
        ("20~30", ["20", "25", "29", "30"]),
        ("[20, 30[", ["20", "25", "29"]),  # ARX
        ("(20, 30]", ["25", "29", "30"]),
        ("[20.0, 30.0[", ["20", "25", "29"]),
        ("20,30", ["20", "25", "29", "30"]),
        ("{20, 34, 91}", ["20", "34", "91"]),
        ("20,34,91", ["20", "34", "91"]),
        ("{[20-29], 64}", ["20", "25", "29", "64"]),
        ("< 18", ["5"]),
        ("≥ 65", ["65", "91"]),
        ("<=18", ["5", "18"]),
        (">65", ["91"]),
        ("90+", ["91"]),
        ("2*", ["20", "25", "29"]),
        ("*", AGES),
        ("29", ["29"]),
        ("29.0", ["29"]),
        ("28", []),
        ("elderly", []),
    ],
)
def test_labels_of_whole_numbers(label, expected) -> None:
    assert allowed(ColumnType.INTEGER, AGES, label) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("[0.1, 0.2[", ["0.1", "0.19"]),
        ("[-7.5 - 0.1]", ["-7.5", "-0.5", "0.1"]),
        ("[0.1-12.34]", ["0.1", "0.19", "0.2", "12.34"]),
        ("12.**", ["12.34"]),
        ("1*.**", ["12.34"]),
        ("0.1*", ["0.1", "0.19"]),
        ("-7.*", ["-7.5"]),
        ("**.**", ["-7.5", "-0.5", "0.1", "0.19", "0.2", "12.34"]),
        ("[1e-1-2e-1]", ["0.1", "0.19", "0.2"]),
        ("[0.2-inf]", ["0.2", "12.34"]),
    ],
)
def test_labels_of_reals(label, expected) -> None:
    values = ["-7.5", "-0.5", "0.1", "0.19", "0.2", "12.34"]
    assert allowed(ColumnType.REAL, values, label) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("2021-03", ["2021-03-01", "2021-03-31"]),
        ("2021-Q1", ["2021-01-31", "2021-03-01", "2021-03-31"]),
        ("2021", ["2021-01-31", "2021-03-01", "2021-03-31", "2021-04-01"]),
        ("2020s", ["2021-01-31", "2021-03-01", "2021-03-31", "2021-04-01"]),
        ("[2021-03-01 - 2021-04-01]", ["2021-03-01", "2021-03-31", "2021-04-01"]),
        ("[2021-03-01, 2021-04-01[", ["2021-03-01", "2021-03-31"]),
        ("2021-13", []),
    ],
)
def test_labels_of_dates(label, expected) -> None:
    values = ["1999-12-31", "2021-01-31", "2021-03-01", "2021-03-31", "2021-04-01"]
    assert allowed(ColumnType.DATE, values, label) == expected


def test_labels_of_dates_with_time() -> None:
    values = ["2021-03-04T08:15:00", "2021-03-04T21:40:00.500000", "2021-03-05T07:00:00"]
    assert allowed(ColumnType.DATETIME, values, "2021-03-04") == values[:2]
    assert allowed(ColumnType.DATETIME, values, "2021-03") == values
    label = "[2021-03-04T21:40:00.500000 - 2021-03-05T07:00:00]"
    assert allowed(ColumnType.DATETIME, values, label) == values[1:]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("J4*", ["J45", "J45.1"]),
        ("J45*", ["J45", "J45.1"]),
        ("{J45, K21}", ["J45", "K21"]),
        ("J45,K21", ["J45", "K21"]),
        ("{Smith, John, K21}", ["K21", "Smith, John"]),
        ("[J18 - K21]", ["J45", "J45.1", "J18", "K21"]),
        ("***", ["J45", "J18", "K21"]),
        ("**5", ["J45"]),
        ("J45~K21", ["J45", "K21"]),
        ("##5", ["J45"]),
        ("J4…", ["J45", "J45.1"]),
        ("J45", ["J45"]),
        ("Z", []),
    ],
)
def test_labels_of_texts(label, expected) -> None:
    values = ["J45", "J45.1", "J18", "K21", "Smith, John"]
    assert allowed(ColumnType.TEXT, values, label, others=["Q", "wholly other", "*******"]) == expected


def test_a_column_that_was_cut_short_is_read_as_beginnings_even_where_one_is_a_value() -> None:
    values = ["28013", "28014", "08001", "28"]
    assert allowed(ColumnType.TEXT, values, "28", others=["08"]) == ["28013", "28014", "28"]
    assert allowed(ColumnType.INTEGER, ["28013", "28014", "18001"], "28", others=["18"]) == ["28013", "28014"]


def test_a_rounded_column_is_read_as_what_rounds_to_each_number() -> None:
    values = [str(age) for age in range(17, 85)]
    others = [str(age) for age in range(30, 81, 10)]
    assert allowed(ColumnType.INTEGER, values, "20", others=others) == [str(age) for age in range(17, 26)]


def test_lower_bounds_of_intervals_are_read_as_their_intervals() -> None:
    values = [str(age) for age in range(96)]
    others = [str(age) for age in range(0, 91, 10) if age != 20]
    assert allowed(ColumnType.INTEGER, values, "20", others=others) == [str(age) for age in range(20, 30)]


def test_a_coded_top_is_read_as_all_above() -> None:
    values = [str(age) for age in range(80, 100)]
    others = [str(age) for age in range(80, 90)]
    assert allowed(ColumnType.INTEGER, values, "90", others=others) == [str(age) for age in range(90, 100)]


def test_numbers_that_were_merely_changed_are_read_as_they_stand() -> None:
    values = [str(age) for age in range(20, 60)]
    labels = ["23", "27", "31.5", "44", "58"]
    assert allowed(ColumnType.INTEGER, values, "23", others=labels[1:]) == ["23"]


def test_an_empty_cell_allows_everything_where_the_original_misses_nothing() -> None:
    assert allowed(ColumnType.TEXT, ["a", "b"], None) == ["a", "b"]
    assert allowed(ColumnType.TEXT, ["a", "b", None], None) == [None]
    assert allowed(ColumnType.TEXT, ["a", "b", None], None, is_emptied=True) == ["a", "b", None]


def test_empty_cells_that_were_emptied_allow_anything() -> None:
    values, labels = pl.Series(["x", "y", None]), pl.Series(["x", None])
    meant = [
        decode_column("a", ColumnType.TEXT, values, labels, is_emptied=emptied).meanings[1]
        for emptied in (False, True)
    ]
    assert meant == [LabelMeaning.MISSING, LabelMeaning.EVERYTHING]


def test_rows_left_out_at_the_ends_are_not_taken_for_numbers_cut_off_there() -> None:
    people = pl.DataFrame({"age": [31, 32, 38, 47, 47, 55]})
    left_out = MeasureSubject.of(people, people[1:5]).decoded("age")
    assert left_out.leaves.tolist() == [1, 1, 1]
    cut_off = MeasureSubject.of(people, people.with_columns(pl.col("age").clip(32, 47))).decoded("age")
    assert cut_off.leaves.tolist() == [2, 1, 2]


def test_numbers_on_a_grid_of_their_own_were_not_rounded_to_it() -> None:
    people = pl.DataFrame({"age": [20, 24, 28, 32, 36, 40]})
    assert MeasureSubject.of(people, people[:3]).decoded("age").leaves.tolist() == [1, 1, 1]


def test_separators_that_were_kept_part_what_is_hidden() -> None:
    assert allowed(ColumnType.TEXT, ["1", "1.111"], "*.*11", others=["*"]) == ["1.111"]


def test_a_value_that_others_become_allows_them_too() -> None:
    towns = Hierarchy.from_rows("town", [("Madrid", "Madrid"), ("Getafe", "Madrid"), ("Soria", "Soria")])
    values = ["Madrid", "Getafe", "Soria"]
    assert allowed(ColumnType.TEXT, values, "Madrid", hierarchy=towns) == ["Madrid", "Getafe"]
    others = ["Getafe", "Soria"]
    assert allowed(ColumnType.TEXT, values, "Madrid", hierarchy=towns, others=others) == ["Madrid"]


def test_an_interval_of_a_hierarchy_allows_numbers_that_the_hierarchy_never_saw() -> None:
    ages = Hierarchy.from_rows("age", [("31", "[30-39]", "*"), ("38", "[30-39]", "*")])
    found = decode_column(
        "age", ColumnType.INTEGER, pl.Series(["31", "38"]), pl.Series(["[30-39]"]), hierarchy=ages
    )
    assert (found.low[0], found.high[0]) == (30.0, 39.0)


def test_a_set_of_numbers_is_as_far_as_the_nearest_of_them() -> None:
    found = decode_column(
        "n", ColumnType.INTEGER, pl.Series(["0", "40", "60", "100"]), pl.Series(["{0, 60}"])
    )
    assert found.table(np.array([1, 3])).ravel().tolist() == pytest.approx([0.2, 0.4])
    assert found.table(np.array([1]), within=20).ravel().tolist() == [0.0]


def test_a_value_that_only_the_hierarchy_knows_is_a_value_of_its_own() -> None:
    towns = Hierarchy.from_rows("town", [("Madrid", "*"), ("Getafe", "*")])
    found = decode_column(
        "town", ColumnType.TEXT, pl.Series(["Madrid"]), pl.Series(["Getafe"]), hierarchy=towns
    )
    assert found.meanings.tolist() == [LabelMeaning.VALUE]
    assert found.table(np.array([0])).tolist() == [[1.0]]


def test_a_set_of_all_values_does_not_allow_a_missing_one_but_the_root_of_a_hierarchy_does() -> None:
    letters = Hierarchy.from_rows("letter", [("a", "any"), ("b", "any")])
    values, labels = pl.Series(["a", "b", None]), pl.Series(["{a, b}", "[a - b]", "any", "*"])
    found = decode_column("letter", ColumnType.TEXT, values, labels, hierarchy=letters)
    assert found.allows(np.full(4, 2), np.arange(4)).tolist() == [False, False, True, True]
    assert found.leaves.tolist() == [2, 2, 3, 3]
