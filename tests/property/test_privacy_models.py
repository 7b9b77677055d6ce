"""Every privacy model against its definition in plain Python, and the verifier against the models."""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from itertools import chain

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import Hierarchy
from celosia.privacy import (
    MODELS,
    AlphaKAnonymity,
    AverageRisk,
    BetaLikeness,
    Classes,
    DeltaDisclosure,
    DistinctLDiversity,
    EntropyLDiversity,
    Histogram,
    KAnonymity,
    MaximumRisk,
    NoAttack,
    PopulationUniqueness,
    PrivacyModel,
    RecursiveCLDiversity,
    RowsAtRisk,
    TCloseness,
    rank_values,
)
from celosia.privacy.known_columns import KnownColumns
from celosia.release.transport import order_values
from celosia.release.verify import verify
from celosia.tables import open_table
from celosia.tables.table import Table

UNIT = 60  # divisible by every height and every number of steps between six values
TEXTS = ("10", "9", "2.5", "-1", "100", None)
Group = list[str | None]

groups = st.lists(st.sampled_from(TEXTS), min_size=1, max_size=9)
tables = st.lists(groups, min_size=1, max_size=5)


@st.composite
def hierarchies(draw: st.DrawFn) -> Hierarchy:
    """A hierarchy of TEXTS with random branches: a value alone in its branch repeats itself."""
    values = [text for text in TEXTS if text is not None]
    branch = list(range(len(values)))
    levels = [list(values)]
    for level in range(1, draw(st.integers(1, 4))):
        merged = [draw(st.integers(0, code)) for code in range(len(values))]
        branch = [merged[code] for code in branch]
        size = Counter(branch)
        levels.append(
            [
                value if size[code] == 1 else f"{level}.{code}"
                for value, code in zip(values, branch, strict=True)
            ]
        )
    found = Hierarchy.from_levels("s", levels)
    return found.with_root() if draw(st.booleans()) else found


def classes_of(table: Sequence[Group], hierarchy: Hierarchy | None = None) -> Classes:
    values = (*dict.fromkeys(chain(*table)), "never seen")
    entries = [
        (number, values.index(value), rows)
        for number, group in enumerate(table)
        for value, rows in Counter(group).items()
    ]
    owner, codes, counts = (np.array(part, dtype=np.int64) for part in zip(*entries, strict=True))
    # A value that no longer occurs, as after suppression, must not take part in anything.
    rank = np.append(rank_values(values[:-1]), len(values) - 1)
    if hierarchy is not None:
        values = values[:-1]
        rank = rank[:-1]
    histogram = Histogram(owner, codes, counts, values, rank, hierarchy)
    return Classes(np.array([len(group) for group in table]), {"s": histogram})


# --- the definitions, as they are written in the papers
# ---------------------------------------------------------


def is_k_anonymous(model: KAnonymity, group: Group, table: Sequence[Group]) -> bool:
    return len(group) >= model.k


def is_distinct(model: DistinctLDiversity, group: Group, table: Sequence[Group]) -> bool:
    return len(set(group)) >= model.l


def is_entropic(model: EntropyLDiversity, group: Group, table: Sequence[Group]) -> bool:
    shares = [rows / len(group) for rows in Counter(group).values()]
    return -sum(share * math.log(share) for share in shares) >= math.log(model.l) - 1e-9


def is_recursive(model: RecursiveCLDiversity, group: Group, table: Sequence[Group]) -> bool:
    counts = sorted(Counter(group).values(), reverse=True)
    return counts[0] < Fraction(str(model.c)) * sum(counts[model.l - 1 :])


