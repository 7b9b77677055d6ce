"""Columns as arrays, and arrays as columns of the type that was there before."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import TableError
from celosia.say import say

__all__ = ["Matrix", "blank", "codes_of", "draw_by", "numbers_of", "put_numbers", "reorder", "spread"]

Matrix = npt.NDArray[np.float64]


def numbers_of(frame: pl.DataFrame, columns: Sequence[str]) -> Matrix:
    """``numbers[row, column]``: numbers as they are, dates as days or moments since 1970, NaN where missing.

    >>> numbers_of(pl.DataFrame({"a": [1, None], "b": ["0.5", "2"]}), ["a", "b"]).tolist()
    [[1.0, 0.5], [nan, 2.0]]
    """
    numbers = np.empty((frame.height, len(columns)))
    for place, name in enumerate(columns):
        values = frame[name].alias("")  # Polars takes a name such as ^a$ for a pattern
        plain = values.to_physical() if values.dtype.is_temporal() else values
        reals = plain.cast(pl.Float64, strict=False)
        if reals.null_count() > values.null_count():
            raise TableError(
                say("column {name!r} holds texts that are no numbers", name=name),
                remedy=say("name another column, or mend them"),
            )
        if reals.is_infinite().any():
            raise TableError(
                say("column {name!r} holds infinite values", name=name),
                remedy=say("replace them, or leave the column out"),
            )
        numbers[:, place] = reals.fill_null(np.nan).to_numpy()
    return numbers


def put_numbers(frame: pl.DataFrame, columns: Sequence[str], numbers: Matrix) -> pl.DataFrame:
    """The table with other numbers in some columns, of the type each column has; NaN leaves what is there.

    Whole numbers and dates are rounded to the nearest that their type can hold.

    >>> put_numbers(pl.DataFrame({"a": [1, None]}), ["a"], np.array([[3.6], [np.nan]]))["a"].to_list()
    [4, None]
    """
    changed = []
    for place, name in enumerate(columns):
        before = frame[name].alias("")
        fresh = pl.Series("", numbers[:, place], nan_to_null=True)
        changed.append(_as_type(fresh, before).zip_with(fresh.is_not_null(), before).alias(name))
    return frame.with_columns(changed)


def blank(values: pl.Series, is_blank: npt.NDArray[np.bool_]) -> pl.Series:
    """A column with values missing in some rows.

    >>> blank(pl.Series([1, 2]), np.array([True, False])).to_list()
    [None, 2]
    """
    return values.zip_with(
        pl.Series(~is_blank), pl.Series(values.name, [None] * len(values), dtype=values.dtype)
    )


def _as_type(numbers: pl.Series, before: pl.Series) -> pl.Series:
    """Reals as values of the type of another column."""
    dtype = before.dtype
    if dtype.is_integer():
        ends = np.iinfo(str(dtype).lower() if dtype != pl.Int128 else "int64")
        # The largest 64-bit numbers are no reals; the next one down is.
        return numbers.round().clip(float(ends.min), float(np.nextafter(float(ends.max), 0))).cast(dtype)
    if dtype.is_temporal():
        return numbers.round().cast(before.to_physical().dtype).cast(dtype)
    if dtype == pl.String:
        is_whole = before.drop_nulls().str.strip_chars().cast(pl.Int64, strict=False).null_count() == 0
        return (numbers.round().cast(pl.Int64) if is_whole else numbers).cast(pl.String)
    return numbers.cast(dtype)


def spread(numbers: Matrix) -> Matrix:
    """The standard deviation of every column, of the values that are there; 0 where fewer than two are.

    >>> spread(np.array([[1.0], [3.0], [np.nan]])).tolist()
    [1.4142135623730951]
    """
    there = ~np.isnan(numbers)
    count = there.sum(axis=0)
    mean = np.where(there, numbers, 0).sum(axis=0) / np.maximum(count, 1)
    squares = (np.where(there, numbers - mean, 0) ** 2).sum(axis=0)
    return np.asarray(np.sqrt(squares / np.maximum(count - 1, 1)))


def codes_of(values: pl.Series) -> tuple[npt.NDArray[np.int64], pl.Series]:
    """``codes[row]``, counting up in the order of the values, -1 where missing; and the value of every code.

    >>> codes, values = codes_of(pl.Series(["b", None, "a"]))
    >>> codes.tolist(), values.to_list()
    ([1, -1, 0], ['a', 'b'])
    """
    values = values.alias("")
    if values.dtype.is_float():
        values = values.fill_nan(None)
    if values.dtype in (pl.Categorical, pl.Enum):  # in the order of texts, not of appearance
        values = values.cast(pl.String)
    ranks = values.rank("dense").cast(pl.Int64) - 1
    return ranks.fill_null(-1).to_numpy(), values.drop_nulls().unique().sort()


def reorder(values: pl.Series, rows: npt.NDArray[np.integer]) -> pl.Series:
    """A column with the value of row ``rows[i]`` in row i.

    >>> reorder(pl.Series("a", [5, 6]), np.array([1, 0])).to_list()
    [6, 5]
    """
    return values.alias("").gather(pl.Series(rows, dtype=pl.UInt32)).alias(values.name)


def draw_by(
    weights: npt.NDArray[np.integer | np.floating], which: npt.NDArray[np.int64], rng: np.random.Generator
) -> npt.NDArray[np.int64]:
    """For each entry of ``which`` a place in that row of ``weights``, the heavier the likelier; even if all are 0.

    >>> draw_by(np.array([[0.0, 1.0], [3.0, 0.0]]), np.array([0, 1, 1]), np.random.default_rng()).tolist()
    [1, 0, 0]
    """
    width = weights.shape[1]
    if len(which) == 0:
        return np.zeros(0, np.int64)
    even = np.where(weights.sum(axis=1, keepdims=True) > 0, weights, 1)
    sums = np.cumsum(even, axis=1) / even.sum(axis=1, keepdims=True)
    # All rows one behind the other: what is looked for in row i lies between i and i + 1.
    ends = (sums + np.arange(len(sums))[:, None]).ravel()
    places = np.searchsorted(ends, which + rng.random(len(which)), side="right") - which * width
    # Sums that fall short of 1 by a rounding end at the last place that has a weight.
    last = width - 1 - np.argmax(even[:, ::-1] > 0, axis=1)
    return np.asarray(np.minimum(places, last[which]))
