"""What is seen in the columns of a release: what their names and their values say, as evidence."""

from collections.abc import Iterable
from dataclasses import dataclass

import polars as pl

from celosia.measure.rules.rule import RuleEvidence
from celosia.measure.subject import MeasureSubject
from celosia.profile.columns import profile_column
from celosia.profile.names import match_name, spellings
from celosia.profile.reasons import Reason
from celosia.say import Text, say
from celosia.types import Column, ColumnType, Role

__all__ = [
    "ShownColumn",
    "evidence_of",
    "look_at_columns",
    "matches_phrases",
    "nothing_seen",
    "passages",
    "phrases",
    "sentences",
]

HIDDEN = r"^\**$"
"""A label of stars alone shows nothing."""


@dataclass(frozen=True, eq=False)
class ShownColumn:
    """One column of a release that shows something.

    ``values`` are its distinct released labels, without those that hide everything; ``words`` of its name and their
    ``meaning``, the ``role`` that these suggest; ``content`` is why its values are identifiers, ``shape`` why they
    single people out (near-unique, free text), where they do.
    """

    name: str
    type: ColumnType
    values: pl.Series
    words: str = ""
    meaning: str = ""
    role: Role | None = None
    content: Reason | None = None
    shape: Reason | None = None


def look_at_columns(subject: MeasureSubject) -> tuple[ShownColumn, ...]:
    """Every column of the release that shows more than stars and missing values.

    >>> release = pl.DataFrame({"name": ["*", "*"], "Ciudad": ["Cali", "*"]})
    >>> [(seen.name, seen.meaning, seen.values.to_list()) for seen in look_at_columns(MeasureSubject.of(None, release))]
    [('Ciudad', 'a place', ['Cali'])]
    """
    seen = (_show_column(subject, column) for column in subject.release.schema())
    return tuple(column for column in seen if column.type is ColumnType.OTHER or len(column.values))


def _show_column(subject: MeasureSubject, column: Column) -> ShownColumn:
    by_name = match_name(column.name)
    facts = dict(by_name.reason.facts) if by_name else {}
    words, meaning = facts.get("words", ""), facts.get("meaning", "")
    role = by_name.role if by_name else None
    if column.type is ColumnType.OTHER:  # pictures and the like: their values are no texts
        return ShownColumn(column.name, column.type, pl.Series([], dtype=pl.String), words, meaning, role)
    counts = subject.counts(column.name)
    values = counts.texts[0].drop_nulls().str.strip_chars()
    reasons = {reason.code: reason for reason in profile_column(column, counts).reasons}
    shape = reasons.get("free-text") or reasons.get("near-unique")
    content = next((reason for code, reason in reasons.items() if code in (*CONTENT, IDENTITY_NUMBER)), None)
    return ShownColumn(
        name=column.name,
        type=column.type,
        values=values.filter(~values.str.contains(HIDDEN)),
        words=words,
        meaning=meaning,
        role=role,
        content=content,
        shape=shape,
    )


def sentences(columns: Iterable[ShownColumn]) -> list[ShownColumn]:
    """The columns of free text."""
    return [seen for seen in columns if seen.shape and seen.shape.code == "free-text"]


def passages(seen: ShownColumn) -> frozenset[str]:
    """What was found inside free text, by kind: phone, person, date and so on."""
    kinds = seen.shape.facts.get("found", {}) if seen.shape and seen.shape.code == "free-text" else {}
    return frozenset(map(str, kinds))


def phrases(text: str) -> frozenset[str]:
    """Phrases separated by bars, each glued together.

    >>> sorted(phrases("fax | zip code"))
    ['fax', 'zipcode']
    """
    return frozenset("".join(phrase.split()) for phrase in text.split("|"))


def matches_phrases(seen: ShownColumn, known: frozenset[str]) -> bool:
    """Whether the words that were recognized in the name of a column are one of some phrases, singular or plural.

    >>> matches_phrases(ShownColumn("Fax numbers", ColumnType.TEXT, pl.Series(["x"]), words="faxes"), phrases("fax"))
    True
    """
    return any(spelling.replace(" ", "") in known for spelling in spellings(tuple(seen.words.split())))


IDENTITY_NUMBER = "identity-number"
CONTENT = {
    "e-mail": say("e-mail addresses"),
    "ip-address": say("IP addresses"),
    "mac-address": say("addresses of devices (MAC)"),
    "url": say("web addresses"),
    "uuid": say("universally unique identifiers"),
    "telephone": say("telephone numbers"),
}
"""What values can be recognized as, by the code of the reason; numbers of identity besides, of some form."""


def evidence_of(seen: ShownColumn, why: Text | None = None) -> RuleEvidence:
    """Why a column is what it is said to be: by its values, else by its name, else by its shape.

    >>> evidence_of(ShownColumn("Correo", ColumnType.TEXT, pl.Series(["x"]), words="correo")).why
    "the name of the column says 'correo'"
    """
    return RuleEvidence(why or _why(seen), column=seen.name)


def _why(seen: ShownColumn) -> str:
    if seen.content:
        share = float(seen.content.facts.get("share", 1.0))
        return say("{share:.0%} of the values are {kind}", share=share, kind=_called(seen.content))
    if seen.shape and seen.shape.code == "free-text":
        return seen.shape.sentence
    if seen.words:
        return say("the name of the column says {words!r}", words=seen.words)
    if seen.shape:
        share = float(seen.shape.facts.get("share", 1.0))
        return say("{share:.0%} of the values differ, so a value singles a row out", share=share)
    return say("the release shows this column")


def _called(content: Reason) -> Text:
    """What the values of a column are."""
    if content.code == IDENTITY_NUMBER:
        return say("valid numbers of the form {form}", form=content.facts.get("format", ""))
    return CONTENT[content.code]


def nothing_seen(columns: Iterable[ShownColumn]) -> RuleEvidence:
    """That no column says anything of the kind."""
    number = len(tuple(columns))
    return RuleEvidence(
        say("neither names nor values of the {number} columns that show something say so", number=number)
    )
