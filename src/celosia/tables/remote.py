"""Files that are elsewhere, in an object store or on the web, brought here to be read."""

import glob
import re
import shutil
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from http.client import HTTPMessage
from pathlib import Path, PurePosixPath
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.file_list import has_choices, is_hidden, is_table_name, partition_of
from celosia.tables.packing import size_text
from celosia.tables.place import check_remote, is_web
from celosia.tables.staged import StagedPath, stage_file

__all__ = ["fetch_files"]

_SECONDS = 60
_STEP = 1 << 20


def fetch_files(place: str, format: str | None = None) -> list[tuple[Path, dict[str, str | None]]]:
    """The files at an address, as private copies here, each with what its folders say of its rows."""
    check_remote(place)
    if is_web(place):
        return [(_fetch_web(place), {})]
    from celosia.tables.stores import list_objects, open_object

    found = open_object(place)
    if found is not None:
        return [(_fetch_object(place, found.version, found.size), {})]
    fixed, pattern = _fixed_part(place)
    objects = [
        each
        for each in list_objects(fixed)
        if each.size
        and (
            pattern.fullmatch(each.place)
            if pattern
            else not is_hidden(PurePosixPath(_below(each.place, fixed)))
        )
        and (pattern or format is not None or is_table_name(Path(each.place)))
    ]
    if not objects:
        raise TableError(
            say("there is no such file in the store"),
            where=place,
            remedy=say("check the bucket and the name"),
        )
    return [
        (
            _fetch_object(each.place, each.version, each.size),
            partition_of(PurePosixPath(_below(each.place, fixed))),
        )
        for each in sorted(objects, key=lambda each: each.place)
    ]


def _below(place: str, folder: str) -> str:
    return place.removeprefix(folder)


def _fixed_part(place: str) -> tuple[str, re.Pattern[str] | None]:
    """The folder that an address names or begins with, and the pattern of the rest, if it is one.

    >>> fixed, pattern = _fixed_part("s3://clinic/visits/year=*/*.parquet")
    >>> fixed, bool(pattern.fullmatch("s3://clinic/visits/year=2024/part-0.parquet"))
    ('s3://clinic/visits/', True)
    """
    if not glob.has_magic(place) and not has_choices(place):
        return place.rstrip("/") + "/", None
    first = min(at for at in map(place.find, "*?[{") if at >= 0)
    return place[: place.rfind("/", 0, first) + 1], re.compile(_as_expression(place))


def _as_expression(pattern: str) -> str:
    """A pattern as a regular expression, for objects have no folders to look through."""
    parts = re.split(r"(\*\*/|\*|\?|\[[^\]]*\]|\{[^{}]*\})", pattern)
    meanings = {"**/": "(?:.*/)?", "*": "[^/]*", "?": "[^/]"}
    written = ""
    for part in parts:
        if part.startswith("["):
            written += "[" + part[1:].replace("!", "^", 1) if part.startswith("[!") else part
        elif part.startswith("{"):
            written += "(?:" + "|".join(map(re.escape, part[1:-1].split(","))) + ")"
        else:
            written += meanings.get(part, re.escape(part))
    return written


@lru_cache(maxsize=4)
def _fetch_object(place: str, version: str, size: int) -> StagedPath:
    """A copy of an object as it is now; commands that open a table several times fetch it once."""
    from celosia.tables.stores import read_object

    def fill(file: IO[bytes]) -> None:
        _check_room(size, file, where=place)
        for block in read_object(place):
            file.write(block)

    return stage_file(PurePosixPath(place).name, fill, shown=place)


class _StayingSafe(urllib.request.HTTPRedirectHandler):
    """Follows an address to another one, if nobody can listen there either."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> urllib.request.Request | None:
        if urlsplit(newurl).scheme != "https":
            raise TableError(
                say("the address leads on to one that is not https"),
                where=req.full_url,
                remedy=say("fetch the file yourself"),
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_copies: dict[str, tuple[str, StagedPath]] = {}
"""The last copy of an address, with what the server said of it."""


def _fetch_web(place: str) -> StagedPath:
    opener = urllib.request.build_opener(
        _StayingSafe, urllib.request.HTTPSHandler(context=ssl.create_default_context())
    )
    with _told_apart(place), opener.open(place, timeout=_SECONDS) as answer:
        said = [answer.headers.get(name) for name in ("ETag", "Last-Modified", "Content-Length")]
        version = "" if said[:2] == [None, None] else "|".join(map(str, said))
        if version and place in _copies and _copies[place][0] == version:
            return _copies[place][1]

        def fill(file: IO[bytes]) -> None:
            expected = int(said[2] or 0)
            _check_room(expected, file, where=place)
            size = 0
            while block := answer.read(_STEP):
                size += len(block)
                file.write(block)
            if expected and size < expected:
                raise TableError(
                    say("only {size} of {whole} arrived", size=size_text(size), whole=size_text(expected)),
                    where=place,
                    remedy=say("try again"),
                )

        path = stage_file(unquote(PurePosixPath(urlsplit(place).path).name), fill, shown=place)
    _copies.clear()  # one is enough
    _copies[place] = (version, path)
    return path


@contextmanager
def _told_apart(place: str) -> Iterator[None]:
    """What may go wrong on the web, each in a sentence of its own."""
    try:
        yield
    except urllib.error.HTTPError as error:
        with error:
            gone = error.code in (404, 410)
            raise TableError(
                say("there is no such file on the web")
                if gone
                else say("the server does not hand the file out ({code})", code=error.code),
                where=place,
                remedy=say("check the address") if gone else say("fetch the file yourself"),
            ) from None
    except (OSError, urllib.error.URLError) as error:
        reason = getattr(error, "reason", error)
        cause = getattr(reason, "strerror", None) or reason
        raise TableError(
            say("the file cannot be fetched ({cause})", cause=cause),
            where=place,
            remedy=say("check the address and the network"),
        ) from None


def _check_room(size: int, file: IO[bytes], *, where: str) -> None:
    free = shutil.disk_usage(Path(file.name).parent).free
    if size > free // 2:
        raise TableError(
            say("the file has {size}, for which there is no room", size=size_text(size)),
            where=where,
            remedy=say("name a larger folder in TMPDIR"),
        )
