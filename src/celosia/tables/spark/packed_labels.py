"""Labels on their way through a cluster as one small number: rows that move should be narrow."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

__all__ = ["NumberedColumn", "PackedLabels", "pack_labels"]

MOST_BITS = 63
"""What one number holds that has a sign."""
MOST_LISTED = 10_000
"""Labels of a column that are part of the query; more are looked up by a join."""


@dataclass(frozen=True)
class NumberedColumn:
    """A column that holds numbers of labels for the labels."""

    name: str
    labels: tuple[str | None, ...]

    @property
    def bits(self) -> int:
        """How many it takes to tell the numbers apart."""
        return max(1, (len(self.labels) - 1).bit_length())


@dataclass(frozen=True)
class PackedLabels:
    """A ``frame`` with one number ``g0``, ``g1``, ... for each of ``groups`` of numbered columns, and all others.

    ``names`` are its columns before, in their order.
    """

    spark: SparkSession
    frame: DataFrame
    names: tuple[str, ...]
    groups: tuple[tuple[NumberedColumn, ...], ...] = ()

    def widen(self, frame: DataFrame) -> DataFrame:
        """Such a frame, its rows perhaps in another order, with the labels again; they stay in that order."""
        shown: dict[str, Column] = {}
        for number, group in enumerate(self.groups):
            shift = 0
            for column in group:
                mask = sf.lit((1 << column.bits) - 1)
                shown[column.name] = sf.shiftright(f"g{number}", shift).bitwiseAND(mask)
                shift += column.bits
        joined = []
        for column in (one for group in self.groups for one in group):
            if len(column.labels) <= MOST_LISTED:
                listed = sf.from_json(sf.lit(json.dumps(column.labels)), "array<string>")
                shown[column.name] = sf.get(listed, shown[column.name].cast("int"))
            else:
                joined.append(column)
        if joined:
            # Below a join Spark leaves out a sort, whose order it thinks is lost; not below numbers that go by it.
            frame = frame.withColumn("row", sf.monotonically_increasing_id()).where("row >= 0")
        for column in joined:
            small = self._lookup(column)
            frame = frame.join(sf.broadcast(small), shown[column.name] == small[f"{column.name} number"])
            shown[column.name] = sf.col(f"{column.name} label")
        return frame.select(*[shown.get(name, sf.col(name)).alias(name) for name in self.names])

    def _lookup(self, column: NumberedColumn) -> DataFrame:
        """The label of every number of a column."""
        numbers = pa.array(range(len(column.labels)), pa.int64())
        labels = pa.array(column.labels, pa.string())
        return self.spark.createDataFrame(
            pa.table([numbers, labels], names=[f"{column.name} number", f"{column.name} label"])
        )


def pack_labels(spark: SparkSession, frame: DataFrame, numbered: Sequence[NumberedColumn]) -> PackedLabels:
    """Put the numbered columns of a frame into as few numbers as can be."""
    groups: list[list[NumberedColumn]] = []
    for column in numbered:
        if groups and sum(one.bits for one in (*groups[-1], column)) <= MOST_BITS:
            groups[-1].append(column)
        else:
            groups.append([column])
    taken = {column.name for column in numbered}
    kept = [sf.col(name) for name in frame.columns if name not in taken]
    keys = [_key(group).alias(f"g{number}") for number, group in enumerate(groups)]
    return PackedLabels(spark, frame.select(*keys, *kept), tuple(frame.columns), tuple(map(tuple, groups)))


def _key(group: Sequence[NumberedColumn]) -> Column:
    key, shift = sf.lit(0).cast("bigint"), 0
    for column in group:
        key = key.bitwiseOR(sf.shiftleft(sf.col(column.name).cast("bigint"), shift))
        shift += column.bits
    return key
