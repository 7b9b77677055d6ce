"""What a person reads after measuring: a table for risks, one for attacks, one for utility."""

from math import isfinite
from typing import TYPE_CHECKING

from celosia.cli.show import heading, print_columns, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.measure.measured import Measured
    from celosia.measure.results import Result, Results
    from celosia.measure.rules import RuleResult

__all__ = ["TITLES", "print_results", "shown"]

OUTCOMES = {"met": "green", "not met": "red", "needs a person": "yellow", "cannot be told": "yellow"}
TITLES = {
    "risk": "What is risked",
    "attack": "How attacks fare",
    "utility": "What it is still good for",
}


def print_results(found: "Results", *, language: str = "en") -> None:
    """Print all answers by family, what could not be computed and why, and what rules say, in a language."""
    for family, title in TITLES.items():
        rows = [row for result in found if result.measure.family == family for row in _rows(result)]
        if rows:
            heading(title)
            heads = ["measure", "about", "value", "95 % interval", "before", "better", "meaning"]
            print_columns(rows, heads, right=[2, 3, 4])
    noted: dict[str, list[str]] = {}
    silent: dict[str, list[str]] = {}
    for result in found:
        for answer in result.answers:
            about = f" of {answer.about}" if answer.about else ""
            if answer.why_not is not None:
                silent.setdefault(answer.why_not, []).append(f"{result.measure.name}{about}")
            for note in _notes(answer):
                noted.setdefault(note, []).append(result.measure.name)
    for title, said in (("What to know about them", noted), ("What could not be computed", silent)):
        if said:
            heading(title)
        for why, names in said.items():
            print_wrapped(f"{', '.join(dict.fromkeys(names))}: {why}", indent="  ")
    for rule in found.rules:
        _print_rules(rule, language)


def _notes(answer: "Measured") -> list[str]:
    """What a number cannot be read without, as where an attack was not compared with a control group."""
    one = answer.details.get("note")
    return [*([one] if one else []), *answer.details.get("notes", ())]


def _print_rules(found: "RuleResult", language: str) -> None:
    heading(f"{found.title.text(language)} ({found.reference})")
    for finding in found.findings:
        outcome, colour = finding.outcome, OUTCOMES[finding.outcome.value]
        title, source = finding.title.text(language), finding.source
        print_line(f"  {outcome.said.text(language)}: {title} ({source})", colour=colour)
        for one in finding.evidence:
            print_wrapped(one.why.text(language), indent="    ")
        if finding.remedy is not None:
            print_wrapped(finding.remedy.text(language), indent="    → ")
    print_wrapped(found.notice.text(language), indent="  ")


def _rows(result: "Result") -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for answer in result.answers:
        if answer.value is None:
            continue
        before = result.before_of(answer)
        rows.append(
            (
                result.measure.name,
                answer.about or "",
                shown(answer.value),
                _interval(answer),
                "" if before is None or before.value is None else shown(before.value),
                result.measure.better if not rows else "",
                result.measure.meaning if not rows else "",
            )
        )
    return rows


def _interval(answer: "Measured") -> str:
    return "" if answer.interval is None else " to ".join(shown(end) for end in answer.interval)


def shown(value: float) -> str:
    """A number of any size as people read it.

    >>> shown(0.25), shown(12345.0), shown(0.0000123), shown(3)
    ('0.25', '12,345', '1.23e-05', '3')
    """
    if isfinite(value) and value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) >= 1e-4 else f"{value:.3g}"
