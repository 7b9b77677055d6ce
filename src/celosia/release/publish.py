"""Puts a release into place at once, after it was verified where nobody looks for it; a failed one leaves nothing."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from celosia.errors import ReleaseError
from celosia.say import keep_texts, say
from celosia.tables.private import erase_leftovers, move, private_folder

__all__ = [
    "Placed",
    "Stamp",
    "ensure_free",
    "publish",
    "publishing",
    "record_path",
    "record_text",
    "stamp",
    "undone_unless_all",
]

Result = TypeVar("Result")


def record_path(destination: Path) -> Path:
    """Where the record of a release lies.

    >>> record_path(Path("safe.csv")).name
    'safe.record.json'
    """
    return destination.with_name(f"{destination.stem}.record.json")


def record_text(record: Mapping[str, object]) -> str:
    """A record as its file holds it, with what its texts remember.

    >>> print(record_text({"rows": 3}))
    {
      "rows": 3
    }
    <BLANKLINE>
    """
    return json.dumps(keep_texts(record), indent=2, ensure_ascii=False, default=str) + "\n"


def ensure_free(destination: Path, *, overwrite: bool) -> None:
    """Raise unless a release can be put at ``destination``.

    A record alone, of a release to this very place, is what a process left that was killed between moving the two:
    it is in nobody's way.
    """
    if not destination.parent.is_dir():
        raise ReleaseError(
            say("the folder {folder} does not exist", folder=destination.parent),
            remedy=say("create it first"),
        )
    for path in (destination, record_path(destination)):
        if path.is_dir():
            raise ReleaseError(say("{path} is a folder", path=path), remedy=say("give the name of a file"))
        if path.exists() and not overwrite and (path == destination or not _stale_record(destination)):
            raise ReleaseError(
                say("{path} exists already", path=path),
                remedy=say("choose another name, or allow it with --overwrite"),
            )


def publish(
    destination: Path,
    *,
    make: Callable[[Path], Result],
    describe: Callable[[Result], Mapping[str, object]],
    overwrite: bool = False,
) -> Result:
    """Let ``make`` write and verify a release at a temporary path, then move it and its record into place."""
    results: list[Result] = []
    with publishing(destination, describe=lambda: describe(results[0]), overwrite=overwrite) as hidden:
        results.append(make(hidden))
    return results[0]


@contextmanager
def publishing(
    destination: Path,
    *,
    describe: Callable[[], Mapping[str, object]],
    overwrite: bool = False,
    placed: "Placed | None" = None,
) -> Iterator[Path]:
    """A temporary path for a release; once it is written and verified, it is moved into place with its record.

    The temporary files lie in a private folder beside the destination, so that moving is one step of the file system.
    Whatever stops the writing, Ctrl-C too, they are erased; those of a process that was killed are erased here, before
    anything else. The record is moved first: where a release lies, its evidence does. What is ``placed`` where nothing
    was is noted there.
    """
    ensure_free(destination, overwrite=overwrite)
    erase_leftovers(destination.parent)
    stale = _stale_record(destination)
    try:
        with private_folder(destination.parent) as private:
            hidden = private / destination.name
            os.close(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            yield hidden
            record_path(hidden).write_text(record_text(describe()), encoding="utf-8")
            _flush(hidden)
            hidden.chmod(record_path(hidden).stat().st_mode)  # a verified release is a file like any other
            if placed is not None and not destination.exists():
                placed += [
                    partial(_take_away, path, stamp(file)) for path, file in _pair(hidden, destination)
                ]
            _move_both(hidden, destination, stale=stale, overwrite=overwrite)
    except OSError as error:
        raise ReleaseError(
            say("the release could not be written ({cause})", cause=error.strerror or error),
            where=str(destination),
            remedy=say("check the space and the permissions there"),
        ) from error


def _pair(hidden: Path, destination: Path) -> tuple[tuple[Path, Path], ...]:
    """The places of a release and its record, each with the file that goes there."""
    return (destination, hidden), (record_path(destination), record_path(hidden))


@contextmanager
def undone_unless_all() -> "Iterator[Placed]":
    """A list for what is placed: if not everything can be, what was is taken away again.

    A file that took the place of an older one stays: the older one is gone.
    """
    placed: Placed = []
    try:
        yield placed
    except BaseException:
        for take_away in placed:
            take_away()
        raise


def _take_away(path: Path, ours: "Stamp | None") -> None:
    """Remove a file, unless another has taken its place."""
    if ours is not None and stamp(path) == ours:
        path.unlink()


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


Stamp = tuple[int, int, int]
"""What tells a file from another that takes its place."""
Placed = list[Callable[[], None]]
"""What takes away again each file that was given its name."""


def stamp(path: Path) -> Stamp | None:
    """The stamp of a file; None if there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino, status.st_mtime_ns


def _stale_record(destination: Path) -> Stamp | None:
    """The stamp of a record whose release is not there, if it is one of a release to this place."""
    place = record_path(destination)
    if destination.exists() or not place.is_file():
        return None
    try:
        named = Path(json.loads(place.read_text(encoding="utf-8"))["destination"]["path"])
    except (OSError, ValueError, LookupError, TypeError):
        return None
    # A relative path was relative to a folder that we do not know; but the record lies where the release would.
    is_same = named.name == destination.name and (
        not named.is_absolute() or named.resolve() == destination.resolve()
    )
    return stamp(place) if is_same else None


def _move_both(release: Path, destination: Path, *, stale: Stamp | None, overwrite: bool) -> None:
    """Move the record, then the release; if the latter fails, what lay there before lies there again."""
    place = record_path(destination)
    before = place.read_bytes() if place.exists() else None
    # A record that came into being meanwhile may be waiting for its own release.
    is_stale = stale is not None and _stale_record(destination) == stale
    ours, released = stamp(record_path(release)), stamp(release)
    move(record_path(release), place, overwrite=overwrite or is_stale)
    try:
        move(release, destination, overwrite=overwrite)
    except BaseException:
        # An interrupt may come when the release is there already, and the record at the place may be another's by now.
        if stamp(destination) != released and stamp(place) == ours:
            place.unlink()
            if before is not None:
                place.write_bytes(before)
        raise
