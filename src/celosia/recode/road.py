"""Which way a search takes on a cluster: the combinations brought here in one aggregation, or looked at there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from celosia.hierarchies import Hierarchy
from celosia.tables.table import Table
from celosia.tables.where import is_on_cluster

__all__ = ["Road", "choose_road"]


@dataclass(frozen=True)
class Road:
    """How many combinations there are, at most or about, and how many may be brought here.

    >>> Road(1_200, 3_000_000, is_bound=True).text
    'at most 1,200 combinations: all brought here in one aggregation, and searched in memory'
    """

    combinations: int
    most: int
    is_bound: bool

    @property
    def is_large(self) -> bool:
        """Whether they are too many to bring here."""
        return self.combinations > self.most

    @property
    def text(self) -> str:
        """Which way it is, and why."""
        many = f"{'at most' if self.is_bound else 'about'} {self.combinations:,} combinations"
        if self.is_large:
            return f"{many}, more than the {self.most:,} that the driver can take: searched on the cluster"
        return f"{many}: all brought here in one aggregation, and searched in memory"


def choose_road(table: Table, columns: Sequence[str], hierarchies: Mapping[str, Hierarchy]) -> Road | None:
    """The way for some columns, None if the table is on no cluster.

    Where all columns have hierarchies, the product of their sizes says that combinations are few enough, without a look
    at the table. Else their number is estimated there, within a few per cent.
    """
    if not is_on_cluster(table):
        return None
    most = table.most_here(len(columns))
    if all(name in hierarchies for name in columns):
        # A missing value is one more.
        bound = prod(len(hierarchies[name].values) + 1 for name in columns)
        if bound <= most:
            return Road(bound, most, is_bound=True)
    return Road(table.estimate(columns), most, is_bound=False)
