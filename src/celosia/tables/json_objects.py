"""Objects of a JSON file that is too large for memory, some at a time: an object per line, or an array of them."""

from collections.abc import Iterator
from contextlib import closing
from functools import reduce
from itertools import chain
from pathlib import Path

import polars as pl

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import check_names
from celosia.tables.staged import name_of

__all__ = ["no_array", "read_objects"]

_BLOCK = 1 << 24
"""Bytes that are looked at at once."""
_OBJECTS = 1 << 14
_MARK = b"\xef\xbb\xbf"


def no_array(where: str) -> TableError:
    """The error that a file is not what JSON files of tables are."""
    return TableError(
        say("this is not an array of objects"),
        where=where,
        remedy=say("name the format ndjson if it has an object per line"),
    )


def read_objects(path: Path, *, is_array: bool) -> Iterator[pl.DataFrame]:
    """The objects of a file as frames that all have the same columns: those of any object."""
    where = name_of(path)
    if is_array and not _begins_array(path):
        raise no_array(where)
    schemas = [_frame(block).schema for block in _blocks(path, is_array=is_array)]
    if not schemas:
        raise TableError(say("the file has no rows"), where=where, remedy=say("check that it was saved"))
    schema = reduce(_both, schemas)
    check_names(list(schema), where=where)
    return chain([pl.DataFrame(schema=schema)], _typed(path, schema, is_array=is_array))


def _typed(path: Path, schema: pl.Schema, *, is_array: bool) -> Iterator[pl.DataFrame]:
    for block in _blocks(path, is_array=is_array):
        yield pl.read_ndjson(block, schema=schema)


def _frame(block: bytes) -> pl.DataFrame:
    return pl.read_ndjson(block, infer_schema_length=None)


def _both(one: pl.Schema, other: pl.Schema) -> pl.Schema:
    """The columns of both, each with a type that holds the values of both.

    >>> dict(_both(pl.Schema({"a": pl.Int64()}), pl.Schema({"a": pl.Float64(), "b": pl.String()})))
    {'a': Float64, 'b': String}
    """
    if one == other:
        return one
    frames = [pl.DataFrame(schema=schema) for schema in (one, other)]
    return pl.concat(frames, how="diagonal_relaxed").schema


def _begins_array(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(1 << 16).removeprefix(_MARK).lstrip().startswith(b"[")


def _blocks(path: Path, *, is_array: bool) -> Iterator[bytes]:
    """Lines with an object each, many at once."""
    return _objects_of_array(path) if is_array else _lines(path)


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while raw := file.read(_BLOCK) + file.readline():
            block = raw.removeprefix(_MARK) if file.tell() == len(raw) else raw
            if block.strip():
                yield block


def _objects_of_array(path: Path) -> Iterator[bytes]:
    """The objects of an array, as DuckDB cuts it; line ends between their parts mean nothing and are blanks here."""
    import duckdb

    settings = {"autoinstall_known_extensions": False, "autoload_known_extensions": False, "threads": 1}
    with closing(duckdb.connect(":memory:", config=settings)) as connection:
        connection.execute("SET enable_progress_bar = false")
        found = connection.execute(
            "SELECT translate(json, chr(10) || chr(13), '  ') FROM read_json_objects(?, format = 'array', "
            "maximum_object_size = 67108864)",
            [str(path)],
        )
        while rows := found.fetchmany(_OBJECTS):
            yield "\n".join(row[0] for row in rows).encode()
