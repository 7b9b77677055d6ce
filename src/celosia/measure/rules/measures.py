"""What the answers of measures say about people being singled out, linked, and found out about.

No law gives a number. What counts as little is 0.09, the chance of telling a person that the European Medicines Agency
advises for published clinical data (External guidance on the implementation of Policy 0070): an attack that certainly
succeeds more often breaks a rule, one that certainly does not keeps it, and between the two a person must judge. Of
classes, those are large enough that reach the threshold of the subject. Every finding shows the values it rests on, so
that a person can be stricter.
"""

from collections.abc import Iterator, Sequence
from math import inf

from celosia.measure.exposure import ColumnExposure, Exposure, SubsetExposure
from celosia.measure.exposure.measure import exposure_of
from celosia.measure.registry import release_measures
from celosia.measure.release_measure import MeasuredValue
from celosia.measure.rules.rule import Outcome, RuleCase, RuleEvidence, RuleVerdict
from celosia.say import Text, say

__all__ = ["judge_inference", "judge_linking", "judge_singling_out", "worst"]

LITTLE = 0.09
SINGLING = ("singling-out",)
LINKING = ("linkability", "linkage")
INFERRING = ("inference",)


def judge_singling_out(case: RuleCase) -> RuleVerdict:
    """Whether rows are alone in their class, classes are small, an attack points at people, or a column does."""
    verdicts = [_classes(case), _attacks(case, SINGLING), _columns(case)]
    return worst(case, verdicts, wanted=("k", "uniques", "prosecutor-highest", *SINGLING))


def judge_linking(case: RuleCase) -> RuleVerdict:
    """Whether an attack links rows of the release with what is known from elsewhere."""
    return worst(case, [_attacks(case, LINKING)], wanted=LINKING)


def judge_inference(case: RuleCase) -> RuleVerdict:
    """Whether an attack finds out about people of the release what it does not about others."""
    return worst(case, [_attacks(case, INFERRING)], wanted=INFERRING)


def worst(case: RuleCase, verdicts: Sequence[RuleVerdict | None], *, wanted: Sequence[str]) -> RuleVerdict:
    """The worst of some verdicts with the evidence of all; without any it cannot be told."""
    judged = [verdict for verdict in verdicts if verdict]
    if not judged:
        advice = say(
            "compute the measures {names}, which this rests on, and look again", names=", ".join(wanted)
        )
        return RuleVerdict(Outcome.UNKNOWN, tuple(_not_computed(case, wanted)), advice)
    outcome = min((verdict.outcome for verdict in judged), key=list(Outcome).index)
    evidence = [evidence for verdict in judged for evidence in verdict.evidence]
    return RuleVerdict(outcome, (*evidence, *_not_computed(case, wanted)))


def _classes(case: RuleCase) -> RuleVerdict | None:
    """What the sizes of the classes say: nobody alone, and enough rows in the smallest."""
    uniques, smallest = _largest(case, "uniques"), _smallest(case, "k")
    risk = max(
        _risks(case, "prosecutor-highest"),
        key=lambda named_answer: named_answer[1].value or 0.0,
        default=None,
    )
    figures = [("uniques", uniques), ("k", smallest), risk or ("prosecutor-highest", None)]
    evidence = tuple(_evidence(name, answer) for name, answer in figures if answer is not None)
    if not evidence:
        return None
    sizes = [smallest.value or 0.0] if smallest else []
    sizes += [1 / (risk[1].value or inf)] if risk else []  # the highest chance is 1 / the smallest class
    if (uniques and uniques.value) or any(size < 2 for size in sizes):
        return RuleVerdict(Outcome.NOT_MET, evidence)
    is_enough = bool(sizes) and min(sizes) >= case.subject.threshold
    return RuleVerdict(Outcome.MET if is_enough else Outcome.PERSON, evidence)


