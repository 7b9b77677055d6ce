"""Numbers for the values of a column: what is worked out per distinct value is looked up per row."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.values.parse import canonical_real

__all__ = ["NarrowLookup", "ValueLookup", "is_narrow_type"]

Numbers = npt.NDArray[np.int64]
WIDEST = 1 << 22
"""Places in a look-up table; a column that spreads wider is searched."""


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
        self._knows_all = False
        self._numbers = np.zeros(0, np.int64)

    def numbers(self, values: pl.Series, *, missing: int) -> Numbers | None:
        """The number of every value, ``missing`` for null; None if the values spread too widely."""
        if values.null_count() == len(values):
            return np.full(len(values), missing, np.int64)
        physical = values.to_physical() if values.dtype != pl.Boolean else values.cast(pl.Int8)
        low, high = int(physical.min()), int(physical.max())  # type: ignore[arg-type]
        if not self._reach(low, high):
            return None
        plain = (physical.fill_null(low) if physical.null_count() else physical).to_numpy()
        offsets = np.subtract(plain, self._low, dtype=np.int64)
        if not self._knows_all:
            self._learn(offsets, values.dtype)
        found: Numbers = self._numbers[offsets]
        if values.null_count():
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
            self._knows_all = False
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
        self._knows_all = bool(self._known.all())


class ValueLookup:
    """Numbers of values of any type, as ``number`` gives them for distinct values; null and NaN get ``missing``.

    A value may be asked for more than once, but then has the same number.

    >>> lookup = ValueLookup(lambda distinct: np.array([len(text) for text in distinct]))
    >>> lookup.numbers(pl.Series(["Soria", None, "Lugo"]), missing=-1).tolist()
    [5, -1, 4]
    >>> lookup = ValueLookup(lambda distinct: np.array([int(10 * value) for value in distinct]))
    >>> lookup.numbers(pl.Series([0.5, float("nan"), -0.0, 2.5, 0.5]), missing=-1).tolist()
    [5, -1, 0, 25, 5]
    """

    def __init__(self, number: Callable[[pl.Series], Numbers]) -> None:
        self._number = number
        self._narrow: NarrowLookup | None = NarrowLookup(number)
        self._keys: npt.NDArray[Any] | None = None
        self._texts: pl.Series = pl.Series([], dtype=pl.String)
        self._numbers = np.zeros(0, np.int64)

    def numbers(self, values: pl.Series, *, missing: int) -> Numbers:
        """The number of every value, ``missing`` for null and NaN."""
        values, dtype = values.alias(""), values.dtype
        if self._narrow is not None and is_narrow_type(dtype):
            found = self._narrow.numbers(values, missing=missing)
            if found is not None:
                return found
            self._narrow = None
        if dtype in (pl.String, pl.Categorical, pl.Enum):
            return self._of_texts(values.cast(pl.String), missing)
        if dtype.is_float():
            values = values.to_frame().select(canonical_real(pl.nth(0))).to_series()
        if dtype.is_decimal() or dtype in (pl.Int128, pl.Boolean):
            return self._by_join(values, missing)
        return self._searched(values, missing)

    def _of_texts(self, texts: pl.Series, missing: int) -> Numbers:
        codes = texts.cast(pl.Enum(self._texts), strict=False)
        if codes.null_count() > texts.null_count():
            new = texts.filter(codes.is_null()).unique().drop_nulls()
            self._texts = pl.concat([self._texts, new], rechunk=True)
            self._numbers = np.concatenate([self._numbers, self._number(new)])
            codes = texts.cast(pl.Enum(self._texts))
        places = codes.to_physical().fill_null(len(self._texts)).to_numpy()
        found: Numbers = np.append(self._numbers, missing)[places]
        return found

    def _searched(self, values: pl.Series, missing: int) -> Numbers:
        """By the number underneath, among those met so far in order."""
        present = values.drop_nulls()
        physical = present.to_physical().to_numpy()
        if self._keys is None:
            self._keys = physical[:0]
        places = self._places(physical)
        is_new = self._keys[places] != physical if len(self._keys) else np.ones(len(physical), bool)
        if is_new.any():
            new = present.filter(pl.Series(is_new)).unique().sort()
            keys = np.concatenate([self._keys, new.to_physical().to_numpy()])
            order = np.argsort(keys, kind="stable")
            self._keys = keys[order]
            self._numbers = np.concatenate([self._numbers, self._number(new)])[order]
            places = self._places(physical)
        if len(present) == len(values):
            return self._numbers[places]
        found = np.full(len(values), missing, np.int64)
        found[values.is_not_null().to_numpy()] = self._numbers[places]
        return found

    def _places(self, physical: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
        assert self._keys is not None
        return np.minimum(np.searchsorted(self._keys, physical), max(0, len(self._keys) - 1))

    def _by_join(self, values: pl.Series, missing: int) -> Numbers:
        """For types that have no array of numbers underneath: by batch."""
        distinct = values.unique().drop_nulls()
        known = pl.DataFrame({"v": distinct, "number": pl.Series(self._number(distinct), dtype=pl.Int64)})
        found = values.alias("v").to_frame().join(known, on="v", how="left", maintain_order="left")
        return found.get_column("number").fill_null(missing).to_numpy()
