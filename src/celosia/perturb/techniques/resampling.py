"""Resampling: values become what other draws from the same people would have shown."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["Resampling"]


class Resampling(Perturbation):
    """Resampling: the value of a certain rank becomes the mean of the values of that rank in some bootstrap samples.

    Of every column as many values as it has are drawn with replacement, several times, and each sample is sorted. The
    row that held the j-th smallest value gets the mean of the j-th smallest of the samples, so that the order of the
    rows stays. With more samples the values come closer to the original, but for the extremes, which move inwards.

    G. R. Heer: A bootstrap procedure to preserve statistical confidentiality in contingency tables. Eurostat, 1993;
    J. Domingo-Ferrer, J. M. Mateo-Sanz: Resampling for statistical confidentiality in contingency tables. Computers &
    Mathematics with Applications 38(11-12), 1999.

    >>> frame = pl.DataFrame({"age": [40.0, 10.0, 30.0, 20.0]})
    >>> Resampling(samples=2).perturb(frame, types={}, rng=np.random.default_rng(1))["age"].to_list()
    [40.0, 15.0, 40.0, 20.0]
    """

    name: ClassVar[str] = "resampling"
    keeps: ClassVar[str] = say("the order of the rows in every column, and values within its range")

    samples: int = Field(default=1, ge=1, description="samples that are drawn from every column")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with values of other samples."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        fresh = np.full_like(numbers, np.nan)
        for place in range(len(columns)):
            order = np.argsort(numbers[:, place], kind="stable")
            order = order[: np.count_nonzero(~np.isnan(numbers[:, place]))]
            if len(order) == 0:
                continue
            total = np.zeros(len(order))
            for _ in range(self.samples):
                total += np.sort(rng.choice(numbers[order, place], len(order)))
            fresh[order, place] = total / self.samples
        return put_numbers(frame, columns, fresh)
