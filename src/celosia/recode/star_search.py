"""The search for the node of a star that costs least: nodes are ruled out by what was seen at more general ones.

Whoever is left out at a node is left out at every less general one, where her cells would have cost less still. So what
leaving people out adds to the cost of a node is added at least to that of every node below it, and below a node that
leaves out too many all do. Nodes are taken by what their cells cost; from each a path leads up, and halving it finds
where it becomes valid.
"""

import time
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from celosia.errors import ProjectError
from celosia.say import say
from celosia.tables.table import Progress, no_progress

if TYPE_CHECKING:
    from celosia.recode.star import Star, StarNode

__all__ = ["StarSearch"]

Node = tuple[int, ...]
Floats = npt.NDArray[np.float64]
MOST_NODES = 20_000_000
CLOSE = 1e-12
"""Costs that differ by less are the same: they are rounded sums."""


class StarSearch:
    """One search; ``is_proven`` tells in the end whether every cheaper node was ruled out."""

    def __init__(
        self, star: "Star", *, seconds: float | None = None, progress: Progress = no_progress
    ) -> None:
        self._star, self._progress = star, progress
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._heights = star.heights
        size = float(np.prod([height + 1.0 for height in self._heights]))
        if size > MOST_NODES:
            raise ProjectError(
                say(
                    "the lattice has {size:,.0f} nodes, too many to search with several rows per person",
                    size=size,
                ),
                where="quasi-identifiers",
                remedy=say("take fewer of them, give hierarchies with fewer levels, or pick a node"),
            )
        self._steps = star.steps()
        self._bases = _sums(self._steps)
        self._floors = np.zeros(self._bases.shape)
        self.best: StarNode | None = None
        self.is_proven = False

    def run(self) -> "StarNode | None":
        """The best node; None if there is no valid one."""
        top = self._look(self._heights)
        if not self._star.is_valid(top) and self._star.is_monotone:
            return None
        if self._star.is_monotone:
            for attribute in range(len(self._heights)):
                self._halve(
                    [_with(self._heights, attribute, level) for level in range(self._heights[attribute])]
                )
        self.is_proven = self._exhaust()
        return self.best

    def _exhaust(self) -> bool:
        """Take nodes by what their cells cost until none can be better than the best; False if time is up."""
        flat, floors = self._bases.ravel(), self._floors.ravel()
        levels = sum(
            np.ogrid[tuple(slice(0, size) for size in self._bases.shape)], start=np.zeros(1, np.int64)
        )
        # Of nodes that cost the same the one that generalizes less comes first.
        order = np.lexsort((np.broadcast_to(levels, self._bases.shape).ravel(), flat))
        for count, place in enumerate(order):
            if self.best is not None and flat[place] >= self.best.cost - CLOSE:
                return True
            if not self._is_open(flat[place] + floors[place]):
                continue
            if self._ends is not None and time.monotonic() > self._ends and self.best is not None:
                return False
            node = tuple(int(level) for level in np.unravel_index(place, self._bases.shape))
            self._halve(self._path(node) if self._star.is_monotone else [node])
            self._progress(say("searching"), count / len(order))
        return True

    def _is_open(self, least: float) -> bool:
        return bool(least < np.inf) and (self.best is None or least < self.best.cost - CLOSE)

    def _halve(self, path: list[Node]) -> None:
        """Look at nodes of a path that leads up until it is known where it becomes valid."""
        low, high = 0, len(path) - 1
        while low <= high:
            middle = (low + high) // 2
            if self._star.is_valid(self._look(path[middle])):
                high = middle - 1
            else:
                low = middle + 1

    def _path(self, node: Node) -> list[Node]:
        """From a node up, by the cheapest step at a time, as long as nodes may be better than the best."""
        path = [node]
        while True:
            steps = [
                (self._steps[i][level + 1] - self._steps[i][level], i)
                for i, level in enumerate(path[-1])
                if level < self._heights[i]
            ]
            if not steps:
                return path
            attribute = min(steps)[1]
            above = _with(path[-1], attribute, path[-1][attribute] + 1)
            if not self._is_open(self._bases[above]):
                return path
            path.append(above)

    def _look(self, node: Node) -> "StarNode":
        found = self._star.look(node)
        is_valid = self._star.is_valid(found)
        if is_valid and (self.best is None or found.cost < self.best.cost - CLOSE):
            self.best = found
        if self._star.is_monotone:
            below = tuple(slice(0, level + 1) for level in node)
            added = found.cost - self._bases[node] if is_valid else np.inf
            np.maximum(self._floors[below], added, out=self._floors[below])
        self._floors[node] = np.inf  # it was looked at
        return found


def _sums(steps: list[Floats]) -> Floats:
    """For every node, what its attributes cost together."""
    total = np.zeros(tuple(len(costs) for costs in steps))
    for axis, costs in enumerate(steps):
        shape = [1] * len(steps)
        shape[axis] = -1
        total = total + costs.reshape(shape)
    return total


def _with(node: Node, attribute: int, level: int) -> Node:
    return (*node[:attribute], level, *node[attribute + 1 :])
