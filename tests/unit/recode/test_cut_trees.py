"""The tree of cuts: stretches of points, classes at its ends, cuts that are taken back."""

import numpy as np

from celosia.recode.tree import BANNED, CHILD, COLUMN, END, ROWS, START, Tree

# Five points. The root is cut in column 0, its left side in column 1, and that one's right side in column 0 again.
NODES = np.array(
    [
        [0, 5, 9, 1, 0, 0],
        [0, 4, 7, 3, 1, 0],
        [4, 5, 2, -1, -1, 0],
        [0, 1, 2, -1, -1, 0],
        [1, 4, 5, 5, 0, 0],
        [1, 2, 2, -1, -1, 0],
        [2, 4, 3, -1, -1, 0],
    ]
)
TREE = Tree(NODES, np.array([4, 2, 0, 1, 3]))


def good(*bad):
    return ~np.isin(np.arange(len(NODES)), bad)


def test_leaves_come_in_the_order_of_their_points():
    assert TREE.leaves.tolist() == [3, 5, 6, 2]


def test_every_point_has_the_class_of_its_leaf():
    assert TREE.classes().tolist() == [2, 2, 1, 3, 0]


def test_a_tree_that_was_never_cut_is_one_class():
    assert Tree(np.array([[0, 3, 3, -1, -1, 0]]), np.array([2, 0, 1])).classes().tolist() == [0, 0, 0]


def test_good_cuts_all_stay():
    assert np.array_equal(TREE.keep_cuts(good()).nodes, NODES)


def test_a_cut_with_a_bad_side_is_taken_back_and_its_column_remembered():
    kept = TREE.keep_cuts(good(6))
    assert kept.leaves.tolist() == [3, 4, 2]
    assert kept.nodes[4, [START, END, ROWS, CHILD, COLUMN, BANNED]].tolist() == [1, 4, 5, -1, -1, 0b1]
    assert kept.nodes[[0, 1, 2, 3], BANNED].tolist() == [0, 0, 0, 0]
    assert kept.classes().tolist() == [1, 1, 1, 2, 0]


def test_what_hangs_below_a_cut_taken_back_is_gone_however_good():
    kept = TREE.keep_cuts(good(3))
    assert len(kept.nodes) == 3
    assert kept.nodes[1, [CHILD, COLUMN, BANNED]].tolist() == [-1, -1, 0b10]
    assert kept.classes().tolist() == [0, 0, 0, 1, 0]


def test_a_bad_first_cut_leaves_the_whole():
    kept = TREE.keep_cuts(good(2, 5))
    assert kept.nodes.tolist() == [[0, 5, 9, -1, -1, 0b1]]


def test_bans_add_up_and_nodes_are_numbered_anew():
    nodes = NODES.copy()
    nodes[1, BANNED] = 0b100
    kept = Tree(nodes, TREE.order).keep_cuts(good(4))
    assert kept.nodes[1, BANNED] == 0b110
    wider = np.concatenate([NODES, [[0, 1, 1, -1, -1, 0], [0, 0, 1, -1, -1, 0]]])
    wider[3, [CHILD, COLUMN]] = 7, 2
    is_good = np.ones(9, bool)
    is_good[6] = False  # takes 5 and 6 out: 7 and 8 move up
    kept = Tree(wider, TREE.order).keep_cuts(is_good)
    assert kept.nodes[3, CHILD] == 5
    assert len(kept.nodes) == 7


def test_the_tree_it_is_taken_from_is_not_changed():
    before = NODES.copy()
    TREE.keep_cuts(good(2, 3, 6))
    assert np.array_equal(TREE.nodes, before)


def test_the_last_column_that_fits_can_be_banned():
    nodes = np.array([[0, 2, 2, 1, 61, 0], [0, 1, 1, -1, -1, 0], [1, 2, 1, -1, -1, 0]])
    kept = Tree(nodes, np.array([0, 1])).keep_cuts(np.array([True, False, True]))
    assert kept.nodes[0, BANNED] == 1 << 61
