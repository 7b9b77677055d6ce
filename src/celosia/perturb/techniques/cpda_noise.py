"""The noise of the original comparator of precision: a shift."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers, spread
from celosia.types import ColumnType

__all__ = ["CpdaNoise"]


class CpdaNoise(Perturbation):
    """Column-constant noise, as CPDA does it: one number per column is added to all its values.

    It is drawn between a quarter of the standard deviation and all of it. All differences, ranks and repetitions stay:
    whoever knows one true value of a column knows all. It is here so that published comparisons can be repeated.

    V. I. Liñayo Vega: Anonimización para minería de datos en entornos médicos. Universidad de Zaragoza, 2020.

    >>> frame = pl.DataFrame({"age": [20.0, 30.0, 40.0]})
    >>> shifted = CpdaNoise().perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> (shifted["age"] - frame["age"]).round(6).to_list()
    [6.338662, 6.338662, 6.338662]
    """

    name: ClassVar[str] = "cpda-noise"
    keeps: ClassVar[str] = "deviations, correlations, ranks and all differences within a column"
    caution: ClassVar[str] = "it is a shift, not protection: one known value gives away its whole column"

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with shifted columns."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        deviation = spread(numbers)
        shift = deviation / 4 + (deviation - deviation / 4) * rng.random(len(columns))
        return put_numbers(frame, columns, numbers + shift)
