"""The dialog in which a person answers for a column that leaves: who, when and why."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.web.data.columns import set_acceptance
from celosia.web.page_context import PageContext, show_error

__all__ = ["ask_acceptance"]


def ask_acceptance(
    context: PageContext, table: str, column: str, plan: Mapping[str, Any], done: Callable[[], None]
) -> None:
    """Let a person say why nobody outside can know a column; the project keeps it, and the report prints it."""
    words = context.words
    now = plan.get("accepted") or {}
    known = dict(now) if isinstance(now, Mapping) else {"why": str(now)}
    with ui.dialog() as dialog, ui.card().classes("dialog acceptance-dialog"):
        ui.label(words("Answer for {column}", column=column)).classes("dialog-title")
        ui.label(
            words(
                "A column that tells people apart may leave if nobody outside can know it. Whoever says so answers for "
                "it by name: the project keeps it, and the report prints it to be signed."
            )
        ).classes("quiet")
        by = ui.input(words("Who answers for it"), value=known.get("by") or context.user.name)
        on = ui.input(words("On"), value=str(known.get("on") or date.today().isoformat()))
        why = ui.textarea(words("Why nobody outside can know it"), value=known.get("why", ""))
        for field in (by, on, why):
            field.props("outlined dense").classes("wide")
        place = ui.element("div")

        def change(acceptance: Mapping[str, str] | None) -> None:
            try:
                context.change(
                    lambda document: set_acceptance(document, table, column, acceptance),
                    f"acceptance of {column}",
                )
            except CelosiaError as error:
                place.clear()
                with place:
                    show_error(error, words)
                return
            dialog.close()
            done()

        def keep() -> None:
            if not (by.value or "").strip() or not (why.value or "").strip():
                place.clear()
                with place:
                    ui.label(words("Say who answers for it, and why.")).classes("error").props("role=alert")
                return
            change({"by": by.value.strip(), "on": on.value.strip(), "why": why.value.strip()})

        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            if known:
                ui.button(words("Take it back"), on_click=lambda: change(None)).props("flat no-caps")
            ui.button(words("I answer for it"), on_click=keep).props("unelevated no-caps")
    dialog.open()
