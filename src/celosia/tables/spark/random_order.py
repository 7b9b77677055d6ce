"""The random order of rows on a cluster, which is the same however often some of them are computed again."""

import re
import secrets
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from celosia.errors import ReleaseError
from celosia.say import say
from celosia.tables.spark.values import places

__all__ = ["ORDER", "check_order", "in_random_order", "sort_by_order", "with_order", "without_order"]

ROWS_OF_A_PART = 1_000_000
"""Rows of a release that are written as one file."""
ORDER = "celosia_order"
"""The random number of a row, by which rows are sorted."""


def in_random_order(frame: DataFrame, seed: int | None, rows: int | None = None) -> DataFrame:
    """The rows dealt out over all parts, and in each part in random order.

    Where it is known how many ``rows`` there are, they say how many parts.
    """
    return sort_by_order(with_order(frame, seed), rows)


def with_order(frame: DataFrame, seed: int | None) -> DataFrame:
    """The rows with a random number each, as the last column: another one may have its name.

    It depends on the seed and the place of the row alone: when a machine is lost and its rows are read again, each goes
    where it went before. So it is drawn before rows change their places: after an exchange they come in any order, and
    of those computed again some would come twice and others be lost.
    """
    drawn = secrets.randbits(62) if seed is None else seed
    plain = frame.toDF(*places(frame.columns))
    return plain.withColumn(ORDER, sf.rand(drawn)).toDF(*frame.columns, ORDER)


def sort_by_order(numbered: DataFrame, rows: int | None = None) -> DataFrame:
    """Rows dealt out and sorted by the last column, without it."""
    frame = numbered.toDF(*places(numbered.columns[:-1]), ORDER)
    if rows is None:
        dealt = frame.repartition(ORDER)
    else:
        # As many for every core: otherwise some wait for the last.
        cores = frame.sparkSession.sparkContext.defaultParallelism
        dealt = frame.repartition(cores * max(1, -(-rows // (cores * ROWS_OF_A_PART))), ORDER)
    return without_order(dealt.sortWithinPartitions(ORDER)).toDF(*numbered.columns[:-1])


def without_order(numbered: DataFrame) -> DataFrame:
    """Rows without the last column."""
    *names, _ = numbered.columns
    return numbered.toDF(*places(names), ORDER).drop(ORDER).toDF(*names)


def check_order(frame: DataFrame, where: str) -> None:
    """Raise if Spark would leave out the sort by random numbers, as it does where it thinks that nobody can tell.

    Rows would then lie in the order of their source, and whoever knows that could tell whose they are.
    """
    # Of a plan that was asked for Spark makes no other, though something of it may be kept since: so it is that of a
    # frame which nobody else asks.
    plan: Any = frame.select("*")._jdf.queryExecution().optimizedPlan()
    most = plan.maxRows()
    is_single = most.isDefined() and most.get() <= 1
    if not is_single and re.search(rf"Sort \[{ORDER}#", str(plan.toString())) is None:
        raise ReleaseError(
            say("this Spark would leave the rows in the order of their source"),
            where=where,
            remedy=say("report it, with its version; meanwhile export the table to a file"),
        )
