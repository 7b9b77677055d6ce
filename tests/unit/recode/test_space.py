"""Where values lie on the axes that multidimensional recoding cuts."""

import math
from datetime import date

import numpy as np
import polars as pl
import pytest

from celosia.errors import HierarchyError, ProjectError
from celosia.hierarchies import Hierarchy
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.space import build_space, read_values
from celosia.tables import open_table
from celosia.types import ColumnType

TOWNS = [
    ("Lugo", "Galicia", "*"),
    ("Soria", "Castilla", "*"),
    ("Vigo", "Galicia", "*"),
    ("Burgos", "Castilla", "*"),
]


def space_of(frame, *, types=None, sensitive=(), paths=None, **policies):
    table = open_table(frame)
    names = [name for name in frame.columns if name not in sensitive]
    return build_space(
        table.count_by([*names, *sensitive]),
        quasi_identifiers=names,
        types={column.name: column.type for column in table.schema()} | (types or {}),
        hierarchies={name: Hierarchy.from_rows(name, rows) for name, rows in (paths or {}).items()},
        where="people",
        **policies,
    )


def axis_of(values, **options):
    return space_of(pl.DataFrame({"x": values}), **options).axes[0]


def test_numbers_lie_at_their_value_and_not_in_the_order_of_their_texts():
    axis = axis_of([100, 9, 20, 9])
    assert axis.values.to_list() == [9, 20, 100]
    assert axis.places.tolist() == pytest.approx([0, 11 / 91, 1])
    assert axis.is_ordered


def test_dates_lie_in_the_calendar():
    axis = axis_of([date(2024, 3, 1), date(2024, 2, 28), date(2024, 3, 9)])
    assert axis.places.tolist() == pytest.approx([0, 0.2, 1])


def test_texts_lie_in_alphabetical_order_equally_far_apart():
    axis = axis_of(["c", "a", "b"])
    assert axis.values.to_list() == ["a", "b", "c"]
    assert axis.places.tolist() == [0, 0.5, 1]
    assert not axis.is_ordered


def test_values_under_one_label_are_neighbours():
    axis = axis_of(["Lugo", "Soria", "Vigo", "Burgos"], paths={"x": TOWNS})
    assert axis.is_tree
    assert {frozenset(axis.values[:2]), frozenset(axis.values[2:])} == {
        frozenset({"Lugo", "Vigo"}),
        frozenset({"Soria", "Burgos"}),
    }


def test_a_share_is_the_range_of_numbers_and_the_lowest_common_label_of_a_tree():
    ages = axis_of([20, 30, 60])
    assert ages.shares(np.array([0, 1, 0]), np.array([1, 1, 2])).tolist() == pytest.approx([0.25, 0, 1])
    towns = axis_of(["Lugo", "Soria", "Vigo"], paths={"x": TOWNS})
    code = {town: place for place, town in enumerate(towns.values)}
    low = np.array([code["Lugo"], code["Lugo"], min(code["Lugo"], code["Soria"])])
    high = np.array([code["Lugo"], code["Vigo"], max(code["Vigo"], code["Soria"])])
    low, high = np.minimum(low, high), np.maximum(low, high)
    assert towns.shares(low, high).tolist() == [0, 0.5, 1]


def test_a_number_with_a_hierarchy_still_lies_at_its_value():
    axis = axis_of([9, 10, 100], paths={"x": [("9", "few", "*"), ("10", "many", "*"), ("100", "many", "*")]})
    assert axis.values.to_list() == [9, 10, 100]
    assert not axis.is_tree
    assert [level.tolist() for level in axis.levels[1:]] == [[0, 1, 1], [0, 0, 0]]


def test_texts_that_mean_the_same_number_are_one_value():
    space = space_of(pl.DataFrame({"x": ["1.0", "1.00", "2"]}), types={"x": ColumnType.REAL})
    assert space.axes[0].values.to_list() == [1.0, 2.0]
    assert sorted(space.codes[:, 0].tolist()) == [0, 0, 1]
    assert space.rows == 3


# --- values that are hard to place
# --------------------------------------------------------------------------------


def test_a_missing_value_lies_beyond_the_end_and_is_a_value_of_its_own():
    axis = axis_of([1, None, 3])
    assert axis.values.to_list() == [1, 3, None]
    assert axis.missing == 2
    assert axis.places.tolist() == [0, 1, 2]
    assert axis_of([1, 3]).missing == 2


def test_infinities_lie_outside_the_finite_values_and_a_missing_one_further_still():
    axis = axis_of([math.inf, 1.0, None, 3.0, -math.inf])
    assert axis.values.to_list() == [-math.inf, 1.0, 3.0, math.inf, None]
    assert axis.places[:4].tolist() == [-1, 0, 1, 2]
    assert axis.places[4] > axis.places[3]
    assert axis.shares(np.array([3]), np.array([4])).tolist() == [1]


