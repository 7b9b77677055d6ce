"""Every search against a brute force over thousands of random small tables: same valid nodes, same optimum."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import (
    all_nodes,
    counts_of,
    entropy,
    hierarchy_objects,
    loss_of,
    ordered_distance,
    suppressed_at,
    tables,
)

from celosia.measure.utility import get_measure, utility_measures
from celosia.privacy import DistinctLDiversity, EntropyLDiversity, KAnonymity, TCloseness
from celosia.recode.anytime import anytime_search
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.explore import explore
from celosia.recode.incognito import incognito
from celosia.recode.optimal import optimal_search
from celosia.recode.samarati import samarati

MANY = settings(max_examples=400, deadline=None)
LIMITS = st.sampled_from([0.0, 0.1, 0.3, 1.0])
GOALS = {
    "k": ([KAnonymity(k=3)], lambda members, whole: len(members) >= 3),
    "k and distinct l": (
        [KAnonymity(k=2), DistinctLDiversity(column="s", l=2)],
        lambda members, whole: len(members) >= 2 and len({row[-1] for row in members}) >= 2,
    ),
    "entropy l": (
        [EntropyLDiversity(column="s", l=1.8)],
        lambda members, whole: entropy(members) >= math.log(1.8) - 1e-9,
    ),
    "k and ordered t": (
        [KAnonymity(k=2), TCloseness(column="s", distance="ordered", t=0.35)],
        lambda members, whole: len(members) >= 2 and ordered_distance(members, whole) <= 0.35 + 1e-9,
    ),
}


def evaluator_of(table, goal, limit, measures, weights=None):
    names, levels, rows = table
    counted = counts_of(rows, [*names, "s"])
    domain = build_domain(counted, hierarchy_objects(levels), quasi_identifiers=names)
    return Evaluator(domain, GOALS[goal][0], measures=measures, limit=limit, weights=weights)


def brute_force(table, goal, limit, weights=None):
    """Valid node -> loss."""
    names, levels, rows = table
    found = {}
    for node in all_nodes(names, levels):
        gone, _ = suppressed_at(node, names, levels, rows, GOALS[goal][1])
        if sum(map(len, gone.values())) <= limit * len(rows) + 1e-9:
            found[node] = loss_of(node, names, levels, rows, gone, weights)
    return found


@pytest.mark.parametrize("goal", GOALS)
@given(table=tables(), limit=LIMITS)
@MANY
def test_exploring_finds_the_valid_nodes_and_their_loss(goal, table, limit):
    expected = brute_force(table, goal, limit)
    found = explore(evaluator_of(table, goal, limit, [get_measure("loss")]))
    assert found.valid_nodes() == sorted(expected)
    for node, loss in expected.items():
        assert found.measures["loss"][node] == pytest.approx(loss, abs=1e-9)


@pytest.mark.parametrize("goal", GOALS)
@given(table=tables(), limit=LIMITS)
@MANY
def test_incognito_returns_all_valid_nodes_and_no_other(goal, table, limit):
    expected = brute_force(table, goal, limit)
    assert list(incognito(evaluator_of(table, goal, limit, [])).nodes) == sorted(expected)


@pytest.mark.parametrize("goal", GOALS)
@given(table=tables(), limit=LIMITS, weight=st.sampled_from([0.5, 1.0, 5.0]), best=st.integers(1, 4))
@MANY
def test_the_optimal_search_proves_the_true_optimum_and_lists_the_best(goal, table, limit, weight, best):
    weights = {"a": weight}
    expected = sorted(brute_force(table, goal, limit, weights).values())[:best]
    loss = get_measure("loss")
    result = optimal_search(evaluator_of(table, goal, limit, [loss], weights), loss, best=best)
    assert result.is_proven
    assert [one.measures["loss"] for one in result.candidates] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("goal", GOALS)
@pytest.mark.parametrize("name", sorted(utility_measures()))
@given(table=tables(), limit=LIMITS)
@settings(max_examples=60, deadline=None)
def test_the_optimal_search_agrees_with_exploring_for_every_measure(goal, name, table, limit):
    measure = get_measure(name)
    evaluator = evaluator_of(table, goal, limit, [measure])
    found = explore(evaluator)
    result = optimal_search(evaluator, measure)
    valid = found.measures[name][found.is_valid]
    if len(valid):
        assert result.best.measures[name] == pytest.approx(valid.min(), abs=1e-9)
    else:
        assert result.candidates == ()


@given(table=tables(), limit=LIMITS)
@settings(max_examples=50, deadline=None)
def test_the_anytime_search_finds_only_valid_nodes_and_claims_no_proof(table, limit):
    loss = get_measure("loss")
    expected = brute_force(table, "k", limit)
    result = anytime_search(evaluator_of(table, "k", limit, [loss]), loss, seconds=0.01)
    assert not result.is_proven
    assert {one.node for one in result.candidates} <= set(expected)
    assert bool(result.candidates) == bool(expected)


@given(table=tables(), limit=LIMITS)
@settings(max_examples=100, deadline=None)
def test_samarati_finds_the_lowest_height(table, limit):
    expected = brute_force(table, "k", limit)
    height = get_measure("height")
    result = samarati(evaluator_of(table, "k", limit, [height]), height)
    if expected:
        lowest = min(map(sum, expected))
        assert [one.node for one in result.candidates] == sorted(n for n in expected if sum(n) == lowest)
    else:
        assert not result.candidates


@given(table=tables(), limit=LIMITS)
@settings(max_examples=100, deadline=None)
def test_without_suppression_the_valid_nodes_are_an_up_set(table, limit):
    found = explore(evaluator_of(table, "k and ordered t", 0.0, []))
    for axis in range(found.is_valid.ndim):
        lower = np.swapaxes(found.is_valid, 0, axis)
        assert not (lower[:-1] & ~lower[1:]).any()
