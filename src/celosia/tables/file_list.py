"""The files that a table is made of: one, several, all that fit a pattern, or those of a folder."""

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import unquote

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.formats import find_format
from celosia.tables.packing import is_packed, unpack, unpacked_name
from celosia.tables.place import is_remote
from celosia.tables.staged import name_of

__all__ = [
    "TableFile",
    "find_files",
    "has_choices",
    "is_file_list",
    "is_hidden",
    "is_table_name",
    "partition_of",
    "plain_name",
]

_NO_VALUE = "__HIVE_DEFAULT_PARTITION__"
_CHOICE = re.compile(r"\{([^{}]*,[^{}]*)\}")


@dataclass(frozen=True)
class TableFile:
    """A file of a table, unpacked, what the folders that it lies in say of all its rows, and its sheet to be read."""

    path: Path
    partition: Mapping[str, str | None] = field(default_factory=dict)
    sheet: str | None = None


def is_file_list(source: Any) -> bool:
    """Whether a caller names several files.

    >>> is_file_list(["jan.csv", "feb.csv"]), is_file_list("jan.csv"), is_file_list([1, 2])
    (True, False, False)
    """
    return (
        isinstance(source, list | tuple)
        and bool(source)
        and all(isinstance(place, str | os.PathLike) for place in source)
    )


def find_files(source: Any, *, members: Sequence[str] = (), format: str | None = None) -> list[TableFile]:
    """The files of a table, in the order of their names, each unpacked where it is compressed.

    ``source`` is a path, a pattern such as ``visits_*.csv`` or ``{jan,feb}.csv``, a folder, an address of an object
    store or of the web, or a list of them; ``members`` are files of an archive.
    """
    places = list(source) if is_file_list(source) else [source]
    found = [file for place in places for file in _files_at(place, format)]
    return [
        TableFile(path, file.partition)
        for file in found
        for path in (unpack(file.path, members) if is_packed(file.path) else [file.path])
    ]


def _files_at(place: Any, format: str | None) -> list[TableFile]:
    if is_remote(place):
        from celosia.tables.remote import fetch_files

        return [TableFile(path, partition) for path, partition in fetch_files(str(place), format)]
    path = Path(place)
    if path.is_dir():
        return _files_in(path, format)
    if path.exists() or not _is_pattern(str(place)):
        _check_file(path)
        return [TableFile(path)]
    fixed = _fixed_part(str(place))
    matches = sorted(
        {match for text in _expand_choices(str(place)) for match in glob.glob(text, recursive=True)}
    )
    files = [Path(match) for match in matches if Path(match).is_file()]
    if not files:
        raise TableError(
            say("no file fits this pattern"), where=str(place), remedy=say("check the path and its ending")
        )
    for file in files:
        _check_file(file)
    return [TableFile(file, partition_of(PurePath(os.path.relpath(file, fixed)))) for file in files]


def _is_pattern(text: str) -> bool:
    return glob.has_magic(text) or has_choices(text)


def has_choices(text: str) -> bool:
    """Whether a pattern names several choices.

    >>> has_choices("{jan,feb}.csv"), has_choices("{jan}.csv")
    (True, False)
    """
    return _CHOICE.search(text) is not None


def _expand_choices(text: str) -> Iterator[str]:
    """The patterns that one with choices stands for.

    >>> list(_expand_choices("{jan,feb}_*.csv"))
    ['jan_*.csv', 'feb_*.csv']
    """
    found = _CHOICE.search(text)
    if found is None:
        yield text
        return
    for choice in found[1].split(","):
        yield from _expand_choices(text[: found.start()] + choice + text[found.end() :])


def _fixed_part(text: str) -> Path:
    """The folder that a pattern begins with.

    >>> _fixed_part("visits/year=*/*.parquet")
    PosixPath('visits')
    """
    fixed: list[str] = []
    for part in Path(text).parts:
        if _is_pattern(part):
            break
        fixed.append(part)
    return Path(*fixed)


def _files_in(folder: Path, format: str | None) -> list[TableFile]:
    """The files of a folder and those below it, all in one format; what begins with a dot or a line is left out."""
    found = sorted(
        path
        for path in folder.rglob("*")
        if path.is_file() and not is_hidden(path.relative_to(folder)) and path.stat().st_size
    )
    if format is None:
        found = [path for path in found if is_table_name(path)]
    if not found:
        raise TableError(
            say("there is no table in this folder"),
            where=str(folder),
            remedy=say("give the path of a file, or name the format of the files in it"),
        )
    return [TableFile(path, partition_of(path.relative_to(folder))) for path in found]


def is_hidden(path: PurePath) -> bool:
    """Whether a file is what engines and systems leave in folders, or the record of a release.

    >>> is_hidden(PurePath("_SUCCESS")), is_hidden(PurePath("year=2024/part-0.parquet"))
    (True, False)
    """
    return any(part.startswith((".", "_")) for part in path.parts) or path.name.endswith(".record.json")


def is_table_name(path: Path) -> bool:
    """Whether the name of a file ends as that of a table does.

    >>> is_table_name(Path("people.csv.gz")), is_table_name(Path("readme.md"))
    (True, False)
    """
    try:
        find_format(unpacked_name(path))
    except TableError:
        return path.suffix.lower() == ".zip"
    return True


def partition_of(path: PurePath) -> dict[str, str | None]:
    """What the folders of a path say of the rows, as Hive and Spark write it.

    >>> partition_of(PurePath("year=2024/town=Le%C3%B3n/part-0.parquet"))
    {'year': '2024', 'town': 'León'}
    """
    pairs = [part.partition("=") for part in path.parts[:-1] if "=" in part.lstrip("=")]
    return {unquote(name): None if value == _NO_VALUE else unquote(value) for name, _, value in pairs}


def plain_name(place: str) -> str:
    """What a table is called by its place, where that is a file, a pattern or a folder.

    >>> plain_name("clinic/people.csv.gz"), plain_name("visits/*.csv"), plain_name("s3://clinic/visits/2024.parquet")
    ('people', 'visits', '2024')
    >>> plain_name("visits_*.csv"), plain_name("*.csv")
    ('visits', 'table')
    """
    path = PurePath(place.partition("?")[0].rstrip("/") if is_remote(place) else place)
    for part in (path, *path.parents):
        name = unpacked_name(Path(part.name)).stem if part is path else part.name
        fixed = re.split(r"[*?\[{]", name)[0].rstrip("_-. ")
        if fixed:
            return fixed
    return "table"


def _check_file(path: Path) -> None:
    where = name_of(path)
    if not path.exists():
        raise TableError(say("this file does not exist"), where=where, remedy=say("check the path"))
    if path.is_file() and path.stat().st_size == 0:
        raise TableError(say("the file is empty"), where=where, remedy=say("check that it was saved"))
