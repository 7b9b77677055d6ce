"""A new release against those in the ledger: by the key of its people where there is one, else by their values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

from celosia.ledger.assessment import BrokenGroup, GroupDamage, LedgerAssessment, assess_release
from celosia.ledger.entry import CheckSummary, Entry
from celosia.ledger.join import JoinedReleases, join_members
from celosia.ledger.join_by_values import PublishedTable, members_by_values
from celosia.ledger.ledger import Ledger
from celosia.ledger.members import Members
from celosia.ledger.open_entry import open_entries
from celosia.ledger.order import find_same_order
from celosia.ledger.proposals import LedgerProposal, propose
from celosia.privacy import PrivacyModel
from celosia.say import join_texts, say, say_count
from celosia.tables.table import Table

__all__ = [
    "LedgerCheck",
    "check_members",
    "check_values",
    "find_ordered",
    "releases_held_together",
]

MOST_CLASSES = 5
"""Classes that a sentence lists; all that are found are in the assessment."""
Way = Literal["key", "values", "nothing"]


@dataclass(frozen=True)
class LedgerCheck:
    """What a new release and earlier ones reveal together.

    ``against`` are the entries it was joined with, ``way`` how people were found in them; ``unknown`` is what could not
    be known. ``ordered`` are earlier releases whose rows lie in the same order.
    """

    way: Way
    against: tuple[int, ...]
    assessment: LedgerAssessment | None = None
    proposals: tuple[LedgerProposal, ...] = ()
    unknown: tuple[str, ...] = ()
    ordered: tuple[int, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is broken."""
        return not self.ordered and (self.assessment is None or self.assessment.passed)

    def sentences(self) -> Iterator[str]:
        """What is broken, for a person."""
        assessment = self.assessment
        if self.ordered:
            yield say_count(
                "its rows lie in the order of release {numbers}: row by row they are joined",
                "its rows lie in the order of releases {numbers}: row by row they are joined",
                len(self.ordered),
                numbers=", ".join(map(str, self.ordered)),
            )
        if assessment is None:
            return
        for damage in assessment.damage:
            if damage.groups:
                yield _harmed(damage, assessment.asked)
        shown = [group for group in assessment.broken if group.labels is not None]
        if shown:
            # The assessment holds no more of them than anybody reads.
            total = sum(damage.groups for damage in assessment.damage if damage.kind != "left")
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
        for value in assessment.values:
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
        for name, violating in assessment.violations.items():
            if violating:
                yield say("{groups:,} groups violate {model}", groups=violating, model=name)

    def summary(self, *, with_proposals: bool = True) -> CheckSummary:
        """All of it as JSON, without what classes show."""
        summary: CheckSummary = {"way": self.way, "against": list(self.against), "passed": self.passed}
        if self.assessment is not None:
            _add_figures(summary, self.assessment)
        if self.ordered:
            summary["ordered"] = list(self.ordered)
        if self.proposals and with_proposals:
            summary["proposals"] = [asdict(proposal) for proposal in self.proposals]
        if self.unknown:
            summary["unknown"] = list(self.unknown)
        return summary


def _add_figures(summary: CheckSummary, assessment: LedgerAssessment) -> None:
    """What was counted of people and groups, and of none of them by name."""
    summary["asked"] = assessment.asked
    summary["k"] = assessment.k
    summary["k_before"] = assessment.k_before
    summary["people"] = assessment.people
    summary["groups"] = assessment.groups
    summary["already"] = assessment.already
    summary["damage"] = [asdict(damage) for damage in assessment.damage]
    summary["values"] = [asdict(values) for values in assessment.values]
    summary["violations"] = dict(assessment.violations)


def _harmed(damage: GroupDamage, asked: int) -> str:
    """What became of people, in one sentence."""
    known: dict[str, object] = {
        "groups": say_count("{count:,} group", "{count:,} groups", damage.groups),
        "asked": asked,
        "smallest": damage.smallest,
    }
    match damage.kind:
        case "split":
            return say_count(
                "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), whose classes "
                "cut those of earlier releases",
                "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), whose classes "
                "cut those of earlier releases",
                damage.people,
                **known,
            )
        case "arrived":
            return say_count(
                "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), who was not "
                "there before",
                "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), who were not "
                "there before",
                damage.people,
                **known,
            )
    return say_count(
        "{count:,} person in {groups} hides among fewer than {asked} (at least {smallest}), who is not in it any "
        "more",
        "{count:,} people in {groups} hide among fewer than {asked} (at least {smallest}), who are not in it any "
        "more",
        damage.people,
        **known,
    )


