"""The lattice of nodes: one level per quasi-identifier, ordered column by column."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Lattice", "Node"]

Node = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """All nodes from ``(0, ..., 0)``, nothing generalized, to ``heights``, everything.

    >>> lattice = Lattice((1, 2))
    >>> lattice.size, lattice.top, list(lattice.below((1, 1)))
    (6, (1, 2), [(0, 1), (1, 0)])
    """

    heights: Node

    @property
    def shape(self) -> Node:
        """Levels per column: the shape of an array with one cell per node."""
        return tuple(height + 1 for height in self.heights)

    @property
    def size(self) -> int:
        """How many nodes there are."""
        return math.prod(self.shape)

    @property
    def bottom(self) -> Node:
        """The node that generalizes nothing."""
        return (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """The node that generalizes everything."""
        return self.heights

    def below(self, node: Node) -> Iterator[Node]:
        """Nodes one level less general in one column."""
        for column, level in enumerate(node):
            if level > 0:
                yield (*node[:column], level - 1, *node[column + 1 :])

    def above(self, node: Node) -> Iterator[Node]:
        """Nodes one level more general in one column."""
        for column, level in enumerate(node):
            if level < self.heights[column]:
                yield (*node[:column], level + 1, *node[column + 1 :])

    def down_set(self, node: Node) -> tuple[slice, ...]:
        """The part of a lattice-shaped array that holds ``node`` and everything less general."""
        return tuple(slice(0, level + 1) for level in node)

    def up_set(self, node: Node) -> tuple[slice, ...]:
        """The part of a lattice-shaped array that holds ``node`` and everything more general."""
        return tuple(slice(level, None) for level in node)