def least_work(group: Group, table: Sequence[Group], ground: dict[tuple[object, object], int]) -> Fraction:
    """Optimal transport by successive shortest paths, in whole numbers: no formula of a distance is used."""
    everybody = list(chain(*table))
    supply = {value: rows * len(everybody) for value, rows in Counter(group).items()}
    demand = {value: rows * len(group) for value, rows in Counter(everybody).items()}
    flow: Counter[tuple[object, object]] = Counter()
    work = 0
    while any(supply.values()):
        # Bellman-Ford from every value with supply left, over forward arcs and backward along existing flow.
        cost = {("from", value): 0 for value, left in supply.items() if left}
        back: dict[tuple[str, object], tuple[str, object]] = {}
        before = None
        while before != cost:
            before = dict(cost)
            for u in supply:
                for v in demand:
                    arrow = (("from", u), ("to", v), ground[u, v])
                    reverse = (("to", v), ("from", u), -ground[u, v])
                    for tail, head, price in (arrow, reverse) if flow[u, v] else (arrow,):
                        if tail in cost and (head not in cost or cost[tail] + price < cost[head]):
                            cost[head], back[head] = cost[tail] + price, tail
        end = min((("to", v) for v in demand if demand[v]), key=cost.__getitem__)
        path = [end]
        while path[-1] in back:
            path.append(back[path[-1]])
        steps = list(zip(path[1:], path, strict=False))
        amount = min(
            supply[path[-1][1]],
            demand[end[1]],
            *(flow[head[1], tail[1]] for tail, head in steps if tail[0] == "to"),
        )
        for tail, head in steps:
            if tail[0] == "from":
                flow[tail[1], head[1]] += amount
            else:
                flow[head[1], tail[1]] -= amount
        supply[path[-1][1]] -= amount
        demand[end[1]] -= amount
        work += amount * cost[end]
    return Fraction(work, len(group) * len(everybody) * UNIT)


def ground_of(
    distance: str, table: Sequence[Group], hierarchy: Hierarchy
) -> dict[tuple[object, object], int]:
    """How far apart two values are, in whole parts of UNIT."""
    values = set(chain(*table))
    if distance == "equal":
        return {(u, v): UNIT * (u != v) for u in values for v in values}
    if distance == "ordered":
        ordered = sorted(values, key=lambda text: (text is None, float(text or 0)))
        step = UNIT // max(len(values) - 1, 1)
        return {(u, v): step * abs(ordered.index(u) - ordered.index(v)) for u in values for v in values}
    paths = {row[0]: row for row in hierarchy.with_root().rows()}
    height = max(hierarchy.with_root().height, 1)

    def apart(u: str | None, v: str | None) -> int:
        if u == v or u is None or v is None:
            return UNIT * (u != v)
        return UNIT // height * next(n for n in range(height + 1) if paths[u][n] == paths[v][n])

    return {(u, v): apart(u, v) for u in values for v in values}


# --- each model is its definition
# -------------------------------------------------------------------------------

