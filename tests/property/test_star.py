"""People with several rows in several tables: searched and released as brute force over sets of rows would do it."""

import itertools
import math
import os
import secrets
from collections import Counter, defaultdict
from typing import NamedTuple

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_tables import generalized, paths_of

from celosia.errors import NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.privacy import MODELS
from celosia.project import make_project
from celosia.recode.branch import Branch
from celosia.recode.domain import MissingPolicy
from celosia.recode.star import Star
from celosia.recode.task import RecodingTask
from celosia.run import run_project
from celosia.tables import open_table


@pytest.fixture(scope="module", autouse=True)
def key():
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "CELOSIA_KEY", secrets.token_hex(32))
        yield


class Leaf(NamedTuple):
    """One table: rows are (person, a cell per quasi-identifier, the sensitive value)."""

    name: str
    columns: list[str]
    paths: dict[str, list[tuple[str, ...]]]
    weights: dict[str, float]
    rows: list[tuple[str | None, ...]]
    is_counted: bool


class Tables(NamedTuple):
    """Tables about the same people; ``shared`` are the tables that hold quasi-identifier q, the same in all."""

    leaves: list[Leaf]
    shared: list[str]
    models: list[dict]
    suppression: float
    measure: str
    missing: str

    @property
    def group(self):
        return [(name, "q") for name in self.shared]


MODEL_KINDS = [
    {"model": "distinct-l-diversity", "l": 2},
    {"model": "distinct-l-diversity", "l": 3},
    {"model": "entropy-l-diversity", "l": 1.7},
    {"model": "recursive-l-diversity", "c": 2.0, "l": 2},
    {"model": "t-closeness", "t": 0.3},
    {"model": "t-closeness", "t": 0.5},
]


@st.composite
def stars(draw):
    size = draw(st.integers(1, 3))
    shared = draw(st.sampled_from([[], [f"t{i}" for i in range(size)]])) if size > 1 else []
    together = draw(paths_of("q", ["q0", "q1", "q2"]))
    people = [f"p{i}" for i in range(draw(st.integers(1, 7)))]
    leaves = [
        draw(leaf(f"t{i}", people, together if shared else None, may_be_bare=i > 0, alone=size == 1))
        for i in range(size)
    ]
    models = [{"model": "k-anonymity", "k": draw(st.integers(2, 3))}]
    if draw(st.booleans()):
        owner = draw(st.sampled_from(leaves))
        models.append({**draw(st.sampled_from(MODEL_KINDS)), "column": f"s{owner.name}"})
    if draw(st.booleans()):  # of all classes together; alone it lets single people stay
        models = [*draw(st.sampled_from([models, models[1:]])), {"model": "average-risk", "risk": 0.4}]
    return Tables(
        leaves,
        shared,
        models,
        draw(st.sampled_from([0.0, 0.2, 0.5])),
        draw(st.sampled_from(["loss", "precision"])),
        draw(st.sampled_from(["category", "drop"])),
    )


@st.composite
def leaf(draw, name, people, together, *, may_be_bare, alone):
    own = draw(st.integers(0 if together or may_be_bare else 1, 2 if alone else 1))
    columns = [f"{name}c{i}" for i in range(own)]
    paths = {column: draw(paths_of(column, [f"{column}-{i}" for i in range(3)])) for column in columns}
    if together:
        columns, paths = ["q", *columns], {"q": together, **paths}
    cells = [st.sampled_from([*(path[0] for path in paths[column]), None]) for column in columns]
    row = st.tuples(st.sampled_from(people), *cells, st.sampled_from(["1", "2", "3", None]))
    weights = {column: draw(st.sampled_from([1.0, 1.0, 3.0])) for column in columns}
    rows = draw(st.lists(row, min_size=1, max_size=10))
    return Leaf(name, columns, paths, weights, rows, draw(st.booleans()))


# --- brute force, with sets and multisets
# ---------------------------------------------------------------------------------------


def stays(leaf, missing):
    """Rows that no missing value leaves out."""
    return [row for row in leaf.rows if missing == "category" or None not in row[1:-1]]


def attributes(tables):
    found = []
    for one in tables.leaves:
        for column in one.columns:
            place = ("*", "q") if column == "q" and tables.shared else (one.name, column)
            if place not in found:
                found.append(place)
    return found


