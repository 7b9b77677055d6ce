"""The formats a file may have: one module each, found by its ``FORMATS``; a new format is one new module."""

import importlib
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import FileLayout, Format, Sink
from celosia.tables.packing import unpacked_name
from celosia.tables.staged import name_of

__all__ = ["find_format", "list_formats", "writer_of"]


@cache
def list_formats() -> tuple[Format, ...]:
    """Every format there is, by name.

    >>> [format.name for format in list_formats()][:9]
    ['arff', 'arrow', 'csv', 'dta', 'json', 'ndjson', 'ods', 'parquet', 'sas7bdat']
    """
    modules = [
        importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    ]
    formats = [format for module in modules for format in module.FORMATS]
    return tuple(sorted(formats, key=lambda format: format.name))


def find_format(path: Path, name: str | None = None) -> Format:
    """The format with that name or, without one, the format that the path ends in, before the ending of a compression.

    >>> find_format(Path("people.CSV")).name
    'csv'
    >>> find_format(Path("people.csv.gz")).name
    'csv'
    >>> find_format(Path("people.doc"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.doc: files that end in '.doc' are not known; name the format: arff, arrow, ...
    """
    where, path = name_of(path), unpacked_name(path)
    known = ", ".join(format.name for format in list_formats())
    for format in list_formats():
        if name == format.name or (name is None and path.suffix.lower() in format.suffixes):
            return format
    if name is not None:
        raise TableError(
            say("the format {name!r} is not known", name=name),
            where=where,
            remedy=say("choose one of: {names}", names=known),
        )
    raise TableError(
        say("files that end in {ending!r} are not known", ending=path.suffix)
        if path.suffix
        else say("a file without an ending is not known"),
        where=where,
        remedy=say("name the format: {names}", names=known),
    )


def writer_of(path: Path, name: str | None = None) -> Callable[[IO[bytes], FileLayout], Sink]:
    """How a new file is written; formats that are only read are refused.

    >>> writer_of(Path("safe.csv")).__name__
    'DelimitedSink'
    """
    format = find_format(path, name)
    if format.create is None:
        written = ", ".join(each.name for each in list_formats() if each.create is not None)
        raise TableError(
            say("files in the format {name} are read here, and not written", name=format.name),
            where=name_of(path),
            remedy=say("choose one of: {names}", names=written),
        )
    return format.create
