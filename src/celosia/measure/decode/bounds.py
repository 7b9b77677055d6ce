"""The numbers that labels stand for: ``[30-39]``, ``[20.0, 25.0[``, ``>=65``, ``198*``, ``2021-Q1``, ``2020s``.

Dates are days and dates with time seconds since 1970, as everywhere in :mod:`celosia.measure`.
"""

from math import inf, isnan

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.measure.distribution.marginal import read_numbers
from celosia.types import DATES, ColumnType

__all__ = ["Bounds", "Ends", "after", "before", "read_bounds", "read_ends"]

Floats = npt.NDArray[np.float64]
Bounds = tuple[float, float]
"""The smallest and the largest number that are possible, both included."""
Ends = tuple[Floats, Floats]
"""The same of many labels; NaN where a label is no number, interval or period."""

DAY_SECONDS = 86_400
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[+-]?inf(?:inity)?"
NUMBERS_APART = rf"^({NUMBER})\s*(?:-|–|~|\.\.|,|;|to)\s*({NUMBER})$"
MOMENTS_APART = r"^(.+?)(?:\s+(?:-|to)\s+|\s*(?:–|~|\.\.|,|;)\s*)(.+)$"
BRACKETS = r"^([\[\](])\s*(.+?)\s*([\[\])])$"
BEYOND = r"^(>=|≥|>|<=|≤|<)\s*(.+)$"
MASKED = r"^(-?)([0-9]*)(\*+)$"
PERIOD = r"^([0-9]{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$|^([0-9]{3})0s$"


