"""What a rule of a law is, what is found about it, and what a set of rules answers for one release."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from celosia.measure.measured import Measured
from celosia.measure.rules.said import NOT_LEGAL_ADVICE, Said
from celosia.measure.subject import Subject

if TYPE_CHECKING:
    from celosia.measure.rules.columns import Seen

__all__ = ["Case", "Evidence", "Finding", "Outcome", "Rule", "RuleResult", "RuleSet", "Verdict"]


class Outcome(StrEnum):
    """What is found about a rule, the worst first."""

    NOT_MET = "not met"
    UNKNOWN = "cannot be told"
    PERSON = "needs a person"
    MET = "met"

    @property
    def said(self) -> Said:
        """The outcome in both languages."""
        spanish = {
            "not met": "no se cumple",
            "cannot be told": "no se puede decir",
            "needs a person": "necesita una persona",
            "met": "se cumple",
        }
        return Said(en=self.value, es=spanish[self.value])


@dataclass(frozen=True)
class Evidence:
    """What an outcome rests on: a ``column`` of the release, or a ``measure`` with its value, and why."""

    why: Said
    column: str | None = None
    measure: str | None = None
    value: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it."""
        known = {"column": self.column, "measure": self.measure, "value": self.value}
        return {name: fact for name, fact in known.items() if fact is not None} | {"why": self.why.to_dict()}


@dataclass(frozen=True)
class Verdict:
    """What a check says: the outcome, what it rests on, and what to do where that is not the rule's usual advice."""

    outcome: Outcome
    evidence: tuple[Evidence, ...] = ()
    remedy: Said | None = None


@dataclass(frozen=True)
class Case:
    """What is judged: the release, what measures answered, and what was seen in each column."""

    subject: Subject
    answers: Mapping[str, Iterable[Measured]]
    columns: "tuple[Seen, ...]"


@dataclass(frozen=True)
class Rule:
    """One thing that a law asks: its ``source`` is the article, ``remedy`` what to do where it is not met."""

    name: str
    source: str
    title: Said
    question: Said
    remedy: Said
    check: Callable[[Case], Verdict]


@dataclass(frozen=True)
class Finding:
    """What was found about one rule."""

    rule: str
    source: str
    title: Said
    question: Said
    outcome: Outcome
    evidence: tuple[Evidence, ...]
    remedy: Said | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it, with both languages."""
        return {
            "rule": self.rule,
            "source": self.source,
            "title": self.title.to_dict(),
            "question": self.question.to_dict(),
            "outcome": self.outcome.value,
            "outcome_said": self.outcome.said.to_dict(),
            "evidence": [one.to_dict() for one in self.evidence],
            "remedy": self.remedy.to_dict() if self.remedy else None,
        }


@dataclass(frozen=True)
class RuleResult:
    """What a set of rules answers for one release; ``notice`` says that it is no legal advice."""

    name: str
    title: Said
    reference: str
    findings: tuple[Finding, ...]
    notice: Said = NOT_LEGAL_ADVICE

    @property
    def outcome(self) -> Outcome:
        """The worst outcome of all rules."""
        return min((one.outcome for one in self.findings), key=list(Outcome).index)

    def to_dict(self) -> dict[str, Any]:
        """As JSON wants it, with both languages."""
        return {
            "name": self.name,
            "title": self.title.to_dict(),
            "reference": self.reference,
            "outcome": self.outcome.value,
            "notice": self.notice.to_dict(),
            "findings": [one.to_dict() for one in self.findings],
        }


@dataclass(frozen=True)
class RuleSet:
    """The rules of one law; a module of this room with ``RULES``, one of these, adds it."""

    name: str
    title: Said
    reference: str
    rules: tuple[Rule, ...]

    def check(self, case: Case) -> RuleResult:
        """What is found about every rule."""
        findings = []
        for rule in self.rules:
            verdict = rule.check(case)
            remedy = None if verdict.outcome is Outcome.MET else verdict.remedy or rule.remedy
            findings.append(
                Finding(
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
