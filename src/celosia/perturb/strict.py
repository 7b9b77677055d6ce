"""Local suppression where a missing value is a value of its own: classes that a plain count finds."""

from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

__all__ = ["suppress_strictly"]

Codes = npt.NDArray[np.int64]

MANY = 10
"""Of more columns not all sets are tried, but only the cheapest column, the two cheapest, and so on."""


def suppress_strictly(codes: Codes, k: int, costs: npt.NDArray[np.float64]) -> Codes:
    """``codes[row, column]`` with -1 in cells so that every combination that is left has k rows or more.

    The sets of columns are tried from the cheapest on: rows that have no class yet, and agree with k - 1 others in all
    other columns, give up the set. The few rows that are left at the end give up everything, with the smallest class.

    >>> codes = np.array([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> suppress_strictly(codes, 2, np.ones(2)).tolist()
    [[0, -1], [0, -1], [1, 1], [1, 1]]
    """
    codes = codes.copy()
    rows, width = codes.shape
    left = np.arange(rows)
    for gone in _sets(costs):
        if len(left) == 0:
            break
        kept = [c for c in range(width) if c not in gone]
        is_safe = _class_sizes(codes[left][:, kept]) >= k
        codes[left[is_safe][:, None], list(gone)] = -1
        left = left[~is_safe]
    codes[left] = -1
    if 0 < len(left) < rows:
        sizes = _class_sizes(codes)
        others = np.setdiff1d(np.arange(rows), left)
        first = others[np.argmin(sizes[others])]
        codes[(codes == codes[first]).all(axis=1)] = -1
    return codes


def _sets(costs: npt.NDArray[np.float64]) -> list[tuple[int, ...]]:
    """Sets of columns from the cheapest on, the empty one first."""
    width = len(costs)
    order = [int(c) for c in np.argsort(costs, kind="stable")]
    if width > MANY:
        return [tuple(order[:size]) for size in range(width + 1)]
    sets = [chosen for size in range(width + 1) for chosen in combinations(order, size)]
    return sorted(sets, key=lambda chosen: float(sum(costs[c] for c in chosen)))


def _class_sizes(codes: Codes) -> npt.NDArray[np.int64]:
    """``sizes[row]``: how many rows have the same codes."""
    if codes.shape[1] == 0:
        return np.full(len(codes), len(codes))
    names = [str(c) for c in range(codes.shape[1])]
    # Left to itself, Polars takes a square array in the order of columns for its own transpose.
    frame = pl.DataFrame(codes, schema=names, orient="row")
    return frame.select(pl.len().over(names).cast(pl.Int64)).to_series().to_numpy()
