"""What a person reads after measuring: a table for risks, one for attacks, one for utility."""

from math import isfinite
from typing import TYPE_CHECKING

from celosia.cli.show import heading, print_columns, print_wrapped

if TYPE_CHECKING:
    from celosia.measure.measured import Measured
    from celosia.measure.results import Result, Results

__all__ = ["TITLES", "print_results", "shown"]

TITLES = {
    "risk": "What is risked",
    "attack": "How attacks fare",
    "utility": "What it is still good for",
}


def print_results(found: "Results") -> None:
    """Print all answers by family, and last what could not be computed and why."""
    for family, title in TITLES.items():
        rows = [row for result in found if result.measure.family == family for row in _rows(result)]
        if rows:
            heading(title)
            heads = ["measure", "about", "value", "95 % interval", "before", "better", "meaning"]
            print_columns(rows, heads, right=[2, 3, 4])
    silent = [
        (result.measure.name, answer.about or "", answer.why_not)
        for result in found
        for answer in result.answers
        if answer.why_not is not None
    ]
    if silent:
        heading("What could not be computed")
        for name, about, why in silent:
            print_wrapped(f"{name}{f' of {about}' if about else ''}: {why}", indent="  ")


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
                result.measure.better,
                result.measure.meaning,
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
