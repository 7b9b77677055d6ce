"""Unsorted matching: two releases in the same order are joined row by row, whatever they hide.

Seen in what both show: rows at the same place fit each other more often than in any of many random orders. Two tables
that share no column may lie in the same order and nobody can tell; the only cure is that ours are shuffled.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.ledger.join_by_labels import LabelOverlap, label_overlap
from celosia.ledger.join_by_values import PublishedTable
from celosia.measure.row_order import rows_in_order
from celosia.types import ColumnType

__all__ = ["SameOrder", "find_same_order"]

ORDERS = 999
"""Random orders that are compared with the one there is."""
MOST_ROWS = 20_000
"""Rows that are compared; the first of both tables."""


@dataclass(frozen=True)
class SameOrder:
    """The share of places whose rows fit each other, that share in random orders, and how often one is as high."""

    fitting: float
    expected: float
    p_value: float
    columns: tuple[str, ...]

    @property
    def is_same(self) -> bool:
        """Whether the order links rows: no random order does as well."""
        return self.p_value <= 0.01 and self.fitting > self.expected


def find_same_order(first: PublishedTable, second: PublishedTable, *, seed: int = 0) -> SameOrder | None:
    """Whether two releases lie in the same order, by the columns that both have; None if they share none.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> zips = pl.DataFrame({"zip": [f"021{n}" for n in range(10, 40)]})
    >>> less = zips.select(pl.col("zip").str.slice(0, 4) + "*")
    >>> one, two = (PublishedTable(open_table(each), ("zip",)) for each in (zips, less))
    >>> find_same_order(one, two).is_same
    True
    """
    names = set(second.table.columns())
    columns = [name for name in first.table.columns() if name in names]
    if not columns:
        return None
    frames = [rows_in_order(table.table, columns).head(MOST_ROWS) for table in (first, second)]
    rows = min(frame.height for frame in frames)
    looks, codes = [], []
    told = {*first.quasi_identifiers, *second.quasi_identifiers}
    for name in columns:
        sides = [frame.get_column(name).alias("").head(rows) for frame in frames]
        labels = [side.unique(maintain_order=True) for side in sides]
        if name in told:
            kinds = [table.types.get(name) or table.table.schema()[name].type for table in (first, second)]
            kind = next((kind for kind in kinds if kind is not ColumnType.TEXT), ColumnType.TEXT)
            hierarchy = first.hierarchies.get(name) or second.hierarchies.get(name)
            looks.append(label_overlap(name, *labels, hierarchy=hierarchy, kind=kind))
        else:
            same = np.array([[a == b for b in labels[1].to_list()] for a in labels[0].to_list()], np.bool_)
            looks.append(LabelOverlap(same, (np.zeros(0), np.zeros(0))))
        places = [{label: number for number, label in enumerate(column.to_list())} for column in labels]
        codes.append(
            tuple(
                np.array([place[label] for label in side]) for place, side in zip(places, sides, strict=True)
            )
        )
    drawn = np.random.default_rng(seed)
    here = _share(looks, codes, np.arange(rows))
    random = [_share(looks, codes, drawn.permutation(rows)) for _ in range(ORDERS if rows else 0)]
    as_high = sum(correlation >= here for correlation in random)
    return SameOrder(
        here, float(np.mean(random)) if random else 0.0, (1 + as_high) / (1 + len(random)), tuple(columns)
    )


def _share(
    looks: Sequence[LabelOverlap],
    codes: Sequence[tuple[npt.NDArray[np.int64], ...]],
    order: npt.NDArray[np.int64],
) -> float:
    fits = np.ones(len(order), np.bool_)
    for look, (own, other) in zip(looks, codes, strict=True):
        fits &= look.allowed[own, other[order]]
    return float(fits.mean()) if len(order) else 0.0
