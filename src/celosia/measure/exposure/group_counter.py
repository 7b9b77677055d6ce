"""What counts the people of a table in groups: the protocol that every kind of table answers."""

from collections.abc import Sequence
from typing import Protocol

from celosia.tables.few_columns import LikelySets
from celosia.tables.group_sizes import GroupSizes

__all__ = ["GroupCounter"]


class GroupCounter(Protocol):
    """Counts the people of a table in groups, where the table is."""

    @property
    def people(self) -> int:
        """How many people there are."""
        ...

    def count(self, sets: Sequence[tuple[str, ...]], k: int) -> list[GroupSizes]:
        """The groups of each of some sets of columns."""
        ...

    def likely_sets(self, columns: Sequence[str], further: Sequence[str], k: int) -> LikelySets:
        """Pairs and triples with one of the ``columns`` that single out most; ``further`` ones may join."""
        ...