def _class(group: BrokenGroup) -> str:
    """What a class shows, and how many of it are too few."""
    labels = ", ".join(f"{name} {label}" for name, label in (group.labels or {}).items())
    return f"{labels} ({group.people})"


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
        named = dict.fromkeys(entry.recipient for entry in entries if entry.recipient)
        circles = [besides] if besides else []
        circles += [{name} for name in named if name not in besides]
    sets = [
        tuple(entry for entry in entries if entry.recipient in {*circle, ""}) for circle in circles or [set()]
    ]
    return tuple({tuple(entry.number for entry in held): held for held in sets}.values())


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
    matched = by_values or {}
    known = {
        entry.number: members
        for entry in entries
        if (members := ledger.members(entry) or matched.get(entry.number)) is not None
    }
    against = tuple(known)
    unknown = [*_unrecorded(entries, known, matched), *_without_key(last, known)]
    earlier = [*known.values(), *others]
    if not earlier:
        return LedgerCheck("nothing", (), unknown=tuple(unknown))
    before = join_members(earlier)
    assessment = assess_release(earlier, last, models=models, before=before)
    unknown += _absent(assessment, before, last, models)
    proposals: tuple[LedgerProposal, ...] = ()
    if not assessment.passed:
        proposals = propose(
            before,
            last,
            k=assessment.asked,
            latest=earlier[-1],
            keeps=lambda tried: assess_release(earlier, tried, models=models, before=before).passed,
        )
    way: Way = "values" if known and not others and set(against) <= set(matched) else "key"
    return LedgerCheck(way, against, assessment, proposals, tuple(unknown))


def _unrecorded(
    entries: Sequence[Entry], known: Mapping[int, Members], matched: Mapping[int, Members]
) -> Iterator[str]:
    """Releases of which nobody recorded who is in them."""
    for entry in entries:
        if entry.number in matched:
            yield say(
                "release {number}: who is in it is not recorded: people are known by their values",
                number=entry.number,
            )
        elif entry.number not in known:
            yield say("release {number}: who is in it was never recorded, or is erased", number=entry.number)


def _without_key(last: Members, known: Mapping[int, Members]) -> Iterator[str]:
    """Rows of nobody known, and people with rows in several classes."""
    if last.nameless:
        yield say(
            "{count:,} rows have no key: whose they are is not known, and they are joined with nothing",
            count=last.nameless,
        )
    several = int((last.classes >= len(last.rows)).sum()) if len(last.rows) else 0
    if several:
        yield say(
            "{count:,} people have rows in several classes, and whoever knows all of them "
            "finds fewer: for k among people declare the person of the table",
            count=several,
        )
    for number, members in known.items():
        if members.nameless:
            yield say("release {number}: {count:,} rows have no key", number=number, count=members.nameless)


def _absent(
    assessment: LedgerAssessment, before: JoinedReleases, last: Members, models: Sequence[PrivacyModel]
) -> Iterator[str]:
    """People who are in one of two releases, and what is not known for that."""
    if len(before.people) + len(last.people) == assessment.people:
        yield say(
            "nobody of it is in an earlier release: is this the ledger of these people, and the same column?"
        )
    gone = assessment.people - len(last.people)
    if gone and any(model.column is not None for model in models):
        yield say(
            "{count:,} people of earlier releases are not in it: what the values of those who "
            "stayed tell about theirs is not known, for no value is recorded with a person",
            count=gone,
        )


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
    members, notes = members_by_values(source, [*(published for _, published in opened), last])
    ordered = find_ordered(opened, last, keeps_order=keeps_order)
    own = members[-1] if members else None
    earlier = [people for people in members[:-1] if people is not None]
    if own is None or not earlier:
        return LedgerCheck("nothing", ordered, unknown=(*unknown, *notes), ordered=ordered)
    against = tuple(
        number
        for number, people in zip(against, members[:-1], strict=True)
        if people is not None or number in ordered
    )
    before = join_members(earlier)
    assessment = assess_release(earlier, own, models=models, before=before)
    proposals = () if assessment.passed else propose(before, own, k=assessment.asked, latest=earlier[-1])
    return LedgerCheck("values", against, assessment, proposals, (*unknown, *notes), ordered)


def find_ordered(
    opened: Sequence[tuple[Entry, PublishedTable]], last: PublishedTable, *, keeps_order: bool
) -> tuple[int, ...]:
    """Earlier releases whose rows lie in the order of the new one; ours do not, unless they were let keep it."""
    return tuple(
        entry.number
        for entry, published in opened
        if (keeps_order or entry.body.get("imported"))
        and (same := find_same_order(published, last)) is not None
        and same.is_same
    )
