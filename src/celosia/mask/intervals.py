"""Intervals that numbers fall into, and what they are called; see :mod:`celosia.hierarchies.intervals` for nested ones.

Bounds are exact: a number that is written like a bound is at it, and so in the interval that begins there.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import ceil, lcm
from typing import Any

import numpy as np
import polars as pl

__all__ = ["CutIntervals", "EqualIntervals", "Intervals", "first_number"]

FURTHEST = 1 << 52
"""Number of an interval whose bounds can still be told apart in real numbers."""
WIDEST = 1 << 20
"""Places between the first and the last up to which a table is quicker than a search."""


class Intervals(ABC):
    """Intervals in a row, each with a place: its number in the row."""

    @abstractmethod
    def places_of_integers(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every integer; null where there is none."""

    @abstractmethod
    def places_of_reals(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every real number or decimal; null where there is none."""

    @abstractmethod
    def labels(self, places: pl.Series, *, whole: bool) -> pl.Series:
        """What the intervals are called; ``whole`` numbers show both ends."""

    @abstractmethod
    def bound(self, place: int) -> Fraction:
        """Where the interval at a place begins."""

    @property
    @abstractmethod
    def has_whole_bounds(self) -> bool:
        """Whether all bounds are integers."""

    def are_open(self, places: pl.Series) -> bool:
        """Whether any of the intervals has no end."""
        return False

    def lowers(self, places: pl.Series) -> pl.Series:
        """The lower bounds: integers if all are."""
        return _look_up(places, self.bound, pl.Int64() if self.has_whole_bounds else pl.Float64())

    def midpoints(self, places: pl.Series, *, whole: bool) -> pl.Series:
        """The middles; of whole numbers, between the first and the last in the interval."""
        less = int(whole and self.has_whole_bounds)
        return _look_up(
            places, lambda place: (self.bound(place) + self.bound(place + 1) - less) / 2, pl.Float64()
        )

    def spell(self, place: int, *, whole: bool) -> str:
        """What the interval at a place is called."""
        low, high = self.bound(place), self.bound(place + 1)
        if whole and self.has_whole_bounds:
            first, last = int(low), int(high) - 1
            if first == last:
                return str(first)
            return f"[{first}-{last}]" if first >= 0 else f"[{first} - {last}]"
        return f"[{_decimal(low)}, {_decimal(high)}["


class EqualIntervals(Intervals):
    """Intervals of one width, without end in both directions; the one at place 0 begins at ``origin``.

    >>> tens = EqualIntervals(Decimal(10), Decimal(0))
    >>> tens.labels(tens.places_of_integers(pl.Series([23, -3, None])), whole=True).to_list()
    ['[20-29]', '[-10 - -1]', None]
    """

    def __init__(self, width: Decimal, origin: Decimal) -> None:
        self._width, self._origin = Fraction(width), Fraction(origin)
        # In units of which both are a multiple, all is whole.
        self._unit = lcm(self._width.denominator, self._origin.denominator)
        self._step, self._first = int(self._width * self._unit), int(self._origin * self._unit)
        self._spell = lru_cache(maxsize=WIDEST)(self.spell)

    @property
    def has_whole_bounds(self) -> bool:
        """Whether all bounds are integers."""
        return self._unit == 1

    def bound(self, place: int) -> Fraction:
        """Where the interval at a place begins."""
        return Fraction(place * self._step + self._first, self._unit)

    def places_of_integers(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every integer."""
        ends = [end for end in (numbers.min(), numbers.max()) if isinstance(end, int)]
        if any(abs(end) * self._unit + abs(self._first) >= 1 << 63 for end in ends):
            return self.places_of_reals(numbers.cast(pl.Float64))
        return (numbers.cast(pl.Int64) * self._unit - self._first) // self._step

    def places_of_reals(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every real number; null where it is infinite or too far away."""
        reals = numbers.cast(pl.Float64).to_numpy()
        step, first, unit = float(self._step), float(self._first), float(self._unit)
        with np.errstate(invalid="ignore", over="ignore"):
            places = np.floor((reals * unit - first) / step)
            # A quotient may be off by a rounding; the bounds, each the nearest real to what it is, decide.
            places -= reals < (places * step + first) / unit
            places += reals >= ((places + 1) * step + first) / unit
            places[~(np.abs(places) < FURTHEST)] = np.nan
        return pl.Series(numbers.name, places, nan_to_null=True).cast(pl.Int64)

    def labels(self, places: pl.Series, *, whole: bool) -> pl.Series:
        """What the intervals are called."""
        return _look_up(places, lambda place: self._spell(place, whole=whole), pl.String())


class CutIntervals(Intervals):
    """Intervals between cuts, the first and the last open: the one at place 0 ends at the first cut.

    >>> ages = CutIntervals([Decimal(18), Decimal(65)])
    >>> ages.labels(ages.places_of_integers(pl.Series([17, 18, 65])), whole=True).to_list()
    ['< 18', '[18-64]', '≥ 65']
    """

    def __init__(self, cuts: Sequence[Decimal]) -> None:
        self._cuts = [Fraction(cut) for cut in cuts]
        self._labels = {
            whole: [
                f"< {_plain(self._cuts[0])}",
                *(self.spell(place, whole=whole) for place in range(1, len(cuts))),
                f"≥ {_plain(self._cuts[-1])}",
            ]
            for whole in (True, False)
        }
        # One type for both ways to spell them: a table of texts tells only later which it takes.
        self.dtype = pl.Enum([*dict.fromkeys([*self._labels[True], *self._labels[False]])])

    @property
    def has_whole_bounds(self) -> bool:
        """Whether all bounds are integers."""
        return all(cut.denominator == 1 for cut in self._cuts)

    def bound(self, place: int) -> Fraction:
        """Where the interval at a place, not the first, begins."""
        return self._cuts[place - 1]

    def are_open(self, places: pl.Series) -> bool:
        """Whether any is the first or the last."""
        return bool(((places == 0) | (places == len(self._cuts))).any())

    def places_of_integers(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every integer."""
        cuts = np.array([ceil(cut) for cut in self._cuts], dtype=np.int64)
        return _places(numbers.cast(pl.Int64), cuts)

    def places_of_reals(self, numbers: pl.Series) -> pl.Series:
        """The place of the interval of every real number."""
        return _places(numbers.cast(pl.Float64), np.array([float(cut) for cut in self._cuts]))

    def labels(self, places: pl.Series, *, whole: bool) -> pl.Series:
        """What the intervals are called."""
        return pl.Series(places.name, self._labels[whole], dtype=self.dtype).gather(places)


def first_number(text: str) -> Decimal | None:
    """The first number that stands in a label, or one below it for an interval without beginning.

    >>> first_number("[-20 - -11]"), first_number("< 18")
    (Decimal('-20'), Decimal('17'))
    """
    match = re.match(r"^(\[|< |≥ |)(-?\d+(?:\.\d+)?)", text)
    return None if match is None else Decimal(match.group(2)) - (match.group(1) == "< ")


def _places(numbers: pl.Series, cuts: Any) -> pl.Series:
    """How many cuts are at or below each number; null for a missing one."""
    if len(cuts) > 16:
        places = pl.Series(np.searchsorted(cuts, numbers.fill_null(0).to_numpy(), side="right")).cast(
            pl.Int64
        )
    else:  # measured: twice as fast as searching, up to here
        plain = numbers.fill_null(0).to_numpy()
        below = np.zeros(len(plain), np.int8)
        for cut in cuts:
            below += plain >= cut
        places = pl.Series(below).cast(pl.Int64)
    places = places.alias(numbers.name)
    if not numbers.null_count():
        return places
    return places.zip_with(numbers.is_not_null(), pl.Series([None], dtype=pl.Int64))


def _look_up(places: pl.Series, value: Callable[[int], object], dtype: pl.DataType) -> pl.Series:
    """A value for every place, worked out once for each that occurs."""
    low, high = places.min(), places.max()
    if not isinstance(low, int) or not isinstance(high, int):
        return pl.Series(places.name, [None], dtype=dtype).new_from_index(0, len(places))
    if high - low >= WIDEST:
        distinct = places.drop_nulls().unique()
        table = pl.DataFrame({"place": distinct, "value": _series(map(value, distinct.to_list()), dtype)})
        joined = places.to_frame("place").join(table, on="place", how="left", maintain_order="left")
        return joined.get_column("value").alias(places.name)
    offsets = (places - low).fill_null(0).to_numpy()
    occurs = np.zeros(high - low + 1, bool)
    occurs[offsets] = True
    numbers = np.cumsum(occurs, dtype=np.int32) - 1
    values = _series((value(low + int(offset)) for offset in np.flatnonzero(occurs)), dtype)
    shown = values.gather(numbers[offsets]).alias(places.name)
    return (
        shown.zip_with(places.is_not_null(), pl.Series([None], dtype=dtype)) if places.null_count() else shown
    )


def _series(values: Iterable[Any], dtype: pl.DataType) -> pl.Series:
    kind: Callable[[Any], Any] = int if dtype == pl.Int64 else float if dtype == pl.Float64 else str
    return pl.Series([kind(value) for value in values], dtype=dtype)


def _decimal(number: Fraction) -> str:
    text = _plain(number)
    return text if "." in text else text + ".0"


def _plain(number: Fraction) -> str:
    """A fraction of a power of ten as a decimal, without zeros at its end."""
    return f"{(Decimal(number.numerator) / Decimal(number.denominator)).normalize():f}"
