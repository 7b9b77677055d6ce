"""Labels on their way through a cluster as one small number: rows that move should be narrow."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as sf

__all__ = ["Narrow", "Numbered", "narrow"]

MOST_KEYS = 100_000
"""Combinations of labels that one number stands for, and that every machine looks up in a table of its own."""


@dataclass(frozen=True)
class Numbered:
    """A column that holds numbers of labels for the labels."""

    name: str
    labels: tuple[str | None, ...]


@dataclass(frozen=True)
class Narrow:
    """A ``frame`` with one number ``g0``, ``g1``, ... for each of ``groups`` of numbered columns, and all others.

    ``names`` are its columns before, in their order.
    """

    spark: SparkSession
    frame: DataFrame
    names: tuple[str, ...]
    groups: tuple[tuple[Numbered, ...], ...] = ()

    def widen(self, frame: DataFrame) -> DataFrame:
        """Such a frame, its rows perhaps in another order, with the labels again."""
        for number, group in enumerate(self.groups):
            small = sf.broadcast(self._lookup(number, group))
            frame = frame.join(small, f"g{number}")
        return frame.select(*self.names)

    def _lookup(self, number: int, group: Sequence[Numbered]) -> DataFrame:
        """The labels of every number of a group."""
        rows = list(product(*[column.labels for column in group]))
        columns = [pa.array(range(len(rows)), pa.int64())]
        columns += [pa.array([row[place] for row in rows], pa.string()) for place in range(len(group))]
        return self.spark.createDataFrame(
            pa.table(columns, names=[f"g{number}", *(column.name for column in group)])
        )


def narrow(spark: SparkSession, frame: DataFrame, numbered: Sequence[Numbered]) -> Narrow:
    """Put the numbered columns of a frame into as few numbers as can be."""
    groups: list[list[Numbered]] = []
    for column in numbered:
        if groups and prod(len(one.labels) for one in (*groups[-1], column)) <= MOST_KEYS:
            groups[-1].append(column)
        else:
            groups.append([column])
    taken = {column.name for column in numbered}
    kept = [sf.col(name) for name in frame.columns if name not in taken]
    keys = [_key(group).alias(f"g{number}") for number, group in enumerate(groups)]
    return Narrow(spark, frame.select(*keys, *kept), tuple(frame.columns), tuple(map(tuple, groups)))


def _key(group: Sequence[Numbered]) -> Column:
    key = sf.lit(0).cast("bigint")
    for column in group:
        key = key * sf.lit(len(column.labels)) + sf.col(column.name)
    return key
