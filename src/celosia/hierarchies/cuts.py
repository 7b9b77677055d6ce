"""Where nested intervals begin and end: the bounds of every level, finest first, each part of the one before.

Bounds rise; interval ``i`` goes from ``bounds[i]`` up to, without it, ``bounds[i + 1]``. They are decimals,
exact, so that what a label says and where a value falls cannot disagree by a rounding.
"""

from decimal import Decimal
from fractions import Fraction
from math import floor

import numpy as np
import numpy.typing as npt

__all__ = ["Bounds", "cut_evenly", "cut_naturally", "cut_regularly", "merge_bounds"]

Bounds = list[Decimal]


def cut_naturally(low: Decimal, high: Decimal, *, bins: int, whole: bool) -> list[Bounds]:
    """Round bounds: widths 1, 5, 10, 50, ... (times a power of ten), at most about ``bins`` of the finest.

    >>> levels = cut_naturally(Decimal(17), Decimal(68), bins=9, whole=True)
    >>> [[int(bound) for bound in bounds] for bounds in levels]
    [[10, 20, 30, 40, 50, 60, 70], [0, 50, 100]]
    """
    first, last = Fraction(low), Fraction(high)
    if first == last:
        return []
    width = _round_up((last - first) / bins)
    if whole:
        width = max(width, Fraction(1))
    exponent = _exponent(width)
    levels = []
    while (count := floor(last / width) - floor(first / width) + 1) > 1:
        start = floor(first / width)
        levels.append([_decimal((start + i) * width, exponent) for i in range(count + 1)])
        if count == 2:  # above zero and below: wider intervals would never meet
            break
        width *= 5 if width == Fraction(10) ** _exponent(width) else 2
    return levels


def cut_regularly(low: Decimal, high: Decimal, *, bins: int, whole: bool) -> Bounds:
    """At most ``bins`` intervals of the same width from ``low`` on; for reals, bounds of few digits.

    >>> [str(bound) for bound in cut_regularly(Decimal(17), Decimal(90), bins=4, whole=True)]
    ['17', '36', '55', '74', '93']
    """
    first, last = Fraction(low), Fraction(high)
    if first == last:
        return []
    exponent = 0 if whole else _exponent(_round_up((last - first) / bins)) - 2
    unit = Fraction(10) ** exponent
    start = floor(first / unit)
    width = floor((last / unit - start) / bins) + 1
    count = floor((last / unit - start) / width) + 1
    return [_decimal((start + i * width) * unit, exponent) for i in range(count + 1)]


def cut_evenly(counts: npt.NDArray[np.int64], *, bins: int) -> list[int]:
    """Which of the values with these ``counts``, in order, begin an interval so that all hold about as many.

    >>> cut_evenly(np.array([9, 1, 1, 1]), bins=3)
    [0, 1]
    """
    before = np.cumsum(counts) - counts
    targets = np.arange(1, bins) * (int(counts.sum()) / bins)
    begins = np.unique(np.searchsorted(before, targets, side="left"))
    return [0, *(int(begin) for begin in begins if 0 < begin < len(counts))]


def merge_bounds(bounds: Bounds, merge: int) -> list[Bounds]:
    """The bounds given, then those left when ``merge`` intervals become one, again and again.

    >>> [len(level) - 1 for level in merge_bounds([Decimal(n) for n in range(10)], 3)]
    [9, 3]
    """
    levels = []
    while len(bounds) > 2:
        levels.append(bounds)
        bounds = [*bounds[:-1:merge], bounds[-1]]
    return levels


def _round_up(width: Fraction) -> Fraction:
    """The smallest 1 or 5 times a power of ten that is not less."""
    power = Fraction(10) ** (Decimal(width.numerator) / Decimal(width.denominator)).adjusted()
    while power < width:
        power *= 10
    while power / 10 >= width:
        power /= 10
    return power / 2 if power / 2 >= width else power


def _exponent(width: Fraction) -> int:
    """The place of the digit of a round width: 0 for 5, 1 for 50, -2 for 0.05."""
    return (Decimal(width.numerator) / Decimal(width.denominator)).adjusted()


def _decimal(number: Fraction, exponent: int) -> Decimal:
    # Through text: arithmetic on decimals would round to 28 digits.
    return Decimal(f"{int(number / Fraction(10) ** exponent)}E{exponent}")
