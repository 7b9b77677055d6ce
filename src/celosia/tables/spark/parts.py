"""Parts of a table that each fit one executor, recoded there by the same code as anywhere."""

import gc
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import polars as pl
import pyarrow as pa
from pyspark import AccumulatorParam
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf
from pyspark.sql.types import DoubleType, LongType, StructField, StructType

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.parted_table import PartedTable
from celosia.tables.recoder import Recoder, check_columns
from celosia.tables.spark.random_order import ORDER, with_order
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.splitting import SparkAxis, native_places
from celosia.tables.spark.values import (
    arrow_schema,
    as_arrow,
    in_utc,
    map_batches,
    places,
    spark_schema,
    without_opaque,
)
from celosia.tables.table import Recoding

__all__ = ["recoded_in_parts", "worker_memory"]

PART = "part"
PARTITIONS = 4
"""Partitions for every part: parts are dealt out by their hash, and of two that meet in one the second waits."""


class PartNotes(Protocol):
    """What is noted of parts while they are recoded, put together where the work was given out."""

    def take(self) -> Any:
        """What was noted so far; from here on it begins anew."""
        ...

    def follow(self, others: Callable[[], Iterable[Any]]) -> None:
        """Count in what others took, whenever it is asked for."""
        ...


class ClusterParts(PartedTable, Protocol):
    """Parts that are recoded elsewhere: ``shown[column]`` is the type of what classes will show."""

    @property
    def shown(self) -> Mapping[str, pl.DataType]:
        """Types of recoded columns."""
        ...

    @property
    def costs(self) -> PartNotes:
        """What the classes of all parts cost."""
        ...


def worker_memory(spark: SparkSession) -> int:
    """Bytes that one Python worker may take: a core's share of what executors, or a local driver, are given."""
    context: Any = spark.sparkContext
    conf = context._jsc.sc().conf()
    cores = context.defaultParallelism
    if context.master.startswith("local"):
        megabytes = conf.getSizeAsMb("spark.driver.memory", "1g")
    else:
        executors = max(1, context._jsc.sc().getExecutorMemoryStatus().size() - 1)
        cores = conf.getInt("spark.executor.cores", math.ceil(cores / executors))
        own = conf.getSizeAsMb("spark.executor.pyspark.memory", "0")
        megabytes = own or conf.getSizeAsMb("spark.executor.memory", "1g")
    return (int(megabytes) << 20) // max(1, int(cores))


def recoded_in_parts(table: SparkTable, recoding: Recoding, seed: int | None = None) -> DataFrame:
    """The rows of the release, in no particular order, and as the last column the random number of each.

    Every row is given the number of its part where it is; all rows of a part then meet in one task, which recodes them
    as any other part would be. What it notes is kept by part: one that is recoded again, because its machine was lost
    or another one was slow, counts once.
    """
    parts: Any = recoding.parts
    check_columns(recoding.dropped, table.columns(), where=table.name)
    names = tuple(
        name for name in table.columns() if name not in set(recoding.dropped) or name in parts.columns
    )
    leaving = [place for place, name in enumerate(names) if name not in set(recoding.dropped)]
    rows = table.plain.select(*map(table.place, names)).toDF(*places(names))
    noted = table.spark.sparkContext.accumulator({}, _Together())
    parts.costs.follow(lambda: list(noted.value.values()))
    dtypes = {name: table.dtype(name) for name in names}
    schema = _schema(rows.schema, names, dtypes, parts)
    work = _RecodePart(parts, names, dtypes, table.options.missing, table.name, schema, noted)
    numbered = _numbered_by_spark(table, names, parts)
    if numbered is None:
        numbered = _numbered(rows, names, parts)
    # Rows of a part come from several machines in any order. Sorted, they are recoded as before if a machine is lost.
    numbered = with_order(numbered, seed)
    numbered = numbered.repartition(PARTITIONS * parts.count, PART).sortWithinPartitions(PART, ORDER)

    # Spark counts arguments, and an object's own would be one of them.
    def recode(part: pa.Table) -> pa.Table:
        return work(part)

    found = numbered.groupBy(PART).applyInArrow(recode, schema)
    kept = found.select(*(found.columns[place] for place in leaving), found.columns[-1])
    return kept.toDF(*(names[place] for place in leaving), ORDER)


def _numbered(rows: DataFrame, names: tuple[str, ...], parts: ClusterParts) -> DataFrame:
    """Rows as the parts hold them, each with the number of its part."""
    touched = set(parts.columns)
    schema = StructType([*rows.schema.fields, StructField(PART, LongType())])
    seen = [-1 if name in touched else place for place, name in enumerate(names)]
    return map_batches(rows, _Numbering(parts, names), [*seen, -1], schema)


