"""Top-down specialization and its two phases against definitions written down plainly, on random small tables."""

import math
import pickle
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import (
    MEASURES,
    counts_of,
    distinct_values,
    equal_distance,
    generalized,
    hierarchy_objects,
    is_valid,
    release_at,
    tables,
)

from celosia.privacy import DistinctLDiversity, KAnonymity, TCloseness
from celosia.recode.domain import build_domain
from celosia.recode.gains import JointCounts, conditional_entropy, level_gains, rounded
from celosia.recode.lattice import Lattice
from celosia.recode.scores import SCORES
from celosia.recode.subject import SpecializationGoal, hash_combinations, make_subject, specialize
from celosia.recode.top_down import NodeState, top_down
from celosia.recode.two_phase import combine, deal_out, first_phase, part_aim, specialize_part, two_phase

GOALS = {
    "k-anonymity": ((KAnonymity(k=2),), lambda members, whole, paths: len(members) >= 2),
    "l-diversity": (
        (KAnonymity(k=2), DistinctLDiversity(column="s", l=2)),
        lambda members, whole, paths: len(members) >= 2 and distinct_values(members) >= 2,
    ),
    "t-closeness": (
        (TCloseness(column="s", t=0.4, distance="equal"),),
        lambda members, whole, paths: equal_distance(members, whole) <= 0.4 + 1e-9,
    ),
}
every_goal = pytest.mark.parametrize("goal", GOALS)
LIMITS = st.sampled_from([0.0, 0.2])


def subject_of(table):
    domain = build_domain(counts_of(table), hierarchy_objects(table), quasi_identifiers=table.names)
    return make_subject(domain, ["s"], ["s"])


def aim_of(goal, score="gain-per-privacy", limit=0.0):
    return SpecializationGoal(GOALS[goal][0], score=score, limit=limit)


# --- the definitions, row by row


def entropy_of(rows):
    shares = [count / len(rows) for count in Counter(row[-1] for row in rows).values()]
    return -sum(share * math.log2(share) for share in shares)


def gain_of(table, place, level):
    """Over all labels p of the level, |R_p| / |R| times the gain of replacing p by its children."""
    paths = table.paths[table.names[place]]
    parents = defaultdict(list)
    for row in table.rows:
        parents[generalized(row[place], paths, level)].append(row)
    total = 0.0
    for rows in parents.values():
        children = defaultdict(list)
        for row in rows:
            children[generalized(row[place], paths, level - 1)].append(row)
        after = sum(len(some) / len(rows) * entropy_of(some) for some in children.values())
        total += len(rows) / len(table.rows) * (entropy_of(rows) - after)
    return total


def saved_loss(table, place, level):
    """What the loss of all cells of one column falls by, per row."""

    def loss(at):
        node = tuple(at if number == place else 0 for number in range(len(table.names)))
        everything = release_at(node, table, lambda *_: True)
        return MEASURES["loss"](everything, {}) * len(table.names)

    return loss(level) - loss(level - 1)


def plain_top_down(table, goal, score, limit):
    """Every step looked at, every time; None where the root is not valid."""
    holds = GOALS[goal][1]
    benefit_of = gain_of if score.startswith("gain") else saved_loss
    node = tuple(len(table.paths[name][0]) - 1 for name in table.names)
    here = release_at(node, table, holds)
    if not is_valid(here, limit):
        return None
    while True:
        smallest = min(map(len, here.kept.values()))
        found = []
        for place, level in enumerate(node):
            if level == 0:
                continue
            below = (*node[:place], level - 1, *node[place + 1 :])
            there = release_at(below, table, holds)
            if is_valid(there, limit):
                lost = max(0, smallest - min(map(len, there.kept.values())))
                worth = benefit_of(table, place, level) / (lost + 1 if "privacy" in score else 1)
                found.append((-round(worth, 9), place, below, there))
        if not found:
            return node
        _, _, node, here = min(found, key=lambda one: one[:2])


# --- gains


