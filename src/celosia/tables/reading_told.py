"""What was assumed of a text file, told to people: how it is read, and what is left open."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from celosia.errors import TableError
from celosia.say import Text, join_texts, say
from celosia.tables.format import Options
from celosia.tables.found_forms import Doubt
from celosia.types import ColumnType
from celosia.values.forms import DateForm

__all__ = ["ReadingDoubt", "TextReading", "check_doubts", "reading_of"]

_MARKS = {
    ",": say("comma"),
    ";": say("semicolon"),
    "\t": say("tabulator"),
    "|": say("vertical bar"),
    ".": say("point"),
    " ": say("blank"),
    "\u00a0": say("blank"),
    "\u202f": say("blank"),
    "'": say("apostrophe"),
}
_ENCODINGS = {"cp1252": "Windows-1252", "latin-1": "Latin-1", "mac-roman": "Mac Roman", "cp850": "CP850"}


@dataclass(frozen=True)
class ReadingDoubt:
    """A column that looks like numbers or dates and is read as text, with the lines of the texts that are why."""

    doubt: Doubt
    line: int
    second_line: int | None

    @property
    def column(self) -> str:
        """Its name."""
        return self.doubt.column

    @property
    def is_open(self) -> bool:
        """Whether a person can say which of two readings is meant."""
        return self.doubt.is_open

    @property
    def what(self) -> Text:
        """What is open, or contradicts itself."""
        doubt = self.doubt
        values = {"column": doubt.column, "text": doubt.first, "line": self.line}
        if doubt.is_open:
            if doubt.type is ColumnType.DATE:
                return say(
                    "the dates of column {column!r} may have the day or the month first ({text!r} in line {line})",
                    **values,
                )
            return say(
                "the numbers of column {column!r} may have thousands or decimals ({text!r} in line {line})",
                **values,
            )
        values |= {"second": doubt.second, "second_line": self.second_line}
        if doubt.type is ColumnType.DATE:
            return say(
                "column {column!r} looks like dates as in line {line}, {text!r}, but line {second_line} has "
                "{second!r}: it is read as text",
                **values,
            )
        return say(
            "column {column!r} looks like numbers as in line {line}, {text!r}, but line {second_line} has "
            "{second!r}: it is read as text",
            **values,
        )

    @property
    def remedy(self) -> Text:
        """What a person can do about it."""
        name = self.doubt.column
        if not self.doubt.is_open:
            return say(
                "mend the line, name what means a missing value with --missing, or declare the column: "
                "--type {column}=text",
                column=name,
            )
        if self.doubt.type is ColumnType.DATE:
            return say(
                "say which: --date-format day-first or --date-format month-first, or --type {column}=text",
                column=name,
            )
        return say("say which: --decimal , or --decimal . , or --type {column}=text", column=name)

    @property
    def error(self) -> TableError:
        """The same as an error."""
        return TableError(self.what, remedy=self.remedy)


@dataclass(frozen=True)
class TextReading:
    """How a text file is read: what was given, or found out about it, and what is left open."""

    options: Options
    doubts: tuple[ReadingDoubt, ...] = ()

    @property
    def parts(self) -> list[Text]:
        """Every assumption."""
        options = self.options
        parts = [
            say("separator {separator}", separator=_mark(options.separator or ",")),
            say("encoding {encoding}", encoding=self.encoding),
        ]
        if options.quote == "'":
            parts.append(say("texts in {quote}", quote=options.quote))
        if not options.has_names:
            parts.append(say("no header"))
        if any(form.type is not ColumnType.BOOLEAN for _, form in options.forms or ()):
            parts += self._of_forms()
        marks = [mark for mark in options.missing if mark]
        if marks:
            parts.append(say("missing values {marks}", marks=" ".join(marks)))
        return parts

    def _of_forms(self) -> list[Text]:
        options, forms = self.options, [form for _, form in self.options.forms or ()]
        parts = []
        if options.decimal == ",":
            parts.append(say("decimal comma"))
        if options.thousands:
            parts.append(say("thousands by {mark}", mark=_mark(options.thousands)))
        orders = {form.order for form in forms if isinstance(form, DateForm)}
        told = {
            "dmy": say("dates with the day first"),
            "mdy": say("dates with the month first"),
            "ymd": say("dates with the year first"),
        }
        return parts + [told[order] for order in sorted(orders)]

    @property
    def encoding(self) -> str:
        """The encoding as people call it."""
        name = _ENCODINGS.get(self.options.codec, self.options.codec.upper())
        return (
            say("{encoding} with a byte order mark", encoding=name)
            if self.options.has_byte_order_mark
            else name
        )

    @property
    def sentence(self) -> Text:
        """All of it in a line."""
        return say("read as: {parts}", parts=join_texts(", ", self.parts))

    def told(self) -> dict[str, Any]:
        """What people are told of it, as JSON wants it; what is left open quotes values."""
        doubts = [
            {"column": one.column, "is_open": one.is_open, "what": one.what, "remedy": one.remedy}
            for one in self.doubts
        ]
        return {"sentence": self.sentence, "doubts": doubts}

    def to_dict(self) -> dict[str, Any]:
        """As a record keeps it: no value of the table stands in it, but for marks of missing ones."""
        options = self.options
        return {
            "separator": options.separator,
            "encoding": options.codec,
            "byte_order_mark": options.has_byte_order_mark,
            "quote": options.quote or '"',
            "header": options.has_names,
            "missing": list(options.missing),
            "decimal": options.decimal or ".",
            "thousands": options.thousands or "",
            "date_format": options.date_format,
            "columns": {name: form.text for name, form in options.forms or ()},
            "read_as_text": [doubt.column for doubt in self.doubts],
        }


def _mark(mark: str) -> str:
    return _MARKS.get(mark, mark)


def reading_of(table: Any) -> TextReading | None:
    """How the text file of a table is read; None for any other table.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from celosia.tables import open_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("day;paid\\n13/02/2020;1.234,50\\n01/03/2020;7,00\\n")
    ...     print(reading_of(open_table(Path(folder, "a.csv"))).sentence)
    read as: separator semicolon, encoding UTF-8, decimal comma, thousands by point, dates with the day first, missing
    values ? NA
    """
    format = getattr(table, "format", None)
    if format is None or not format.keeps_markers or not hasattr(table, "reader"):
        return None
    reader = table.reader
    while hasattr(reader, "layer"):
        reader = reader.reader
    doubts = getattr(reader, "doubts", ())
    return TextReading(reader.options, tuple(ReadingDoubt(*doubt) for doubt in doubts))


def check_doubts(table: Any, columns: Mapping[str, str]) -> None:
    """Raise if some columns, with where each is declared, may be read in two ways: a person has to say which."""
    reading = reading_of(table)
    for doubt in () if reading is None else reading.doubts:
        if doubt.is_open and doubt.column in columns:
            raise TableError(doubt.what, where=columns[doubt.column], remedy=doubt.remedy)
