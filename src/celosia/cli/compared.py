"""What a comparison found, as a terminal shows it."""

from typing import TYPE_CHECKING

from celosia.cli.results import shown
from celosia.cli.show import count, heading, print_columns, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.compare import Comparison

__all__ = ["print_comparison"]


def print_comparison(found: "Comparison") -> None:
    """Print what models score on every table, what it risks, and what should be known of both."""
    how = f"{found.question.folds}-fold cross-validation"
    if found.question.repeats > 1:
        how += f", {found.question.repeats} times"
    rows = count(found.given.frame.height, "row")
    print_line(f"{found.given.name}: {rows}, class {found.given.target!r}, {how}", bold=True)
    main = "accuracy" if found.is_classification else "R2"
    for tested_on, title in (
        ("release", "rows of each table"),
        ("original", "people as the original has them"),
    ):
        heading(f"{main} on {title}")
        lines = [
            [
                table.name,
                f"{table.rows:,}",
                *(_score(found, table.name, model, tested_on) for model in found.models),
            ]
            for table in found.results
        ]
        heads = ["table", "rows", *found.models]
        print_columns(lines, heads, right=range(1, len(heads)))
    if found.measures:
        heading("What each table risks")
        lines = [
            [table.name, *(_risk(table.risks[name].value) for name in found.measures)]
            for table in found.results
        ]
        heads = ["table", *found.measures]
        print_columns(lines, heads, right=range(1, len(heads)))
    print_line()
    print_wrapped("≈: not told apart from the original by a paired test over the folds.")
    if _has_seen(found):
        print_wrapped("*: most of these people were seen in training, so that the figure is too good.")
    for text in _remarks(found):
        print_wrapped(text)


def _score(found: "Comparison", table: str, model: str, tested_on: str) -> str:
    learnt = found.find(table, model, tested_on=tested_on)
    if learnt is None or learnt.value is None:
        return ""
    if table == found.original.name:
        return f"{learnt.value:.3f}  "
    if learnt.tested_on == "seen":
        return f"{learnt.value:.3f} *"
    difference = found.difference(table, model, tested_on=tested_on)
    is_noise = difference is not None and difference.value is not None and difference.is_noise
    return f"{learnt.value:.3f}{' ≈' if is_noise else '  '}"


def _has_seen(found: "Comparison") -> bool:
    answers = [answer for table in found.results for answer in table.answers.values()]
    return any(one.tested_on == "seen" for answer in answers for one in answer.learnt)


def _risk(value: float | None) -> str:
    return "" if value is None else shown(value)


def _remarks(found: "Comparison") -> list[str]:
    """What should be known of tables and models: cautions, and why figures are missing."""
    said: dict[str, None] = {}
    for table in found.results:
        for caution in table.cautions:
            said[f"{caution}."] = None
        if table.why_not is not None:
            said[f"{table.name}: {table.why_not}."] = None
            continue
        for model, answer in table.answers.items():
            if answer.why_not is not None:
                said[f"{table.name}, {model}: {answer.why_not}."] = None
        missing = {one.why_not: None for one in table.risks.values() if one.why_not is not None}
        said |= dict.fromkeys(f"{table.name}: {reason}." for reason in missing)
        notes = {note: None for answer in table.answers.values() for note in answer.notes}
        said |= dict.fromkeys(f"{table.name}: {note}." for note in notes)
    return list(said)
