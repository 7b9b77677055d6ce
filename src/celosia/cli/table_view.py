"""A table as it is shown before anything is done to it: its columns, what is in them in every class, and its rows."""

import re
from typing import TYPE_CHECKING, Any

from celosia.api.comparing import show_class_table
from celosia.cli.language import figure, tr, tr_count
from celosia.cli.show import heading, print_columns, print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import InputTable

__all__ = ["parse_rows", "show_table"]


MOST_CLASSES = 10
"""Classes that are counted on the screen."""


def parse_rows(text: str | None) -> tuple[int, int]:
    """From which row to which, counted from 1; the first ten unless said.

    >>> parse_rows("101-120"), parse_rows(None)
    ((101, 120), (1, 10))
    """
    bounds = re.fullmatch(r"\s*(\d+)\s*-\s*(\d+)\s*", text or "1-10")
    first, last = (0, 0) if bounds is None else (int(bounds[1]), int(bounds[2]))
    if not 1 <= first <= last:
        raise ProjectError(
            say("{text!r} are no rows", text=text),
            where="--show-rows",
            remedy=say("write them as in 101-120"),
        )
    return first, last


def show_table(table: "InputTable", rows: tuple[int, int], *, as_json: bool) -> None:
    """Print a summary of a table, statistics of every column, its values in every class, and some rows."""
    shown = show_class_table(table, start=rows[0] - 1, rows=rows[1] - rows[0] + 1)
    columns = [{**column, **shown.statistics[column["name"]]} for column in shown.columns]
    document: dict[str, Any] = {
        "summary": shown.summary,
        "columns": columns,
        "distributions": [shown.distributions[name] for name in table.predictors],
        "rows": shown.rows,
    }
    if as_json:
        print_json(document)
        return
    _print_columns(document["summary"], columns)
    for distribution in document["distributions"]:
        _print_distribution(distribution)
    _print_rows(document["rows"])


def _print_columns(summary: dict[str, Any], columns: list[dict[str, Any]]) -> None:
    title = tr(
        "{table}: {rows}, {columns}, class {target!r}",
        table=summary["name"],
        rows=tr_count("{count:,} row", "{count:,} rows", summary["rows"]),
        columns=tr_count("{count:,} column", "{count:,} columns", summary["columns"]),
        target=summary["class"],
    )
    print_line(title, bold=True)
    heads = [
        tr("column"),
        tr("type"),
        tr("missing"),
        tr("distinct"),
        tr("unique"),
        tr("least"),
        tr("most"),
        tr("mean"),
        tr("deviation"),
    ]
    figures = ("missing", "distinct", "unique", "minimum", "maximum", "mean", "deviation")
    lines = [
        [column["name"], tr(column["type"]), *(_text(column.get(name)) for name in figures)]
        for column in columns
    ]
    print_line()
    print_columns(lines, heads, right=range(2, len(heads)))
    shown = list(summary["classes"].items())[:MOST_CLASSES]
    heading(tr("{target}, the most frequent first", target=summary["class"]))
    print_columns([[text or tr("(missing)"), _text(rows)] for text, rows in shown], right=[1])


def _print_distribution(distribution: dict[str, Any]) -> None:
    heading(tr("{column} in every class", column=distribution["name"]))
    lines = [
        [text, *(_text(rows[place]) for rows in distribution["classes"].values())]
        for place, text in enumerate(distribution["values"])
    ]
    heads = ["", *(text or tr("(missing)") for text in distribution["classes"])]
    print_columns(lines, heads, right=range(1, len(heads)))
    if distribution["not_shown"]:
        left = tr_count(
            "{count:,} row not shown: missing, or rare values",
            "{count:,} rows not shown: missing, or rare values",
            distribution["not_shown"],
        )
        print_line(f"  {left}")


def _print_rows(document: dict[str, Any]) -> None:
    first = document["start"] + 1
    last = document["start"] + len(document["rows"])
    heading(tr("rows {first:,} to {last:,} of {all:,}", first=first, last=last, all=document["of"]))
    lines = [[figure(first + place), *map(_text, row)] for place, row in enumerate(document["rows"])]
    print_columns(lines, ["", *document["columns"]])


def _text(value: object) -> str:
    if value is None:
        return ""
    return figure(value, ".6g") if isinstance(value, float) else str(value)
