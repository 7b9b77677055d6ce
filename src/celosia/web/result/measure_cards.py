"""What was measured of a release, as cards: risks before and after, attacks with intervals, losses, and laws."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from nicegui import ui

from celosia.api.registries import release_measures, trains_models
from celosia.api.results import MeasureAnswer, ReleaseEvidence
from celosia.concepts import concept
from celosia.errors import ProjectError
from celosia.web.concept_help import explain
from celosia.web.page_context import PageContext
from celosia.words import Words, phrase

__all__ = ["answers_shown", "measures_asked", "show_answers", "show_rules"]

FIRST = {
    "risk": (
        "prosecutor-highest",
        "prosecutor-mean",
        "prosecutor-above",
        "uniques",
        "k",
        "singled-out",
        "exposure",
        "journalist-highest",
        "marketer",
        "homogeneity",
    ),
    "attack": (
        "linkage",
        "linkage-expected",
        "inference",
        "singling-out",
        "linkability",
        "distance-linkage",
        "membership",
    ),
    "utility": ("loss", "rows-kept", "variation", "query-error", "correlation-change", "model-quality-lost"),
}
"""What is shown first of each family; the rest is behind it."""
FAMILIES = {
    "risk": phrase("Risk"),
    "attack": phrase("Attacks"),
    "utility": phrase("Utility"),
}


def measures_asked(families: Sequence[str], *, with_models: bool) -> list[str]:
    """The names of the measures of some families; those that train models take long.

    >>> "linkage" in measures_asked(["attack"], with_models=False)
    True
    >>> "model-inference" in measures_asked(["attack"], with_models=False)
    False
    """
    return [
        name
        for name, measure in release_measures().items()
        if str(measure.family) in families and (with_models or not trains_models(measure))
    ]


def answers_shown(evidence: ReleaseEvidence, family: str) -> tuple[list[MeasureAnswer], list[MeasureAnswer]]:
    """The answers of a family about the release, or else the worst about a column: the important ones, and others."""
    by_measure: dict[str, list[MeasureAnswer]] = {}
    for answer in evidence.answers(family):
        by_measure.setdefault(answer.measure, []).append(answer)
    chosen = {name: _one(answers) for name, answers in by_measure.items()}
    first = [chosen[name] for name in FIRST[family] if name in chosen]
    return first, [answer for name, answer in chosen.items() if name not in FIRST[family]]


def _one(answers: Sequence[MeasureAnswer]) -> MeasureAnswer:
    whole = [answer for answer in answers if answer.about is None]
    known = [answer for answer in whole or answers if answer.value is not None]
    if not known:
        return answers[0]
    pick = max if known[0].better == "lower" else min
    return pick(known, key=lambda answer: answer.value or 0.0)


def show_answers(context: PageContext, evidence: ReleaseEvidence, families: Sequence[str]) -> None:
    """Cards of what was measured, family by family."""
    words = context.words
    for family in families:
        first, others = answers_shown(evidence, family)
        if not first and not others:
            continue
        ui.html(f"<h2>{words(FAMILIES[family])}</h2>", sanitize=False)
        with ui.element("ul").classes("figures"):
            for answer in first:
                _card(context, evidence, answer, family)
        if others:
            more = ui.expansion(words("{number} more measures", number=len(others))).classes("more")
            with more, ui.element("ul").classes("figures"):
                for answer in others:
                    _card(context, evidence, answer, family)


def _card(context: PageContext, evidence: ReleaseEvidence, answer: MeasureAnswer, family: str) -> None:
    words, kind = context.words, "attack" if family == "attack" else "measure"
    with ui.element("li").classes("figure-card"):
        with ui.element("div").classes("figure-head"):
            ui.label(_title(kind, answer.measure, words)).classes("figure-title")
            with suppress(ProjectError):  # a measure that an extension brought has no explanation
                explain(context, kind, answer.measure)
        if answer.value is None:
            ui.label(words("not measured")).classes("figure-none")
            ui.label(words.render(answer.why_not or "")).classes("quiet")
            return
        told = evidence.share(answer.value) if answer.is_share else evidence.number(answer.value)
        ui.label(told).classes("figure-value")
        for line in _lines(evidence, answer, words):
            ui.label(line).classes("quiet")


def _lines(evidence: ReleaseEvidence, answer: MeasureAnswer, words: Words) -> Iterator[str]:
    told = evidence.share if answer.is_share else evidence.number
    if answer.about is not None:
        yield words("column {column}", column=answer.about)
    if answer.before is not None:
        yield words("before: {value}", value=told(answer.before))
    if answer.interval is not None:
        yield words(
            "95 % interval: {low} to {high}", low=told(answer.interval[0]), high=told(answer.interval[1])
        )
    yield words("lower is better") if answer.better == "lower" else words("higher is better")


def _title(kind: str, name: str, words: Words) -> str:
    try:
        return concept(kind, name, words).title
    except ProjectError:
        return name


OUTCOMES = {"met": "good", "not met": "bad", "needs a person": "open", "cannot be told": "open"}


def show_rules(context: PageContext, rules: Sequence[Mapping[str, Any]]) -> None:
    """What laws ask, one list each: met, not met, or for a person to decide."""
    words = context.words
    ui.html(f"<h2>{words('What the rules ask')}</h2>", sanitize=False)
    for rule_set in rules:
        counts = {
            name: sum(finding["outcome"] == name for finding in rule_set["findings"]) for name in OUTCOMES
        }
        told = words(
            "{met} met, {not_met} not met, {open} for a person to decide",
            met=counts["met"],
            not_met=counts["not met"],
            open=counts["needs a person"] + counts["cannot be told"],
        )
        with ui.expansion(words.render(rule_set["title"]), caption=told).classes("law"):
            with ui.element("ul").classes("findings"):
                for finding in rule_set["findings"]:
                    _finding(finding, words)
            ui.label(words.render(rule_set["notice"])).classes("quiet")


def _finding(finding: Mapping[str, Any], words: Words) -> None:
    with ui.element("li").classes(f"finding {OUTCOMES.get(finding['outcome'], 'open')}"):
        ui.label(words(finding["outcome"])).classes("outcome")
        with ui.element("div"):
            ui.label(words.render(finding["title"])).classes("finding-title")
            ui.label(words.render(finding["question"])).classes("quiet")
            for why in finding["evidence"][:6]:
                column = f"{why['column']}: " if why.get("column") else ""
                ui.label(column + words.render(why["why"])).classes("quiet")
            if finding["remedy"]:
                ui.label(words.render(finding["remedy"])).classes("remedy")