k_models = st.builds(KAnonymity, k=st.integers(2, 9))
distinct_models = st.builds(DistinctLDiversity, column=st.just("s"), l=st.integers(1, 6))
entropy_models = st.builds(EntropyLDiversity, column=st.just("s"), l=st.sampled_from([1, 1.75, 2, 2.5, 3, 4]))
recursive_models = st.builds(
    RecursiveCLDiversity,
    column=st.just("s"),
    c=st.sampled_from([0.1, 0.3, 0.5, 1, 1.5, 2, 3]),
    l=st.integers(1, 4),
)
close_models = st.builds(
    TCloseness,
    column=st.just("s"),
    t=st.sampled_from([0.1, 0.125, 0.2, 0.25, 0.375, 0.5, 1]),
    distance=st.sampled_from(["equal", "ordered", "hierarchical"]),
)
shares = st.sampled_from([0.1, 0.2, 0.25, 0.5, 0.75])
EXAMPLES = {
    "alpha-k-anonymity": st.builds(
        AlphaKAnonymity,
        column=st.just("s"),
        alpha=shares,
        k=st.integers(2, 5),
        value=st.sampled_from([None, "10", "9", "never seen"]),
    ),
    "average-risk": st.builds(AverageRisk, risk=shares),
    "beta-likeness": st.builds(
        BetaLikeness,
        column=st.just("s"),
        beta=st.sampled_from([0.2, 0.5, 1, 2, 4]),
        kind=st.sampled_from(["basic", "enhanced"]),
    ),
    "delta-disclosure": st.builds(
        DeltaDisclosure, column=st.just("s"), delta=st.sampled_from([0.3, 0.7, 1, 2])
    ),
    "maximum-risk": st.builds(MaximumRisk, risk=shares),
    "no-attack": st.builds(NoAttack, gain=st.integers(0, 20), cost=st.integers(1, 5)),
    "population-uniqueness": st.builds(
        PopulationUniqueness,
        share=st.sampled_from([0, 0.05, 0.2, 0.5]),
        fraction=st.sampled_from([0.05, 0.3, 1]),
        estimator=st.sampled_from(["dankar", "zayatz", "pitman", "negative-binomial"]),
    ),
    "rows-at-risk": st.builds(RowsAtRisk, risk=shares, share=shares),
    "k-anonymity": k_models,
    "distinct-l-diversity": distinct_models,
    "entropy-l-diversity": entropy_models,
    "recursive-l-diversity": recursive_models,
    "t-closeness": close_models,
}
any_model = st.one_of(*EXAMPLES.values())


def test_every_model_of_sizes_and_values_takes_part_in_these_tests() -> None:
    others = {
        name
        for name, model in MODELS.items()
        if model.needs_population or model.needs_losses or issubclass(model, KnownColumns)
    }
    assert set(EXAMPLES) == set(MODELS) - others


@pytest.mark.parametrize(
    ("models", "definition"),
    [
        pytest.param(k_models, is_k_anonymous, id="k"),
        pytest.param(distinct_models, is_distinct, id="distinct"),
        pytest.param(entropy_models, is_entropic, id="entropy"),
        pytest.param(recursive_models, is_recursive, id="recursive"),
    ],
)
def test_a_model_says_what_its_definition_says(models, definition) -> None:
    @settings(max_examples=200, deadline=None)
    @given(models, tables)
    def compare(model: PrivacyModel, table: list[Group]) -> None:
        violated = [not definition(model, group, table) for group in table]
        assert model.violations(classes_of(table)).tolist() == violated

    compare()


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_a_distance_is_the_least_work_of_any_transport(distance: str) -> None:
    @settings(max_examples=120, deadline=None)
    @given(tables, hierarchies())
    def compare(table: list[Group], hierarchy: Hierarchy) -> None:
        given_hierarchy = hierarchy if distance == "hierarchical" else None
        model = TCloseness(column="s", t=0.5, distance=distance)
        ground = ground_of(distance, table, hierarchy)
        works = [least_work(group, table, ground) for group in table]
        classes = classes_of(table, given_hierarchy)
        assert model.distances(classes) == pytest.approx([float(work) for work in works], abs=1e-12)
        assert model.violations(classes).tolist() == [work > Fraction(1, 2) for work in works]

    compare()


# --- what merging does
# ------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(any_model, tables, groups, groups, hierarchies())
def test_merging_keeps_what_class_monotone_promises(
    model: PrivacyModel, rest: list[Group], one: Group, other: Group, hierarchy: Hierarchy
) -> None:
    apart = model.violations(classes_of([one, other, *rest], hierarchy))
    together = model.violations(classes_of([one + other, *rest], hierarchy))
    satisfied = not apart[0] if model.class_monotone else not (apart[0] or apart[1])
    if model.of_whole:
        satisfied = not apart.any()
    assert not (satisfied and together[0] and model.union_monotone)


