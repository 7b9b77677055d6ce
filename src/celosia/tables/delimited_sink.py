"""Rows into a text file with separators of one or several characters, in any encoding, quoted where needed."""

import codecs
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout
from celosia.tables.records import check_encoding
from celosia.tables.sniff import check_separator
from celosia.values.text import text_of

__all__ = ["DelimitedSink"]


class DelimitedSink:
    """A text file that is being written; a null becomes the first text of a missing value.

    >>> import io
    >>> from celosia.tables.format import Options
    >>> from celosia.types import Schema
    >>> file = io.BytesIO()
    >>> sink = DelimitedSink(file, FileLayout(Schema(()), Options(separator=", ")))
    >>> sink.append(pl.DataFrame({"a": ["x, y", None], "b": [1, 2]}))
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
        encoding = check_encoding(options.encoding)
        self._plain = len(self._separator.encode()) == 1 and encoding == "utf-8"
        self._encoder = codecs.getincrementalencoder(encoding)()
        self._started = not options.header

    def append(self, part: pl.DataFrame) -> None:
        """Add rows, after the names if they are the first."""
        header = pl.DataFrame([pl.Series(str(i), [name]) for i, name in enumerate(part.columns)])
        for rows in [part] if self._started else [header, part]:
            self._append_plain(rows) if self._plain else self._append_lines(rows)
        self._started = True

    def close(self) -> None:
        """Nothing is due at the end."""

    def abandon(self) -> None:
        """Nothing is held."""

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
        rows.write_csv(
            self._file,
            include_header=False,
            separator=self._separator,
            null_value=self._null,
            quote_style="necessary",
        )

    def _texts(self, part: pl.DataFrame, place: int) -> pl.Expr:
        return text_of(pl.nth(place), part.dtypes[place], column=part.columns[place])

    def _append_lines(self, part: pl.DataFrame) -> None:
        """Join the fields here, because the engine knows one-byte separators and UTF-8 only."""
        fields = [self._field(self._texts(part, place), part.width) for place in range(part.width)]
        lines = part.select(pl.concat_str(fields, separator=self._separator).alias("line")).to_series()
        if not len(lines):
            return
        text = "\n".join(lines.to_list()) + "\n"
        try:
            self._file.write(self._encoder.encode(text))
        except UnicodeEncodeError as error:
            raise TableError(
                say(
                    "{character!r} cannot be written in {encoding}",
                    character=text[error.start],
                    encoding=self._options.encoding,
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
        quoted = pl.concat_str(
            pl.lit('"'), texts.fill_null("").str.replace_all('"', '""', literal=True), pl.lit('"')
        )
        return pl.when(needs).then(quoted).otherwise(texts.fill_null(self._null))
