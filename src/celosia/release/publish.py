"""Puts a release into place at once, after it was verified where nobody looks for it; a failed one leaves nothing."""

import json
import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from celosia.errors import ReleaseError

__all__ = ["ensure_free", "publish", "record_path"]

Result = TypeVar("Result")


def record_path(destination: Path) -> Path:
    """Where the record of a release lies.

    >>> record_path(Path("safe.csv")).name
    'safe.record.json'
    """
    return destination.with_name(f"{destination.stem}.record.json")


def ensure_free(destination: Path, *, overwrite: bool) -> None:
    """Raise unless a release can be put at ``destination``."""
    if not destination.parent.is_dir():
        raise ReleaseError(f"the folder {destination.parent} does not exist", remedy="create it first")
    for path in (destination, record_path(destination)):
        if path.is_dir():
            raise ReleaseError(f"{path} is a folder", remedy="give the name of a file")
        if path.exists() and not overwrite:
            raise ReleaseError(
                f"{path} exists already", remedy="choose another name, or allow it with --overwrite"
            )


def publish(
    destination: Path,
    *,
    make: Callable[[Path], Result],
    describe: Callable[[Result], Mapping[str, Any]],
    overwrite: bool = False,
) -> Result:
    """Let ``make`` write and verify a release at a temporary path, then move it and its record into place.

    The temporary files lie in the destination's folder, so that moving is one step of the file system, and only their
    owner can read them. Whatever stops ``make``, Ctrl-C too, they are removed. The record is moved first: where a
    release lies, its evidence does.
    """
    ensure_free(destination, overwrite=overwrite)
    token = secrets.token_hex(6)
    hidden = destination.with_name(f".{destination.stem}.{token}.part{destination.suffix}")
    hidden_record = hidden.with_name(f".{destination.stem}.{token}.record.part")
    try:
        with os.fdopen(os.open(hidden, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb"):
            pass
        result = make(hidden)
        record = json.dumps(describe(result), indent=2, ensure_ascii=False, default=str) + "\n"
        hidden_record.write_text(record, encoding="utf-8")
        _flush(hidden)
        hidden.chmod(hidden_record.stat().st_mode)  # a verified release is a file like any other
        _move_both(hidden, hidden_record, destination, overwrite=overwrite)
    except OSError as error:
        raise ReleaseError(
            f"the release could not be written ({error.strerror or error})",
            where=str(destination),
            remedy="check the space and the permissions there",
        ) from error
    finally:
        hidden.unlink(missing_ok=True)
        hidden_record.unlink(missing_ok=True)
    return result


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _move_both(release: Path, record: Path, destination: Path, *, overwrite: bool) -> None:
    """Move the record, then the release; if the latter fails, what lay there before lies there again."""
    place = record_path(destination)
    before = place.read_bytes() if place.exists() else None
    _move(record, place, overwrite=overwrite)
    try:
        _move(release, destination, overwrite=overwrite)
    except BaseException:
        place.unlink(missing_ok=True)
        if before is not None:
            place.write_bytes(before)
        raise


def _move(source: Path, target: Path, *, overwrite: bool) -> None:
    """Move at once; without ``overwrite``, never over a file that came into being meanwhile."""
    if overwrite:
        source.replace(target)
        return
    try:
        os.link(source, target)
    except FileExistsError:
        raise ReleaseError(f"{target} exists already", remedy="choose another name") from None
    except OSError:  # a file system without hard links: claim the name first
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        source.replace(target)
