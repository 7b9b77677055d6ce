"""Every search against a brute force over a thousand random small tables: same valid nodes, same measures, same
optimum. The brute force has its own privacy models and utility measures, written from their definitions."""

import operator

import numpy as np
import pytest
from goals import CLOSE, GOALS
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import (
    MEASURES,
    all_nodes,
    counts_of,
    hierarchy_objects,
    is_valid,
    population_of,
    release_at,
    tables,
)

from celosia.measure.utility import get_measure, utility_measures
from celosia.recode.anytime import anytime_search
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.explore import explore
from celosia.recode.incognito import incognito
from celosia.recode.optimal import optimal_search
from celosia.recode.population import PopulationCounts
from celosia.recode.samarati import samarati

LIMITS = st.sampled_from([0.0, 0.1, 0.3, 1.0])
WEIGHTS = st.dictionaries(st.sampled_from("abc"), st.floats(0.1, 10.0))
every_goal = pytest.mark.parametrize("goal", GOALS)


def examples(count):
    return settings(max_examples=count, deadline=None)


def evaluator_of(table, goal, limit, *, measures=(), weights=None):
    hierarchies = hierarchy_objects(table)
    domain = build_domain(counts_of(table), hierarchies, quasi_identifiers=table.names)
    needs_population = any(model.needs_population for model in GOALS[goal][0])
    return Evaluator(
        domain,
        GOALS[goal][0],
        measures=[get_measure(name) for name in measures],
        limit=limit,
        weights=weights,
        sensitive_hierarchies={"s": hierarchies["s"]},
        population=PopulationCounts(population_of(table), domain, hierarchies) if needs_population else None,
    )


def brute_force(table, goal, limit):
    """Valid node -> what is released there."""
    releases = {node: release_at(node, table, *GOALS[goal][1:]) for node in all_nodes(table)}
    return {node: release for node, release in releases.items() if is_valid(release, limit)}


def about(value):
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def test_every_measure_has_a_definition_of_its_own_here():
    assert set(MEASURES) == set(utility_measures())


@every_goal
@given(table=tables(), limit=LIMITS, weights=WEIGHTS)
@examples(25)
def test_exploring_finds_the_valid_nodes_and_all_their_measures(goal, table, limit, weights):
    expected = brute_force(table, goal, limit)
    found = explore(evaluator_of(table, goal, limit, measures=MEASURES, weights=weights))
    assert found.valid_nodes() == sorted(expected)
    for node, release in expected.items():
        assert found.suppressed[node] == release.suppressed
        assert found.classes[node] == len(release.kept)
        values = {name: found.measures[name][node] for name in MEASURES}
        assert values == about({name: measure(release, weights) for name, measure in MEASURES.items()})


@every_goal
@given(table=tables(), limit=LIMITS)
@examples(25)
def test_incognito_returns_all_valid_nodes_and_no_other(goal, table, limit):
    expected = brute_force(table, goal, limit)
    assert list(incognito(evaluator_of(table, goal, limit)).nodes) == sorted(expected)


@every_goal
@given(table=tables(), limit=LIMITS, weights=WEIGHTS, best=st.integers(1, 4))
@examples(12)
def test_the_optimal_search_proves_the_true_optimum_of_every_measure_and_lists_the_best(
    goal, table, limit, weights, best
):
    releases = brute_force(table, goal, limit)
    evaluator = evaluator_of(table, goal, limit, measures=MEASURES, weights=weights)
    for name, definition in MEASURES.items():
        expected = {node: definition(release, weights) for node, release in releases.items()}
        measure = get_measure(name)
        result = optimal_search(evaluator.with_measures([measure]), measure, best=best)
        assert result.is_proven
        values = [one.measures[name] for one in result.candidates]
        assert values == about(sorted(expected.values())[:best]), name
        assert values == about([expected[one.node] for one in result.candidates]), name
        assert len({one.node for one in result.candidates}) == len(values), name


@every_goal
@given(table=tables(), limit=LIMITS)
@examples(8)
def test_no_valid_node_is_better_than_the_floors_that_class_measures_state_above_and_below(
    goal, table, limit
):
    releases = brute_force(table, goal, limit)
    evaluator = evaluator_of(table, goal, limit)
    tallies = {node: evaluator.check(node).tally for node in all_nodes(table)}
    for name in ("class-size", "discernibility"):
        measure = get_measure(name)
        for node, release in releases.items():
            value = MEASURES[name](release, {}) + CLOSE
            for other, tally in tallies.items():
                if all(map(operator.ge, node, other)):
                    assert value >= measure.floor_above(tally), (name, node, other)
                if all(map(operator.le, node, other)):
                    assert value >= measure.floor_below(tally), (name, node, other)


@every_goal
@given(table=tables(), limit=LIMITS)
@examples(6)
def test_the_anytime_search_finds_only_valid_nodes_and_claims_no_proof(goal, table, limit):
    loss = get_measure("loss")
    expected = brute_force(table, goal, limit)
    result = anytime_search(evaluator_of(table, goal, limit, measures=["loss"]), loss, seconds=0.01)
    assert not result.is_proven
    assert {one.node for one in result.candidates} <= set(expected)


@given(table=tables(), limit=LIMITS)
@examples(15)
def test_the_anytime_search_finds_a_valid_node_where_generalizing_keeps_them_valid(table, limit):
    loss = get_measure("loss")
    result = anytime_search(evaluator_of(table, "k", limit, measures=["loss"]), loss, seconds=0.01)
    assert bool(result.candidates) == bool(brute_force(table, "k", limit))


@pytest.mark.parametrize("goal", ["k", "k and distinct l", "k-map", "maximum risk and no attack"])
@given(table=tables(), limit=LIMITS)
@examples(60)
def test_samarati_finds_the_lowest_height(goal, table, limit):
    expected = brute_force(table, goal, limit)
    height = get_measure("height")
    result = samarati(evaluator_of(table, goal, limit, measures=["height"]), height)
    lowest = min(map(sum, expected), default=0)
    assert [one.node for one in result.candidates] == sorted(n for n in expected if sum(n) == lowest)


MONOTONE = [name for name, (models, *_) in GOALS.items() if all(one.union_monotone for one in models)]


@pytest.mark.parametrize("goal", MONOTONE)
@given(table=tables())
@examples(8)
def test_without_suppression_the_valid_nodes_are_an_up_set(goal, table):
    found = explore(evaluator_of(table, goal, 0.0))
    for axis in range(found.is_valid.ndim):
        lower = np.swapaxes(found.is_valid, 0, axis)
        assert not (lower[:-1] & ~lower[1:]).any()
