"""What a release is worth in one word, from its verification and from every column that leaves."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from celosia.measure.exposure import ColumnExposure, Exposure, SubsetExposure
from celosia.profile.treatments import Treatment
from celosia.project import Acceptance
from celosia.say import join_texts, say, say_count
from celosia.types import all_of

__all__ = ["AcceptedColumn", "ExposedColumn", "GuardedColumn", "Verdict", "VerdictKind", "judge"]

NAMED = 5
"""Columns that the sentence names; the list has them all."""


class VerdictKind(StrEnum):
    """What a release is worth."""

    PROTECTED = "protected"
    """The promises hold, and nothing that leaves singles out more people than they allow."""
    AS_DECLARED = "protected-as-declared"
    """The promises hold, but there are columns by which others could tell people apart."""
    BROKEN = "broken"
    """A promise does not hold."""


@dataclass(frozen=True)
class ExposedColumn:
    """A column that leaves and tells people apart to whoever knows it, and what can be done about it.

    The counts are those of :class:`celosia.measure.exposure.ColumnExposure`, None where it could not be looked at.
    """

    column: str
    alone: int | None
    small: int | None
    alone_with: int | None
    small_with: int | None
    reason: str
    remedies: tuple[str, ...]


@dataclass(frozen=True)
class AcceptedColumn:
    """A column that somebody answers for: who, when and why."""

    column: str
    by: str
    on: str
    why: str


@dataclass(frozen=True)
class GuardedColumn:
    """A column about which a model promises something, and whom somebody would find who knew it beforehand.

    ``alone`` and ``small`` are people by its values together with the quasi-identifiers as released.
    """

    column: str
    alone: int
    small: int
    reason: str


@dataclass(frozen=True)
class Verdict:
    """What a release is worth, the columns that keep it from being worth more, and those that a person accepted.

    ``guarded`` columns are within the promise as long as nobody knows them beforehand; ``assumed`` is what else others
    are taken not to know, where the promises do not hold against those who know everything.
    """

    kind: VerdictKind
    sentence: str
    exposed: tuple[ExposedColumn, ...] = ()
    together: tuple[SubsetExposure, ...] = ()
    accepted: tuple[AcceptedColumn, ...] = ()
    guarded: tuple[GuardedColumn, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def is_protected(self) -> bool:
        """Whether nothing is left to say against it."""
        return self.kind is VerdictKind.PROTECTED

    def to_dict(self) -> dict[str, object]:
        """The verdict as a document; its texts remember how they were said."""
        return {
            "kind": str(self.kind),
            "sentence": self.sentence,
            "exposed": [{**asdict(column), "remedies": list(column.remedies)} for column in self.exposed],
            "together": [{**asdict(columns), "columns": list(columns.columns)} for columns in self.together],
            "accepted": [asdict(column) for column in self.accepted],
            "guarded": [asdict(column) for column in self.guarded],
            "assumed": list(self.assumed),
        }


def judge(
    *,
    passed: bool,
    exposure: Exposure,
    is_light: bool = False,
    sensitive: Sequence[str] = (),
    accepted: Mapping[str, Acceptance] | None = None,
    assumed: Sequence[str] = (),
    free_texts: Mapping[str, str] | None = None,
    treatments: Mapping[str, Treatment] | None = None,
    numbers: Sequence[str] = (),
) -> Verdict:
    """The verdict on a release whose promises held or not, with the ``exposure`` of what leaves.

    ``accepted`` are columns for which a person answers; ``assumed`` says what others are taken not to know;
    ``free_texts`` are columns of sentences that leave, and what was found inside them; ``treatments`` are what was
    tried on columns whose values single people out; ``numbers`` are columns that could show the mean of their class.

    >>> from celosia.measure.exposure import measure_exposure
    >>> from celosia.tables import open_table
    >>> import polars as pl
    >>> visits = open_table(pl.DataFrame({"age": ["30-39"] * 4, "cost": [10, 10, 10, 99]}))
    >>> found = measure_exposure(visits, quasi_identifiers=["age"], k=3)
    >>> judge(passed=True, exposure=found).sentence
    "protected as far as declared: the promises hold, but 1 column tells people apart to whoever knows it: 'cost'"
    >>> nobody_knows = Acceptance(by="Ana Gil", why="only the hospital knows it")
    >>> judge(passed=True, exposure=found, accepted={"cost": nobody_knows}).sentence
    'protected: the promises hold, and no column that leaves singles anybody out; 1 column accepted'
    """
    by_name = accepted or {}
    leaving = {column.column for column in exposure.columns} | set(exposure.not_looked_at)
    signed = tuple(
        AcceptedColumn(name, reason.by, reason.on.isoformat(), reason.why)
        for name, reason in by_name.items()
        if name in leaving
    )
    exposed = tuple(
        column
        for column in _exposed(exposure, sensitive, free_texts or {}, treatments or {}, numbers)
        if column.column not in by_name
    )
    together = tuple(columns for columns in exposure.together if not set(columns.columns) & set(by_name))
    if not passed:
        kind = VerdictKind.BROKEN
    elif exposed or together:
        kind = VerdictKind.AS_DECLARED
    else:
        kind = VerdictKind.PROTECTED
    guarded = tuple(
        GuardedColumn(one.column, one.alone_with, one.small_with, _premise(one, exposure))
        for one in exposure.columns
        if one.is_guarded and one.small_with and one.column not in by_name
    )
    sentence = _sentence(kind, exposed, together, signed, guarded, is_light=is_light)
    if assumed and kind is not VerdictKind.BROKEN:
        text = say("it is assumed that {assumption}", assumption=all_of(assumed))
        sentence = join_texts("; ", [sentence, text])
    return Verdict(kind, sentence, exposed, together, signed, guarded, tuple(assumed))


def _exposed(
    exposure: Exposure,
    sensitive: Sequence[str],
    free_texts: Mapping[str, str],
    treatments: Mapping[str, Treatment],
    numbers: Sequence[str],
) -> Iterator[ExposedColumn]:
    """Columns that tell people apart, most first; then those that nobody could look at."""
    by_count = sorted(exposure.columns, key=lambda column: -column.in_small_groups)
    for column in by_count:
        if column.is_exposed or column.column in free_texts:
            reason = free_texts.get(column.column) or _reason(column, exposure)
            treat = (
                _redact(column.column)
                if column.column in free_texts
                else (
                    *_treat(column.column, treatments.get(column.column), exposure),
                    *_show_means(column.column, numbers),
                )
            )
            yield ExposedColumn(
                column.column,
                column.alone,
                column.small,
                column.alone_with,
                column.small_with,
                reason,
                (
                    *treat,
                    *_promise(column, is_sensitive=column.column in sensitive),
                    *_remedies(column.column),
                ),
            )
    for name, why in exposure.not_looked_at.items():
        text = say("nobody could look at it: {why}", why=why)
        yield ExposedColumn(name, None, None, None, None, text, _remedies(name))


def _reason(column: ColumnExposure, exposure: Exposure) -> str:
    if column.small:
        return say(
            "by its values {alone:,} of {people:,} people are alone, and {small:,} in groups smaller than {k}",
            alone=column.alone,
            small=column.small,
            people=exposure.people,
            k=exposure.k,
        )
    return say(
        "with the quasi-identifiers {alone:,} of {people:,} people are alone, and {small:,} in groups smaller "
        "than {k}",
        alone=column.alone_with,
        small=column.small_with,
        people=exposure.people,
        k=exposure.k,
    )


def _premise(one: ColumnExposure, exposure: Exposure) -> str:
    return say(
        "a model guards it against whoever knows the quasi-identifiers; somebody who knew its value, too, would find "
        "{alone:,} of {people:,} people alone, and {small:,} in groups smaller than {k}",
        alone=one.alone_with,
        small=one.small_with,
        people=exposure.people,
        k=exposure.k,
    )


def _redact(column: str) -> tuple[str, ...]:
    return (
        say(
            "redact it: --mask {column}=redact, which replaces what it finds; finding is not proof",
            column=shlex.quote(column),
        ),
    )


def _treat(column: str, treatment: Treatment | None, exposure: Exposure) -> tuple[str, ...]:
    """The mildest treatment that suffices, as it was tried on the values."""
    if treatment is None:
        return ()
    text = say(
        "treat it: with --mask {mask} its values leave {small:,} of {people:,} people in groups smaller than {k}",
        mask=shlex.quote(f"{column}={treatment.operation}"),
        small=treatment.small,
        people=exposure.people,
        k=exposure.k,
    )
    return (text,)


def _show_means(column: str, numbers: Sequence[str]) -> tuple[str, ...]:
    if column not in numbers:
        return ()
    return (say("show the mean of its class: --mask {column}=microaggregate", column=shlex.quote(column)),)


def _promise(one: ColumnExposure, *, is_sensitive: bool) -> tuple[str, ...]:
    """A column whose values alone single nobody out can become part of the promise."""
    name = shlex.quote(one.column)
    if one.small:
        return ()
    if is_sensitive:
        return (say("promise something about it: -l {column}=2, or another model", column=name),)
    return (say("make it part of the promise: --qi {column}", column=name),)


def _remedies(column: str) -> tuple[str, ...]:
    """What can be done with any column."""
    name = shlex.quote(column)
    leave_out = say("leave it out: --identifier {column}", column=name)
    accept = say("answer for it, if nobody outside can know it: --accept {column}=WHY", column=name)
    return (leave_out, accept)


def _sentence(
    kind: VerdictKind,
    exposed: Sequence[ExposedColumn],
    together: Sequence[SubsetExposure],
    accepted: Sequence[AcceptedColumn],
    guarded: Sequence[GuardedColumn],
    *,
    is_light: bool,
) -> str:
    if kind is VerdictKind.BROKEN:
        return say("broken: a promise does not hold, and nothing may leave")
    told: str
    if kind is VerdictKind.PROTECTED:
        told = _sentence_of_protected(guarded, is_light=is_light)
    elif exposed:
        told = _sentence_of_columns([column.column for column in exposed], is_light=is_light)
    else:
        names = _listed(together[0].columns)
        told = (
            say(
                "nothing is promised about people, and together these columns tell them apart to whoever knows them: "
                "{columns}",
                columns=names,
            )
            if is_light
            else say(
                "protected as far as declared: the promises hold, but together these columns tell people apart "
                "to whoever knows them: {columns}",
                columns=names,
            )
        )
    if not accepted:
        return told
    signed = say_count("{count} column accepted", "{count} columns accepted", len(accepted))
    return join_texts("; ", [told, signed])


def _sentence_of_protected(guarded: Sequence[GuardedColumn], *, is_light: bool) -> str:
    if is_light:
        return say(
            "protected: no column that leaves singles anybody out, though nothing is promised about people"
        )
    if guarded:
        return say(
            "protected: the promises hold, and no column that leaves singles anybody out, as long as nobody knows "
            "{columns} beforehand",
            columns=_listed([one.column for one in guarded]),
        )
    return say("protected: the promises hold, and no column that leaves singles anybody out")


def _sentence_of_columns(names: Sequence[str], *, is_light: bool) -> str:
    if is_light:
        return say_count(
            "nothing is promised about people, and {count} column tells them apart to whoever knows it: {columns}",
            "nothing is promised about people, and {count} columns tell them apart to whoever knows them: {columns}",
            len(names),
            columns=_listed(names),
        )
    return say_count(
        "protected as far as declared: the promises hold, but {count} column tells people apart to whoever "
        "knows it: {columns}",
        "protected as far as declared: the promises hold, but {count} columns tell people apart to whoever "
        "knows them: {columns}",
        len(names),
        columns=_listed(names),
    )


def _listed(names: Sequence[str]) -> str:
    shown = [repr(name) for name in names[:NAMED]]
    return join_texts(", ", [*shown, *(["…"] if len(names) > NAMED else [])])
