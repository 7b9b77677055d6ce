"""What is to be known of columns of a cluster that have too many values to bring them all here."""

from dataclasses import dataclass

import polars as pl
from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as sf

from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.values import collect
from celosia.types import ColumnType
from celosia.values.text import missing_to_null, text_of

__all__ = ["Summary", "summarize_large"]

MOST = 100_000
"""Values of a column that are all brought here."""
SOME = 20_000
"""Rows of a larger one that are looked at."""


@dataclass(frozen=True)
class Summary:
    """A column: its rows, those without a value, how many values differ, and some of the values as texts."""

    name: str
    rows: int
    missing: int
    distinct: int
    values: pl.Series
    table: SparkTable

    def frequent(self, count: int) -> tuple[str, ...]:
        """The most frequent values that at least two rows share."""
        with spark_errors_explained(self.table.name):
            grouped = (
                self.table.grouped([self.name]).where("rows > 1").where(_present(self.table, self.name, "c0"))
            )
            first = grouped.orderBy(sf.desc("rows"), sf.col("c0").cast("string")).limit(count)
            found = collect(first.select("c0"))
        return tuple(_texts(self.table, self.name, found.to_series()).to_list())


def summarize_large(table: SparkTable) -> dict[str, Summary]:
    """Summaries of the columns of which there are too many values, told by estimates in one pass over all."""
    names = [column.name for column in table.schema() if column.type is not ColumnType.OTHER]
    estimates = [sf.approx_count_distinct(table.place(name), 0.05) for name in names]
    with spark_errors_explained(table.name):
        found = table.plain.agg(*estimates).collect()[0] if names else ()
    large = [name for name, about in zip(names, found, strict=True) if about > MOST]
    return _summarize(table, large) if large else {}


def _summarize(table: SparkTable, names: list[str]) -> dict[str, Summary]:
    """Rows and distinct values counted on the cluster; some rows are brought here to look at."""
    present = {
        name: sf.when(_present(table, name, table.place(name)), sf.col(table.place(name))) for name in names
    }
    asked = [sf.count(sf.lit(1))]
    for column in present.values():
        asked += [sf.count(column), sf.count_distinct(column)]
    with spark_errors_explained(table.name):
        rows, *counts = table.plain.agg(*asked).collect()[0]
        first: DataFrame = table.plain.select(*map(table.place, names)).limit(SOME)
        some = collect(first)
    return {
        name: Summary(
            name,
            rows=rows,
            missing=rows - counts[2 * place],
            distinct=counts[2 * place + 1],
            values=_texts(table, name, some.to_series(place)).drop_nulls().unique(),
            table=table,
        )
        for place, name in enumerate(names)
    }


def _present(table: SparkTable, name: str, place: str) -> SparkColumn:
    """Whether a value means something else than that there is none."""
    column, dtype, markers = sf.col(place), table.dtype(name), list(table.options.missing)
    if dtype.is_float():
        return column.isNotNull() & ~sf.isnan(column)
    is_marker = column.cast("string").isin(markers) if markers else sf.lit(False)
    return column.isNotNull() & ~sf.coalesce(is_marker, sf.lit(False))


def _texts(table: SparkTable, name: str, values: pl.Series) -> pl.Series:
    text = missing_to_null(text_of(pl.nth(0), values.dtype, column=name), table.options.missing)
    return values.alias("").to_frame().select(text.alias("")).to_series()
