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
    for one in evidence.answers(family):
        by_measure.setdefault(one.measure, []).append(one)
    chosen = {name: _one(answers) for name, answers in by_measure.items()}
    first = [chosen[name] for name in FIRST[family] if name in chosen]
    return first, [one for name, one in chosen.items() if name not in FIRST[family]]


def _one(answers: Sequence[MeasureAnswer]) -> MeasureAnswer:
    whole = [one for one in answers if one.about is None]
    known = [one for one in whole or answers if one.value is not None]
    if not known:
        return answers[0]
    pick = max if known[0].better == "lower" else min
    return pick(known, key=lambda one: one.value or 0.0)


def show_answers(context: PageContext, evidence: ReleaseEvidence, families: Sequence[str]) -> None:
    """Cards of what was measured, family by family."""
    words = context.words
    for family in families:
        first, others = answers_shown(evidence, family)
        if not first and not others:
            continue
        ui.html(f"<h2>{words(FAMILIES[family])}</h2>", sanitize=False)
        with ui.element("ul").classes("figures"):
            for one in first:
                _card(context, evidence, one, family)
        if others:
            more = ui.expansion(words("{number} more measures", number=len(others))).classes("more")
            with more, ui.element("ul").classes("figures"):
                for one in others:
                    _card(context, evidence, one, family)


def _card(context: PageContext, evidence: ReleaseEvidence, one: MeasureAnswer, family: str) -> None:
    words, kind = context.words, "attack" if family == "attack" else "measure"
    with ui.element("li").classes("figure-card"):
        with ui.element("div").classes("figure-head"):
            ui.label(_title(kind, one.measure, words)).classes("figure-title")
            with suppress(ProjectError):  # a measure that an extension brought has no explanation
                explain(context, kind, one.measure)
        if one.value is None:
            ui.label(words("not measured")).classes("figure-none")
            ui.label(words.render(one.why_not or "")).classes("quiet")
            return
        told = evidence.share(one.value) if one.is_share else evidence.number(one.value)
        ui.label(told).classes("figure-value")
        for line in _lines(evidence, one, words):
            ui.label(line).classes("quiet")


def _lines(evidence: ReleaseEvidence, one: MeasureAnswer, words: Words) -> Iterator[str]:
    told = evidence.share if one.is_share else evidence.number
    if one.about is not None:
        yield words("column {column}", column=one.about)
    if one.before is not None:
        yield words("before: {value}", value=told(one.before))
    if one.interval is not None:
        yield words("95 % interval: {low} to {high}", low=told(one.interval[0]), high=told(one.interval[1]))
    yield words("lower is better") if one.better == "lower" else words("higher is better")


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
    for one in rules:
        counts = {name: sum(each["outcome"] == name for each in one["findings"]) for name in OUTCOMES}
        told = words(
            "{met} met, {not_met} not met, {open} for a person to decide",
            met=counts["met"],
            not_met=counts["not met"],
            open=counts["needs a person"] + counts["cannot be told"],
        )
        with ui.expansion(words.render(one["title"]), caption=told).classes("law"):
            with ui.element("ul").classes("findings"):
                for each in one["findings"]:
                    _finding(each, words)
            ui.label(words.render(one["notice"])).classes("quiet")


def _finding(each: Mapping[str, Any], words: Words) -> None:
    with ui.element("li").classes(f"finding {OUTCOMES.get(each['outcome'], 'open')}"):
        ui.label(words(each["outcome"])).classes("outcome")
        with ui.element("div"):
            ui.label(words.render(each["title"])).classes("finding-title")
            ui.label(words.render(each["question"])).classes("quiet")
            for why in each["evidence"][:6]:
                column = f"{why['column']}: " if why.get("column") else ""
                ui.label(column + words.render(why["why"])).classes("quiet")
            if each["remedy"]:
                ui.label(words.render(each["remedy"])).classes("remedy")
