"""Every builder, on whatever values: a sound hierarchy of all of them, whose labels are true."""

import datetime
import re
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.hierarchies import check, dates, digits, flat, intervals, prefixes, propose, taxonomy
from celosia.hierarchies.cuts import cut_between
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


finite = (
    columns(integers)
    | columns(st.integers(0, 120).map(str))
    | columns(
        st.floats(allow_nan=False, allow_infinity=False).map(repr)
        | st.sampled_from(["0.1", "0.3", "0.7", "1.0", "1.0000000000000002"])
    )
)


def ends_of(label):
    """Where the numbers of a label begin, and where they end, without the end."""
    if label.endswith("["):
        low, high = label[1:-1].split(", ")
        return Fraction(low), Fraction(high)
    ends = re.fullmatch(r"\[(-?[0-9]+)(?:-| - )(-?[0-9]+)\]", label)
    low, high = ends.groups() if ends else (label, label)
    return Fraction(low), Fraction(high) + 1


def round_step(least):
    """The smallest of 1 and 5 times a power of ten that is not less, by trying all of them."""
    return next(
        step
        for exponent in range(-345, 345)
        for step in (Fraction(10) ** exponent, 5 * Fraction(10) ** exponent)
        if step >= least
    )


def digits_of(number):
    """Significant digits; 0 has none."""
    number = abs(number)
    while number.denominator > 1:
        number *= 10
    return len(str(int(number)).rstrip("0"))


@settings(deadline=None)
@given(finite, st.sampled_from(["natural", "width", "frequency"]), st.integers(2, 20), st.integers(2, 4))
def test_intervals_hold_their_values_and_are_as_few_as_said(values, kind, bins, merge):
    hierarchy = intervals("x", values, kind=kind, bins=bins, merge=merge)
    for level in range(1, hierarchy.height):
        assert len(hierarchy.labels[level]) <= bins + (kind == "natural")
        for value, label in hierarchy.level(level).items():
            low, high = ends_of(label)
            assert low <= Fraction(value) < high


@settings(deadline=None)
@given(finite, st.sampled_from(["natural", "width"]), st.integers(2, 20), st.integers(2, 4))
def test_bounds_of_equally_wide_intervals_are_multiples_of_their_width(values, kind, bins, merge):
    hierarchy = intervals("x", values, kind=kind, bins=bins, merge=merge)
    for labels in hierarchy.labels[1:-1]:
        bounds = [ends_of(label) for label in labels]
        (width,) = {high - low for low, high in bounds}
        assert all(low % width == 0 for low, _ in bounds)


@settings(deadline=None)
@given(finite, st.integers(2, 20), st.integers(2, 4))
def test_outer_bounds_of_equally_frequent_intervals_are_beyond_the_data_and_round(values, bins, merge):
    hierarchy = intervals("x", values, kind="frequency", bins=bins, merge=merge)
    numbers = [Fraction(value) for value in values]
    least, most = min(numbers), max(numbers)
    whole = not any(set(value) & set(".e") for value in values)
    for labels in hierarchy.labels[1:-1]:
        step = max(round_step((most - least) / len(labels)), 5 if whole else 0)
        low, high = ends_of(labels[0])[0], ends_of(labels[-1])[1]
        assert low % step == high % step == 0
        assert least - step < low <= least
        assert most < high <= most + step


@settings(deadline=None)
@given(finite, st.integers(2, 20))
def test_inner_bounds_of_equally_frequent_intervals_are_the_roundest_there_are(values, bins):
    hierarchy = intervals("x", values, kind="frequency", bins=bins)
    for level in range(1, hierarchy.height):
        held = {}
        for value, label in hierarchy.level(level).items():
            held.setdefault(label, []).append(Fraction(value))
        for lower, upper in pairwise(hierarchy.labels[level]):
            below, cut, above = max(held[lower]), ends_of(upper)[0], min(held[upper])
            assert ends_of(lower)[1] == cut
            assert below < cut <= above
            assert digits_of(cut) <= digits_of(above)


@settings(deadline=None)
@given(st.integers(-2000, 2000), st.integers(1, 1500), st.sampled_from([0, -2]))
def test_the_roundest_number_between_two_is_that_of_brute_force(below, gap, exponent):
    unit = Fraction(10) ** exponent
    between = [number * unit for number in range(below + 1, below + gap + 1)]
    middle = (below + Fraction(gap, 2)) * unit
    fewest = min(map(digits_of, between))
    closest = min(abs(number - middle) for number in between if digits_of(number) == fewest)
    ends = [Decimal(number).scaleb(exponent) for number in (below, below + gap)]
    cut = Fraction(cut_between(*ends, whole=exponent == 0))
    if digits_of(cut) == fewest and cut in between:
        assert abs(cut - middle) == closest
    else:  # reals may be parted by a number with more places than both
        assert exponent < 0
        assert ends[0] < cut <= ends[1]
        assert digits_of(cut) <= fewest


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
    counts = data.draw(st.none() | st.lists(st.integers(1, 99), min_size=len(values), max_size=len(values)))
    proposal = propose(column, pl.Series(values, dtype=pl.String), type=kind, counts=counts)
    if any(value is not None for value in values):
        assert_sound(proposal.hierarchy, values)
    else:
        assert proposal.hierarchy.rows() == [("*",)]
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
