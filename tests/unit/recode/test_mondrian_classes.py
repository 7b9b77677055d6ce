"""How multidimensional recoding cuts, on tables small enough to follow by hand."""

import os
from collections import Counter
from unittest import mock

import numpy as np
import polars as pl
import pytest

from celosia.errors import NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.kernels.loops import compile_loops
from celosia.privacy import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from celosia.recode import mondrian as module
from celosia.recode.mondrian import CutRules, Split, Width, continue_mondrian, mondrian
from celosia.recode.space import build_space
from celosia.recode.target import with_target
from celosia.recode.tree import ROWS, Tree
from celosia.tables import open_table


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Small tables are cut by plain loops, unless the compiled ones are there."""
    compile_loops("mondrian")
    compile_loops("peel")


def partition_of(frame, k=2, *, models=(), sensitive=(), paths=None, hierarchies=None, **how):
    table = open_table(frame)
    types = {column.name: column.type for column in table.schema()}
    names = [name for name in frame.columns if name not in sensitive]
    space = build_space(
        table.count_by([*names, *sensitive]),
        quasi_identifiers=names,
        types=types,
        hierarchies={name: Hierarchy.from_rows(name, rows) for name, rows in (paths or {}).items()},
    )
    space = with_target(space, how.get("target"), types)
    return mondrian(space, CutRules(models=(KAnonymity(k=k), *models), hierarchies=hierarchies, **how))


def classes_of(partition):
    """Sorted rows of every class, in the order of their first one; a column alone without its tuple."""
    found = [[] for _ in range(len(partition))]
    axes = partition.space.axes
    for codes, weight, number in zip(
        partition.space.codes, partition.space.weights, partition.classes, strict=True
    ):
        row = tuple(axis.values[int(code)] for axis, code in zip(axes, codes, strict=True))
        found[number] += [row if len(row) > 1 else row[0]] * int(weight)
    return sorted((sorted(one, key=repr) for one in found), key=repr)


def cut(values, k=2, **how):
    return classes_of(partition_of(pl.DataFrame({"x": values}), k, **how))


# --- where a part is cut
# ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("split", [Split.MEDIAN, Split.UP_TO_MEDIAN])
def test_at_the_median_up_to_it_goes_left(split):
    assert cut([1, 2, 3, 4, 9], split=split) == [[1, 2, 3], [4, 9]]
    assert cut([1, 2, 3, 9], split=split) == [[1, 2], [3, 9]]


@pytest.mark.parametrize("split", [Split.MEDIAN, Split.UP_TO_MEDIAN])
def test_a_median_that_leaves_too_few_above_and_below_is_no_cut(split):
    assert cut([1, 2, 2, 2, 3], split=split) == [[1, 2, 2, 2, 3]]


def test_a_median_that_is_the_last_value_is_cut_before_it_unless_as_published():
    values = [1, 2, 3, 9, 9, 9, 9]
    assert cut(values, split=Split.MEDIAN) == [[1, 2, 3], [9, 9, 9, 9]]
    assert cut(values, split=Split.UP_TO_MEDIAN) == [values]


def test_by_distribution_at_the_smallest_value_that_leaves_enough_so_that_frequent_values_stay():
    assert cut([1, 2, 5, 5, 5, 8, 8, 9], split=Split.DISTRIBUTION) == [[1, 2], [5, 5, 5], [8, 8, 9]]
    assert cut([1, 5, 5, 9], split=Split.DISTRIBUTION) == [[1, 5, 5, 9]]


def test_by_loss_in_the_widest_gap():
    assert cut([20, 21, 40, 41, 42]) == [[20, 21], [40, 41, 42]]


def test_the_column_cut_is_the_one_with_the_largest_share_of_its_range():
    frame = pl.DataFrame({"x": [0, 1, 2, 3, 100, 100], "y": [0, 1, 1, 0, 5, 5]})
    lower = partition_of(frame, split=Split.MEDIAN)
    # Both columns first cover all of themselves, and the first of them is cut: its median is 2.
    assert classes_of(lower)[0] == [(0, 0), (1, 1), (2, 1)]


def test_a_width_in_deviations_prefers_the_column_with_few_far_out():
    x, y = [0, 0, 0, 1, 1, 1, 0, 1], [4, 5, 5, 5, 5, 5, 5, 9]
    by_share = partition_of(pl.DataFrame({"x": x, "y": y}), 4, split=Split.MEDIAN)
    assert classes_of(by_share) == [
        [(0, 4), (0, 5), (0, 5), (0, 5)],
        [(1, 5), (1, 5), (1, 5), (1, 9)],
    ]
    by_deviation = partition_of(
        pl.DataFrame({"x": x, "y": y}), 2, split=Split.DISTRIBUTION, width=Width.DEVIATION
    )
    # y is about three deviations wide, x two: y is cut first, after the 5, of which there are enough.
    assert not any({4, 9} <= {row[1] for row in one} for one in classes_of(by_deviation))


def test_if_the_widest_column_cannot_be_cut_the_next_is():
    frame = pl.DataFrame({"x": [0, 9, 9, 9], "y": [1, 1, 2, 2], "z": [0, 0, 1, 1]})
    for split in (Split.MEDIAN, Split.DISTRIBUTION, Split.LOSS):
        assert classes_of(partition_of(frame, split=split)) == [
            [(0, 1, 0), (9, 1, 0)],
            [(9, 2, 1), (9, 2, 1)],
        ]


def test_the_published_numbers_are_cut_one_by_one_from_the_lower_end():
    ages = [17] * 3 + [18] * 5 + [19, 20, 21] + [22] * 4 + [90]
    expected = [[17] * 3, [18] * 5, [19, 20, 21], [22, 22, 22, 22, 90]]
    assert cut(ages, 3, split=Split.DISTRIBUTION, width=Width.DEVIATION) == expected


def test_values_under_one_label_are_kept_together():
    paths = {"x": [("a", "A", "*"), ("b", "B", "*"), ("c", "A", "*"), ("d", "B", "*")]}
    frame = pl.DataFrame({"x": ["a", "b", "c", "d"]})
    assert classes_of(partition_of(frame, paths=paths)) == [["a", "c"], ["b", "d"]]


def test_by_gain_where_the_sides_tell_most_about_the_target():
    frame = pl.DataFrame({"x": [1, 2, 3, 4, 5, 6], "s": ["u", "u", "u", "u", "v", "v"]})
    assert classes_of(partition_of(frame, sensitive=["s"], split=Split.GAIN, target="s")) == [
        [1, 2],
        [3, 4],
        [5, 6],
    ]
    assert classes_of(partition_of(frame, 3, sensitive=["s"], split=Split.GAIN, target="s")) == [
        [1, 2, 3],
        [4, 5, 6],
    ]


def test_a_target_of_many_numbers_is_looked_at_in_tenths():
    values = list(range(100))
    frame = pl.DataFrame({"x": values, "s": [float(value) for value in values]})
    partition = partition_of(frame, 40, sensitive=["s"], split=Split.GAIN, target="s")
    codes, names = partition.space.targets["s"]
    assert Counter(codes.tolist()) == dict.fromkeys(range(10), 10)
    assert len(names) == 10
    assert sorted(partition.rows.tolist()) == [50, 50]


# --- values that are hard to cut between
# -------------------------------------------------------------------------------


@pytest.mark.parametrize("split", [Split.LOSS, Split.MEDIAN, Split.DISTRIBUTION])
@pytest.mark.parametrize("width", list(Width))
@pytest.mark.parametrize(
    "values",
    [
        [2**53, 2**53 + 1],
        [float("inf"), None],
        [0.0, 5e-324],
        [-1.7e308, 1.7e308],
        ["a", None],
        [True, False],
    ],
)
def test_values_that_are_different_can_be_cut_however_close_or_far(values, split, width):
    assert len(cut(values * 2, split=split, width=width)) == 2


@pytest.mark.parametrize("width", list(Width))
def test_close_values_are_cut_in_a_column_that_reaches_far(width):
    for split in (Split.MEDIAN, Split.DISTRIBUTION):
        far = [-(10**12)] * 2 + [0, 0, 1, 1]
        assert cut(far, split=split, width=width) == [[-(10**12)] * 2, [0, 0], [1, 1]]


@pytest.mark.parametrize("rows", [60, 600])
def test_a_cut_is_found_between_frequent_neighbours_among_many_rare_values(rows):
    """Where many values are looked at in bins, two frequent ones may lie in the same bin."""
    rare = np.unique(np.linspace(0, 600, rows).astype(int))
    for place in range(3):
        first = int(rare[len(rare) // 2 + place])
        second = int(rare[len(rare) // 2 + place + 1])
        values = [*rare.tolist(), *[first] * 1000, *[second] * 1000]
        assert len(partition_of(pl.DataFrame({"x": values}), 900)) == 2


# --- strict and relaxed
# ---------------------------------------------------------------------------------------------------


def test_strict_cuts_keep_equal_rows_together_and_relaxed_ones_halve_them():
    values = [1, 1, 1, 1, 1, 2]
    assert cut(values, 3, split=Split.MEDIAN) == [values]
    assert cut(values, 3, split=Split.MEDIAN, is_relaxed=True) == [[1, 1, 1], [1, 1, 2]]
    assert cut(values, 3, split=Split.LOSS, is_relaxed=True) == [[1, 1, 1], [1, 1, 2]]


def test_relaxed_classes_are_smaller_than_twice_k_unless_all_their_rows_are_equal():
    values = np.random.default_rng(0).integers(0, 3, 101).tolist()
    for one in cut(values, 4, split=Split.MEDIAN, is_relaxed=True):
        assert len(one) < 8 or len(set(one)) == 1


def test_rows_that_are_all_equal_are_one_class():
    for how in ({}, {"is_relaxed": True}, {"split": Split.MEDIAN}, {"split": Split.DISTRIBUTION}):
        assert cut([7] * 9, 2, **how) == [[7] * 9]


def test_k_as_large_as_the_table_is_one_class_and_larger_is_none():
    assert cut([1, 2, 3], 3) == [[1, 2, 3]]
    with pytest.raises(NoSolutionError, match="one class of all rows"):
        cut([1, 2, 3], 4)


# --- other models
# --------------------------------------------------------------------------------------------------------


def test_a_cut_that_breaks_a_model_is_undone_and_another_column_tried():
    frame = pl.DataFrame(
        {"x": [0, 0, 0, 9, 9, 9, 9, 0], "y": [1, 1, 2, 2, 1, 1, 2, 2], "s": list("uuuvvvvu")}
    )
    assert len(partition_of(frame, 2, sensitive=["s"])) == 4
    partition = partition_of(
        frame, 2, sensitive=["s"], models=(DistinctLDiversity(column="s", l=2),), split=Split.MEDIAN
    )
    assert {frozenset(row[1] for row in one) for one in classes_of(partition)} == {
        frozenset({1}),
        frozenset({2}),
    }


def test_models_that_the_whole_table_breaks_have_no_solution():
    frame = pl.DataFrame({"x": [1, 2, 3, 4], "s": ["u"] * 4})
    with pytest.raises(NoSolutionError):
        partition_of(frame, sensitive=["s"], models=(EntropyLDiversity(column="s", l=2),))


def test_closeness_is_to_the_whole_table_and_not_to_the_nodes_of_the_tree():
    frame = pl.DataFrame({"x": range(8), "s": list("uvuvuvuv")})
    model = TCloseness(column="s", t=0.01)
    partition = partition_of(frame, sensitive=["s"], models=(model,), split=Split.MEDIAN)
    assert partition.rows.tolist() == [2, 2, 2, 2]
    frame = pl.DataFrame({"x": range(8), "s": list("uuuvuvvv")})  # halves 3:1 and 1:3, quarters 2:0 and 1:1
    model = TCloseness(column="s", t=0.25)
    partition = partition_of(frame, sensitive=["s"], models=(model,), split=Split.MEDIAN)
    assert partition.rows.tolist() == [4, 4]  # the quarter 1:1 is far from its half only


def test_hierarchical_closeness_uses_the_hierarchy_of_the_sensitive_column():
    paths = [("u", "A", "*"), ("v", "A", "*"), ("w", "B", "*"), ("z", "B", "*")]
    frame = pl.DataFrame({"x": range(8), "s": list("uwvzuwvz")})
    model = TCloseness(column="s", t=0.25, distance="hierarchical")
    hierarchies = {"s": Hierarchy.from_rows("s", paths)}
    partition = partition_of(
        frame, sensitive=["s"], models=(model,), hierarchies=hierarchies, split=Split.MEDIAN
    )
    assert partition.rows.tolist() == [2, 2, 2, 2]  # half of each share has to move, and only within A or B


def test_a_tree_can_be_cut_on_from_where_somebody_else_stopped():
    frame = pl.DataFrame({"x": [1, 2, 3, 4, 5, 6, 7, 8]})
    rules = CutRules(models=(KAnonymity(k=2),), split=Split.MEDIAN)
    whole = partition_of(frame, split=Split.MEDIAN)
    begun = Tree(np.array([[0, 8, 8, 1, 0, 0], [0, 4, 4, -1, -1, 0], [4, 8, 4, -1, -1, 0]]), np.arange(8))
    assert classes_of(continue_mondrian(whole.space, begun, rules)) == classes_of(whole)


# --- many rows
# -----------------------------------------------------------------------------------------------------------


def people(rows, seed=0):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": random.normal(45, 15, rows).astype(int),
            "zip": random.integers(0, 3000, rows),
            "cost": random.exponential(100, rows).round(2),
            "s": random.choice(list("uvwxyz"), rows),
        }
    )


@pytest.mark.parametrize("split", [Split.LOSS, Split.MEDIAN, Split.GAIN])
def test_cores_share_the_work_and_find_the_same_classes(split):
    options = {"sensitive": ["s"], "split": split, "models": (DistinctLDiversity(column="s", l=3),)}
    options["target"] = "s" if split is Split.GAIN else None
    alone = partition_of(people(3000), 5, **options)
    for cores in (2, 5):
        with (
            mock.patch.object(module, "SMALL", 0),
            mock.patch.object(os, "sched_getaffinity", return_value=set(range(cores)), create=True),
        ):
            together = partition_of(people(3000), 5, **options)
        assert np.array_equal(together.classes, alone.classes)
        assert np.array_equal(together.rows, alone.rows)


@pytest.mark.parametrize("split", [Split.LOSS, Split.MEDIAN, Split.DISTRIBUTION])
@pytest.mark.parametrize("width", list(Width))
def test_many_rows_stay_all_there_in_boxes_that_are_large_enough(split, width):
    frame = people(4000).drop("s")
    partition = partition_of(frame, 7, split=split, width=width)
    assert partition.rows.min() >= 7
    assert partition.rows.sum() == 4000
    assert Counter(row for one in classes_of(partition) for row in one) == Counter(frame.rows())
    leaves = partition.tree.nodes[partition.tree.leaves]
    assert leaves[:, ROWS].tolist() == partition.rows.tolist()
    if split is not Split.MEDIAN:  # a median that leaves too few rows above it may be the only one
        assert partition.rows.max() < 4000 / 7


def test_progress_is_told():
    told = []
    frame = people(500).drop("s")
    table = open_table(frame)
    space = build_space(
        table.count_by(frame.columns),
        quasi_identifiers=frame.columns,
        types={column.name: column.type for column in table.schema()},
        hierarchies={},
    )
    mondrian(space, CutRules(models=(KAnonymity(k=5),)), progress=lambda stage, share: told.append(share))
    assert told[-1] == 1.0
    assert all(0 <= share <= 1 for share in told)