@pytest.mark.parametrize(
    ("model", "good", "other", "rest"),
    [
        (EntropyLDiversity(column="s", l=2), ["9", "10"], ["9"] * 5, ["9"]),
        (RecursiveCLDiversity(column="s", c=2, l=2), ["9", "10"], ["9"] * 5, ["9"]),
        (TCloseness(column="s", t=0.25), ["9", "10"], ["9"] * 8, ["10"] * 8),
        (AlphaKAnonymity(column="s", alpha=0.5, k=2), ["9", "10"], ["9"] * 5, ["9"]),
        (BetaLikeness(column="s", beta=0.5, kind="basic"), ["9", "10"], ["9"] * 8, ["10"] * 8),
        (DeltaDisclosure(column="s", delta=0.3), ["9", "10"], ["9"] * 8, ["10"] * 8),
    ],
    ids=["entropy", "recursive", "closeness", "alpha", "likeness", "disclosure"],
)
def test_a_class_that_satisfies_can_fail_after_merging_with_one_that_does_not(
    model, good, other, rest
) -> None:
    assert not model.class_monotone
    assert not model.violations(classes_of([good, other, rest]))[0]
    assert model.violations(classes_of([good + other, rest]))[0]


# --- the verifier finds what the models say
# ---------------------------------------------------------------------


def rows_of(table: Sequence[Group]) -> Table:
    """A table in memory with a quasi-identifier ``q`` and a sensitive column ``s``."""
    pairs = [(str(number), value) for number, group in enumerate(table) for value in group]
    return open_table(pl.DataFrame(pairs, schema={"q": pl.String, "s": pl.String}, orient="row"), missing=())


@settings(max_examples=80, deadline=None)
@given(st.lists(any_model, min_size=1, max_size=3), tables, hierarchies())
def test_the_verifier_and_the_models_agree(
    models: list[PrivacyModel], table: list[Group], hierarchy: Hierarchy
) -> None:
    result = verify(rows_of(table), quasi_identifiers=["q"], models=models, hierarchies={"s": hierarchy})
    classes = classes_of(table, hierarchy)
    found = [model.violations(classes) for model in models]
    expected = [
        int(bad.any()) if model.of_whole else int(bad.sum()) for model, bad in zip(models, found, strict=True)
    ]
    assert [finding.violating for finding in result.findings] == expected
    assert result.passed == (not any(expected))
    for model, finding in zip(models, result.findings, strict=True):
        if isinstance(model, TCloseness):
            assert finding.reached == pytest.approx(model.distances(classes).max(), abs=1e-12)


numbers = st.one_of(
    st.integers(-(10**20), 10**20).map(str),
    st.decimals(allow_nan=False, allow_infinity=False).map(str),
    st.floats().map(lambda number: "NaN" if math.isnan(number) else str(number)),
    st.sampled_from(["1", "1.0", "01", "+1", "1e0", "-0", "0", "inf", "-inf", "NaN", ".5", "5."]),
)
dates = st.one_of(
    st.dates().map(str),
    st.datetimes().map(str),
    st.datetimes().map(datetime.isoformat),
    st.datetimes(timezones=st.timezones(no_cache=True)).map(datetime.isoformat),
    st.sampled_from(["2024-02-30", "2024-5-1", "20240501", "2024-05-01T10", "2024-05-01,10:30"]),
)
words = st.one_of(
    numbers, st.text(max_size=3), st.sampled_from(["1_0", "nan", "Infinity", " 1", "٣", "e", ".", "1e"])
)


@settings(max_examples=120, deadline=None)
@given(
    st.one_of(
        st.lists(st.one_of(numbers, st.none()), unique=True),
        st.lists(st.one_of(dates, st.none()), unique=True),
        st.lists(words, unique=True),
    )
)
def test_the_order_of_the_search_and_of_the_verifier_are_the_same(values: list[str | None]) -> None:
    found = rank_values(values)
    assert (None if found is None else found.tolist()) == order_values(values)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(-(10**20), 10**20), unique=True))
def test_whole_numbers_of_any_length_are_ordered_by_size(values: list[int]) -> None:
    assert [values[place] for place in np.argsort(rank_values([str(value) for value in values]))] == sorted(
        values
    )
