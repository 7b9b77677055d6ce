"""Intervals of numbers by information gain: where they are cut, how they are spelled, and what always holds."""

import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import HierarchyError
from celosia.hierarchies import check, gain_intervals


def intervals_of(numbers, targets, **asked):
    """One row per number; targets are told apart, whatever they are."""
    codes = [sorted(set(targets)).index(target) for target in targets]
    return gain_intervals("n", [str(number) for number in numbers], codes, [1] * len(codes), **asked)


def groups(hierarchy, level):
    """The numbers under every label of a level, in order."""
    found = {}
    for value, label in hierarchy.level(level).items():
        found.setdefault(label, []).append(float(value))
    return sorted(sorted(numbers) for numbers in found.values())


def entropy_of(targets):
    return -sum(n / len(targets) * math.log2(n / len(targets)) for n in Counter(targets).values())


def gain_of(cut, rows):
    below = [target for number, target in rows if number < cut]
    above = [target for number, target in rows if number >= cut]
    after = (len(below) * entropy_of(below) + len(above) * entropy_of(above)) / len(rows)
    return entropy_of([target for _, target in rows]) - after


def plain_cut(rows):
    """Every cut tried: the highest gain, then the most even, then the lowest; both sides have two numbers."""
    numbers = sorted({number for number, _ in rows})
    tried = []
    for cut in numbers[2:-1]:
        below = sum(number < cut for number, _ in rows)
        tried.append((-round(gain_of(cut, rows), 9), abs(len(rows) - 2 * below), cut))
    return min(tried)[-1] if tried else None


def plain_levels(rows, levels):
    """The numbers of every interval, level by level, the coarsest first."""
    parts, found = [rows], []
    for _ in range(levels):
        cut_parts = []
        for part in parts:
            cut = plain_cut(part)
            cut_parts += (
                [part]
                if cut is None
                else [[row for row in part if row[0] < cut], [row for row in part if row[0] >= cut]]
            )
        if len(cut_parts) == len(parts):
            break
        parts = cut_parts
        found.append([sorted({number for number, _ in part}) for part in parts])
    return found


def test_numbers_are_cut_where_it_tells_most():
    ages = [20, 24, 31, 38, 52, 60]
    assert groups(intervals_of(ages, "aaabbb", levels=1), 1) == [[20, 24, 31], [38, 52, 60]]
    assert groups(intervals_of(ages, "aabbbb", levels=1), 1) == [[20, 24], [31, 38, 52, 60]]


def test_where_nothing_is_told_the_rows_are_parted_evenly():
    assert groups(intervals_of(range(8), [0] * 8), 1) == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_three_levels_of_intervals_make_a_hierarchy_of_height_four():
    hierarchy = intervals_of(range(100), [number // 13 for number in range(100)])
    assert hierarchy.height == 4
    assert [len(labels) for labels in hierarchy.labels] == [100, 8, 4, 2, 1]


def test_few_numbers_make_fewer_levels():
    assert intervals_of([1, 2, 3], "abc").height == 1
    assert intervals_of([1, 2, 3, 4], "abcd").height == 2
    assert intervals_of([7], "a").rows() == [("7", "*")]


def test_reals_are_cut_between_neighbours_and_labels_say_where():
    weights = [50.5, 61.25, 71.25, 80.0]
    assert intervals_of(weights, "aabb", levels=1).level(1) == {
        "50.5": "[50.0, 70.0[",
        "61.25": "[50.0, 70.0[",
        "71.25": "[70.0, 100.0[",
        "80.0": "[70.0, 100.0[",
    }


def test_no_label_gives_away_the_smallest_or_largest_income():
    incomes = [11_347, 18_211, 23_019, 35_277, 61_930, 98_751_233]
    shown = " ".join(label for level in intervals_of(incomes, "ababab").labels[1:] for label in level)
    assert not any(str(income) in shown for income in (incomes[0], incomes[-1]))


def test_two_spellings_of_a_number_stay_together_and_what_is_not_finite_stays_apart():
    values = ["1.0", "1.00", "2.5", "7.5", "9.0", "nan"]
    level = gain_intervals("n", values, [0, 1, 0, 1, 1, 0], [1] * 6).level(1)
    assert level["1.0"] == level["1.00"] == level["2.5"] != level["7.5"] == level["9.0"]
    assert level["nan"] == "nan"


def test_missing_values_belong_to_no_interval():
    hierarchy = gain_intervals("n", ["1", None, "2", "3", "4"], [0, 1, 0, 1, 1], [1, 5, 1, 1, 1])
    assert hierarchy.values == ("1", "2", "3", "4")


def test_rows_count_not_entries():
    values, targets = ["1", "2", "3", "4", "5"], [0, 0, 1, 0, 1]
    alike = gain_intervals("n", values, targets, [1] * 5, levels=1)
    assert groups(alike, 1) == [[1, 2], [3, 4, 5]]
    heavy = gain_intervals("n", values, targets, [1, 1, 1, 99, 1], levels=1)
    assert groups(heavy, 1) == [[1, 2, 3], [4, 5]]


def test_texts_and_senseless_levels_are_refused():
    with pytest.raises(HierarchyError, match="no number: 'tall'"):
        intervals_of([1.5, "tall"], "ab")
    with pytest.raises(HierarchyError, match="levels=0"):
        intervals_of([1, 2], "ab", levels=0)
    with pytest.raises(HierarchyError, match="2 values, 1 targets and 2 rows"):
        gain_intervals("n", ["1", "2"], [0], [1, 1])


NUMBERS = st.one_of(
    st.lists(st.integers(-30, 60), min_size=1, max_size=40),
    st.lists(st.sampled_from([number / 8 for number in range(-40, 80)]), min_size=1, max_size=40),
)


@given(numbers=NUMBERS, salt=st.randoms(use_true_random=False), levels=st.integers(1, 4))
@settings(max_examples=150, deadline=None)
def test_every_level_is_the_one_that_trying_all_cuts_gives(numbers, salt, levels):
    rows = [(number, salt.choice([0, 0, 1, 2])) for number in numbers]
    hierarchy = intervals_of([number for number, _ in rows], [target for _, target in rows], levels=levels)
    expected = plain_levels(rows, levels)
    assert hierarchy.height == len(expected) + 1
    for level, parts in enumerate(reversed(expected), start=1):
        assert groups(hierarchy, level) == parts


@given(numbers=NUMBERS, salt=st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_the_tree_is_balanced_sound_and_made_of_intervals(numbers, salt):
    targets = [salt.choice("ab") for _ in numbers]
    hierarchy = intervals_of(numbers, targets)
    assert check(hierarchy.rows(), [str(number) for number in numbers]) == []
    assert {float(value) for value in hierarchy.values} == set(map(float, numbers))
    for level in range(1, hierarchy.height):
        parts = groups(hierarchy, level)
        # In a row, they are all numbers in order: no interval reaches into another.
        assert [number for part in parts for number in part] == sorted(map(float, hierarchy.values))
        assert all(len(part) >= 2 for part in parts)
        if level > 1:
            parents = hierarchy.parents(level - 1)
            assert max(Counter(parents.tolist()).values()) <= 2