@given(table=tables())
@settings(max_examples=100, deadline=None)
def test_the_gain_of_a_level_is_that_of_all_its_labels_by_their_rows(table):
    subject = subject_of(table)
    for place, (column, joint) in enumerate(zip(subject.domain.columns, subject.joints(), strict=True)):
        gains = level_gains(column.levels, joint)
        assert gains[0] == 0.0
        expected = [gain_of(table, place, level) for level in range(1, column.height + 1)]
        assert gains[1:] == pytest.approx(expected, abs=1e-9)
        assert all(gain >= 0 for gain in gains)
        # From the root to the values, the steps add up to all that the column tells.
        told = conditional_entropy(column.levels[-1], joint) - conditional_entropy(column.levels[0], joint)
        assert sum(gains) == pytest.approx(told, abs=1e-9)


@given(table=tables())
@settings(max_examples=50, deadline=None)
def test_gains_depend_on_shares_not_on_numbers_of_rows(table):
    subject = subject_of(table)
    for column, joint in zip(subject.domain.columns, subject.joints(), strict=True):
        tenfold = JointCounts(joint.values, joint.targets, joint.rows * 10)
        once, ten_times = level_gains(column.levels, joint), level_gains(column.levels, tenfold)
        assert list(map(rounded, ten_times)) == pytest.approx(list(map(rounded, once)), rel=1e-9)


# --- the search


@every_goal
@pytest.mark.parametrize("score", SCORES)
@given(table=tables(), limit=LIMITS)
@settings(max_examples=25, deadline=None)
def test_the_search_makes_the_steps_that_looking_at_all_of_them_makes(goal, score, table, limit):
    expected = plain_top_down(table, goal, score, limit)
    found = specialize(subject_of(table), aim_of(goal, score, limit))
    assert found.is_valid is (expected is not None)
    assert expected in (None, found.node)


@every_goal
@given(table=tables(), limit=LIMITS)
@settings(max_examples=40, deadline=None)
def test_what_is_reached_is_valid_and_no_step_further_is(goal, table, limit):
    found = specialize(subject_of(table), aim_of(goal, limit=limit))
    if not found.is_valid:
        return
    holds = GOALS[goal][1]
    assert is_valid(release_at(found.node, table, holds), limit)
    for below in Lattice(found.start).below(found.node):
        assert not is_valid(release_at(below, table, holds), limit)
    assert len(found.steps) == sum(found.start) - sum(found.node)


@st.composite
def mazes(draw):
    """Any benefits, ties among them, and any looks: validity and sizes need not make sense."""
    heights = draw(st.lists(st.integers(0, 3), min_size=1, max_size=4))
    level_benefit = st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0])
    benefits = [[0.0, *draw(st.lists(level_benefit, min_size=top, max_size=top))] for top in heights]
    salt = draw(st.integers(0, 10**6))
    return tuple(heights), benefits, salt


@given(maze=mazes(), score=st.sampled_from(list(SCORES)))
@settings(max_examples=300, deadline=None)
def test_a_lazy_search_finds_what_an_eager_one_does_and_looks_at_no_more(maze, score):
    start, benefits, salt = maze

    def look(node):
        seen = np.random.default_rng([salt, *node])
        return NodeState(node == start or bool(seen.random() < 0.7), int(seen.integers(1, 6)))

    looks = Counter()

    def counting(node):
        looks[node] += 1
        return look(node)

    found = top_down(start, benefits, counting, SCORES[score])
    node, smallest, eager = start, look(start).smallest, 1
    for step in found.steps:
        options = []
        for column, level in enumerate(node):
            if level:
                below = (*node[:column], level - 1, *node[column + 1 :])
                seen = look(below)
                eager += 1
                if seen.is_valid:
                    worth = SCORES[score].worth(benefits[column][level], max(0, smallest - seen.smallest))
                    options.append((-rounded(worth), column, below, seen.smallest))
        worst_first, column, node, smallest = min(options)
        assert (step.column, step.score, step.smallest) == (column, -worst_first, smallest)
    assert node == found.node
    assert looks.total() == found.checks <= eager + sum(level > 0 for level in node)


# --- partitions


def both_phases(subject, aim, partitions, k_partition, seed):
    parts = first_phase(subject, part_aim(aim, k_partition), partitions=partitions, seed=seed)
    return two_phase(parts, aim.evaluator(subject), aim.benefits(subject), aim.score)


