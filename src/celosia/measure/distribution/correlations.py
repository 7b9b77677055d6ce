"""How columns hang together: correlations of all pairs of columns, from rows that come in batches."""

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

__all__ = ["Moments", "correlation_change", "correlations"]

Floats = npt.NDArray[np.float64]

_CANCELLED = 1e-6
"""A variance that is a smaller part of the squares it is computed from has lost too many digits."""
_TINY = 1e-290
"""Squares below this are short of digits, or 0."""


@dataclass(frozen=True)
class Moments:
    """What the correlation of every pair of columns needs, over the rows where both have a finite number.

    At ``[i, j]`` of each matrix: the ``rows`` of the pair, and over these the mean of column ``i`` as a distance
    from ``origin[i]``, its ``squares`` (the sum of squared deviations from that mean), and the sum of ``products``
    of the deviations of ``i`` and ``j``. Rows are left out pair by pair: a missing value of one column takes nothing
    from the others.

    >>> moments = Moments.of(np.array([[1.0, 2.0], [2.0, 1.0]])) + Moments.of(np.array([[3.0, 6.0]]))
    >>> moments.correlations()[0, 1].round(4)
    np.float64(0.7559)
    """

    origin: Floats
    rows: Floats
    means: Floats
    squares: Floats
    products: Floats

    @classmethod
    def of(cls, values: Floats, rows: npt.ArrayLike | None = None) -> Self:
        """The moments of ``values[row, column]``, each line for one row of the table or for ``rows[row]``."""
        weights = np.ones(len(values)) if rows is None else np.asarray(rows, dtype=np.float64)
        present = np.isfinite(values)
        origin = _first(values, present)
        with np.errstate(over="ignore", invalid="ignore"):
            moved = np.where(present, values - origin, 0.0)
            centre = moved.sum(axis=0) / np.maximum(present.sum(axis=0), 1)
            deviations = np.where(present, moved - centre, 0.0)
            weighted = deviations * weights[:, None]
            is_there = present.astype(np.float64)
            count = (is_there * weights[:, None]).T @ is_there
            sums = weighted.T @ is_there
            raw = (weighted * deviations).T @ is_there
            shifts = sums / np.maximum(count, 1.0)
            squares = raw - sums * shifts
            products = weighted.T @ deviations - sums * shifts.T
        moments = cls(origin, count, centre[:, None] + shifts, squares, products)
        is_cancelled = squares < _CANCELLED * raw
        for i, j in np.argwhere(np.triu(is_cancelled | is_cancelled.T)):
            moments._compute_pair(i, j, moved, weights * (present[:, i] & present[:, j]))
        return moments

    def _compute_pair(self, i: int, j: int, moved: Floats, weights: Floats) -> None:
        """Compute one pair again, centred at the means of its own rows."""
        pair, weights = moved[weights > 0][:, [i, j]], weights[weights > 0]
        # From the first row on, so that the mean of a constant is met exactly.
        means = pair[0] + weights @ (pair - pair[0]) / weights.sum()
        deviations = pair - means
        self.means[[i, j], [j, i]] = means
        self.squares[[i, j], [j, i]] = weights @ (deviations**2)
        self.products[[i, j], [j, i]] = weights @ (deviations[:, 0] * deviations[:, 1])

    def __add__(self, other: Self) -> Self:
        """The moments of the rows of both; no large sums are subtracted, so that no digits are lost.

        T. F. Chan, G. H. Golub, R. J. LeVeque: Algorithms for computing the sample variance: analysis and
        recommendations. The American Statistician 37(3), 1983.
        """
        origin = np.where(np.diag(self.rows) > 0, self.origin, other.origin)
        count = self.rows + other.rows
        share = other.rows / np.maximum(count, 1.0)
        with np.errstate(over="ignore", invalid="ignore"):
            mine = self.means + (self.origin - origin)[:, None]
            theirs = other.means + (other.origin - origin)[:, None]
            # The mean of no rows is nothing that anything is apart from.
            apart = np.where((self.rows > 0) & (other.rows > 0), theirs - mine, 0.0)
            means = np.where(self.rows > 0, mine + apart * share, theirs)
            squares = self.squares + other.squares + apart**2 * (self.rows * share)
            products = self.products + other.products + apart * apart.T * (self.rows * share)
        return type(self)(origin, count, means, squares, products)

    def correlations(self) -> Floats:
        """Pearson's correlation of every pair of columns; NaN where one is constant, or its squares no numbers."""
        is_sound = np.isfinite(self.squares) & (self.squares > _TINY)
        spreads = np.sqrt(np.where(is_sound, self.squares, np.nan))
        correlations: Floats = self.products / (spreads * spreads.T)
        return np.clip(correlations, -1.0, 1.0)


def _first(values: Floats, present: npt.NDArray[np.bool_]) -> Floats:
    """The first number of each column: what is near it has more digits as a distance from it."""
    if not len(values):
        return np.zeros(values.shape[1])
    first = values[np.argmax(present, axis=0), np.arange(values.shape[1])]
    return np.where(np.isfinite(first), first, 0.0)


def correlations(values: npt.ArrayLike, rows: npt.ArrayLike | None = None) -> Floats:
    """Pearson's correlations of the columns of ``values[row, column]``, weighted by ``rows[row]`` where given.

    >>> correlations([[1, 2], [2, 4], [3, 7]]).round(4).tolist()
    [[1.0, 0.9934], [0.9934, 1.0]]
    """
    return Moments.of(np.asarray(values, dtype=np.float64), rows).correlations()


def correlation_change(before: Floats, after: Floats) -> tuple[float, float]:
    """The largest and the mean change of a correlation, over all pairs of columns.

    Pairs without a correlation on both sides are left out; where one side alone has one, for instance
    because the release made a column constant, the other counts as 0. NaN twice if no pair is left.

    >>> correlation_change(np.array([[1, 0.8], [0.8, 1]]), np.array([[1, 0.5], [0.5, 1]]))
    (0.30000000000000004, 0.30000000000000004)
    """
    pairs = np.triu_indices(len(before), k=1)
    earlier, later = before[pairs], after[pairs]
    is_there = ~(np.isnan(earlier) & np.isnan(later))
    if not is_there.any():
        return float("nan"), float("nan")
    changes = np.abs(np.nan_to_num(earlier[is_there]) - np.nan_to_num(later[is_there]))
    return float(changes.max()), float(changes.mean())
