"""Models of the release as a whole leave out the fewest rows that suffice: against all sets of classes that could."""

import importlib
import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import all_nodes, counts_of, hierarchy_objects, tables, zayatz

import celosia
from celosia.privacy import MODELS, AverageRisk, Classes, DeltaPresence, PopulationUniqueness, RowsAtRisk
from celosia.privacy.population_uniques import ESTIMATORS, unique_share
from celosia.privacy.whole_release import fullest, least_number, leave_of_sizes, leave_smallest
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator

CLOSE = 1e-9
counts = st.lists(st.integers(1, 7), min_size=1, max_size=9)
limits = st.sampled_from([0.05, 0.1, 0.2, 0.25, 0.3, 0.34, 0.5, 0.75])
fractions = st.sampled_from([0.02, 0.1, 0.3, 0.5, 0.7, 1.0])


def most_kept(sizes, keeps):
    """The rows of the largest set of classes that keeps a promise, of all sets; 0 if only the empty one does."""
    places = range(len(sizes))
    return max(
        (
            sum(sizes[place] for place in kept)
            for number in range(1, len(sizes) + 1)
            for kept in itertools.combinations(places, number)
            if keeps(kept)
        ),
        default=0,
    )


def stays_of(model, classes):
    """What a model leaves of classes."""
    return np.flatnonzero(~model.violations(classes)).tolist()


@settings(max_examples=300, deadline=None)
@given(counts, limits)
def test_the_average_risk_leaves_out_the_fewest_rows(sizes, risk):
    def keeps(kept):
        return sum(Fraction(1, sizes[place]) * sizes[place] for place in kept) <= (risk + CLOSE) * sum(
            sizes[place] for place in kept
        )

    stays = stays_of(AverageRisk(risk=risk), Classes(np.array(sizes)))
    assert not stays or keeps(stays)
    assert sum(sizes[place] for place in stays) == most_kept(sizes, keeps)


@settings(max_examples=300, deadline=None)
@given(counts, limits, st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 0.9, 0.9999999999]))
def test_rows_at_risk_leave_as_few_as_suffice(sizes, risk, share):
    def keeps(kept):
        at_risk = sum(sizes[place] for place in kept if 1 / sizes[place] > risk + CLOSE)
        return at_risk <= (share + CLOSE) * sum(sizes[place] for place in kept)

    stays = stays_of(RowsAtRisk(risk=risk, share=share), Classes(np.array(sizes)))
    assert not stays or keeps(stays)
    assert sum(sizes[place] for place in stays) == most_kept(sizes, keeps)


@settings(max_examples=150, deadline=None)
@given(counts, st.sampled_from([0.0, 0.02, 0.05, 0.1, 0.2, 0.4]), fractions)
def test_population_uniqueness_leaves_out_the_fewest_rows(sizes, share, fraction):
    def keeps(kept):
        return zayatz([sizes[place] for place in kept], fraction) <= share + CLOSE

    model = PopulationUniqueness(share=share, fraction=fraction, estimator="zayatz")
    stays = stays_of(model, Classes(np.array(sizes)))
    assert not stays or keeps(stays)
    assert sum(sizes[place] for place in stays) == most_kept(sizes, keeps)


@pytest.mark.parametrize("estimator", ESTIMATORS)
@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=3, max_size=40),
    st.integers(0, 60),
    st.sampled_from([0.01, 0.05, 0.1, 0.2]),
    st.sampled_from([0.05, 0.3]),
)
def test_one_row_less_would_not_do_for_any_estimator(estimator, sizes, alone, share, fraction):
    given_sizes = np.array([*sizes, *[1] * alone])
    model = PopulationUniqueness(share=share, fraction=fraction, estimator=estimator)
    leaves = model.violations(Classes(given_sizes))
    assert (given_sizes[leaves] == 1).all()
    number = int(leaves.sum())
    ordered = np.sort(given_sizes)
    assert unique_share(ordered[number:], fraction, estimator) <= share + CLOSE
    if number:
        assert unique_share(ordered[number - 1 :], fraction, estimator) > share + CLOSE


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 8)), min_size=1, max_size=7),
    st.sampled_from([0, 0, 3]),
    st.sampled_from([0.0, 0.2, 0.5]),
    st.sampled_from([0.5, 0.75, 1.0]),
)
def test_delta_presence_leaves_out_the_fewest_rows(classes, absent, low, high):
    sizes, people = ([pair[place] for pair in classes] for place in (0, 1))

    def keeps(kept):
        if any(
            not (low - CLOSE <= sizes[one] / people[one] <= high + CLOSE) if people[one] else True
            for one in kept
        ):
            return False
        fit = sum(people[one] for one in kept)
        return low == 0 or absent + sum(people) == fit

    looked_at = Classes(np.array(sizes), population=np.array(people), absent=absent)
    stays = stays_of(DeltaPresence(low=low, high=high), looked_at)
    assert not stays or keeps(stays)
    assert sum(sizes[place] for place in stays) == most_kept(sizes, keeps)


