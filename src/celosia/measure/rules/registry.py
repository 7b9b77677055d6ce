"""The sets of rules that exist, and a release checked against them."""

from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import MappingProxyType

from celosia.errors import ProjectError
from celosia.measure.release_measure import MeasuredValue
from celosia.measure.rules.columns import look_at_columns
from celosia.measure.rules.rule import RuleCase, RuleResult, RuleSet
from celosia.measure.subject import MeasureSubject
from celosia.say import say
from celosia.types import nearest

__all__ = ["check_rules", "choose_rules", "rule_sets"]


@cache
def rule_sets() -> Mapping[str, RuleSet]:
    """All sets of rules by name: every module of this room with ``RULES`` is one.

    >>> list(rule_sets())
    ['gdpr', 'hipaa', 'ley-1581', 'ley-18331', 'lopdgdd']
    """
    package = __name__.rpartition(".")[0]
    names = [
        module.name for module in iter_modules([str(Path(__file__).parent)]) if module.name != "registry"
    ]
    modules = [import_module(f"{package}.{name}") for name in names]
    sets = [module.RULES for module in modules if hasattr(module, "RULES")]
    return MappingProxyType({rules.name: rules for rules in sorted(sets, key=lambda rules: rules.name)})


def check_rules(
    subject: MeasureSubject,
    answers: Mapping[str, Iterable[MeasuredValue]],
    *,
    names: Iterable[str] | None = None,
) -> tuple[RuleResult, ...]:
    """What the sets of rules of these ``names``, or all of them, say of a release.

    ``answers`` are those of measures by name; where a rule rests on a measure that was not computed, it says so.

    >>> import polars as pl
    >>> release = pl.DataFrame({"email": ["a@example.org"], "state": ["OH"]})
    >>> (result,) = check_rules(MeasureSubject.of(None, release), {}, names=["hipaa"])
    >>> [str(finding.title) for finding in result.findings if finding.outcome == "not met"]
    ['e-mail addresses']
    >>> result.notice.partition(".")[0]
    'This is not legal advice'
    """
    chosen = choose_rules(["all"] if names is None else names)
    case = RuleCase(subject, answers, look_at_columns(subject))
    return tuple(rule_sets()[name].check(case) for name in chosen)


def choose_rules(names: Iterable[str]) -> tuple[str, ...]:
    """Sets of rules by their names, each once; ``all`` are all.

    >>> choose_rules(["hipaa", "gdpr", "hipaa"]), len(choose_rules(["all"])) == len(rule_sets())
    (('hipaa', 'gdpr'), True)
    """
    known = rule_sets()
    chosen: list[str] = []
    for name in names:
        if name not in (*known, "all"):
            remedy = nearest(name, tuple(known), say("the rules"))
            raise ProjectError(say("there are no rules {name!r}", name=name), where="rules", remedy=remedy)
        chosen += known if name == "all" else [name]
    return tuple(dict.fromkeys(chosen))
