"""How the numbers of a column would fall together if they were rounded, counted inside the database."""

from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

if TYPE_CHECKING:
    from celosia.tables.sql.sql_table import SqlTable

__all__ = ["NumberRange", "number_range", "rounded_sizes"]


@dataclass(frozen=True)
class NumberRange:
    """The least and the greatest number of a column, None without any, and rows where it is missing."""

    low: float | None
    high: float | None
    missing: int


def number_range(table: "SqlTable", column: str) -> NumberRange:
    """Only three numbers leave the database for that."""
    value = _number(table, column)
    rows = value.table
    statement = sa.select(sa.func.min(value), sa.func.max(value), sa.func.count() - sa.func.count(value))
    ((low, high, missing),) = table.database.ask(statement.select_from(rows))
    return NumberRange(
        None if low is None else float(low), None if high is None else float(high), int(missing)
    )


def rounded_sizes(table: "SqlTable", column: str, step: Decimal) -> list[tuple[int, int]]:
    """Sizes of the groups that rounding to multiples of a step makes, and how many groups have each."""
    value = _number(table, column)
    rounded = sa.func.round(value / sa.literal_column(f"{step:E}"))
    groups = sa.select(sa.func.count().label("n")).select_from(value.table).group_by(rounded).subquery("g")
    sizes = sa.select(groups.c.n, sa.func.count()).group_by(groups.c.n)
    return [(int(size), int(times)) for size, times in table.database.ask(sizes)]


def _number(table: "SqlTable", column: str) -> Any:
    """The values as floating-point numbers, as a column of its own."""
    rows = table.rows((column,))
    return sa.select(sa.cast(rows.c[column], sa.Double).label("x")).select_from(rows).subquery("numbers").c.x
