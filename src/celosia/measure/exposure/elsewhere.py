"""Groups of a table in a database or on a cluster, counted there: no value leaves for that."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from celosia.tables.few_columns import LikelySets, count_few, few_columns
from celosia.tables.group_sizes import GroupSizes

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["ClusterGroups", "DatabaseGroups"]

Count = Callable[[Sequence[tuple[str, ...]], int], list[GroupSizes]]
TRIED = 6
"""Columns that are tried beside the one, and then beside the pair, that single out most."""
ALL_TRIED = 12
"""Pairs and triples up to which all are counted: those of four columns."""


class DatabaseGroups:
    """One statement for every set of columns."""

    def __init__(self, table: "SqlTable") -> None:
        self._table = table
        self.people = table.count()

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns."""
        return [GroupSizes.of_histogram(self._table.sizes(columns), k) for columns in sets]

    def likely_sets(self, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
        """See :func:`grow_sets`."""
        return grow_sets(self.count, columns, further, k)


class ClusterGroups:
    """One job for all sets of columns."""

    def __init__(self, table: "SparkTable") -> None:
        self._table = table
        self.people = table.count()

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns."""
        from celosia.tables.spark.group_sizes import count_group_sizes

        return [
            GroupSizes(self.people, groups, alone, small)
            for groups, alone, small in count_group_sizes(self._table, sets, k)
        ]

    def likely_sets(self, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
        """See :func:`grow_sets`."""
        return grow_sets(self.count, columns, further, k)


def grow_sets(count: Count, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
    """The best pair with the column that singles out most, and the best triple with that pair.

    Only so few are tried where there are many, for every one is a pass over the table: others may single out more.
    """
    if count_few(columns, further) <= ALL_TRIED:
        return LikelySets(tuple(few_columns(columns, further)))
    names = list(dict.fromkeys([*columns, *further]))
    alone = dict(zip(names, count([(name,) for name in names], k), strict=True))
    names.sort(key=lambda name: (alone[name].small, alone[name].groups), reverse=True)
    best: tuple[str, ...] = (next(name for name in names if name in columns),)
    grown = []
    for _ in range(2):
        sets = [(*best, name) for name in names if name not in best][:TRIED]
        sizes = count(sets, k)
        best = max(zip(sizes, sets, strict=True), key=lambda sized: sized[0].small)[1]
        grown.append(best)
    return LikelySets(tuple(grown), are_all_counted=False)
