"""Random rounding: up or down by chance, so that sums stay right."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["RandomRounding"]


class RandomRounding(Perturbation):
    """Unbiased random rounding: every number becomes one of the two multiples of a base around it.

    The nearer one has the better chance, in proportion, so that a number is kept in expectation. Nobody can tell from
    a multiple more than that the true number is less than a base away. Multiples stay what they are.

    I. P. Fellegi: Controlled random rounding. Survey Methodology 1(2), 1975.

    With base 5, 12 becomes 10 with a chance of 3/5 and 15 with a chance of 2/5.

    >>> frame = pl.DataFrame({"visits": [12, 12, 12, 12, 12, 15]})
    >>> RandomRounding(base=5).perturb(frame, types={}, rng=np.random.default_rng(1))["visits"].to_list()
    [10, 10, 15, 10, 15, 15]
    """

    name: ClassVar[str] = "random-rounding"
    keeps: ClassVar[str] = say("every value in expectation, and to within the base")

    base: float = Field(gt=0, description="numbers become multiples of this")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with rounded numbers."""
        columns = self.choose(frame, types)
        parts = numbers_of(frame, columns) / self.base
        # A multiple that division left a hair off is a multiple, not a chance to move by a whole base.
        parts = np.where(np.isclose(parts, np.rint(parts), rtol=1e-12, atol=1e-12), np.rint(parts), parts)
        below = np.floor(parts)
        rounded = below + (rng.random(parts.shape) < parts - below)
        return put_numbers(frame, columns, np.where(np.isnan(parts), np.nan, rounded * self.base))
