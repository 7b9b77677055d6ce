"""Where nested intervals begin and end: the bounds of every level, finest first, each part of the one before.

Bounds rise; interval ``i`` goes from ``bounds[i]`` up to, without it, ``bounds[i + 1]``. They are decimals,
exact, so that what a label says and where a value falls cannot disagree by a rounding.

Labels are published, and the smallest and the largest value of a column are often one person's. Bounds are
therefore not values but round numbers: the outermost are multiples of a round step of the level, beyond the
data; an inner one is a multiple of the level's width, or the roundest that parts two neighbouring values.
"""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from itertools import count as count_from
from math import floor

import numpy as np
import numpy.typing as npt

__all__ = [
    "Bounds",
    "cut_between",
    "cut_evenly",
    "cut_naturally",
    "cut_regularly",
    "merge_bounds",
    "round_ends",
]

Bounds = list[Decimal]

TENTHS = (10, 15, 20, 25, 30, 40, 50, 60, 80)
"""Tenths of a power of ten that equal widths are made of."""

FINEST_STEP = 5
"""Of the outermost bounds of whole numbers: rounded to multiples of 1 they would be the values themselves."""


def cut_naturally(low: Decimal, high: Decimal, *, bins: int, whole: bool) -> list[Bounds]:
    """Round bounds: widths 1, 5, 10, 50, ... (times a power of ten), at most about ``bins`` of the finest.

    All bounds of a level, the outermost too, are multiples of its width.

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
    return _lay_grids(first, last, _natural_widths(width), exponent=_exponent(width))


def cut_regularly(low: Decimal, high: Decimal, *, bins: int, merge: int, whole: bool) -> list[Bounds]:
    """Equal widths of one or two digits, at most ``bins`` of the finest; ``merge`` times as wide at each level.

    All bounds of a level, the outermost too, are multiples of its width.

    >>> levels = cut_regularly(Decimal(17), Decimal(90), bins=6, merge=2, whole=True)
    >>> [[int(bound) for bound in bounds] for bounds in levels]
    [[15, 30, 45, 60, 75, 90, 105], [0, 30, 60, 90, 120], [0, 60, 120]]
    """
    first, last = Fraction(low), Fraction(high)
    if first == last:
        return []
    width = next(
        width
        for width in _even_widths((last - first) / bins, whole=whole)
        if floor(last / width) - floor(first / width) < bins
    )
    exponent = _exponent(width)
    if (width / Fraction(10) ** exponent).denominator > 1:
        exponent -= 1
    return _lay_grids(first, last, (width * merge**level for level in count_from()), exponent=exponent)


def cut_evenly(counts: npt.NDArray[np.int64], *, bins: int) -> list[int]:
    """Which of the values with these ``counts``, in order, begin an interval so that all hold about as many.

    >>> cut_evenly(np.array([9, 1, 1, 1]), bins=3)
    [0, 1]
    """
    before = np.cumsum(counts) - counts
    targets = np.arange(1, bins) * (int(counts.sum()) / bins)
    begins = np.unique(np.searchsorted(before, targets, side="left"))
    return [0, *(int(begin) for begin in begins if 0 < begin < len(counts))]


def cut_between(below: Decimal, above: Decimal, *, whole: bool) -> Decimal:
    """The roundest number that is more than ``below`` and at most ``above``, which is more than ``below``.

    It is 0, or else has as few significant digits as can be and of these is the closest to the middle: it is
    ``above`` itself, a value, only where nothing rounder lies in between.

    >>> print(format(cut_between(Decimal(1099), Decimal(96_000_000), whole=True), "f"))
    50000000
    >>> print(cut_between(Decimal("71.25"), Decimal("71.31"), whole=False))
    71.3
    """
    low, high = Fraction(below), Fraction(above)
    if low < 0 <= high:
        return Decimal(0)
    middle = (low + high) / 2
    # Of all numbers with so many digits the two around the middle come first: if neither parts the values,
    # none does, and one digit more is needed.
    for exponent in count_from(_exponent(abs(middle)), -1):
        unit = Fraction(10) ** (max(exponent, 0) if whole else exponent)
        start = floor(middle / unit) * unit
        parting = [number for number in (start, start + unit) if low < number <= high]
        if parting:
            return _decimal(min(parting, key=lambda number: abs(number - middle)), _exponent(unit))
    raise AssertionError("unreachable: digits never run out")


def round_ends(bounds: Bounds, low: Decimal, high: Decimal, *, whole: bool) -> Bounds:
    """The inner ``bounds`` of a level between two that lie beyond the data, from ``low`` to ``high``.

    The ends are multiples of the round number next to the mean width of the level's intervals.

    >>> [int(bound) for bound in round_ends([Decimal(40)], Decimal(17), Decimal(68), whole=True)]
    [0, 40, 100]
    """
    first, last = Fraction(low), Fraction(high)
    step = _round_up((last - first) / (len(bounds) + 1))
    if whole:
        step = max(step, Fraction(FINEST_STEP))
    exponent = _exponent(step)
    begin, end = floor(first / step) * step, (floor(last / step) + 1) * step
    return [_decimal(begin, exponent), *bounds, _decimal(end, exponent)]


def merge_bounds(bounds: Bounds, merge: int) -> list[Bounds]:
    """The inner bounds given, then those left when ``merge`` intervals become one, again and again.

    >>> [[int(bound) for bound in level] for level in merge_bounds([Decimal(n) for n in range(1, 9)], 3)]
    [[1, 2, 3, 4, 5, 6, 7, 8], [3, 6]]
    """
    levels = []
    while bounds:
        levels.append(bounds)
        bounds = bounds[merge - 1 :: merge]
    return levels


def _natural_widths(width: Fraction) -> Iterator[Fraction]:
    while True:
        yield width
        width *= 5 if width == Fraction(10) ** _exponent(width) else 2


def _even_widths(least: Fraction, *, whole: bool) -> Iterator[Fraction]:
    """Round widths, rising, from about ``least`` on."""
    exponent = _exponent(least)
    for power in count_from(max(exponent, 0) if whole else exponent):
        for tenths in TENTHS:
            width = Fraction(10) ** (power - 1) * tenths
            if not whole or width.denominator == 1:
                yield width


def _lay_grids(first: Fraction, last: Fraction, widths: Iterable[Fraction], *, exponent: int) -> list[Bounds]:
    """A level per width: its multiples, from the one at or below ``first`` to the one above ``last``."""
    levels = []
    for width in widths:
        start = floor(first / width)
        count = floor(last / width) - start + 1
        if count > 1:
            levels.append([_decimal((start + i) * width, exponent) for i in range(count + 1)])
        if count <= 2:  # above zero and below: wider intervals would never meet
            break
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
    """The place of the first digit: 0 for 5, 1 for 50, -2 for 0.05."""
    return (Decimal(width.numerator) / Decimal(width.denominator)).adjusted()


def _decimal(number: Fraction, exponent: int) -> Decimal:
    # Through text: arithmetic on decimals would round to 28 digits.
    return Decimal(f"{int(number / Fraction(10) ** exponent)}E{exponent}")
