"""Dates by month, quarter, year and decade."""

from collections.abc import Sequence

import polars as pl

from celosia.hierarchies.building import Values, distinct, reject_values, require_parameter, stack
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["DATE_LEVELS", "dates", "days"]

DATE_LEVELS = ("day", "month", "quarter", "year", "decade")

TIME = r"(?:[T ][0-9]{1,2}:[0-9]{2}.*)?$"
YEAR_FIRST = r"^[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}" + TIME
DAY_FIRST = r"^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})" + TIME


def dates(column: str, values: Values, *, levels: Sequence[str] = DATE_LEVELS) -> Hierarchy:
    """Longer and longer periods, and ``*`` on top; ``levels`` are some of day, month, quarter, year, decade.

    Periods are those of the calendar, whatever the first and the last date of the column, so that no label
    tells either. Values are dates in ISO form or day first (04/03/2021), with or without a time; only with a
    time does the day make a level of its own.

    >>> dates("born", ["2021-03-04", "05/03/2021", "2022-11-30", "1999-01-31"]).rows()[1:3]
    [('2021-03-04', '2021-03', '2020s', '*'), ('05/03/2021', '2021-03', '2020s', '*')]
    >>> dates("seen", ["2021-03-04T08:15:00", "2021-03-04T21:40:00", "2021-03-05T07:00:00"]).rows()[0]
    ('2021-03-04T08:15:00', '2021-03-04', '*')
    """
    places = [DATE_LEVELS.index(level) if level in DATE_LEVELS else -1 for level in levels]
    require_parameter(
        column,
        -1 not in places and places == sorted(set(places)),
        what=say("the levels {levels}", levels=tuple(levels)),
        remedy=say("take some of {names}, in this order", names=", ".join(DATE_LEVELS)),
    )
    texts = distinct(column, values)
    frame = texts.to_frame().with_columns(day=days(texts)).sort("day", "value")
    bad = frame.filter(pl.col("day").is_null())["value"]
    reject_values(column, bad, wanted=say("date"), remedy=say("write dates as 2021-03-04 or 04/03/2021"))
    return stack(
        column, frame["value"], levels=[frame.select(_period(level)).to_series() for level in levels]
    )


def days(texts: pl.Series) -> pl.Series:
    """The day of each text in ISO form, null where it is no date.

    >>> days(pl.Series(["4/3/2021", "2021-03-04 12:00", "2021-02-30"])).to_list()
    ['2021-03-04', '2021-03-04', None]
    """
    value = pl.col("value")
    year_first = pl.when(value.str.contains(YEAR_FIRST)).then(value.str.head(10).str.replace_all("/", "-"))
    parts = value.str.extract_groups(DAY_FIRST).struct
    day_first = pl.concat_str([parts.field(name).str.zfill(2) for name in ("3", "2", "1")], separator="-")
    day = pl.coalesce(year_first, day_first)
    exists = day.str.to_date("%Y-%m-%d", strict=False).is_not_null()
    return texts.alias("value").to_frame().select(pl.when(exists).then(day)).to_series().alias("day")


def _period(level: str) -> pl.Expr:
    day = pl.col("day")
    if level == "quarter":
        quarter = (day.str.slice(5, 2).cast(pl.Int32) + 2) // 3
        return pl.concat_str(day.str.head(4), pl.lit("-Q"), quarter)
    if level == "decade":
        return pl.concat_str(day.str.head(3), pl.lit("0s"))
    return day.str.head({"day": 10, "month": 7, "year": 4}[level])
