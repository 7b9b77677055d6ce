"""Additive noise: every number gets a little of its own."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers, spread
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["Noise"]


class Noise(Perturbation):
    """Additive noise: to every number a normal one is added, whose deviation is a share of that of its column.

    The noise of every cell is drawn by itself, so that differences between columns get noisy too: correlations
    shrink, and the variance grows by the factor 1 + (percent / 100)². Extreme values stay extreme.

    J. J. Kim: A method for limiting disclosure in microdata based on random noise and transformation. ASA Survey
    Research Methods, 1986. The percentage is that of ``addNoise(method = "additive")`` in sdcMicro.

    A column of standard deviation 10 with 50 percent of noise: each value gets a normal number of deviation 5.

    >>> frame = pl.DataFrame({"age": [20.0, 30.0, 40.0]})
    >>> Noise(percent=50).perturb(frame, types={}, rng=np.random.default_rng(1))["age"].round(2).to_list()
    [21.73, 34.11, 41.65]
    """

    name: ClassVar[str] = "noise"
    keeps: ClassVar[str] = say("the mean of every column, in expectation")

    percent: float = Field(
        default=50, gt=0, description="deviation of the noise, in percent of that of the column"
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with noise."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        drawn = rng.standard_normal(numbers.shape)
        return put_numbers(frame, columns, numbers + drawn * spread(numbers) * self.percent / 100)
