"""What a hierarchy does to the values of a table, as plain tables of HTML."""

from collections.abc import Mapping
from html import escape

from celosia.web.hierarchies.levels import Rows, groups_of, summaries
from celosia.words import Words

__all__ = ["label_table", "preview_table"]

MOST_LABELS = 200


def preview_table(rows: Rows, counts: Mapping[str, int], words: Words) -> str:
    """Of every level: how many labels it has, how few rows one of them holds, and what frequent values become.

    >>> "Lugo → North" in preview_table((("Lugo", "North", "*"),), {"Lugo": 3}, Words("en"))
    True
    """
    heads = (
        words("Level"),
        words("Labels"),
        words("Rows of the smallest"),
        words("Frequent values become"),
    )
    kinds = ("", "number", "number", "")
    head = "".join(
        f'<th scope="col" class="{kind}">{escape(head)}</th>' for kind, head in zip(kinds, heads, strict=True)
    )
    body = "".join(
        f'<tr><th scope="row">{summary["level"]}</th><td class="number">{words.number(summary["labels"])}</td>'
        f'<td class="number">{words.number(summary["smallest"])}</td><td>{_arrows(summary["examples"])}</td></tr>'
        for summary in summaries(rows, counts)
    )
    title = escape(words("What each level does to the values of the table"))
    return (
        f'<div class="table-box" tabindex="0" role="region" aria-label="{title}"><table class="grid">'
        f'<caption class="unseen">{title}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def label_table(rows: Rows, level: int, counts: Mapping[str, int], words: Words) -> str:
    """How many values and rows every label of a level holds, folded up.

    >>> "Level 1: 1 label<" in label_table((("Lugo", "North", "*"),), 1, {"Lugo": 3}, Words("en"))
    True
    """
    groups = sorted(groups_of(rows, level, counts), key=lambda group: -group["rows"])
    shown = groups[:MOST_LABELS]
    body = "".join(
        f'<tr><th scope="row">{escape(group["label"])}</th><td class="number">{words.number(group["values"])}</td>'
        f'<td class="number">{words.number(group["rows"])}</td></tr>'
        for group in shown
    )
    heads = f'<th scope="col">{escape(words("Label"))}</th>' + "".join(
        f'<th scope="col" class="number">{escape(head)}</th>' for head in (words("Values"), words("Rows"))
    )
    title = words("Level {level}: {count} labels", level=level, count=words.number(len(groups)))
    title = escape(words("Level {level}: 1 label", level=level) if len(groups) == 1 else title)
    more = len(groups) - len(shown)
    rest = (
        f'<p class="quiet">{escape(words("and {count} more", count=words.number(more)))}</p>' if more else ""
    )
    return (
        f'<details class="labels"><summary>{title}</summary><table class="grid"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>{rest}</details>"
    )


def _arrows(examples: list[tuple[str, str]]) -> str:
    return "<br>".join(f"{escape(value[:60])} → {escape(label[:60])}" for value, label in examples)
