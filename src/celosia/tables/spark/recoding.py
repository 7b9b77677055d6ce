"""A recoding at work on a cluster: by conditions and joins where it is global, else by our own code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as sf
from pyspark.sql.types import LongType, StructField, StructType

from celosia.errors import ProjectError, TableError
from celosia.say import say
from celosia.tables.recoder import check_columns
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.spark.packed_labels import NumberedColumn, pack_labels
from celosia.tables.spark.spark_table import SparkTable, null_safe
from celosia.tables.spark.values import arrow_schema, as_arrow
from celosia.tables.table import Recoding
from celosia.values.same import as_values
from celosia.values.text import missing_to_null, text_of, texts_of

__all__ = ["MovedRows", "left_out", "recoded"]

MOST_CONDITIONS = 40
"""Labels of a column that are told apart by conditions; more are looked up by a join."""
MOST_LISTED = 2000
"""Values that a condition may list."""
FEW_TEXTS = 16
"""Texts that are not recoded, but so few that numbers stand for them while rows move."""


@dataclass(frozen=True)
class MovedRows:
    """The rows of a release as they are moved, in no particular order, and what makes of them what leaves."""

    frame: DataFrame
    finish: Callable[[DataFrame], DataFrame] = lambda frame: frame
    has_order: bool = False
    """Whether the last column is a random number, by which rows are to be sorted."""


def recoded(table: SparkTable, recoding: Recoding, seed: int | None) -> MovedRows:
    """What a recoding makes of the rows of a table; ``seed`` is that of their random order."""
    if recoding.parts is not None:
        from celosia.tables.spark.parts import recoded_in_parts

        return MovedRows(recoded_in_parts(table, recoding, seed), has_order=True)
    if recoding.assignment is not None:
        if not recoding.assignment.is_whole:
            raise ProjectError(
                say("on a cluster, people with the same values stay together"),
                where="relaxed",
                remedy=say("leave it out, or export the table to a file first"),
            )
        return MovedRows(table.through(RecodingLayer(table, recoding)).frame)
    return _Global(table, recoding).rows()


def left_out(table: SparkTable, recoding: Recoding) -> int:
    """How many rows have a value that leaves them out."""
    return 0 if not recoding.excluded else int(_Global(table, recoding).left_out().count())


@dataclass(frozen=True)
class _Labels:
    """What becomes of the values of a column: ``codes[value]`` is the number of its label, -1 leaves the row out."""

    values: pl.Series
    codes: npt.NDArray[np.int64]
    labels: tuple[str | None, ...]


class _Global:
    """A global recoding as a query of Spark over columns ``c0``, ``c1``, ..."""

    def __init__(self, table: SparkTable, recoding: Recoding) -> None:
        check_columns(recoding.dropped, table.columns(), where=table.name)
        self.table, self.recoding = table, recoding
        self.names = tuple(name for name in table.columns() if name not in set(recoding.dropped))
        suppressed = recoding.suppressed.columns if recoding.suppressed.height else []
        used = [*recoding.filled, *recoding.excluded, *recoding.maps, *suppressed]
        check_columns(list(dict.fromkeys(used)), self.names, where=table.name)

    def rows(self) -> MovedRows:
        """The rows that stay, with numbers for labels, and what shows them under the names of the release."""
        frame = self.table.plain
        if self.recoding.excluded:
            frame = frame.where(~self._gone)
        shown = {}
        for name in self.names:
            frame, shown[name] = self._shown(frame, name)
        frame = frame.select(*[column.alias(self.table.place(name)) for name, column in shown.items()])
        if self.recoding.suppressed.height:
            small = sf.broadcast(self._suppressed())
            keys = [(self._as_suppressed(name), small[f"x{self.table.place(name)}"]) for name in self._keys]
            frame = frame.join(small, null_safe(keys), "left_anti")
        numbered = [
            NumberedColumn(self.table.place(name), self._labels(name).labels)
            for name in self.names
            if self._is_numbered(name)
        ]
        moved = pack_labels(self.table.spark, frame, numbered)
        return MovedRows(moved.frame, lambda rows: moved.widen(rows).toDF(*self.names))

    def _is_numbered(self, name: str) -> bool:
        """Whether numbers of labels stand for labels: those of a recoding, and texts of which there are few."""
        if name in self.recoding.maps or name in self.recoding.filled:
            return True
        values = self.table.known.values.get(name)
        if values is None or values.dtype != pl.String or len(values) > FEW_TEXTS:
            return False
        # A text that means a missing value stays what it is unless all of them become one.
        has_markers = self._texts(name, values).null_count() > values.null_count()
        return name in self.recoding.unified or not has_markers

    def _as_suppressed(self, name: str) -> Column:
        """A released column as the classes to be suppressed are written: null for all that means a missing value."""
        column = self._column(name)
        if self._is_numbered(name):
            return column
        values = self.table.values_of(name)
        markers = values.filter(self._texts(name, values).is_null() & values.is_not_null())
        return sf.when(~_among(column, markers), column) if len(markers) else column

    def left_out(self) -> DataFrame:
        """The rows that a value leaves out."""
        return self.table.plain.where(self._gone)

    @property
    def _keys(self) -> list[str]:
        return list(self.recoding.suppressed.columns)

    @property
    def _gone(self) -> Column:
        """Whether a row has a value that leaves it out."""
        return reduce(
            lambda a, b: a | b,
            [self._is_one_of(name, self._labels(name).codes < 0) for name in self.recoding.excluded],
        )

    def _is_one_of(self, name: str, chosen: npt.NDArray[np.bool_]) -> Column:
        return _among(self._column(name), self._labels(name).values.filter(pl.Series(chosen)))

    def _column(self, name: str) -> Column:
        return sf.col(self.table.place(name))

    def _shown(self, frame: DataFrame, name: str) -> tuple[DataFrame, Column]:
        """What a column shows, or the number of it; where labels are many, after a join to a small table of them."""
        if not self._is_numbered(name):
            return frame, self._unified(name) if name in self.recoding.unified else self._column(name)
        found = self._labels(name)
        groups = len(found.labels)
        if groups <= MOST_CONDITIONS and (
            len(found.values) <= MOST_LISTED or found.values.dtype.is_integer()
        ):
            return frame, self._conditions(name, found)
        return self._joined(frame, name, found)

    def _unified(self, name: str) -> Column:
        """The column as it is, with null for everything that means a missing value."""
        column, dtype = self._column(name), self.table.dtype(name)
        if dtype.is_float():
            kind = self.table.plain.schema[self.table.place(name)].dataType
            return sf.when(column == 0, sf.lit(0.0).cast(kind)).when(~sf.isnan(column), column)
        markers = list(self.table.options.missing)
        return sf.when(~column.isin(markers), column) if dtype == pl.String and markers else column

    def _conditions(self, name: str, found: _Labels) -> Column:
        column, shown = self._column(name), sf
        for code in range(len(found.labels)):
            values = found.values.filter(pl.Series(found.codes == code))
            runs = _runs(found, code) if values.dtype.is_integer() else None
            condition = _among(column, values) if runs is None else _within(column, values, runs)
            shown = shown.when(condition, sf.lit(code))
        # A value that was not there when the recoding was made: the table has changed.
        return shown.otherwise(_unknown())

    def _joined(self, frame: DataFrame, name: str, found: _Labels) -> tuple[DataFrame, Column]:
        place = self.table.place(name)
        key, code = f"k{place}", f"l{place}"
        small = self._small({key: (found.values, name), code: (pl.Series(found.codes), None)})
        frame = frame.join(sf.broadcast(small), null_safe([(frame[place], small[key])]), "left")
        return frame, sf.coalesce(sf.col(code), _unknown())

    def _small(self, columns: dict[str, tuple[pl.Series, str | None]]) -> DataFrame:
        """A small table, its columns of the types of those of the table that are named, or whole numbers."""
        kinds = {field.name: field.dataType for field in self.table.plain.schema}
        schema = StructType(
            [
                StructField(name, LongType() if like is None else kinds[self.table.place(like)])
                for name, (_, like) in columns.items()
            ]
        )
        arrays = [
            as_arrow(values.alias(field.name), field.type)
            for (values, _), field in zip(columns.values(), arrow_schema(schema), strict=True)
        ]
        return self.table.spark.createDataFrame(pa.table(arrays, names=list(columns)), schema)

    def _suppressed(self) -> DataFrame:
        """The classes to be suppressed, as they look after the recoding: numbers of labels, or values."""
        columns: dict[str, tuple[pl.Series, str | None]] = {}
        for name in self._keys:
            texts = self.recoding.suppressed.get_column(name)
            place = f"x{self.table.place(name)}"
            if self._is_numbered(name):
                columns[place] = self._codes(name, texts), None
            else:
                columns[place] = self._values(name, texts), name
        return self._small(columns)

    def _codes(self, name: str, texts: pl.Series) -> pl.Series:
        """The numbers of some labels, -1 for one that no row has."""
        numbers = {label: code for code, label in enumerate(self._labels(name).labels)}
        return pl.Series([numbers.get(text, -1) for text in texts.to_list()], dtype=pl.Int64)

    def _values(self, name: str, texts: pl.Series) -> pl.Series:
        """The values that have some texts, null where it is missing."""
        values = self.table.values_of(name)
        known = self._texts(name, values)
        pairs = pl.DataFrame({"text": known, "value": values}).filter(pl.col("text").is_not_null())
        pairs = pairs.unique("text")
        wanted = pl.DataFrame({"text": texts}).with_row_index("place")
        return wanted.join(pairs, on="text", how="left").sort("place").get_column("value")

    def _texts(self, name: str, values: pl.Series) -> pl.Series:
        text = text_of(pl.nth(0), values.dtype, column=name, where=self.table.name)
        frame = values.alias("").to_frame()
        return frame.select(missing_to_null(text, self.table.options.missing).alias("")).to_series()

    def _kept(self, name: str, value: Any, text: str | None) -> str | None:
        """What a value shows that has no label: its own text, or that of what is filled in for it."""
        return text if text is not None or value is None else texts_of(pl.Series([value]), column=name)[0]

    def _labels(self, name: str) -> _Labels:
        if name not in self._made:
            self._made[name] = self._make_labels(name)
        return self._made[name]

    @cached_property
    def _made(self) -> dict[str, _Labels]:
        return {}

    def _make_labels(self, name: str) -> _Labels:
        values = self.table.values_of(name)
        recoding = self.recoding
        excluded = set(recoding.excluded.get(name, ()))
        becomes = recoding.maps.get(name)
        numbers: dict[str | None, int] = {}
        codes = np.full(len(values), -1, np.int64)
        parser = self.table.parsers_of((name,)).get(name)
        typed = as_values(values, missing=self.table.options.missing, parser=parser, column=name)
        texts = self._texts(name, values)
        for place, (found, text) in enumerate(zip(typed.to_list(), texts.to_list(), strict=True)):
            value = recoding.filled.get(name) if found is None else found
            if value in excluded:
                continue
            if becomes is not None and value not in becomes:
                raise TableError(
                    say("the recoding of column {name!r} lacks a value that occurs", name=name),
                    where=self.table.name,
                    remedy=say("add it to the hierarchy, or exclude such rows"),
                )
            label = self._kept(name, value, text) if becomes is None else becomes[value]
            codes[place] = numbers.setdefault(label, len(numbers))
        return _Labels(values, codes, tuple(numbers))


def _unknown() -> Column:
    # As errors of ours come back from other machines; Spark would add its own words in the same line.
    told = "the table has a value that was not there before; run it again when nobody writes to it\n"
    return sf.raise_error(sf.lit(f"celosia.errors.TableError: {told}")).cast("bigint")


def _among(column: Column, values: pl.Series) -> Column:
    """Whether a value is one of some, null among them."""
    listed = _literals(values.drop_nulls())
    condition = column.isin(listed) if listed else sf.lit(False)
    condition = sf.coalesce(condition, sf.lit(False))
    return condition | column.isNull() if values.null_count() else condition


def _literals(values: pl.Series) -> list[Any]:
    """Values for a condition; dates as texts, for on the way to Java they would meet time zones and old calendars."""
    if values.dtype == pl.Date:
        return [sf.lit(text).cast("date") for text in values.dt.to_string("%Y-%m-%d")]
    if isinstance(values.dtype, pl.Datetime):
        has_zone = values.dtype.time_zone is not None
        texts = values.dt.to_string("%Y-%m-%d %H:%M:%S%.6f" + ("Z" if has_zone else ""))
        return [sf.lit(text).cast("timestamp_ltz" if has_zone else "timestamp_ntz") for text in texts]
    return values.to_list()


def _runs(found: _Labels, code: int) -> list[tuple[int, int]]:
    """Stretches of neighbouring whole numbers that have one label: no other number that occurs lies in them."""
    known = found.values.is_not_null().to_numpy()
    values, codes = found.values.filter(pl.Series(known)).to_numpy(), found.codes[known]
    order = np.argsort(values)
    values, mine = values[order], codes[order] == code
    starts = np.flatnonzero(mine & ~np.r_[False, mine[:-1]])
    ends = np.flatnonzero(mine & ~np.r_[mine[1:], False])
    return [(int(values[a]), int(values[b])) for a, b in zip(starts, ends, strict=True)]


def _within(column: Column, values: pl.Series, runs: Sequence[tuple[int, int]]) -> Column:
    if len(runs) > MOST_CONDITIONS:
        return _among(column, values)
    parts = [column.between(low, high) for low, high in runs] or [sf.lit(False)]
    condition = sf.coalesce(reduce(lambda a, b: a | b, parts), sf.lit(False))
    return condition | column.isNull() if values.null_count() else condition
