"""Checks that several laws share: who is named, what is specially protected, whether children are told of."""

from collections.abc import Callable

from celosia.measure.decode.bounds import read_bounds
from celosia.measure.rules.columns import ShownColumn, evidence_of, nothing_seen, passages, sentences
from celosia.measure.rules.measures import judge_inference, judge_linking, judge_singling_out
from celosia.measure.rules.rule import LegalRule, Outcome, RuleCase, RuleEvidence, RuleVerdict
from celosia.say import Text, say
from celosia.types import ColumnType, Role

__all__ = [
    "ask_a_person",
    "inference_rule",
    "judge_identity",
    "linking_rule",
    "no_identifiers",
    "no_minors_under",
    "no_special_categories",
    "singling_out_rule",
    "unchecked_pseudonyms",
]

SPECIAL = ("health", "a treatment", "beliefs", "origin", "sex life", "genes", "race")
"""Meanings of columns that all these laws protect specially; crimes are dealt with apart from them."""


NAMING = frozenset({"person", "phone", "email", "identity", "record", "account"})
"""Passages of free text that say who somebody is."""


def no_identifiers(case: RuleCase) -> RuleVerdict:
    """Not met where a column says who a person is; where values hardly repeat, or are free text, a person must look."""
    written = sentences(case.columns)
    named = [
        seen
        for seen in case.columns
        if seen.content or seen.role is Role.IDENTIFIER or passages(seen) & NAMING
    ]
    if named:
        return RuleVerdict(Outcome.NOT_MET, tuple(map(evidence_of, named)))
    doubtful = [seen for seen in case.columns if seen in written or (seen.shape and seen.role is None)]
    if doubtful:
        return RuleVerdict(Outcome.PERSON, tuple(map(evidence_of, doubtful)))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))


def unchecked_pseudonyms(case: RuleCase) -> RuleVerdict:
    """A column whose values hardly repeat may hold pseudonyms: a person must say."""
    pseudonyms = [
        seen for seen in case.columns if seen.shape and seen.shape.code == "near-unique" and seen.role is None
    ]
    pseudonyms += [seen for seen in case.columns if seen.content and seen.content.code == "uuid"]
    if pseudonyms:
        return RuleVerdict(Outcome.PERSON, tuple(map(evidence_of, pseudonyms)))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))


_DECLARED = say("the project declares it sensitive")


def no_special_categories(case: RuleCase) -> RuleVerdict:
    """Columns that are specially protected: whether they may be released is for a person to judge."""
    special = []
    for seen in case.columns:
        if seen.meaning in SPECIAL:
            special.append(evidence_of(seen))
        elif seen.name in case.subject.sensitive:
            special.append(evidence_of(seen, _DECLARED))
    if special:
        return RuleVerdict(Outcome.PERSON, tuple(special))
    return RuleVerdict(Outcome.MET, (nothing_seen(case.columns),))


def no_minors_under(age: int) -> Callable[[RuleCase], RuleVerdict]:
    """A check for rows of people under an age: by released ages alone, which is all that can be seen."""

    def check(case: RuleCase) -> RuleVerdict:
        aged = [seen for seen in case.columns if seen.meaning == "age"]
        young = [seen for seen in aged if _lowest(seen) < age]
        if young:
            why = say("it shows ages under {age}", age=age)
            return RuleVerdict(Outcome.PERSON, tuple(evidence_of(seen, why) for seen in young))
        if aged:
            return RuleVerdict(Outcome.MET, tuple(map(evidence_of, aged)))
        return RuleVerdict(Outcome.UNKNOWN, (nothing_seen(case.columns),))

    return check


def _lowest(seen: ShownColumn) -> float:
    """The lowest age that a released label allows; 0 where a label cannot be read."""
    read = [read_bounds(label, ColumnType.INTEGER) for label in seen.values.to_list()]
    return min((0.0 if bounds is None else bounds[0] for bounds in read), default=0.0)


def judge_identity(case: RuleCase) -> RuleVerdict:
    """Whether people cannot be told: no identifiers are shown, nobody is singled out, rows cannot be linked."""
    verdicts = [no_identifiers(case), judge_singling_out(case), judge_linking(case)]
    outcome = min((verdict.outcome for verdict in verdicts), key=list(Outcome).index)
    evidence = [evidence for verdict in verdicts for evidence in verdict.evidence]
    advice = next((verdict.remedy for verdict in verdicts if verdict.outcome is outcome), None)
    return RuleVerdict(outcome, tuple(evidence), advice)


def ask_a_person(*why: Text) -> Callable[[RuleCase], RuleVerdict]:
    """A check that no program can make."""
    return lambda case: RuleVerdict(Outcome.PERSON, tuple(RuleEvidence(reason) for reason in why))


# The three questions of the Article 29 Working Party, which the Spanish law asks as well


def singling_out_rule(source: str) -> LegalRule:
    """Whether somebody can be isolated."""
    return LegalRule(
        name="singling-out",
        source=source,
        title=say("singling out"),
        question=say("Can somebody isolate the row of one person in the release?"),
        remedy=say(
            "generalize or suppress until every class has enough rows (k-anonymity), then measure again"
        ),
        check=judge_singling_out,
    )


def linking_rule(source: str) -> LegalRule:
    """Whether rows can be linked."""
    return LegalRule(
        name="linkability",
        source=source,
        title=say("linkability"),
        question=say(
            "Can two rows about the same person, or the same group, be linked, here or with another table?"
        ),
        remedy=say(
            "drop or generalize the columns that other tables share, release no pseudonym twice, measure again"
        ),
        check=judge_linking,
    )


def inference_rule(source: str) -> LegalRule:
    """Whether something can be deduced about a person."""
    return LegalRule(
        name="inference",
        source=source,
        title=say("inference"),
        question=say(
            "Can the value of a column be deduced with significant probability from the values of others?"
        ),
        remedy=say(
            "ask for l-diversity or t-closeness of the sensitive columns, or release them more coarsely"
        ),
        check=judge_inference,
    )
