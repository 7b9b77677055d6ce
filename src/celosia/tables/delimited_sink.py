"""Rows into a text file with separators of one or several characters, in any encoding, quoted where needed."""

import codecs
import io
from collections.abc import Callable, Sequence
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout
from celosia.tables.records import check_encoding, swap_quotes
from celosia.tables.sniff import check_separator
from celosia.tables.written_forms import WrittenForms
from celosia.values.text import text_of

__all__ = ["DelimitedSink"]

FORMULA = r"^[=@\t\r]|^[+-][^0-9.,]"
"""What a spreadsheet takes for a formula; a number with a sign is none."""


class DelimitedSink:
    """A text file that is being written; a null becomes the first text of a missing value.

    >>> import io
    >>> from celosia.tables.format import Options
    >>> from celosia.types import Schema
    >>> file = io.BytesIO()
    >>> sink = DelimitedSink(file, FileLayout(Schema(()), Options(separator=", ")))
    >>> sink.append(pl.DataFrame({"a": ["x, y", None], "b": [1, 2]}))
    >>> sink.close()
    >>> print(file.getvalue().decode())
    a, b
    "x, y", 1
    , 2
    """

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        options = layout.options
        self._file = file
        self._options = options
        self._separator = check_separator(options.separator or ",")
        self._null = options.missing[0] if options.missing else ""
        self._has_apostrophes = options.quote == "'"
        is_usual = not options.quoted and not self._has_apostrophes
        self._is_plain = is_usual and len(self._separator.encode()) == 1
        self._encoder = codecs.getincrementalencoder(check_encoding(options.codec))()
        self._forms = WrittenForms(options)
        self._started = False
        self._last_end = b""
        self.formulas = 0
        """Cells that a spreadsheet would take for a formula."""

    def append(self, part: pl.DataFrame) -> None:
        """Add rows, after the names if they are the first."""
        if not self._started:
            self._started = True
            self._write("\ufeff" if self._options.has_byte_order_mark else "", ends=False)
            if self._options.has_names:
                self._append_names(part.columns)
        if part.height:
            self._append_rows(self._guarded(self._forms.write(part)))

    def close(self) -> None:
        """Write what is due at the end."""
        if self._options.has_last_line_end:
            self._file.write(self._last_end)

    def abandon(self) -> None:
        """Nothing is held."""

    def _append_names(self, names: Sequence[str]) -> None:
        header = pl.DataFrame([pl.Series(str(i), [name]) for i, name in enumerate(names)])
        fields = [self._quote if self._options.has_quoted_names else self._field] * len(names)
        self._append_lines(header, fields)

    def _append_rows(self, part: pl.DataFrame) -> None:
        if self._is_plain:
            self._append_plain(part)
            return
        quoted = set(self._options.quoted)
        fields = [self._quote if name in quoted else self._field for name in part.columns]
        self._append_lines(part, fields)

    def _guarded(self, part: pl.DataFrame) -> pl.DataFrame:
        """The rows with cells that a spreadsheet would compute counted and, if that is wanted, made texts."""
        guarded = []
        for column in part.iter_columns():
            texts = column.alias("")
            if isinstance(texts.dtype, pl.Enum):
                if not texts.dtype.categories.str.contains(FORMULA).any():
                    continue
                texts = texts.cast(pl.String)
            if texts.dtype != pl.String:
                continue
            is_formula = texts.str.contains(FORMULA).fill_null(value=False)
            cells = int(is_formula.sum())
            self.formulas += cells
            if cells and self._options.formulas == "escape":
                guarded.append(("'" + texts).zip_with(is_formula, texts).alias(column.name))
        changed = {column.name: column for column in guarded}
        return pl.DataFrame([changed.get(column.name, column) for column in part.iter_columns()])

    def _append_plain(self, part: pl.DataFrame) -> None:
        special = (pl.Datetime, pl.Time, pl.Duration, pl.Binary, pl.List, pl.Array, pl.Struct, pl.Object)
        columns = [
            self._texts(part, place) if dtype in special else pl.nth(place)
            for place, dtype in enumerate(part.dtypes)
        ]
        rows = part.select(columns)
        if rows.width == 1 and not self._null:
            # Else the row is a blank line, and blank lines are nothing to most readers.
            rows = rows.select(self._texts(rows, 0).fill_null(""))
        buffer = io.BytesIO()
        rows.write_csv(
            buffer,
            include_header=False,
            separator=self._separator,
            line_terminator=self._options.line_end,
            null_value=self._null,
            quote_style="necessary",
        )
        self._write(buffer.getvalue())

    def _texts(self, part: pl.DataFrame, place: int) -> pl.Expr:
        return text_of(pl.nth(place), part.dtypes[place], column=part.columns[place])

    def _append_lines(self, part: pl.DataFrame, fields: Sequence[Callable[[pl.Expr, int], pl.Expr]]) -> None:
        """Join the fields here, because the engine knows one-byte separators and one way of quoting only."""
        whole = [self._swapped(self._texts(part, place)) for place in range(part.width)]
        texts = [field(text, part.width) for text, field in zip(whole, fields, strict=True)]
        lines = part.select(pl.concat_str(texts, separator=self._separator).alias("line")).to_series()
        text = self._options.line_end.join([*lines.to_list(), ""])
        self._write(swap_quotes(text) if self._has_apostrophes else text)

    def _swapped(self, texts: pl.Expr) -> pl.Expr:
        """Where apostrophes quote, they and quotation marks change places until the fields are joined."""
        return texts.str.replace_many({"'": '"', '"': "'"}) if self._has_apostrophes else texts

    def _write(self, text: str | bytes, *, ends: bool = True) -> None:
        """Write lines in the encoding of the file; the end of the last one waits for what comes after it."""
        written = text if isinstance(text, bytes) and self._options.codec == "utf-8" else self._encode(text)
        end = self._encode(self._options.line_end) if ends else b""
        self._file.write(self._last_end)
        self._file.write(written[: len(written) - len(end)])
        self._last_end = end

    def _encode(self, text: str | bytes) -> bytes:
        whole = text.decode() if isinstance(text, bytes) else text
        try:
            return self._encoder.encode(whole)
        except UnicodeEncodeError as error:
            raise TableError(
                say(
                    "{character!r} cannot be written in {encoding}",
                    character=whole[error.start],
                    encoding=self._options.codec,
                ),
                remedy=say("choose utf-8 for the output"),
            ) from error

    def _field(self, texts: pl.Expr, width: int) -> pl.Expr:
        # At its edges, a part of the separator would join the separator beside it.
        inside = ['"', "\n", "\r", self._separator]
        edges = list(dict.fromkeys(self._separator))
        needs = texts == "" if width > 1 or self._null else texts.fill_null("") == ""
        for mark in inside:
            needs |= texts.str.contains(mark, literal=True)
        for mark in edges:
            needs |= texts.str.starts_with(mark) | texts.str.ends_with(mark)
        return pl.when(needs).then(self._in_quotes(texts)).otherwise(texts.fill_null(self._null))

    def _quote(self, texts: pl.Expr, width: int) -> pl.Expr:
        """Fields that always stand in quotes, but for missing values."""
        if width == 1 and not self._null:
            return self._in_quotes(texts)
        return pl.when(texts.is_null()).then(pl.lit(self._null)).otherwise(self._in_quotes(texts))

    @staticmethod
    def _in_quotes(texts: pl.Expr) -> pl.Expr:
        doubled = texts.fill_null("").str.replace_all('"', '""', literal=True)
        return pl.concat_str(pl.lit('"'), doubled, pl.lit('"'))
