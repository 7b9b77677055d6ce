"""Groups of rows, and what a group shows instead of its values."""

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.perturb.values import Matrix, blank, put_numbers, reorder, spread
from celosia.say import say

__all__ = ["GROUPED", "Groups", "put_centroids", "put_modes", "standardize"]

Groups = npt.NDArray[np.int64]

GROUPED = say(
    "a missing value counts as the mean when rows are grouped and stays missing; where fewer than k values of a group "
    "are there, they become missing too"
)


def standardize(numbers: Matrix) -> Matrix:
    """Every column with mean 0 and deviation 1, missing values and columns of one value being 0 throughout.

    >>> standardize(np.array([[1.0, 5.0], [3.0, 5.0], [2.0, np.nan]])).tolist()
    [[-1.0, 0.0], [1.0, 0.0], [0.0, 0.0]]
    """
    there = ~np.isnan(numbers)
    mean = np.where(there, numbers, 0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    deviation = spread(numbers)
    scaled = np.where(there, numbers - mean, 0) / np.where(deviation > 0, deviation, 1)
    return np.ascontiguousarray(np.where(deviation > 0, scaled, 0))


def put_centroids(
    frame: pl.DataFrame, column: str, numbers: Matrix, groups: Groups, *, k: int, centre: str = "mean"
) -> pl.DataFrame:
    """The table with the mean or median of its group in place of every number of a column; ``numbers[row]``.

    What would be the mean of fewer than k values tells too much of them: those become missing.

    >>> frame = pl.DataFrame({"a": [1.0, 2.0, 9.0]})
    >>> groups = np.array([0, 0, 1])
    >>> put_centroids(frame, "a", frame["a"].to_numpy(), groups, k=2)["a"].to_list()
    [1.5, 1.5, None]
    """
    cells = pl.DataFrame({"group": groups, "value": pl.Series(numbers, nan_to_null=True)})
    value = pl.col("value")
    shown = cells.select(
        (value.mean() if centre == "mean" else value.median()).over("group").alias("centroid"),
        value.count().over("group").alias("there"),
        value.is_not_null().alias("is_there"),
    )
    centroids = shown["centroid"].fill_null(np.nan).to_numpy()
    is_there = shown["is_there"].to_numpy()
    filled = put_numbers(frame, [column], np.where(is_there, centroids, np.nan)[:, None])
    too_few = is_there & (shown["there"].to_numpy() < k)
    return filled.with_columns(blank(filled[column], too_few)) if too_few.any() else filled


def put_modes(
    frame: pl.DataFrame, column: str, codes: npt.NDArray[np.int64], groups: Groups, *, k: int
) -> pl.DataFrame:
    """The table with the most frequent value of its group in place of every value of a column; -1 codes missing ones.

    Of equally frequent values the first in their order is taken.

    >>> frame = pl.DataFrame({"a": ["x", "y", "x", "z"]})
    >>> put_modes(frame, "a", np.array([0, 1, 0, 2]), np.array([0, 0, 0, 1]), k=3)["a"].to_list()
    ['x', 'x', 'x', None]
    """
    cells = pl.DataFrame({"group": groups, "code": codes, "row": np.arange(len(codes))})
    there = cells.filter(pl.col("code") >= 0)
    tallied = there.group_by("group", "code").agg(pl.len().alias("times"), pl.col("row").first())
    modes = (
        tallied.sort("times", "code", descending=[True, False])
        .group_by("group", maintain_order=True)
        .agg(pl.col("row").first(), pl.col("times").sum())
    )
    joined = cells.join(modes, on="group", how="left", maintain_order="left", suffix="_mode")
    is_kept = pl.Series(codes >= 0) & (joined["times"].fill_null(0) >= k)
    source = joined["row_mode"].fill_null(0) if frame.height else joined["row_mode"]
    values = reorder(frame[column], source.to_numpy())
    return frame.with_columns(blank(values, ~is_kept.to_numpy()))
