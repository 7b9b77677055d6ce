"""The Gaussian mechanism: as the Laplace mechanism, with less noise where a row has many columns."""

from typing import ClassVar

import numpy as np
from pydantic import Field

from celosia.perturb.private import SEEDED, PrivateNoise, add_gaussian, gaussian_scale
from celosia.perturb.values import Matrix
from celosia.say import say

__all__ = ["Gaussian"]


class Gaussian(PrivateNoise):
    """The Gaussian mechanism: (epsilon, delta)-differential privacy for every row by itself.

    Of d columns within their bounds two rows lie at most the root of d ranges apart, and normal noise hides such a
    distance. But for a chance of delta the odds between any two rows change by at most the factor exp(epsilon).
    The deviation is the one that OpenDP proves, by way of zero-concentrated differential privacy.

    C. Dwork, A. Roth: The algorithmic foundations of differential privacy, 2014, section 3.5; M. Bun, T. Steinke:
    Concentrated differential privacy. TCC 2016.

    >>> import polars as pl
    >>> technique = Gaussian(epsilon=10, delta=1e-6, bounds={"age": (0, 100)}, seed=1)
    >>> frame = pl.DataFrame({"age": [30.0, 40.0, 130.0]})
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng(1))["age"].round(0).to_list()
    [50.0, 87.0, 119.0]
    """

    name: ClassVar[str] = "gaussian"
    keeps: ClassVar[str] = say("the mean, in expectation, of every column as cut to its bounds")
    caution: ClassVar[str] = SEEDED

    delta: float = Field(gt=0, lt=1, description="the chance that the promise does not hold; below 1 / rows")

    def noisy(self, cells: Matrix, rng: np.random.Generator | None) -> Matrix:
        """Cells with normal noise."""
        distance = float(np.sqrt(max(1, cells.shape[1])))
        return add_gaussian(cells, gaussian_scale(self.epsilon, self.delta, distance), rng)
