"""Every builder, on whatever values: a sound hierarchy of all of them, whose labels are true."""

import datetime
import re
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import check, dates, digits, flat, intervals, prefixes, propose, taxonomy
from celosia.types import ColumnType

texts = st.text(max_size=12)
integers = st.integers(-(10**4), 10**4).map(str) | st.integers(-(10**25), 10**25).map(str)
decimals = st.decimals(-(10**6), 10**6, places=3).map(str) | st.integers(0, 999).map(str)
reals = st.floats(width=64).map(repr)
days = st.dates(datetime.date(1000, 1, 1)).map(str)
moments = st.datetimes(datetime.datetime(1000, 1, 1)).map(lambda moment: moment.isoformat())
spanish = st.dates(datetime.date(1000, 1, 1)).map(lambda day: f"{day.day}/{day.month}/{day.year}")
codes = st.from_regex(r"[A-Z][0-9]{2}\.[0-9]", fullmatch=True)


def columns(values):
    return st.lists(values, min_size=1, max_size=40)


def assert_sound(hierarchy, values, *, root="*"):
    assert set(hierarchy.values) == {value for value in values if value is not None}
    assert check(hierarchy.rows(), values) == []
    sizes = [len(labels) for labels in hierarchy.labels]
    # Every level merges something; only the root above a single value cannot.
    assert all(lower > upper for lower, upper in pairwise(sizes)) or sizes == [1, 1]
    if root:
        assert hierarchy.labels[-1] == (root,)


@settings(deadline=None)
@given(columns(integers | decimals), st.integers(1, 3))
def test_masked_digits_are_sound(values, step):
    assert_sound(digits("n", values, step=step), values, root=None)


@settings(deadline=None)
@given(columns(st.integers(0, 10**6)), st.integers(1, 3))
def test_masked_digits_stand_for_the_numbers_they_say(values, step):
    hierarchy = digits("n", [str(value) for value in values], step=step)
    for level in range(1, hierarchy.height + 1):
        for value, label in hierarchy.level(level).items():
            low, high = int(label.replace("*", "0")), int(label.replace("*", "9"))
            assert low <= int(value) <= high


@settings(deadline=None)
@given(
    columns(integers) | columns(reals) | columns(integers | reals),
    st.sampled_from(["natural", "width", "frequency"]),
    st.integers(2, 20),
    st.integers(2, 4),
    st.data(),
)
def test_intervals_are_sound(values, kind, bins, merge, data):
    counts = data.draw(st.none() | st.lists(st.integers(1, 9), min_size=len(values), max_size=len(values)))
    assert_sound(intervals("n", values, kind=kind, bins=bins, merge=merge, counts=counts), values)


@settings(deadline=None)
@given(
    columns(
        st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.sampled_from(["0.1", "0.3", "0.7"])
    ),
    st.sampled_from(["natural", "width", "frequency"]),
    st.integers(2, 20),
)
def test_real_intervals_hold_their_values(values, kind, bins):
    hierarchy = intervals("x", values, kind=kind, bins=bins)
    for level in range(1, hierarchy.height):
        for value, label in hierarchy.level(level).items():
            low, high, end = re.fullmatch(r"\[(-?[0-9.]+), (-?[0-9.]+)([\[\]])", label).groups()
            assert Fraction(low) <= Fraction(value)
            assert Fraction(value) < Fraction(high) or (end == "]" and Fraction(value) == Fraction(high))


@settings(deadline=None)
@given(columns(integers), st.sampled_from(["natural", "width", "frequency"]), st.integers(2, 20))
def test_whole_intervals_hold_their_values_and_are_as_few_as_said(values, kind, bins):
    hierarchy = intervals("x", values, kind=kind, bins=bins)
    for level in range(1, hierarchy.height):
        assert len(hierarchy.labels[level]) <= bins + (kind == "natural")
        for value, label in hierarchy.level(level).items():
            ends = re.fullmatch(r"\[(-?[0-9]+)(?:-| - )(-?[0-9]+)\]", label)
            low, high = ends.groups() if ends else (label, label)
            assert int(low) <= int(value) <= int(high)


@settings(deadline=None)
@given(columns(days) | columns(moments) | columns(spanish) | columns(days | moments | spanish))
def test_periods_are_sound(values):
    assert_sound(dates("born", values), values)


@settings(deadline=None)
@given(columns(texts | st.text("ab*", max_size=5)), st.integers(1, 4))
def test_prefixes_are_sound(values, step):
    assert_sound(prefixes("code", values, step=step), values)


@settings(deadline=None)
@given(columns(st.text("ab", max_size=6)), st.sets(st.integers(1, 5)))
def test_prefixes_begin_their_values(values, lengths):
    hierarchy = prefixes("code", values, lengths=sorted(lengths, reverse=True))
    for level in range(1, hierarchy.height):
        for value, label in hierarchy.level(level).items():
            assert value == label or value.startswith(label.removesuffix("*"))


@settings(deadline=None)
@given(columns(texts | st.none()).filter(any))
def test_flat_is_sound(values):
    assert_sound(flat("c", values), values)


@settings(deadline=None)
@given(st.dictionaries(texts.filter(bool), st.lists(st.integers(), max_size=3), min_size=1, max_size=5))
def test_taxonomies_are_sound(groups):
    places = iter(range(1000))
    named = {name: [f"value {next(places)}" for _ in inner] for name, inner in groups.items()}
    values = [value for name, inner in named.items() for value in (inner or [name])]
    assert_sound(taxonomy("c", named), values)


@settings(deadline=None)
@given(
    columns(integers | st.none())
    | columns(reals | st.none())
    | columns(days | moments)
    | columns(codes)
    | columns(texts)
    | columns(st.from_regex(r"0[0-9]{4}", fullmatch=True)),
    st.sampled_from(["age", "zip", "código postal", "x"]),
    st.sampled_from(ColumnType),
    st.data(),
)
def test_proposals_are_sound_and_not_too_tall(values, column, kind, data):
    if all(value is None for value in values):
        return
    counts = data.draw(st.none() | st.lists(st.integers(1, 99), min_size=len(values), max_size=len(values)))
    proposal = propose(column, pl.Series(values, dtype=pl.String), type=kind, counts=counts)
    assert_sound(proposal.hierarchy, values)
    assert proposal.hierarchy.height <= 6
    assert proposal.reason


@settings(deadline=None)
@given(columns(integers))
def test_codes_parents_and_leaves_agree_with_the_rows(values):
    hierarchy = intervals("n", values)
    rows = hierarchy.rows()
    for level in range(hierarchy.height):
        assert np.array_equal(hierarchy.parents(level)[hierarchy.codes[level]], hierarchy.codes[level + 1])
    for level in range(hierarchy.height + 1):
        column = [path[level] for path in rows]
        assert hierarchy.leaves(level).tolist() == [column.count(label) for label in hierarchy.labels[level]]
        assert hierarchy.find(hierarchy.values).tolist() == list(range(len(rows)))
