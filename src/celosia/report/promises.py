"""What each privacy model promises and what was found, in sentences that somebody who is no statistician can sign."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from celosia.privacy import MODELS
from celosia.report.evidence import ReleaseEvidence
from celosia.words import phrase

__all__ = ["PROMISES", "Promise", "promises_of"]

_HIDES = phrase(
    "Nobody can be narrowed down to fewer than {k} rows by what the release shows of the quasi-identifiers."
)
_HIDES_AMONG_PEOPLE = phrase(
    "Nobody can be narrowed down to fewer than {k} people by what the release shows of the quasi-identifiers."
)

TEXTS: Mapping[str, tuple[str, str, str]] = {
    "k-anonymity": (
        phrase("Each person hides in a crowd (k-anonymity)"),
        _HIDES,
        phrase("The smallest class in the release has a size of {reached}."),
    ),
    "k-map": (
        phrase("Each person hides in the population (k-map)"),
        phrase("What is released of each person fits at least {k} people of the population."),
        phrase("The released combination that fits fewest people of the population fits {reached}."),
    ),
    "attacker": (
        phrase("Each person hides from somebody who knows some columns (attacker)"),
        phrase("{who}, who knows {knows} and no more, cannot narrow anybody down to fewer than {k} rows."),
        phrase("The smallest group that {who} can tell apart has a size of {reached}."),
    ),
    "km-anonymity": (
        phrase("Each person hides from whoever knows few columns (k^m-anonymity)"),
        phrase(
            "Whoever knows up to {known} quasi-identifiers of a person cannot narrow anybody down to fewer than {k} "
            "rows; whoever knows more may."
        ),
        phrase("The smallest group by so many columns has a size of {reached}."),
    ),
    "lkc-privacy": (
        phrase("Whoever knows few columns finds a crowd, and no secret (LKC-privacy)"),
        phrase(
            "Whoever knows up to {known} quasi-identifiers of a person finds at least {k} rows, of which no value of "
            "“{column}” has more than {confidence_percent}; whoever knows more may find fewer."
        ),
        phrase("The smallest group by so many columns has a size of {reached}."),
    ),
    "distinct-l-diversity": (
        phrase("No class gives the secret away (distinct l-diversity)"),
        phrase(
            "Whoever finds the class of a person still faces at least {l} different values of “{column}” in it."
        ),
        phrase("The class with the fewest different values has {reached}."),
    ),
    "entropy-l-diversity": (
        phrase("No class gives the secret away (entropy l-diversity)"),
        phrase(
            "In every class “{column}” is at least as uncertain as if {l} values were equally frequent in it."
        ),
        phrase("The least uncertain class is as uncertain as {reached} equally frequent values."),
    ),
    "recursive-l-diversity": (
        phrase("No value dominates a class (recursive diversity)"),
        phrase(
            "In every class the most frequent value of “{column}” occurs less than {c} times as often as all values "
            "from the {l}th most frequent on together."
        ),
        phrase("In the worst class it occurs {reached} times as often."),
    ),
    "t-closeness": (
        phrase("Classes look like the whole (t-closeness)"),
        phrase(
            "To find the class of a person teaches little: in every class “{column}” is distributed as in the whole "
            "release, up to a distance of {t} on a scale from 0 to 1."
        ),
        phrase("The class that differs most is at a distance of {reached}."),
    ),
    "alpha-k-anonymity": (
        phrase("A crowd in which no value dominates ((α, k)-anonymity)"),
        phrase(
            "Each person hides among at least {k} rows, and no guarded value of “{column}” has more than "
            "{alpha_percent} of any class."
        ),
        phrase("The largest share found in a class is {reached_percent}."),
    ),
    "beta-likeness": (
        phrase("No value is much more likely in a class (β-likeness)"),
        phrase(
            "In no class is the share of a value of “{column}” raised by more than {beta} times its share in the "
            "whole release."
        ),
        phrase("The largest rise found is {reached} times."),
    ),
    "delta-disclosure": (
        phrase("Classes hardly change the odds (δ-disclosure)"),
        phrase(
            "In every class each value of “{column}” is about as frequent as in the whole release: the logarithm of "
            "their ratio stays below {delta}."
        ),
        phrase("The largest logarithm found is {reached}."),
    ),
    "delta-presence": (
        phrase("Being in the table stays uncertain (δ-presence)"),
        phrase(
            "Of the people of the population who fit a class, between {low_percent} and {high_percent} are in the "
            "table, so that nobody can be sure that a given person is."
        ),
        phrase("The largest share found is {reached_percent}."),
    ),
    "maximum-risk": (
        phrase("A limit for the person most at risk (maximum risk)"),
        phrase("The row of any person is pointed at with a chance of {risk_percent} at most."),
        phrase("For the person most at risk the chance is {reached_percent}."),
    ),
    "average-risk": (
        phrase("A limit on average (average risk)"),
        phrase("The row of a person is pointed at with a chance of {risk_percent} or less on average."),
        phrase("On average the chance is {reached_percent}."),
    ),
    "rows-at-risk": (
        phrase("Few people above a limit (rows at risk)"),
        phrase("At most {share_percent} of the people can be pointed at with a chance above {risk_percent}."),
        phrase("Of the people, {reached_percent} can."),
    ),
    "population-uniqueness": (
        phrase("Hardly anybody is unique in the population (population uniqueness)"),
        phrase("At most {share_percent} of the population are estimated to be unique by what is released."),
        phrase("The estimate is {reached_percent}."),
    ),
    "no-attack": (
        phrase("An attack does not pay (no attack)"),
        phrase(
            "Whoever tries to find somebody pays no less ({cost}) than can be expected of a gain of {gain}."
        ),
        phrase("Asked: {asked}. Reached: {reached}."),
    ),
    "profitability": (
        phrase("The release is worth its risk (profitability)"),
        phrase(
            "Each row is worth more ({benefit} as it is) than what a rational attacker costs (loss {loss}, gain "
            "{gain}, cost {cost})."
        ),
        phrase("The least that a row is worth after that is {reached}."),
    ),
}
PROMISES = tuple(TEXTS)


@dataclass(frozen=True)
class Promise:
    """A promise as people read it, and whether the verification found it kept."""

    title: str
    promised: str
    found: str
    asked: str
    reached: str
    is_kept: bool


def promises_of(evidence: ReleaseEvidence) -> list[Promise]:
    """The privacy models that were asked for, each with what was read back from the release."""
    tables = evidence.record["project"].get("tables", {}).values()
    # A promise about people holds for all tables that tell of them, whichever of them asked for it.
    asked = [model for plan in (*tables, evidence.plan) for model in plan.get("models", ())]
    models = {(model["model"], model.get("column"), model.get("who")): model for model in asked}
    findings = evidence.record["verification"]["findings"]
    promises = []
    for place, finding in enumerate(findings):
        key = finding["name"], finding["column"]
        alike = [model for (name, column, _), model in models.items() if (name, column) == key]
        # Several attackers may be promised the same: what was found of them stands in their order.
        before = sum((earlier["name"], earlier["column"]) == key for earlier in findings[:place])
        if alike or finding["name"] in TEXTS:
            model = alike[min(before, len(alike) - 1)] if alike else {}
            promises.append(_promise(evidence, finding, model))
    return promises


def _promise(evidence: ReleaseEvidence, finding: Mapping[str, Any], model: Mapping[str, Any]) -> Promise:
    words, name, column = evidence.words, finding["name"], finding["column"]
    asked, reached = evidence.number(finding["asked"]), evidence.number(finding["reached"])
    is_kept = bool(finding["passed"])
    if name not in TEXTS or not model:  # a model of which these sentences do not know
        return Promise(name, evidence.said(finding["text"]), "", asked, reached, is_kept)
    title, promised, achieved = TEXTS[name]
    if promised == _HIDES and evidence.counts_people:
        promised = _HIDES_AMONG_PEOPLE
    defaults = {key: field.default for key, field in MODELS[name].model_fields.items()}
    facts = {**defaults, **model, "asked": finding["asked"], "reached": finding["reached"]}
    values = {**_values(evidence, facts), "column": column}
    told = achieved if finding["reached"] is not None else _NOTHING
    return Promise(words(title), words(promised, **values), words(told, **values), asked, reached, is_kept)


_NOTHING = phrase("No finite number says how far it is from it.")


def _values(evidence: ReleaseEvidence, model: Mapping[str, object]) -> dict[str, object]:
    """Every parameter as a number and as percent."""
    values: dict[str, object] = {}
    for name, value in model.items():
        values[name] = value
        if value is None or isinstance(value, int | float):
            values[name] = evidence.number(value)
            values[f"{name}_percent"] = evidence.share(value)
        elif isinstance(value, list | tuple):
            values[name] = ", ".join(map(str, value))
    return values
