"""How far the values of a column moved: the first Wasserstein distance between two marginals."""

import numpy as np

from celosia.measure.distribution.marginal import Marginal, align

__all__ = ["wasserstein_distance", "wasserstein_share"]


def wasserstein_distance(before: Marginal, after: Marginal) -> float:
    """How far a value moves on average when one distribution is turned into the other with the least effort.

    In the unit of the column, missing values left out. It is the area between the two distribution functions.
    Where the same share of rows is infinite on both sides these rows need not move; where it is not, the
    distance is infinite. It is NaN if one side has no values and the other has some.

    S. S. Vallender: Calculation of the Wasserstein distance between probability distributions on the line.
    Theory of Probability and Its Applications 18(4), 1974.

    >>> wasserstein_distance(Marginal.of([1, 2, 3]), Marginal.of([2, 3, 4]))
    1.0
    >>> wasserstein_distance(Marginal.of([1, np.inf]), Marginal.of([3, np.inf]))
    1.0
    """
    return 2 * _half_distance(before, after)


def wasserstein_share(before: Marginal, after: Marginal) -> float:
    """The distance as a share of the range of the original's finite values; 0 if the original is constant.

    A constant has no range to compare with: what became of it is told by the other measures.

    >>> wasserstein_share(Marginal.of([0, 10]), Marginal.of([0, 9]))
    0.05
    """
    finite = before.values[np.isfinite(before.values)]
    half_range = float(finite[-1] / 2 - finite[0] / 2) if len(finite) else 0.0
    return _half_distance(before, after) / half_range if half_range else 0.0


def _half_distance(before: Marginal, after: Marginal) -> float:
    """Half the distance: in halves, the differences of the largest numbers do not overflow."""
    n, m = before.present, after.present
    if not n or not m:
        return 0.0 if n == m else float("nan")
    values, rows_before, rows_after = align(before, after)
    # Divisions are rounded correctly, so that equal shares of different numbers of rows differ by exactly 0.
    gaps = np.abs(np.cumsum(rows_before) / n - np.cumsum(rows_after) / m)[:-1]
    is_apart = gaps > 0
    return float(gaps[is_apart] @ np.diff(values / 2)[is_apart])
