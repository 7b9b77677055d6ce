"""The column that cuts by information gain are to tell about."""

from dataclasses import replace

import numpy as np
import polars as pl

from celosia.recode.space import Integers, Space, axis_values
from celosia.types import DATES, NUMBERS, ColumnType
from celosia.values.text import texts_of

__all__ = ["with_target"]

MOST_VALUES = 32
"""Of more different values than this, numbers and dates are told apart by tenths of the people, and of others only the
most frequent ones."""
TENTHS = 10


def with_target(space: Space, name: str | None, types: dict[str, ColumnType]) -> Space:
    """The same space; a target of many numbers is put into ranges that hold about as many people each."""
    if name is None:
        return space
    codes, known = space.sensitive[name]
    kind = types.get(name, ColumnType.TEXT)
    if len(known) <= MOST_VALUES:
        return space
    if kind not in NUMBERS and kind not in DATES:
        return _with_frequent(space, name, codes, len(known))
    typed = pl.Series(known)
    values = axis_values(typed, texts_of(typed), kind, name=name)
    places = values.to_physical().cast(pl.Float64).to_numpy()
    place = np.argsort(np.argsort(np.where(np.isnan(places), np.inf, places), kind="stable"), kind="stable")
    people = np.bincount(place[codes], weights=space.weights, minlength=len(known))
    middle = np.cumsum(people) - people / 2
    tenth = np.minimum(TENTHS - 1, (middle / people.sum() * TENTHS).astype(np.int64))
    named = tuple(str(number) for number in range(TENTHS))
    return replace(space, targets={**space.targets, name: (tenth[place][codes], named)})


def _with_frequent(space: Space, name: str, codes: Integers, size: int) -> Space:
    """The most frequent values by themselves, all others as one more."""
    people = np.bincount(codes, weights=space.weights, minlength=size)
    place = np.full(size, MOST_VALUES - 1, np.int64)
    place[np.argsort(-people, kind="stable")[: MOST_VALUES - 1]] = np.arange(MOST_VALUES - 1)
    named = tuple(str(number) for number in range(MOST_VALUES))
    return replace(space, targets={**space.targets, name: (place[codes], named)})
