"""What a comparison found, as a terminal shows it."""

from typing import TYPE_CHECKING

from celosia.cli.language import figure, render, tr, tr_count
from celosia.cli.measure_view import number_text
from celosia.cli.show import heading, print_columns, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.api.results import Comparison

__all__ = ["print_comparison"]


def print_comparison(comparison: "Comparison") -> None:
    """Print what models score on every table, what it risks, and what should be known of both."""
    print_line(_title(comparison), bold=True)
    for tested_on, title in _titles(is_classification=comparison.is_classification).items():
        heading(title)
        lines = [
            [
                table.name,
                figure(table.rows),
                *(_score(comparison, table.name, model, tested_on) for model in comparison.models),
            ]
            for table in comparison.results
        ]
        heads = [tr("table"), tr("rows"), *comparison.models]
        print_columns(lines, heads, right=range(1, len(heads)))
    if comparison.measures:
        heading(tr("What each table risks"))
        lines = [
            [table.name, *(_risk(table.risks[name].value) for name in comparison.measures)]
            for table in comparison.results
        ]
        heads = [tr("table"), *comparison.measures]
        print_columns(lines, heads, right=range(1, len(heads)))
    print_line()
    print_wrapped(tr("≈: not told apart from the original by a paired test over the folds."))
    if _has_seen(comparison):
        print_wrapped(tr("*: most of these people were seen in training, so that the figure is too good."))
    for text in _remarks(comparison):
        print_wrapped(text)


def _title(comparison: "Comparison") -> str:
    """Which table, what is predicted, and how."""
    rows = tr_count("{count:,} row", "{count:,} rows", comparison.given.frame.height)
    asked = {
        "table": comparison.given.name,
        "rows": rows,
        "target": comparison.given.target,
        "folds": comparison.question.folds,
    }
    if comparison.question.repeats > 1:
        return tr(
            "{table}: {rows}, class {target!r}, {folds}-fold cross-validation, {repeats} times",
            **asked,
            repeats=comparison.question.repeats,
        )
    return tr("{table}: {rows}, class {target!r}, {folds}-fold cross-validation", **asked)


def _titles(*, is_classification: bool) -> dict[str, str]:
    """What the figures are about, by the people that models are tested on."""
    if is_classification:
        return {
            "release": tr("accuracy on rows of each table"),
            "original": tr("accuracy on people as the original has them"),
        }
    return {
        "release": tr("R2 on rows of each table"),
        "original": tr("R2 on people as the original has them"),
    }


def _score(comparison: "Comparison", table: str, model: str, tested_on: str) -> str:
    learnt = comparison.find(table, model, tested_on=tested_on)
    if learnt is None or learnt.value is None:
        return ""
    if table == comparison.original.name:
        return f"{figure(learnt.value, '.3f')}  "
    if learnt.tested_on == "seen":
        return f"{figure(learnt.value, '.3f')} *"
    difference = comparison.difference(table, model, tested_on=tested_on)
    is_noise = difference is not None and difference.value is not None and difference.is_noise
    return f"{figure(learnt.value, '.3f')}{' ≈' if is_noise else '  '}"


def _has_seen(comparison: "Comparison") -> bool:
    answers = [answer for table in comparison.results for answer in table.answers.values()]
    return any(score.tested_on == "seen" for answer in answers for score in answer.learnt)


def _risk(value: float | None) -> str:
    return "" if value is None else number_text(value)


def _remarks(comparison: "Comparison") -> list[str]:
    """What should be known of tables and models: cautions, and why figures are missing."""
    said: dict[str, None] = {}
    for table in comparison.results:
        for caution in table.cautions:
            said[f"{render(caution)}."] = None
        if table.why_not is not None:
            said[f"{table.name}: {render(table.why_not)}."] = None
            continue
        for model, answer in table.answers.items():
            if answer.why_not is not None:
                said[f"{table.name}, {model}: {render(answer.why_not)}."] = None
        missing = {risk.why_not: None for risk in table.risks.values() if risk.why_not is not None}
        said |= dict.fromkeys(f"{table.name}: {render(reason)}." for reason in missing)
        notes = {note: None for answer in table.answers.values() for note in answer.notes}
        said |= dict.fromkeys(f"{table.name}: {render(note)}." for note in notes)
    return list(said)