@given(
    counts=st.lists(st.integers(0, 50), min_size=1, max_size=8),
    parts=st.integers(1, 6),
    seed=st.integers(0, 99),
)
@settings(max_examples=100, deadline=None)
def test_dealing_out_keeps_every_row_and_repeats_itself_by_its_seed(counts, parts, seed):
    hashes = hash_combinations([np.arange(len(counts))])
    dealt = deal_out(hashes, np.array(counts), parts, seed)
    assert dealt.shape == (parts, len(counts))
    assert (dealt >= 0).all()
    assert dealt.sum(axis=0).tolist() == counts
    assert (dealt == deal_out(hashes, np.array(counts), parts, seed)).all()
    assert (np.ptp(dealt, axis=0) < parts).all()


def test_dealing_out_favours_no_part_and_depends_on_the_seed():
    hashes = hash_combinations([np.arange(1000)])
    dealt = deal_out(hashes, np.full(1000, 2), 4, seed=3)
    assert dealt.sum(axis=1) == pytest.approx([500] * 4, rel=0.1)
    assert (dealt != deal_out(hashes, np.full(1000, 2), 4, seed=4)).any()


@given(table=tables(), seed=st.integers(0, 9), parts=st.integers(1, 4))
@settings(max_examples=50, deadline=None)
def test_parts_have_the_rows_and_the_gains_of_their_rows(table, seed, parts):
    subject = subject_of(table)
    dealt = deal_out(subject.hashes, subject.domain.counts, parts, seed)
    for counts in dealt:
        part = subject.part(counts)
        assert part.domain.rows == counts.sum()
        rows = [np.bincount(codes, counts, minlength=0) for codes in subject.domain.codes]
        for column, expected in zip(part.domain.columns, rows, strict=True):
            assert column.rows[0][: len(expected)].tolist() == expected.tolist()
            assert all(per_label.sum() == counts.sum() for per_label in column.rows)
        assert part.domain.heights == subject.domain.heights


@given(nodes=st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=5))
@settings(max_examples=100, deadline=None)
def test_combining_gives_the_least_general_node_above_all(nodes):
    combined = combine(nodes)
    assert all(all(a >= b for a, b in zip(combined, node, strict=True)) for node in nodes)
    for below in Lattice(combined).below(combined):
        assert any(any(a < b for a, b in zip(below, node, strict=True)) for node in nodes)


@given(table=tables(), seed=st.integers(0, 9), parts=st.integers(1, 4), extra=st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_what_the_parts_have_in_common_is_k_anonymous_for_the_whole(table, seed, parts, extra):
    if len(table.rows) < 2:
        return
    holds = GOALS["k-anonymity"][1]
    subject = subject_of(table)
    found = both_phases(subject, aim_of("k-anonymity"), parts, 2 + extra, seed)
    if not is_valid(release_at(subject.domain.heights, table, holds), 0.0):
        # A missing value stays apart from the only value of a hierarchy without levels.
        assert not found.found.is_valid
        return
    assert not found.restarted
    assert is_valid(release_at(found.combined, table, holds), 0.0)
    assert found.combined == combine([part.node for part in found.parts])
    assert is_valid(release_at(found.found.node, table, holds), 0.0)
    for below in Lattice(found.combined).below(found.found.node):
        assert not is_valid(release_at(below, table, holds), 0.0)


@every_goal
@given(table=tables(), limit=LIMITS, seed=st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_two_phases_end_in_a_valid_node_whatever_the_models(goal, table, limit, seed):
    if len(table.rows) < 2:
        return
    k = 3 if any(isinstance(model, KAnonymity) for model in GOALS[goal][0]) else None
    subject, aim = subject_of(table), aim_of(goal, limit=limit)
    found = both_phases(subject, aim, 2, k, seed)
    root = release_at(subject.domain.heights, table, GOALS[goal][1])
    assert found.found.is_valid or not is_valid(root, limit)
    if found.found.is_valid:
        assert is_valid(release_at(found.found.node, table, GOALS[goal][1]), limit)


@given(table=tables())
@settings(max_examples=20, deadline=None)
def test_a_part_and_its_aim_can_be_sent_elsewhere(table):
    part, aim = subject_of(table), part_aim(aim_of("l-diversity"), 3)
    sent = pickle.loads(pickle.dumps((specialize_part, part, aim)))
    assert sent[0](*sent[1:]) == specialize_part(part, aim)
