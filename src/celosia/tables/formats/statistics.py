"""Files of SPSS, Stata and SAS: values with what they mean, and missing values of several kinds.

Values are the codes, and what they mean stays beside them. A missing value that has a code is read as the text ``<99>``
(SPSS) or ``.a`` (Stata, SAS), which means a missing value like any other; to a file of the same kind it goes with its
code. Pyreadstat reads and writes them; rows are read some at a time and kept as Parquet in a private file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import ColumnNotes, Format, Options, Reader, check_names, reading
from celosia.tables.formats.parquet import ParquetReader
from celosia.tables.kept_frames import stage_rows
from celosia.tables.staged import name_of
from celosia.tables.statistics_sink import MARKS, StatisticsSink, load_pyreadstat
from celosia.types import ColumnType
from celosia.values.text import column_type, text_of

__all__ = ["FORMATS", "StatisticsReader"]

_ROWS = 1 << 16


class StatisticsReader:
    """A file of a statistics program, as texts with the types that it declares."""

    def __init__(self, path: Path, options: Options, *, kind: str) -> None:
        self._where = name_of(path)
        module = load_pyreadstat(self._where)
        read = partial(getattr(module, f"read_{kind}"), **_how(path, kind))
        with reading(self._where, say("a file of the kind {kind}", kind=kind)):
            _, meta = read(str(path), metadataonly=True)
        self.names = check_names(list(meta.column_names), where=self._where)
        self.notes: Mapping[str, ColumnNotes] = {name: _notes(meta, name) for name in self.names}
        self._found = {name: _Found() for name in self.names}
        chunks = _chunks(read, path)
        with reading(self._where, say("a file of the kind {kind}", kind=kind)):
            self._rows: Reader = self._stage(chunks, options)
        marks = sorted({mark for found in self._found.values() for mark in found.marks})
        self.options = replace(options, missing=(*options.missing, *marks)) if options.missing else options

    def _stage(self, chunks: Iterator[pl.DataFrame], options: Options) -> Reader:
        path = stage_rows((self._texts(chunk) for chunk in chunks), shown=self._where)
        return ParquetReader(path, options)

    def _texts(self, chunk: pl.DataFrame) -> pl.DataFrame:
        columns = chunk.iter_columns()
        return pl.DataFrame(
            [self._found[column.name].texts(column, self.notes[column.name]) for column in columns]
        )

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Text, every column."""
        return tuple(pl.String() for _ in self.names)

    @property
    def declared(self) -> Mapping[str, ColumnType]:
        """The types of columns; text where a code is a value like any other."""
        missing = set(self.options.missing)
        return {
            name: found.type if missing.issuperset(found.marks) else ColumnType.TEXT
            for name, found in self._found.items()
        }

    def size(self) -> tuple[int, int]:
        """Rows and bytes."""
        return self._rows.size()

    def lazy(self) -> pl.LazyFrame | None:
        """The texts as a query."""
        return self._rows.lazy()

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The texts, some rows at a time."""
        return self._rows.batches(columns)


class _Found:
    """What is learnt of a column while its rows are read."""

    def __init__(self) -> None:
        self.marks: set[str] = set()
        self.type = ColumnType.INTEGER

    def texts(self, column: pl.Series, notes: ColumnNotes) -> pl.Series:
        name, column = column.name, column.alias("")
        if column.dtype == pl.Object:  # numbers, and letters for missing ones
            values = column.to_list()
            letters = [f".{value}" if isinstance(value, str) else None for value in values]
            column = pl.Series(
                [None if isinstance(value, str) else value for value in values], dtype=pl.Float64
            )
            coded = pl.Series(letters, dtype=pl.String)
        else:
            coded = _codes(column, notes)
        texts = self._plain(column, coded.is_null())
        self.marks.update(coded.drop_nulls().unique().to_list())
        return coded.zip_with(coded.is_not_null(), texts).alias(name)

    def _plain(self, column: pl.Series, is_value: pl.Series) -> pl.Series:
        if not column.dtype.is_numeric():
            kind = column_type(column.dtype)
            self.type = kind if kind in (ColumnType.DATE, ColumnType.DATETIME) else ColumnType.TEXT
            return column.to_frame().select(text_of(pl.nth(0), column.dtype)).to_series()
        numbers = column.cast(pl.Float64).fill_nan(None)
        if not _is_whole(numbers).filter(is_value & numbers.is_not_null()).all():
            self.type = ColumnType.REAL
        return _number_texts(numbers)


def _is_whole(numbers: pl.Series) -> pl.Series:
    return ((numbers == numbers.floor()) & (numbers.abs() < 2**53)).fill_null(False)


def _number_texts(numbers: pl.Series) -> pl.Series:
    """Numbers as texts, whole ones without a point.

    >>> _number_texts(pl.Series([31.0, 2.5, None])).to_list()
    ['31', '2.5', None]
    """
    whole = numbers.cast(pl.Int64, strict=False).cast(pl.String)
    return whole.zip_with(_is_whole(numbers), numbers.cast(pl.String))


def _codes(column: pl.Series, notes: ColumnNotes) -> pl.Series:
    """The marks of missing values that have a code; null where a value has none."""
    is_number = column.dtype.is_numeric()
    found = pl.Series([None] * len(column), dtype=pl.String)
    if not notes.missing or not (is_number or column.dtype == pl.String):
        return found
    texts = _number_texts(column.cast(pl.Float64)) if is_number else column
    start, end = MARKS
    marks = pl.Series([start]) + texts + pl.Series([end])
    for low, high in notes.missing:
        if is_number != isinstance(low, str):
            is_code = (column >= low) & (column <= high) if is_number else column == low
            found = marks.zip_with(is_code.fill_null(False), found)
    return found


def _notes(meta: Any, name: str) -> ColumnNotes:
    ranges = (getattr(meta, "missing_ranges", None) or {}).get(name, [])
    return ColumnNotes(
        label=(meta.column_names_to_labels or {}).get(name) or None,
        values=dict((meta.variable_value_labels or {}).get(name, {})),
        missing=tuple((each["lo"], each["hi"]) for each in ranges),
        format=(meta.original_variable_types or {}).get(name),
        measure=(meta.variable_measure or {}).get(name),
        is_number=(meta.readstat_variable_types or {}).get(name) != "string",
    )


def _how(path: Path, kind: str) -> dict[str, Any]:
    """How a file is read: with codes of missing values, and with what values mean, which SAS keeps in a file beside."""
    beside = path.with_suffix(".sas7bcat")
    catalogue = {"catalog_file": str(beside)} if kind == "sas7bdat" and beside.is_file() else {}
    codes = {} if kind == "xport" else {"user_missing": True}
    return {"output_format": "polars", **codes, **catalogue}


def _chunks(read: Callable[..., Any], path: Path) -> Iterator[pl.DataFrame]:
    """The rows, some at a time."""
    offset = 0
    while True:
        chunk, _ = read(str(path), row_offset=offset, row_limit=_ROWS)
        if not chunk.height:
            break
        yield chunk
        offset += chunk.height
        if chunk.height < _ROWS:
            break
    if not offset:
        raise TableError(
            say("the file has columns but no rows"),
            where=name_of(path),
            remedy=say("check that it was saved"),
        )


def _format(name: str, *, kind: str, codes: str | None, written: bool = True) -> Format:
    return Format(
        name=name,
        suffixes=(f".{name}",),
        read=partial(StatisticsReader, kind=kind),
        create=partial(StatisticsSink, kind=name) if written else None,
        holds_text=True,
        codes=codes,
    )


FORMATS = (
    _format("sav", kind="sav", codes="spss"),
    _format("zsav", kind="sav", codes="spss"),
    _format("dta", kind="dta", codes="stata"),
    _format("xpt", kind="xport", codes=None),
    _format("sas7bdat", kind="sas7bdat", codes=None, written=False),
)
