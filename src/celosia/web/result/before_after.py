"""Rows before and after side by side, for those who may see the table; for the others, released rows."""

from collections.abc import Sequence
from html import escape

from nicegui import ui

from celosia.server.work.results import BeforeAfterResult, FirstRowsResult
from celosia.web.page_context import PageContext
from celosia.web.plain_table import show_table
from celosia.words import Words

__all__ = ["before_after_table", "changed_columns", "show_before_after", "show_first"]


def changed_columns(rows: BeforeAfterResult) -> list[str]:
    """The columns of which something became something else, or nothing at all.

    >>> rows = {"columns": ["id", "age", "job"], "released": ["age", "job"],
    ...         "before": [["1", "31", "cook"]], "after": [["[30-39]", "cook"]]}
    >>> changed_columns(rows)
    ['id', 'age']
    """
    place = {name: number for number, name in enumerate(rows["released"])}
    changed = []
    for number, name in enumerate(rows["columns"]):
        pairs = zip(rows["before"], rows["after"], strict=True)
        if name not in place or any(
            new is not None and old[number] != new[place[name]] for old, new in pairs
        ):
            changed.append(name)
    return changed


def before_after_table(rows: BeforeAfterResult, columns: Sequence[str], words: Words) -> str:
    """One table with two halves: what rows were, and what they became.

    >>> rows = {"columns": ["age"], "released": ["age"], "before": [["31"], ["<i>"]], "after": [["[30-39]"], None]}
    >>> page = before_after_table(rows, ["age"], Words("en"))
    >>> "left out" in page, "<i>" in page
    (True, False)
    """
    old_place = {name: number for number, name in enumerate(rows["columns"])}
    new_place = {name: number for number, name in enumerate(rows["released"])}
    kept = [name for name in columns if name in new_place]
    heads = [f'<th scope="col">{escape(name)}</th>' for name in columns]
    heads += [
        f'<th scope="col" class="{"edge" if not number else ""}">{escape(name)}</th>'
        for number, name in enumerate(kept)
    ]
    lines = []
    for old, new in zip(rows["before"], rows["after"], strict=True):
        cells = [f"<td>{_value(old[old_place[name]])}</td>" for name in columns]
        if new is None:
            cells.append(
                f'<td class="edge gone" colspan="{max(1, len(kept))}">{escape(words("left out"))}</td>'
            )
        else:
            for number, name in enumerate(kept):
                value = new[new_place[name]]
                told = " changed" if value != old[old_place[name]] else ""
                cells.append(f'<td class="{"edge" if not number else ""}{told}">{_value(value)}</td>')
        lines.append(f"<tr>{''.join(cells)}</tr>")
    caption = words("Rows before and after")
    return (
        f'<div class="sheet" tabindex="0" role="region" aria-label="{escape(caption)}"><table class="plain beside">'
        f'<caption class="unseen">{escape(caption)}</caption><thead><tr>'
        f'<th scope="colgroup" colspan="{len(columns)}" class="half">{escape(words("Before"))}</th>'
        f'<th scope="colgroup" colspan="{max(1, len(kept))}" class="half edge">{escape(words("After"))}</th></tr>'
        f"<tr>{''.join(heads)}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def show_before_after(context: PageContext, rows: BeforeAfterResult) -> None:
    """Rows side by side; columns that nothing happened to only on demand."""
    words = context.words
    changed = changed_columns(rows)
    ui.label(
        words(
            "The first rows of the table and what became of each. In the release itself rows are in another order, so "
            "that their place tells nothing."
        )
    ).classes("quiet")

    def draw(is_all: bool) -> None:
        place.clear()
        with place:
            columns = rows["columns"] if is_all or not changed else changed
            ui.html(before_after_table(rows, columns, words), sanitize=False)

    if changed and len(changed) < len(rows["columns"]):
        ui.switch(words("Show columns that stay as they are, too"), on_change=lambda event: draw(event.value))
    place = ui.element("div")
    draw(False)


def show_first(context: PageContext, first: FirstRowsResult) -> None:
    """Some rows of the release as they were written."""
    words = context.words
    ui.label(words("Some rows of the release, as they were written.")).classes("quiet")
    show_table(first["columns"], first["rows"], caption=words("Rows of the release"))


def _value(value: str | None) -> str:
    return '<span class="none">—</span>' if value is None or value == "" else escape(value)
