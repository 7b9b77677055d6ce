"""Clustering over random small tables, held against its definitions, row by row, and its loops against plain code."""

import itertools
from collections import Counter, defaultdict
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mixed_tables import GOALS, members, share_of, space_of, tables

from celosia.errors import NoSolutionError
from celosia.kernels import class_state, refine
from celosia.kernels.near import make_lists
from celosia.privacy import DistinctLDiversity, KAnonymity
from celosia.recode import clustering
from celosia.recode.clustering import ClusterRules, Effort, as_partition, cluster
from celosia.recode.local import local_recoding, partition_measures
from celosia.recode.mondrian import CutRules, mondrian
from celosia.recode.near_axes import join_axes, join_points, sort_orders
from celosia.recode.represent import Represent, represent
from celosia.recode.space import with_sets

KS = st.integers(2, 6)


def examples(count):
    return settings(max_examples=count, deadline=None)


@st.composite
def ways(draw):
    return ClusterRules(effort=draw(st.sampled_from(Effort)), seed=draw(st.integers(0, 5)))


def form(table, k, how, *, models=(), sets=True, **rules):
    """The space, the partition, and its classes as lists of rows."""
    space, counts = space_of(table, sensitive=bool(models))
    space = with_sets(space) if sets else space
    asked = CutRules(models=(KAnonymity(k=k), *models), hierarchies=table.hierarchies, **rules)
    partition = cluster(space, asked, how)
    return space, counts, partition, members(partition)


def loss_of(classes, table, *, sets):
    """What all rows lose together, by the definition."""
    return sum(
        share_of([row[place] for row in rows], table, place, sets=sets) * len(rows)
        for rows in classes
        for place in range(len(table.kinds))
    )


@given(table=tables(), k=KS, how=ways(), sets=st.booleans())
@examples(40)
def test_every_row_is_in_one_class_of_k_rows_or_more_that_lose_what_is_said_and_no_more_than_mondrian(
    table, k, how, sets
):
    assume(len(table.rows) >= k)
    space, _, partition, classes = form(table, k, how, sets=sets)
    assert [len(rows) for rows in classes] == partition.rows.tolist()
    assert min(map(len, classes)) >= k
    assert Counter(row for rows in classes for row in rows) == Counter(row[:-1] for row in table.rows)
    lost = loss_of(classes, table, sets=sets)
    cells = len(table.rows) * len(table.kinds)
    assert partition_measures(partition)["loss"] == pytest.approx(lost / cells, abs=1e-9)
    cut = mondrian(space, CutRules(models=(KAnonymity(k=k),)))
    assert lost <= loss_of(members(cut), table, sets=sets) + 1e-6


@given(table=tables(), k=KS, how=ways())
@examples(15)
def test_rows_are_assigned_as_often_as_they_occur(table, k, how):
    assume(len(table.rows) >= k)
    _, counts, partition, _ = form(table, k, how)
    assignment = local_recoding(partition, counts, represent(partition, Represent.SET)).assignment
    given_away = defaultdict(int)
    for owner, rows in zip(assignment.owners.tolist(), assignment.rows.tolist(), strict=True):
        given_away[owner] += rows
    assert [given_away[owner] for owner in range(len(counts))] == counts.counts.tolist()


@given(table=tables(columns=3), k=st.integers(2, 3), how=ways(), is_blind=st.booleans())
@pytest.mark.parametrize("goal", GOALS)
@examples(15)
def test_every_class_satisfies_every_model(goal, table, k, how, is_blind):
    assume(len(table.rows) >= k)
    model, holds = GOALS[goal]
    how = ClusterRules(effort=how.effort, seed=how.seed, is_blind=is_blind)
    if not holds(table.rows, table.rows, table.paths["s"]):
        with pytest.raises(NoSolutionError):
            form(table, k, how, models=(model,))
        return
    space, _, _, classes = form(table, k, how, models=(model,))
    assert Counter(row for rows in classes for row in rows) == Counter(table.rows)
    for rows in classes:
        assert len(rows) >= k
        assert holds(rows, table.rows, table.paths["s"])
    if not is_blind:
        asked = CutRules(models=(KAnonymity(k=k), model), hierarchies=table.hierarchies)
        cut = members(mondrian(space, asked))
        assert loss_of(classes, table, sets=True) <= loss_of(cut, table, sets=True) + 1e-6


@given(table=tables(columns=3), k=st.integers(2, 3), chance=st.randoms(use_true_random=False))
@examples(20)
def test_blind_classes_of_one_size_are_the_same_whoever_has_which_secret(table, k, chance):
    assume(len(table.rows) >= k)
    secrets = [row[-1] for row in table.rows]
    chance.shuffle(secrets)
    other = table._replace(
        rows=[(*row[:-1], secret) for row, secret in zip(table.rows, secrets, strict=True)]
    )
    model, how = DistinctLDiversity(column="s", l=2), ClusterRules(is_blind=True)
    with mock.patch.object(
        clustering, "judge_partition", return_value=np.ones(1, bool)
    ):  # the first size will do
        found = [form(rows, k, how, models=(model,))[3] for rows in (table, other)]
    assert len(found[0]) == len(found[1])
    shown = [Counter(tuple(sorted(repr(row[:-1]) for row in rows)) for rows in classes) for classes in found]
    assert shown[0] == shown[1]


