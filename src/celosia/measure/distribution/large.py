"""Original against release where neither fits in memory: sorted and counted by an engine that needs little of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.distribution.compare import (
    ColumnComparison,
    DistributionComparison,
    NumberDistances,
    compare_categories,
    compare_column,
    compare_correlations,
    compare_numbers,
    finite,
)
from celosia.measure.distribution.correlations import Moments
from celosia.measure.distribution.from_counts import compare_counts
from celosia.measure.distribution.marginal import NUMERIC_TYPES, read_numbers
from celosia.say import say
from celosia.tables.duckdb_engine import connect, listening, stage
from celosia.tables.location import is_on_cluster
from celosia.tables.private import private_folder
from celosia.tables.table import Progress, Table, no_progress
from celosia.types import ColumnType
from celosia.values.same import as_values
from celosia.values.text import texts_of

__all__ = ["compare_large"]

Integers = npt.NDArray[np.int64]
Rows = tuple[int, int]
"""Rows that have a value, and rows that have none."""
Groups = tuple[npt.NDArray[Any], Integers, Integers]
"""Distinct values, and the rows of each before and after."""
_STAGE = say("comparing distributions")
_AT_ONCE = 1 << 18


def compare_large(
    before: Table,
    after: Table,
    columns: Sequence[str],
    *,
    types: Mapping[str, ColumnType],
    memory: int,
    folder: Path,
    tolerance: float = 0.05,
    threshold: float = 0.95,
    progress: Progress = no_progress,
) -> DistributionComparison:
    """Compare columns that keep their type within ``memory`` bytes; what does not fit lies in ``folder`` meanwhile.

    Both tables are read once, and their numbers and texts kept in a private file, which an engine sorts column by
    column. A cluster counts its columns itself; one with more values than can be brought here is not compared.

    >>> import tempfile
    >>> from celosia.tables import open_table
    >>> people = pl.DataFrame({"age": [31, 32, 47, 50], "paid": [10.0, 11.0, 20.0, 25.0]})
    >>> release = people.with_columns(pl.Series("age", [31, 31, 47, 47]))
    >>> kinds = {"age": ColumnType.INTEGER, "paid": ColumnType.REAL}
    >>> found = compare_large(open_table(people), open_table(release), ["age", "paid"], types=kinds,
    ...                       memory=1 << 27, folder=Path(tempfile.gettempdir()))
    >>> [column.distance for column in found.columns], round(found.correlation_largest, 3)
    ([0.25, 0.0], 0.029)
    """
    limits = {"tolerance": tolerance, "threshold": threshold}
    if is_on_cluster(before) and is_on_cluster(after):
        return _compare_on_cluster(before, after, columns, types=types, **limits)
    kinds = [types[name] for name in columns]
    numeric = [place for place, kind in enumerate(kinds) if kind in NUMERIC_TYPES]
    moments = [Moments.of(np.empty((0, len(numeric)))) for _ in range(2)]

    def copied() -> Iterator[pl.DataFrame]:
        for side, table in enumerate((before, after)):
            for batch in table.scan(columns):
                progress(_STAGE, side / 4)
                frame = _copy(batch, kinds, _markers(table))
                if len(numeric) > 1:
                    numbers = [frame.to_series(place).fill_null(float("nan")).to_numpy() for place in numeric]
                    moments[side] += Moments.of(np.column_stack(numbers))
                yield frame.with_columns(pl.lit(side, dtype=pl.Int8).alias("side"))

    with private_folder(folder) as private:
        stage(copied(), private / "sides.parquet")
        with connect(private / "sides.parquet", folder=private, memory=memory, where=after.name) as engine:
            compared = []
            for place, (name, kind) in enumerate(zip(columns, kinds, strict=True)):
                progress(_STAGE, 0.5 + place / len(columns) / 2)
                column = _ComparedColumn(engine, f"c{place}", kind)
                compared.append(column.compare(name, **limits))
    largest, mean = (
        compare_correlations(*(side_moments.correlations() for side_moments in moments))
        if len(numeric) > 1
        else (None, None)
    )
    progress(_STAGE, 1.0)
    return DistributionComparison(tuple(compared), largest, mean)


def _markers(table: Table) -> tuple[str, ...]:
    opened: Any = table
    options = getattr(opened, "options", None) or opened.reader.options
    return tuple(options.missing)


def _copy(batch: pl.DataFrame, kinds: Sequence[ColumnType], markers: Sequence[str]) -> pl.DataFrame:
    """Numbers as doubles and categories as texts, null for a missing one, under names that mean nothing."""
    batches = []
    for place, kind in enumerate(kinds):
        values = as_values(batch.to_series(place), missing=markers)
        if kind in NUMERIC_TYPES:
            # Adding 0 leaves one zero.
            column = pl.Series(read_numbers(values, kind) + 0.0).fill_nan(None)
        else:
            texts = texts_of(values).cast(pl.String)
            column = texts.str.to_lowercase() if kind is ColumnType.BOOLEAN else texts
        batches.append(column.alias(f"c{place}"))
    return pl.DataFrame(batches)


@dataclass(frozen=True)
class _ComparedColumn:
    """A column of both sides, in the engine."""

    engine: Any
    name: str
    kind: ColumnType

    def compare(self, column: str, *, tolerance: float, threshold: float) -> ColumnComparison:
        """What the release kept of it."""
        query = (
            f"SELECT side, COUNT({self.name}) AS present, COUNT(*) - COUNT({self.name}) AS missing FROM source "
            "GROUP BY side"
        )
        counted = {int(side): (int(there), int(gone)) for side, there, gone in self._ask(query).iter_rows()}
        sides = counted.get(0, (0, 0)), counted.get(1, (0, 0))
        if self.kind in NUMERIC_TYPES:
            return compare_numbers(column, self._moved(*sides), tolerance=tolerance, threshold=threshold)
        variation = _half_difference(*sides, ((b, a) for _, b, a in self._groups()))
        shares = [gone / max(1, there + gone) for there, gone in sides]
        return compare_categories(column, variation, (shares[0], shares[1]), tolerance=tolerance)

    def _moved(self, before: Rows, after: Rows) -> NumberDistances:
        """All distances in one pass over the values in their order."""
        n, m = before[0], after[0]
        if not n or not m:
            nothing = 0.0 if n == m else None
            variation = _half_difference(before, after, ((b, a) for _, b, a in self._groups()))
            return NumberDistances(0.0 if n == m else 1.0, nothing, nothing, variation, before, after)
        passed = _DistributionPass(n, m)
        variation = _half_difference(before, after, passed.take(self._groups(in_order=True)))
        moved = finite(2 * passed.half_moved)
        share = None if moved is None else finite(passed.half_moved / (passed.half_span or np.inf))
        return NumberDistances(passed.distance, moved, share, variation, before, after)

    def _groups(self, *, in_order: bool = False) -> Iterator[Groups]:
        """Values that are there, and their rows before and after, some at a time."""
        query = (
            f"SELECT {self.name} AS value, COUNT(*) FILTER (side = 0) AS before, "
            f"COUNT(*) FILTER (side = 1) AS after FROM source WHERE {self.name} IS NOT NULL GROUP BY 1"
        ) + (" ORDER BY 1" if in_order else "")
        rows = listening(self.engine, lambda: self.engine.sql(query).to_arrow_reader(_AT_ONCE))
        while (batch := listening(self.engine, lambda: next(rows, None))) is not None:
            frame = pl.DataFrame(pl.from_arrow(batch))
            if frame.height:
                value, b, a = (frame.to_series(place) for place in range(3))
                yield value.to_numpy(), b.to_numpy().astype(np.int64), a.to_numpy().astype(np.int64)

    def _ask(self, query: str) -> pl.DataFrame:
        return listening(self.engine, lambda: self.engine.sql(query).pl())  # type: ignore[no-any-return]


def _half_difference(before: Rows, after: Rows, counts: Iterable[tuple[Integers, Integers]]) -> float:
    """Total variation from the rows of every value on both sides, and those of no value."""
    n, m = sum(before), sum(after)
    if not n or not m:
        return 0.0 if n == m else 1.0
    difference = sum(float(np.abs(b / n - a / m).sum()) for b, a in counts)
    return min(1.0, (difference + abs(before[1] / n - after[1] / m)) / 2)


class _DistributionPass:
    """What is known of two distributions after some of their values, in ascending order."""

    def __init__(self, n: int, m: int) -> None:
        self._n, self._m = n, m
        self._up_to = [0, 0]
        self._gap = self._widest = 0.0
        self._last: float | None = None
        self._ends: list[float] = []
        self.distance = 0.0
        self.half_moved = 0.0

    @property
    def half_span(self) -> float:
        """Half the range of the original's finite numbers."""
        return self._ends[-1] / 2 - self._ends[0] / 2 if self._ends else 0.0

    def take(self, batches: Iterable[Groups]) -> Iterator[tuple[Integers, Integers]]:
        """Go on by batches of values with their rows, which are handed on."""
        for values, before, after in batches:
            known = values[np.isfinite(values) & (before > 0)]
            if len(known):
                self._ends = [*self._ends[:1], float(known[0]), float(known[-1])]
            up_to = self._up_to[0] + np.cumsum(before), self._up_to[1] + np.cumsum(after)
            gaps = np.abs(up_to[0] / self._n - up_to[1] / self._m)
            self._widen(gaps, up_to)
            with np.errstate(invalid="ignore"):  # the first value is not apart from itself, be it infinite
                steps = np.diff(values / 2, prepend=(values[0] if self._last is None else self._last) / 2)
            held = np.concatenate(([self._gap], gaps[:-1]))
            is_apart = held > 0
            self.half_moved += float(held[is_apart] @ steps[is_apart])
            self._up_to = [int(up_to[0][-1]), int(up_to[1][-1])]
            self._gap, self._last = float(gaps[-1]), float(values[-1])
            yield before, after

    def _widen(self, gaps: npt.NDArray[np.float64], up_to: tuple[Integers, Integers]) -> None:
        place = int(np.argmax(gaps))
        if gaps[place] > self._widest:
            self._widest = float(gaps[place])
            # Python's integers: no rounding in the figure that is compared with a tolerance.
            apart = int(up_to[0][place]) * self._m - int(up_to[1][place]) * self._n
            self.distance = abs(apart) / (self._n * self._m)


def _compare_on_cluster(
    before: Any,
    after: Any,
    columns: Sequence[str],
    *,
    types: Mapping[str, ColumnType],
    tolerance: float,
    threshold: float,
) -> DistributionComparison:
    """Counted there: all columns together if their combinations can be brought here, else one by one."""
    limits = {"tolerance": tolerance, "threshold": threshold}
    sides = [table.count_few(list(columns)) for table in (before, after)]
    if None not in sides:
        return compare_counts(sides[0], sides[1], columns, types=types, **limits)
    compared = []
    for name in columns:
        earlier, later = (table.count_few([name]) for table in (before, after))
        if earlier is not None and later is not None:
            frequencies = [(counts.values[0], counts.rows_of(0)) for counts in (earlier, later)]
            compared.append(compare_column(name, frequencies[0], frequencies[1], kind=types[name], **limits))
    return DistributionComparison(tuple(compared), None, None)
