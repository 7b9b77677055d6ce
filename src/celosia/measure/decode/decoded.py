"""One released column read back: for each of its labels, which values of the original it allows."""

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["Decoded", "Meaning"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Meaning(IntEnum):
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
class Decoded:
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
        found = np.diff(self.starts)
        if self.is_number:
            ordered = np.sort(self.numbers[~np.isnan(self.numbers)])
            inside = np.searchsorted(ordered, self.high, "right") - np.searchsorted(ordered, self.low, "left")
            found = np.where((self.meanings == Meaning.SOME) & ~np.isnan(self.low), inside, found)
        return np.where(self.meanings == Meaning.EVERYTHING, len(self.values), found).astype(np.int64)

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
        found = np.ones(np.broadcast(values, labels).shape)
        if self.is_number:
            numbers = self.numbers[values]
            with np.errstate(invalid="ignore"):
                gap = (
                    np.maximum(np.maximum(self.low[labels] - numbers, numbers - self.high[labels]), 0.0)
                    / self.scale
                )
            found = np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0))
        keys = np.asarray(labels, np.int64) * (len(self.values) + 1) + values
        places = np.minimum(np.searchsorted(self._listed, keys), max(0, len(self._listed) - 1))
        if len(self._listed):
            found = np.where(self._listed[places] == keys, 0.0, found)
        return np.where(meanings == Meaning.EVERYTHING, 0.0, found)

    @cached_property
    def _listed(self) -> Integers:
        """Label and value as one number, for all pairs that are listed, in ascending order."""
        labels = np.repeat(np.arange(len(self.labels), dtype=np.int64), np.diff(self.starts))
        return np.sort(labels * (len(self.values) + 1) + self.codes)
