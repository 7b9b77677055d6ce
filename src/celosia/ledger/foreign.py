"""Releases made elsewhere, or before there was a ledger: recorded from their table, and joined with the others."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from celosia.errors import ReleaseError, TableError
from celosia.ledger.entry import Entry, EntryBody, EntryReading, file_digest
from celosia.ledger.join import join_members
from celosia.ledger.join_by_labels import JoinedClass, join_tables
from celosia.ledger.ledger import Ledger
from celosia.ledger.members import members_of
from celosia.ledger.open_entry import open_entry
from celosia.ledger.order import find_same_order
from celosia.say import join_texts, say
from celosia.tables.recoder import check_columns
from celosia.tables.table import Table

__all__ = ["RecipientSubset", "TablePair", "import_release", "join_table_pairs", "recipient_subsets"]


@dataclass(frozen=True)
class TablePair:
    """Two releases by their tables alone: what joining them on shared columns reaches; None if they share none.

    ``k`` is what this attack reaches and no promise: whoever knows more can reach less.
    """

    first: int
    second: int
    k: int | None
    smallest: tuple[JoinedClass, ...]
    same_order: bool | None
    note: str = ""


@dataclass(frozen=True)
class RecipientSubset:
    """Some recipients who share what they have: the releases they hold, and the k that remains; None if unknown."""

    recipients: tuple[str, ...]
    releases: tuple[int, ...]
    k: int | None
    people: int
    unknown: tuple[int, ...]


def import_release(
    ledger: Ledger,
    table: Table,
    *,
    path: Path | None,
    roles: dict[str, str],
    recipient: str = "",
    person: str | None = None,
    reading: EntryReading | None = None,
) -> Entry:
    """Record a release that was made elsewhere; ``person`` is a column of it that tells who somebody is, if one does.

    The table itself stays where it is: later checks read it again, and its digest says whether it is the same.
    """
    check_columns(list(roles), table.columns(), where=table.name)
    classes = [name for name, role in roles.items() if role == "quasi-identifier"]
    sensitive = [name for name, role in roles.items() if role == "sensitive"]
    members = None
    if person is not None:
        if ledger.digests is None:
            raise ReleaseError(
                say("people are recorded as digests with a key, and there is none"),
                where=str(ledger.path),
                remedy=say("begin the ledger with a key"),
            )
        check_columns([person], table.columns(), where=table.name)
        counts = table.count_by([person, *classes, *sensitive])
        members = members_of(
            counts, person=person, classes=classes, sensitive=sensitive, digests=ledger.digests
        )
    sizes = table.count_by(classes or [table.columns()[0]]).counts
    body: EntryBody = {
        "imported": True,
        "recipient": recipient,
        "project": {"name": "", "digest": None},
        "table": table.name,
        "type": "imported",
        "roles": roles,
        "recoding": None,
        "models": [],
        "release": {
            "place": table.name if path is None else str(path.absolute()),
            "digest": None if path is None else file_digest(path),
            "reading": reading or {},
            "rows": int(sizes.sum()),
            "classes": len(sizes) if classes else 0,
            "k": int(sizes.min()) if classes and len(sizes) else 0,
        },
        "evidence": {},
    }
    return ledger.record(body, members)


def join_table_pairs(entries: Sequence[Entry], *, most: int = 10) -> tuple[TablePair, ...]:
    """Every two releases joined by their tables alone, as far as these are there."""
    pairs = []
    for earlier, later in combinations(entries, 2):
        try:
            first, second = open_entry(earlier), open_entry(later)
        except (ReleaseError, TableError) as error:
            pairs.append(
                TablePair(
                    earlier.number, later.number, None, (), None, join_texts(": ", [error.where, error.what])
                )
            )
            continue
        joined = join_tables(first, second)
        order = find_same_order(first, second)
        note = "" if joined.on else say("they share no quasi-identifier")
        pairs.append(
            TablePair(
                earlier.number,
                later.number,
                joined.k if joined.on and joined.classes else None,
                joined.classes[:most] if joined.on else (),
                None if order is None else order.is_same,
                note,
            )
        )
    return tuple(pairs)


def recipient_subsets(ledger: Ledger, recipients: Sequence[str] = ()) -> tuple[RecipientSubset, ...]:
    """What remains if recipients share what they have: those named; else each alone, every two, and all together.

    Everybody holds what is for everybody. Only releases whose people are recorded can be joined exactly.
    """
    named = tuple(dict.fromkeys(entry.recipient for entry in ledger.entries if entry.recipient))
    for recipient_name in recipients:
        if recipient_name not in named:
            raise ReleaseError(
                say("nothing was released for {recipient!r}", recipient=recipient_name),
                where=str(ledger.path),
                remedy=say("its recipients are: {names}", names=", ".join(named))
                if named
                else say("its recipients are: none"),
            )
    groups: list[tuple[str, ...]] = [tuple(recipients)] if recipients else []
    if not recipients:
        groups = [(name,) for name in named] + list(combinations(named, 2))
        groups += [named] if len(named) > 2 else []
        groups = groups or [()]
    members = {entry.number: ledger.members(entry) for entry in ledger.entries}
    subsets = []
    for group in groups:
        held = [entry.number for entry in ledger.entries if entry.recipient in ("", *group)]
        known = [people for number in held if (people := members[number]) is not None]
        joined = join_members(known)
        unknown = tuple(number for number in held if members[number] is None)
        k = joined.k if known else None
        subsets.append(RecipientSubset(group, tuple(held), k, len(joined.people), unknown))
    return tuple(subsets)
