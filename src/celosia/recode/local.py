"""From the classes of a multidimensional recoding to what a table can apply, and what they cost."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.utility import ClassMeasure, NodeTally, utility_measures
from celosia.recode.mondrian import Partition
from celosia.tables.table import Assignment, Counts, Recoding

__all__ = ["PartitionCosts", "PartitionTally", "label_loss", "local_recoding", "partition_measures"]

Integers = npt.NDArray[np.int64]


def local_recoding(
    partition: Partition,
    counts: Counts,
    released: pl.DataFrame,
    *,
    dropped: tuple[str, ...] = (),
    person: str | None = None,
) -> Recoding:
    """Every row shows what its class does; ``counts`` are those that the space was built from.

    The column ``person`` was counted, but no class depends on it: it need not be there when rows are written.
    """
    space = partition.space
    assignment = Assignment(counts, *_by_owner(partition), released)
    if person is not None:
        assignment = assignment.without(person)
    return Recoding(
        dropped=dropped,
        unified=tuple(name for name, (_, values) in space.sensitive.items() if None in values),
        filled={axis.name: axis.filled for axis in space.axes if axis.filled is not None},
        excluded={axis.name: axis.left_out for axis in space.axes if axis.left_out},
        assignment=assignment,
    )


def _by_owner(partition: Partition) -> tuple[Integers, Integers, Integers]:
    """Combinations in their order, the classes that their rows are in, and how many are in each."""
    space = partition.space
    if (space.owners[1:] > space.owners[:-1]).all():  # nobody parted from people with the same values
        return space.owners, partition.classes, space.weights
    keys = space.owners * len(partition) + partition.classes
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    rows = np.add.reduceat(space.weights[order], first)
    return ordered[first] // len(partition), ordered[first] % len(partition), rows


@dataclass(frozen=True)
class PartitionTally:
    """Rows, classes, the squares of their sizes summed up, and per column what all rows lose together."""

    rows: int = 0
    classes: int = 0
    squares: int = 0
    lost: Mapping[str, float] = field(default_factory=dict)

    def __add__(self, other: "PartitionTally") -> "PartitionTally":
        names = dict.fromkeys([*self.lost, *other.lost])
        return PartitionTally(
            self.rows + other.rows,
            self.classes + other.classes,
            self.squares + other.squares,
            {name: self.lost.get(name, 0.0) + other.lost.get(name, 0.0) for name in names},
        )


class PartitionCosts(Mapping[str, float]):
    """What classes cost, those of several parts of a table together: the loss of their values, and measures of sizes.

    The loss is the normalized certainty penalty over all cells (GCP): of a number the range that its class really
    holds over that of the column, of any other value the part of all values that its label covers. For other measures
    of cells a class would need a level, and it has none.

    J. Xu and others: Utility-based anonymization using local recoding. KDD 2006.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._own = PartitionTally()
        self._others: Callable[[], Iterable[PartitionTally]] = tuple

    def __reduce__(self) -> tuple[type["PartitionCosts"], tuple[Mapping[str, float]]]:
        """What goes to other machines: nothing has been added there."""
        return PartitionCosts, (self._weights,)

    def take(self) -> PartitionTally:
        """What was added so far; from here on it begins anew."""
        taken, self._own = self._own, PartitionTally()
        return taken

    def follow(self, others: Callable[[], Iterable[PartitionTally]]) -> None:
        """Count in what others took, whenever it is asked for."""
        self._others = others

    @contextmanager
    def unchanged(self) -> Iterator[None]:
        """Forget what is added meanwhile: the same parts are recoded once more."""
        own, others = self._own, self._others
        try:
            yield
        finally:
            self._own, self._others = own, others

    def add(self, partition: Partition) -> None:
        """Take the classes of one more part into account."""
        rows = partition.rows
        is_huge = rows.max(initial=0) > 1 << 31
        squares = int((rows.astype(object) ** 2).sum()) if is_huge else int((rows**2).sum())
        lost = {}
        for number, axis in enumerate(partition.space.axes):
            lost[axis.name] = float(partition.shares(number) @ rows)
        self._own += PartitionTally(int(rows.sum()), len(rows), squares, lost)

    def measures(self) -> dict[str, float]:
        """All of them, of the parts so far."""
        whole = sum(self._others(), self._own)
        weights = [self._weights.get(name, 1.0) for name in whole.lost]
        lost = sum(weight * one for weight, one in zip(weights, whole.lost.values(), strict=True))
        tally = NodeTally(whole.rows, 0, 0, whole.classes, whole.squares, whole.classes, whole.squares)
        by_size = {
            name: float(measure.value(tally))
            for name, measure in utility_measures().items()
            if isinstance(measure, ClassMeasure) and whole.classes
        }
        return {"loss": lost / ((sum(weights) or 1.0) * max(1, whole.rows)), **by_size}

    def __getitem__(self, name: str) -> float:
        return self.measures()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures())

    def __len__(self) -> int:
        return len(self.measures())


def label_loss(
    partition: Partition, weights: Mapping[str, float] | None = None, *, nodes: Collection[str] = ()
) -> float:
    """The mean share of its column's values that a cell leaves possible, as searches of the lattice reckon it.

    In the columns ``nodes`` classes show labels of the hierarchy, though their values have an order.
    """
    total, lost = 0.0, 0.0
    for number, axis in enumerate(partition.space.axes):
        weight = (weights or {}).get(axis.name, 1.0)
        lost += weight * float(partition.label_shares(number, is_node=axis.name in nodes) @ partition.rows)
        total += weight
    return lost / ((total or 1.0) * max(1, partition.space.rows))


def partition_measures(partition: Partition, weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """What the classes of one partition cost."""
    costs = PartitionCosts(weights or {})
    costs.add(partition)
    return costs.measures()
