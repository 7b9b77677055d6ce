"""A hierarchy holds what every value becomes at each level, whatever form it came in."""

import numpy as np
import pytest

from celosia.errors import HierarchyError
from celosia.hierarchies import Hierarchy

STATUS = [("Single", "*"), ("Married", "Family", "*"), ("Widowed", "Was", "*"), ("Divorced", "Was", "*")]


@pytest.fixture
def status():
    return Hierarchy.from_rows("status", STATUS)


def test_levels_are_dictionary_encoded_in_order_of_appearance(status):
    assert status.labels == (
        ("Single", "Married", "Widowed", "Divorced"),
        ("Single", "Family", "Was"),
        ("*",),
    )
    assert [codes.tolist() for codes in status.codes] == [[0, 1, 2, 3], [0, 1, 2, 2], [0, 0, 0, 0]]
    assert all(codes.dtype == np.int32 for codes in status.codes)
    assert (status.height, status.values) == (2, status.labels[0])


def test_shorter_paths_repeat_the_value_below_so_that_roots_align(status):
    assert status.rows()[0] == ("Single", "Single", "*")
    assert status.level(1) == {"Single": "Single", "Married": "Family", "Widowed": "Was", "Divorced": "Was"}


def test_parents_and_leaves_follow_the_codes(status):
    assert status.parents(0).tolist() == [0, 1, 2, 2]
    assert status.parents(1).tolist() == [0, 0, 0]
    assert status.leaves(1).tolist() == [1, 1, 2]
    assert status.leaves(0).dtype == np.int64
    assert status.parents(1).dtype == np.int32


def test_unknown_and_missing_values_are_found_nowhere(status):
    assert status.find(["Widowed", None, "?", "Single"]).tolist() == [2, -1, -1, 0]


def test_rows_given_twice_count_once():
    assert Hierarchy.from_rows("sex", [("F", "*"), ("M", "*"), ("F", "*")]).values == ("F", "M")
    assert Hierarchy.from_levels("sex", [["F", "M", "F"], ["*", "*", "*"]]).rows() == [("F", "*"), ("M", "*")]


def test_the_same_label_may_stand_at_different_levels():
    hierarchy = Hierarchy.from_rows("place", [("Madrid", "Madrid", "*"), ("Getafe", "Madrid", "*")])
    assert hierarchy.labels == (("Madrid", "Getafe"), ("Madrid",), ("*",))


def test_a_value_may_look_like_the_root():
    assert Hierarchy.from_rows("code", [("*", "Hidden", "*"), ("A", "Known", "*")]).height == 2


def test_a_root_is_added_only_where_there_is_none(status):
    assert status.with_root() is status
    born = Hierarchy.from_rows("born", [("1986", "19**"), ("2001", "20**")])
    assert born.with_root("****").rows() == [("1986", "19**", "****"), ("2001", "20**", "****")]


def test_trees_nest_from_the_root_and_values_that_skip_levels_hang_higher(status):
    assert status.tree() == {
        "value": "*",
        "children": [
            {"value": "Single"},
            {"value": "Family", "children": [{"value": "Married"}]},
            {"value": "Was", "children": [{"value": "Widowed"}, {"value": "Divorced"}]},
        ],
    }
    assert Hierarchy.from_tree("status", status.tree()) == status


def test_a_level_that_only_repeats_survives_as_a_tree():
    hierarchy = Hierarchy.from_rows("sex", [("F", "F", "*"), ("M", "M", "*")])
    assert Hierarchy.from_tree("sex", hierarchy.tree()) == hierarchy


def test_a_tree_needs_one_root():
    with pytest.raises(
        HierarchyError, match=r"hierarchy of 'sex': the last level has 2 labels.*'F', 'M'; add"
    ):
        Hierarchy.from_rows("sex", [("F",), ("M",)]).tree()


def test_numbers_and_booleans_in_a_tree_become_their_text():
    tree = {"value": "*", "children": [{"value": 1}, {"value": 2.5}, {"value": True}]}
    assert Hierarchy.from_tree("n", tree).values == ("1", "2.5", "true")


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        ([], "a node at the root has no"),
        ({"value": None}, "a node at the root has no"),
        ({"value": "*", "children": [{"label": "x"}]}, r"a node under '\*' has no"),
        ({"value": "*", "children": ["x"]}, r"a node under '\*' has no"),
        ({"value": "*", "children": "xyz"}, r"the children of '\*' are no list"),
        ({"value": "*", "children": [{"value": "a"}, {"value": "g", "children": [{"value": "a"}]}]}, "'a'"),
    ],
)
def test_a_malformed_tree_is_named(tree, message):
    with pytest.raises(HierarchyError, match=message):
        Hierarchy.from_tree("c", tree)


def test_a_tree_that_contains_itself_is_refused():
    tree = {"value": "a", "children": []}
    tree["children"].append({"value": "b", "children": [tree]})
    with pytest.raises(HierarchyError, match="does a label stand below itself"):
        Hierarchy.from_tree("c", tree)


def test_a_level_that_does_not_exist_is_refused(status):
    with pytest.raises(HierarchyError, match=r"level 3 does not exist; levels go from 0 to 2"):
        status.level(3)
    with pytest.raises(HierarchyError, match=r"level 2 does not exist; levels go from 0 to 1"):
        status.parents(2)


def test_hierarchies_are_equal_by_content_and_cannot_be_changed(status):
    same = Hierarchy.from_rows("status", STATUS)
    assert same == status
    assert hash(same) == hash(status)
    assert status != Hierarchy.from_rows("status", STATUS[:3])
    assert status != Hierarchy.from_rows("marital", STATUS)
    assert status != "status"
    with pytest.raises(ValueError, match="read-only"):
        status.codes[1][0] = 2


def test_a_hierarchy_says_how_it_narrows(status):
    assert repr(status) == "Hierarchy('status', 4 -> 3 -> 1 labels)"