def all_nodes(tables):
    paths = {(one.name, column): one.paths[column] for one in tables.leaves for column in one.columns}
    paths |= {("*", column): path for (_, column), path in paths.items() if column == "q"}
    heights = [len(paths[place][0]) for place in attributes(tables)]
    return itertools.product(*map(range, heights))


def levels_of(tables, one, node):
    level = dict(zip(attributes(tables), node, strict=True))
    return {
        column: level[("*", "q") if column == "q" and tables.shared else (one.name, column)]
        for column in one.columns
    }


def classes_of(tables, node):
    """People who look the same in all tables."""
    shown = defaultdict(lambda: [Counter() for _ in tables.leaves])
    for number, one in enumerate(tables.leaves):
        levels = levels_of(tables, one, node)
        for row in stays(one, tables.missing):
            label = tuple(
                generalized(cell, one.paths[column], levels[column])
                for column, cell in zip(one.columns, row[1:-1], strict=True)
            )
            shown[row[0]][number][label] += 1
    classes = defaultdict(set)
    for person, counted in shown.items():
        looks = tuple(
            frozenset(rows.items() if one.is_counted else rows)
            for one, rows in zip(tables.leaves, counted, strict=True)
        )
        classes[looks].add(person)
    return list(classes.values())


def values_of(tables, column, people):
    one = next(one for one in tables.leaves if f"s{one.name}" == column)
    pairs = {(row[0], row[-1]) for row in stays(one, tables.missing) if row[0] in people}
    return Counter(value for _, value in pairs)


def fails(tables, people, released):
    for model in tables.models:
        if model["model"] == "k-anonymity":
            if len(people) < model["k"]:
                return True
            continue
        if model["model"] == "average-risk":
            continue
        values = values_of(tables, model["column"], people)
        if values and not HOLDS[model["model"]](model, values, values_of(tables, model["column"], released)):
            return True
    return False


def is_uncertain(model, values, _):
    total = sum(values.values())
    entropy = -sum(n / total * math.log(n / total) for n in values.values())
    return entropy >= math.log(model["l"]) - 1e-9


def is_recursive(model, values, _):
    counts = sorted(values.values(), reverse=True)
    rare = sum(counts[model["l"] - 1 :])
    return rare > 0 and counts[0] / rare < model["c"]


def is_close(model, values, whole):
    here, there = sum(values.values()), sum(whole.values())
    return sum(abs(values[v] / here - n / there) for v, n in whole.items()) / 2 <= model["t"] + 1e-9


HOLDS = {
    "distinct-l-diversity": lambda model, values, _: len(values) >= model["l"],
    "entropy-l-diversity": is_uncertain,
    "recursive-l-diversity": is_recursive,
    "t-closeness": is_close,
}


def have_to_leave(tables, classes):
    """Of the sets of classes without which the average risk is low enough, one of the fewest people.

    They are the smallest classes; of equal ones those of the first people.
    """
    limits = [model["risk"] for model in tables.models if model["model"] == "average-risk"]
    if not limits:
        return []
    by_size = sorted(classes, key=lambda one: (len(one), min(one)))
    enough = [
        gone
        for number in range(len(classes) + 1)
        for gone in itertools.combinations(by_size, number)
        if len(classes) - number <= (limits[0] + 1e-9) * sum(len(one) for one in classes if one not in gone)
    ]
    fewest = min(sum(map(len, gone)) for gone in enough)
    chosen = next(number for number in itertools.count() if sum(map(len, by_size[:number])) >= fewest)
    assert sum(map(len, by_size[:chosen])) == fewest
    return by_size[:chosen]


def left_out(tables, node):
    """People whose class violates a model, until nobody more has to go."""
    classes, gone = classes_of(tables, node), []
    while True:
        kept = [one for one in classes if one not in gone]
        released = set().union(*kept)
        more = [one for one in kept if fails(tables, one, released)] or have_to_leave(tables, kept)
        if not more:
            return set().union(*gone)
        gone += more


def cell_cost(tables, one, column, cell, level):
    paths = one.paths[column]
    height = len(paths[0]) - 1
    if tables.measure == "precision":
        return level / height if height else 0.0
    has_missing = tables.missing == "category" and any(
        row[1 + one.columns.index(column)] is None for row in one.rows
    )
    size, label = len(paths) + has_missing, generalized(cell, paths, level)
    leaves = sum(path[level] == label for path in paths) if label is not None else 1
    if has_missing and level == height > 0:
        leaves = size
    return leaves / size if leaves > 1 else 0.0


