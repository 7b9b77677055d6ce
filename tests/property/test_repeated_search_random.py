"""Local recoding by repeated search over random small tables, held against what its release must be: every row in one
class, every class private by definitions of their own, every measure recomputed from the cells."""

import math
from collections import defaultdict
from typing import NamedTuple

import pytest
from goals import GOALS as ALL_GOALS
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import (
    MEASURES,
    Release,
    all_nodes,
    counts_of,
    distinct_values,
    entropy,
    equal_distance,
    generalized,
    hierarchy_objects,
    is_recursive,
    is_valid,
    ordered_distance,
    release_at,
    tables,
)

from celosia.errors import NoSolutionError
from celosia.measure.utility import get_measure
from celosia.privacy import (
    DistinctLDiversity,
    EntropyLDiversity,
    KAnonymity,
    RecursiveCLDiversity,
    TCloseness,
)
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator
from celosia.recode.repeated import assign_classes, repeated_search

CLOSE = 1e-9  # what a rounded number may exceed its bound by
LIMITS = st.sampled_from([0.0, 0.0, 0.1, 0.3])
WEIGHTS = st.dictionaries(st.sampled_from("abc"), st.floats(0.1, 10.0))
GOALS = {
    "k": ([KAnonymity(k=3)], lambda members, whole: len(members) >= 3),
    "k and distinct l": (
        [KAnonymity(k=2), DistinctLDiversity(column="s", l=2)],
        lambda members, whole: len(members) >= 2 and distinct_values(members) >= 2,
    ),
    "entropy l": (
        [EntropyLDiversity(column="s", l=1.8)],
        lambda members, whole: entropy(members) >= math.log(1.8) - CLOSE,
    ),
    "recursive l": (
        [RecursiveCLDiversity(column="s", c=2, l=2)],
        lambda members, whole: is_recursive(members, 2, 2),
    ),
    "equal t": (
        [TCloseness(column="s", distance="equal", t=0.4)],
        lambda members, whole: equal_distance(members, whole) <= 0.4 + CLOSE,
    ),
    "k and ordered t": (
        [KAnonymity(k=2), TCloseness(column="s", distance="ordered", t=0.3)],
        lambda members, whole: len(members) >= 2 and ordered_distance(members, whole) <= 0.3 + CLOSE,
    ),
    "recursive l and equal t": (
        [RecursiveCLDiversity(column="s", c=3, l=2), TCloseness(column="s", distance="equal", t=0.5)],
        lambda members, whole: is_recursive(members, 3, 2) and equal_distance(members, whole) <= 0.5 + CLOSE,
    ),
}
OF_GROUPS = [goal for goal, (models, *_) in ALL_GOALS.items() if any(model.needs_labels for model in models)]
every_goal = pytest.mark.parametrize("goal", GOALS)


def examples(count):
    return settings(max_examples=count, deadline=None)


def evaluator_of(table, goal, limit, weights):
    hierarchies = hierarchy_objects(table)
    return Evaluator(
        build_domain(counts_of(table), hierarchies, quasi_identifiers=table.names),
        GOALS[goal][0],
        measures=[],
        limit=limit,
        weights=weights,
    )


class Cell(NamedTuple):
    """What a row shows in one column, and at which level."""

    label: str | None
    level: int


def released_rows(table, domain, result):
    """For every row of the table its cells, or None where it is suppressed."""
    recoding = assign_classes(domain, result)
    counted = recoding.combinations
    assert recoding.is_whole
    assert recoding.owners.tolist() == list(range(len(counted)))
    assert recoding.rows.tolist() == counted.counts.tolist()
    assert recoding.released.height == result.classes
    texts = [column.to_list() for column in counted.texts]
    place_of = {
        tuple(column[code] for column, code in zip(texts, codes, strict=True)): place
        for place, codes in enumerate(zip(*counted.codes, strict=True))
    }
    assert len(place_of) == len(counted)
    step_of = {}
    for place, codes in enumerate(zip(*domain.codes, strict=True)):
        values = tuple(column.labels[0][code] for column, code in zip(domain.columns, codes, strict=True))
        assert step_of.setdefault(values, result.step_of[place]) == result.step_of[place]
        assert result.class_of[place] == recoding.classes[place_of[values]]
    labels = recoding.released.rows()
    rows = []
    for row in table.rows:
        values = row[:-1]
        number = recoding.classes[place_of[values]]
        assert (number < 0) == (step_of[values] < 0)
        node = result.steps[step_of[values]].node
        cells = [Cell(*pair) for pair in zip(labels[number], node, strict=True)]
        rows.append(cells if number >= 0 else None)
    return rows


