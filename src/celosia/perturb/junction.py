"""Junction trees: sets of columns whose counts fit together, and the shares that they give each other.

A model of a table is a product of factors, each over a few columns. Its shares are worked out on a tree of cliques,
sets of columns that hold every factor, in which the cliques with a column in common are connected (Lauritzen and
Spiegelhalter, 1988). What the tree costs is the number of cells of its cliques, known before anything is computed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

__all__ = ["Columns", "JunctionTree", "Table", "sum_to", "tree_cells", "widen"]

Columns = tuple[int, ...]
"""Places of columns, ascending."""
Table = npt.NDArray[np.float64]
"""One axis for each of some columns, in their order."""


@dataclass(frozen=True)
class JunctionTree:
    """Cliques from the root on; ``parents[i]`` is the clique above the i-th, -1 for the root."""

    sizes: tuple[int, ...]
    cliques: tuple[Columns, ...]
    parents: tuple[int, ...]

    @classmethod
    def of(cls, sizes: Sequence[int], factors: Iterable[Columns]) -> "JunctionTree":
        """A tree whose cliques hold every factor, and every column.

        >>> tree = JunctionTree.of([2, 2, 2], [(0, 1), (1, 2)])
        >>> tree.cliques, tree.parents
        (((0, 1), (1, 2)), (-1, 0))
        """
        cliques = _cliques(sizes, factors)
        order, parents = _connect(cliques, sizes)
        return cls(tuple(sizes), tuple(cliques[clique] for clique in order), parents)

    def separator(self, clique: int) -> Columns:
        """The columns that a clique shares with the one above it."""
        parent = self.parents[clique]
        return () if parent < 0 else _common(self.cliques[clique], self.cliques[parent])

    def home(self, columns: Columns) -> int | None:
        """The smallest clique that has all of some columns."""
        homes = [place for place, clique in enumerate(self.cliques) if set(columns) <= set(clique)]
        return min(homes, key=lambda place: _cells(self.cliques[place], self.sizes), default=None)

    def shares(self, factors: Mapping[Columns, Table]) -> list[Table]:
        """For every clique its share of each cell, of the product of the exponentials of factors.

        >>> tree = JunctionTree.of([2, 2], [(0,), (1,)])
        >>> tree.shares({(0,): np.log([3.0, 1.0])})[tree.home((0,))].tolist()
        [0.75, 0.25]
        """
        logs = [np.zeros([self.sizes[column] for column in clique]) for clique in self.cliques]
        for columns, factor in factors.items():
            home = self.home(columns)
            assert home is not None, "a factor outside the tree"
            logs[home] += widen(factor, columns, self.cliques[home])
        beliefs = [np.exp(log - log.max()) for log in logs]
        messages: dict[int, Table] = {}
        for place in reversed(range(1, len(beliefs))):
            separator, parent = self.separator(place), self.parents[place]
            messages[place] = sum_to(beliefs[place], self.cliques[place], separator)
            messages[place] /= messages[place].max()
            beliefs[parent] *= widen(messages[place], separator, self.cliques[parent])
        beliefs[0] /= beliefs[0].sum()
        for place in range(1, len(beliefs)):
            separator, parent = self.separator(place), self.parents[place]
            above = sum_to(beliefs[parent], self.cliques[parent], separator)
            there = messages[place] > 0
            ratio = np.divide(above, messages[place], out=np.zeros_like(above), where=there)
            beliefs[place] *= widen(ratio, separator, self.cliques[place])
            beliefs[place] /= beliefs[place].sum()
        return beliefs


def tree_cells(sizes: Sequence[int], factors: Iterable[Columns]) -> int:
    """How many cells the cliques of a tree that holds some factors have in all.

    >>> tree_cells([2, 3, 4], [(0, 1), (1, 2)])
    18
    """
    return sum(_cells(clique, sizes) for clique in _cliques(sizes, factors))


def sum_to(table: Table, columns: Columns, kept: Columns) -> Table:
    """A table summed over the columns that are not kept."""
    return np.asarray(
        table.sum(axis=tuple(axis for axis, column in enumerate(columns) if column not in kept))
    )


def widen(table: Table, columns: Columns, wanted: Columns) -> Table:
    """A table with an axis of length 1 for every column that is wanted and that it has not."""
    lengths = dict(zip(columns, table.shape, strict=True))
    return table.reshape([lengths.get(column, 1) for column in wanted])


def _cells(columns: Columns, sizes: Sequence[int]) -> int:
    return prod(sizes[column] for column in columns)


def _common(first: Columns, second: Columns) -> Columns:
    return tuple(column for column in first if column in second)


def _cliques(sizes: Sequence[int], factors: Iterable[Columns]) -> list[Columns]:
    """The largest cliques that arise when columns are taken away one by one, the cheapest first."""
    near: dict[int, set[int]] = {column: set() for column in range(len(sizes))}
    for factor in factors:
        for column in factor:
            near[column] |= set(factor) - {column}
    cliques: list[Columns] = []
    while near:
        column = min(near, key=lambda c: (_cells((c, *near[c]), sizes), c))
        around = near.pop(column)
        for other in around:
            near[other] |= around - {other}
            near[other].discard(column)
        clique = {column, *around}
        if not any(clique <= set(larger) for larger in cliques):
            cliques.append(tuple(sorted(clique)))
    return cliques


def _connect(cliques: Sequence[Columns], sizes: Sequence[int]) -> tuple[list[int], tuple[int, ...]]:
    """An order of the cliques, and for each the place in it of the one above: those with most in common (Prim)."""
    first = max(range(len(cliques)), key=lambda clique: _cells(cliques[clique], sizes))
    order, parents = [first], [-1]
    left = [clique for clique in range(len(cliques)) if clique != first]
    while left:
        ways = [
            (len(_common(cliques[c], cliques[o])), -place, -c) for c in left for place, o in enumerate(order)
        ]
        _, place, clique = max(ways)
        order.append(-clique)
        parents.append(-place)
        left.remove(-clique)
    return order, tuple(parents)
