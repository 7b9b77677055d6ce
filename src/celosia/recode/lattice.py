"""The lattice of nodes: one level per quasi-identifier, ordered column by column."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["Lattice", "Node", "require_small"]

Node = tuple[int, ...]

LARGEST = 2_000_000  # nodes that a search which cannot skip most of them takes on


@dataclass(frozen=True)
class Lattice:
    """All nodes from ``(0, ..., 0)``, nothing generalized, to ``heights``, everything.

    ``floors`` are the lowest levels that may be released, where they are not 0: nodes below them are not looked at.

    >>> lattice = Lattice((1, 2))
    >>> lattice.size, lattice.top, list(lattice.below((1, 1)))
    (6, (1, 2), [(0, 1), (1, 0)])
    """

    heights: Node
    floors: Node = ()

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
        """The node that generalizes nothing, or as little as may be released."""
        return self.floors or (0,) * len(self.heights)

    @property
    def top(self) -> Node:
        """The node that generalizes everything."""
        return self.heights

    def below(self, node: Node) -> Iterator[Node]:
        """Nodes one level less general in one column."""
        for column, (level, floor) in enumerate(zip(node, self.bottom, strict=True)):
            if level > floor:
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


def require_small(lattice: Lattice, search: str) -> None:
    """Raise if a lattice is too large for a search that has to look at much of it.

    >>> require_small(Lattice((9,) * 20), "incognito")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: search: the lattice has 1e+20 nodes, too many for incognito; use fewer
    quasi-identifiers or lower hierarchies, or --search optimal, which keeps improving for as long as you let it
    """
    if lattice.size > LARGEST:
        raise ProjectError(
            say("the lattice has {size:.3g} nodes, too many for {search}", size=lattice.size, search=search),
            where="search",
            remedy=say(
                "use fewer quasi-identifiers or lower hierarchies, or --search optimal, which keeps "
                "improving for as long as you let it"
            ),
        )
