"""From a table of Spark to a new place on the cluster: rows recoded, put in random order and written, all there."""

from typing import Any

import polars as pl
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from celosia.say import say
from celosia.tables.infer import Cast
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.random_order import check_order, in_random_order, sort_by_order, without_order
from celosia.tables.spark.recoding import MovedRows, left_out, recoded
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.values import places
from celosia.tables.table import Progress, Recoding, Written, no_progress

__all__ = ["write_on_cluster"]


def write_on_cluster(
    table: SparkTable,
    recoding: Recoding,
    destination: Any,
    *,
    seed: int | None = None,
    progress: Progress = no_progress,
) -> Written:
    """Write what a recoding makes of a table; ``destination`` takes in a frame of Spark and tells its rows."""
    progress(say("recoding rows"), 0.0)
    with spark_errors_explained(table.name):
        rows = recoded(table, recoding, seed)
        frame = rows.finish(_in_order(rows, seed, table.known.rows, keeps_order=recoding.keeps_order))
        if table.format is not None and not destination.keeps_text:
            frame = _typed(frame, table, recoding)
        if not recoding.keeps_order:
            check_order(frame, table.name)
        written = destination.take(frame, table)
        excluded = recoding.parts.excluded if recoding.parts is not None else left_out(table, recoding)
        # Rows are not asked for twice where none can be lost: a sample by their numbers might be another.
        source = written if _keeps_all(recoding) else table.count()
    _tally(table, source)
    progress(say("recoding rows"), 1.0)
    return Written(source, written, excluded, source - written - excluded)


def _in_order(rows: MovedRows, seed: int | None, count: int | None, *, keeps_order: bool) -> DataFrame:
    """Rows as they are released: in random order, or as they are, for nobody can count on an order on a cluster."""
    if not keeps_order:
        return (
            sort_by_order(rows.frame, count) if rows.has_order else in_random_order(rows.frame, seed, count)
        )
    return without_order(rows.frame) if rows.has_order else rows.frame


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
