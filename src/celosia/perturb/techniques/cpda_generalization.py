"""The generalization of the original comparator of precision: numbers become numbers of ranges."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["CpdaGeneralization"]


class CpdaGeneralization(Perturbation):
    """Four-range generalization, as CPDA does it: each number becomes the number of the range it lies in.

    The range of a column, from its least to its largest value, is cut into four of equal width, which are not told.
    A value on a cut belongs to the range above it; a column of one value becomes 1. It also brings all columns to the
    same scale, which alone makes some models better: compare with a scaled table. The original took the ranges from
    the table that was loaded; here they come from the table as it arrives.

    V. I. Liñayo Vega: Anonimización para minería de datos en entornos médicos. Universidad de Zaragoza, 2020.

    From 15 to 80 the cuts are at 31.25, 47.5 and 63.75.

    >>> frame = pl.DataFrame({"age": [15.0, 31.25, 40.0, 63.0, 80.0]})
    >>> CpdaGeneralization().perturb(frame, types={}, rng=np.random.default_rng())["age"].to_list()
    [1.0, 2.0, 2.0, 3.0, 4.0]
    """

    name: ClassVar[str] = "cpda-generalization"
    keeps: ClassVar[str] = say("the order of values that fall into different ranges")

    ranges: int = Field(default=4, ge=1, description="ranges of equal width that every column is cut into")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with numbers of ranges."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        for place in range(len(columns)):
            column = numbers[:, place]
            there = ~np.isnan(column)
            if there.any():
                low, high = column[there].min(), column[there].max()
                cuts = low + np.arange(1, self.ranges) * ((high - low) / self.ranges)
                codes = 1 + np.searchsorted(cuts, column[there], side="right")
                column[there] = codes if low < high else 1
        return put_numbers(frame, columns, numbers)
