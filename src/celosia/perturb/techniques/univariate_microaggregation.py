"""Univariate microaggregation: every column grouped for itself, in the best way there is."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.groups import put_centroids
from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["UnivariateMicroaggregation"]


class UnivariateMicroaggregation(Perturbation):
    """Univariate microaggregation: every number becomes the mean of its k or more neighbours in the same column.

    The groups are those with the least loss, found as a shortest path. Each column is grouped for itself, so that the
    combination of several columns may still be unique: rows are not k-anonymous.

    S. L. Hansen, S. Mukherjee: A polynomial algorithm for optimal univariate microaggregation. IEEE Transactions on
    Knowledge and Data Engineering 15(4), 2003.

    >>> frame = pl.DataFrame({"age": [20.0, 21.0, 22.0, 70.0, 80.0, 23.0, 75.0]})
    >>> technique = UnivariateMicroaggregation(k=3)
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng())["age"].to_list()
    [21.5, 21.5, 21.5, 75.0, 75.0, 21.5, 75.0]
    """

    name: ClassVar[str] = "univariate-microaggregation"
    keeps: ClassVar[str] = say(
        "the mean of every column of reals with at least k values, and the order of its values"
    )
    missing: ClassVar[str] = say(
        "a missing value stays missing; where fewer than k are there, they become missing too"
    )
    caution: ClassVar[str] = say("rows are not k-anonymous: every column is grouped for itself")

    k: int = Field(default=3, ge=2, description="values that every group has at least")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with every number the mean of its neighbours."""
        from celosia.kernels.optimal_groups import optimal_groups

        columns = self.choose(frame, types)
        numbers = numbers_of(frame, columns)
        for place, name in enumerate(columns):
            column = numbers[:, place]
            order = np.argsort(column, kind="stable")  # missing values come last
            present = order[: np.count_nonzero(~np.isnan(column))]
            groups = np.full(frame.height, -1, np.int64)
            groups[present] = optimal_groups(column[present], self.k)
            frame = put_centroids(frame, name, column, groups, k=self.k)
        return frame