def cost(table, name, place, cell):
    """What a cell loses, by the definitions of the measures."""
    paths = table.paths[table.names[place]]
    height = len(paths[0]) - 1
    if name == "precision":
        return cell.level / height if height else 0.0
    values = [path[0] for path in paths] + [None] * any(row[place] is None for row in table.rows)
    under = [value for value in values if generalized(value, paths, cell.level) == cell.label]
    return len(under) / len(values) if len(under) > 1 else 0.0


def expected_measures(table, rows, kept, weights):
    values = {}
    for name in ("loss", "precision"):
        paid = total = 0.0
        for place, column in enumerate(table.names):
            weight = weights.get(column, 1.0)
            total += weight * len(rows)
            paid += weight * sum(1.0 if row is None else cost(table, name, place, row[place]) for row in rows)
        values[name] = paid / total
    gone = {(): [row for row in rows if row is None]}
    release = Release(table, (), kept, gone if gone[()] else {})
    for name in ("discernibility", "class-size"):
        values[name] = MEASURES[name](release, weights)
    return values


@every_goal
@given(table=tables(), limit=LIMITS, weights=WEIGHTS, name=st.sampled_from(["loss", "precision"]))
@examples(50)
def test_every_row_has_a_private_class_and_no_single_node_is_better(goal, table, limit, weights, name):
    holds = GOALS[goal][1]
    single = [
        release_at(node, table, lambda members, whole, paths: holds(members, whole))
        for node in all_nodes(table)
    ]
    single = [release for release in single if is_valid(release, limit)]
    evaluator = evaluator_of(table, goal, limit, weights)
    if not single:
        with pytest.raises(NoSolutionError):
            repeated_search(evaluator, get_measure(name))
        return
    result = repeated_search(evaluator, get_measure(name))
    rows = released_rows(table, evaluator.domain, result)
    kept = defaultdict(list)
    for original, shown in zip(table.rows, rows, strict=True):
        if shown is not None:
            kept[tuple(cell.label for cell in shown)].append(original)
            for value, cell, column in zip(original[:-1], shown, table.names, strict=True):
                assert generalized(value, table.paths[column], cell.level) == cell.label
    whole = [row for members in kept.values() for row in members]
    assert all(holds(members, whole) for members in kept.values())
    assert len(kept) == result.classes
    assert len(rows) - len(whole) == result.suppressed <= limit * len(rows) + CLOSE
    assert sum(step.rows for step in result.steps) == len(whole)
    assert result.measures == pytest.approx(expected_measures(table, rows, kept, weights), rel=1e-9, abs=1e-9)
    best = min(MEASURES[name](release, weights) for release in single)
    assert result.measures[name] <= best + CLOSE


@every_goal
@given(table=tables(), nodes=st.integers(0, 4))
@examples(20)
def test_stopping_after_few_nodes_is_no_less_private(goal, table, nodes):
    evaluator = evaluator_of(table, goal, 0.0, {})
    holds = GOALS[goal][1]
    try:
        result = repeated_search(evaluator, get_measure("loss"), nodes=nodes)
    except NoSolutionError:
        return
    kept = defaultdict(list)
    for original, shown in zip(table.rows, released_rows(table, evaluator.domain, result), strict=True):
        kept[tuple(cell.label for cell in shown)].append(original)
    assert result.suppressed == 0
    assert all(holds(members, table.rows) for members in kept.values())


@pytest.mark.parametrize("goal", OF_GROUPS)
@given(table=tables(), limit=LIMITS, weights=WEIGHTS, name=st.sampled_from(["loss", "precision"]))
@examples(40)
def test_whoever_knows_some_columns_finds_good_groups_and_no_single_node_is_better(
    goal, table, limit, weights, name
):
    models, holds, leaves = ALL_GOALS[goal]
    single = [release_at(node, table, holds, leaves) for node in all_nodes(table)]
    single = [release for release in single if is_valid(release, limit)]
    domain = build_domain(counts_of(table), hierarchy_objects(table), quasi_identifiers=table.names)
    evaluator = Evaluator(domain, models, measures=[], limit=limit, weights=weights)
    if not single:
        with pytest.raises(NoSolutionError):
            repeated_search(evaluator, get_measure(name))
        return
    result = repeated_search(evaluator, get_measure(name))
    rows = released_rows(table, evaluator.domain, result)
    kept = defaultdict(list)
    for original, shown in zip(table.rows, rows, strict=True):
        if shown is not None:
            kept[tuple(cell.label for cell in shown)].append(original)
    whole = [row for members in kept.values() for row in members]
    assert not leaves(kept, (), table)
    assert all(holds(members, whole, table.paths["s"]) for members in kept.values())
    assert len(rows) - len(whole) == result.suppressed <= limit * len(rows) + CLOSE
    assert result.measures == pytest.approx(expected_measures(table, rows, kept, weights), rel=1e-9, abs=1e-9)
    best = min(MEASURES[name](release, weights) for release in single)
    assert result.measures[name] <= best + CLOSE
