"""Releases to object stores: written and verified here, then put there under their name at once, with their record."""

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Any

from celosia.errors import CelosiaError, ReleaseError
from celosia.release.publish import Placed, record_text
from celosia.say import say
from celosia.tables.place import check_remote
from celosia.tables.private import erase_leftovers, private_folder
from celosia.tables.spark.address import record_beside
from celosia.tables.stores import StoredObject, open_object, put_object, read_object, remove_object

__all__ = ["ensure_free_in_store", "publishing_to_store"]


def ensure_free_in_store(place: str, *, overwrite: bool) -> None:
    """Raise unless a release can be put at ``place``.

    A record alone is what a process left that was killed between putting the two.
    """
    check_remote(place)
    if open_object(place) is not None and not overwrite:
        raise _taken(place)


def _taken(place: str) -> ReleaseError:
    return ReleaseError(
        say("{path} exists already", path=place),
        remedy=say("choose another name, or allow it with --overwrite"),
    )


@contextmanager
def publishing_to_store(
    place: str,
    *,
    describe: Callable[[], Mapping[str, Any]],
    overwrite: bool = False,
    placed: Placed | None = None,
) -> Iterator[Path]:
    """A private path here for a release; once it is written and verified, it is put into the store with its record.

    The record is put first: where a release lies, its evidence does.
    """
    ensure_free_in_store(place, overwrite=overwrite)
    here = Path(tempfile.gettempdir())
    erase_leftovers(here)
    with private_folder(here) as private:
        hidden = private / PurePosixPath(place).name
        os.close(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        yield hidden
        record = private / "record.json"
        record.write_text(record_text(describe()), encoding="utf-8")
        _put_both(hidden, record, place, overwrite=overwrite, placed=placed)


def _put_both(release: Path, record: Path, place: str, *, overwrite: bool, placed: Placed | None) -> None:
    beside = record_beside(place)
    before, was_there = _kept(beside, record.with_name("before.json")), open_object(place) is not None
    put_object(record, beside, overwrite=True)
    try:
        put_object(release, place, overwrite=overwrite)
    except BaseException as error:
        _put_back(beside, before)
        if isinstance(error, FileExistsError):
            raise _taken(place) from None
        raise
    if placed is not None and not was_there:
        placed += [partial(_take_away, open_object(each)) for each in (place, beside)]


def _kept(place: str, path: Path) -> Path | None:
    """A copy of the object at a place, if there is one."""
    if open_object(place) is None:
        return None
    path.write_bytes(b"".join(read_object(place)))
    return path


def _put_back(place: str, before: Path | None) -> None:
    with suppress(CelosiaError):
        if before is None:
            remove_object(place)
        else:
            put_object(before, place, overwrite=True)


def _take_away(ours: StoredObject | None) -> None:
    """Remove an object, unless another has taken its place."""
    if ours is not None and open_object(ours.place) == ours:
        remove_object(ours.place)
