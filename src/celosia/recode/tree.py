"""The tree of cuts that multidimensional recoding leaves behind: which parts there are, and which are classes."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["BANNED", "CHILD", "COLUMN", "END", "ROWS", "START", "Tree"]

START, END, ROWS, CHILD, COLUMN, BANNED = range(6)
"""What stands where in a node; see :func:`celosia.kernels.mondrian.grow`."""

MEDIANS = 62
"""The bit of a node, among those of its columns, that says that it is to be cut at medians."""

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Tree:
    """Nodes, parents before children, and the points in their order: every node is one stretch of them.

    >>> Tree(np.array([[0, 2, 7, 1, 0, 0], [0, 1, 3, -1, -1, 0], [1, 2, 4, -1, -1, 0]]), np.array([1, 0])).classes()
    array([1, 0])
    """

    nodes: Integers
    order: Integers

    @property
    def leaves(self) -> Integers:
        """Numbers of the nodes that are not cut, in the order of their points."""
        found = np.flatnonzero(self.nodes[:, CHILD] < 0)
        return found[np.argsort(self.nodes[found, START])]

    def classes(self) -> Integers:
        """``classes[point]``: the number of its leaf."""
        leaves = self.nodes[self.leaves]
        found = np.empty(len(self.order), np.int64)
        found[self.order] = np.repeat(np.arange(len(leaves)), leaves[:, END] - leaves[:, START])
        return found

    def keep_cuts(self, is_good: npt.NDArray[np.bool_], *, tries_medians: bool = False) -> "Tree":
        """Without the cuts of which a side is not good, and those below; such a column may not be cut there again.

        A node that loses its cut is a leaf once more and remembers, as bits, the columns that were of no use. If
        ``tries_medians``, the first time it only remembers to be cut at medians from now on.
        """
        nodes = self.nodes.copy()
        cut = np.flatnonzero(nodes[:, CHILD] >= 0)
        child = nodes[cut, CHILD]
        bad = cut[~(is_good[child] & is_good[child + 1])]
        by_median = np.int64(1) << MEDIANS
        was_median = (nodes[bad, BANNED] & by_median > 0) | (not tries_medians)
        nodes[bad, BANNED] |= np.where(was_median, np.int64(1) << nodes[bad, COLUMN], by_median)
        nodes[bad, CHILD], nodes[bad, COLUMN] = -1, -1
        return Tree(_reachable(nodes), self.order)

    def keep_large(self, least: int) -> "Tree":
        """Without the cuts of which a side has fewer rows than ``least``, and those below; every column may be cut on.

        The points of a leaf are put back into ascending order: so they are in a tree that was never cut further.

        >>> nodes = np.array([[0, 2, 7, 1, 0, 0], [0, 1, 3, -1, -1, 0], [1, 2, 4, -1, -1, 0]])
        >>> tree = Tree(nodes, np.array([1, 0]))
        >>> len(tree.keep_large(3).nodes), tree.keep_large(4).nodes.tolist(), tree.keep_large(4).order.tolist()
        (3, [[0, 2, 7, -1, -1, 0]], [0, 1])
        """
        nodes = self.nodes.copy()
        cut = np.flatnonzero(nodes[:, CHILD] >= 0)
        child = nodes[cut, CHILD]
        bad = cut[np.minimum(nodes[child, ROWS], nodes[child + 1, ROWS]) < least]
        nodes[bad, CHILD], nodes[bad, COLUMN] = -1, -1
        kept = Tree(_reachable(nodes), self.order)
        leaves, size = kept.nodes[kept.leaves], len(self.order)
        owner = np.repeat(np.arange(len(leaves)), leaves[:, END] - leaves[:, START])
        return Tree(kept.nodes, np.sort(owner * size + self.order) % max(1, size))


def _reachable(nodes: Integers) -> Integers:
    """Nodes that hang together with the root, numbered anew in the same order."""
    stays = np.zeros(len(nodes), bool)
    level = np.zeros(1, np.int64)
    while len(level):
        stays[level] = True
        child = nodes[level, CHILD]
        child = child[child >= 0]
        level = np.concatenate([child, child + 1])
    number = np.cumsum(stays) - 1
    kept = nodes[stays]
    has_children = kept[:, CHILD] >= 0
    kept[has_children, CHILD] = number[kept[has_children, CHILD]]
    return kept
