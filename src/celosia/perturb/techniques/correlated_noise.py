"""Correlated noise: rows are moved along with the columns that go together."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import Matrix, numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["CorrelatedNoise"]


class CorrelatedNoise(Perturbation):
    """Correlated noise: to every row a normal one is added, whose covariances are a share of those of the table.

    All covariances grow by the factor 1 + percent / 100, so that the correlations stay. Rescaled, the noisy rows are
    drawn towards the mean until the covariances are those of before (Kim's transformation).

    J. J. Kim: A method for limiting disclosure in microdata based on random noise and transformation. ASA Survey
    Research Methods, 1986. The percentage is that of ``addNoise(method = "correlated")`` in sdcMicro.

    Where one column is twice the other, so is its noise.

    >>> frame = pl.DataFrame({"a": [1.0, 2.0, 6.0], "b": [2.0, 4.0, 12.0]})
    >>> noisy = CorrelatedNoise(percent=20).perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> (noisy["b"] / noisy["a"]).round(6).to_list()
    [2.0, 2.0, 2.0]
    """

    name: ClassVar[str] = "correlated-noise"
    keeps: ClassVar[str] = say("means and correlations in expectation, and covariances too if rescaled")
    missing: ClassVar[str] = say(
        "a missing value stays missing; covariances are those of the rows that lack nothing"
    )

    percent: float = Field(
        default=50, gt=0, description="covariances of the noise, in percent of those of the columns"
    )
    rescaled: bool = Field(
        default=False, description="whether variances are brought back to what they were before"
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with noise."""
        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        complete = numbers[~np.isnan(numbers).any(axis=1)]
        drawn = rng.standard_normal(numbers.shape)
        if len(complete) < 2 or not columns:
            return frame
        share = self.percent / 100
        noisy = numbers + drawn @ (np.sqrt(share) * _root(np.atleast_2d(np.cov(complete, rowvar=False))))
        if self.rescaled:
            mean = complete.mean(axis=0)
            noisy = mean + (noisy - mean) / np.sqrt(1 + share)
        return put_numbers(frame, columns, noisy)


def _root(covariances: Matrix) -> Matrix:
    """A matrix whose product with itself, the first transposed, is the one given, which may be singular."""
    lengths, ways = np.linalg.eigh(covariances)
    return np.asarray(np.sqrt(np.maximum(lengths, 0))[:, None] * ways.T)
