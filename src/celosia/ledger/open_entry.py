"""The table of an earlier release, opened where it was written, if it is still the file that left."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from celosia.errors import CelosiaError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy, is_rule
from celosia.ledger.entry import Entry, file_digest
from celosia.ledger.join_by_values import PublishedTable
from celosia.project import load_project
from celosia.release.prepared_table import as_hierarchy
from celosia.release.publish import record_path
from celosia.release.record import WITHHELD
from celosia.say import say
from celosia.tables import open_table

__all__ = ["open_entries", "open_entry"]


def open_entries(
    entries: Sequence[Entry], *, like: PublishedTable
) -> tuple[list[tuple[Entry, PublishedTable]], list[str]]:
    """The tables of releases that are where they were written, and which are not."""
    opened: list[tuple[Entry, PublishedTable]] = []
    unknown: list[str] = []
    for entry in entries:
        try:
            opened.append((entry, open_entry(entry, like=like)))
        except (TableError, ReleaseError) as error:
            unknown.append(
                say("release {number} could not be looked at: {cause}", number=entry.number, cause=error.what)
            )
    return opened, unknown


def open_entry(entry: Entry, *, like: PublishedTable | None = None) -> PublishedTable:
    """The table of a release as it was written; raise if it is not there, or is another by now."""
    release = entry.body["release"]
    path = Path(release["place"])
    if release.get("digest") is None or not path.is_file():
        raise ReleaseError(
            say("its table is not in a file here"), where=say("release {number}", number=entry.number)
        )
    if file_digest(path) != release["digest"]:
        raise ReleaseError(
            say("{path} is not the file that was released", path=path),
            where=say("release {number}", number=entry.number),
            remedy=say("put it back"),
        )
    reading = release.get("reading", {})
    table = open_table(
        str(path),
        missing=(),
        separator=reading.get("separator"),
        encoding=reading.get("encoding"),
        header=reading.get("header"),
        forms=reading.get("forms"),
    )
    published = PublishedTable(
        table,
        tuple(name for name in entry.quasi_identifiers if name in table.columns()),
        tuple(name for name in entry.with_role("sensitive") if name in table.columns()),
    )
    own = _hierarchies(path, entry.body["table"], published.quasi_identifiers)
    if like is None:
        return replace(published, hierarchies=own)
    return replace(published, hierarchies={**like.hierarchies, **own}, types=like.types)


def _hierarchies(path: Path, table: str, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """What the labels of a release stand for, where its record lies beside it and says so."""
    hierarchies = {}
    with suppress(CelosiaError):
        plans = load_project(record_path(path))
        if table in plans.tables:
            for name in columns:
                column = plans.plan(table).columns.get(name)
                if column is None or column.hierarchy in (None, WITHHELD) or is_rule(column.hierarchy):
                    continue
                hierarchies[name] = as_hierarchy(column.hierarchy, name)
    return hierarchies