def _columns(case: RuleCase) -> RuleVerdict | None:
    """What columns outside the promise say: one that puts people into small groups never lets the rule be met."""
    exposure = exposure_of(case.subject)
    exposed = [column for column in exposure.columns if column.is_exposed]
    evidence = [_exposed(column, exposure) for column in exposed]
    evidence += [_exposed_together(columns, exposure) for columns in exposure.together]
    evidence += [
        RuleEvidence(say("it was not looked at: {why}", why=why), column=name)
        for name, why in exposure.not_looked_at.items()
    ]
    if not evidence:
        return None
    answered_for = case.subject.accepted
    alone = any(
        column.alone or (column.alone_with and not column.is_guarded)
        for column in exposed
        if column.column not in answered_for
    ) or any(columns.alone for columns in exposure.together)
    return RuleVerdict(Outcome.NOT_MET if alone else Outcome.PERSON, tuple(evidence))


def _exposed_together(columns: SubsetExposure, exposure: Exposure) -> RuleEvidence:
    why = say(
        "the columns {columns} together put {small:,} of {people:,} people into groups smaller than {k}",
        columns=", ".join(map(repr, columns.columns)),
        small=columns.small,
        people=exposure.people,
        k=exposure.k,
    )
    return RuleEvidence(why, measure="exposure")


def _exposed(column: ColumnExposure, exposure: Exposure) -> RuleEvidence:
    why = say(
        "it puts {small:,} of {people:,} people into groups smaller than {k}",
        small=column.in_small_groups,
        people=exposure.people,
        k=exposure.k,
    )
    return RuleEvidence(why, column=column.column, measure="exposure")


def _attacks(case: RuleCase, kinds: Sequence[str]) -> RuleVerdict | None:
    """What the most successful attacks say: above what is little for certain, below it for certain, or between."""
    risks = [(name, answer) for kind in kinds for name, answer in _risks(case, kind)]
    if not risks:
        return None
    evidence = tuple(_evidence(name, answer) for name, answer in risks)
    ends = [answer.interval or (answer.value or 0.0, answer.value or 0.0) for _, answer in risks]
    if max(low for low, _ in ends) > LITTLE:
        return RuleVerdict(Outcome.NOT_MET, evidence)
    return RuleVerdict(Outcome.MET if max(high for _, high in ends) <= LITTLE else Outcome.PERSON, evidence)


def _risks(case: RuleCase, kind: str) -> Iterator[tuple[str, MeasuredValue]]:
    """The highest answer of every measure of a kind: the one of that name, and those that begin with it."""
    registered = release_measures()
    for name in case.answers:
        if name != kind and not name.startswith(f"{kind}-"):
            continue
        entry = registered.get(name)
        highest = _largest(case, name)
        if highest and (entry is None or (entry.better == "lower" and entry.high == 1)):
            yield name, highest


def _answered(case: RuleCase, name: str) -> list[MeasuredValue]:
    return [answer for answer in case.answers.get(name, ()) if answer.value is not None]


def _largest(case: RuleCase, name: str) -> MeasuredValue | None:
    return max(_answered(case, name), key=lambda answer: answer.value or 0.0, default=None)


def _smallest(case: RuleCase, name: str) -> MeasuredValue | None:
    return min(_answered(case, name), key=lambda answer: answer.value or 0.0, default=None)


def _evidence(name: str, answer: MeasuredValue) -> RuleEvidence:
    value = answer.value or 0.0
    return RuleEvidence(_value_text(name, value, answer), measure=name, value=value)


def _value_text(name: str, value: float, answer: MeasuredValue) -> Text:
    if answer.interval is None:
        if not answer.about:
            return say("{name} is {value:.4g}", name=name, value=value)
        return say("{name} is {value:.4g} ({about})", name=name, value=value, about=answer.about)
    low, high = answer.interval
    if not answer.about:
        return say(
            "{name} is {value:.4g} (between {low:.4g} and {high:.4g})",
            name=name,
            value=value,
            low=low,
            high=high,
        )
    return say(
        "{name} is {value:.4g} (between {low:.4g} and {high:.4g}) ({about})",
        name=name,
        value=value,
        low=low,
        high=high,
        about=answer.about,
    )


def _not_computed(case: RuleCase, wanted: Sequence[str]) -> Iterator[RuleEvidence]:
    """Why measures that were asked for have no answer."""
    for name in wanted:
        for answer in case.answers.get(name, ()):
            if answer.value is None and answer.why_not:
                yield RuleEvidence(
                    say("{name} was not computed: {why}", name=name, why=answer.why_not), measure=name
                )
                break
