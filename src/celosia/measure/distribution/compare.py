"""What a release kept of the distribution of every column, and of the correlations between columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from celosia.errors import ProjectError
from celosia.measure.distribution.correlations import Moments, correlation_change
from celosia.measure.distribution.kolmogorov_smirnov import ks_distance, ks_significance
from celosia.measure.distribution.marginal import NUMERIC_TYPES, Floats, Marginal, read_numbers
from celosia.measure.distribution.spelling import spell_alike
from celosia.measure.distribution.variation import Frequencies, marginal_variation, total_variation
from celosia.measure.distribution.wasserstein import wasserstein_distance, wasserstein_share
from celosia.say import say
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import ColumnType
from celosia.values.text import texts_of

__all__ = [
    "ColumnComparison",
    "DistributionComparison",
    "NumberDistances",
    "compare_categories",
    "compare_column",
    "compare_correlations",
    "compare_numbers",
    "compare_tables",
    "finite",
]

_DISTRIBUTIONS = say("comparing distributions")
_CORRELATIONS = say("comparing correlations")


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
class DistributionComparison:
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
    return _compare_texts(name, before, after, kind=kind, tolerance=tolerance)


def compare_tables(
    before: Table,
    after: Table,
    columns: Sequence[str],
    *,
    types: Mapping[str, ColumnType] | None = None,
    tolerance: float = 0.05,
    threshold: float = 0.95,
    progress: Progress = no_progress,
) -> DistributionComparison:
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
        earlier, later = _frequencies(before, name), _frequencies(after, name)
        kind = kinds.get(name, ColumnType.TEXT)
        numbers = _marginals(earlier, later, kind)
        if numbers is None:
            compared.append(_compare_texts(name, earlier, later, kind=kind, tolerance=tolerance))
        else:
            numeric[name] = numbers
            compared.append(_compare_numbers(name, *numbers, tolerance=tolerance, threshold=threshold))
        progress(_DISTRIBUTIONS, done / len(columns))
    largest, mean = _compare_correlations(before, after, numeric, kinds=kinds, progress=progress)
    return DistributionComparison(tuple(compared), largest, mean)


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ProjectError(
            say("the {parameter} cannot be {value}", parameter=name, value=value),
            remedy=say("give a share from 0 to 1"),
        )


def _frequencies(table: Table, name: str) -> Frequencies:
    counts = table.count_by([name])
    return counts.values[0], counts.rows_of(0)


def _marginals(before: Frequencies, after: Frequencies, kind: ColumnType) -> tuple[Marginal, Marginal] | None:
    """Both sides as numbers; None if the column has categories, or a value on either side is no number."""
    if kind not in NUMERIC_TYPES:
        return None
    marginals = []
    for values, rows in (before, after):
        numbers = read_numbers(values, kind)
        unread = texts_of(values.filter(np.isnan(numbers))).drop_nulls()
        # A text that says it is not a number is a missing one, not a label.
        if not unread.str.to_lowercase().eq("nan").all():
            return None
        marginals.append(Marginal.of(numbers, rows))
    return marginals[0], marginals[1]


@dataclass(frozen=True)
class NumberDistances:
    """How far apart two distributions of numbers are, with the rows on both sides that have one and that have none."""

    distance: float
    wasserstein: float | None
    wasserstein_share: float | None
    variation: float
    before: tuple[int, int]
    after: tuple[int, int]


def _compare_numbers(
    name: str, before: Marginal, after: Marginal, *, tolerance: float, threshold: float
) -> ColumnComparison:
    moved = finite(wasserstein_distance(before, after))
    distances = NumberDistances(
        distance=ks_distance(before, after),
        wasserstein=moved,
        wasserstein_share=None if moved is None else finite(wasserstein_share(before, after)),
        variation=marginal_variation(before, after),
        before=(before.present, before.missing),
        after=(after.present, after.missing),
    )
    return compare_numbers(name, distances, tolerance=tolerance, threshold=threshold)


def compare_numbers(
    name: str, distances: NumberDistances, *, tolerance: float, threshold: float
) -> ColumnComparison:
    """What was kept of a column of numbers.

    >>> distances = NumberDistances(0.01, 2.0, 0.1, 0.3, (8, 2), (9, 1))
    >>> compare_numbers("age", distances, tolerance=0.05, threshold=0.95).is_kept
    False
    """
    (n, gone_before), (m, gone_after) = distances.before, distances.after
    significance = ks_significance(distances.distance, n, m, method="published") if n and m else None
    missing = gone_before / max(1, n + gone_before), gone_after / max(1, m + gone_after)
    # A release that drops values at random keeps the distance at 0 and yet loses the column.
    lost = abs(missing[0] - missing[1])
    return ColumnComparison(
        column=name,
        kind="numeric",
        distance=distances.distance,
        significance=significance,
        is_kept_published=None if significance is None else significance >= threshold,
        is_kept=distances.distance <= tolerance and lost <= tolerance,
        wasserstein=distances.wasserstein,
        wasserstein_share=distances.wasserstein_share,
        variation=distances.variation,
        missing_before=missing[0],
        missing_after=missing[1],
    )


def _compare_texts(
    name: str, before: Frequencies, after: Frequencies, *, kind: ColumnType, tolerance: float
) -> ColumnComparison:
    had, rows = texts_of(before[0]), before[1]
    variation = total_variation((had, rows), (spell_alike(texts_of(after[0]), had, kind), after[1]))
    missing = _missing_share(before), _missing_share(after)
    return compare_categories(name, variation, missing, tolerance=tolerance)


def compare_categories(
    name: str, variation: float, missing: tuple[float, float], *, tolerance: float
) -> ColumnComparison:
    """What was kept of a column of categories, of which these shares are missing before and after.

    >>> compare_categories("sex", 0.02, (0.0, 0.0), tolerance=0.05).is_kept
    True
    """
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
        missing_before=missing[0],
        missing_after=missing[1],
    )


def _missing_share(frequencies: Frequencies) -> float:
    values, rows = frequencies
    return int(rows[values.is_null().to_numpy()].sum()) / max(1, int(rows.sum()))


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
    correlations = []
    for side, table in enumerate((before, after)):
        marginals = {name: both[side] for name, both in numeric.items()}
        correlations.append(_correlations(table, marginals, kinds=kinds, progress=progress, side=side))
    return compare_correlations(correlations[0], correlations[1])


def compare_correlations(before: Floats, after: Floats) -> tuple[float | None, float | None]:
    """The largest and the mean change; None twice where no two columns have a correlation.

    >>> compare_correlations(np.array([[1.0, 0.5], [0.5, 1.0]]), np.eye(2))
    (0.5, 0.5)
    """
    largest, mean = correlation_change(before, after)
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
