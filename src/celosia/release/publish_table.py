"""Gives a table of a database its name once it is verified, its record beside the person who made it."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from celosia.errors import ReleaseError
from celosia.tables.private import erase_leftovers, private_folder

if TYPE_CHECKING:
    from celosia.tables.sql.new_table import NewTable

__all__ = ["publish_table"]

Result = TypeVar("Result")


def publish_table(
    target: "NewTable",
    *,
    record: Path | None,
    make: Callable[[], Result],
    describe: Callable[[Result], Mapping[str, Any]],
    overwrite: bool = False,
) -> Result:
    """Let ``make`` write and verify a table that nobody sees, put its record into place, then give it its name.

    Whatever stops this, Ctrl-C too, the table is gone and the record as it was before.
    """
    try:
        target.ensure_free()
        if record is not None:
            _ensure_free(record, target, overwrite=overwrite)
        erase_leftovers(target.folder)
        result = make()
        with _record(record, describe(result)):
            target.publish()
    except BaseException:
        target.withdraw()
        raise
    return result


def _ensure_free(record: Path, target: "NewTable", *, overwrite: bool) -> None:
    """Raise if a record is in the way; one of this very table that is not there was left by a killed run."""
    if not record.absolute().parent.is_dir():
        raise ReleaseError(f"the folder {record.parent} does not exist", remedy="create it first")
    if record.is_dir():
        raise ReleaseError(f"{record} is a folder", remedy="give the name of a file")
    if record.exists() and not overwrite and (target.exists() or not _tells_of(record, target)):
        raise ReleaseError(
            f"{record} exists already", remedy="choose another with --record, or allow it with --overwrite"
        )


def _tells_of(record: Path, target: "NewTable") -> bool:
    try:
        told = json.loads(record.read_text(encoding="utf-8"))["project"]
        place = told["destination"] or told["source"]["path"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    return bool(place == str(target.database)) and told.get("destination_table") in (
        target.shown,
        target.name,
    )


@contextmanager
def _record(path: Path | None, described: Mapping[str, Any]) -> Iterator[None]:
    """Put a record into place, and take it away if what follows fails."""
    if path is None:
        yield
        return
    before = path.read_bytes() if path.exists() else None
    with private_folder(path.absolute().parent) as private:
        hidden = private / "record.json"
        text = json.dumps(described, indent=2, ensure_ascii=False, default=str) + "\n"
        hidden.write_text(text, encoding="utf-8")
        hidden.replace(path)
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        if before is not None:
            path.write_bytes(before)
        raise
