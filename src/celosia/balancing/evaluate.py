"""What classes keep of a table and what they risk, from the combinations in memory: no row is read again."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.distribution import (
    ColumnComparison,
    compare_column,
    correlation_change,
    correlations,
    read_numbers,
)
from celosia.measure.risk import ClassRisk, class_risk
from celosia.recode.local import partition_measures
from celosia.recode.mondrian import Partition
from celosia.tables.table import Counts
from celosia.types import ColumnType
from celosia.values.same import fold_people

__all__ = ["BalanceEvaluation", "Original", "evaluate_partition"]

Integers = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Original:
    """What the table was before, worked out once for all partitions of it.

    ``kept`` are the quasi-identifiers that a release shows as values of their own type; all others become labels.
    Where ``person`` names the column that tells people apart, the risk is that of people.
    """

    counts: Counts
    quasi_identifiers: tuple[str, ...]
    types: Mapping[str, ColumnType]
    kept: tuple[str, ...]
    person: str | None = None

    @cached_property
    def frequencies(self) -> dict[str, tuple[pl.Series, Integers]]:
        """The values of every quasi-identifier, and the rows of each."""
        places = {name: self.counts.columns.index(name) for name in self.quasi_identifiers}
        return {
            name: (self.counts.values[place], self.counts.rows_of(place)) for name, place in places.items()
        }

    @cached_property
    def sizes(self) -> Integers:
        """Rows of every class, or people; sensitive columns, if they were counted too, do not tell people apart."""
        places = [self.counts.columns.index(name) for name in self.quasi_identifiers]
        columns = [pl.Series(self.counts.codes[place]) for place in places]
        if self.person is None:
            return _add_up(columns, self.counts.counts)
        place = self.counts.columns.index(self.person)
        return _count_people(columns, fold_people(self.counts.values[place]).codes[self.counts.codes[place]])

    @cached_property
    def correlations(self) -> Floats:
        """Between every two of the numeric columns that keep their type."""
        if len(self.numeric) < 2:
            return np.eye(len(self.numeric))
        columns = []
        for name in self.numeric:
            place = self.counts.columns.index(name)
            numbers = read_numbers(self.counts.values[place], self.types[name])
            columns.append(numbers[self.counts.codes[place]])
        return correlations(np.column_stack(columns), self.counts.counts)

    @property
    def numeric(self) -> tuple[str, ...]:
        """Numbers and dates among the columns that keep their type."""
        return tuple(name for name in self.kept if self.types[name] in _POINTS_ON_A_LINE)


_POINTS_ON_A_LINE = (
    ColumnType.INTEGER,
    ColumnType.REAL,
    ColumnType.DECIMAL,
    ColumnType.DATE,
    ColumnType.DATETIME,
)


@dataclass(frozen=True)
class BalanceEvaluation:
    """What a release with classes of at least ``k`` rows keeps and risks.

    ``columns`` compares the distribution of every quasi-identifier before and after. ``losses`` is the normalized
    certainty penalty of each of them (NCP), and ``measures["loss"]`` that of all cells together (GCP); the measures
    are those that the record of such a release has. ``before`` and ``after`` tell the risk, with ``k`` as the
    threshold: rows in smaller classes are at risk, ``uniques`` are singled out. The correlations are those of the
    numeric columns that keep their type, None where there are no two such.
    """

    k: int
    columns: tuple[ColumnComparison, ...]
    losses: Mapping[str, float]
    measures: Mapping[str, float]
    before: ClassRisk
    after: ClassRisk
    correlation_largest: float | None
    correlation_mean: float | None

    def column(self, name: str) -> ColumnComparison:
        """What became of one quasi-identifier."""
        return next(column for column in self.columns if column.column == name)

    def to_dict(self) -> dict[str, object]:
        """What one k keeps and risks, as a document that JSON takes."""
        return {
            "k": self.k,
            "columns": {
                compared.column: {
                    **{name: value for name, value in asdict(compared).items() if name != "column"},
                    "loss": self.losses[compared.column],
                }
                for compared in self.columns
            },
            "correlations": {
                "largest_change": self.correlation_largest,
                "mean_change": self.correlation_mean,
            },
            "measures": dict(self.measures),
            "singled_out": {"before": self.before.uniques, "after": self.after.uniques},
            "below_k": {"before": small(self.before), "after": small(self.after)},
            "classes": {"before": self.before.classes, "after": self.after.classes},
            "rows": {"before": self.before.rows, "after": self.after.rows},
        }


def small(risk: ClassRisk) -> int:
    """Rows in classes smaller than the threshold.

    >>> small(class_risk(np.array([1, 3, 6]), threshold=5))
    4
    """
    return round(risk.at_risk * risk.rows)


def evaluate_partition(
    partition: Partition,
    released: pl.DataFrame,
    original: Original,
    *,
    k: int,
    weights: Mapping[str, float] | None = None,
    tolerance: float = 0.05,
    threshold: float = 0.95,
) -> BalanceEvaluation:
    """Evaluate the classes of ``partition``, of which each shows its row of ``released``.

    Classes that show the same are one class to whoever reads the release, and are counted as one.
    """
    space, rows = partition.space, partition.rows
    losses = {
        axis.name: float(
            axis.shares(partition.low[:, number].astype(np.int64), partition.high[:, number].astype(np.int64))
            @ rows
        )
        / max(1, space.rows)
        for number, axis in enumerate(space.axes)
    }
    largest, mean = _correlations(released, rows, original)
    return BalanceEvaluation(
        k=k,
        columns=tuple(
            compare_column(
                name,
                original.frequencies[name],
                _frequencies(released.get_column(name), rows),
                kind=original.types[name],
                tolerance=tolerance,
                threshold=threshold,
            )
            for name in original.quasi_identifiers
        ),
        losses=losses,
        measures=partition_measures(partition, weights),
        before=class_risk(original.sizes, threshold=k),
        after=class_risk(_sizes_after(partition, released, original.person), threshold=k),
        correlation_largest=largest,
        correlation_mean=mean,
    )


def _frequencies(shown: pl.Series, rows: Integers) -> tuple[pl.Series, Integers]:
    """What the classes show, values or labels, and the rows of each."""
    counted = pl.DataFrame({"shown": shown, "rows": rows}).group_by("shown").agg(pl.col("rows").sum())
    return counted.get_column("shown"), counted.get_column("rows").to_numpy()


def _sizes_after(partition: Partition, released: pl.DataFrame, person: str | None) -> Integers:
    """Rows, or people, of every class as a reader sees it."""
    if person is None:
        return _add_up(released.get_columns(), partition.rows)
    shown = [column.gather(partition.classes) for column in released.iter_columns()]
    return _count_people(shown, partition.space.sensitive[person][0])


def _count_people(columns: Sequence[pl.Series], people: Integers) -> Integers:
    """The different people of every distinct combination."""
    numbered = [column.alias(str(number)) for number, column in enumerate(columns)]
    pairs = pl.DataFrame([*numbered, pl.Series("who", people)]).unique()
    counted = pairs.group_by([column.name for column in numbered]).len()
    return counted.get_column("len").cast(pl.Int64).to_numpy()


def _add_up(columns: Sequence[pl.Series], rows: Integers) -> Integers:
    """The rows of every distinct combination."""
    numbered = [column.alias(str(number)) for number, column in enumerate(columns)]
    counted = pl.DataFrame([*numbered, pl.Series("rows", rows)])
    together = counted.group_by([column.name for column in numbered]).agg(pl.col("rows").sum())
    return together.get_column("rows").to_numpy()


def _correlations(
    released: pl.DataFrame, rows: Integers, original: Original
) -> tuple[float | None, float | None]:
    if len(original.numeric) < 2:
        return None, None
    shown = [read_numbers(released.get_column(name), original.types[name]) for name in original.numeric]
    largest, mean = correlation_change(original.correlations, correlations(np.column_stack(shown), rows))
    return (largest if np.isfinite(largest) else None), (mean if np.isfinite(mean) else None)
