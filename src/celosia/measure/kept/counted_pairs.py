"""The combinations of any two columns, before and after: from one count of all columns, or pair by pair if too many."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from celosia.measure.kept.rows import row_counts
from celosia.measure.kept.spread import SpreadColumn, codes_among, spread_column
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.tables.table import Counts

__all__ = ["MOST_COLUMNS", "Pair", "Pairs", "understood_columns"]

MOST_COLUMNS = 20
"""Columns that are looked at two by two: 190 pairs."""
_MOST_ROWS = 2_000_000
"""Rows up to which a table is counted by all columns at once; above, that could be the table itself."""

Pair = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]
"""Codes of the first column, codes of the second, and the rows that have both."""


def understood_columns(
    subject: MeasureSubject, names: tuple[str, ...]
) -> tuple[dict[str, SpreadColumn], dict[str, str]]:
    """Columns that can be spread, and why others are left out."""
    columns: dict[str, SpreadColumn] = {}
    left_out: dict[str, str] = {}
    for name in names:
        try:
            if len(columns) == MOST_COLUMNS:
                raise NotMeasurableError(say("the first {most} columns are looked at", most=MOST_COLUMNS))
            columns[name] = spread_column(subject, name)
        except NotMeasurableError as reason:
            left_out[name] = reason.why
    return columns, left_out


@dataclass(frozen=True)
class Pairs:
    """Counts the pairs of some columns; codes are those of each column counted alone.

    >>> import polars as pl
    >>> people = pl.DataFrame({"sex": ["f", "m", "f"], "job": ["cook", "cook", "cook"]})
    >>> pairs = Pairs(MeasureSubject.of(people, people), ("sex", "job"))
    >>> sorted(pairs.before("sex", "job")[2].tolist())
    [1, 2]
    """

    subject: MeasureSubject
    names: tuple[str, ...]
    most_rows: int = _MOST_ROWS

    def before(self, first: str, second: str) -> Pair:
        """The pairs of two columns of the original."""
        if self._is_small:
            return self._of(self._whole_before, first, second)
        counts = self.subject.original_counts(first, second)
        codes = [self._translated(counts, name, is_before=True) for name in (first, second)]
        return codes[0], codes[1], counts.counts

    def after(self, first: str, second: str) -> Pair:
        """The pairs of two columns of the release."""
        if self._is_small:
            return self._of(self._whole_after, first, second)
        counts = self.subject.counts(first, second)
        codes = [self._translated(counts, name, is_before=False) for name in (first, second)]
        return codes[0], codes[1], counts.counts

    @cached_property
    def _is_small(self) -> bool:
        return max(row_counts(self.subject)) <= self.most_rows

    @cached_property
    def _whole_before(self) -> tuple[dict[str, npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
        counts = self.subject.original_counts(*self.names)
        return {name: self._translated(counts, name, is_before=True) for name in self.names}, counts.counts

    @cached_property
    def _whole_after(self) -> tuple[dict[str, npt.NDArray[np.int64]], npt.NDArray[np.int64]]:
        counts = self.subject.counts(*self.names)
        return {name: self._translated(counts, name, is_before=False) for name in self.names}, counts.counts

    def _of(
        self, whole: tuple[dict[str, npt.NDArray[np.int64]], npt.NDArray[np.int64]], first: str, second: str
    ) -> Pair:
        codes, rows = whole
        return codes[first], codes[second], rows

    def _translated(self, counts: Counts, name: str, *, is_before: bool) -> npt.NDArray[np.int64]:
        """A table may number the values of a column otherwise when it counts it with others."""
        place = counts.columns.index(name)
        alone = self.subject.original_counts(name) if is_before else self.subject.counts(name)
        return codes_among(counts.texts[place], alone.texts[0])[counts.codes[place]]
