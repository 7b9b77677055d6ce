"""Columns shuffled on the cluster: their values dealt out anew among the rows, and no row brought here."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as sf

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.random_order import in_random_order
from celosia.tables.spark.spark_table import PART_BITS, SparkTable

if TYPE_CHECKING:
    from celosia.tables.layer import Stage

__all__ = ["shuffle_columns"]

DRAWN_BITS = 33
"""What Spark leaves for the rows of a part when it gives numbers by itself."""


def shuffle_columns(table: SparkTable, stage: "Stage") -> SparkTable:
    """The rows that come through a stage, with the columns in random order that it names; without their numbers.

    Every value has a number, from 0 on over all parts of the table; so has every value of a copy of the column in
    random order. Each row gets the value with its number: all orders are equally likely, every value is there once
    again, and missing ones stay where they are.

    The rows are read now, and once: a source may hand them over in another order each time. All else follows from them
    and the seeds, so that whatever is computed again, because a machine was lost, comes out the same.
    """
    seen = table.through(stage)
    with spark_errors_explained(table.name):
        rows = table.settle(seen.plain)
        numbers = {seen.place(one.values): seen.place(one.numbers) for one in stage.shuffled}
        frame = _numbered(rows, list(numbers.values()), PART_BITS, table.name)
        for one, (place, number) in zip(stage.shuffled, numbers.items(), strict=True):
            values = rows.where(sf.col(number).isNotNull()).select(sf.col(place).alias("value"))
            drawn = in_random_order(values, one.seed).withColumn(number, sf.monotonically_increasing_id())
            drawn = _numbered(table.keep(drawn), [number], DRAWN_BITS, table.name)
            joined = frame.join(drawn, number, "left")
            lost = sf.col(number).isNotNull() & sf.col("value").isNull()
            value = sf.when(lost, _changed(table.name)).otherwise(sf.col("value"))
            frame = joined.withColumn(place, value).drop("value", number)
        names = [name for name in seen.columns() if seen.place(name) not in numbers.values()]
        kept = table.keep(frame.select(*map(seen.place, names)))
    return replace(seen, frame=kept.toDF(*names))


def _numbered(frame: DataFrame, numbers: Sequence[str], bits: int, where: str) -> DataFrame:
    """Rows with numbers from 0 on instead of those that begin anew in every part, above so many bits.

    A row without one has none afterwards.
    """
    parted = frame.withColumn("part", sf.coalesce(*[sf.shiftright(number, bits) for number in numbers]))
    sizes = (
        parted.where(sf.col("part").isNotNull()).groupBy("part").agg(*[sf.count(name) for name in numbers])
    )
    sizes = sizes.toDF("part", *[f"{name} size" for name in numbers])
    # Parts are few and all in one group, which is said so that Spark does not warn of it.
    upto = Window.partitionBy(sf.col("part") < 0).orderBy("part")
    ends = [sf.sum(f"{name} size").over(upto).alias(f"{name} end") for name in numbers]
    joined = parted.join(sf.broadcast(sizes.select("*", *ends)), "part", "left")
    dense = {}
    for name in numbers:
        within = sf.col(name).bitwiseAND(sf.lit((1 << bits) - 1))
        size, end = sf.col(f"{name} size"), sf.col(f"{name} end")
        dense[name] = sf.when(within >= size, _changed(where)).otherwise(end - size + within)
    return joined.withColumns(dense).select(*frame.columns)


def _changed(where: str) -> SparkColumn:
    """What a row says that was not there when values were counted, as our own code would on its machine."""
    error = TableError(
        say("the table changed while a column was shuffled"),
        where=where,
        remedy=say("run it while nobody changes it"),
    )
    return sf.raise_error(sf.lit(f"celosia.errors.TableError: {error}"))
