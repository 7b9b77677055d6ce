"""Which way a search takes on a cluster: the combinations brought here in one aggregation, or looked at there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from celosia.hierarchies import Hierarchy
from celosia.say import say
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Table

__all__ = ["SearchLocation", "choose_search_location"]


@dataclass(frozen=True)
class SearchLocation:
    """How many combinations there are, at most or about, and how many may be brought here.

    >>> SearchLocation(1_200, 3_000_000, is_bound=True).text
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
        if self.is_large and self.is_bound:
            return say(
                "at most {count:,} combinations, more than the {most:,} that the driver can take: searched on the "
                "cluster",
                count=self.combinations,
                most=self.most,
            )
        if self.is_large:
            return say(
                "about {count:,} combinations, more than the {most:,} that the driver can take: searched on the "
                "cluster",
                count=self.combinations,
                most=self.most,
            )
        if self.is_bound:
            return say(
                "at most {count:,} combinations: all brought here in one aggregation, and searched in memory",
                count=self.combinations,
            )
        return say(
            "about {count:,} combinations: all brought here in one aggregation, and searched in memory",
            count=self.combinations,
        )


def choose_search_location(
    table: Table, columns: Sequence[str], hierarchies: Mapping[str, Hierarchy]
) -> SearchLocation | None:
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
            return SearchLocation(bound, most, is_bound=True)
    return SearchLocation(table.estimate(columns), most, is_bound=False)
