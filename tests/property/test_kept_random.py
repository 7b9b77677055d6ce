"""What a release keeps, against brute force over its rows, and against what searches say of the same release."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from small_tables import MEASURES as BRUTE
from small_tables import all_nodes, counts_of, hierarchy_objects, release_at, tables

from celosia.measure.kept import queries
from celosia.measure.kept.counted_pairs import Pairs
from celosia.measure.kept.spread import spread_column
from celosia.measure.registry import release_measures
from celosia.measure.subject import MeasureSubject
from celosia.measure.utility import get_measure
from celosia.privacy import KAnonymity
from celosia.recode.domain import build_domain
from celosia.recode.evaluate import Evaluator

LABELS = {
    "*": lambda value: True,
    "[2-5]": lambda value: value is not None and 2 <= value <= 5,
    ">=6": lambda value: value is not None and value >= 6,
    "{1, 4}": lambda value: value in (1, 4),
    "0": lambda value: value == 0,
    "3": lambda value: value == 3,
    "7": lambda value: value == 7,
}
cells = st.one_of(st.none(), st.integers(0, 9))
labels = st.sampled_from([*LABELS, None])
columns = st.tuples(st.lists(cells, min_size=1, max_size=12), st.lists(labels, min_size=1, max_size=12))


def frame(names, rows, kind):
    return pl.DataFrame(list(rows), schema=dict.fromkeys(names, kind), orient="row")


def found(name, subject):
    """What a measure answers, by what it is about."""
    return {one.about: one.value for one in release_measures()[name].answers(subject)}


def dealt(values, label, shown):
    """The distinct values of the original that a label allows, each with the same share; none is one of its own."""
    distinct = list(dict.fromkeys(values))
    if label is None:
        emptied = Fraction(max(0, shown.count(None) - values.count(None)), shown.count(None))
        found = {value: emptied / len(distinct) for value in distinct}
        return found | {None: found.get(None, 0) + 1 - emptied} if emptied < 1 else found
    allowed = [value for value in distinct if LABELS[label](value)]
    if not allowed:
        middle = {"[2-5]": 3.5, ">=6": 6.0}.get(label)
        allowed = [float(label) if label.isdigit() else middle]
    return {value: Fraction(1, len(allowed)) for value in allowed}


def spread_of(values, shown):
    """The release as a distribution over values."""
    total = Counter()
    for label in shown:
        for value, share in dealt(values, label, shown).items():
            total[value] += share / len(shown)
    return total


HIDDEN = math.inf
"""Where rows are of which a release tells nothing: beyond all numbers."""


def hidden(values, label, shown):
    """The share of the rows of a label that could have any value."""
    if label is None:
        return Fraction(max(0, shown.count(None) - values.count(None)), shown.count(None))
    return int(label == "*" or (label == "{1, 4}" and set(values) == {1, 4}))


def told_of(values, shown):
    """The release as a distribution over values, with what it does not tell beyond them."""
    total = Counter()
    for label in shown:
        share = hidden(values, label, shown)
        total[HIDDEN] += Fraction(share, len(shown))
        if label is None and share < 1:
            total[None] += (1 - share) / len(shown)
        elif label is not None and not share:
            for value, part in dealt(values, label, shown).items():
                total[value] += part / len(shown)
    return total


def understood(values, shown):
    """Whether every set has a value: an empty set is not one that a release can show."""
    return "{1, 4}" not in shown or bool({1, 4} & set(values))


# Agreement with the searches


def released(table, node, k):
    release = release_at(node, table, lambda members, whole, paths: len(members) >= k)
    rows = [label for label, members in release.kept.items() for _ in members]
    original = frame(table.names, [row[:-1] for row in table.rows], pl.String)
    subject = MeasureSubject.of(
        original,
        frame(table.names, rows, pl.String),
        quasi_identifiers=table.names,
        hierarchies=hierarchy_objects(table),
    )
    return release, subject


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(2, 4), st.data())
def test_a_full_domain_release_costs_what_the_search_says(table, k, data):
    node = data.draw(st.sampled_from(all_nodes(table)))
    release, subject = released(table, node, k)
    # A column that shows nothing but missing values does not tell its level.
    assume(release.kept)
    assume(all(any(label[i] is not None for label in release.kept) for i in range(len(node))))
    evaluator = Evaluator(
        build_domain(counts_of(table), hierarchy_objects(table), quasi_identifiers=table.names),
        [KAnonymity(k=k)],
        measures=[get_measure(name) for name in BRUTE],
        limit=1.0,
    )
    searched = evaluator.check(node).values
    for name, brute in BRUTE.items():
        value = found(name, subject)[None]
        assert value == pytest.approx(searched[name], abs=1e-9), name
        assert value == pytest.approx(brute(release, {}), abs=1e-9), name


@settings(max_examples=20, deadline=None)
@given(tables(), st.data())
def test_a_release_of_nothing_costs_all(table, data):
    node = data.draw(st.sampled_from(all_nodes(table)))
    _, subject = released(table, node, len(table.rows) + 1)
    assert found("loss", subject)[None] == found("precision", subject)[None] == 1
    assert found("discernibility", subject)[None] == len(table.rows) ** 2
    assert found("rows-kept", subject)[None] == 0
    assert found("query-error", subject)[None] == 1
    assert found("variation", subject)[None] == 1


@settings(max_examples=15, deadline=None)
@given(tables())
def test_the_original_itself_loses_nothing(table):
    _, subject = released(table, (0,) * len(table.names), 1)
    for name in ("loss", "precision", "entropy", "height", "sum-of-heights", "variation", "query-error"):
        assert list(found(name, subject).values()) == pytest.approx(
            [0.0] * len(found(name, subject)), abs=1e-9
        ), name
    assert found("cells-suppressed", subject)[None] == found("missing-added", subject)[None] == 0
    assert found("rows-kept", subject)[None] == found("columns-kept", subject)[None] == 1
    if len(table.names) > 1:
        assert found("information-change", subject)[None] == pytest.approx(0, abs=1e-9)


# Columns


@settings(max_examples=60, deadline=None)
@given(columns)
def test_labels_are_spread_as_row_by_row(column):
    values, shown = column
    assume(understood(values, shown))
    subject = MeasureSubject.of(
        frame(["a"], [(v,) for v in values], pl.Int64), frame(["a"], [(label,) for label in shown], pl.String)
    )
    spread = spread_column(subject, "a")
    dealt_out = Counter()
    for number, share in zip(spread.numbers.tolist(), spread.deal(spread.rows).tolist(), strict=True):
        dealt_out[None if math.isnan(number) else number] += share / len(shown)
    expected = {value: float(share) for value, share in spread_of(values, shown).items() if share}
    assert {value: share for value, share in dealt_out.items() if share > 1e-12} == pytest.approx(expected)
    means = spread.average(np.nan_to_num(spread.numbers, nan=100.0))
    for label, mean in zip(spread.decoded.labels.to_list(), means.tolist(), strict=True):
        parts = dealt(values, label, shown).items()
        assert mean == pytest.approx(float(sum((100 if v is None else v) * share for v, share in parts)))


@settings(max_examples=60, deadline=None)
@given(columns)
def test_distances_of_a_column_are_those_of_the_spread_release(column):
    values, shown = column
    assume(understood(values, shown))
    subject = MeasureSubject.of(
        frame(["a"], [(v,) for v in values], pl.Int64), frame(["a"], [(label,) for label in shown], pl.String)
    )
    before = {value: Fraction(count, len(values)) for value, count in Counter(values).items()}
    told = told_of(values, shown)
    variation = sum(abs(before.get(value, 0) - told.get(value, 0)) for value in set(before) | set(told)) / 2
    assert found("variation", subject)["a"] == pytest.approx(float(variation), abs=1e-9)
    if not any(value is not None for value in before):
        return
    _, gaps = gaps_of(before, told)
    assert found("ks", subject)["a"] == pytest.approx(float(max(gaps)) if gaps else 1, abs=1e-9)
    numbers, gaps = gaps_of(before, spread_of(values, shown))
    if not gaps or told[HIDDEN] == 1:
        assert found("wasserstein", subject)["a"] is None
        return
    moved = sum(
        float(gap) * (high - low) for gap, (low, high) in zip(gaps, itertools.pairwise(numbers), strict=False)
    )
    known = [value for value in values if value is not None]
    width = max(known) - min(known)
    assert found("wasserstein", subject)["a"] == pytest.approx(moved / width if width else 0, abs=1e-9)


def gaps_of(before, after):
    """All numbers in order, and how far the shares of rows up to each are apart; none if a side has no number."""
    numbers = sorted({value for value in (*before, *after) if value is not None})
    here, there = ([side.get(value, 0) for value in numbers] for side in (before, after))
    if not sum(here) or not sum(there):
        return numbers, []
    shares = (
        (sum(here[:end]) / sum(here), sum(there[:end]) / sum(there)) for end in range(1, len(numbers) + 1)
    )
    return numbers, [abs(one - other) for one, other in shares]


# Pairs and queries


two = st.lists(st.tuples(cells, cells), min_size=2, max_size=12)
two_shown = st.lists(st.tuples(labels, labels), min_size=2, max_size=12)


def pair_of(rows, shown):
    for place in (0, 1):
        assume(understood([row[place] for row in rows], [row[place] for row in shown]))
    return MeasureSubject.of(frame("ab", rows, pl.Int64), frame("ab", shown, pl.String))


def joint_of(rows, shown):
    """The release as a distribution over pairs of values."""
    (before_a, before_b), (shown_a, shown_b) = (
        [list(side) for side in zip(*table, strict=True)] for table in (rows, shown)
    )
    total = Counter()
    for one, other in shown:
        first, second = dealt(before_a, one, shown_a), dealt(before_b, other, shown_b)
        for (a, share), (b, part) in itertools.product(first.items(), second.items()):
            total[a, b] += float(share * part)
    return total


def correlation(joint):
    """Pearson's, of pairs with weights of which both are numbers."""
    kept = [(a, b, weight) for (a, b), weight in joint.items() if a is not None and b is not None]
    whole = sum(weight for *_, weight in kept)
    if not whole:
        return math.nan
    x, y = (sum(row[i] * row[2] for row in kept) / whole for i in (0, 1))
    xx, yy = (sum(w * (row[i] - m) ** 2 for row in kept for w in (row[2],)) for i, m in ((0, x), (1, y)))
    xy = sum(weight * (a - x) * (b - y) for a, b, weight in kept)
    return xy / math.sqrt(xx * yy) if xx > 1e-9 and yy > 1e-9 else math.nan


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12), two_shown)
def test_correlations_are_those_of_the_spread_release(rows, shown):
    subject = pair_of(rows, shown)
    before, after = correlation(Counter(rows)), correlation(joint_of(rows, shown))
    answer = found("correlation-change", subject)[None]
    if math.isnan(before) and math.isnan(after):
        assert answer is None
    else:
        change = (0 if math.isnan(before) else before) - (0 if math.isnan(after) else after)
        assert answer == pytest.approx(abs(change), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(two, two_shown)
def test_mutual_information_is_that_of_the_spread_release(rows, shown):
    # Every number is there: one that only the release had would join its neighbour's group.
    rows = [*rows, *((number, number) for number in range(10))]
    subject = pair_of(rows, shown)
    change = information(Counter(rows)) - information(joint_of(rows, shown))
    assert found("information-change", subject)[None] == pytest.approx(abs(change), abs=1e-9)


def information(joint):
    whole = sum(joint.values())

    def bits(counts):
        return -sum(n / whole * math.log2(n / whole) for n in counts.values() if n)

    one, other = Counter(), Counter()
    for (a, b), weight in joint.items():
        one[a] += weight
        other[b] += weight
    both = bits(one) + bits(other) - bits(joint)
    return both / math.sqrt(bits(one) * bits(other)) if bits(one) > 1e-9 and bits(other) > 1e-9 else 0.0


@settings(max_examples=15, deadline=None)
@given(two)
def test_pairs_are_the_same_however_the_table_is_counted(rows):
    subject = MeasureSubject.of(frame("ab", rows, pl.Int64), frame("ab", rows, pl.Int64))
    for most_rows in (0, 100):
        pairs = Pairs(subject, ("a", "b"), most_rows=most_rows)
        for first, second, counts in (pairs.before("a", "b"), pairs.after("a", "b")):
            a, b = (subject.original_counts(name).values[0].to_list() for name in "ab")
            seen = Counter()
            for one, other, count in zip(first, second, counts, strict=True):
                seen[a[one], b[other]] += int(count)
            assert seen == Counter(rows)


@settings(max_examples=25, deadline=None)
@given(two, two_shown, st.integers(0, 5))
def test_queries_are_answered_as_row_by_row(rows, shown, seed):
    subject = pair_of(rows, shown)
    subject = MeasureSubject.of(subject.original, subject.release, seed=seed)
    spreads = [spread_column(subject, name) for name in "ab"]
    _, members = queries._draw(np.random.default_rng(seed), spreads, 64, 4, 0.001)
    taken = [
        {
            (None if math.isnan(number) else number): inside
            for number, inside in zip(s.numbers.tolist(), m, strict=True)
        }
        for s, m in zip(spreads, members, strict=True)
    ]
    joint = joint_of(rows, shown)
    true = sum((taken[0][a] * taken[1][b] for a, b in rows), np.zeros(64))
    answered = sum((weight * taken[0][a] * taken[1][b] for (a, b), weight in joint.items()), np.zeros(64))
    enough = true >= 1
    assume(enough.any())
    answers = queries.ask_queries(subject, queries=int(enough.sum()))
    assert answers.true.tolist() == true[enough].tolist()
    assert answers.found.tolist() == pytest.approx(answered[enough].tolist(), abs=1e-9)
