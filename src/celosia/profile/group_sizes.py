"""How many rows share the values of each column: how many are alone, how many in groups smaller than k."""

from collections.abc import Sequence

import polars as pl

from celosia.tables.group_sizes import GroupSizes
from celosia.tables.hashed_rows import hashed_rows
from celosia.tables.location import Location, is_in_database, is_on_cluster
from celosia.tables.table import Table
from celosia.types import ColumnType

__all__ = ["group_sizes"]


def group_sizes(table: Table, columns: Sequence[str], *, k: int) -> dict[str, GroupSizes]:
    """Sizes of the groups that share a value, for every column whose values can be compared.

    Two values are the same if every reader takes them for the same. Databases and clusters count where the rows are.

    >>> from celosia.tables import open_table
    >>> people = open_table(pl.DataFrame({"town": ["Lugo", "Lugo", "Lugo", "Vigo", None]}))
    >>> group_sizes(people, ["town"], k=2)
    {'town': GroupSizes(members=5, groups=3, alone=2, small=2)}
    """
    if table.location in (Location.FILE, Location.FRAME):
        return _sizes_here(table, columns, k)
    plain = {column.name for column in table.schema() if column.type is not ColumnType.OTHER}
    return {name: _sizes_there(table, name, k) for name in columns if name in plain}


def _sizes_here(table: Table, columns: Sequence[str], k: int) -> dict[str, GroupSizes]:
    first = next(iter(table.scan(columns)), None)
    if first is None:
        return {}
    plain = [
        name for name in columns if not (first.schema[name].is_nested() or first.schema[name] == pl.Object)
    ]
    if not plain:
        return {}
    with hashed_rows(table, plain) as rows:
        return dict(zip(plain, rows.count([(name,) for name in plain], k), strict=True))


def _sizes_there(table: Table, name: str, k: int) -> GroupSizes:
    if is_in_database(table) or is_on_cluster(table):
        return GroupSizes.of_histogram(table.sizes([name]), k)
    return GroupSizes.of_counts(table.count_by([name]).counts, k)
