"""JSON, as an array of objects, and NDJSON, an object on every line."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format, FrameReader, Options, Reader, check_names, reading
from celosia.tables.json_objects import no_array, read_objects
from celosia.tables.kept_frames import LARGE, keep_frames
from celosia.tables.records import check_encoding, decode_text
from celosia.tables.staged import name_of
from celosia.values.text import text_of

__all__ = ["FORMATS", "JsonSink", "read_json"]


def read_json(path: Path, options: Options, *, lines: bool) -> Reader:
    """All objects of a file; a key that an object lacks is missing in its row.

    Those of a large file are read some at a time, twice: to know what they hold, and to keep them in a private file.
    """
    where, kind = name_of(path), say("an NDJSON file") if lines else say("a JSON file")
    if path.stat().st_size >= LARGE and check_encoding(options.codec, where=where) == "utf-8":
        with reading(where, kind):
            return keep_frames(read_objects(path, is_array=not lines), path, options)
    text = decode_text(path, options.codec).strip()
    if not text:
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
    if not lines and not text.startswith("["):
        raise no_array(where)
    read: Callable[..., pl.DataFrame] = pl.read_ndjson if lines else pl.read_json
    with reading(where, kind):
        frame = read(text.encode(), infer_schema_length=None)
    check_names(frame.columns, where=where)
    if not frame.height or not frame.width:
        raise TableError(say("the file has no rows"), where=where, remedy=say("check that it was saved"))
    return FrameReader(frame, options)


class JsonSink:
    """A JSON file that is being written, part by part."""

    def __init__(self, file: IO[bytes], layout: FileLayout, *, lines: bool) -> None:
        self._file, self._lines = file, lines
        self._started = False

    def append(self, part: pl.DataFrame) -> None:
        """Add an object per row."""
        for values in part.iter_columns():
            _check_finite(values)
        columns = [_value(pl.nth(i), dtype, part.columns[i]) for i, dtype in enumerate(part.dtypes)]
        with reading(say("the output"), say("a table that JSON can hold")):
            text = part.select(columns).write_ndjson().rstrip("\n")
        if not text:
            return
        if self._lines:
            self._file.write(text.encode() + b"\n")
        else:
            # A line end within a value is escaped, so each one here ends an object.
            start = b",\n" if self._started else b"[\n"
            self._file.write(start + text.replace("\n", ",\n").encode())
        self._started = True

    def close(self) -> None:
        """Close the array."""
        if not self._lines:
            self._file.write(b"\n]\n" if self._started else b"[]\n")

    def abandon(self) -> None:
        """Nothing is held."""


def _check_finite(values: pl.Series) -> None:
    """Raise where a number would become null, as if it were missing."""
    if values.dtype.is_float() and values.alias("").is_infinite().any():
        raise TableError(
            say("column {name!r} holds infinite numbers, and JSON has none", name=values.name),
            remedy=say("write CSV or Parquet"),
        )


def _value(value: pl.Expr, dtype: pl.DataType, column: str) -> pl.Expr:
    """JSON knows numbers, booleans, text, lists and objects; the rest is written as its text."""
    if dtype.is_nested() or dtype.is_integer() or dtype.is_float() or dtype == pl.Boolean:
        return value
    return text_of(value, dtype, column=column)


FORMATS = (
    Format(
        name="json",
        suffixes=(".json",),
        read=partial(read_json, lines=False),
        create=partial(JsonSink, lines=False),
    ),
    Format(
        name="ndjson",
        suffixes=(".ndjson", ".jsonl"),
        read=partial(read_json, lines=True),
        create=partial(JsonSink, lines=True),
    ),
)
