"""ARFF, the format of Weka: a header with an attribute per column, then rows between commas."""

import codecs
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from itertools import chain, islice
from pathlib import Path
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say, say_count
from celosia.tables.format import FileLayout, Format, Options, Reader, check_names, reading
from celosia.tables.kept_frames import keep_frames
from celosia.tables.records import check_encoding, decode_text
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
_ROWS = 1 << 16


def read_arff(path: Path, options: Options) -> Reader:
    """All rows of an ARFF file as text; an unquoted ``?`` is missing.

    Those of a large file are kept as Parquet in a private one, some rows in memory at a time.
    """
    where = name_of(path)
    lines = _lines(path, options.codec)
    names, kinds = _read_header(lines, where=where)
    frames = _frames(lines, names, where=where)
    first = next(frames, None)
    if first is None:
        raise TableError(
            say("the file has a header but no rows"), where=where, remedy=say("check that it was saved")
        )
    declared = {name: ColumnType.TEXT for name, kind in zip(names, kinds, strict=True) if kind == "text"}
    return keep_frames(chain([first], frames), path, options, declared)


def _lines(path: Path, encoding: str) -> Iterator[tuple[int, str]]:
    """The lines of a file with their numbers, without their ends."""
    check_encoding(encoding, where=name_of(path))
    try:
        with path.open(encoding=encoding, newline="\n") as file:
            for number, line in enumerate(file, start=1):
                plain = line.removesuffix("\n").removesuffix("\r")
                yield number, plain.removeprefix("\ufeff") if number == 1 else plain
    except UnicodeError:
        decode_text(path, encoding)  # says which byte it is
        raise


def _frames(
    lines: Iterator[tuple[int, str]], names: tuple[str, ...], *, where: str
) -> Iterator[pl.DataFrame]:
    """The rows after the header, some at a time."""
    rows = ((number, line) for number, line in lines if line.strip() and not line.lstrip().startswith("%"))
    schema = dict.fromkeys(names, pl.String)
    while part := list(islice(rows, _ROWS)):
        plain = not re.search(r"['\"\\%{]", "\n".join(line for _, line in part))
        fields = [_split(line, number, width=len(names), plain=plain, where=where) for number, line in part]
        yield pl.DataFrame(fields, schema=schema, orient="row")


def _read_header(lines: Iterator[tuple[int, str]], *, where: str) -> tuple[tuple[str, ...], list[str]]:
    """Names and kinds of the attributes; the next line is the first of the data."""
    names, kinds = [], []
    is_blank = True
    for number, line in lines:
        is_blank = is_blank and not line.strip()
        word = line.split(maxsplit=1)[0].lower() if line.strip() else "%"
        if word == "@attribute":
            found = _ATTRIBUTE.match(line.strip())
            if not found:
                raise _wrong(line, number, where=where)
            single, double, bare, kind = found.groups()
            names.append(bare if bare is not None else _unescape(single if single is not None else double))
            kinds.append(_kind_of(kind, line, number, where=where))
        elif word == "@data":
            return check_names(names, where=where), kinds
        elif word != "@relation" and not word.startswith("%"):
            raise _wrong(line, number, where=where)
    if is_blank:
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
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
    """An ARFF file; its rows lie in a file without a name until the end: the header lists nominal values.

    Numbers look the same with quotes where needed and without, so that they can be written before it is known that a
    column holds nothing else.
    """

    def __init__(self, file: IO[bytes], layout: FileLayout) -> None:
        self._file, self._layout = file, layout
        self._rows = tempfile.TemporaryFile()  # noqa: SIM115
        self._columns: list[_Attribute] | None = None
        self._encoder = codecs.getincrementalencoder(check_encoding(layout.options.codec))()
        self._encoder.encode("")  # a mark of the byte order stands before the header alone

    def append(self, part: pl.DataFrame) -> None:
        """Add rows."""
        if self._columns is None:
            types = {column.name: column.type for column in self._layout.schema}
            self._columns = [_Attribute(name, types.get(name, ColumnType.TEXT)) for name in part.columns]
        texts = part.select(
            text_of(pl.nth(i), dtype, column=part.columns[i]) for i, dtype in enumerate(part.dtypes)
        )
        for attribute, values in zip(self._columns, texts.iter_columns(), strict=True):
            attribute.look_at(values.alias(""))
        fields = [_quoted(pl.nth(place)).fill_null("?") for place in range(texts.width)]
        lines = texts.select(pl.concat_str(fields, separator=",").alias("line")).to_series().to_list()
        with self._holding():
            self._rows.write(self._encoder.encode("".join(f"{line}\n" for line in lines)))

    def _holding(self) -> AbstractContextManager[None]:
        encoding = self._layout.options.codec
        return reading(say("the output"), say("text that {encoding} can hold", encoding=encoding))

    def close(self) -> None:
        """Write the header, then the rows."""
        header = ["@relation celosia", "", *(each.declaration for each in self._columns or []), "", "@data"]
        with self._holding():
            self._file.write(("\n".join(header) + "\n").encode(self._layout.options.codec))
        self._rows.seek(0)
        shutil.copyfileobj(self._rows, self._file)
        self._rows.close()

    def abandon(self) -> None:
        """Forget the rows."""
        self._rows.close()


class _Attribute:
    """What is known of a column while its rows go by."""

    def __init__(self, name: str, type: ColumnType) -> None:
        self._name, self._type = name, type
        self._is_number = type in (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL)
        self._distinct: set[str] = set()

    def look_at(self, values: pl.Series) -> None:
        if self._is_number:
            numbers = values.cast(pl.Float64, strict=False).fill_nan(None)
            self._is_number = numbers.null_count() == values.null_count()
        if len(self._distinct) <= _MOST_NOMINAL:
            self._distinct.update(values.unique().drop_nulls())

    @property
    def declaration(self) -> str:
        """How the header declares a column: numeric, a date, the values of a nominal attribute, or text."""
        return f"@attribute {quote_arff(self._name)} {self._kind}"

    @property
    def _kind(self) -> str:
        if self._is_number:
            return "numeric"
        if self._type == ColumnType.DATE:
            return 'date "yyyy-MM-dd"'
        if len(self._distinct) > _MOST_NOMINAL:
            return "string"
        return "{" + ",".join(quote_arff(value) for value in sorted(self._distinct)) + "}"


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
