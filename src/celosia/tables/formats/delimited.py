"""CSV, TXT and TSV: values are the text that was written, between separators of one or several characters."""

import codecs
import csv
import io
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import IO, ClassVar

import polars as pl

from celosia.errors import TableError
from celosia.say import say, say_count
from celosia.tables.delimited_sink import DelimitedSink
from celosia.tables.format import FileLayout, Format, Options, check_names, reading
from celosia.tables.pipeline import read_ahead
from celosia.tables.records import (
    Block,
    check_encoding,
    mark_lines,
    read_blocks,
    read_sample,
    separators_and_rows,
)
from celosia.tables.sniff import check_separator, sniff_separator, split_records
from celosia.tables.staged import name_of
from celosia.types import ColumnType

__all__ = ["FORMATS", "DelimitedReader"]

_ROWS = 1 << 16
CLOCK_TICK = 100_000_000
"""Nanoseconds within which two changes of a file may bear the same time: clocks of file systems tick every 10 ms."""


class DelimitedReader:
    """A text file with separators; an empty field is null unless the empty text is a value like any other."""

    declared: ClassVar[Mapping[str, ColumnType]] = {}

    def __init__(self, path: Path, options: Options) -> None:
        self._path, self._where = path, name_of(path)
        self._sample, whole = read_sample(path, options.encoding)
        if not self._sample.strip("\r\n"):
            raise TableError(
                say("the file is empty"), where=self._where, remedy=say("check that it was saved")
            )
        separator = sniff_separator(self._sample) if options.separator is None else options.separator
        self.options = replace(options, separator=check_separator(separator, where=self._where))
        with reading(self._where, say("a text table")):
            records, ends = split_records(self._sample, separator)
        names = records[0] if options.header else options.number_columns(len(records[0]))
        self.names = check_names(names, where=self._where)
        self._skip = ends[0] if options.header else 0
        if whole and options.header and len(records) == 1 and not self._has_blank_rows():
            raise TableError(
                say("the file has a header but no rows"),
                where=self._where,
                remedy=say("say so if its first line is a row"),
            )

    def _has_blank_rows(self) -> bool:
        """A blank line is a row where there is one column."""
        return len(self.names) == 1 and self._sample.count("\n") > self._skip

    @property
    def dtypes(self) -> tuple[pl.DataType, ...]:
        """Text, every column."""
        return tuple(pl.String() for _ in self.names)

    @property
    def separator(self) -> str:
        """The separator, given or found."""
        return self.options.separator or ","

    def size(self) -> tuple[int, int]:
        """Rows, from the length of the first ones, and bytes: 16 for every value beside its text."""
        on_disk = self._path.stat().st_size
        per_row = len(self._sample.encode()) / max(1, self._sample.count("\n"))
        rows = max(1, round(on_disk / max(1.0, per_row)))
        return rows, on_disk + 16 * rows * len(self.names)

    def lazy(self) -> pl.LazyFrame | None:
        """A query over the file itself, where the engine reads it exactly as :meth:`batches` does."""
        if not self._is_plain:
            return None
        scan = pl.scan_csv(
            self._path,
            has_header=False,
            skip_lines=self._skip,
            separator=self.separator,
            schema=dict.fromkeys(self.names, pl.String),
            glob=False,
        )
        return scan if "" in self.options.missing else scan.fill_null("")

    @cached_property
    def _is_plain(self) -> bool:
        """UTF-8 without a mark, fields between single bytes, quotes in pairs, and as many fields in every row.

        Separators and rows are counted block by block: the engine itself fills up short rows without a word.
        """
        if len(self.separator.encode()) > 1 or check_encoding(self.options.encoding) != "utf-8":
            return False
        with self._path.open("rb") as file:
            start = file.read(1 << 16)
        if start.startswith(codecs.BOM_UTF8) or b"\n" not in start:
            return False
        blocks = read_ahead(self._blocks())
        return all(block.rest is None and self._is_even(block) and not _is_marked(block) for block in blocks)

    def _is_even(self, block: Block) -> bool:
        separators, rows = separators_and_rows(block.data, block.mark)
        return separators == rows * (len(self.names) - 1)

    def _blocks(self) -> Generator[Block, None, None]:
        encoding, separator = self.options.encoding, self.separator
        return read_blocks(self._path, encoding=encoding, separator=separator, skip=self._skip)

    def batches(self, columns: Sequence[str] | None = None) -> Iterator[pl.DataFrame]:
        """The rows, a block of the file at a time; the next one is parsed while the caller works on this one."""
        return read_ahead(self._batches(list(self.names if columns is None else columns)))

    def _batches(self, chosen: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        for block in self._blocks():
            for frame in self._parse(block):
                part = pl.DataFrame([frame.get_column(name) for name in chosen])
                yield part if "" in self.options.missing else part.fill_null("")

    def _parse(self, block: Block) -> Iterator[pl.DataFrame]:
        if block.rest is not None or not self._is_even(block):
            yield from self._parse_patiently(block)
            return
        try:
            frame = pl.read_csv(
                codecs.BOM_UTF8 + block.data if _is_marked(block) else block.data,
                has_header=False,
                separator=block.mark.decode(),
                quote_char='"' if b'"' in block.data else None,
                schema=dict.fromkeys(self.names, pl.String),
            )
        except pl.exceptions.PolarsError:
            # A long row and a short one make up for each other: find out which comes first.
            yield from self._parse_patiently(block)
            return
        if len(self.separator.encode()) > 1 and b'"' in block.data:
            mark = block.mark.decode()
            frame = frame.select(pl.all().str.replace_all(mark, self.separator, literal=True))
        yield frame

    def _parse_patiently(self, block: Block) -> Iterator[pl.DataFrame]:
        """Row by row: for blank lines, for rows of another width, and for quotes that do not pair.

        A quote in the middle of a field is a character like any other.
        """
        lines, mark = iter(io.StringIO(block.data.decode(), newline="\n")), block.mark.decode()
        if block.rest is not None:
            lines, mark = mark_lines(block.rest, self.separator, where=self._where)
        reader = csv.reader(lines, delimiter=mark)
        rows: list[list[str | None]] = []
        width, line = len(self.names), block.line
        with reading(self._where, say("a text table")):
            for row in reader:
                if len(row) == width:
                    rows.append([field.replace(mark, self.separator) or None for field in row])
                elif row:
                    raise self._ragged(line, len(row))
                elif width == 1:
                    rows.append([None])
                line = block.line + reader.line_num
                if len(rows) == _ROWS:
                    yield self._frame(rows)
                    rows = []
        if rows:
            yield self._frame(rows)

    def _frame(self, rows: list[list[str | None]]) -> pl.DataFrame:
        return pl.DataFrame(rows, schema=dict.fromkeys(self.names, pl.String), orient="row")

    def _ragged(self, line: int, found: int) -> TableError:
        return TableError(
            say_count(
                "line {line} has {count} field instead of {expected}",
                "line {line} has {count} fields instead of {expected}",
                found,
                line=line,
                expected=len(self.names),
            ),
            where=self._where,
            remedy=say("mend the line, or name the separator of the file"),
        )


def _is_marked(block: Block) -> bool:
    """Whether the first value begins with what the engine takes for the byte order mark of a file, and removes."""
    return block.data.startswith(codecs.BOM_UTF8)


def _read(path: Path, options: Options) -> DelimitedReader:
    """A reader of the file as it is now: the one there is, if the file is the same as when it was looked at.

    The command line, a page and a run each open the table that they share. One that was written just now may be written
    again before the clock of the file system goes on, and would look the same: it is looked at every time.
    """
    now = path.stat()
    if time.time_ns() - now.st_ctime_ns < CLOCK_TICK:
        return DelimitedReader(path, options)
    return _look_at(path, options, (now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns))


@lru_cache(maxsize=8)
def _look_at(path: Path, options: Options, stamp: tuple[int, ...]) -> DelimitedReader:
    return DelimitedReader(path, options)


def _read_tabs(path: Path, options: Options) -> DelimitedReader:
    return _read(path, replace(options, separator=options.separator or "\t"))


def _write_tabs(file: IO[bytes], layout: FileLayout) -> DelimitedSink:
    options = replace(layout.options, separator=layout.options.separator or "\t")
    return DelimitedSink(file, replace(layout, options=options))


FORMATS = (
    Format(
        name="csv",
        suffixes=(".csv", ".txt", ".data", ".dat"),
        read=_read,
        create=DelimitedSink,
        holds_text=True,
        keeps_text=True,
        keeps_markers=True,
    ),
    Format(
        name="tsv",
        suffixes=(".tsv", ".tab"),
        read=_read_tabs,
        create=_write_tabs,
        holds_text=True,
        keeps_text=True,
        keeps_markers=True,
    ),
)
