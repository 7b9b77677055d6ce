"""How many rows share the values of each column: how many are alone, how many in groups smaller than k."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.tables.location import Location, is_in_database, is_on_cluster
from celosia.tables.table import Table
from celosia.types import ColumnType
from celosia.values.same import canonical

__all__ = ["ValueGroups", "group_sizes", "sizes_of_counts"]

TOGETHER = 8
"""Columns of a file that are counted in one reading: eight bytes for every row of each are held meanwhile."""


@dataclass(frozen=True)
class ValueGroups:
    """Rows of a table, the values of a column (a missing one among them), rows alone, and rows in groups under k."""

    rows: int
    distinct: int
    alone: int
    small: int


def group_sizes(table: Table, columns: Sequence[str], *, k: int) -> dict[str, ValueGroups]:
    """Sizes of the groups that share a value, for every column whose values can be compared.

    Two values are the same if every reader takes them for the same. Databases and clusters count where the rows are.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"town": ["Lugo", "Lugo", "Lugo", "Vigo", None]}))
    >>> group_sizes(people, ["town"], k=2)
    {'town': ValueGroups(rows=5, distinct=3, alone=2, small=2)}
    """
    if table.location in (Location.FILE, Location.FRAME):
        return _sizes_here(table, columns, k)
    plain = {column.name for column in table.schema() if column.type is not ColumnType.OTHER}
    return {name: _sizes_there(table, name, k) for name in columns if name in plain}


def sizes_of_counts(counts: npt.NDArray[np.int64], k: int) -> ValueGroups:
    """The same from the rows of every value."""
    alone = int((counts == 1).sum())
    return ValueGroups(int(counts.sum()), len(counts), alone, int(counts[counts < k].sum()))


def _sizes_here(table: Table, columns: Sequence[str], k: int) -> dict[str, ValueGroups]:
    """Values are told apart by their hashes, so that long texts need no memory."""
    found: dict[str, ValueGroups] = {}
    for first in range(0, len(columns), TOGETHER):
        some = columns[first : first + TOGETHER]
        parts: dict[str, list[pl.Series]] = {name: [] for name in some}
        for batch in table.scan(some):
            for name in some:
                values = batch.get_column(name).alias("")
                if not values.dtype.is_nested() and values.dtype != pl.Object:
                    parts[name].append(_hashes(values))
        for name in some:
            if parts[name]:
                hashes = pl.concat(parts.pop(name))
                found[name] = sizes_of_counts(hashes.unique_counts().to_numpy().astype(np.int64), k)
    return found


def _hashes(values: pl.Series) -> pl.Series:
    return values.to_frame().select(canonical(pl.nth(0), values.dtype).hash()).to_series()


def _sizes_there(table: Table, name: str, k: int) -> ValueGroups:
    if not is_in_database(table) and not is_on_cluster(table):
        return sizes_of_counts(table.count_by([name]).counts, k)
    sizes = table.sizes([name])
    return ValueGroups(
        rows=sum(size * times for size, times in sizes),
        distinct=sum(times for _, times in sizes),
        alone=sum(times for size, times in sizes if size == 1),
        small=sum(size * times for size, times in sizes if size < k),
    )
