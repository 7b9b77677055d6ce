"""Columns that follow from another: the department of a city, the group of an age. Found by counting pairs."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

import polars as pl

from celosia.tables.location import has_order, is_in_database, is_on_cluster
from celosia.tables.table import Table
from celosia.types import ColumnType, Role

__all__ = ["find_parents"]

ROWS = 20_000
"""Rows in which pairs are looked for before all rows are counted."""
EACH = 5
"""Rows that a value of the parent has on the average: with fewer, anything follows from it by chance."""
MOST = 10_000
"""Values of a parent."""
MOST_TRIED = 2_000
"""Pairs that are looked at in the first rows."""
MOST_COUNTED = 24
"""Pairs that are counted in all rows."""


class CountedColumn(Protocol):
    """What has to be known of a column."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def type(self) -> ColumnType:
        """What its values are."""
        ...

    @property
    def role(self) -> Role:
        """The role proposed for it."""
        ...

    @property
    def rows(self) -> int:
        """Rows of the table."""
        ...

    @property
    def distinct(self) -> int:
        """Values it has."""
        ...


def find_parents(table: Table, columns: Sequence[CountedColumn]) -> dict[str, str]:
    """For every column that follows from another, the one with fewest values that tells it.

    Every value of the parent goes with one value of the child, in all rows.

    >>> from celosia.profile.columns import profile_table
    >>> from celosia.tables import open_table
    >>> towns = {"town": ["Cali", "Buga", "Bello"] * 20, "dep": ["Valle", "Valle", "Antioquia"] * 20}
    >>> table = open_table(pl.DataFrame({**towns, "beds": [1, 2, 3, 1, 2] * 12}))
    >>> find_parents(table, profile_table(table).columns)
    {'dep': 'town'}
    """
    pairs = list(islice(_pairs(columns), MOST_TRIED))
    if has_order(table) and pairs:
        pairs = _hold_in_first_rows(table, pairs)
    found: dict[str, str] = {}
    for parent, child in islice(_unanswered(pairs, found), MOST_COUNTED):
        if _count(table, [parent, child]) == _count(table, [parent]):
            found[child] = parent
    return found


def _count(table: Table, columns: Sequence[str]) -> int:
    """How many combinations there are; databases and clusters count them where the rows are."""
    if is_in_database(table) or is_on_cluster(table):
        return sum(times for _, times in table.sizes(columns))
    return len(table.count_by(columns))


def _pairs(columns: Sequence[CountedColumn]) -> Iterator[tuple[str, str]]:
    """Pairs of parent and child that may be: quasi-identifiers first, the parent with fewest values first."""
    plain = [one for one in columns if one.type is not ColumnType.OTHER and one.role is not Role.IDENTIFIER]
    parents = [one for one in plain if 3 <= one.distinct <= min(MOST, one.rows // EACH)]
    for parent in sorted(parents, key=lambda one: (one.role is not Role.QUASI_IDENTIFIER, one.distinct)):
        for child in plain:
            if child is not parent and 2 <= child.distinct < parent.distinct:
                yield parent.name, child.name


def _unanswered(pairs: Iterable[tuple[str, str]], found: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs whose child has no parent yet."""
    return (pair for pair in pairs if pair[1] not in found)


def _hold_in_first_rows(table: Table, pairs: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Pairs that the first rows do not contradict."""
    names = list(dict.fromkeys(name for pair in pairs for name in pair))
    places = {name: f"c{place}" for place, name in enumerate(names)}
    first = next(iter(table.scan(names)), None)
    if first is None:
        return []
    rows = first.head(ROWS)
    rows.columns = list(places.values())  # Polars takes a name such as ^a$ for a pattern
    keys = rows.select(pl.all().rank("dense").fill_null(0).cast(pl.UInt64))
    distinct = keys.select(pl.all().n_unique()).row(0, named=True)
    return [
        (parent, child)
        for parent, child in pairs
        if keys.select(pl.struct(places[parent], places[child]).n_unique()).item() == distinct[places[parent]]
    ]
