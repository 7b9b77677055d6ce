"""Gives a table of a database its name once it is verified, its record beside the person who made it."""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import CelosiaError, ReleaseError
from celosia.release.new_target import is_cluster_target
from celosia.release.publish import Stamp, record_text, stamp
from celosia.say import say
from celosia.tables.private import erase_leftovers, move, private_folder
from celosia.tables.sql.address import parse_address, split_name

if TYPE_CHECKING:
    from celosia.release.new_target import NamedTarget
    from celosia.tables.sql.new_table import NewTable

__all__ = ["ensure_record_free", "made_together", "publishing_table"]


@contextmanager
def publishing_table(
    target: "NamedTarget",
    *,
    record: Path | None,
    describe: Callable[[], Mapping[str, object]],
    held: ExitStack,
    overwrite: bool = False,
) -> Iterator[None]:
    """Once a table that nobody sees is written and verified, put its record into place, then give it its name.

    Whatever stops this, Ctrl-C too, the table is gone and the record as it was before. A table that was made together
    with others lasts only with the last of them: ``held`` ends with all, and puts back records of those that do not.
    """
    try:
        target.ensure_free()
        erase_leftovers(target.folder)
        if record is not None:
            ensure_record_free(record, target, overwrite=overwrite)
            erase_leftovers(record.absolute().parent)
        stale = None if record is None else stamp(record)
        yield
        held.enter_context(_record(record, describe(), target, stale=stale, overwrite=overwrite))
        target.publish()
    except BaseException:
        if not target.is_published:
            target.withdraw()
        raise


def made_together(targets: "Sequence[NewTable]") -> None:
    """Have tables of one database get their names at once; raise if two would get the same."""
    for new_table in targets:
        new_table.together = [other for other in targets if other.database is new_table.database]
        if any(
            (other.schema_name, other.name) == (new_table.schema_name, new_table.name)
            for other in new_table.together
            if other is not new_table
        ):
            raise ReleaseError(
                say("two tables of the project go to {place}", place=new_table.shown),
                where=str(new_table.database),
                remedy=say("give each a name of its own"),
            )


def ensure_record_free(record: Path, target: "NamedTarget", *, overwrite: bool) -> None:
    """Raise if a record is in the way; one of this very table that is not there was left by a killed run."""
    if not record.absolute().parent.is_dir():
        raise ReleaseError(
            say("the folder {folder} does not exist", folder=record.parent), remedy=say("create it first")
        )
    if record.is_dir():
        raise ReleaseError(say("{path} is a folder", path=record), remedy=say("give the name of a file"))
    if record.exists() and not overwrite and (target.exists() or not _tells_of(record, target)):
        raise ReleaseError(
            say("{path} exists already", path=record),
            remedy=say("choose another with --record, or allow it with --overwrite"),
        )


def _tells_of(record: Path, target: "NamedTarget") -> bool:
    if is_cluster_target(target):
        return False  # a record tells of no table of Hive in this form
    try:
        told = json.loads(record.read_text(encoding="utf-8"))
        place = parse_address(told["destination"].get("path") or told["source"]["path"])
        schema, name = split_name(told["destination"]["table"])
    except (CelosiaError, OSError, ValueError, KeyError, TypeError):
        return False
    same = place.same_as(target.database.address)
    return same and name == target.name and schema in (None, target.schema_name)


@contextmanager
def _record(
    path: Path | None,
    described: Mapping[str, object],
    target: "NamedTarget",
    *,
    stale: Stamp | None,
    overwrite: bool,
) -> Iterator[None]:
    """Put a record into place, and the one before it back if the table does not get its name.

    Without ``overwrite`` only one with the stamp ``stale`` is replaced: any other came into being during the run.
    """
    if path is None:
        yield
        return
    with private_folder(path.absolute().parent) as private:
        new, before = private / "new.json", private / "before.json"
        new.write_text(record_text(described), encoding="utf-8")
        ours = stamp(new)
        _keep(path, before)
        try:
            move(new, path, overwrite=overwrite or (stale is not None and stamp(path) == stale))
            yield
        except BaseException:
            # One that tells of a table that may be there stays; if it is not, the next run puts another in its place.
            if not (target.is_published or target.is_lost) and stamp(path) == ours:
                _put_back(before, path)
            raise


def _keep(path: Path, aside: Path) -> None:
    """Give a file, if it is there, a second name."""
    try:
        os.link(path, aside)
    except FileNotFoundError:
        return
    except OSError:  # a file system without second names
        shutil.copy2(path, aside)


def _put_back(before: Path, path: Path) -> None:
    """Move the file that was there before into place; without one, the place is empty."""
    if before.exists():
        before.replace(path)
    else:
        path.unlink(missing_ok=True)
