"""The dialog that chooses what is done to the values of a column."""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from celosia.api.registries import column_operations, operations
from celosia.concepts import concept
from celosia.errors import CelosiaError
from celosia.server.keys import make_key
from celosia.types import Role
from celosia.web.concept_help import show_concept
from celosia.web.data.acceptance_dialog import ask_acceptance
from celosia.web.data.columns import needs_key, operation_of, set_operation
from celosia.web.data.operation_form import (
    CHOICES,
    FormField,
    fields_of,
    read_form,
    show_value,
)
from celosia.web.page_context import PageContext, show_error

__all__ = ["ask_operation"]

NOTHING = ""


def ask_operation(
    context: PageContext,
    table: str,
    column: str,
    plan: Mapping[str, Any],
    role: str,
    done: Callable[[], None],
) -> None:
    """Let a person choose an operation for a column, with its parameters."""
    words, now = context.words, operation_of(plan) or {}
    nothing = words("Remove the column") if role == Role.IDENTIFIER else words("Release it as it is")
    choices = {NOTHING: nothing} | {name: concept("operation", name, words).title for name in _fitting(role)}
    chosen = now.get("name", NOTHING)
    with ui.dialog() as dialog, ui.card().classes("dialog operation-dialog"):
        ui.label(words("What happens to {column}", column=column)).classes("dialog-title")
        select = ui.select(choices, value=chosen if chosen in choices else NOTHING, label=words("Operation"))
        select.props("outlined options-dense").classes("wide")
        about, form, place = ui.element("div"), ui.element("div").classes("operation-form"), ui.element("div")
        inputs: dict[str, Any] = {}

        def show() -> None:
            about.clear()
            form.clear()
            inputs.clear()
            if not select.value:
                return
            with about:
                show_concept(context, concept("operation", select.value, words))
            hints = concept("operation", select.value, words).parameters
            with form:
                for field in fields_of(operations()[select.value]):
                    value = now.get(field.name) if select.value == now.get("name") else None
                    inputs[field.name] = _input(context, field, value, hints.get(field.name, ""))

        def keep() -> None:
            try:
                operation = None
                if select.value:
                    operation = read_form(
                        select.value, {name: field_input.value for name, field_input in inputs.items()}
                    )
                    if needs_key(operation):
                        make_key(context.service, context.user, context.project.id)
                context.change(
                    lambda document: set_operation(document, table, column, operation),
                    f"operation of {column}",
                )
            except CelosiaError as error:
                place.clear()
                with place:
                    show_error(error, words)
                return
            dialog.close()
            done()

        select.on_value_change(show)
        show()

        def answer() -> None:
            dialog.close()
            ask_acceptance(context, table, column, plan, done)

        with ui.element("div").classes("dialog-actions"):
            if role in (Role.SENSITIVE, Role.COMMON):
                ui.button(words("Answer for it …"), on_click=answer).props("flat no-caps")
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            ui.button(words("Apply"), on_click=keep).props("unelevated no-caps")
    dialog.open()


def _fitting(role: str) -> tuple[str, ...]:
    """Operations for a column of some role: what hides nobody is not offered for identifiers first."""
    names = column_operations()
    hiding = [name for name in names if getattr(operations()[name], "hides_identity", False)]
    if role == Role.IDENTIFIER:
        order = sorted(hiding, key=lambda name: name != "pseudonymize")
        return (*order, *(name for name in names if name not in hiding and name != "keep"))
    return tuple(name for name in names if name != "keep")


def _input(context: PageContext, field: FormField, value: Any, hint: str) -> Any:
    words, shown = context.words, show_value(field, value)
    title = words(field.title) + (" *" if field.is_required else "")
    element: Any
    if field.shape == "switch":
        element = ui.switch(title, value=shown)
    elif field.shape == "choice":
        choices = {choice: words(CHOICES.get(choice, choice)) for choice in field.choices}
        if not field.is_required and field.default is None:
            choices = {"": "—"} | choices
        element = ui.select(choices, value=shown if shown in choices else next(iter(choices)), label=title)
        element.props("outlined dense options-dense").classes("wide")
    elif field.shape == "pairs":
        element = ui.textarea(title, value=shown).props("outlined dense autogrow").classes("wide")
    else:
        element = ui.input(title, value=shown).props("outlined dense").classes("wide")
        if field.shape in ("whole", "number"):
            element.props["inputmode"] = "decimal"
    if hint and field.shape != "switch":
        element.props["hint"] = hint
    return element
