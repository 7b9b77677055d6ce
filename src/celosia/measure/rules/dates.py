"""Dates and ages of a release under HIPAA: of dates the year alone, and one category for all who are 90 or older."""

from datetime import date

from celosia.hierarchies.dates import days
from celosia.measure.decode.bounds import Bounds, read_bounds
from celosia.measure.rules.columns import ShownColumn, evidence_of, nothing_seen, passages, sentences
from celosia.measure.rules.rule import Outcome, RuleCase, RuleEvidence, RuleVerdict
from celosia.say import say
from celosia.types import DATES, ColumnType

__all__ = ["no_exact_dates"]

OLDEST = 89
YEAR_DAYS = 365
MONTHS = r"^[0-9]{4}[-/](?:0[1-9]|1[0-2]|Q[1-4])$"

_EXACT = say("it shows dates more exact than a year")
_UNREAD = say("its name speaks of dates, and not all its labels can be read")
_OLD = say("it shows ages over 89, not in one category")
_NINETY = say("it shows 90: one category for all who are older, or an age?")
_BORN = say("it shows years of birth of people over 89, not in one category")
INSIDE = frozenset({"date"})
"""Passages of free text that the rule is about."""


def no_exact_dates(case: RuleCase) -> RuleVerdict:
    """Not met where a column shows days, months or quarters, or tells apart people who are older than 89."""
    judged_columns = [judged for seen in case.columns for judged in _judge(case, seen)]
    judged_columns += [
        (Outcome.NOT_MET if passages(seen) & INSIDE else Outcome.PERSON, evidence_of(seen))
        for seen in sentences(case.columns)
    ]
    if not judged_columns:
        return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))
    outcome = min((outcome for outcome, _ in judged_columns), key=list(Outcome).index)
    return RuleVerdict(outcome, tuple(evidence for _, evidence in judged_columns))


def _judge(case: RuleCase, seen: ShownColumn) -> list[tuple[Outcome, RuleEvidence]]:
    if seen.meaning == "age":
        return _judge_ages(seen)
    if not _are_dates(case, seen):
        return []
    if seen.type in DATES or days(seen.values).count() or seen.values.str.contains(MONTHS).any():
        return [(Outcome.NOT_MET, evidence_of(seen, _EXACT))]
    read = [_period(label) for label in seen.values.to_list()]
    known = [bounds for bounds in read if bounds is not None]
    judgements = []
    if any(high - low + 1 < YEAR_DAYS for low, high in known):
        judgements.append((Outcome.NOT_MET, evidence_of(seen, _EXACT)))
    elif len(known) < len(read):
        judgements.append((Outcome.PERSON, evidence_of(seen, _UNREAD)))
    if seen.meaning == "a date of birth" and _tells_old_people(known):
        judgements.append((Outcome.NOT_MET, evidence_of(seen, _BORN)))
    return judgements


def _are_dates(case: RuleCase, seen: ShownColumn) -> bool:
    """By their type here or in the original, by what they look like, or by the name of the column."""
    is_declared = seen.type in DATES or case.subject.kinds.get(seen.name) in DATES
    is_named = seen.meaning.startswith("a date of")
    is_written = seen.type is ColumnType.TEXT and len(seen.values) > 0
    looks_so = is_written and (
        days(seen.values).null_count() == 0 or bool(seen.values.str.contains(MONTHS).all())
    )
    return is_declared or is_named or looks_so


def _period(label: str) -> Bounds | None:
    """The first and the last day that a label allows; a number or an interval of numbers is one of years."""
    bounds = read_bounds(label, ColumnType.DATE)
    if bounds is None:
        read = read_bounds(label, ColumnType.INTEGER)
        if read is None or not all(abs(year) == float("inf") or 1000 <= year <= 9999 for year in read):
            return None
        bounds = (_day(read[0], 1, 1), _day(read[1], 12, 31))
    return bounds


def _day(year: float, month: int, day: int) -> float:
    if abs(year) == float("inf"):
        return year
    return float(date(int(year), month, day).toordinal() - date(1970, 1, 1).toordinal())


def _tells_old_people(periods: list[Bounds]) -> bool:
    """Whether several labels, or one that is no open end, allow births of 90 years ago."""
    today = date.today()
    limit = _day(today.year - OLDEST - 1, today.month, min(today.day, 28))
    old = [period for period in periods if period[0] <= limit]
    return len(old) > 1 or any(high - low + 1 <= YEAR_DAYS + 1 for low, high in old)


def _judge_ages(seen: ShownColumn) -> list[tuple[Outcome, RuleEvidence]]:
    """One label may reach above 89: 90+, >=85, [80-120]; a plain number is an age, unless it is 90 and alone."""
    read = [read_bounds(label, ColumnType.INTEGER) for label in seen.values.to_list()]
    old = [bounds for bounds in read if bounds is not None and bounds[1] > OLDEST]
    if len(old) > 1 or any(low == high != OLDEST + 1 for low, high in old):
        return [(Outcome.NOT_MET, evidence_of(seen, _OLD))]
    if any(low == high for low, high in old):
        return [(Outcome.PERSON, evidence_of(seen, _NINETY))]
    return []
