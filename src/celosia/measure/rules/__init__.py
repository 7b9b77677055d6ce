"""Rules of laws, checked on a release: what is met, what is not, what a person must judge; this is not legal advice."""

from celosia.measure.rules.registry import check_rules, choose_rules, rule_sets
from celosia.measure.rules.rule import Evidence, Finding, Outcome, Rule, RuleResult, RuleSet
from celosia.measure.rules.said import NOT_LEGAL_ADVICE, Said

__all__ = [
    "NOT_LEGAL_ADVICE",
    "Evidence",
    "Finding",
    "Outcome",
    "Rule",
    "RuleResult",
    "RuleSet",
    "Said",
    "check_rules",
    "choose_rules",
    "rule_sets",
]
