"""Columns that follow the order of the rows: row numbers, and times of which each is later than the one before."""

import numpy as np
import polars as pl

from celosia.hierarchies.dates import days
from celosia.profile.reasons import Reason
from celosia.say import say

__all__ = ["follows_rows"]

FEWEST = 20
"""In fewer rows than this an order may be chance."""
SHARE = 0.95
"""This share of the neighbours must be in order; the rest may have been written a little late."""


def follows_rows(values: pl.Series) -> Reason | None:
    """Why the values of the first rows, in their order, tell where a row stood; None if they do not.

    Shuffled rows can be put back into their order by such a column. One that repeats its values, as a table sorted by
    town does, tells no single row.

    >>> print(follows_rows(pl.Series(range(100, 200))))
    its values rise from row to row
    >>> follows_rows(pl.Series([3, 1, 2] * 20))
    """
    numbers = _as_numbers(values)
    if len(numbers) < FEWEST:
        return None
    steps = np.diff(numbers)
    if len(np.unique(numbers)) <= len(numbers) / 2:
        return None
    if (steps > 0).mean() >= SHARE:
        return Reason("follows-rows", say("its values rise from row to row"))
    if (steps < 0).mean() >= SHARE:
        return Reason("follows-rows", say("its values fall from row to row"))
    return None


def _as_numbers(values: pl.Series) -> np.ndarray:
    """Numbers, dates and times as numbers that grow with them, without the missing ones; none of anything else."""
    present = values.alias("value").drop_nulls()
    if present.dtype.is_numeric():
        return present.cast(pl.Float64).to_numpy()
    if present.dtype.is_temporal():
        return present.to_physical().to_numpy()
    if present.dtype != pl.String:
        return np.empty(0)
    numbers = present.cast(pl.Float64, strict=False)
    if len(present) and numbers.null_count() == 0:
        return numbers.to_numpy()
    iso = days(present)
    if iso.null_count():
        return np.empty(0)
    # The day, and after it the time as it is written: its digits are in order.
    times = present.str.extract(r"[T ](.*)$").fill_null("")
    return (iso + times).rank("dense").to_numpy()
