"""The numbers that a label stands for: ``[30-39]``, ``[20.0, 25.0[``, ``>=65``, ``198*``, ``2021-Q1``, ``2020s``.

Dates are days and dates with time seconds since 1970, as everywhere in :mod:`celosia.measure`.
"""

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from math import inf, isfinite, isnan, nextafter

import polars as pl

from celosia.measure.distribution.marginal import read_numbers
from celosia.types import DATES, ColumnType

__all__ = ["Bounds", "read_bounds"]

Bounds = tuple[float, float]
"""The smallest and the largest number that are possible, both included."""

DAY_SECONDS = 86_400
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?"
PAIR = re.compile(rf"^({NUMBER})\s*(?:-|–|\.\.|,|;|\bto\b)\s*({NUMBER})$")
APART = re.compile(r"\s+-\s+|\s*(?:–|\.\.|,|;)\s*")
BRACKETS = re.compile(r"^([\[\](])\s*(.+?)\s*([\[\])])$")
BEYOND = re.compile(r"^(>=|≥|>|<=|≤|<)\s*(.+)$")
MASKED = re.compile(r"^(-?)([0-9]*)(\*+)$|^(-?)([0-9]+)\.([0-9]*)(\*+)$")
PERIOD = re.compile(r"^([0-9]{4})(?:-(?:Q([1-4])|([0-9]{2})))?$|^([0-9]{3})0s$")


def read_bounds(label: str, kind: ColumnType) -> Bounds | None:
    """What numbers of a column of ``kind`` a label allows; None where it is no number, interval or period.

    An end that is not included gives way to the next number: the integer before it, or the nearest real.

    >>> read_bounds("[30-39]", ColumnType.INTEGER), read_bounds("[30, 40[", ColumnType.INTEGER)
    ((30.0, 39.0), (30.0, 39.0))
    >>> read_bounds("(20.5, 25.0]", ColumnType.REAL) == (nextafter(20.5, inf), 25.0)
    True
    >>> read_bounds(">=65", ColumnType.INTEGER), read_bounds("90+", ColumnType.INTEGER)
    ((65.0, inf), (90.0, inf))
    >>> read_bounds("198*", ColumnType.INTEGER), read_bounds("[-5 - -1]", ColumnType.INTEGER)
    ((1980.0, 1989.0), (-5.0, -1.0))
    >>> read_bounds("1970-Q1", ColumnType.DATE), read_bounds("[1970-01-02 - 1970-01-05]", ColumnType.DATE)
    ((0.0, 89.0), (1.0, 4.0))
    >>> read_bounds("red", ColumnType.INTEGER) is None
    True
    """
    text = label.strip()
    single = _point(kind)
    return (
        single(text)
        or _masked(text, kind)
        or _beyond(text, kind, single)
        or _between(text, kind, single)
        or _open_ended(text, single)
    )


def _point(kind: ColumnType) -> Callable[[str], Bounds | None]:
    """Reads a number, or the first and the last moment of a period."""

    def number(text: str) -> Bounds | None:
        try:
            value = float(text) if "_" not in text else float("nan")
        except ValueError:
            return None
        return None if isnan(value) else (value, value)

    def moment(text: str) -> Bounds | None:
        found = float(read_numbers(pl.Series([text]), kind)[0])
        if isfinite(found):
            return found, found
        days = _days(text)
        if days is None or kind is ColumnType.DATE:
            return days
        return days[0] * DAY_SECONDS, nextafter((days[1] + 1) * DAY_SECONDS, -inf)

    return moment if kind in DATES else number


def _days(text: str) -> Bounds | None:
    """The first and the last day of a day, month, quarter, year or decade."""
    try:
        day = date.fromisoformat(text)
        return _day(day), _day(day)
    except ValueError:
        found = PERIOD.match(text)
    if found is None:
        return None
    year, quarter, month, decade = found.groups()
    if decade is not None:
        first, last = (int(decade) * 10, 1), (int(decade) * 10 + 9, 12)
    elif quarter is not None:
        first, last = (int(year), 3 * int(quarter) - 2), (int(year), 3 * int(quarter))
    elif month is not None:
        first = last = (int(year), int(month))
    else:
        first, last = (int(year), 1), (int(year), 12)
    if not (first[0] >= 1 and 1 <= first[1] <= 12):
        return None
    return _day(date(*first, 1)), _day(date(*last, monthrange(*last)[1]))


def _day(day: date) -> float:
    return float(day.toordinal() - date(1970, 1, 1).toordinal())


def _masked(text: str, kind: ColumnType) -> Bounds | None:
    """Digits that are hidden from the right: 19** and 3.**."""
    found = MASKED.match(text)
    if found is None or kind in DATES:
        return None
    sign, head, stars, real_sign, whole, places, real_stars = found.groups()
    if stars is not None:
        if not head and not sign:
            # Whoever has fewer digits than are hidden shows as many stars: any sign, any smaller number.
            most = 10.0 ** len(stars)
            return -nextafter(most, -inf), nextafter(most, -inf)
        low = float(int(head or 0) * 10 ** len(stars))
        high = low + 10 ** len(stars) - 1 if kind is ColumnType.INTEGER else None
        high = nextafter(low + 10.0 ** len(stars), -inf) if high is None else high
    else:
        sign = real_sign
        low = float(f"{whole}.{places or 0}")
        high = nextafter(low + 10.0 ** -len(places), -inf)
        del real_stars
    return (-high, -low) if sign else (low, high)


def _beyond(text: str, kind: ColumnType, single: Callable[[str], Bounds | None]) -> Bounds | None:
    found = BEYOND.match(text)
    inner = single(found.group(2)) if found else None
    if found is None or inner is None:
        return None
    sign = found.group(1)
    if sign in (">=", "≥"):
        return inner[0], inf
    if sign == ">":
        return _after(inner[1], kind), inf
    return (-inf, inner[1]) if sign in ("<=", "≤") else (-inf, _before(inner[0], kind))


def _between(text: str, kind: ColumnType, single: Callable[[str], Bounds | None]) -> Bounds | None:
    found = BRACKETS.match(text)
    left, inner, right = found.groups() if found else ("[", text, "]")
    pair = PAIR.match(inner)
    ends = pair.groups() if pair and kind not in DATES else tuple(APART.split(inner))
    if len(ends) != 2:
        return None
    low, high = single(ends[0]), single(ends[1])
    if low is None or high is None:
        return None
    first = low[0] if left == "[" else _after(low[1], kind)
    last = high[1] if right == "]" else _before(high[0], kind)
    return (first, last) if first <= last else None


def _open_ended(text: str, single: Callable[[str], Bounds | None]) -> Bounds | None:
    found = single(text[:-1]) if text.endswith("+") else None
    return None if found is None else (found[0], inf)


def _after(number: float, kind: ColumnType) -> float:
    whole = kind in (ColumnType.INTEGER, ColumnType.DATE)
    return number + 1 if whole and number.is_integer() else nextafter(number, inf)


def _before(number: float, kind: ColumnType) -> float:
    whole = kind in (ColumnType.INTEGER, ColumnType.DATE)
    return number - 1 if whole and number.is_integer() else nextafter(number, -inf)
