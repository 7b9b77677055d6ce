"""The door to a cluster: a frame, a path or a table of Hive becomes a table."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StringType, StructField, StructType

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import Options, check_names
from celosia.tables.formats import find_format
from celosia.tables.sniff import check_separator, sniff_separator
from celosia.tables.spark.address import ClusterAddress, parse_place
from celosia.tables.spark.checkpoints import reads_the_same
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.session import check_session
from celosia.tables.spark.spark_table import SparkTable
from celosia.tables.spark.values import places
from celosia.tables.types_file import as_columns
from celosia.types import Schema

__all__ = ["open_spark_table", "read_place"]

LOOKED_AT = 100
"""Lines of a text file by which its separator is told."""


def open_spark_table(
    source: Any,
    *,
    spark: SparkSession | None = None,
    options: Options | None = None,
    types: Mapping[str, str] | Schema | None = None,
    format: str | None = None,
    where: str | None = None,
    memory: int | None = None,
) -> SparkTable:
    """A frame of Spark as it is, or what is at a place; ``where`` is a condition on its rows, in Spark's own SQL.

    Rows that might be others when they are read again are read once, and kept until the table is closed.
    """
    options = options or Options()
    if isinstance(source, str):
        assert spark is not None
        table = read_place(spark, parse_place(source, format), options)
    else:
        check_session(source.sparkSession)
        table = SparkTable(source.sparkSession, source, options=options)
    check_names(table.columns(), where=table.name)
    if where is not None:
        with spark_errors_explained(table.name):
            table = replace(table, frame=table.frame.where(where))
    with spark_errors_explained(table.name):
        if not reads_the_same(table.frame):
            # A recoding that is planned from some rows and applied to others would be wrong, or be withdrawn.
            table = replace(table, frame=table.settle(table.frame))
    return replace(table, types=as_columns(types, table.columns(), where=table.name), memory=memory)


def read_place(
    spark: SparkSession, place: ClusterAddress, options: Options, *, has_lines: bool = False
) -> SparkTable:
    """What is at a place, as a table; ``has_lines`` says that texts may go over several lines."""
    where = str(place)
    with spark_errors_explained(where):
        if place.table is not None:
            return SparkTable(spark, spark.table(place.table), where, options)
        if place.format == "csv":
            return _read_text(spark, str(place.path), options, has_lines=has_lines)
        reader = spark.read.format(place.format)
        if place.format == "json":
            reader = reader.options(mode="FAILFAST", multiLine=_is_array(spark, str(place.path)))
        return SparkTable(spark, reader.load(place.path), where, options)


def _read_text(spark: SparkSession, path: str, options: Options, *, has_lines: bool) -> SparkTable:
    """A text file with separators, every value the text that was written."""
    lines = _first_lines(spark, path, options.codec)
    if not lines:
        raise TableError(say("the file is empty"), where=path, remedy=say("check that it was saved"))
    separator = options.separator or sniff_separator("\n".join(lines) + "\n")
    check_separator(separator, where=path)
    first = next(csv.reader([lines[0]], delimiter=separator[0], skipinitialspace=len(separator) > 1))
    names = check_names(first, where=path) if options.has_names else options.number_columns(len(first))
    if len(names) == 1:
        _refuse_empty_lines(spark, path, options.codec)
    # Names that differ only in case are one to Spark, which then cannot compare the headers of several files.
    is_checked = len({name.lower() for name in names}) == len(names)
    held = names if is_checked else places(names)
    # Spark would fill up short rows, cut long ones, and take the lines of a text for rows.
    reader = spark.read.schema(StructType([StructField(name, StringType()) for name in held])).options(
        sep=separator,
        encoding=options.codec,
        header=options.has_names,
        quote='"',
        escape='"',
        nullValue="\0",  # what stands for an empty field on the way; one between quotes is an empty text
        emptyValue="",
        mode="FAILFAST",
        enforceSchema=not is_checked,
        columnPruning=False,
        # Then no file is read by several machines at once. One that shows it only later is refused as it is read.
        multiLine=has_lines or any(line.count('"') % 2 for line in lines),
        unescapedQuoteHandling="RAISE_ERROR",
    )
    frame = reader.csv(path)
    known = replace(options, separator=separator, names=names)
    return SparkTable(spark, frame.toDF(*names), path, known, format=find_format(Path("any.csv")))


def _refuse_empty_lines(spark: SparkSession, path: str, encoding: str) -> None:
    """Raise if a missing value is an empty line, which Spark passes over."""
    lines = spark.read.option("encoding", encoding).text(path)
    if not lines.where("trim(value) = ''").isEmpty():
        raise TableError(
            say("the file has one column and empty lines, which Spark leaves out"),
            where=path,
            remedy=say("convert it to Parquet first"),
        )


def _first_lines(spark: SparkSession, path: str, encoding: str) -> list[str]:
    found: DataFrame = spark.read.option("encoding", encoding).text(path)
    return [row[0] for row in found.limit(LOOKED_AT).collect()]


def _is_array(spark: SparkSession, path: str) -> bool:
    """Whether a file of JSON is one array, which has to be read as a whole, and not a record per line."""
    first: Sequence[str] = _first_lines(spark, path, "utf-8")
    return next((line.strip() for line in first if line.strip()), "").startswith("[")
