"""Where to cut numbers into intervals: at round numbers that lie as close together as the rows do."""

from decimal import Decimal
from math import floor, log10

import numpy as np
import numpy.typing as npt

__all__ = ["round_cuts"]

Integers = npt.NDArray[np.int64]
Reals = npt.NDArray[np.float64]


def round_cuts(
    numbers: Reals, counts: Integers, *, wanted: int, k: int, finest: float = 0.0
) -> list[Decimal]:
    """Rising cuts between numbers that so many rows have each, so that about ``wanted`` intervals have k rows or more.

    None is a multiple of less than ``finest``.

    >>> incomes = np.array([800.0, 900, 1000, 1100, 1200, 9000, 15000, 80000])
    >>> [str(cut) for cut in round_cuts(incomes, np.full(8, 5), wanted=4, k=10)]
    ['1000', '10000']
    """
    order = np.argsort(numbers)
    numbers, rows = numbers[order], np.cumsum(counts[order])
    total = int(rows[-1])
    places = np.searchsorted(rows, np.arange(1, wanted) * total / wanted)
    raw = np.unique(numbers[np.minimum(places, len(numbers) - 1)])
    gaps = np.diff(raw, append=numbers[-1])
    cuts: list[Decimal] = []
    before = 0
    for number, gap in zip(raw, gaps, strict=True):
        cut = _nice(float(number), max(float(gap), finest))
        below = int(np.searchsorted(numbers, float(cut), side="left"))
        rows_below = int(rows[below - 1]) if below else 0
        is_above = not cuts or cut > cuts[-1]
        if is_above and rows_below - before >= k and total - rows_below >= k:
            cuts.append(cut)
            before = rows_below
    return cuts


def _nice(number: float, gap: float) -> Decimal:
    """A round number near another, no farther than half of the gap to the next."""
    power = floor(log10(gap)) if gap > 0 else 0
    step = Decimal(1).scaleb(power)
    return Decimal(f"{round(number / float(step)) * step:f}")
