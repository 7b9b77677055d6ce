"""The marginal of a column: its distinct numbers and how many rows have each, and numbers read from its texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.types import DATES, NUMBERS, ColumnType
from celosia.values.text import text_of

__all__ = ["NUMERIC_TYPES", "Marginal", "align", "read_numbers"]

Floats = npt.NDArray[np.float64]

NUMERIC_TYPES = NUMBERS + DATES
"""Types whose values are points on a line; all others have categories."""

_DAY_SECONDS = 86_400
_TIME = (
    r"^(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})[T ](?P<hour>[01][0-9]|2[0-3]):(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9](?:\.[0-9]{1,9})?))?"
    r"(?:Z|(?P<sign>[+-])(?P<east_hour>[0-9]{2}):?(?P<east_minute>[0-9]{2}))?$"
)


@dataclass(frozen=True)
class Marginal:
    """Distinct ``values`` in ascending order, infinities among them, the ``rows`` of each, and rows ``missing``."""

    values: Floats
    rows: npt.NDArray[np.int64]
    missing: int = 0

    @classmethod
    def of(cls, values: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> Self:
        """The marginal of ``values``, each of one row or of ``rows[value]``; NaN is a missing value.

        >>> marginal = Marginal.of([3.0, 1.0, float("nan"), 3.0], [2, 1, 4, 5])
        >>> marginal.values.tolist(), marginal.rows.tolist(), marginal.missing
        ([1.0, 3.0], [1, 7], 4)
        """
        numbers = np.asarray(values, dtype=np.float64)
        weights = np.ones(len(numbers), np.int64) if rows is None else np.asarray(rows, dtype=np.int64)
        is_missing = np.isnan(numbers)
        kept = ~is_missing & (weights > 0)
        missing = int(weights[is_missing].sum())
        numbers, weights = numbers[kept], weights[kept]
        order = np.argsort(numbers)
        numbers, weights = numbers[order], weights[order]
        starts = _starts(numbers)
        merged = np.add.reduceat(weights, starts) if len(starts) else weights
        return cls(numbers[starts], merged, missing)

    @property
    def present(self) -> int:
        """Rows that have a number."""
        return int(self.rows.sum())

    @property
    def missing_share(self) -> float:
        """Share of rows that have none; 0 without rows."""
        return self.missing / max(1, self.present + self.missing)


def align(before: Marginal, after: Marginal) -> tuple[Floats, npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """All values of both marginals in ascending order, and the rows that each marginal has of every one.

    >>> [part.tolist() for part in align(Marginal.of([1, 2, 2]), Marginal.of([2, 5]))]
    [[1.0, 2.0, 5.0], [1, 2, 0], [0, 1, 1]]
    """
    # Two runs that are sorted already: a stable sort merges them without comparing all anew.
    values = np.sort(np.concatenate((before.values, after.values)), kind="stable")
    values = values[_starts(values)]
    rows = np.zeros((2, len(values)), dtype=np.int64)
    for side, marginal in enumerate((before, after)):
        rows[side, np.searchsorted(values, marginal.values)] = marginal.rows
    return values, rows[0], rows[1]


def _starts(ordered: Floats) -> npt.NDArray[np.intp]:
    """Where each distinct value begins."""
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return np.flatnonzero(is_new)


def read_numbers(values: pl.Series, kind: ColumnType) -> Floats:
    """The numbers of a column of ``kind``, NaN where one is missing or not a number.

    Dates become days and dates with time seconds since 1970, in universal time where they say how far from it
    they are. Texts are read as a table writes them; columns that have a type of their own are converted.
    Rounding to double never swaps two numbers, it only makes some equal (integers from 2^53 on).

    >>> read_numbers(pl.Series(["7", "-1.5", None, "[30-39]"]), ColumnType.INTEGER).tolist()
    [7.0, -1.5, nan, nan]
    >>> read_numbers(pl.Series(["1970-01-31", "1970-02-30"]), ColumnType.DATE).tolist()
    [30.0, nan]
    >>> read_numbers(pl.Series(["1970-01-01T00:01:00.5", "1970-01-01 01:00+01:00"]), ColumnType.DATETIME).tolist()
    [60.5, 0.0]
    """
    if kind not in NUMERIC_TYPES:
        return np.full(len(values), np.nan)
    values = values.alias("")  # Polars takes a name such as ^a$ for a pattern
    numbers = _from_type(values, kind)
    if numbers is None:
        texts = values.alias("").to_frame().select(text_of(pl.nth(0), values.dtype)).to_series()
        numbers = _from_texts(texts.str.strip_chars(), kind)
    return numbers.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _from_type(values: pl.Series, kind: ColumnType) -> pl.Series | None:
    """The numbers of a column whose type is already ``kind``; None where they must be read from its texts."""
    dtype = values.dtype
    if dtype.is_decimal() or dtype == pl.Float32:
        return None  # as their texts say: 0.1 is the nearest double to 0.1, whatever type held it
    if dtype.is_numeric() and kind not in DATES:
        return values.cast(pl.Float64)
    if dtype == pl.Date and kind == ColumnType.DATE:
        return values.to_physical()
    if isinstance(dtype, pl.Datetime) and kind == ColumnType.DATETIME:
        units = {"ms": 1_000, "us": 1_000_000, "ns": 1_000_000_000}[dtype.time_unit]
        instants = values.to_physical()
        # Whole seconds apart from the rest, as texts are read: the same instant must be the same number.
        return (instants // units).cast(pl.Float64) + (instants % units).cast(pl.Float64) / units
    return None


def _from_texts(texts: pl.Series, kind: ColumnType) -> pl.Series:
    if kind == ColumnType.DATE:
        return _days(texts)
    if kind == ColumnType.DATETIME:
        return _seconds(texts)
    return texts.cast(pl.Float64, strict=False)


def _days(texts: pl.Series) -> pl.Series:
    return texts.str.to_date("%Y-%m-%d", strict=False).to_physical()


def _seconds(texts: pl.Series) -> pl.Series:
    parts = texts.str.extract_groups(_TIME).struct.unnest()

    def whole(names: Sequence[str]) -> list[pl.Series]:
        return [parts.get_column(name).cast(pl.Int64, strict=False) for name in names]

    hour, minute = whole(["hour", "minute"])
    east_hour, east_minute = whole(["east_hour", "east_minute"])
    east = (east_hour * 3600 + east_minute * 60).fill_null(0)
    east = pl.select(pl.when(parts.get_column("sign") == "-").then(-east).otherwise(east)).to_series()
    day = _days(parts.get_column("day")).cast(pl.Int64)
    second = parts.get_column("second").cast(pl.Float64).fill_null(0.0)
    return (day * _DAY_SECONDS + hour * 3600 + minute * 60 - east).cast(pl.Float64) + second
