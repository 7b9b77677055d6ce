"""How a whole column was rewritten: cut short, rounded, shown by a point of its interval, coded at its ends.

No single label tells: 20 may be an age, or all from 15 to 24. What tells is that all labels together are what such an
operation makes of the original's values.
"""

from math import gcd, inf
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.decode.bounds import Ends, before
from celosia.types import ColumnType

__all__ = ["TruncatedText", "find_cut", "find_points"]

Floats = npt.NDArray[np.float64]

DECIMALS = 9
FEWEST = 3
"""Labels, below which a regular spacing may be chance."""


class TruncatedText(NamedTuple):
    """Texts of which the first, or the last, ``size`` characters were kept."""

    size: int
    is_first: bool

    def of(self, texts: pl.Series) -> pl.Series:
        """What such a cut makes of texts."""
        return texts.str.head(self.size) if self.is_first else texts.str.tail(self.size)


def find_cut(texts: pl.Series, labels: pl.Series, *, whole: bool = False) -> TruncatedText | None:
    """The cut that made ``labels`` of ``texts``, if one did; both distinct, without missing ones.

    At least half of what the cut makes must be there: rows may have been left out. Of ``whole`` numbers all must
    have been longer: 28 is otherwise a number like others.

    >>> find_cut(pl.Series(["28013", "28014", "08001"]), pl.Series(["28", "08"]))
    TruncatedText(size=2, is_first=True)
    >>> find_cut(pl.Series(["red", "blue"]), pl.Series(["blue"])) is None
    True
    """
    if not len(labels) or not len(texts) or labels.is_in(texts.implode()).all():
        return None
    size = int(labels.str.len_chars().max())  # type: ignore[arg-type]
    lengths = texts.str.len_chars()
    if not (lengths > size).any() or (
        whole and not ((lengths > size).all() and (labels.str.len_chars() == size).all())
    ):
        return None
    for cut in (TruncatedText(size, is_first=True), TruncatedText(size, is_first=False)):
        shortened = cut.of(texts).unique()
        if labels.is_in(shortened.implode()).all() and 2 * len(labels) >= len(shortened):
            return cut
    return None


def find_points(
    values: Floats, points: Floats, kind: ColumnType, *, grown: npt.NDArray[np.bool_] | None = None
) -> Ends | None:
    """What each of ``points`` stands for, where all of them are numbers that an operation wrote for intervals.

    ``grown`` are those that more rows show than had the number, where that is known: what lies beyond the last number
    that is left was coded as it only then, and was left out otherwise.

    >>> low, high = find_points(np.arange(17.0, 80), np.arange(20.0, 81, 10), ColumnType.INTEGER)
    >>> low.tolist()[:2], high.tolist()[:2]
    ([15.0, 25.0], [25.0, 35.0])
    >>> find_points(np.arange(5.0), np.arange(5.0), ColumnType.INTEGER) is None
    True
    """
    values, distinct = np.unique(values[np.isfinite(values)]), np.unique(points)
    if len(distinct) < FEWEST or not np.isfinite(distinct).all() or not len(values):
        return None
    if np.isin(values, distinct).all():
        return None
    return _grid(values, distinct, points, kind) or _coded(values, distinct, points, grown)


def _grid(values: Floats, distinct: Floats, points: Floats, kind: ColumnType) -> Ends | None:
    """Rounded numbers, lower bounds or midpoints of intervals of one width."""
    step = _step(distinct)
    if step is None or 2 * int(np.isin(values, distinct).sum()) > len(values):
        return None
    less = 1.0 if kind in (ColumnType.INTEGER, ColumnType.DATE) else 0.0
    grids = []
    half_up = np.copysign(np.floor(np.abs(values) / step + 0.5) * step, values) + 0.0
    grids.append((_share_of(values, distinct, half_up), points - step / 2, points + step / 2))
    for offset in (0.0, (step - less) / 2, step / 2):
        start = distinct[0] - offset
        if less and start != np.floor(start):
            continue  # intervals of whole numbers begin at one
        rounded = np.floor((values - start) / step) * step + distinct[0]
        share = _share_of(values, distinct, rounded)
        grids.append((share, points - offset, before(points - offset + step, kind)))
    most = max(share for share, _, _ in grids)
    if most < 0.5:
        return None
    # Where several operations would have made the same, each may have.
    ends = [(low, high) for share, low, high in grids if share == most]
    return np.min([low for low, _ in ends], axis=0), np.max([high for _, high in ends], axis=0)


def _coded(
    values: Floats, distinct: Floats, points: Floats, grown: npt.NDArray[np.bool_] | None
) -> Ends | None:
    """Numbers that were cut off at the lowest and the highest that is left."""
    is_end = (
        (points == distinct[0]) & (values[0] < distinct[0]),
        (points == distinct[-1]) & (values[-1] > distinct[-1]),
    )
    is_bottom, is_top = is_end if grown is None else (end & grown for end in is_end)
    if not is_bottom.any() and not is_top.any():
        return None
    if _share(distinct, np.clip(values, distinct[0], distinct[-1])) < 0.9:
        return None
    return np.where(is_bottom, -inf, points), np.where(is_top, inf, points)


def _share_of(values: Floats, distinct: Floats, rewritten: Floats) -> float:
    """Share of what an operation would make that is there; 0 if it would leave every value as it is."""
    return 0.0 if np.allclose(rewritten, values, rtol=1e-9, atol=0) else _share(distinct, rewritten)


def _share(distinct: Floats, rewritten: Floats) -> float:
    """Share of what an operation would make that is there; 0 if there is more."""
    rewritten = np.unique(rewritten)
    near = rewritten[np.clip(np.searchsorted(rewritten, distinct), 0, len(rewritten) - 1)]
    below = rewritten[np.clip(np.searchsorted(rewritten, distinct) - 1, 0, len(rewritten) - 1)]
    apart = np.minimum(np.abs(near - distinct), np.abs(below - distinct))
    is_made = apart <= 1e-9 * np.maximum(1.0, np.abs(distinct))
    return len(distinct) / len(rewritten) if is_made.all() else 0.0


def _step(distinct: Floats) -> float | None:
    """The largest number of which all differences are multiples, as decimals; None if they are no such."""
    for decimals in range(DECIMALS + 1):
        scaled = distinct * 10.0**decimals
        if np.abs(scaled).max() > 2**53:
            return None
        units = np.rint(scaled)
        if np.allclose(units, scaled, rtol=1e-12, atol=1e-7):
            return gcd(*np.diff(units.astype(np.int64)).tolist()) / 10.0**decimals
    return None
