"""What a person reads after measuring: a table for risks, one for attacks, one for utility."""

from math import isfinite
from typing import TYPE_CHECKING

from celosia.cli.language import figure, render, tr
from celosia.cli.show import heading, print_columns, print_line, print_wrapped
from celosia.words import phrase

if TYPE_CHECKING:
    from celosia.api.results import MeasuredValue, MeasureResult, MeasureResults, RuleResult

__all__ = ["TITLES", "number_text", "print_results"]

OUTCOMES = {"met": "green", "not met": "red", "needs a person": "yellow", "cannot be told": "yellow"}
TITLES = {
    "risk": phrase("What is risked"),
    "attack": phrase("How attacks fare"),
    "utility": phrase("What it is still good for"),
}


def print_results(results: "MeasureResults") -> None:
    """Print all answers by family, what could not be computed and why, and what rules say."""
    for family, title in TITLES.items():
        rows = [row for result in results if result.measure.family == family for row in _rows(result)]
        if rows:
            heading(tr(title))
            heads = [
                tr("measure"),
                tr("about"),
                tr("value"),
                tr("95 % interval"),
                tr("before"),
                tr("better"),
                tr("meaning"),
            ]
            print_columns(rows, heads, right=[2, 3, 4])
    noted: dict[str, list[str]] = {}
    silent: dict[str, list[str]] = {}
    for result in results:
        for answer in result.answers:
            if answer.why_not is not None:
                silent.setdefault(answer.why_not, []).append(_subject(result.measure.name, answer.about))
            for note in _notes(answer):
                noted.setdefault(note, []).append(result.measure.name)
    for title, said in ((tr("What to know about them"), noted), (tr("What could not be computed"), silent)):
        if said:
            heading(title)
        for why, names in said.items():
            print_wrapped(f"{', '.join(dict.fromkeys(names))}: {render(why)}", indent="  ")
    for rule in results.rules:
        _print_rules(rule)


def _subject(measure: str, about: str | None) -> str:
    return tr("{measure} of {about}", measure=measure, about=about) if about else measure


def _notes(answer: "MeasuredValue") -> list[str]:
    """What a number cannot be read without, as where an attack was not compared with a control group."""
    note = answer.details.get("note")
    return [*([note] if note else []), *answer.details.get("notes", ())]


def _print_rules(rules: "RuleResult") -> None:
    heading(f"{render(rules.title)} ({rules.reference})")
    for finding in rules.findings:
        outcome, colour = finding.outcome, OUTCOMES[finding.outcome.value]
        title, source = render(finding.title), finding.source
        print_line(f"  {render(outcome.text)}: {title} ({source})", colour=colour)
        for reason in finding.evidence:
            print_wrapped(reason.why, indent="    ")
        if finding.remedy is not None:
            print_wrapped(finding.remedy, indent="    → ")
    print_wrapped(rules.notice, indent="  ")


def _rows(result: "MeasureResult") -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for answer in result.answers:
        if answer.value is None:
            continue
        before = result.before_of(answer)
        rows.append(
            (
                result.measure.name,
                answer.about or "",
                number_text(answer.value),
                _interval(answer),
                "" if before is None or before.value is None else number_text(before.value),
                tr(result.measure.better) if not rows else "",
                tr(result.measure.meaning) if not rows else "",
            )
        )
    return rows


def _interval(answer: "MeasuredValue") -> str:
    if answer.interval is None:
        return ""
    low, high = answer.interval
    return tr("{low} to {high}", low=number_text(low), high=number_text(high))


def number_text(value: float) -> str:
    """A number of any size as people read it.

    >>> number_text(0.25), number_text(12345.0), number_text(0.0000123), number_text(3)
    ('0.25', '12,345', '1.23e-05', '3')
    """
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return figure(int(value))
    return figure(value, ",.4g" if abs(value) >= 1e-4 else ".3g")
