"""Bounded noise: no number moves far, and none leaves the range of its column."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["BoundedNoise"]


class BoundedNoise(Perturbation):
    """Bounded noise: every number moves by an even chance up to a share of the range of its column, and no further.

    What would leave the range is reflected at its end, so that no age becomes negative. Whoever sees a value knows
    for certain within what distance the true one lies: that is what it costs.

    R. Brand: Microdata protection through noise addition. In: Inference Control in Statistical Databases, LNCS 2316,
    2002, section 2, of noise in general.

    Ages from 20 to 70 and a share of 0.1: nobody gets more than 5 years older or younger.

    >>> frame = pl.DataFrame({"age": [20, 21, 69, 70]})
    >>> BoundedNoise(share=0.1).perturb(frame, types={}, rng=np.random.default_rng(1))["age"].to_list()
    [20, 26, 65, 66]
    """

    name: ClassVar[str] = "bounded-noise"
    keeps: ClassVar[str] = say("the range of every column, and every value to within a share of that range")

    share: float = Field(
        default=0.1,
        gt=0,
        le=1,
        description="how far a value moves at most, as a share of the range of its column",
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with noise."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        low = np.fmin.reduce(numbers, axis=0, initial=np.inf)
        high = np.fmax.reduce(numbers, axis=0, initial=-np.inf)
        is_there = low <= high  # a column without any value has no range
        low, high = np.where(is_there, low, 0), np.where(is_there, high, 0)
        moved = numbers + rng.uniform(-1, 1, numbers.shape) * self.share * (high - low)
        moved = np.where(moved < low, 2 * low - moved, moved)
        moved = np.where(moved > high, 2 * high - moved, moved)
        return put_numbers(frame, columns, np.clip(moved, low, high))