def test_every_model_of_the_whole_is_tried_here():
    whole = {name for name, model in MODELS.items() if model.of_whole}
    assert whole == {"average-risk", "rows-at-risk", "population-uniqueness", "delta-presence"}


# --- how the fewest are found
# ----------------------------------------------------------------------------------------------------------------


@settings(max_examples=400, deadline=None)
@given(st.lists(st.integers(2, 14), min_size=1, max_size=40), st.data())
def test_classes_fill_a_room_as_far_as_any_set_of_them_does(sizes, data):
    room = data.draw(st.integers(0, sum(sizes)))
    reached = {0}
    for size in sizes:
        reached |= {rows + size for rows in reached if rows + size <= room}
    distinct, times = np.unique(sizes, return_counts=True)
    stay = fullest(distinct, times, room)
    assert ((stay >= 0) & (stay <= times)).all()
    assert stay @ distinct == max(reached)


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=60))
def test_the_least_number_is_where_a_falling_excess_is_not_above_nothing(values):
    falling = [*sorted(values, reverse=True), -6.0]
    asked = []

    def excess(number):
        asked.append(number)
        return falling[number]

    expected = next(number for number, value in enumerate(falling) if value <= 0)
    assert least_number(len(falling) - 1, excess) == expected
    assert len(asked) <= 3 + 2 * len(falling).bit_length()


@given(counts, st.randoms())
def test_of_equal_classes_the_first_leave(sizes, random):
    array = np.array(sizes)
    distinct, times = np.unique(array, return_counts=True)
    leaving = np.array([random.randint(0, n) for n in times.tolist()])
    leaves = leave_of_sizes(array, leaving)
    for size, number, n in zip(distinct, leaving, times, strict=True):
        assert leaves[array == size].tolist() == [True] * number + [False] * (n - number)
    number = random.randint(0, len(sizes))
    expected = sorted(range(len(sizes)), key=lambda place: (sizes[place], place))[:number]
    assert np.flatnonzero(leave_smallest(array, number)).tolist() == sorted(expected)


# --- the same classes leave whenever it is asked
# ----------------------------------------------------------------------------------------------------------------

MODELS_OF_SIZES = [
    AverageRisk(risk=0.4),
    RowsAtRisk(risk=0.3, share=0.5),
    PopulationUniqueness(share=0.1, fraction=0.3, estimator="zayatz"),
]


def leaving(table, model, engine=None):
    """By node, the keys of the classes that leave."""
    domain = build_domain(counts_of(table), hierarchy_objects(table), quasi_identifiers=table.names)
    evaluator = Evaluator(domain, [model], measures=[], limit=1.0)
    if engine is not None:
        evaluator.sets._engine = importlib.import_module(engine)
    return {node: sorted(evaluator.suppressed_keys(node).tolist()) for node in all_nodes(table)}


@pytest.mark.parametrize("model", MODELS_OF_SIZES, ids=lambda model: model.name)
@settings(max_examples=40, deadline=None)
@given(table=tables(), random=st.randoms())
def test_the_order_of_rows_and_the_way_to_a_node_do_not_decide_who_leaves(model, table, random):
    mixed = list(table.rows)
    random.shuffle(mixed)
    expected = leaving(table, model)
    assert leaving(table._replace(rows=mixed), model) == expected
    # Compiled loops leave classes in the order in which they are met.
    assert leaving(table, model, "celosia.kernels.frequency") == expected


def ages(rows):
    return pl.DataFrame({"age": [str(age) for age, n in rows.items() for _ in range(n)]})


def test_a_release_loses_only_some_of_the_classes_of_one_size():
    table = ages({20 + number: 1 for number in range(10)} | {60: 30})
    hierarchy = celosia.Hierarchy.from_rows("age", [(str(age), "*") for age in range(20, 61)])
    release = celosia.anonymize(
        table,
        quasi_identifiers=["age"],
        hierarchies={"age": hierarchy},
        models=[AverageRisk(risk=0.2)],
        suppression=0.5,
    )
    # 1 + n classes in 30 + n rows: 7 / 36 keep it, 8 / 37 do not.
    assert release.written.suppressed == 4
    shown = Counter(release.table["age"].to_list())
    assert shown == {"60": 30, **{str(age): 1 for age in range(24, 30)}}
