"""MDAV: rows that lie close together show their mean."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import polars as pl
from pydantic import Field

from celosia.perturb.groups import GROUPED, put_centroids, standardize
from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import numbers_of
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["Mdav"]


class Mdav(Perturbation):
    """Microaggregation by MDAV: groups of k or more rows that lie close together, each row showing their mean.

    If all quasi-identifiers are numbers and take part, the release is k-anonymous by them, and numbers stay numbers.
    Columns are brought to the same deviation first. Rows far out are grouped first: the one farthest from the mean of
    all with the k - 1 nearest to it, then the one farthest from that one, and so on (maximum distance to average
    vector). Of rows equally far the first in the table is taken.

    J. Domingo-Ferrer, V. Torra: Ordinal, continuous and heterogeneous k-anonymity through microaggregation. Data Mining
    and Knowledge Discovery 11(2), 2005, section 3.1.

    >>> frame = pl.DataFrame({"age": [20.0, 70.0, 22.0, 75.0, 21.0, 80.0], "pay": [10.0, 30.0, 11.0, 34.0, 12.0, 29.0]})
    >>> Mdav(k=3).perturb(frame, types={}, rng=np.random.default_rng()).rows()[:2]
    [(21.0, 11.0), (75.0, 31.0)]
    """

    name: ClassVar[str] = "mdav"
    keeps: ClassVar[str] = say("the mean of every column of reals without missing values")
    missing: ClassVar[str] = GROUPED

    k: int = Field(default=3, ge=2, description="rows that every group has at least")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with every number the mean of its group."""
        from celosia.kernels.mdav import mdav_groups

        columns = self.choose(frame, types)
        if not columns or not frame.height:
            return frame
        numbers = numbers_of(frame, columns)
        groups = mdav_groups(standardize(numbers), self.k)
        for place, name in enumerate(columns):
            frame = put_centroids(frame, name, numbers[:, place], groups, k=self.k)
        return frame
