"""Treatments of numbers in tables that are too large to count every value, or whose values stay in a database."""

from collections.abc import Sequence
from decimal import Decimal
from math import floor, log10
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from celosia.profile.number_treatments import number_treatments, round_steps
from celosia.profile.treatment import Integers, Reals, Treatment
from celosia.profile.treatments import choose_treatment
from celosia.say import say
from celosia.tables.table import Table

if TYPE_CHECKING:
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["NumberGrid", "find_treatment_in_database", "find_treatments_by_grid"]

MOST_CELLS = 200_000
"""Cells of the grid on which the numbers of a large table are counted: beyond, they become ten times as wide."""
COARSER = 10
"""Steps of rounding are so many cells wide at least, so that where a cell begins and ends does not matter."""


class NumberGrid:
    """The numbers of a column, counted in cells of equal width that grow with the range of the numbers.

    >>> grid = NumberGrid()
    >>> grid.add(pl.Series([0.5, 0.5, 7.25, None]))
    >>> grid.counts.tolist(), grid.missing
    ([2, 1], 1)
    """

    def __init__(self) -> None:
        self.missing = 0
        self._power: int | None = None
        self._cells: Integers = np.empty(0, np.int64)
        self.counts: Integers = np.empty(0, np.int64)

    def add(self, values: pl.Series) -> None:
        """Count some numbers; what is none is missing."""
        numbers = values.cast(pl.Float64, strict=False).drop_nulls().drop_nans().to_numpy()
        numbers = numbers[np.isfinite(numbers)]
        self.missing += len(values) - len(numbers)
        if not len(numbers):
            return
        if self._power is None:
            width = float(numbers.max() - numbers.min()) or abs(float(numbers[0])) or 1.0
            self._power = floor(log10(width / MOST_CELLS)) + 1
        cells, counts = np.unique(np.floor(numbers / 10.0**self._power).astype(np.int64), return_counts=True)
        self._merge(np.concatenate([self._cells, cells]), np.concatenate([self.counts, counts]))
        while len(self._cells) > MOST_CELLS:
            self._power += 1
            self._merge(self._cells // 10, self.counts)

    def _merge(self, cells: Integers, counts: Integers) -> None:
        self._cells, places = np.unique(cells, return_inverse=True)
        self.counts = np.bincount(places, counts, len(self._cells)).astype(np.int64)

    @property
    def width(self) -> float:
        """How wide a cell is."""
        return 10.0 ** (self._power or 0)

    @property
    def middles(self) -> Reals:
        """The middle of every cell that has numbers."""
        return np.asarray((self._cells + 0.5) * self.width)


def find_treatments_by_grid(table: Table, columns: Sequence[str], *, k: int) -> dict[str, Treatment]:
    """The mildest treatment of numbers, by columns, which are read once all together.

    Rounding is tried on the cells of a grid, whose counts are those of the whole table.
    """
    grids = {name: NumberGrid() for name in columns}
    for batch in table.scan(list(columns)) if columns else ():
        for name, grid in grids.items():
            grid.add(batch.get_column(name))
    found = {}
    for name, grid in grids.items():
        tried = list(
            number_treatments(
                grid.middles, grid.counts, missing=grid.missing, k=k, finest=COARSER * grid.width
            )
        )
        rows = int(grid.counts.sum()) + grid.missing
        found[name] = choose_treatment(tried, missing=grid.missing, k=k, rows=rows)
    return found


def find_treatment_in_database(table: "SqlTable", column: str, *, k: int) -> Treatment | None:
    """The finest rounding that leaves nobody in a group under k, tried inside the database; None if there is none."""
    from celosia.tables.sql.rounded_sizes import number_range, rounded_sizes

    seen = number_range(table, column)
    if seen.low is None or seen.high is None or seen.low == seen.high:
        return None
    unavoidable = seen.missing if seen.missing < k else 0
    steps = list(round_steps(seen.high - seen.low, (seen.high - seen.low) / 1e5))
    best: Treatment | None = None
    low, high = 0, len(steps) - 1
    while low <= high:  # coarser steps leave fewer, nearly always; what is told was counted
        middle = (low + high) // 2
        sizes = rounded_sizes(table, column, steps[middle])
        tried = _rounded(steps[middle], sizes, k)
        if tried.small <= unavoidable:
            best, high = tried, middle - 1
        else:
            low = middle + 1
    return best


def _rounded(step: Decimal, sizes: Sequence[tuple[int, int]], k: int) -> Treatment:
    alone = sum(times for size, times in sizes if size == 1)
    small = sum(size * times for size, times in sizes if size < k)
    return Treatment(f"round:to={step:f}", say("rounded to {to:f}", to=step), alone, small)
