"""The histograms of a sensitive column, as the bluntest reader tells its values apart and as sharper ones do."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from celosia.hierarchies import Hierarchy
from celosia.privacy.classes import Histogram
from celosia.privacy.order import rank_values
from celosia.values.same import FoldedValues, SensitiveValues

__all__ = ["SensitiveColumn"]

Integers = npt.NDArray[np.int64]
Entries = tuple[Integers, Integers, Integers]


@dataclass(frozen=True)
class SensitiveColumn:
    """What a column's histograms have in common, worked out once: its values and their orders.

    >>> import polars as pl
    >>> from celosia.values.same import sensitive_values
    >>> column = SensitiveColumn.of(sensitive_values(pl.Series(["HIV", "hiv", "flu"])))
    >>> found = column.histogram((np.array([0, 0, 0]), np.array([0, 1, 2]), np.array([3, 4, 5])))
    >>> found.values, found.counts.tolist(), found.spelled.values
    (('HIV', 'flu'), [7, 5], ('HIV', 'hiv', 'flu'))
    """

    values: SensitiveValues
    rank: Integers | None
    keyed_rank: Integers | None
    hierarchy: Hierarchy | None = None

    @classmethod
    def of(cls, values: SensitiveValues, hierarchy: Hierarchy | None = None) -> "SensitiveColumn":
        """The column with these distinct values."""
        rank = rank_values(values.folded.values)
        is_same = len(values.keyed.values) == len(values.folded.values)
        return cls(values, rank, rank if is_same else rank_values(values.keyed.values), hierarchy)

    def histogram(self, entries: Entries, whole: Integers | None = None) -> Histogram:
        """From ``entries`` (class, number of the value, rows) the values as the bluntest reader tells them apart.

        ``whole[value]`` are the rows of all that is released. No histogram is made twice where readers agree.
        """
        folded, keyed = self.values.folded, self.values.keyed
        spelled = Histogram(*entries, self.values, None, whole=whole) if folded.merged else None
        joined = folded.merged > keyed.merged
        by_key = self._merged(entries, whole, keyed, self.keyed_rank) if joined else None
        blunt = self._merged(entries, whole, folded, self.rank)
        return Histogram(
            blunt.classes,
            blunt.codes,
            blunt.counts,
            blunt.values,
            blunt.rank,
            blunt.hierarchy,
            blunt.whole,
            keyed=by_key,
            spelled=spelled,
        )

    def _merged(
        self, entries: Entries, whole: Integers | None, folded: FoldedValues, rank: Integers | None
    ) -> Histogram:
        """The histogram with values that share a number as one."""
        if not folded.merged:
            return Histogram(*entries, folded.values, rank, self.hierarchy, whole)
        classes, codes, counts = entries
        size = len(folded.values)
        pairs, entry = np.unique(classes.astype(np.int64) * size + folded.codes[codes], return_inverse=True)
        rows = np.bincount(entry, counts, len(pairs)).astype(np.int64)
        if whole is not None:
            whole = np.bincount(folded.codes[: len(whole)], whole, size).astype(np.int64)
        return Histogram(pairs // size, pairs % size, rows, folded.values, rank, self.hierarchy, whole)