def cost_of(tables, node, gone):
    """The mean over all quasi-identifiers, by their weights; a cell of somebody left out costs 1."""
    total = weight = 0.0
    for one in tables.leaves:
        levels, rows = levels_of(tables, one, node), stays(one, tables.missing)
        for place, column in enumerate(one.columns):
            weight += one.weights[column]
            if rows:
                costs = (
                    1.0 if row[0] in gone else cell_cost(tables, one, column, row[1 + place], levels[column])
                    for row in rows
                )
                total += one.weights[column] * sum(costs) / len(rows)
    return total / weight


def everybody(tables):
    return {row[0] for one in tables.leaves for row in stays(one, tables.missing)}


def valid_nodes(tables):
    """Every valid node with whom it leaves out and what it costs."""
    people = everybody(tables)
    allowed = math.floor(tables.suppression * len(people) + 1e-9)
    found = {}
    for node in all_nodes(tables):
        gone = left_out(tables, node)
        if len(gone) <= allowed and gone != people:
            found[node] = gone, cost_of(tables, node, gone)
    return found


# --- the product
# ----------------------------------------------------------------------------------------------------------------


def frame_of(one):
    names = ["person", *one.columns, f"s{one.name}"]
    return pl.DataFrame(one.rows, schema=dict.fromkeys(names, pl.String), orient="row")


def models_of(tables, one):
    return tuple(
        MODELS[model["model"]](**{name: value for name, value in model.items() if name != "model"})
        for model in tables.models
        if model.get("column", f"s{one.name}") == f"s{one.name}"
    )


def star_of(tables):
    branches = []
    for one in tables.leaves:
        models = models_of(tables, one)
        task = RecodingTask(
            open_table(frame_of(one)),
            tuple(one.columns),
            tuple(model for model in models if model.column is not None),
            modelled=tuple({model.column for model in models if model.column is not None}),
            measure=tables.measure,
            weights=one.weights,
            missing=MissingPolicy(tables.missing),
            given={column: Hierarchy.from_rows(column, paths) for column, paths in one.paths.items()},
        )
        branches.append(Branch(one.name, task, "person", one.is_counted))
    return Star(
        branches,
        models_of(tables, tables.leaves[0]),
        shared=[tables.group] if tables.shared else [],
        suppression=tables.suppression,
    )


@settings(max_examples=80, deadline=None)
@given(tables=stars(), data=st.data())
def test_a_node_leaves_out_whom_brute_force_does_and_costs_as_much(tables, data):
    assume(everybody(tables))
    star = star_of(tables)
    nodes = list(all_nodes(tables))
    assert star.heights == max(nodes)
    node = data.draw(st.sampled_from(nodes))
    found = star.look(node)
    together = defaultdict(set)
    for person, number in zip(star.people, found.classes, strict=True):
        together[number].add(person)
    assert sorted(map(sorted, together.values())) == sorted(map(sorted, classes_of(tables, node)))
    gone = left_out(tables, node)
    if (
        tables.suppression * len(everybody(tables)) >= 1
    ):  # where nobody may be left out, one violation is enough
        assert set(star.people.filter(found.suppressed)) == gone
    assert bool(found.bad.any()) == bool(gone)
    suppressed = set(star.people.filter(found.suppressed))
    assert found.cost == pytest.approx(cost_of(tables, node, suppressed))


@settings(max_examples=60, deadline=None)
@given(tables=stars())
def test_no_valid_node_costs_less_than_the_best(tables):
    assume(everybody(tables))
    star, valid = star_of(tables), valid_nodes(tables)
    if not valid:
        with pytest.raises(NoSolutionError):
            star.best()
        return
    found = star.best()
    gone, cost = valid[found.node]
    assert set(star.people.filter(found.suppressed)) == gone
    assert found.cost == pytest.approx(cost)
    assert found.cost == pytest.approx(min(cost for _, cost in valid.values()))


