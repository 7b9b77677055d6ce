"""Look at every column of a table and propose its role, with the reasons."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from celosia.errors import TableError
from celosia.profile.ages import find_ages
from celosia.profile.content import are_dates, identifier_in_content
from celosia.profile.dependencies import find_parents
from celosia.profile.free_text import holds_free_text
from celosia.profile.known_values import known_to_others
from celosia.profile.names import NameMatch, match_name
from celosia.profile.person import PersonProposal, propose_person
from celosia.profile.reasons import Reason
from celosia.say import say
from celosia.tables.location import is_on_cluster
from celosia.tables.reading_told import TextReading, reading_of
from celosia.tables.table import Counts, Progress, Table, no_progress
from celosia.types import DATES, Column, ColumnType, Role

if TYPE_CHECKING:
    from celosia.tables.spark.summaries import Summary

__all__ = ["ColumnProfile", "Profile", "profile_table"]

NEAR_UNIQUE = 0.95
"""A column in which more than this share of the values differ singles people out."""

ENOUGH = 20
"""In fewer rows than this, differing values mean nothing."""

VERY_MANY = 1_000
"""In so many rows, differing values mean something whatever the name says."""

MANY = 100
"""So many rows with each value identify nobody."""

MOST_SHARED = 12
"""Values of a column that identifies nobody, whatever its name, if many rows have each."""

LONG = 6
"""Digits of a number that is given to people."""

EXAMPLES = 5

NUMBERS = (ColumnType.INTEGER, ColumnType.REAL, ColumnType.DECIMAL)
SINGLING = (ColumnType.TEXT, ColumnType.OTHER, *NUMBERS)


@dataclass(frozen=True)
class ColumnProfile:
    """What one column holds and the role proposed for it; the first reason is the one that decided.

    ``examples`` are frequent values; none is shown of an identifier, nor any that only one row has.
    """

    name: str
    type: ColumnType
    rows: int
    missing: int
    distinct: int
    examples: tuple[str, ...]
    role: Role
    reasons: tuple[Reason, ...]

    @property
    def reason(self) -> Reason:
        """The reason that decided the role."""
        return self.reasons[0]

    @property
    def distinct_share(self) -> float:
        """Distinct values per value that is not missing."""
        present = self.rows - self.missing
        return self.distinct / present if present else 0.0

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        return {
            "name": self.name,
            "type": self.type.value,
            "missing": self.missing,
            "distinct": self.distinct,
            "distinct_share": round(self.distinct_share, 6),
            "examples": list(self.examples),
            "role": self.role.value,
            "reasons": [reason.to_dict() for reason in self.reasons],
        }


@dataclass(frozen=True)
class Profile:
    """What a table holds, column by column; ``person`` is proposed where one person has several rows."""

    table: str
    rows: int
    columns: tuple[ColumnProfile, ...]
    person: PersonProposal | None = None
    reading: TextReading | None = None
    """How the text file is read, if it is one."""

    def __iter__(self) -> Iterator[ColumnProfile]:
        return iter(self.columns)

    def __getitem__(self, name: str) -> ColumnProfile:
        return {column.name: column for column in self.columns}[name]

    def with_role(self, role: Role) -> tuple[str, ...]:
        """The names of the columns for which ``role`` is proposed."""
        return tuple(column.name for column in self.columns if column.role is role)

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        return {
            "table": self.table,
            "rows": self.rows,
            "columns": [column.to_dict() for column in self.columns],
            "person": None if self.person is None else self.person.to_dict(),
            "reading": None if self.reading is None else self.reading.to_dict() | self.reading.told(),
        }


def profile_table(table: Table, *, progress: Progress = no_progress) -> Profile:
    """Type, distinct and missing values of every column, and the role proposed for it.

    >>> from celosia.tables import open_table
    >>> profile = profile_table(open_table(pl.DataFrame({"sex": ["f", "m", None, "f", "m"]})))
    >>> sex = profile["sex"]
    >>> profile.rows, sex.missing, sex.distinct, sex.examples
    (5, 1, 2, ('f', 'm'))
    >>> sex.role.value, str(sex.reason)
    ('quasi-identifier', "the name says 'sex'")
    """
    schema = table.schema()
    large = _large(table)
    profiles = []
    for done, column in enumerate(schema):
        progress(say("profile {name}", name=column.name), done / len(schema.columns))
        if column.name in large:
            profiles.append(profile_large(column, large[column.name]))
        elif column.type is ColumnType.OTHER:
            profiles.append(_profile_other(column, table))
        else:
            profiles.append(profile_column(column, table.count_by([column.name])))
    rows = max((profile.rows for profile in profiles), default=0)
    profiles = [replace(profile, rows=rows) for profile in profiles]
    followed = find_parents(table, profiles)
    profiles = [_with_parent(one, followed.get(one.name), profiles) for one in profiles]
    ages = find_ages(table, profiles)
    profiles = [_with_birth(one, ages.get(one.name)) for one in profiles]
    progress(say("profile"), 1.0)
    found = Profile(table.name, rows, tuple(profiles), reading=reading_of(table))
    return replace(found, person=propose_person(table, found))


def _with_parent(
    child: ColumnProfile, parent: str | None, profiles: Sequence[ColumnProfile]
) -> ColumnProfile:
    """A column that follows from another is known to whoever knows the other."""
    if parent is None:
        return child
    told = Reason(
        "follows-from",
        say("every {parent!r} has one: it is known with it", parent=parent),
        {"column": parent},
    )
    is_known = next(one for one in profiles if one.name == parent).role is Role.QUASI_IDENTIFIER
    if child.reason.code == "unknown" and is_known:
        return replace(child, role=Role.QUASI_IDENTIFIER, reasons=(told,))
    return replace(child, reasons=(*child.reasons, told))


def _with_birth(age: ColumnProfile, birth: str | None) -> ColumnProfile:
    """An age that follows from a date of birth: both together cost more than they tell."""
    if birth is None:
        return age
    told = Reason(
        "age-of",
        say(
            "it follows from {birth!r}: as quasi-identifiers both are generalized for one thing that is known; leave "
            "out one of them to keep more of the other",
            birth=birth,
        ),
        {"column": birth},
    )
    return replace(age, reasons=(*age.reasons, told))


def profile_column(column: Column, counts: Counts) -> ColumnProfile:
    """What one column holds, from the counts of its values."""
    values = counts.texts[0].gather(counts.codes[0])
    present = values.is_not_null()
    missing = counts.rows - int(counts.counts[present.to_numpy()].sum())
    role, reasons = propose_role(column, values.filter(present), counts.rows - missing)
    return ColumnProfile(
        name=column.name,
        type=column.type,
        rows=counts.rows,
        missing=missing,
        distinct=int(present.sum()),
        examples=() if role is Role.IDENTIFIER else frequent(values, counts),
        role=role,
        reasons=reasons,
    )


def _profile_other(column: Column, table: Table) -> ColumnProfile:
    """One whose values may have no text: lists and documents are not looked at, and proposed to be left out."""
    try:
        return profile_column(column, table.count_by([column.name]))
    except TableError:
        why = Reason(
            "not-looked-at", say("its values are no texts, numbers or dates, and were not looked at")
        )
        return ColumnProfile(column.name, column.type, 0, 0, 0, (), Role.IDENTIFIER, (why,))


def profile_large(column: Column, seen: "Summary") -> ColumnProfile:
    """What one column of a cluster holds that has too many values to bring them all here."""
    role, reasons = propose_role(column, seen.values, seen.rows - seen.missing, distinct=seen.distinct)
    return ColumnProfile(
        name=column.name,
        type=column.type,
        rows=seen.rows,
        missing=seen.missing,
        distinct=seen.distinct,
        examples=() if role is Role.IDENTIFIER else seen.frequent(EXAMPLES),
        role=role,
        reasons=reasons,
    )


def _large(table: Table) -> "Mapping[str, Summary]":
    """What is known of columns that have too many values to bring them all here."""
    if not is_on_cluster(table):
        return {}
    from celosia.tables.spark.summaries import summarize_large

    return summarize_large(table)


def frequent(values: pl.Series, counts: Counts) -> tuple[str, ...]:
    """The most frequent values that at least two rows share, the first in text order among equals."""
    frame = pl.DataFrame({"value": values, "rows": counts.counts}).filter(pl.col("rows") > 1).drop_nulls()
    top = frame.top_k(EXAMPLES, by=["rows", "value"], reverse=[False, True])
    return tuple(top.sort("rows", "value", descending=[True, False])["value"].to_list())


def propose_role(
    column: Column, values: pl.Series, present: int, *, distinct: int | None = None
) -> tuple[Role, tuple[Reason, ...]]:
    """A role for a column with these distinct ``values`` in ``present`` rows, and every reason found.

    If there are more than these, ``distinct`` says how many.

    What the values say comes before what the name says: a number, address or name of a person, sentences, texts that
    never repeat; a name that identifies people says nothing where a few values are shared by all rows. That numbers
    hardly repeat makes no identifier of them, for measurements do not either: it counts where the name says nothing.
    """
    # Some databases keep dates as texts, SQLite all of them.
    kind = ColumnType.DATE if column.type is ColumnType.TEXT and are_dates(values) else column.type
    count = len(values) if distinct is None else distinct
    by_name = match_name(column.name)
    content = identifier_in_content(values, kind)
    sentences = free_text(kind, values, present)
    shape = sentences or singled_out(kind, values, present, count)
    shared = few_values(by_name, present, count)
    named = [by_name.reason] if by_name else []
    known = None if sentences else known_to_others(values, kind)
    reasons = [reason for reason in (content, shared, *named, shape, known) if reason]
    if content or (shape and is_identifier(shape, by_name, present)):
        # Whatever a column of sentences is about, it may name people: it is left out unless somebody decides.
        decisive = content or shape
        return Role.IDENTIFIER, tuple(sorted(reasons, key=lambda reason: reason is not decisive))
    if by_name:
        return Role.QUASI_IDENTIFIER if shared else by_name.role, tuple(reasons)
    if known:
        return Role.QUASI_IDENTIFIER, tuple(sorted(reasons, key=lambda reason: reason is not known))
    if kind in DATES:
        return Role.QUASI_IDENTIFIER, (Reason("date", say("dates of a person's life are known to others")),)
    if count <= 1:
        return Role.COMMON, (Reason("constant", say("all rows say the same")),)
    # Whoever knows least takes what is proposed: until somebody looks, others may know the column.
    unknown = Reason("unknown", say("unknown: look at it; until then it counts as known to others"))
    return Role.QUASI_IDENTIFIER, tuple(reasons) if shape else (unknown,)


def is_identifier(shape: Reason, by_name: NameMatch | None, present: int) -> bool:
    """Whether values that hardly repeat outweigh what the name says.

    In a small table towns and diagnoses hardly repeat either, and what is sensitive is not left out for that.
    """
    if shape.code != "near-unique":
        return shape.code == "free-text"
    return by_name is None or (by_name.role is Role.QUASI_IDENTIFIER and present >= VERY_MANY)


def few_values(by_name: NameMatch | None, present: int, distinct: int) -> Reason | None:
    """Why a column whose name would identify people does not: a few values are shared by many rows each."""
    is_named = by_name is not None and by_name.role is Role.IDENTIFIER
    if not is_named or not distinct or distinct > MOST_SHARED or present < MANY * distinct:
        return None
    text = say("{distinct} values in {rows:,} rows identify nobody", distinct=distinct, rows=present)
    return Reason("few-values", text, {"distinct": distinct, "rows": present})


def free_text(kind: ColumnType, values: pl.Series, present: int) -> Reason | None:
    """Why the values are sentences, and what they tell of people."""
    findings = holds_free_text(values, rows=present) if kind is ColumnType.TEXT else None
    if findings is None or not findings.is_free_text:
        return None
    return Reason("free-text", findings.describe(), findings.to_dict())


def singled_out(kind: ColumnType, values: pl.Series, present: int, distinct: int) -> Reason | None:
    """Why the values alone single people out, as a text or code of their own or as a number that hardly repeats."""
    if kind not in SINGLING or present < ENOUGH:
        return None
    share = distinct / present
    if share <= NEAR_UNIQUE:
        return None
    code = "near-unique" if kind not in NUMBERS or are_codes(kind, values, share) else "near-unique-number"
    sentence = (
        say("every value occurs once, so a value singles a person out")
        if share == 1
        else say("{percent:.0f} % of the values differ, so a value singles a person out", percent=share * 100)
    )
    return Reason(code, sentence, {"share": round(share, 4)})


def are_codes(kind: ColumnType, values: pl.Series, share: float) -> bool:
    """Whether numbers are given out rather than measured: one after the other, or of one length and all different.

    >>> are_codes(ColumnType.INTEGER, pl.Series(["1", "2", "3", "4"]), 1.0)
    True
    >>> are_codes(ColumnType.INTEGER, pl.Series(["980", "1204", "15876", "733"]), 1.0)
    False
    """
    if kind is not ColumnType.INTEGER or share < 1:
        return False
    numbers = values.cast(pl.Int64, strict=False)
    if numbers.null_count():
        return numbers.null_count() == len(numbers)  # digits that no integer holds
    low, high = int(numbers.min() or 0), int(numbers.max() or 0)  # type: ignore[arg-type]
    if len(numbers) > (high - low + 1) / 2:
        return True
    return values.str.len_chars().n_unique() == 1 and len(str(low)) >= LONG
