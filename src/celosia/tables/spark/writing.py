"""From a table of Spark to a new place on the cluster: rows recoded, put in random order and written, all there."""

import re
import secrets
from typing import Any

import polars as pl
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from celosia.errors import ReleaseError
from celosia.tables.infer import Cast
from celosia.tables.spark.recoding import left_out, recoded
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.troubles import told
from celosia.tables.spark.values import places
from celosia.tables.table import Progress, Recoding, Written, no_progress

__all__ = ["in_random_order", "write_on_cluster"]

ROWS_OF_A_PART = 1_000_000
"""Rows of a release that are written as one file."""
ORDER = "celosia_order"
"""The random number of a row, by which rows are sorted."""


def write_on_cluster(
    table: SparkTable,
    recoding: Recoding,
    destination: Any,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Write what a recoding makes of a table; ``destination`` takes in a frame of Spark and tells its rows."""
    progress("recoding rows", 0.0)
    with told(table.name):
        rows = recoded(table, recoding)
        # Nobody can count on the order of rows on a cluster, so that keeping it is leaving it as it is.
        frame = rows.finish(
            rows.frame if recoding.keeps_order else in_random_order(rows.frame, seed, table.known.rows)
        )
        if table.format is not None and not destination.keeps_text:
            frame = _typed(frame, table, recoding)
        if not recoding.keeps_order:
            _check_order(frame, table.name)
        written = destination.take(frame, table)
        excluded = recoding.parts.excluded if recoding.parts is not None else left_out(table, recoding)
        # Rows are not asked for twice where none can be lost: a sample by their numbers might be another.
        source = written if _keeps_all(recoding) else table.count()
    _tally(table, source)
    progress("recoding rows", 1.0)
    return Written(source, written, excluded, source - written - excluded)


def in_random_order(frame: DataFrame, seed: int | None, rows: int | None = None) -> DataFrame:
    """The rows dealt out over all parts, and in each part in random order.

    The random number of a row depends on the seed and its place alone: when a machine is lost and its rows are read
    again, each goes where it went before. Where it is known how many ``rows`` there are, they say how many parts.
    """
    drawn = secrets.randbits(62) if seed is None else seed
    names = frame.columns
    numbered = frame.toDF(*[f"c{i}" for i in range(len(names))]).withColumn(ORDER, sf.rand(drawn))
    if rows is None:
        dealt = numbered.repartition(ORDER)
    else:
        # As many for every core: otherwise some wait for the last.
        cores = frame.sparkSession.sparkContext.defaultParallelism
        dealt = numbered.repartition(cores * max(1, -(-rows // (cores * ROWS_OF_A_PART))), ORDER)
    return dealt.sortWithinPartitions(ORDER).drop(ORDER).toDF(*names)


def _check_order(frame: DataFrame, where: str) -> None:
    """Raise if Spark would leave out the sort by random numbers, as it does where it thinks that nobody can tell.

    Rows would then lie in the order of their source, and whoever knows that could tell whose they are.
    """
    plan: Any = frame._jdf.queryExecution().optimizedPlan()
    most = plan.maxRows()
    is_single = most.isDefined() and most.get() <= 1
    if not is_single and re.search(rf"Sort \[{ORDER}#", str(plan.toString())) is None:
        raise ReleaseError(
            "this Spark would leave the rows in the order of their source",
            where=where,
            remedy="report it, with its version; meanwhile export the table to a file",
        )


def _typed(frame: DataFrame, table: SparkTable, recoding: Recoding) -> DataFrame:
    """Texts of columns that were not recoded as the values they are, where nothing is lost by that."""
    changed = {*recoding.maps, *recoding.filled, *recoding.unified}
    if recoding.assignment is not None:
        changed.update(recoding.assignment.released.columns)
    if recoding.parts is not None:
        changed.update(recoding.parts.columns)
    kinds = {name: _kind(cast) for name, cast in table.casts().items()}
    plain = frame.toDF(*places(frame.columns))
    markers = list(table.options.missing)
    shown = []
    for place, name in enumerate(frame.columns):
        column = sf.col(f"c{place}")
        if name not in changed:
            column = sf.when(~column.isin(markers), column) if markers else column
            kind = kinds.get(name)
            column = column if kind is None else column.cast(kind)
        shown.append(column.alias(f"c{place}"))
    return plain.select(*shown).toDF(*frame.columns)


def _kind(cast: Cast) -> str | None:
    """What Spark calls the type that texts are cast to."""
    if isinstance(cast, str):  # how a date with its time is written
        return "timestamp_ntz"
    return f"decimal(38, {cast.scale})" if isinstance(cast, pl.Decimal) else _KINDS.get(cast)


_KINDS = {pl.Int64(): "bigint", pl.Float64(): "double", pl.Boolean(): "boolean", pl.Date(): "date"}


def _keeps_all(recoding: Recoding) -> bool:
    """Whether every row is released."""
    leaves_out = bool(recoding.excluded) or recoding.suppressed.height > 0
    return not leaves_out and recoding.assignment is None and recoding.parts is None


def _tally(table: SparkTable, rows: int) -> None:
    """Tell the operations of a table how many rows they dropped: where they worked, nobody put it together."""
    found: int | None = rows
    while table.behind is not None:
        behind, layer = table.behind
        tally = getattr(layer, "tally", None)
        if tally is not None:
            left = table.count() if found is None else found
            tally.read = behind.count() if layer.drops_rows else left
            tally.dropped = tally.read - left
        table, found = behind, None
