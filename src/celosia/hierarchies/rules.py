"""Hierarchies by rule: functions of whatever values a column has, for domains too large to list.

A document names the rule and its parameters, ``{rule: intervals, kind: width}`` or ``{rule: countries, language: es}``;
the values of next year's table get their labels by the same rule.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from celosia.errors import HierarchyError
from celosia.hierarchies.building import Values, distinct
from celosia.hierarchies.dates import dates
from celosia.hierarchies.digits import digits
from celosia.hierarchies.flat import flat
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.intervals import intervals
from celosia.hierarchies.prefixes import prefixes
from celosia.hierarchies.rare import merge_rare
from celosia.hierarchies.world.build import build_known
from celosia.hierarchies.world.registry import known_domains
from celosia.say import say
from celosia.types import nearest

__all__ = ["build_by_rule", "is_rule", "rule_names"]

BUILDERS: dict[str, Callable[..., Hierarchy]] = {
    "intervals": intervals,
    "digits": digits,
    "dates": dates,
    "prefixes": prefixes,
    "rare": merge_rare,
    "flat": flat,
}


def rule_names() -> tuple[str, ...]:
    """All rules: those that look at digits, dates or frequencies, and what the world knows.

    >>> {"intervals", "rare", "countries", "ages"} <= set(rule_names())
    True
    """
    return (*BUILDERS, *sorted(known_domains()))


def is_rule(spec: object) -> bool:
    """Whether a document names a rule: groups of groups hold lists, never a text.

    >>> is_rule({"rule": "ages"}), is_rule({"rule": ["a", "b"]})
    (True, False)
    """
    return isinstance(spec, Mapping) and isinstance(spec.get("rule"), str)


def build_by_rule(
    column: str,
    values: Values,
    rule: Mapping[str, object],
    *,
    counts: Sequence[int] | npt.NDArray[np.int64] | None = None,
) -> Hierarchy:
    """The hierarchy of the values of a column by a rule, with ``counts``, the rows of each of them.

    >>> build_by_rule("edad", ["31", "38", "52"], {"rule": "ages", "language": "es"}).rows()[2]
    ('52', '[50-59]', '*')
    """
    name, parameters = str(rule["rule"]), {key: value for key, value in rule.items() if key != "rule"}
    if name in known_domains():
        _check(column, name, parameters, ("language",))
        return build_known(
            column, distinct(column, values), domain=name, language=str(parameters.get("language", "en"))
        )
    if name not in BUILDERS:
        raise HierarchyError(
            say("there is no rule {name!r}", name=name),
            where=say("hierarchy of {column!r}", column=column),
            remedy=nearest(name, rule_names()),
        )
    build = BUILDERS[name]
    taken = [key for key in inspect.signature(build).parameters if key not in ("column", "values", "counts")]
    _check(column, name, parameters, taken)
    weighted = {"counts": counts} if "counts" in inspect.signature(build).parameters else {}
    return build(column, values, **weighted, **parameters)


def _check(column: str, rule: str, parameters: Mapping[str, object], taken: Sequence[str]) -> None:
    for key in parameters:
        if key not in taken:
            raise HierarchyError(
                say("the rule {rule!r} takes no {key!r}", rule=rule, key=key),
                where=say("hierarchy of {column!r}", column=column),
                remedy=nearest(key, tuple(taken)) if taken else say("leave it out"),
            )
    language = parameters.get("language", "en")
    if language not in ("en", "es"):
        raise HierarchyError(
            say("there is no language {language!r}", language=language),
            where=say("hierarchy of {column!r}", column=column),
            remedy=say("en or es"),
        )