def test_the_largest_and_the_smallest_numbers_have_places_too():
    assert axis_of([-1.7e308, 0.0, 1.7e308]).places.tolist() == [0, 0.5, 1]
    assert axis_of([0.0, 5e-324]).places.tolist() == [0, 1]
    assert axis_of([-(2**63), 2**63 - 1]).places.tolist() == [0, 1]


def test_one_value_or_none_at_all_takes_no_room():
    assert axis_of([7, 7]).places.tolist() == [0]
    nothing = axis_of(pl.Series([None, None], dtype=pl.Int64))
    assert nothing.values.to_list() == [None]
    assert nothing.missing == 0
    assert axis_of([math.inf, math.inf]).places.tolist() == [2]


def test_whole_numbers_keep_all_their_digits():
    axis = axis_of([2**53, 2**53 + 1])
    assert axis.values.to_list() == [2**53, 2**53 + 1]


def test_a_number_that_is_none_is_not_a_place_on_the_axis():
    assert axis_of([math.nan, 1.0]).values.to_list() == [1.0, None]
    with pytest.raises(ProjectError, match="'NaN'"):
        read_values(pl.Series(["1.5", "NaN"]), ColumnType.REAL, name="x")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (ColumnType.INTEGER, "many"),
        (ColumnType.INTEGER, str(2**63)),
        (ColumnType.REAL, "1,5"),
        (ColumnType.DATE, "1/5/2024"),
        (ColumnType.DATETIME, "noon"),
    ],
)
def test_a_text_that_is_not_of_the_declared_type_is_named(kind, text):
    with pytest.raises(ProjectError) as error:
        space_of(pl.DataFrame({"x": [text, text]}), types={"x": kind})
    assert text in error.value.what
    assert error.value.where == "people"
    assert "--type x=text" in error.value.remedy


def test_a_missing_value_is_apart_from_the_only_value_of_a_hierarchy_without_levels():
    axis = axis_of(["x", None], paths={"x": [("x",)]})
    assert axis.levels[0][0] != axis.levels[0][1]


# --- rows that stay behind
# ----------------------------------------------------------------------------------------


def test_dropped_missing_values_take_their_rows_out():
    space = space_of(pl.DataFrame({"x": [1, None, 3], "y": [1, 2, 3]}), missing=MissingPolicy.DROP)
    assert space.rows == 2
    assert space.excluded == 1
    assert space.axes[0].left_out == (None,)
    assert space.owners.tolist() == [0, 1]
    assert space.axes[0].values.null_count() == 0


def test_missing_values_become_the_most_frequent_one():
    space = space_of(pl.DataFrame({"x": ["a", "b", "b", None]}), missing=MissingPolicy.MODE)
    assert space.axes[0].filled == "b"
    assert space.axes[0].values.to_list() == ["a", "b"]
    assert np.bincount(space.codes[:, 0], weights=space.weights).tolist() == [1, 3]


def test_a_column_without_values_cannot_be_filled():
    space = space_of(
        pl.DataFrame({"x": pl.Series([None, None], dtype=pl.String)}), missing=MissingPolicy.MODE
    )
    assert space.axes[0].filled is None
    assert space.rows == 2


def test_values_that_a_hierarchy_lacks_are_an_error_or_take_their_rows_out():
    frame = pl.DataFrame({"x": ["Lugo", "Paris", "Vigo", None]})
    with pytest.raises(HierarchyError, match="Paris"):
        space_of(frame, paths={"x": TOWNS})
    space = space_of(frame, paths={"x": TOWNS}, unknown=UnknownPolicy.SUPPRESS)
    assert space.excluded == 1
    assert space.axes[0].left_out == ("Paris",)
    assert space.axes[0].values.to_list() == ["Lugo", "Vigo", None]


def test_the_most_frequent_value_is_one_that_the_hierarchy_knows():
    space = space_of(
        pl.DataFrame({"x": ["Paris", "Paris", "Vigo", None]}),
        paths={"x": TOWNS},
        unknown=UnknownPolicy.SUPPRESS,
        missing=MissingPolicy.MODE,
    )
    assert space.axes[0].filled == "Vigo"
    assert (space.rows, space.excluded) == (2, 2)


# --- spaces
# -----------------------------------------------------------------------------------------------------------


def test_one_by_one_every_person_is_a_point_of_the_same_combination():
    space = space_of(pl.DataFrame({"x": [5, 5, 9], "s": ["u", "u", "v"]}), sensitive=["s"])
    apart = space.one_by_one()
    assert apart.weights.tolist() == [1, 1, 1]
    assert apart.codes[:, 0].tolist() == [0, 0, 1]
    assert apart.owners.tolist() == [0, 0, 1]
    assert [apart.sensitive["s"][1][code] for code in apart.sensitive["s"][0]] == ["u", "u", "v"]
    assert apart.one_by_one() is apart


def test_more_columns_than_can_be_banned_by_bits_are_refused():
    frame = pl.DataFrame({f"x{place}": [1, 2] for place in range(63)})
    with pytest.raises(ProjectError, match="63 quasi-identifiers"):
        space_of(frame)
    assert len(space_of(frame.drop("x0")).axes) == 62
