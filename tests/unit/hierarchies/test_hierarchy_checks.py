"""Each problem of a hierarchy is found, names the offending values and says what to do."""

import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy, check, ensure

GOOD = [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*")]


def kinds(rows, values=None):
    return [problem.kind for problem in check(rows, values)]


def spelled(rows, values=None):
    return [f"{problem.what}; {problem.remedy}" for problem in check(rows, values)]


def test_a_sound_hierarchy_has_no_problem():
    assert check(GOOD, ["a", "b", "c", None, "a"]) == []


def test_values_beyond_those_of_the_column_are_welcome():
    assert check(GOOD, ["a"]) == []


def test_missing_values_are_named_up_to_five_and_counted():
    assert spelled(GOOD, ["a", *"pqrstuv"]) == [
        "7 values of the column are not in it: 'p', 'q', 'r', 's', 't' and 2 more; add a row for each"
    ]


def test_a_value_with_two_parents_is_named():
    assert spelled([*GOOD, ("a", "y", "*")]) == [
        "1 value with more than one label at level 1: 'a'; keep one row per value ('a' has 'x', 'y')"
    ]


def test_values_that_part_again_are_named():
    rows = [("a", "x", "1", "*"), ("b", "x", "2", "*")]
    assert spelled(rows) == [
        "values together at level 1 are apart again at level 2, under 1 label: 'x'; "
        "give all values under 'x' the same label at level 2, not '1', '2'"
    ]


def test_several_roots_are_named_with_the_way_out():
    assert spelled([("a", "x"), ("b", "y")]) == [
        "the last level has 2 labels: 'x', 'y'; add a last level '*'"
    ]


def test_an_empty_label_is_named():
    assert spelled([("a", "", "*"), ("b", "x", "*")]) == [
        "the label at level 1 is empty for 1 value: 'a'; "
        "fill it in, or leave the whole level out for a value that skips it"
    ]


def test_the_empty_text_may_be_a_value():
    assert check([("", "none", "*"), ("a", "some", "*")], [""]) == []
    assert check([("", "*"), ("a", "some", "*")], [""]) == []


def test_a_label_above_itself_is_a_cycle():
    rows = [("a", "x", "y", "x", "*")]
    assert spelled(rows) == [
        "a label stands above itself, with another in between: 'x'; rename one of the two"
    ]
    assert kinds([("a", "x", "x", "y", "*")]) == []
    assert kinds([("*", "*", "x", "*"), ("a", "y", "x", "*")]) == []


def test_nothing_at_all_is_a_problem():
    assert kinds([]) == ["empty"]
    assert kinds([(), ()], ["a"]) == ["empty"]


def test_all_problems_are_listed():
    rows = [("a", "x", "1"), ("b", "x", "2"), ("c", "", "1"), ("c", "y", "1")]
    assert kinds(rows, ["z"]) == ["label", "parent", "finer", "root", "missing"]


def test_long_labels_are_cut_in_messages():
    assert len(spelled(GOOD, ["v" * 10_000])[0]) < 200


def test_ensure_raises_the_first_problem_and_counts_the_others():
    with pytest.raises(HierarchyError) as caught:
        ensure([("a", "x"), ("b", "y")], ["c"], where="h.csv")
    expected = "h.csv: the last level has 2 labels: 'x', 'y' (and 1 more problem); add a last level '*'"
    assert str(caught.value) == expected
    ensure(GOOD, ["a"])


def test_a_hierarchy_cannot_be_made_of_unsound_rows_but_may_lack_a_root():
    with pytest.raises(HierarchyError, match=r"hierarchy of 'c': 1 value with more than one label"):
        Hierarchy.from_rows("c", [("a", "x"), ("a", "y")])
    with pytest.raises(HierarchyError, match="it has no values; write one row per value"):
        Hierarchy.from_rows("c", [])
    assert Hierarchy.from_rows("c", [("a", "x"), ("b", "y")]).height == 1


def test_absurdly_long_paths_are_refused_before_they_cost_memory():
    with pytest.raises(HierarchyError, match="is the separator right"):
        Hierarchy.from_rows("c", [("a", *"x" * 100_000), *((str(n), "*") for n in range(1000))])
