"""Ages that follow from a date of birth: two columns that tell one thing."""

from collections.abc import Sequence

import polars as pl

from celosia.profile.dependencies import ROWS, CountedColumn
from celosia.tables.location import has_order
from celosia.tables.table import Table
from celosia.types import ColumnType, Role
from celosia.values.parse import parse_texts

__all__ = ["find_ages"]

YEARS = 6
"""Between the first and the last year in which ages of one table are taken: for 98 % of the rows, year of birth and age
add up to no more years than this."""


def find_ages(table: Table, columns: Sequence[CountedColumn]) -> dict[str, str]:
    """For quasi-identifiers that are ages, the date of birth that they follow from, to a year or a few.

    >>> from datetime import date
    >>> from celosia.profile.columns import profile_table
    >>> from celosia.tables import open_table
    >>> born = [date(1930 + 2 * number, 5, 1) for number in range(40)]
    >>> people = open_table(pl.DataFrame({"born": born, "age": [2024 - one.year for one in born]}))
    >>> find_ages(people, profile_table(people).columns)
    {'age': 'born'}
    """
    known = [one for one in columns if one.role is Role.QUASI_IDENTIFIER]
    dates = [one.name for one in known if one.type in (ColumnType.DATE, ColumnType.DATETIME)]
    ages = [one.name for one in known if one.type is ColumnType.INTEGER]
    if not dates or not ages or not has_order(table):
        return {}
    first = next(iter(table.scan([*dates, *ages])), None)
    if first is None:
        return {}
    rows = first.head(ROWS)
    years = {name: _years(rows.get_column(name)) for name in dates}
    found = {}
    for age in ages:
        lived = rows.get_column(age).cast(pl.Float64, strict=False)
        parent = next((name for name, year in years.items() if _adds_up(year, lived)), None)
        if parent is not None:
            found[age] = parent
    return found


def _years(column: pl.Series) -> pl.Series:
    values = parse_texts(column, pl.Date()) if column.dtype == pl.String else column
    return values.dt.year().cast(pl.Float64)


def _adds_up(year: pl.Series, lived: pl.Series) -> bool:
    """Whether years of birth and ages add up to about the same, though ages differ by far more."""
    sums = (year + lived).drop_nulls()
    if len(sums) < 20 or 2 * len(sums) < len(lived):
        return False
    low, high = (sums.quantile(share, "nearest") for share in (0.01, 0.99))
    apart = [lived.quantile(share, "nearest") for share in (0.05, 0.95)]
    if low is None or high is None or apart[0] is None or apart[1] is None:
        return False
    return high - low <= YEARS and apart[1] - apart[0] > 2 * YEARS
