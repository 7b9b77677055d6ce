"""A table of Spark as an engine that finds cuts: its columns as places on lines, kept by the cluster meanwhile."""

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import polars as pl
from pyspark import StorageLevel
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import StringType, TimestampType

from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.session import run_in_thread
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.values import collect, map_batches, spark_schema
from celosia.tables.splitter import SplitDialect
from celosia.types import ColumnType

__all__ = ["SparkAxis", "SparkEngine", "first_rows", "native_places", "open_engine"]

WORDS = SplitDialect(
    text="STRING",
    key="STRING",
    # Two missing values that change places look the same; what seems to be few is counted exactly.
    rough="approx_count_distinct(xxhash64({}))",
)
"""How Spark is spoken to."""
WHOLE = (pl.Int8, pl.Int16, pl.Int32, pl.Int64)
SEED = 1
EXACT_DIGITS = 15
"""Decimals of so many digits are the same floating-point number to everybody."""


@dataclass(frozen=True)
class SparkAxis:
    """A column as the engine is to see it: its type, None if it is sensitive, and that of its places.

    ``is_plain`` says that no hierarchy and no text for a missing value stands between a value and its place.
    """

    name: str
    type: ColumnType | None
    dtype: pl.DataType
    is_plain: bool = True


@contextmanager
def open_engine(
    table: SparkTable,
    asked: Sequence[SparkAxis],
    read: Callable[[pl.DataFrame], pl.DataFrame],
    *,
    drops_missing: bool,
) -> Iterator["SparkEngine"]:
    """An engine over the rows that stay in a release; Spark keeps places that are dear to find as long as it is open.

    ``read`` makes them of rows where Spark might read a column otherwise than we do: quasi-identifiers first, then
    sensitive columns, only of rows that stay. Elsewhere Spark reads them itself, without rows with a missing
    quasi-identifier if ``drops_missing``.
    """
    lines = sum(one.type is not None for one in asked)
    names = [f"q{i}" for i in range(lines)] + [f"s{i}" for i in range(len(asked) - lines)]
    view = f"celosia_{secrets.token_hex(8)}"
    with spark_errors_explained(table.name):
        native = native_places(table, asked, names)
        if native is None:
            found = _read(table, asked, names, read)
        else:
            found = table.plain.select(*native)
            found = found.dropna(subset=names[:lines]) if drops_missing else found
        # To keep 5 million rows takes as long as to read some of their columns from Parquet eight times.
        is_kept = native is None or not _is_columnar(found)
        kept = found.persist(StorageLevel.MEMORY_AND_DISK) if is_kept else found
    try:
        with spark_errors_explained(table.name):
            kept.createTempView(view)
        yield SparkEngine(table.spark, view, table.name)
    finally:
        # By a way of its own: after an interrupt ours may still wait for an answer. The first error is the one to tell.
        with suppress(Exception):
            run_in_thread(lambda: table.spark.catalog.dropTempView(view))
        if is_kept:
            with suppress(Exception):
                run_in_thread(kept.unpersist)


@dataclass(frozen=True)
class SparkEngine:
    """Spark as an engine for :class:`celosia.tables.splitter.SqlSplitter`; ``view`` holds the rows."""

    spark: SparkSession
    view: str
    where: str = ""
    words: SplitDialect = WORDS

    def ask(self, query: str, values: Sequence[Any], columns: Mapping[str, str]) -> pl.DataFrame:
        """Few rows, as Spark hands them over."""
        with spark_errors_explained(self.where):
            whole = f"WITH chosen AS (SELECT * FROM {self.view}), {query}"
            return collect(self.spark.sql(whole, args=list(values)).toDF(*columns))

    def sample(self, rows: int) -> pl.DataFrame:
        """About so many rows, the same ones each time."""
        with spark_errors_explained(self.where):
            kept = self.spark.table(self.view)
            share = min(1.0, rows / max(1, kept.count()))
            return collect(kept if share == 1.0 else kept.sample(share, seed=SEED))


def first_rows(table: SparkTable, columns: Sequence[str], *, most: int = 1 << 14) -> pl.DataFrame:
    """Some rows."""
    return next(table.reader.first(columns, most))


def _is_columnar(frame: DataFrame) -> bool:
    """Whether rows come straight from files of which only the columns asked for are read."""
    plan: Any = frame._jdf.queryExecution().optimizedPlan()
    while plan.nodeName() in ("Project", "Filter"):
        plan = plan.child()
    return re.search(r"\] (parquet|orc)$", str(plan.simpleString(25)).strip().lower()) is not None


def native_places(table: SparkTable, asked: Sequence[SparkAxis], names: Sequence[str]) -> list[Column] | None:
    """All columns under other names as Spark reads them itself; None if one has to be read by us."""
    found = [_native_place(table, one) for one in asked]
    places = [column.alias(name) for name, column in zip(names, found, strict=True) if column is not None]
    return places if len(places) == len(found) else None


def _native_place(table: SparkTable, one: SparkAxis) -> Column | None:
    """How Spark reads a column just as we do; None where it might differ."""
    column, dtype = sf.col(table.place(one.name)), table.dtype(one.name)
    kind = table.plain.schema[table.place(one.name)].dataType
    if not one.is_plain:
        return None
    if dtype == pl.String:
        # By another collation than that of their bytes, texts would be compared otherwise.
        is_text = one.type in (None, ColumnType.TEXT) and kind == StringType()
        markers = list(table.options.missing)
        text = sf.when(~column.isin(markers), column) if markers else column
        return text if is_text else None
    if one.type is None:
        return column if dtype in (*WHOLE, pl.Date, pl.Boolean) else None
    number = column.cast("double")
    # -0.0 and 0.0 are one number, and what is none (NaN) is a missing one.
    real = sf.when(sf.isnan(number), sf.lit(None)).when(number == 0, sf.lit(0.0)).otherwise(number)
    is_exact = isinstance(dtype, pl.Decimal) and (dtype.precision or 38) <= EXACT_DIGITS
    places: dict[ColumnType, tuple[bool, Column]] = {
        ColumnType.INTEGER: (dtype in WHOLE, column.cast("bigint")),
        ColumnType.REAL: (dtype.is_float(), real),
        ColumnType.DECIMAL: (is_exact, real),
        ColumnType.BOOLEAN: (dtype == pl.Boolean, column.cast("string")),
    }
    if dtype == pl.Date:
        places[ColumnType.DATE] = True, sf.unix_date(column).cast("bigint")
    if kind == TimestampType():
        places[ColumnType.DATETIME] = True, sf.unix_micros(column)
    is_same, place = places.get(one.type, (False, column))
    return place if is_same else None


def _read(
    table: SparkTable,
    asked: Sequence[SparkAxis],
    names: Sequence[str],
    read: Callable[[pl.DataFrame], pl.DataFrame],
) -> DataFrame:
    """All columns as we read them, where they are."""
    rows = table.plain.select(*[table.place(one.name) for one in asked])
    schema = spark_schema(names, [one.dtype for one in asked])
    reading = _Reading(tuple(one.name for one in asked), tuple(names), read)
    return map_batches(rows, reading, [-1] * len(asked), schema)


@dataclass(frozen=True)
class _Reading:
    """A pass that makes places of rows."""

    columns: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[pl.DataFrame], pl.DataFrame]

    def __call__(self) -> "Callable[[pl.DataFrame], tuple[pl.DataFrame, None]]":
        return self._change

    def _change(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, None]:
        batch.columns = list(self.columns)
        places = self.read(batch)
        places.columns = list(self.names)
        return places, None
