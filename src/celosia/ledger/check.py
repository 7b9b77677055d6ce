"""A new release against those in the ledger: by the key of its people where there is one, else by their values."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal

from celosia.errors import CelosiaError, ReleaseError, TableError
from celosia.hierarchies import Hierarchy
from celosia.ledger.assessment import BrokenGroup, GroupDamage, LedgerAssessment, assess_release
from celosia.ledger.join import join_members
from celosia.ledger.join_by_values import PublishedTable, members_by_values
from celosia.ledger.ledger import Entry, Ledger, file_digest
from celosia.ledger.members import Members
from celosia.ledger.order import find_same_order
from celosia.ledger.proposals import LedgerProposal, propose
from celosia.privacy import PrivacyModel
from celosia.project import load_project
from celosia.release.prepared_table import as_hierarchy
from celosia.release.publish import record_path
from celosia.release.record import WITHHELD
from celosia.say import join_texts, say, say_count
from celosia.tables import open_table
from celosia.tables.table import Table

__all__ = [
    "LedgerCheck",
    "check_members",
    "check_values",
    "find_ordered",
    "open_entries",
    "open_entry",
    "releases_held_together",
]

MOST_CLASSES = 5
"""Classes that a sentence lists; all that are found are in the judgement."""
Way = Literal["key", "values", "nothing"]


@dataclass(frozen=True)
class LedgerCheck:
    """What a new release and earlier ones reveal together.

    ``against`` are the entries it was joined with, ``way`` how people were found in them; ``unknown`` is what could not
    be known. ``ordered`` are earlier releases whose rows lie in the same order.
    """

    way: Way
    against: tuple[int, ...]
    judgement: LedgerAssessment | None = None
    proposals: tuple[LedgerProposal, ...] = ()
    unknown: tuple[str, ...] = ()
    ordered: tuple[int, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is broken."""
        return not self.ordered and (self.judgement is None or self.judgement.passed)

    def sentences(self) -> Iterator[str]:
        """What is broken, for a person."""
        found = self.judgement
        if self.ordered:
            yield say_count(
                "its rows lie in the order of release {numbers}: row by row they are joined",
                "its rows lie in the order of releases {numbers}: row by row they are joined",
                len(self.ordered),
                numbers=", ".join(map(str, self.ordered)),
            )
        if found is None:
            return
        for one in found.damage:
            if one.groups:
                yield _harmed(one, found.asked)
        shown = [one for one in found.broken if one.labels is not None]
        if shown:
            # The judgement holds no more of them than anybody reads.
            total = sum(one.groups for one in found.damage if one.kind != "left")
            classes = join_texts("; ", map(_class, shown[:MOST_CLASSES]))
            yield (
                say(
                    "the classes concerned: {classes} and {count:,} more",
                    classes=classes,
                    count=total - MOST_CLASSES,
                )
                if total > MOST_CLASSES
                else say("the classes concerned: {classes}", classes=classes)
            )
        for value in found.values:
            if value.people:
                yield say_count(
                    "for {count:,} person fewer than {asked} values of {column!r} remain possible "
                    "({fewest} at least)",
                    "for {count:,} people fewer than {asked} values of {column!r} remain possible "
                    "({fewest} at least)",
                    value.people,
                    asked=value.asked,
                    column=value.column,
                    fewest=value.fewest,
                )
        for name, violating in found.violations.items():
            if violating:
                yield say("{groups:,} groups violate {model}", groups=violating, model=name)

    def summary(self) -> dict[str, Any]:
        """All of it as JSON, without what classes show."""
        told: dict[str, Any] = {"way": self.way, "against": list(self.against), "passed": self.passed}
        if self.judgement is not None:
            told |= {
                name: value
                for name, value in asdict(self.judgement).items()
                if name not in ("broken", "details")
            }
        if self.ordered:
            told["ordered"] = list(self.ordered)
        if self.proposals:
            told["proposals"] = [asdict(one) for one in self.proposals]
        if self.unknown:
            told["unknown"] = list(self.unknown)
        return told


def _harmed(one: GroupDamage, asked: int) -> str:
    """What became of people, in one sentence."""
    known: dict[str, object] = {
        "groups": say_count("{count:,} group", "{count:,} groups", one.groups),
        "asked": asked,
        "smallest": one.smallest,
    }
    match one.kind:
        case "split":
            return say_count(
                "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), whose classes "
                "cut those of earlier releases",
                "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), whose classes "
                "cut those of earlier releases",
                one.people,
                **known,
            )
        case "arrived":
            return say_count(
                "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), who was not "
                "there before",
                "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), who were not "
                "there before",
                one.people,
                **known,
            )
    return say_count(
        "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), who is not in it any "
        "more",
        "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), who are not in it any "
        "more",
        one.people,
        **known,
    )


def _class(one: BrokenGroup) -> str:
    """What a class shows, and how many of it are too few."""
    labels = ", ".join(f"{name} {label}" for name, label in (one.labels or {}).items())
    return f"{labels} ({one.people})"


def releases_held_together(
    entries: Sequence[Entry], recipient: str, together: str | Sequence[str]
) -> tuple[tuple[Entry, ...], ...]:
    """The sets of earlier releases that somebody may hold together with one for ``recipient``.

    What is for everybody is in all of them. A release for everybody meets what each recipient holds, and those who
    share nothing each by themselves: what they could only see together is no excuse for what one of them sees now.
    """
    if together == "all":
        return (tuple(entries),)
    besides = set() if together == "same" else set(together)
    if recipient:
        circles = [{recipient, *besides}]
    else:
        named = dict.fromkeys(one.recipient for one in entries if one.recipient)
        circles = [besides] if besides else []
        circles += [{one} for one in named if one not in besides]
    found = [tuple(one for one in entries if one.recipient in {*circle, ""}) for circle in circles or [set()]]
    return tuple({tuple(one.number for one in held): held for held in found}.values())


