"""Tables as plain HTML: headers with their scope, numbers to the right, and nothing that a value could break."""

from collections.abc import Collection, Sequence
from html import escape

from nicegui import ui

__all__ = ["plain_table", "show_table"]


def plain_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    *,
    caption: str,
    right: Collection[int] = (),
    wide: Collection[int] = (),
) -> str:
    """A table whose first column names its rows; columns in ``right`` hold numbers, those in ``wide`` sentences.

    >>> page = plain_table(["column", "rows"], [["<b>", "3"]], caption="Rows", right=[1])
    >>> "<b>" in page, page.count('scope="col"'), page.count('scope="row"')
    (False, 2, 1)
    """

    def kind(place: int) -> str:
        return ' class="right"' if place in right else ' class="wide-cell"' if place in wide else ""

    top = "".join(f'<th scope="col"{kind(place)}>{escape(head)}</th>' for place, head in enumerate(heads))
    lines = []
    for row in rows:
        cells = [
            f'<th scope="row"{kind(0)}>{escape(value or "")}</th>'
            if place == 0
            else f"<td{kind(place)}>{escape(value or '')}</td>"
            for place, value in enumerate(row)
        ]
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        f'<div class="sheet" tabindex="0" role="region" aria-label="{escape(caption, quote=True)}">'
        f'<table class="plain"><caption class="unseen">{escape(caption)}</caption>'
        f"<thead><tr>{top}</tr></thead><tbody>{''.join(lines)}</tbody></table></div>"
    )


def show_table(
    heads: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    *,
    caption: str,
    right: Collection[int] = (),
    wide: Collection[int] = (),
) -> None:
    """Put such a table on the page."""
    ui.html(plain_table(heads, rows, caption=caption, right=right, wide=wide), sanitize=False)
