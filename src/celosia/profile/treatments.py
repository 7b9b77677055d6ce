"""What would treat a column that singles people out, tried on the counts of its values: the mildest first.

Numbers are rounded, and their extremes coded together, or put into intervals where that keeps more rows apart; dates
and texts are cut short. Each trial says how many rows would still be alone, and how many in groups smaller than k,
before anything is written.
"""

from collections.abc import Iterator, Sequence

import polars as pl

from celosia.profile.columns import ENOUGH, Profile
from celosia.profile.number_treatments import number_treatments
from celosia.profile.text_treatments import text_treatments
from celosia.profile.treatment import DROP, Treatment
from celosia.say import say
from celosia.tables.group_sizes import GroupSizes
from celosia.tables.location import is_on_cluster
from celosia.tables.table import Counts, Table
from celosia.types import Role

__all__ = [
    "DROP",
    "TOLERATED",
    "Treatment",
    "count_values",
    "find_treatment",
    "find_treatments",
    "treatments_of",
]

TOLERATED = 0.01
"""The share of rows that a column may leave in groups under k before somebody has to answer for it."""
MARGIN = 2
"""As many times k rows have every value after a treatment that is proposed before a release."""
FAR_FINER = 4.0
"""Intervals are labels and no numbers: they take the place of rounding where they keep so many times more apart."""


def find_treatment(counts: Counts, *, k: int, share: float = TOLERATED) -> Treatment:
    """The mildest treatment of a column that leaves nobody in a group under k; else one that leaves few.

    Few is at most ``share`` of the rows. Where nothing else helps, the column is left out.

    >>> from celosia.tables import open_table
    >>> costs = pl.DataFrame({"cost": [100 + number for number in range(400)] + [9000]})
    >>> found = find_treatment(open_table(costs).count_by(["cost"]), k=5)
    >>> found.operation, found.small
    ('round:to=5+code:bottom=105,top=495', 0)
    """
    return choose_treatment(
        list(treatments_of(counts, k=k)), missing=_missing(counts), k=k, rows=counts.rows, share=share
    )


def choose_treatment(
    tried: Sequence[Treatment], *, missing: int, k: int, rows: int, share: float = TOLERATED
) -> Treatment:
    """The first that leaves nobody in a group under k, or intervals that keep far more apart; else one that leaves few.

    Missing values stay missing whatever is done.
    """
    unavoidable = missing if missing < k else 0
    enough = [one for one in tried if one.small <= unavoidable]
    if enough:
        finest = min(enough, key=lambda one: one.alike)
        return finest if FAR_FINER * finest.alike < enough[0].alike else enough[0]
    most = max(unavoidable, int(share * rows))
    few = [one for one in tried if one.small <= most]
    return few[0] if few else Treatment(DROP, say("left out"), 0, 0, 1.0)


def treatments_of(counts: Counts, *, k: int) -> Iterator[Treatment]:
    """Every treatment of one column that is tried, the mildest first."""
    values, rows = counts.values[0].gather(counts.codes[0]), counts.counts
    texts = counts.texts[0].gather(counts.codes[0])
    if values.dtype.is_numeric():
        present = values.is_not_null().to_numpy()
        numbers = values.cast(pl.Float64).drop_nulls().to_numpy()
        yield from number_treatments(numbers, rows[present], missing=int(rows[~present].sum()), k=k)
    else:
        yield from text_treatments(texts, rows, k)


def _missing(counts: Counts) -> int:
    is_missing = counts.values[0].gather(counts.codes[0]).is_null().to_numpy()
    return int(counts.counts[is_missing].sum())


def find_treatments(table: Table, profile: Profile, *, k: int = 5) -> dict[str, Treatment]:
    """What would treat the columns that leave as they are and single people out, by column.

    >>> from celosia.profile.columns import profile_table
    >>> from celosia.tables import open_table
    >>> paid = open_table(pl.DataFrame({"salary": [1000 + number * 77 % 1000 for number in range(200)]}))
    >>> find_treatments(paid, profile_table(paid))["salary"].operation
    'round:to=100'
    """
    found = {}
    for column in profile:
        if column.role not in (Role.SENSITIVE, Role.COMMON) or column.rows < ENOUGH:
            continue
        counts = count_values(table, column.name)
        # Rows that a privacy model leaves out make groups smaller, and several rows may be of one person.
        if counts is not None and GroupSizes.of_counts(counts.counts, MARGIN * k).small:
            found[column.name] = find_treatment(counts, k=MARGIN * k, share=0)
    return found


def count_values(table: Table, name: str) -> Counts | None:
    """The values of a column with their rows; None where a cluster has too many to bring them here."""
    return table.count_few([name]) if is_on_cluster(table) else table.count_by([name])
