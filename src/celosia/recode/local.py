"""From the classes of a multidimensional recoding to what a table can apply, and what they cost."""

from collections.abc import Mapping

import numpy as np
import polars as pl

from celosia.measure.utility import ClassMeasure, Tally, utility_measures
from celosia.recode.mondrian import Partition
from celosia.tables.table import Assignment, Counts, Recoding

__all__ = ["local_recoding", "partition_measures"]


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


def partition_measures(partition: Partition, weights: Mapping[str, float] | None = None) -> dict[str, float]:
    """What the classes cost: the loss of their values, and the measures of their sizes.

    The loss is the normalized certainty penalty over all cells (GCP): of a number the range that its class really
    holds over that of the column, of any other value the part of all values that its label covers. For other measures
    of cells a class would need a level, and it has none.

    J. Xu and others: Utility-based anonymization using local recoding. KDD 2006.
    """
    space, rows = partition.space, partition.rows
    parts = [
        axis.shares(partition.low[:, number].astype(np.int64), partition.high[:, number].astype(np.int64))
        @ rows
        for number, axis in enumerate(space.axes)
    ]
    per_axis = np.array([(weights or {}).get(axis.name, 1.0) for axis in space.axes])
    total = max(1, int(rows.sum()))
    squares = int((rows.astype(object) ** 2).sum()) if rows.max(initial=0) > 1 << 31 else int((rows**2).sum())
    tally = Tally(total, 0, 0, len(rows), squares, len(rows), squares)
    by_size = {
        name: float(measure.value(tally))
        for name, measure in utility_measures().items()
        if isinstance(measure, ClassMeasure)
    }
    return {"loss": float(per_axis @ np.array(parts) / (per_axis.sum() * total)), **by_size}
