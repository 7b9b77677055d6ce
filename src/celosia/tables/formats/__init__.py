"""The formats a file may have: one module each, found by its ``FORMATS``; a new format is one new module."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.format import Format

__all__ = ["find_format", "list_formats"]


@cache
def list_formats() -> tuple[Format, ...]:
    """Every format there is, by name.

    >>> [format.name for format in list_formats()]
    ['arff', 'csv', 'json', 'ndjson', 'parquet', 'tsv', 'xlsx']
    """
    modules = [
        importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    ]
    formats = [format for module in modules for format in module.FORMATS]
    return tuple(sorted(formats, key=lambda format: format.name))


def find_format(path: Path, name: str | None = None) -> Format:
    """The format with that name or, without one, the format that the path ends in.

    >>> find_format(Path("people.CSV")).name
    'csv'
    >>> find_format(Path("people.sav"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.TableError: people.sav: files that end in '.sav' are not known; name the format: arff, csv, ...
    """
    known = ", ".join(format.name for format in list_formats())
    for format in list_formats():
        if name == format.name or (name is None and path.suffix.lower() in format.suffixes):
            return format
    if name is not None:
        raise TableError(
            say("the format {name!r} is not known", name=name),
            where=str(path),
            remedy=say("choose one of: {names}", names=known),
        )
    raise TableError(
        say("files that end in {ending!r} are not known", ending=path.suffix)
        if path.suffix
        else say("a file without an ending is not known"),
        where=str(path),
        remedy=say("name the format: {names}", names=known),
    )
