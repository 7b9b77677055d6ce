"""What a rule of a law is, what is found about it, and what a set of rules answers for one release."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from celosia.measure.release_measure import MeasuredValue
from celosia.measure.subject import MeasureSubject
from celosia.say import Text, say

if TYPE_CHECKING:
    from celosia.measure.rules.columns import ShownColumn

__all__ = [
    "NOT_LEGAL_ADVICE",
    "LegalRule",
    "Outcome",
    "RuleCase",
    "RuleEvidence",
    "RuleFinding",
    "RuleResult",
    "RuleSet",
    "RuleVerdict",
]

NOT_LEGAL_ADVICE = say(
    "This is not legal advice. It says what a program found in the columns and in the measures of one table;"
    " whether the law is kept is for a person to judge who knows the law and the circumstances."
)


class Outcome(StrEnum):
    """What is found about a rule, the worst first."""

    NOT_MET = "not met"
    UNKNOWN = "cannot be told"
    PERSON = "needs a person"
    MET = "met"

    @property
    def text(self) -> Text:
        """The outcome as people read it."""
        return _OUTCOMES[self]


_OUTCOMES = {
    Outcome.NOT_MET: say("not met"),
    Outcome.UNKNOWN: say("cannot be told"),
    Outcome.PERSON: say("needs a person"),
    Outcome.MET: say("met"),
}


@dataclass(frozen=True)
class RuleEvidence:
    """What an outcome rests on: a ``column`` of the release, or a ``measure`` with its value, and why."""

    why: str
    column: str | None = None
    measure: str | None = None
    value: float | None = None

    def to_dict(self) -> dict[str, object]:
        """As JSON wants it."""
        known: dict[str, object] = {"column": self.column, "measure": self.measure, "value": self.value}
        return {name: fact for name, fact in known.items() if fact is not None} | {"why": self.why}


@dataclass(frozen=True)
class RuleVerdict:
    """What a check says: the outcome, what it rests on, and what to do where that is not the rule's usual advice."""

    outcome: Outcome
    evidence: tuple[RuleEvidence, ...] = ()
    remedy: Text | None = None


@dataclass(frozen=True)
class RuleCase:
    """What is judged: the release, what measures answered, and what was seen in each column."""

    subject: MeasureSubject
    answers: Mapping[str, Iterable[MeasuredValue]]
    columns: "tuple[ShownColumn, ...]"


@dataclass(frozen=True)
class LegalRule:
    """One thing that a law asks: its ``source`` is the article, ``remedy`` what to do where it is not met."""

    name: str
    source: str
    title: Text
    question: Text
    remedy: Text
    check: Callable[[RuleCase], RuleVerdict]


@dataclass(frozen=True)
class RuleFinding:
    """What was found about one rule."""

    rule: str
    source: str
    title: Text
    question: Text
    outcome: Outcome
    evidence: tuple[RuleEvidence, ...]
    remedy: Text | None

    def to_dict(self) -> dict[str, object]:
        """As JSON wants it."""
        return {
            "rule": self.rule,
            "source": self.source,
            "title": self.title,
            "question": self.question,
            "outcome": self.outcome.value,
            "evidence": [evidence.to_dict() for evidence in self.evidence],
            "remedy": self.remedy,
        }


@dataclass(frozen=True)
class RuleResult:
    """What a set of rules answers for one release; ``notice`` says that it is no legal advice."""

    name: str
    title: Text
    reference: str
    findings: tuple[RuleFinding, ...]
    notice: Text = NOT_LEGAL_ADVICE

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all rules."""
        return min((finding.outcome for finding in self.findings), key=list(Outcome).index)

    def to_dict(self) -> dict[str, object]:
        """As JSON wants it."""
        return {
            "name": self.name,
            "title": self.title,
            "reference": self.reference,
            "outcome": self.outcome.value,
            "notice": self.notice,
            "findings": [finding.to_dict() for finding in self.findings],
        }


@dataclass(frozen=True)
class RuleSet:
    """The rules of one law; a module of this room with ``RULES``, one of these, adds it."""

    name: str
    title: Text
    reference: str
    rules: tuple[LegalRule, ...]

    def check(self, case: RuleCase) -> RuleResult:
        """What is found about every rule."""
        findings = []
        for rule in self.rules:
            verdict = rule.check(case)
            remedy = None if verdict.outcome is Outcome.MET else verdict.remedy or rule.remedy
            findings.append(
                RuleFinding(
                    rule=rule.name,
                    source=rule.source,
                    title=rule.title,
                    question=rule.question,
                    outcome=verdict.outcome,
                    evidence=verdict.evidence,
                    remedy=remedy,
                )
            )
        return RuleResult(self.name, self.title, self.reference, tuple(findings))
