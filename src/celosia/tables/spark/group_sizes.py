"""Groups by several sets of columns at once, counted on the cluster in one job."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import Column
from pyspark.sql import functions as sf
from pyspark.sql.types import DataType, DoubleType, FloatType, MapType

from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.grouping import many_groups

if TYPE_CHECKING:
    from celosia.tables.spark.spark_table import SparkTable

__all__ = ["can_be_grouped", "count_group_sizes"]

SETS = 64
"""Sets that are counted in one job: every row becomes as many."""


def can_be_grouped(table: "SparkTable", name: str) -> bool:
    """Whether the cluster can tell values of a column apart: it cannot where they are maps."""
    kind = table.frame.schema.fields[table.columns().index(name)].dataType
    return (
        not isinstance(kind, MapType) and "map<" not in kind.simpleString() and kind.typeName() != "variant"
    )


def count_group_sizes(
    table: "SparkTable", sets: Sequence[Sequence[str]], k: int
) -> list[tuple[int, int, int]]:
    """For every set of columns: groups, rows that are alone in theirs, and rows in groups smaller than ``k``.

    Rows are grouped by two hashes of 64 bits, so that two groups never look like one.
    """
    found: list[tuple[int, int, int]] = []
    for start in range(0, len(sets), SETS):
        found += _count(table, sets[start : start + SETS], k)
    return found


def _count(table: "SparkTable", sets: Sequence[Sequence[str]], k: int) -> list[tuple[int, int, int]]:
    keys = [
        sf.struct(sf.lit(number).alias("set"), *_hashes(table, names)) for number, names in enumerate(sets)
    ]
    with spark_errors_explained(table.name), many_groups(table.spark):
        rows = table.plain.select(sf.explode(sf.array(*keys)).alias("key"))
        groups = rows.groupBy("key.set", "key.one", "key.two").agg(sf.count(sf.lit(1)).alias("n"))
        n = sf.col("n")
        counted = groups.groupBy("set").agg(
            sf.count(sf.lit(1)),
            sf.sum(sf.when(n == 1, 1).otherwise(0)),
            sf.sum(sf.when(n < k, n).otherwise(0)),
        )
        by_set = {int(row[0]): (int(row[1]), int(row[2]), int(row[3])) for row in counted.collect()}
    return [by_set.get(number, (0, 0, 0)) for number in range(len(sets))]


def _hashes(table: "SparkTable", names: Sequence[str]) -> tuple[Column, Column]:
    """A null has no hash of its own: whether there is one is hashed as well."""
    parts: list[Column] = []
    for name in names:
        kind = table.frame.schema.fields[table.columns().index(name)].dataType
        value = _canonical(sf.col(table.place(name)), kind)
        parts += [sf.isnull(value), value]
    return sf.xxhash64(sf.lit(1), *parts).alias("one"), sf.xxhash64(sf.lit(2), *reversed(parts)).alias("two")


def _canonical(value: Column, kind: DataType) -> Column:
    """Numbers as they are counted elsewhere: zero has no sign, and what is no number is missing."""
    if isinstance(kind, FloatType | DoubleType):
        return sf.when(sf.isnan(value), None).otherwise(value + sf.lit(0.0).cast(kind))
    return value
