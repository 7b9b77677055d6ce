"""Numbers for the values of a column: what is worked out per distinct value is looked up per row.

Turning ten million integers, dates or booleans into text costs more than reading them; their distinct values are few.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["NarrowLookup", "is_narrow_type"]

Numbers = npt.NDArray[np.int64]
WIDEST = 1 << 22
"""Places in a look-up table; a column that spreads wider is better served by its texts."""


def is_narrow_type(dtype: pl.DataType) -> bool:
    """Whether values of a type are integers underneath.

    >>> is_narrow_type(pl.Date()), is_narrow_type(pl.String()), is_narrow_type(pl.Int128())
    (True, False, False)
    """
    return dtype in (
        pl.Int8,
        pl.Int16,
        pl.Int32,
        pl.Int64,
        pl.UInt8,
        pl.UInt16,
        pl.UInt32,
        pl.Date,
        pl.Boolean,
    )


class NarrowLookup:
    """Numbers of values that are integers underneath, as ``number`` gives them for distinct values, each asked once.

    >>> lookup = NarrowLookup(lambda distinct: np.array([10 * value for value in distinct]))
    >>> lookup.numbers(pl.Series([3, 1, None, 3]), missing=-1).tolist()
    [30, 10, -1, 30]
    """

    def __init__(self, number: Callable[[pl.Series], Numbers]) -> None:
        self._number = number
        self._low = 0
        self._known = np.zeros(0, bool)
        self._numbers = np.zeros(0, np.int64)

    def numbers(self, values: pl.Series, *, missing: int) -> Numbers | None:
        """The number of every value, ``missing`` for null; None if the values spread too widely."""
        present = values.drop_nulls()
        if present.is_empty():
            return np.full(len(values), missing, np.int64)
        physical = values.to_physical() if values.dtype != pl.Boolean else values.cast(pl.Int8)
        low, high = int(physical.min()), int(physical.max())  # type: ignore[arg-type]
        if not self._reach(low, high):
            return None
        offsets = physical.fill_null(low).to_numpy().astype(np.int64) - self._low
        self._learn(offsets, values.dtype)
        found: Numbers = self._numbers[offsets]
        if len(present) < len(values):
            found[values.is_null().to_numpy()] = missing
        return found

    def _reach(self, low: int, high: int) -> bool:
        """Make the table span ``low`` to ``high``; False if that is too wide."""
        if len(self._known):
            low, high = min(low, self._low), max(high, self._low + len(self._known) - 1)
        size = high - low + 1
        if size > WIDEST:
            return False
        if size > len(self._known):
            known, numbers = np.zeros(size, bool), np.zeros(size, np.int64)
            start = self._low - low if len(self._known) else 0
            known[start : start + len(self._known)] = self._known
            numbers[start : start + len(self._known)] = self._numbers
            self._low, self._known, self._numbers = low, known, numbers
        return True

    def _learn(self, offsets: Numbers, dtype: pl.DataType) -> None:
        seen = np.zeros(len(self._known), bool)
        seen[offsets] = True
        new = np.flatnonzero(seen & ~self._known)
        if not len(new):
            return
        physical = pl.Series(new + self._low)
        self._numbers[new] = self._number(
            physical.cast(pl.Int32).cast(dtype) if dtype == pl.Date else physical.cast(dtype)
        )
        self._known[new] = True
