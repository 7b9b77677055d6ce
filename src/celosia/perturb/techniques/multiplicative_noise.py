"""Multiplicative noise: large numbers move further than small ones."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["MultiplicativeNoise"]


class MultiplicativeNoise(Perturbation):
    """Multiplicative noise: every number is multiplied by a lognormal one of mean 1.

    It hides large values, such as incomes and sales, in proportion to their size, where additive noise hides small
    ones only. Zeros stay zeros, and nobody changes sides between gain and loss.

    J. J. Kim, W. E. Winkler: Multiplicative noise for masking continuous data. US Bureau of the Census, 2003.

    With 10 percent most numbers move by less than a tenth of themselves.

    >>> frame = pl.DataFrame({"income": [0.0, 100.0, -100.0, 9000.0]})
    >>> noisy = MultiplicativeNoise(percent=10).perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> noisy["income"].round(1).to_list()
    [0.0, 108.0, -102.8, 7863.7]
    """

    name: ClassVar[str] = "multiplicative-noise"
    keeps: ClassVar[str] = say("zeros and signs, and the mean of every column in expectation")

    percent: float = Field(
        default=20, gt=0, description="deviation of the factor, in percent of its mean, which is 1"
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with noise."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        variance = np.log1p(
            (self.percent / 100) ** 2
        )  # of the logarithm, so that the factor deviates as asked
        factors = rng.lognormal(-variance / 2, np.sqrt(variance), numbers.shape)
        return put_numbers(frame, columns, numbers * factors)
