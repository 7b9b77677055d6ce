"""One released column read back: for each of its labels, which values of the original it allows."""

from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["DecodedColumn", "LabelMeaning"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class LabelMeaning(IntEnum):
    """How a label was understood."""

    VALUE = 0
    """One value."""
    SOME = 1
    """Several: an interval, a set, a node of a hierarchy, a pattern."""
    EVERYTHING = 2
    """Any value: ``*``, the root of a hierarchy, a cell left empty where nobody's was."""
    MISSING = 3
    """No value, as in the original."""
    UNKNOWN = 4
    """It says nothing that the original knows, so that it is a value of its own."""


@dataclass(frozen=True)
class DecodedColumn:
    """What each label of a released column allows.

    ``values[code]`` are the distinct texts of the original (null for missing), ``labels[code]`` those of the release,
    ``meanings[label]`` how each was understood. A label allows ``codes[starts[label] : starts[label + 1]]``; EVERYTHING
    and intervals of numbers are not listed there. A column of ``is_number`` has ``numbers[value]`` (NaN for
    missing) and ``low[label]`` and ``high[label]``, both included; NaN where a label is not a number.
    """

    column: str
    is_number: bool
    values: pl.Series
    labels: pl.Series
    meanings: npt.NDArray[np.int8]
    starts: Integers
    codes: npt.NDArray[np.int32]
    numbers: Floats
    low: Floats
    high: Floats

    @cached_property
    def scale(self) -> float:
        """The difference that counts as the largest: the range of the original's numbers; 1 if it has none."""
        finite = self.numbers[np.isfinite(self.numbers)]
        width = float(finite.max() - finite.min()) if len(finite) else 0.0
        return width if width > 0 and np.isfinite(width) else 1.0

    @cached_property
    def leaves(self) -> Integers:
        """``leaves[label]``: how many of the original's values it allows."""
        leaves = np.diff(self.starts)
        if self.is_number:
            ordered = np.sort(self.numbers[~np.isnan(self.numbers)])
            inside = np.searchsorted(ordered, self.high, "right") - np.searchsorted(ordered, self.low, "left")
            leaves = np.where((self.meanings == LabelMeaning.SOME) & ~np.isnan(self.low), inside, leaves)
        return np.where(self.meanings == LabelMeaning.EVERYTHING, len(self.values), leaves).astype(np.int64)

    def allows(
        self, values: npt.NDArray[np.integer], labels: npt.NDArray[np.integer]
    ) -> npt.NDArray[np.bool_]:
        """Whether each label allows the value beside it, both as codes.

        >>> from celosia.measure.decode import decode_column
        >>> from celosia.types import ColumnType
        >>> age = decode_column("age", ColumnType.INTEGER, pl.Series(["31", "47"]), pl.Series(["[30-39]", "*"]))
        >>> age.allows(np.array([0, 1, 1]), np.array([0, 0, 1])).tolist()
        [True, False, True]
        """
        return np.asarray(self.distances(values, labels) == 0)

    def distances(self, values: npt.NDArray[np.integer], labels: npt.NDArray[np.integer]) -> Floats:
        """How far each value is from what the label beside it allows: 0 if it allows it, 1 at most.

        Numbers are as far as the gap between them over the range of the original; all other values 1.
        """
        meanings = self.meanings[labels]
        distances = np.ones(np.broadcast(values, labels).shape)
        if self.is_number:
            numbers = self.numbers[values]
            with np.errstate(invalid="ignore"):
                gap = (
                    np.maximum(np.maximum(self.low[labels] - numbers, numbers - self.high[labels]), 0.0)
                    / self.scale
                )
            distances = np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0))
        keys = np.asarray(labels, np.int64) * (len(self.values) + 1) + values
        places = np.minimum(np.searchsorted(self._listed, keys), max(0, len(self._listed) - 1))
        if len(self._listed):
            distances = np.where(self._listed[places] == keys, 0.0, distances)
        return np.where(meanings == LabelMeaning.EVERYTHING, 0.0, distances)

    def table(self, values: npt.NDArray[np.integer], *, within: float = 0.0) -> npt.NDArray[np.float32]:
        """``table[i, label]``: how far ``values[i]`` is from what each label allows, as :meth:`distances` has it.

        Of a number that is known to lie ``within`` so much of the value, the nearest possible counts, and of a set
        of numbers the nearest of them. A label that says nothing rules nothing out: it is at 0 from all, and so is
        the value -1, which nobody knows.

        >>> from celosia.measure.decode import decode_column
        >>> from celosia.types import ColumnType
        >>> age = decode_column("age", ColumnType.INTEGER, pl.Series(["30", "40"]), pl.Series(["[32-35]", "*"]))
        >>> age.table(np.array([0, 1]), within=2).tolist()
        [[0.0, 0.0], [0.30000001192092896, 0.0]]
        """
        distances = np.ones((len(values), len(self.labels)), np.float32)
        if self.is_number:
            numbers = self.numbers[values][:, None]
            with np.errstate(invalid="ignore"):
                gap = np.maximum(
                    self.low[None, :] - (numbers + within), (numbers - within) - self.high[None, :]
                )
            gap = np.maximum(gap, 0.0) / self.scale
            distances = np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0)).astype(np.float32)
            for label in np.flatnonzero((self.meanings == LabelMeaning.SOME) & np.isnan(self.low)).tolist():
                distances[:, label] = self._to_listed(label, numbers[:, 0], within)
        order = np.argsort(values, kind="stable")
        first = np.searchsorted(values[order], self.codes, "left")
        count = np.searchsorted(values[order], self.codes, "right") - first
        labels = np.repeat(np.arange(len(self.labels)), np.diff(self.starts))
        places = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        distances[order[np.repeat(first, count) + places], np.repeat(labels, count)] = 0.0
        distances[:, np.isin(self.meanings, (LabelMeaning.EVERYTHING, LabelMeaning.UNKNOWN))] = 0.0
        distances[values < 0] = 0.0
        return distances

    def take(self, labels: npt.NDArray[np.integer]) -> "DecodedColumn":
        """The column with some of its labels alone, in the order given.

        >>> from celosia.measure.decode import decode_column
        >>> from celosia.types import ColumnType
        >>> job = decode_column("job", ColumnType.TEXT, pl.Series(["cook", "nurse"]), pl.Series(["{cook}", "nurse"]))
        >>> job.take(np.array([1])).codes.tolist()
        [1]
        """
        count = np.diff(self.starts)[labels]
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        return replace(
            self,
            labels=self.labels.gather(labels),
            meanings=self.meanings[labels],
            starts=np.concatenate(([0], np.cumsum(count))).astype(np.int64),
            codes=self.codes[np.repeat(self.starts[labels], count) + within],
            low=self.low[labels],
            high=self.high[labels],
        )

    def _to_listed(self, label: int, numbers: Floats, within: float) -> Floats:
        """How far numbers are from the nearest of those that a label lists."""
        listed = np.sort(self.numbers[self.codes[self.starts[label] : self.starts[label + 1]]])
        listed = listed[~np.isnan(listed)]
        if not len(listed):
            return np.ones(len(numbers))
        place = np.searchsorted(listed, numbers)
        below, above = listed[np.maximum(place - 1, 0)], listed[np.minimum(place, len(listed) - 1)]
        gap = np.minimum(np.abs(numbers - below), np.abs(above - numbers)) - within
        return np.where(np.isnan(gap), 1.0, np.clip(gap / self.scale, 0.0, 1.0))

    @cached_property
    def _listed(self) -> Integers:
        """Label and value as one number, for all pairs that are listed, in ascending order."""
        labels = np.repeat(np.arange(len(self.labels), dtype=np.int64), np.diff(self.starts))
        return np.sort(labels * (len(self.values) + 1) + self.codes)
