"""Multidimensional recoding over random small tables, held against its definitions, row by row."""

import itertools
import os
from collections import Counter, defaultdict
from unittest import mock

import plain_mondrian as plain
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mixed_tables import (
    GOALS,
    INFINITE,
    frame_of,
    is_real,
    lowest_label,
    members,
    range_of,
    share_of,
    space_of,
    tables,
)

from celosia.errors import NoSolutionError
from celosia.kernels.loops import compile_loops
from celosia.privacy import KAnonymity, TCloseness
from celosia.recode import mondrian as module
from celosia.recode.local import local_recoding, partition_measures
from celosia.recode.mondrian import CutRules, Split, Width, mondrian
from celosia.recode.represent import Represent, represent
from celosia.recode.tree import CHILD, END, START


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Small tables are cut by plain loops, unless the compiled ones are there."""
    compile_loops("mondrian")
    compile_loops("peel")


def cut(table, k, *, models=(), **how):
    """The partition, and its classes as lists of rows; with models, the last cell of a row is the sensitive one."""
    space, _ = space_of(table, sensitive=bool(models) or how.get("target") is not None)
    rules = CutRules(models=(KAnonymity(k=k), *models), hierarchies=table.hierarchies, **how)
    partition = mondrian(space, rules)
    return partition, members(partition)


def coded(partition, classes):
    """The same rows with the places of their cells on the axes, for whoever needs an order."""
    places = [{value: code for code, value in enumerate(axis.values)} for axis in partition.space.axes]
    return [
        [tuple(place[cell] for place, cell in zip(places, row, strict=False)) for row in one]
        for one in classes
    ]


def as_set(classes):
    return Counter(tuple(sorted(map(repr, one))) for one in classes)


def examples(count):
    return settings(max_examples=count, deadline=None)


KS = st.integers(2, 6)
SPLITS = st.sampled_from([Split.LOSS, Split.MEDIAN, Split.UP_TO_MEDIAN, Split.DISTRIBUTION])
WIDTHS = st.sampled_from(list(Width))


@st.composite
def ways(draw):
    split = draw(SPLITS)
    is_relaxed = split is not Split.DISTRIBUTION and draw(st.booleans())
    return {"split": split, "width": draw(WIDTHS), "is_relaxed": is_relaxed}


# --- what every partition is
# ---------------------------------------------------------------------------------------


@given(table=tables(), k=KS, how=ways())
@examples(30)
def test_every_row_stands_in_exactly_one_class_and_no_class_is_smaller_than_k(table, k, how):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, **how)
    assert [len(one) for one in classes] == partition.rows.tolist()
    assert min(map(len, classes)) >= k
    assert Counter(row for one in classes for row in one) == Counter(row[:-1] for row in table.rows)


@given(table=tables(), k=KS, how=ways())
@examples(20)
def test_classes_know_their_extremes_and_strict_ones_lie_apart(table, k, how):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, **how)
    boxes = []
    for number, one in enumerate(coded(partition, classes)):
        columns = list(zip(*one, strict=True))
        boxes.append([(min(column), max(column)) for column in columns])
        assert partition.low[number].tolist() == [low for low, _ in boxes[-1]]
        assert partition.high[number].tolist() == [high for _, high in boxes[-1]]
    if not how["is_relaxed"]:
        for one, other in itertools.combinations(boxes, 2):
            assert any(a[1] < b[0] or b[1] < a[0] for a, b in zip(one, other, strict=True))


@given(table=tables(), k=KS, split=SPLITS, width=WIDTHS)
@examples(30)
def test_no_strict_class_could_be_cut_once_more_by_the_same_rule(table, k, split, width):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, split=split, width=width)
    for one in coded(partition, classes):
        cuts = list(plain.all_cuts(one, k))
        if split in (Split.MEDIAN, Split.UP_TO_MEDIAN):  # only beside the median
            rule = plain.beside_median if split is Split.MEDIAN else plain.up_to_median
            cuts = [(column, value) for column, value in cuts if value == int(rule(one, column, k))]
        assert cuts == []


@given(table=tables(), k=KS, how=ways())
@examples(15)
def test_rows_are_assigned_as_often_as_they_occur(table, k, how):
    assume(len(table.rows) >= k)
    space, counts = space_of(table)
    partition = mondrian(space, CutRules(models=(KAnonymity(k=k),), **how))
    assignment = local_recoding(partition, counts, represent(partition, Represent.RANGE)).assignment
    given_away = defaultdict(int)
    for owner, rows in zip(assignment.owners.tolist(), assignment.rows.tolist(), strict=True):
        given_away[owner] += rows
    assert [given_away[owner] for owner in range(len(counts))] == counts.counts.tolist()
    assert assignment.owners.tolist() == sorted(assignment.owners.tolist())
    sizes = Counter()
    for number, rows in zip(assignment.classes.tolist(), assignment.rows.tolist(), strict=True):
        sizes[number] += rows
    assert [sizes[number] for number in range(len(partition))] == partition.rows.tolist()


# --- against Mondrian in plain Python
# -------------------------------------------------------------------------------


@given(table=tables(kinds=("integer",), with_missing=False), k=KS, width=WIDTHS)
@pytest.mark.parametrize("split", ["median", "up-to-median", "distribution"])
@examples(40)
def test_classes_of_whole_numbers_are_those_of_the_plain_algorithm(split, table, k, width):
    assume(len(table.rows) >= k)
    _, classes = cut(table, k, split=Split(split), width=width)
    expected = plain.cut_into_classes([row[:-1] for row in table.rows], k, split=split, width=width)
    assert as_set(classes) == as_set(expected)


@given(table=tables(columns=3), k=KS)
@examples(20)
def test_the_first_cut_by_gain_tells_as_much_as_any_could(table, k):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, split=Split.GAIN, target="s")
    rows = [row for one in coded(partition, classes) for row in one]
    targets = [row[-1] for one in classes for row in one]
    possible = list(plain.all_cuts(rows, k))
    root = partition.tree.nodes[0]
    assert (root[CHILD] >= 0) == bool(possible)
    if not possible:
        return
    gains = [plain.information_gain(rows, targets, lambda row, c=c, v=v: row[c] <= v) for c, v in possible]
    left = partition.tree.nodes[root[CHILD]]
    points = partition.tree.order[left[START] : left[END]]
    on_left = {tuple(partition.space.codes[point].tolist()) for point in points}
    gain = plain.information_gain(rows, targets, lambda row: row in on_left)
    assert gain == pytest.approx(max(gains), abs=1e-7)


@given(table=tables(columns=3), k=KS)
@examples(12)
def test_no_class_could_be_cut_by_gain_once_more(table, k):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, split=Split.GAIN, target="s")
    assert [list(plain.all_cuts(one, k)) for one in coded(partition, classes)] == [[]] * len(classes)


# --- what must not matter
# ---------------------------------------------------------------------------------------------------


@given(table=tables(), k=KS, how=ways(), shuffled=st.randoms(use_true_random=False))
@examples(12)
def test_the_order_of_the_rows_changes_nothing(table, k, how, shuffled):
    assume(len(table.rows) >= k)
    rows = list(table.rows)
    shuffled.shuffle(rows)
    assert as_set(cut(table._replace(rows=rows), k, **how)[1]) == as_set(cut(table, k, **how)[1])


@given(table=tables(), k=KS, how=ways(), cores=st.integers(2, 4), secret=st.booleans())
@examples(12)
def test_the_number_of_cores_changes_nothing(table, k, how, cores, secret):
    assume(len(table.rows) >= k)
    models = (TCloseness(column="s", t=0.4),) if secret else ()
    alone = cut(table, k, models=models, **how)[1]
    with (
        mock.patch.object(module, "SMALL", 0),
        mock.patch.object(os, "sched_getaffinity", return_value=set(range(cores)), create=True),
    ):
        assert as_set(cut(table, k, models=models, **how)[1]) == as_set(alone)


@given(table=tables(), k=KS, split=SPLITS, width=WIDTHS)
@examples(12)
def test_counted_combinations_give_the_same_classes_as_rows_one_by_one(table, k, split, width):
    assume(len(table.rows) >= k)
    rules = CutRules(models=(KAnonymity(k=k),), split=split, width=width)
    space, _ = space_of(table)
    one_by_one = space.one_by_one()
    assert (one_by_one.weights == 1).all()
    assert as_set(members(mondrian(one_by_one, rules))) == as_set(members(mondrian(space, rules)))


# --- other privacy models
# ---------------------------------------------------------------------------------------------------


@given(table=tables(columns=3), k=st.integers(2, 3), how=ways())
@pytest.mark.parametrize("goal", GOALS)
@examples(12)
def test_every_class_satisfies_every_model(goal, table, k, how):
    assume(len(table.rows) >= k)
    model, holds = GOALS[goal]
    if not holds(table.rows, table.rows, table.paths["s"]):
        with pytest.raises(NoSolutionError):
            cut(table, k, models=(model,), **how)
        return
    _, classes = cut(table, k, models=(model,), **how)
    assert Counter(row for one in classes for row in one) == Counter(table.rows)
    for one in classes:
        assert len(one) >= k
        assert holds(one, table.rows, table.paths["s"])


# --- what a class shows
# ------------------------------------------------------------------------------------------------------


@given(table=tables(), k=KS, how=ways())
@examples(25)
def test_ranges_are_as_tight_as_their_rows_and_labels_the_lowest_that_cover(table, k, how):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, **how)
    for asked in (Represent.RANGE, Represent.NODE):
        shown = represent(partition, asked)
        for place, (name, kind) in enumerate(table.kinds.items()):
            smallest = min((row[place] for row in table.rows if row[place] is not None), default=None)
            is_plain = kind in ("integer", "real", "number tree") and smallest is not None and smallest >= 0
            for one, seen in zip(classes, shown[name], strict=True):
                cells = [row[place] for row in one]
                if kind == "tree" or (kind == "number tree" and asked is Represent.NODE):
                    assert seen == lowest_label(cells, table.paths[name])
                else:
                    assert seen == range_of(cells, "-" if is_plain else " - ")


@given(table=tables(), k=KS, how=ways())
@examples(25)
def test_typed_representatives_are_mode_median_and_mean_of_their_rows(table, k, how):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, **how)
    frame = frame_of(table)
    for asked in (Represent.MODE, Represent.MEDIAN, Represent.MEAN):
        shown = represent(partition, asked, dict.fromkeys(table.names, True))
        assert shown.schema == frame.drop("s").schema
        for place, (name, kind) in enumerate(table.kinds.items()):
            for one, seen in zip(classes, shown[name], strict=True):
                check_representative([row[place] for row in one], seen, kind, asked)


def check_representative(cells, seen, kind, asked):
    if kind in ("text", "tree"):
        assert seen in plain.most_frequent(cells)
    elif asked is Represent.MODE:
        assert seen == plain.mode_else_median(cells)
    elif asked is Represent.MEDIAN or seen is None or INFINITE in map(abs, filter(is_real, cells)):
        assert seen == plain.median(cells)
    else:
        assert plain.distance_to_mean(cells, seen) <= (1e-12 if kind == "real" else 0.5)


@given(table=tables(), k=KS, how=ways())
@examples(20)
def test_the_loss_reported_is_that_of_the_cells_shown(table, k, how):
    assume(len(table.rows) >= k)
    partition, classes = cut(table, k, **how)
    lost = sum(
        share_of([row[place] for row in one], table, place) * len(one)
        for one in classes
        for place in range(len(table.kinds))
    )
    expected = lost / len(table.rows) / len(table.kinds)
    assert partition_measures(partition)["loss"] == pytest.approx(expected, abs=1e-9)