@given(table=tables(), k=KS, most=st.integers(1, 8))
@examples(15)
def test_parts_are_formed_each_by_itself_and_still_never_lose_more_than_mondrian(table, k, most):
    assume(len(table.rows) >= k)
    with mock.patch.object(clustering, "MOST_TOGETHER", most):
        space, _, partition, classes = form(table, k, ClusterRules())
    assert min(map(len, classes)) >= k
    assert partition.rows.sum() == len(table.rows)
    cut = mondrian(space, CutRules(models=(KAnonymity(k=k),)))
    assert loss_of(classes, table, sets=True) <= loss_of(members(cut), table, sets=True) + 1e-6


@given(table=tables(), k=KS, how=ways())
@examples(20)
def test_a_set_shows_every_value_of_its_class_and_no_other(table, k, how):
    assume(len(table.rows) >= k)
    _, _, partition, classes = form(table, k, how)
    shown = represent(partition, Represent.SET)
    for place, (name, kind) in enumerate(table.kinds.items()):
        if kind == "text":
            for rows, label in zip(classes, shown[name], strict=True):
                cells = sorted({row[place] for row in rows if row[place] is not None})
                is_mixed = bool(cells) and None in {row[place] for row in rows}
                several = "{" + ", ".join(cells) + "}"
                single = cells[0] if cells else None
                assert label == ("*" if is_mixed else several if len(cells) > 1 else single)


# --- loops and their plain twins


def prepared(table, *, sets):
    space, _ = space_of(table)
    space = (with_sets(space) if sets else space).one_by_one()
    codes = np.ascontiguousarray(space.codes)
    return space, codes, join_points(space, codes), join_axes(space, {})


def plain_cost(space, rows):
    """What a row of a class of these rows pays, all columns together."""
    classes = np.full(len(space.weights), 1, np.int64)
    classes[list(rows)] = 0
    partition = as_partition(space, classes)
    return sum(partition.shares(number)[0] for number in range(len(space.axes)))


@given(table=tables(most=20), sets=st.booleans(), length=st.integers(1, 8))
@examples(25)
def test_lists_that_look_everywhere_hold_the_nearest_rows(table, sets, length):
    space, codes, points, axes = prepared(table, sets=sets)
    size = len(codes)
    length = min(length, size - 1)
    orders = sort_orders(codes, 2, 0)
    assert all(sorted(order) == list(range(size)) for order in orders.tolist())
    lists, distances = make_lists(points, orders, axes, window=size, length=length)
    for row in range(size):
        apart = sorted(plain_cost(space, {row, other}) for other in range(size) if other != row)
        assert distances[row].tolist() == pytest.approx(apart[:length], abs=1e-9)
        assert row not in lists[row]
        assert len(set(lists[row].tolist())) == length
        for other, far in zip(lists[row].tolist(), distances[row], strict=True):
            assert plain_cost(space, {row, other}) == pytest.approx(far, abs=1e-9)


@given(
    table=tables(most=24),
    sets=st.booleans(),
    seed=st.integers(0, 99),
    passes=st.integers(1, 3),
    heat=st.sampled_from([0.0, 0.0, 0.5, 3.0]),
)
@examples(40)
def test_refinement_keeps_what_it_knows_of_classes_true(table, sets, seed, passes, heat):
    """Costs of classes as they are and without each of their rows, and what a pass says that it gained."""
    space, codes, points, axes = prepared(table, sets=sets)
    size = len(codes)
    weights = np.ones(size, np.int64)
    classes = np.random.default_rng(seed).permutation(np.arange(size) % max(1, size // 3))
    lists, _ = make_lists(points, sort_orders(codes, 4, seed), axes, window=4, length=min(6, size - 1))
    state = class_state.make_state(points, classes, weights)
    log, none = (
        refine.make_log(size, is_careful=False),
        (np.zeros((0, size + 1), np.int64), np.zeros(0, np.int64)),
    )
    total = refine.begin(points, axes, state)
    least, wanted = int(np.bincount(classes).min()), np.zeros(0, np.int64)
    tried, outlets = np.zeros(size, np.int64), np.zeros(size)
    slacks = np.full(size if heat else 0, heat)
    for _ in range(passes):
        total -= refine.pass_over_rows(
            points, weights, lists, axes, least, none, wanted, tried, outlets, slacks, log, state
        )
        total -= refine.pass_over_classes(points, weights, lists, axes, least, none, wanted, log, state)
    found = [set(np.flatnonzero(state[0] == own).tolist()) for own in np.unique(state[0])]
    assert sorted(itertools.chain(*found)) == list(range(size))
    assert min(map(len, found)) >= least
    assert total == pytest.approx(sum(len(rows) * plain_cost(space, rows) for rows in found), abs=1e-6)
    for rows in found:
        own = state[0][next(iter(rows))]
        assert state[6][own] == len(rows)
        assert state[7][own] == pytest.approx(plain_cost(space, rows), abs=1e-9)
        for row in rows if len(rows) > 1 else ():
            assert state[4][row] == pytest.approx(plain_cost(space, rows - {row}), abs=1e-9)