def _numbered_by_spark(table: SparkTable, names: tuple[str, ...], parts: Any) -> DataFrame | None:
    """The same without a way through our own code; None where Spark might read a column otherwise than we do.

    Rows with a missing value that leave the release are left out at once: nobody asks for them again.
    """
    lines = parts.cuts.lines
    if any(line.filled is not None for line in lines):
        return None
    asked = [SparkAxis(line.name, line.type, line.dtype, line.is_plain) for line in lines]
    columns = native_places(table, asked, [f"q{i}" for i in range(len(lines))])
    if columns is None:
        return None
    kept = [sf.col(table.place(name)).alias(f"c{i}") for i, name in enumerate(names)]
    rows = table.plain.select(*kept, *columns)
    if lines[0].drops_missing:
        rows = rows.dropna(subset=[f"q{i}" for i in range(len(lines))])

    def number(side: int) -> Column:
        if side < 0 or not parts.cuts.nodes:
            return sf.lit(max(0, ~side))
        cut = parts.cuts.nodes[side]
        return sf.when(sf.col(f"q{cut.line}") <= cut.bound, number(cut.low)).otherwise(number(cut.high))

    return rows.select(*[f"c{i}" for i in range(len(names))], number(0).cast("bigint").alias(PART))


@dataclass(frozen=True)
class _Numbering:
    """A pass that says to which part rows belong."""

    parts: PartedTable
    names: tuple[str, ...]

    def __call__(self) -> "Callable[[pl.DataFrame], tuple[pl.DataFrame, None]]":
        return self._change

    def _change(self, batch: pl.DataFrame) -> tuple[pl.DataFrame, None]:
        frame = self.parts.prepare(_named(batch, self.names).select(self.parts.columns))
        number = pl.Series(PART, self.parts.number(frame))
        frame.columns = [f"c{self.names.index(name)}" for name in frame.columns]
        return frame.with_columns(number), None


@dataclass(frozen=True)
class _RecodePart:
    """Recodes all rows of one part; a class, because its names tell a reader more than a closure's."""

    parts: ClusterParts
    names: tuple[str, ...]
    dtypes: Mapping[str, pl.DataType]
    missing: tuple[str, ...]
    where: str
    schema: Any
    noted: Any

    def __call__(self, rows: pa.Table) -> pa.Table:
        part = rows.column(PART)[0].as_py()
        order = rows.column(ORDER)
        rows = rows.drop_columns([PART, ORDER])
        frame = _named(without_opaque(rows), self.names)
        recoding = self.parts.recode(frame.select(self.parts.columns))
        recoder = Recoder(
            replace(recoding, dropped=()),
            tuple(frame.columns),
            missing=self.missing,
            dtypes=self.dtypes,
            where=self.where,
            is_part=True,
        )
        recoded = recoder.apply(frame)
        kept = None if recoded.kept is None else pa.array(recoded.kept)
        if recoded.frame.height - recoded.excluded != self.parts.rows[part]:
            raise TableError(
                say("the table changed while it was being recoded"),
                where=self.where,
                remedy=say("run it again when nobody writes to it"),
            )
        target = arrow_schema(self.schema)
        columns = []
        for place, name in enumerate(self.names):
            field = target.field(place)
            is_own = name in recoder.changed or name in recoder.numbers
            column = (
                as_arrow(recoded.frame.get_column(name), field.type) if is_own else in_utc(rows.column(place))
            )
            columns.append(column if kept is None else column.filter(kept))
        columns.append(order if kept is None else order.filter(kept))
        self.noted.add({part: self.parts.costs.take()})
        del frame, recoding, recoder, recoded
        gc.collect()  # what was made of the part refers to itself in circles, and the next may take all memory there is
        return pa.Table.from_arrays(columns, names=target.names)


class _Together(AccumulatorParam):  # type: ignore[misc]
    """Notes by part; what is noted twice is the same."""

    def zero(self, value: dict[int, Any]) -> dict[int, Any]:
        return {}

    def addInPlace(self, value1: dict[int, Any], value2: dict[int, Any]) -> dict[int, Any]:  # noqa: N802
        return {**value1, **value2}


def _schema(
    before: StructType, names: tuple[str, ...], dtypes: Mapping[str, pl.DataType], parts: ClusterParts
) -> StructType:
    """What will come out: classes show texts, or values of the column's own type; and the numbers of rows."""
    fields = []
    for name, field in zip(names, before.fields, strict=True):
        shown = parts.shown.get(name)
        if shown is None or (shown != pl.String and dtypes[name] != pl.String):
            fields.append(field)
        else:
            fields.append(spark_schema([field.name], [shown]).fields[0])
    return StructType([*fields, StructField(ORDER, DoubleType())])


def _named(frame: pl.DataFrame, names: tuple[str, ...]) -> pl.DataFrame:
    """Rows under the names of their columns; they come with numbers for names."""
    frame.columns = [names[int(column[1:])] for column in frame.columns]
    return frame
