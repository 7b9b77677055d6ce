"""Dates by week, month, quarter, year, school year and decade."""

from collections.abc import Sequence

import polars as pl

from celosia.hierarchies.building import Values, distinct, reject_values, require_parameter, stack
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.say import say

__all__ = ["DATE_LEVELS", "dates", "days"]

DATE_LEVELS = ("day", "month", "quarter", "year", "decade")
"""What is taken unless other levels are named: each lies in the next."""
SCHOOL_LEVELS = ("day", "month", "school-year")
WEEK_LEVELS = ("day", "week", "week-year")
CHAINS = (DATE_LEVELS, SCHOOL_LEVELS, WEEK_LEVELS)
"""Weeks lie in years of weeks, not in months; quarters of the calendar do not lie in school years."""
SCHOOL_MONTH = 9

TIME = r"(?:[T ][0-9]{1,2}:[0-9]{2}.*)?$"
YEAR_FIRST = r"^[0-9]{4}[-/][0-9]{2}[-/][0-9]{2}" + TIME
DAY_FIRST = r"^([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})" + TIME


def dates(column: str, values: Values, *, levels: Sequence[str] = DATE_LEVELS) -> Hierarchy:
    """Longer and longer periods, and ``*`` on top.

    ``levels`` are some of day, month, quarter, year, decade; or of day, month, school-year (from September on); or of
    day, week, week-year (as ISO 8601 counts them). Periods are those of the calendar, whatever the first and the last
    date of the column, so that no label tells either. Values are dates in ISO form or day first (04/03/2021), with or
    without a time; only with a time does the day make a level of its own.

    >>> dates("born", ["2021-03-04", "05/03/2021", "2022-11-30", "1999-01-31"]).rows()[1:3]
    [('2021-03-04', '2021-03', '2020s', '*'), ('05/03/2021', '2021-03', '2020s', '*')]
    >>> dates("seen", ["2021-03-04T08:15:00", "2021-03-04T21:40:00", "2021-03-05T07:00:00"]).rows()[0]
    ('2021-03-04T08:15:00', '2021-03-04', '*')
    >>> dates("enrolled", ["2021-08-31", "2021-09-01", "2022-01-10"], levels=["school-year"]).level(1)
    {'2021-08-31': '2020/21', '2021-09-01': '2021/22', '2022-01-10': '2021/22'}
    >>> dates("seen", ["2021-01-03", "2021-01-04", "2021-01-10"], levels=["week"]).level(1)
    {'2021-01-03': '2020-W53', '2021-01-04': '2021-W01', '2021-01-10': '2021-W01'}
    """
    fitting = [chain for chain in CHAINS if set(levels) <= set(chain)]
    places = [fitting[0].index(level) for level in levels] if fitting else []
    require_parameter(
        column,
        bool(fitting) and places == sorted(set(places)),
        what=say("the levels {levels}", levels=tuple(levels)),
        remedy=say(
            "take some of one row, in its order: {rows}", rows="; ".join(", ".join(chain) for chain in CHAINS)
        ),
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
    if level in ("week", "week-year"):
        return day.str.to_date("%Y-%m-%d").dt.strftime("%G-W%V" if level == "week" else "%G")
    if level == "school-year":
        return _school_year(day)
    if level == "decade":
        return pl.concat_str(day.str.head(3), pl.lit("0s"))
    return day.str.head({"day": 10, "month": 7, "year": 4}[level])


def _school_year(day: pl.Expr) -> pl.Expr:
    first = day.str.head(4).cast(pl.Int32) - (day.str.slice(5, 2).cast(pl.Int32) < SCHOOL_MONTH).cast(
        pl.Int32
    )
    second = ((first + 1) % 100).cast(pl.String).str.zfill(2)
    return pl.concat_str(first.cast(pl.String), pl.lit("/"), second)
