"""The Laplace mechanism: noise that makes any two rows look alike, with proof."""

from typing import ClassVar

import numpy as np

from celosia.perturb.private import SEEDED, PrivateNoise, add_laplace, laplace_scale
from celosia.perturb.values import Matrix
from celosia.say import say

__all__ = ["Laplace"]


class Laplace(PrivateNoise):
    """The Laplace mechanism: epsilon-differential privacy for every row by itself.

    Of d columns within their bounds two rows differ by at most d ranges, so that each value gets Laplace noise of the
    scale d / epsilon, in ranges of its column. What anyone learns from a released row changes the odds between any
    two rows by at most the factor exp(epsilon), whatever else they know. That takes much noise: with one column and
    epsilon 1 the deviation is 1.4 times the range.

    C. Dwork, F. McSherry, K. Nissim, A. Smith: Calibrating noise to sensitivity in private data analysis. TCC 2006.

    Ages between 0 and 100 with epsilon 10: Laplace noise of scale 10.

    >>> import polars as pl
    >>> technique = Laplace(epsilon=10, bounds={"age": (0, 100)}, seed=1)
    >>> frame = pl.DataFrame({"age": [30.0, 40.0, 130.0]})
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng(1))["age"].round(1).to_list()
    [30.2, 63.1, 87.6]
    """

    name: ClassVar[str] = "laplace"
    keeps: ClassVar[str] = say("the mean, in expectation, of every column as cut to its bounds")
    caution: ClassVar[str] = SEEDED

    def noisy(self, cells: Matrix, rng: np.random.Generator | None) -> Matrix:
        """Cells with Laplace noise."""
        return add_laplace(cells, laplace_scale(self.epsilon, max(1, cells.shape[1])), rng)
