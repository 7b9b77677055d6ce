"""What a release kept of the distribution of every column, and of the correlations between columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from celosia.errors import ProjectError
from celosia.measure.distribution.correlations import Moments, correlation_change
from celosia.measure.distribution.kolmogorov_smirnov import ks_distance, ks_significance
from celosia.measure.distribution.marginal import NUMERIC_TYPES, Floats, Marginal, read_numbers
from celosia.measure.distribution.variation import Frequencies, marginal_variation, total_variation
from celosia.measure.distribution.wasserstein import wasserstein_distance, wasserstein_share
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import ColumnType

__all__ = ["ColumnComparison", "Comparison", "compare_column", "compare_tables", "finite"]

_DISTRIBUTIONS = "comparing distributions"
_CORRELATIONS = "comparing correlations"


@dataclass(frozen=True)
class ColumnComparison:
    """What a release kept of the distribution of one column.

    A ``numeric`` column has the ``distance`` of Kolmogorov and Smirnov, its ``significance`` as published, and how
    far values moved (None if not finite); a ``categorical`` one, or one that the release shows as labels, has the
    total ``variation`` alone. ``is_kept_published``: the significance reaches the threshold, for comparison with
    other work. ``is_kept``: the distance of numbers and the change of the share of missing ones, or the variation of
    categories, are within the tolerance.
    """

    column: str
    kind: Literal["numeric", "categorical"]
    distance: float | None
    significance: float | None
    is_kept_published: bool | None
    is_kept: bool
    wasserstein: float | None
    wasserstein_share: float | None
    variation: float
    missing_before: float
    missing_after: float


@dataclass(frozen=True)
class Comparison:
    """All columns compared, and the change of the correlations of those that are numeric in both tables.

    ``correlation_largest`` and ``correlation_mean`` are None where no two columns have a correlation.
    """

    columns: tuple[ColumnComparison, ...]
    correlation_largest: float | None
    correlation_mean: float | None

    @property
    def is_kept(self) -> bool:
        """Whether every column kept its distribution."""
        return all(column.is_kept for column in self.columns)


def compare_column(
    name: str,
    before: Frequencies,
    after: Frequencies,
    *,
    kind: ColumnType,
    tolerance: float = 0.05,
    threshold: float = 0.95,
) -> ColumnComparison:
    """Compare a column of ``kind`` in the original with the same column in the release.

    >>> import polars as pl
    >>> before = (pl.Series(["31", "32", "47"]), np.array([2, 1, 1]))
    >>> kept = compare_column("age", before, (pl.Series(["31", "47"]), np.array([3, 1])), kind=ColumnType.INTEGER)
    >>> kept.kind, kept.distance, kept.wasserstein, kept.is_kept_published, kept.is_kept
    ('numeric', 0.25, 0.25, True, False)
    >>> labels = (pl.Series(["[30-39]", "[40-49]"]), np.array([3, 1]))
    >>> kept = compare_column("age", before, labels, kind=ColumnType.INTEGER)
    >>> kept.kind, kept.distance, kept.variation
    ('categorical', None, 1.0)
    """
    _check_share("tolerance", tolerance)
    _check_share("threshold", threshold)
    numbers = _marginals(before, after, kind)
    if numbers is not None:
        return _compare_numbers(name, *numbers, tolerance=tolerance, threshold=threshold)
    return _compare_texts(name, before, after, tolerance=tolerance)


def compare_tables(
    before: Table,
    after: Table,
    columns: Sequence[str],
    *,
    types: Mapping[str, ColumnType] | None = None,
    tolerance: float = 0.05,
    threshold: float = 0.95,
    progress: Progress = no_progress,
) -> Comparison:
    """Compare ``columns`` of the original with those of the release; ``types`` None takes those of the original.

    Each column is counted by itself, then both tables are read once more for the correlations; what is held in
    memory are the distinct values of columns, never the rows.

    >>> import polars as pl
    >>> from celosia.tables import open_table
    >>> people = pl.DataFrame({"age": [31, 32, 47, 50], "paid": [10.0, 11.0, 20.0, 25.0]})
    >>> release = people.with_columns(pl.Series("age", [31, 31, 47, 47]))
    >>> found = compare_tables(open_table(people), open_table(release), ["age", "paid"])
    >>> [column.distance for column in found.columns], round(found.correlation_largest, 3)
    ([0.25, 0.0], 0.029)
    """
    _check_share("tolerance", tolerance)
    _check_share("threshold", threshold)
    kinds = types if types is not None else {column.name: column.type for column in before.schema()}
    compared: list[ColumnComparison] = []
    numeric: dict[str, tuple[Marginal, Marginal]] = {}
    progress(_DISTRIBUTIONS, 0.0)
    for done, name in enumerate(columns, start=1):
        one, other = _frequencies(before, name), _frequencies(after, name)
        numbers = _marginals(one, other, kinds.get(name, ColumnType.TEXT))
        if numbers is None:
            compared.append(_compare_texts(name, one, other, tolerance=tolerance))
        else:
            numeric[name] = numbers
            compared.append(_compare_numbers(name, *numbers, tolerance=tolerance, threshold=threshold))
        progress(_DISTRIBUTIONS, done / len(columns))
    largest, mean = _compare_correlations(before, after, numeric, kinds=kinds, progress=progress)
    return Comparison(tuple(compared), largest, mean)


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ProjectError(f"the {name} cannot be {value}", remedy="give a share from 0 to 1")


def _frequencies(table: Table, name: str) -> Frequencies:
    counts = table.count_by([name])
    return counts.values[0], counts.rows_of(0)


def _marginals(before: Frequencies, after: Frequencies, kind: ColumnType) -> tuple[Marginal, Marginal] | None:
    """Both sides as numbers; None if the column has categories, or a text on either side is no number."""
    if kind not in NUMERIC_TYPES:
        return None
    found = []
    for texts, rows in (before, after):
        numbers = read_numbers(texts, kind)
        unread = texts.filter(np.isnan(numbers)).drop_nulls()
        # A text that says it is not a number is a missing one, not a label.
        if not unread.str.to_lowercase().eq("nan").all():
            return None
        found.append(Marginal.of(numbers, rows))
    return found[0], found[1]


def _compare_numbers(
    name: str, before: Marginal, after: Marginal, *, tolerance: float, threshold: float
) -> ColumnComparison:
    distance, moved = ks_distance(before, after), finite(wasserstein_distance(before, after))
    significance = None
    if before.present and after.present:
        significance = ks_significance(distance, before.present, after.present, method="published")
    # A release that drops values at random keeps the distance at 0 and yet loses the column.
    lost = abs(before.missing_share - after.missing_share)
    return ColumnComparison(
        column=name,
        kind="numeric",
        distance=distance,
        significance=significance,
        is_kept_published=None if significance is None else significance >= threshold,
        is_kept=distance <= tolerance and lost <= tolerance,
        wasserstein=moved,
        wasserstein_share=None if moved is None else finite(wasserstein_share(before, after)),
        variation=marginal_variation(before, after),
        missing_before=before.missing_share,
        missing_after=after.missing_share,
    )


def _compare_texts(
    name: str, before: Frequencies, after: Frequencies, *, tolerance: float
) -> ColumnComparison:
    variation = total_variation(before, after)
    return ColumnComparison(
        column=name,
        kind="categorical",
        distance=None,
        significance=None,
        is_kept_published=None,
        is_kept=variation <= tolerance,
        wasserstein=None,
        wasserstein_share=None,
        variation=variation,
        missing_before=_missing_share(before),
        missing_after=_missing_share(after),
    )


def _missing_share(frequencies: Frequencies) -> float:
    texts, rows = frequencies
    return int(rows[texts.is_null().to_numpy()].sum()) / max(1, int(rows.sum()))


def finite(value: float) -> float | None:
    """None for what is not."""
    return value if np.isfinite(value) else None


def _compare_correlations(
    before: Table,
    after: Table,
    numeric: Mapping[str, tuple[Marginal, Marginal]],
    *,
    kinds: Mapping[str, ColumnType],
    progress: Progress,
) -> tuple[float | None, float | None]:
    if len(numeric) < 2:
        return None, None
    found = []
    for side, table in enumerate((before, after)):
        marginals = {name: both[side] for name, both in numeric.items()}
        found.append(_correlations(table, marginals, kinds=kinds, progress=progress, side=side))
    largest, mean = correlation_change(found[0], found[1])
    return finite(largest), finite(mean)


def _correlations(
    table: Table,
    marginals: Mapping[str, Marginal],
    *,
    kinds: Mapping[str, ColumnType],
    progress: Progress,
    side: int,
) -> Floats:
    width, done = len(marginals), 0
    rows = max(1, *(marginal.present + marginal.missing for marginal in marginals.values()))
    moments = Moments.of(np.empty((0, width)))
    for batch in table.scan(list(marginals)):
        columns = [
            _present(read_numbers(batch.get_column(name), kinds[name]), marginal)
            for name, marginal in marginals.items()
        ]
        moments += Moments.of(np.column_stack(columns))
        done += batch.height
        progress(_CORRELATIONS, (side + min(1.0, done / rows)) / 2)
    return moments.correlations()


def _present(numbers: Floats, marginal: Marginal) -> Floats:
    """Numbers with NaN for those that mean a missing value, such as -9: a scan does not tell, the counts do."""
    if not marginal.missing:
        return numbers
    if not len(marginal.values):
        return np.full(len(numbers), np.nan)
    places = np.minimum(np.searchsorted(marginal.values, numbers), len(marginal.values) - 1)
    return np.where(marginal.values[places] == numbers, numbers, np.nan)