def check_members(
    ledger: Ledger,
    entries: Sequence[Entry],
    last: Members,
    *,
    models: Sequence[PrivacyModel],
    others: Sequence[Members] = (),
    by_values: Mapping[int, Members] | None = None,
) -> LedgerCheck:
    """Join a release with earlier ones by the keys of its people; ``others`` are those of the same run.

    ``by_values`` are people of entries that have no key, as far as their values tell them.
    """
    looked_for = by_values or {}
    known = [
        (one, members)
        for one in entries
        if (members := ledger.members(one) or looked_for.get(one.number)) is not None
    ]
    against = tuple(one.number for one, _ in known)
    unknown: list[str] = []
    for one in entries:
        if one.number in looked_for:
            unknown.append(
                say(
                    "release {number}: who is in it is not recorded: people are known by their values",
                    number=one.number,
                )
            )
        elif one.number not in against:
            unknown.append(
                say("release {number}: who is in it was never recorded, or is erased", number=one.number)
            )
    earlier = [*(members for _, members in known), *others]
    if last.nameless:
        unknown.append(
            say(
                "{count:,} rows have no key: whose they are is not known, and they are joined with nothing",
                count=last.nameless,
            )
        )
    several = int((last.classes >= len(last.rows)).sum()) if len(last.rows) else 0
    if several:
        unknown.append(
            say(
                "{count:,} people have rows in several classes, and whoever knows all of them "
                "finds fewer: for k among people declare the person of the table",
                count=several,
            )
        )
    for one, members in known:
        if members.nameless:
            unknown.append(
                say(
                    "release {number}: {count:,} rows have no key",
                    number=one.number,
                    count=members.nameless,
                )
            )
    if not earlier:
        return LedgerCheck("nothing", (), unknown=tuple(unknown))
    before = join_members(earlier)
    found = assess_release(earlier, last, models=models, before=before)
    if len(before.people) + len(last.people) == found.people:
        unknown.append(
            say(
                "nobody of it is in an earlier release: is this the ledger of these people, and the "
                "same column?"
            )
        )
    gone = found.people - len(last.people)
    if gone and any(model.column is not None for model in models):
        unknown.append(
            say(
                "{count:,} people of earlier releases are not in it: what the values of those who "
                "stayed tell about theirs is not known, for no value is recorded with a person",
                count=gone,
            )
        )
    proposals: tuple[LedgerProposal, ...] = ()
    if not found.passed:
        proposals = propose(
            before,
            last,
            k=found.asked,
            latest=earlier[-1],
            keeps=lambda tried: assess_release(earlier, tried, models=models, before=before).passed,
        )
    way: Way = "values" if known and not others and set(against) <= set(looked_for) else "key"
    return LedgerCheck(way, against, found, proposals, tuple(unknown))


def check_values(
    source: Table,
    last: PublishedTable,
    entries: Sequence[Entry],
    *,
    models: Sequence[PrivacyModel],
    keeps_order: bool = False,
) -> LedgerCheck:
    """Join a release that is written with the tables of earlier ones, by the values of the people in ``source``."""
    opened, unknown = open_entries(entries, like=last)
    if not opened:
        return LedgerCheck("nothing", (), unknown=tuple(unknown))
    against = tuple(entry.number for entry, _ in opened)
    members, notes = members_by_values(source, [*(one for _, one in opened), last])
    ordered = find_ordered(opened, last, keeps_order=keeps_order)
    own = members[-1] if members else None
    earlier = [one for one in members[:-1] if one is not None]
    if own is None or not earlier:
        return LedgerCheck("nothing", ordered, unknown=(*unknown, *notes), ordered=ordered)
    against = tuple(
        number
        for number, one in zip(against, members[:-1], strict=True)
        if one is not None or number in ordered
    )
    before = join_members(earlier)
    found = assess_release(earlier, own, models=models, before=before)
    proposals = () if found.passed else propose(before, own, k=found.asked, latest=earlier[-1])
    return LedgerCheck("values", against, found, proposals, (*unknown, *notes), ordered)


def find_ordered(
    opened: Sequence[tuple[Entry, PublishedTable]], last: PublishedTable, *, keeps_order: bool
) -> tuple[int, ...]:
    """Earlier releases whose rows lie in the order of the new one; ours do not, unless they were let keep it."""
    return tuple(
        entry.number
        for entry, one in opened
        if (keeps_order or entry.body.get("imported"))
        and (same := find_same_order(one, last)) is not None
        and same.is_same
    )


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
    reading = {name: value for name, value in release.get("reading", {}).items() if value is not None}
    table = open_table(str(path), missing=(), **reading)
    found = PublishedTable(
        table,
        tuple(name for name in entry.quasi_identifiers if name in table.columns()),
        tuple(name for name in entry.with_role("sensitive") if name in table.columns()),
    )
    own = _hierarchies(path, str(entry.body["table"]), found.quasi_identifiers)
    if like is None:
        return replace(found, hierarchies=own)
    return replace(found, hierarchies={**like.hierarchies, **own}, types=like.types)


def _hierarchies(path: Path, table: str, columns: Sequence[str]) -> dict[str, Hierarchy]:
    """What the labels of a release stand for, where its record lies beside it and says so."""
    found = {}
    with suppress(CelosiaError):
        plans = load_project(record_path(path))
        if table in plans.tables:
            for name in columns:
                column = plans.plan(table).columns.get(name)
                if column is not None and column.hierarchy not in (None, WITHHELD):
                    found[name] = as_hierarchy(column.hierarchy, name)
    return found
