"""The texts of a file with separators, as they stand there: in batches, or as a query of the engine."""

import codecs
import csv
import io
from collections.abc import Generator, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import polars as pl

from celosia.errors import TableError
from celosia.say import say, say_count
from celosia.tables.dialect import Beginning
from celosia.tables.format import reading
from celosia.tables.pipeline import read_ahead
from celosia.tables.records import (
    Block,
    check_encoding,
    mark_lines,
    open_bytes,
    read_blocks,
    separators_and_rows,
    swap_quotes,
)
from celosia.tables.staged import name_of

__all__ = ["DelimitedTexts"]

_ROWS = 1 << 16
_SWAPPED = {"'": '"', '"': "'"}


class DelimitedTexts:
    """The rows of a text file, every field the text that was written, null where there is none."""

    def __init__(self, path: Path, beginning: Beginning) -> None:
        self._path, self._where, self._beginning = path, name_of(path), beginning
        self.names = beginning.names

    @property
    def separator(self) -> str:
        """The separator, given or found."""
        return self._beginning.options.separator or ","

    def size(self) -> tuple[int, int]:
        """Rows, from the length of the first ones, and bytes: 16 for every value beside its text."""
        on_disk = self._path.stat().st_size
        rows = max(1, round(on_disk / max(1.0, self._beginning.bytes_per_row)))
        return rows, on_disk + 16 * rows * len(self.names)

    def lazy(self) -> pl.LazyFrame | None:
        """A query over the file itself, where the engine reads it exactly as :meth:`batches` does."""
        if not self._is_plain:
            return None
        return pl.scan_csv(
            self._path,
            has_header=False,
            skip_lines=self._beginning.skip,
            separator=self.separator,
            schema=dict.fromkeys(self.names, pl.String),
            glob=False,
        )

    def batches(self, columns: Sequence[str]) -> Generator[pl.DataFrame, None, None]:
        """Some columns of the rows in order, a block of the file at a time."""
        for block in self._blocks():
            for frame in self._parse(block):
                part = pl.DataFrame([frame.get_column(name) for name in columns])
                yield part.select(pl.all().str.replace_many(_SWAPPED)) if self._has_apostrophes else part

    @property
    def _has_apostrophes(self) -> bool:
        """Whether they quote, and have changed places with quotation marks on their way here."""
        return self._beginning.options.quote == "'"

    def lines_of(self, column: str, texts: Sequence[str | None]) -> dict[str | None, int]:
        """The first line of each of some texts of a column."""
        place, wanted = self.names.index(column), {*texts} - {None}
        if self._has_apostrophes:
            wanted = {swap_quotes(text) for text in wanted if text is not None}
        lines: dict[str | None, int] = {}
        for block in self._blocks():
            rows = io.StringIO(block.data.decode(), newline="\n") if block.rest is None else block.rest
            reader = csv.reader(rows, delimiter=block.mark.decode())
            line = block.line
            for row in reader:
                if len(row) > place and row[place] in wanted:
                    lines.setdefault(row[place], line)
                line = block.line + reader.line_num
            if len(lines) == len(wanted):
                break
        if self._has_apostrophes:
            return {swap_quotes(text): line for text, line in lines.items() if text is not None}
        return lines

    @cached_property
    def _is_plain(self) -> bool:
        """UTF-8 without a mark, fields between single bytes, quotes in pairs, and as many fields in every row.

        Separators and rows are counted block by block: the engine itself fills up short rows without a word.
        """
        if (
            self._has_apostrophes
            or len(self.separator.encode()) > 1
            or check_encoding(self._beginning.options.codec) != "utf-8"
        ):
            return False
        with open_bytes(self._path) as file:
            start = file.read(1 << 16)
        if start.startswith(codecs.BOM_UTF8) or b"\n" not in start:
            return False
        blocks = read_ahead(self._blocks())
        return all(block.rest is None and self._is_even(block) and not _is_marked(block) for block in blocks)

    def _is_even(self, block: Block) -> bool:
        separators, rows = separators_and_rows(block.data, block.mark)
        return separators == rows * (len(self.names) - 1)

    def _blocks(self) -> Generator[Block, None, None]:
        return read_blocks(
            self._path,
            encoding=self._beginning.options.codec,
            separator=self.separator,
            skip=self._beginning.skip,
            quote=self._beginning.options.quote or '"',
        )

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
