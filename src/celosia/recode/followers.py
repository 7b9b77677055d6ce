"""Columns that follow from another in every row, as a department from its city: they are shown as they go together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.recode.space import Axis, Space

__all__ = ["Follower", "find_followers", "follow"]

Integers = npt.NDArray[np.int64]
LEAST_VALUES = 5
EACH = 10
"""Rows that every value of the other column has on the average: with fewer, a column follows from it by chance."""


@dataclass(frozen=True)
class Follower:
    """The number of an axis, that of the axis it follows from, and its code for every code of that one."""

    child: int
    parent: int
    code_of: Integers


def find_followers(space: Space, numbers: Sequence[int]) -> list[Follower]:
    """Of some axes, those that follow from another of them, in an order in which one after the other can be settled.

    Each follows from the axis with fewest values that tells it: a country from a department, that from a city.
    """
    sizes = {number: len(space.axes[number]) for number in numbers}
    most = space.rows / EACH
    parents = sorted((n for n in numbers if LEAST_VALUES <= sizes[n] <= most), key=lambda n: sizes[n])
    found = []
    for child in sorted(numbers, key=lambda n: -sizes[n]):
        for parent in parents:
            if sizes[child] < sizes[parent]:
                code_of = _codes(space, child, parent)
                if code_of is not None:
                    found.append(Follower(child, parent, code_of))
                    break
    return found


def _codes(space: Space, child: int, parent: int) -> Integers | None:
    """The code of the child for every code of the parent, -1 where that does not occur; None if it does not follow."""
    of, codes = space.codes[:, parent], space.codes[:, child]
    code_of = np.full(len(space.axes[parent]), -1, np.int64)
    code_of[of] = codes
    return code_of if bool((code_of[of] == codes).all()) else None


def follow(axis: Axis, shown: pl.Series, code_of: Integers) -> Integers:
    """The codes that a follower shows where its parent shows these values, -1 where that tells nothing.

    A median or a mean may fall between values: then it is the nearest of them that is followed.
    """
    values = axis.values.slice(0, axis.missing)
    if (
        axis.is_ordered
        and values.dtype.is_numeric() | values.dtype.is_temporal()
        and not values.dtype.is_decimal()
    ):
        known = values.to_physical().cast(pl.Float64).to_numpy()
        asked = shown.to_physical().cast(pl.Float64).to_numpy()
        above = np.clip(np.searchsorted(known, asked), 1, max(1, len(known) - 1))
        codes = np.where(
            asked - known[above - 1] <= known[np.minimum(above, len(known) - 1)] - asked, above - 1, above
        )
        codes = np.minimum(codes, len(known) - 1)
    else:
        place = pl.DataFrame({"value": values.cast(pl.String), "code": np.arange(len(values))})
        asked_for = pl.DataFrame({"value": shown.cast(pl.String)})
        joined = asked_for.join(place, on="value", how="left", maintain_order="left")
        codes = joined.get_column("code").fill_null(-1).to_numpy()
    is_missing = shown.is_null().to_numpy()
    missing = axis.missing if axis.missing < len(axis) else -1
    codes = np.where(is_missing, missing, codes)
    return np.where(codes < 0, -1, code_of[codes])
