"""Places of a release under HIPAA: nothing smaller than a state but the first three digits of a postcode."""

import polars as pl

from celosia.measure.rules.columns import (
    ShownColumn,
    evidence_of,
    matches_phrases,
    nothing_seen,
    passages,
    phrases,
    sentences,
)
from celosia.measure.rules.rule import Outcome, RuleCase, RuleEvidence, RuleVerdict
from celosia.say import say

__all__ = ["no_small_places"]

SCARCE = frozenset(
    {"036", "059", "063", "102", "203", "556", "692", "790", "821", "823", "830", "831", "878", "879", "884"}
    | {"890", "893"}
)
"""Three digits whose area had 20,000 people or fewer in the Census of 2000, as the guidance of HHS lists them.

The rule asks for the current figures of the Census, so a person has to compare what is not in this list.
"""

LARGE = phrases("state | estado | country | pais | comunidad autonoma")
UNCLEAR = phrases(
    "region | location | residence | residencia | departamento residencia | birth place | place birth |"
    "lugar nacimiento"
)

_LONG = say("it shows more than three characters of a postcode")
_SCARCE = say("it shows three digits of an area that had 20,000 people or fewer in the Census of 2000")
_THREE = say("it shows three digits; none was in the list of 2000, but the current Census decides")
_UNCLEAR = say("it shows places, perhaps smaller than a state")
INSIDE = frozenset({"place", "postcode"})
"""Passages of free text that the rule is about."""


def no_small_places(case: RuleCase) -> RuleVerdict:
    """Not met where a column shows a street, a town, a county or more of a postcode than is allowed."""
    judgements = [judged for seen in case.columns if (judged := _judge(seen)) is not None]
    judgements += [
        (Outcome.NOT_MET if passages(seen) & INSIDE else Outcome.PERSON, evidence_of(seen))
        for seen in sentences(case.columns)
    ]
    if not judgements:
        return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))
    outcome = min((outcome for outcome, _ in judgements), key=list(Outcome).index)
    return RuleVerdict(outcome, tuple(evidence for _, evidence in judgements))


def _judge(seen: ShownColumn) -> tuple[Outcome, RuleEvidence] | None:
    if seen.meaning == "a postal address":
        return Outcome.NOT_MET, evidence_of(seen)
    if seen.meaning == "a postcode":
        return _judge_postcode(seen)
    if seen.meaning != "a place" or matches_phrases(seen, LARGE):
        return None
    if matches_phrases(seen, UNCLEAR):
        return Outcome.PERSON, evidence_of(seen, _UNCLEAR)
    return Outcome.NOT_MET, evidence_of(seen)


def _judge_postcode(seen: ShownColumn) -> tuple[Outcome, RuleEvidence] | None:
    """Characters that are not hidden: of 902**, 902XX and 902 there are three."""
    shown = seen.values.str.replace(r"[*xX_-]+$", "")
    length = shown.str.len_chars()
    if (length > 3).any():
        return Outcome.NOT_MET, evidence_of(seen, _LONG)
    three = shown.filter(length == 3)
    if three.is_in(pl.Series(sorted(SCARCE)).implode()).any():
        return Outcome.NOT_MET, evidence_of(seen, _SCARCE)
    return (Outcome.PERSON, evidence_of(seen, _THREE)) if (three != "000").any() else None
