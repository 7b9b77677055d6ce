"""ARFF, the format of Weka: a header with an attribute per column, then rows between commas."""

import re
from pathlib import Path
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say, say_count
from celosia.tables.format import FileLayout, Format, FrameReader, Options, check_names, reading
from celosia.tables.records import decode_text
from celosia.tables.staged import name_of
from celosia.types import ColumnType
from celosia.values.text import text_of

__all__ = ["FORMATS", "ArffSink", "quote_arff", "read_arff"]

_QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+(?:{_QUOTED}|([^\s'\"{{]+))\s*(.+)", re.IGNORECASE)
_FIELD = re.compile(rf"[ \t]*(?:{_QUOTED}|([^,'\"%]*?))[ \t]*(,|$|%.*$)")
_ESCAPE = re.compile(r"\\(.)")
_MEANING = {"n": "\n", "r": "\r", "t": "\t"}
_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BARE = r"[A-Za-z0-9_.<>=+*/:;()\[\]-]+"
_MOST_NOMINAL = 1000


def read_arff(path: Path, options: Options) -> FrameReader:
    """All rows of an ARFF file as text; an unquoted ``?`` is missing."""
    where = name_of(path)
    text = decode_text(path, options.encoding)
    if not text.strip():
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
    lines = text.replace("\r\n", "\n").split("\n")
    names, kinds, start = _read_header(lines, where=where)
    rows = [(number, line) for number, line in enumerate(lines[start:], start + 1) if line.strip()]
    rows = [(number, line) for number, line in rows if not line.lstrip().startswith("%")]
    if not rows:
        raise TableError(
            say("the file has a header but no rows"), where=where, remedy=say("check that it was saved")
        )
    schema = dict.fromkeys(names, pl.String)
    plain = not re.search(r"['\"\\%{]", "\n".join(line for _, line in rows))
    fields = [_split(line, number, width=len(names), plain=plain, where=where) for number, line in rows]
    frame = pl.DataFrame(fields, schema=schema, orient="row")
    declared = {name: ColumnType.TEXT for name, kind in zip(names, kinds, strict=True) if kind == "text"}
    return FrameReader(frame, options, declared)


def _read_header(lines: list[str], *, where: str) -> tuple[tuple[str, ...], list[str], int]:
    """Names and kinds of the attributes, and the place of the first line of data."""
    names, kinds = [], []
    for place, line in enumerate(lines):
        word = line.split(maxsplit=1)[0].lower() if line.strip() else "%"
        if word == "@attribute":
            found = _ATTRIBUTE.match(line.strip())
            if not found:
                raise _wrong(line, place + 1, where=where)
            single, double, bare, kind = found.groups()
            names.append(bare if bare is not None else _unescape(single if single is not None else double))
            kinds.append(_kind_of(kind, line, place + 1, where=where))
        elif word == "@data":
            return check_names(names, where=where), kinds, place + 1
        elif word != "@relation" and not word.startswith("%"):
            raise _wrong(line, place + 1, where=where)
    raise TableError(
        say("this is not an ARFF file: it has no @data line"), where=where, remedy=say("check its header")
    )


def _kind_of(declared: str, line: str, number: int, *, where: str) -> str:
    word = declared.split(maxsplit=1)[0].lower()
    if word.startswith("{") or word == "string":
        return "text"
    if word in ("numeric", "real", "integer", "date"):
        return word
    raise _wrong(line, number, where=where)


def _wrong(line: str, number: int, *, where: str) -> TableError:
    return TableError(
        say("line {number} is not understood: {text!r}", number=number, text=line.strip()[:60]),
        where=where,
        remedy=say("attributes are numeric, string, date or {{values}}"),
    )


def _unescape(text: str) -> str:
    return _ESCAPE.sub(lambda found: _MEANING.get(found[1], found[1]), text)


def _split(line: str, number: int, *, width: int, plain: bool, where: str) -> list[str | None]:
    """The fields of one row."""
    if line.lstrip().startswith("{"):
        raise TableError(
            say("line {number} is a sparse row, which is not supported", number=number),
            where=where,
            remedy=say("save the file with full rows"),
        )
    fields = _plain_fields(line) if plain else _quoted_fields(line)
    if fields is None:
        raise TableError(
            say("the quotes in line {number} do not pair", number=number),
            where=where,
            remedy=say("mend the line"),
        )
    if len(fields) != width:
        raise TableError(
            say_count(
                "line {line} has {count} field instead of {expected}",
                "line {line} has {count} fields instead of {expected}",
                len(fields),
                line=number,
                expected=width,
            ),
            where=where,
            remedy=say("mend the line"),
        )
    return fields


def _plain_fields(line: str) -> list[str | None]:
    stripped = (field.strip(" \t") for field in line.split(","))
    return [None if field in ("", "?") else field for field in stripped]


def _quoted_fields(line: str) -> list[str | None] | None:
    fields: list[str | None] = []
    place = 0
    while found := _FIELD.match(line, place):
        single, double, bare, end = found.groups()
        quoted = single if single is not None else double
        fields.append(_unescape(quoted) if quoted is not None else None if bare in ("", "?") else bare)
        place = found.end()
        if end != ",":
            return fields
    return None


class ArffSink:
    """An ARFF file; its rows are kept until the end because the header lists the values of a nominal attribute."""

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._layout = file, layout
        self._parts: list[pl.DataFrame] = []

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        texts = [text_of(pl.nth(i), dtype, column=part.columns[i]) for i, dtype in enumerate(part.dtypes)]
        self._parts.append(part.select(texts))

    def close(self) -> None:
        """Write header and rows."""
        frame = pl.concat(self._parts)
        types = {column.name: column.type for column in self._layout.schema}
        header, fields = ["@relation celosia", ""], []
        for place, name in enumerate(frame.columns):
            kind = _kind(frame.to_series(place).alias(""), types.get(name, ColumnType.TEXT))
            header.append(f"@attribute {quote_arff(name)} {kind}")
            fields.append(pl.nth(place) if kind == "numeric" else _quoted(pl.nth(place)))
        line = pl.concat_str([field.fill_null("?") for field in fields], separator=",").alias("line")
        text = "\n".join([*header, "", "@data", *frame.select(line).to_series().to_list()]) + "\n"
        with reading(
            say("the output"), say("text that {encoding} can hold", encoding=self._layout.options.encoding)
        ):
            written = text.encode(self._layout.options.encoding)
        self._file.write(written)

    def abandon(self) -> None:
        """Forget the rows."""
        self._parts = []


def _kind(values: pl.Series, type: ColumnType) -> str:
    """How the header declares a column: numeric, a date, the values of a nominal attribute, or text."""
    if type in (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL):
        numbers = values.cast(pl.Float64, strict=False).fill_nan(None)
        if numbers.null_count() == values.null_count():
            return "numeric"
    if type == ColumnType.DATE:
        return 'date "yyyy-MM-dd"'
    distinct = values.drop_nulls().unique().sort()
    if len(distinct) > _MOST_NOMINAL:
        return "string"
    return "{" + ",".join(quote_arff(value) for value in distinct) + "}"


def _quoted(values: pl.Expr) -> pl.Expr:
    """The expression of :func:`quote_arff`."""
    escaped = values
    for character, escape in _ESCAPES.items():
        escaped = escaped.str.replace_all(character, escape, literal=True)
    bare = values.str.contains(f"^{_BARE}$")
    return pl.when(bare).then(values).otherwise(pl.concat_str(pl.lit("'"), escaped, pl.lit("'")))


def quote_arff(text: str) -> str:
    """A name or value, between quotes unless it can do without.

    >>> quote_arff("Never-married"), quote_arff("it's")
    ('Never-married', "'it\\\\'s'")
    """
    if re.fullmatch(_BARE, text):
        return text
    for character, escape in _ESCAPES.items():
        text = text.replace(character, escape)
    return f"'{text}'"


FORMATS = (
    Format(
        name="arff", suffixes=(".arff",), read=read_arff, create=ArffSink, holds_text=True, keeps_text=True
    ),
)