def read_bounds(label: str, kind: ColumnType) -> Bounds | None:
    """What numbers of a column of ``kind`` a label allows; None where it is no number, interval or period.

    An end that is not included gives way to the next number: the integer before it, or the nearest real.

    >>> read_bounds("[30-39]", ColumnType.INTEGER), read_bounds("[30, 40[", ColumnType.INTEGER)
    ((30.0, 39.0), (30.0, 39.0))
    >>> read_bounds("(20.5, 25.0]", ColumnType.REAL) == (np.nextafter(20.5, inf), 25.0)
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
    low, high = read_ends(pl.Series([label]), kind)
    return None if isnan(low[0]) else (float(low[0]), float(high[0]))


def read_ends(labels: pl.Series, kind: ColumnType) -> Ends:
    """What :func:`read_bounds` says of many labels at once.

    >>> low, high = read_ends(pl.Series(["20~30", "red", "1*"]), ColumnType.INTEGER)
    >>> low.tolist(), high.tolist()
    ([20.0, nan, 10.0], [30.0, nan, 19.0])
    """
    texts = labels.cast(pl.String).str.strip_chars()
    low, high = _points(texts, kind)
    for reads in (_masked, _beyond, _between, _open_ended):
        left = np.flatnonzero(np.isnan(low))
        if len(left):
            low[left], high[left] = reads(texts.gather(left), kind)
    return low, high


def after(numbers: Floats, kind: ColumnType) -> Floats:
    """The next larger number of a column of ``kind``."""
    return _next(numbers, kind, 1.0)


def before(numbers: Floats, kind: ColumnType) -> Floats:
    """The next smaller number of a column of ``kind``."""
    return _next(numbers, kind, -1.0)


def _next(numbers: Floats, kind: ColumnType, step: float) -> Floats:
    near = np.nextafter(numbers, step * inf)
    if kind not in (ColumnType.INTEGER, ColumnType.DATE):
        return near
    return np.where(numbers == np.floor(numbers), numbers + step, near)


def _points(texts: pl.Series, kind: ColumnType) -> Ends:
    """Numbers as they are; of dates, the first and the last moment of a day or a longer period."""
    low = read_numbers(texts, kind).copy()
    high = low.copy()
    if kind not in DATES:
        return low, high
    left = np.flatnonzero(np.isnan(low))
    first, last = _days(texts.gather(left))
    if kind is ColumnType.DATETIME:
        first, last = first * DAY_SECONDS, np.nextafter((last + 1) * DAY_SECONDS, -inf)
    low[left], high[left] = first, last
    return low, high


def _days(texts: pl.Series) -> Ends:
    """The first and the last day of a day, month, quarter, year or decade."""
    day = read_numbers(texts, ColumnType.DATE)
    names = ["year", "quarter", "month", "decade"]
    groups = texts.str.extract_groups(PERIOD).struct.unnest()
    year, quarter, month, decade = (
        groups.get_column(column).cast(pl.Float64).to_numpy() for column in groups.columns[: len(names)]
    )
    year = np.where(np.isnan(decade), year, decade * 10)
    start = np.select([~np.isnan(quarter), ~np.isnan(month)], [3 * quarter - 3, month - 1], 0.0)
    months = np.select(
        [~np.isnan(decade), ~np.isnan(quarter), ~np.isnan(month)], [120.0, 3.0, 1.0], default=12.0
    )
    year = np.where(year >= 1, year, np.nan)
    number = (year - 1970) * 12 + start
    first, last = _first_day(number), _first_day(number + months) - 1
    return np.where(np.isnan(day), first, day), np.where(np.isnan(day), last, day)


def _first_day(months: Floats) -> Floats:
    """The day on which each month since 1970 begins."""
    there = ~np.isnan(months)
    days = np.where(there, months, 0).astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)
    return np.where(there, days, np.nan)


def _masked(texts: pl.Series, kind: ColumnType) -> Ends:
    """Digits that are hidden from the right: 19**, 3.** and 1*.**."""
    nothing = np.full(len(texts), np.nan)
    if kind in DATES:
        return nothing, nothing
    places = texts.str.extract(r"\.([0-9*]*)$").fill_null("").str.len_bytes().cast(pl.Float64).to_numpy()
    groups = texts.str.replace(".", "", literal=True).str.extract_groups(MASKED).struct.unnest()
    sign, head, stars = (groups.get_column(name) for name in groups.columns)
    hidden = stars.str.len_bytes().cast(pl.Float64).fill_null(float("nan")).to_numpy()
    kept = head.cast(pl.Float64, strict=False).fill_null(0.0).to_numpy()
    with np.errstate(over="ignore", invalid="ignore"):
        width, unit = 10.0**hidden, 10.0**places
        low, beyond = kept * width / unit, (kept + 1) * width / unit
    high = np.where((kind is ColumnType.INTEGER) & (places == 0), beyond - 1, np.nextafter(beyond, -inf))
    is_negative = (sign == "-").fill_null(value=False).to_numpy()
    # Whoever has fewer digits than are hidden shows as many stars; at the top of a hierarchy whatever the sign.
    is_bare = ((head == "") & (sign == "")).fill_null(value=False).to_numpy()
    return np.where(is_negative | is_bare, -high, low), np.where(is_negative, -low, high)


def _beyond(texts: pl.Series, kind: ColumnType) -> Ends:
    groups = texts.str.extract_groups(BEYOND).struct.unnest()
    sign, inner = (groups.get_column(name) for name in groups.columns)
    low, high = _points(inner, kind)
    signs = np.array(sign.fill_null("").to_list(), dtype=object)
    is_there = ~np.isnan(low)
    above, below = np.isin(signs, [">=", "≥", ">"]), np.isin(signs, ["<=", "≤", "<"])
    first = np.where(signs == ">", after(high, kind), low)
    last = np.where(signs == "<", before(low, kind), high)
    ends = np.where(above, first, -inf), np.where(below, last, inf)
    return np.where(is_there, ends[0], np.nan), np.where(is_there, ends[1], np.nan)


def _between(texts: pl.Series, kind: ColumnType) -> Ends:
    groups = texts.str.extract_groups(BRACKETS).struct.unnest()
    left, inner, right = (groups.get_column(name) for name in groups.columns)
    inner = inner.zip_with(left.is_not_null(), texts)
    apart = inner.str.extract_groups(MOMENTS_APART if kind in DATES else NUMBERS_APART).struct.unnest()
    low, high = (_points(apart.get_column(name), kind) for name in apart.columns)
    includes_first = (left.fill_null("[") == "[").to_numpy()
    includes_last = (right.fill_null("]") == "]").to_numpy()
    first = np.where(includes_first, low[0], after(low[1], kind))
    last = np.where(includes_last, high[1], before(high[0], kind))
    with np.errstate(invalid="ignore"):
        is_right = first <= last
    return np.where(is_right, first, np.nan), np.where(is_right, last, np.nan)


def _open_ended(texts: pl.Series, kind: ColumnType) -> Ends:
    low, _ = _points(texts.str.extract(r"^(.+)\+$"), kind)
    return low, np.where(np.isnan(low), np.nan, inf)
