"""Releases over time: their ledger, what they reveal together, copies, new rows, the record of processing."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.opening import opened_table
from celosia.api.requests import ColumnRoles, TableSource
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import (
        Anchor,
        Ask,
        Entry,
        ExtensionResult,
        Ledger,
        LedgerChain,
        ProcessingRecord,
        RecipientSubset,
        SecretKey,
        TablePair,
    )
    from celosia.ledger.fingerprint import Suspect
    from celosia.words import Words

__all__ = [
    "ExtensionRequest",
    "ForeignRelease",
    "anchor_of",
    "copy_release",
    "earlier_releases",
    "extend_release",
    "import_release",
    "join_table_pairs",
    "make_processing",
    "open_ledger",
    "parse_anchor",
    "recipient_subsets",
    "spell_processing",
    "trace_leak",
    "verify_ledger",
]


def open_ledger(path: Path, *, key: "SecretKey | None" = None, begin: bool = False) -> "Ledger":
    """A ledger in a file; ``begin`` one if there is none."""
    from celosia.ledger import ledger

    return ledger.open_ledger(path, key=key, begin=begin)


def parse_anchor(text: str) -> "Anchor":
    """An entry that somebody kept elsewhere, as in 3:digest."""
    from celosia.ledger.chain_lines import Anchor

    return Anchor.parse(text)


def anchor_of(record: Path) -> "Anchor":
    """The entry of a ledger that the record of a release holds."""
    try:
        return parse_anchor(json.loads(record.read_text(encoding="utf-8"))["ledger"]["anchor"])
    except (OSError, ValueError, LookupError, TypeError):
        raise ProjectError(
            say("this is no record of a release in a ledger"), where=str(record), remedy=say("check the path")
        ) from None


def verify_ledger(
    path: Path, *, key: "SecretKey | None" = None, anchors: "Sequence[Anchor]" = ()
) -> "LedgerChain":
    """Whether no line of a ledger was changed, left out or added, nor a file of people."""
    from celosia.ledger.chain import read_chain
    from celosia.ledger.ledger import Ledger, sealing_key

    chain = read_chain(path, key=sealing_key(key), anchors=tuple(anchors))
    if chain.passed:
        chain = replace(chain, problems=tuple(Ledger(path, key, chain.links).people_problems()))
    return chain


def recipient_subsets(ledger: "Ledger", recipients: Sequence[str] = ()) -> "tuple[RecipientSubset, ...]":
    """The k that remains if recipients share what they have: each, every two and all unless they are named."""
    from celosia.ledger import foreign

    return foreign.recipient_subsets(ledger, recipients)


def join_table_pairs(ledger: "Ledger") -> "tuple[TablePair, ...]":
    """The k that remains once the released tables are joined two by two, on the columns they share."""
    from celosia.ledger import foreign

    return foreign.join_table_pairs(ledger.entries)


@dataclass(frozen=True)
class ForeignRelease:
    """A release that was made elsewhere: its table, for whom it was, and the column that tells who somebody is."""

    source: TableSource
    roles: ColumnRoles
    recipient: str = ""
    person: str | None = None


def import_release(ledger: "Ledger", release: ForeignRelease, *, ask: "Ask | None" = None) -> "Entry":
    """Record a release that was made elsewhere, from its table."""
    from celosia.api.projects import assign_roles
    from celosia.ledger import foreign

    source = release.source
    path = Path(str(source.place))
    roles = {name: str(role) for name, role in assign_roles(release.roles).items()}
    with opened_table(source, ask=ask) as table:
        return foreign.import_release(
            ledger,
            table,
            path=path if path.is_file() else None,
            roles=roles,
            recipient=release.recipient,
            person=release.person,
            reading={"separator": source.separator, "encoding": source.encoding, "header": source.header},
        )


def copy_release(
    ledger: "Ledger",
    number: int,
    out: Path,
    *,
    recipient: str,
    rate: float = 0.01,
    column: str | None = None,
    overwrite: bool = False,
) -> "Entry":
    """Write a copy of a release for one recipient, with a mark that tells whose it is, and record it."""
    from celosia.ledger import copies

    return copies.copy_release(
        ledger,
        ledger.entry(number),
        out,
        recipient=recipient,
        rate=rate,
        column=column,
        overwrite=overwrite,
    )


def trace_leak(
    ledger: "Ledger", leak: TableSource, *, ask: "Ask | None" = None
) -> "dict[str, tuple[Suspect, ...]]":
    """Whose copy a leak comes from, by the column that was marked."""
    from celosia.ledger import copies

    with opened_table(leak, ask=ask) as table:
        return copies.trace_leak(ledger, table)


def earlier_releases(ledger: "Ledger", *, until: int, words: "Words") -> list[dict[str, object]]:
    """The releases before one of a number, as lines of a report."""
    from celosia.ledger.history import release_history

    return release_history(ledger, until=until, words=words)


@dataclass(frozen=True)
class ExtensionRequest:
    """New rows for an earlier release: its record, their table, and where the release with both goes.

    ``waiting`` is where rows go that cannot be added yet; ``hierarchies`` are files by column.
    """

    record: Path
    table: str
    out: Path
    waiting: Path | None = None
    hierarchies: Mapping[str, Path] = field(default_factory=dict)
    overwrite: bool = False


def extend_release(request: ExtensionRequest) -> "ExtensionResult":
    """Add new rows to an earlier release, in its classes; rows that would be told from the others wait."""
    from celosia.hierarchies import read_hierarchy
    from celosia.ledger import extending

    return extending.extend_release(
        request.record,
        request.table,
        request.out,
        waiting=request.waiting,
        hierarchies={name: read_hierarchy(path, name) for name, path in request.hierarchies.items()},
        overwrite=request.overwrite,
    )


def make_processing(project: Path, *, language: str, annex: bool = False) -> "ProcessingRecord":
    """The record of processing that laws ask for, from a project and its ledger."""
    from celosia.ledger import ledger as books
    from celosia.ledger.processing import record_of_processing
    from celosia.ledger.run_ledger import ledger_key
    from celosia.project import load_project

    asked = load_project(project)
    place = None if asked.ledger.file is None else Path(asked.ledger.file)
    ledger = None
    if place is not None and place.exists():
        ledger = books.open_ledger(place, key=ledger_key(asked), project=asked.name, begin=False)
    return record_of_processing(asked, ledger, language=language, annex=annex)


def spell_processing(record: "ProcessingRecord", path: Path) -> str:
    """The text of a record of processing, in the format that the name of its file says."""
    from celosia.ledger import processing_page

    return processing_page.spell_processing(record, path)
