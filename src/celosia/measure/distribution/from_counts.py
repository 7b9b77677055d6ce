"""Original against release, both counted already: nothing is read again."""

from collections.abc import Mapping, Sequence

import numpy as np

from celosia.measure.distribution.compare import DistributionComparison, compare_column, compare_correlations
from celosia.measure.distribution.correlations import Moments
from celosia.measure.distribution.marginal import read_numbers
from celosia.tables.table import Counts
from celosia.types import ColumnType

__all__ = ["compare_counts"]


def compare_counts(
    before: Counts,
    after: Counts,
    columns: Sequence[str],
    *,
    types: Mapping[str, ColumnType],
    tolerance: float = 0.05,
    threshold: float = 0.95,
) -> DistributionComparison:
    """Compare ``columns`` of two tables that were counted, each by at least these columns together.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> people = pl.DataFrame({"age": [31, 32, 47, 50], "paid": [10.0, 11.0, 20.0, 25.0]})
    >>> release = people.with_columns(pl.Series("age", [31, 31, 47, 47]))
    >>> sides = [open_table(table).count_by(["age", "paid"]) for table in (people, release)]
    >>> kinds = {"age": ColumnType.INTEGER, "paid": ColumnType.REAL}
    >>> found = compare_counts(*sides, ["age", "paid"], types=kinds)
    >>> [column.distance for column in found.columns], round(found.correlation_largest, 3)
    ([0.25, 0.0], 0.029)
    """
    compared = []
    for name in columns:
        places = before.columns.index(name), after.columns.index(name)
        earlier, later = (
            (counts.values[place], counts.rows_of(place))
            for counts, place in zip((before, after), places, strict=True)
        )
        compared.append(
            compare_column(name, earlier, later, kind=types[name], tolerance=tolerance, threshold=threshold)
        )
    numeric = [column.column for column in compared if column.kind == "numeric"]
    if len(numeric) < 2:
        return DistributionComparison(tuple(compared), None, None)
    sides = [_weighted_moments(counts, numeric, types).correlations() for counts in (before, after)]
    return DistributionComparison(tuple(compared), *compare_correlations(*sides))


def _weighted_moments(counts: Counts, names: Sequence[str], types: Mapping[str, ColumnType]) -> Moments:
    columns = []
    for name in names:
        place = counts.columns.index(name)
        columns.append(read_numbers(counts.values[place], types[name])[counts.codes[place]])
    return Moments.of(np.column_stack(columns), counts.counts)
