"""Rules of laws, checked on a release: what is met, what is not, what a person must judge; this is not legal advice."""

from celosia.measure.rules.registry import check_rules, choose_rules, rule_sets
from celosia.measure.rules.rule import (
    NOT_LEGAL_ADVICE,
    LegalRule,
    Outcome,
    RuleEvidence,
    RuleFinding,
    RuleResult,
    RuleSet,
)

__all__ = [
    "NOT_LEGAL_ADVICE",
    "LegalRule",
    "Outcome",
    "RuleEvidence",
    "RuleFinding",
    "RuleResult",
    "RuleSet",
    "check_rules",
    "choose_rules",
    "rule_sets",
]