@pytest.mark.parametrize(
    "model",
    [
        {"model": "entropy-l-diversity", "l": 1.7},
        {"model": "recursive-l-diversity", "c": 3.0, "l": 2},
        {"model": "t-closeness", "t": 0.1},
    ],
)
def test_a_node_may_be_valid_below_one_that_is_not(model):
    """Three people with one value are left out at the values; generalized, they spoil the class of the others."""
    rows = [("p0", "a", "1"), ("p1", "a", "2"), ("p2", "b", "1"), ("p3", "b", "1"), ("p4", "b", "1")]
    others = [("p0", "c", "x"), ("p1", "c", "y"), *((f"p{i}", "d", "z") for i in (2, 3, 4))]
    paths = {"t0c0": [("a", "*"), ("b", "*")], "t1c0": [("c", "*"), ("d", "*")]}
    leaves = [
        Leaf("t0", ["t0c0"], {"t0c0": paths["t0c0"]}, {"t0c0": 1.0}, rows, is_counted=False),
        Leaf("t1", ["t1c0"], {"t1c0": paths["t1c0"]}, {"t1c0": 1.0}, others, is_counted=False),
    ]
    models = [{"model": "k-anonymity", "k": 2}, {**model, "column": "st0"}]
    tables = Tables(leaves, [], models, 0.6, "loss", "category")
    valid = valid_nodes(tables)
    found = star_of(tables).best()
    assert valid[found.node][1] == min(cost for _, cost in valid.values())
    if model["model"] != "t-closeness":  # there the whole is as far from itself as can be: not at all
        assert found.node == (0, 0)
        assert (1, 1) not in valid


def project_of(tables, *, releases_key):
    person = {"role": "identifier", "operation": "pseudonymize" if releases_key else None}
    return make_project(
        models=tables.models,
        suppression=tables.suppression,
        measure=tables.measure,
        missing=tables.missing,
        technique="full-domain",
        tables={
            one.name: {
                "person": "person",
                "person_rows": "counted" if one.is_counted else "set",
                "columns": {
                    "person": person,
                    f"s{one.name}": "sensitive",
                    **{
                        column: {"role": "quasi-identifier", "weight": one.weights[column]}
                        for column in one.columns
                    },
                },
            }
            for one in tables.leaves
        },
        repeated_attributes=[
            [f"{one.name}.{column}" for one in tables.leaves]
            for column in ["person", *(["q"] if tables.shared else [])]
            if len(tables.leaves) > 1
        ],
    )


@settings(max_examples=25, deadline=None)
@given(tables=stars(), releases_key=st.booleans())
def test_a_release_never_has_a_class_of_fewer_than_k_people_on_the_join(tables, releases_key):
    assume(everybody(tables))
    assume(all(stays(one, tables.missing) for one in tables.leaves))
    k = next((model["k"] for model in tables.models if "k" in model), 1)
    assume(all(len(one.rows) >= k for one in tables.leaves))  # fewer rows than k are refused by themselves
    valid = valid_nodes(tables)
    hierarchies = {
        one.name: {column: Hierarchy.from_rows(column, paths) for column, paths in one.paths.items()}
        for one in tables.leaves
    }
    sources = {one.name: frame_of(one) for one in tables.leaves}
    project = project_of(tables, releases_key=releases_key)
    if not valid:
        with pytest.raises(NoSolutionError):
            run_project(project, sources=sources, hierarchies=hierarchies)
        return
    releases = run_project(project, sources=sources, hierarchies=hierarchies)
    record = releases["t0"].record
    assert record["measures"][tables.measure] == pytest.approx(min(cost for _, cost in valid.values()))
    assert record["people"]["people"] - record["people"]["left out"] >= k
    if not releases_key:
        assert not any("person" in release.table.columns for release in releases.values())
        return
    shown = defaultdict(lambda: [Counter() for _ in tables.leaves])
    for number, one in enumerate(tables.leaves):
        for row in releases[one.name].table.select("person", *one.columns).iter_rows():
            shown[row[0]][number][row[1:]] += 1
    looks = Counter(
        tuple(
            frozenset(rows.items() if one.is_counted else rows)
            for one, rows in zip(tables.leaves, counted, strict=True)
        )
        for counted in shown.values()
    )
    assert min(looks.values()) >= k
    assert not everybody(tables) & set(shown)  # only pseudonyms leave
    assert len(shown) == record["people"]["people"] - record["people"]["left out"]
