"""Microaggregation of numbers, dates and categories together."""

from collections.abc import Mapping
from enum import StrEnum
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field

from celosia.perturb.groups import GROUPED, put_centroids, put_modes
from celosia.perturb.perturbation import CATEGORIES, PLAIN, Perturbation
from celosia.perturb.values import Matrix, codes_of, numbers_of
from celosia.say import join_texts, say
from celosia.types import ColumnType
from celosia.values.text import column_type

__all__ = ["Centroid", "MixedMicroaggregation"]


class Centroid(StrEnum):
    """What a group shows of its numbers."""

    MEAN = "mean"
    MEDIAN = "median"


class MixedMicroaggregation(Perturbation):
    """Microaggregation of mixed types: groups of k or more similar rows, each showing their mean or median, and mode.

    The steps are those of MDAV. Rows are as far apart as their columns add up to: numbers and dates by their difference
    in ranges of the column, categories by 0 or 1 (Gower's distance). Numbers and dates become the mean or median of
    their group, categories the most frequent one.

    J. Domingo-Ferrer, V. Torra: Ordinal, continuous and heterogeneous k-anonymity through microaggregation. Data Mining
    and Knowledge Discovery 11(2), 2005; J. C. Gower: A general coefficient of similarity and some of its properties.
    Biometrics 27(4), 1971.

    >>> jobs = ["cook", "cook", "judge", "judge", "nurse", "cook"]
    >>> frame = pl.DataFrame({"age": [20, 21, 70, 75, 24, 80], "job": jobs})
    >>> technique = MixedMicroaggregation(k=3)
    >>> technique.perturb(frame, types={}, rng=np.random.default_rng()).rows()[2:5]
    [(75, 'judge'), (75, 'judge'), (22, 'cook')]
    """

    name: ClassVar[str] = "mixed-microaggregation"
    keeps: ClassVar[str] = say(
        "the mean of every column of reals without missing values, if groups show means"
    )
    missing: ClassVar[str] = join_texts(
        "; ", [GROUPED, say("a missing category is a category when rows are grouped")]
    )
    kinds: ClassVar[tuple[ColumnType, ...]] = PLAIN

    k: int = Field(default=3, ge=2, description="rows that every group has at least")
    centroid: Centroid = Field(
        default=Centroid.MEAN,
        description="what a group shows of its numbers and dates: mean (the default) or median",
    )

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with every value what its group shows."""
        from celosia.kernels.mixed_mdav import mixed_groups

        columns = self.choose(frame, types)
        if not columns or not frame.height:
            return frame
        kinds = {name: types.get(name, column_type(frame.schema[name])) for name in columns}
        measured = [name for name in columns if kinds[name] not in CATEGORIES]
        named = [name for name in columns if kinds[name] in CATEGORIES]
        numbers = numbers_of(frame, measured)
        codes = np.empty((frame.height, len(named)), np.int64)
        for place, name in enumerate(named):
            codes[:, place] = codes_of(frame[name])[0]
        groups = mixed_groups(_in_ranges(numbers), codes + 1, _sizes(codes), self.k)
        for place, name in enumerate(measured):
            frame = put_centroids(frame, name, numbers[:, place], groups, k=self.k, centre=self.centroid)
        for place, name in enumerate(named):
            frame = put_modes(frame, name, codes[:, place], groups, k=self.k)
        return frame


def _in_ranges(numbers: Matrix) -> Matrix:
    """Every column from 0 to 1, missing values at the mean."""
    there = ~np.isnan(numbers)
    low = np.where(there, numbers, np.inf).min(axis=0)
    extent = np.where(there, numbers, -np.inf).max(axis=0) - low
    scaled = np.where(there, numbers - low, 0) / np.where(extent > 0, extent, 1)
    means = np.where(there, scaled, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    return np.ascontiguousarray(np.where(there, scaled, means))


def _sizes(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    return codes.max(axis=0) + 2 if codes.size else np.zeros(0, np.int64)
