"""Differential privacy by OpenDP: how much noise a promise takes, and the noise itself.

OpenDP is asked for both: its scales are proven, and its noise is drawn exactly, from a source that nobody can guess.
With a seed the scale is still OpenDP's, but the noise comes from a generator that repeats itself: whoever knows the
seed can take it away again. That is for experiments and tests, not for releases.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import polars as pl
from pydantic import Field, field_validator

from celosia.errors import ProjectError
from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import Matrix, numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = [
    "SEEDED",
    "PrivateNoise",
    "add_gaussian",
    "add_laplace",
    "bounds_in_order",
    "gaussian_scale",
    "laplace_scale",
]

SEEDED = say(
    "with a seed the noise can be repeated, and the promise holds only towards those who do not know the seed"
)


def laplace_scale(epsilon: float, distance: float) -> float:
    """The scale of Laplace noise under which numbers that differ by ``distance`` in all look alike up to epsilon.

    >>> laplace_scale(0.5, 1)
    2.0
    """
    dp = opendp()
    return float(
        dp.binary_search_param(lambda scale: _laplace(dp, scale), d_in=float(distance), d_out=float(epsilon))
    )


def gaussian_scale(epsilon: float, delta: float, distance: float) -> float:
    """The deviation of normal noise under which numbers at a distance look alike up to epsilon, but for delta.

    >>> 4 < gaussian_scale(1, 1e-6, 1) < 5
    True
    """
    dp = opendp()

    def make(scale: float) -> Any:
        return dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(_gaussian(dp, scale)), delta)

    return float(dp.binary_search_param(make, d_in=float(distance), d_out=(float(epsilon), float(delta))))


def add_laplace(numbers: Matrix, scale: float, rng: np.random.Generator | None) -> Matrix:
    """Numbers with Laplace noise, drawn by OpenDP where no generator is given."""
    if rng is not None:
        return numbers + rng.laplace(0, scale, numbers.shape)
    dp = opendp()
    return np.array(_laplace(dp, scale)(numbers.ravel().tolist())).reshape(numbers.shape)


def add_gaussian(numbers: Matrix, scale: float, rng: np.random.Generator | None) -> Matrix:
    """Numbers with normal noise, drawn by OpenDP where no generator is given."""
    if rng is not None:
        return numbers + rng.normal(0, scale, numbers.shape)
    dp = opendp()
    return np.array(_gaussian(dp, scale)(numbers.ravel().tolist())).reshape(numbers.shape)


def bounds_in_order(bounds: Mapping[str, tuple[float, float]]) -> Mapping[str, tuple[float, float]]:
    """Bounds whose lower ends are below the upper ones; others are refused."""
    for name, (low, high) in bounds.items():
        if not low < high:
            raise ValueError(
                say(
                    "the lower bound of {name} should be below the upper one, got {low} and {high}",
                    name=name,
                    low=low,
                    high=high,
                )
            )
    return bounds


def _laplace(dp: Any, scale: float) -> Any:
    return dp.m.make_laplace(
        dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float), scale=scale
    )


def _gaussian(dp: Any, scale: float) -> Any:
    return dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float), scale=scale
    )


def opendp() -> Any:
    """OpenDP, with the mechanisms that its authors call contributed, which are all there are."""
    try:
        import opendp.prelude as dp
    except ImportError:
        raise ProjectError(
            say("OpenDP is not installed"), where="technique", remedy=say('pip install "celosia[dp]"')
        ) from None
    dp.enable_features("contrib")
    return dp


class PrivateNoise(Perturbation):
    """What the mechanisms share: bounds that are given, and cells brought to the same scale before the noise.

    Each row is its own data set: that one person's row and any other row within the bounds look alike is called local
    differential privacy. The budget is that of a whole row.
    """

    missing: ClassVar[str] = say("a missing value stays missing; that it is missing is not protected")

    epsilon: float = Field(gt=0, description="privacy budget of a whole row, shared by its columns")
    bounds: Mapping[str, tuple[float, float]] = Field(
        min_length=1,
        description="for every column the least and the largest value, known without looking at the table",
    )

    @field_validator("bounds")
    @classmethod
    def _in_order(cls, bounds: Mapping[str, tuple[float, float]]) -> Mapping[str, tuple[float, float]]:
        return bounds_in_order(bounds)

    @property
    def named(self) -> tuple[str, ...]:
        """The columns named or, where none are, those with bounds."""
        return self.columns or tuple(self.bounds)

    def noisy(self, cells: Matrix, rng: np.random.Generator | None) -> Matrix:
        """Cells between 0 and 1 with noise; ``cells[row, column]``."""
        raise NotImplementedError

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with noise; values outside the bounds are cut to them first."""
        columns = self.model_copy(update={"columns": self.named}).choose(frame, types)
        for name in columns:
            if name not in self.bounds:
                raise ProjectError(
                    say("column {name!r} has no bounds", name=name),
                    where=self.name,
                    remedy=say("say between what values it lies, without looking at the table"),
                )
        numbers = numbers_of(frame, columns)
        low, high = (np.array([self.bounds[name][end] for name in columns]) for end in (0, 1))
        cells = (np.clip(numbers, low, high) - low) / (high - low)
        there = ~np.isnan(cells)
        noisy = self.noisy(np.where(there, cells, 0), None if self.seed is None else rng)
        return put_numbers(frame, columns, np.where(there, low + noisy * (high - low), np.nan))
