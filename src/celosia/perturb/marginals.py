"""Counts of one and two columns, and rows drawn from them along a tree."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.perturb.values import draw_by, numbers_of, put_numbers
from celosia.say import say
from celosia.values.text import text_of

__all__ = ["MarginalCells", "Pair", "Tables", "draw_tree", "measure", "span_tree"]

Cells = npt.NDArray[np.int64]
Pair = tuple[int, ...]
Tables = Mapping[Pair, Cells]


@dataclass(frozen=True)
class MarginalCells:
    """The cells of a column: labels, or bins between ascending edges; one more is for what is missing or outside.

    >>> ages = MarginalCells("age", edges=(0.0, 50.0, 100.0))
    >>> ages.cells_of(pl.Series("age", [10, 50, 130, None])).tolist(), ages.size
    ([0, 1, 1, 2], 3)
    """

    name: str
    labels: tuple[str, ...] = ()
    edges: tuple[float, ...] = ()

    @property
    def size(self) -> int:
        """How many cells there are, the last for what is missing."""
        return len(self.labels) + 1 if self.labels else max(1, len(self.edges))

    def check(self, dtype: pl.DataType, *, where: str) -> None:
        """Refuse labels that a column of a type cannot hold."""
        texts = pl.Series(self.labels, dtype=pl.String)
        is_held = texts.is_in(["true", "false"]) if dtype == pl.Boolean else _held(texts, dtype)
        if not is_held.all():
            raise ProjectError(
                say("the domain of column {name!r} has values that it cannot hold", name=self.name),
                where=where,
                remedy=say("write numbers for a column of numbers, true and false for one of truths"),
            )

    def cells_of(self, values: pl.Series) -> Cells:
        """``cells[row]``; numbers beyond the bounds are in the bins at the ends."""
        if self.labels:
            texts = values.to_frame("v").select(text_of(pl.col("v"), values.dtype))["v"]
            cells = texts.replace_strict(
                list(self.labels), list(range(len(self.labels))), default=self.size - 1
            )
            return cells.cast(pl.Int64).to_numpy()
        numbers = numbers_of(values.to_frame(self.name), [self.name])[:, 0]
        places = np.clip(np.searchsorted(self.edges, numbers, side="right") - 1, 0, self.size - 2)
        return np.where(np.isnan(numbers), self.size - 1, places)

    def values_of(self, cells: Cells, dtype: pl.DataType, rng: np.random.Generator) -> pl.Series:
        """A column of values in those cells, numbers anywhere in their bin with an even chance."""
        if self.labels:
            texts = pl.Series([*self.labels, None], dtype=pl.String).gather(pl.Series(cells, dtype=pl.UInt32))
            return (texts == "true" if dtype == pl.Boolean else texts.cast(dtype)).alias(self.name)
        edges = np.array([*self.edges, np.nan])
        chance = rng.random(len(cells))
        numbers = edges[cells] + chance * (edges[cells + 1] - edges[cells])
        empty = pl.DataFrame({"v": pl.Series([None] * len(cells), dtype=dtype)})
        return put_numbers(empty, ["v"], numbers[:, None])["v"].alias(self.name)


def _held(texts: pl.Series, dtype: pl.DataType) -> pl.Series:
    return texts.cast(dtype, strict=False).is_not_null()


def measure(
    cells: Sequence[Cells], domains: Sequence[MarginalCells]
) -> tuple[Cells, dict[Pair, tuple[int, int, tuple[int, ...]]]]:
    """All one-way and two-way counts in one row, and for each its start, end and shape."""
    sizes = [domain.size for domain in domains]
    pairs: list[Pair] = [(place,) for place in range(len(sizes))]
    pairs += list(combinations(range(len(sizes)), 2))
    counts, places, start = [], {}, 0
    for pair in pairs:
        shape = tuple(sizes[place] for place in pair)
        keys = np.ravel_multi_index(tuple(cells[place] for place in pair), shape)
        counts.append(np.bincount(keys, minlength=int(np.prod(shape))))
        places[pair] = (start, start + len(counts[-1]), shape)
        start += len(counts[-1])
    return np.concatenate(counts).astype(np.int64), places


def span_tree(tables: Tables, width: int) -> list[tuple[int, int]]:
    """``(parent, child)`` pairs that reach every column from the first, telling most of each other (Chow and Liu).

    >>> same, other = np.array([[5, 0], [0, 5]]), np.array([[3, 2], [2, 3]])
    >>> span_tree({(0, 1): other, (0, 2): same, (1, 2): same}, 3)
    [(0, 2), (2, 1)]
    """
    reached, tree = [0], []
    while len(reached) < width:
        ways = [(a, b) for a in reached for b in range(width) if b not in reached]
        gains = [_information(tables[(min(way), max(way))]) for way in ways]
        tree.append(ways[int(np.argmax(gains))])
        reached.append(tree[-1][1])
    return tree


def _information(counts: Cells) -> float:
    """Mutual information of the two sides of a table of counts, in nats."""
    total = counts.sum()
    if total == 0:
        return 0.0
    shares = counts / total
    apart = np.outer(shares.sum(axis=1), shares.sum(axis=0))
    some = shares > 0
    return float((shares[some] * np.log(shares[some] / apart[some])).sum())


def draw_tree(
    tables: Tables, tree: Sequence[tuple[int, int]], rows: int, *, rng: np.random.Generator
) -> Cells:
    """``cells[row, column]`` of rows drawn along a tree: the first column by its counts, a child by its pair's."""
    cells = np.zeros((rows, len(tree) + 1), np.int64)
    cells[:, 0] = draw_by(tables[(0,)][None, :], np.zeros(rows, np.int64), rng)
    for parent, child in tree:
        pair = tables[(min(parent, child), max(parent, child))]
        joint = pair if parent < child else pair.T
        # Where noise left nothing of a row, the counts of the child alone have to do.
        joint = np.where(joint.sum(axis=1, keepdims=True) > 0, joint, tables[(child,)][None, :])
        cells[:, child] = draw_by(joint, cells[:, parent], rng)
    return cells
