"""From the classes of a multidimensional recoding to what a table can apply, and what they cost."""

from collections.abc import Iterator, Mapping

import numpy as np
import polars as pl

from celosia.measure.utility import ClassMeasure, Tally, utility_measures
from celosia.recode.mondrian import Partition
from celosia.tables.table import Assignment, Counts, Recoding

__all__ = ["Costs", "local_recoding", "partition_measures"]


def local_recoding(
    partition: Partition, counts: Counts, released: pl.DataFrame, *, dropped: tuple[str, ...] = ()
) -> Recoding:
    """Every row shows what its class does; ``counts`` are those that the space was built from."""
    space = partition.space
    keys = space.owners * len(partition) + partition.classes
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))
    assignment = Assignment(
        combinations=counts,
        owners=ordered[first] // len(partition),
        classes=ordered[first] % len(partition),
        rows=np.add.reduceat(space.weights[order], first),
        released=released,
    )
    return Recoding(
        dropped=dropped,
        unified=tuple(name for name, (_, values) in space.sensitive.items() if None in values),
        filled={axis.name: axis.filled for axis in space.axes if axis.filled is not None},
        excluded={axis.name: axis.left_out for axis in space.axes if axis.left_out},
        assignment=assignment,
    )


class Costs(Mapping[str, float]):
    """What classes cost, those of several parts of a table together: the loss of their values, and measures of sizes.

    The loss is the normalized certainty penalty over all cells (GCP): of a number the range that its class really
    holds over that of the column, of any other value the part of all values that its label covers. For other measures
    of cells a class would need a level, and it has none.

    J. Xu and others: Utility-based anonymization using local recoding. KDD 2006.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self._weights = weights
        self._rows = self._classes = self._squares = 0
        self._lost: dict[str, float] = {}

    def add(self, partition: Partition) -> None:
        """Take the classes of one more part into account."""
        rows = partition.rows
        self._rows += int(rows.sum())
        self._classes += len(rows)
        is_huge = rows.max(initial=0) > 1 << 31
        self._squares += int((rows.astype(object) ** 2).sum()) if is_huge else int((rows**2).sum())
        for number, axis in enumerate(partition.space.axes):
            low, high = partition.low[:, number].astype(np.int64), partition.high[:, number].astype(np.int64)
            self._lost[axis.name] = self._lost.get(axis.name, 0.0) + float(axis.shares(low, high) @ rows)

    def measures(self) -> dict[str, float]:
        """All of them, of the parts so far."""
        weights = [self._weights.get(name, 1.0) for name in self._lost]
        lost = sum(weight * one for weight, one in zip(weights, self._lost.values(), strict=True))
        tally = Tally(self._rows, 0, 0, self._classes, self._squares, self._classes, self._squares)
        by_size = {
            name: float(measure.value(tally))
            for name, measure in utility_measures().items()
            if isinstance(measure, ClassMeasure) and self._classes
        }
        return {"loss": lost / ((sum(weights) or 1.0) * max(1, self._rows)), **by_size}

    def __getitem__(self, name: str) -> float:
        return self.measures()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.measures())

    def __len__(self) -> int:
        return len(self.measures())


def partition_measures(partition: Partition, weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """What the classes of one partition cost."""
    costs = Costs(weights or {})
    costs.add(partition)
    return costs.measures()
