"""The noise of the original comparator of precision: a shift."""

from collections.abc import Mapping
from typing import ClassVar, Self

import numpy as np
import polars as pl
from pydantic import Field, model_validator

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers, spread
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["CpdaNoise"]


class CpdaNoise(Perturbation):
    """Column-constant noise, as CPDA does it: one number per column is added to all its values.

    It is drawn between a quarter of the standard deviation and all of it, unless said. All differences, ranks and
    repetitions stay: whoever knows one true value of a column knows all. It is here so that published comparisons can
    be repeated.

    V. I. Liñayo Vega: Anonimización para minería de datos en entornos médicos. Universidad de Zaragoza, 2020.

    >>> frame = pl.DataFrame({"age": [20.0, 30.0, 40.0]})
    >>> shifted = CpdaNoise().perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> (shifted["age"] - frame["age"]).round(6).to_list()
    [6.338662, 6.338662, 6.338662]
    """

    name: ClassVar[str] = "cpda-noise"
    keeps: ClassVar[str] = say("deviations, correlations, ranks and all differences within a column")
    caution: ClassVar[str] = say("it is a shift, not protection: one known value gives away its whole column")

    least: float = Field(default=0.25, ge=0, description="the smallest shift, in deviations of the column")
    most: float = Field(default=1.0, ge=0, description="the largest shift, in deviations of the column")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.least > self.most:
            raise ValueError(
                say(
                    "the smallest shift should not be above the largest, got {least} and {most}",
                    least=self.least,
                    most=self.most,
                )
            )
        return self

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with shifted columns."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        deviation = spread(numbers)
        shift = deviation * (self.least + (self.most - self.least) * rng.random(len(columns)))
        return put_numbers(frame, columns, numbers + shift)
