"""Hierarchies built by rule: intervals, digits, dates, beginnings, or groups that a person writes down."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from celosia.api.hierarchies import build_hierarchy, date_levels
from celosia.concepts import concept
from celosia.errors import HierarchyError
from celosia.say import say
from celosia.web.concept_help import show_concept
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.page_context import PageContext
from celosia.words import phrase

__all__ = ["BUILDERS", "ask_builder", "build_rows", "fitting_builder", "parse_groups"]

BUILDERS = ("intervals", "digits", "dates", "prefixes", "taxonomy", "flat")
KINDS = {
    "natural": phrase("round bounds"),
    "width": phrase("equally wide"),
    "frequency": phrase("about as many rows in each"),
}
PERIODS = {
    "day": phrase("day"),
    "month": phrase("month"),
    "quarter": phrase("quarter"),
    "year": phrase("year"),
    "decade": phrase("decade"),
}


def parse_groups(text: str) -> dict[str, Any]:
    """Groups of groups, from one line for each: its name, or the names above it too, and its values.

    >>> parse_groups("Spain > Galicia: Lugo, Vigo\\nSpain > Aragón: Teruel\\nAndorra:")
    {'Spain': {'Galicia': ['Lugo', 'Vigo'], 'Aragón': ['Teruel']}, 'Andorra': []}
    """
    groups: dict[str, Any] = {}
    for line in filter(None, (line.strip() for line in text.splitlines())):
        path, mark, values = line.partition(":")
        names = [name.strip() for name in path.split(">")]
        if not mark or not all(names):
            raise HierarchyError(
                say("{line!r} is no group", line=line),
                where="groups",
                remedy=say("write it as in North: Lugo, Vigo"),
            )
        inner: Any = groups
        for name in names[:-1]:
            inner = inner.setdefault(name, {})
            if not isinstance(inner, dict):
                raise _both(name)
        held = inner.setdefault(names[-1], [])
        if not isinstance(held, list):
            raise _both(names[-1])
        held.extend(value.strip() for value in values.split(",") if value.strip())
    return groups


def build_rows(
    builder: str, column: str, counts: Mapping[str, int], filled: Mapping[str, Any]
) -> list[tuple[str, ...]]:
    """The rows of a hierarchy that is built by rule for the values of a column, with their rows of the table.

    >>> build_rows("prefixes", "code", {"A1": 3, "A2": 1, "B1": 2}, {"step": "1"})
    [('A1', 'A*', '*'), ('A2', 'A*', '*'), ('B1', 'B*', '*')]
    """
    return build_hierarchy(builder, column, counts, _parameters(builder, filled)).rows()


def _parameters(builder: str, filled: Mapping[str, Any]) -> dict[str, Any]:
    """What a person filled in, as the rule takes it."""
    if builder == "intervals":
        return {
            "kind": filled.get("kind") or "natural",
            "bins": _whole(filled.get("bins"), 32),
            "merge": _whole(filled.get("merge"), 2),
        }
    if builder in ("digits", "prefixes"):
        return {"step": _whole(filled.get("step"), 1)}
    if builder == "dates":
        chosen = filled.get("levels") or ()
        return {"levels": [level for level in date_levels() if level in chosen]}
    if builder == "taxonomy":
        return {"groups": parse_groups(str(filled.get("groups") or ""))}
    return {}


def fitting_builder(kind: str) -> str:
    """The rule that fits a column of some type best.

    >>> fitting_builder("integer"), fitting_builder("date"), fitting_builder("text")
    ('intervals', 'dates', 'taxonomy')
    """
    return {
        "integer": "intervals",
        "real": "intervals",
        "decimal": "intervals",
        "date": "dates",
        "datetime": "dates",
    }.get(kind, "taxonomy")


def ask_builder(
    context: PageContext, column: str, kind: str, counts: Mapping[str, int], done: Callable[[Any], Any]
) -> None:
    """Let a person choose a rule and its parameters; ``done`` gets the rows."""
    words = context.words
    choices = {name: concept("hierarchy", name, words).title for name in BUILDERS}
    with ui.dialog() as dialog, ui.card().classes("dialog operation-dialog"):
        ui.label(words("Build the hierarchy of {column}", column=column)).classes("dialog-title")
        select = ui.select(choices, value=fitting_builder(kind), label=words("Rule")).props(
            "outlined options-dense"
        )
        select.classes("wide")
        about, form, place = ui.element("div"), ui.element("div").classes("operation-form"), ui.element("div")
        inputs: dict[str, Any] = {}

        def show() -> None:
            about.clear()
            form.clear()
            inputs.clear()
            with about:
                show_concept(context, concept("hierarchy", str(select.value), words))
            with form:
                inputs.update(_inputs(context, str(select.value)))

        async def make() -> None:
            filled = {name: field.value for name, field in inputs.items()}
            filled["levels"] = [name for name in date_levels() if filled.get(name)]
            with ErrorBoundary(context, place) as attempt:
                attempt.result = await asyncio.to_thread(
                    build_rows, str(select.value), column, counts, filled
                )
            if attempt.result is not None:
                dialog.close()
                await done(attempt.result)

        select.on_value_change(show)
        show()
        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            ui.button(words("Build"), on_click=make).props("unelevated no-caps")
    dialog.open()


def _inputs(context: PageContext, builder: str) -> dict[str, Any]:
    """The parameters of a rule."""
    words = context.words
    if builder == "intervals":
        kind = ui.select(
            {name: words(title) for name, title in KINDS.items()}, value="natural", label=words("Bounds")
        )
        bins = ui.input(words("Intervals at the finest level, at most"), value="32")
        merge = ui.input(words("Intervals that each further level joins"), value="2")
        for field in (kind, bins, merge):
            field.props("outlined dense").classes("wide")
        return {"kind": kind, "bins": bins, "merge": merge}
    if builder in ("digits", "prefixes"):
        title = (
            words("Digits masked at each level")
            if builder == "digits"
            else words("Characters cut at each level")
        )
        return {"step": ui.input(title, value="1").props("outlined dense inputmode=numeric").classes("wide")}
    if builder == "dates":
        ui.label(words("Levels")).classes("quiet")
        with ui.element("div").classes("checks"):
            return {name: ui.checkbox(words(title), value=name != "day") for name, title in PERIODS.items()}
    if builder == "taxonomy":
        groups = ui.textarea(words("Groups, one per line"), placeholder="Spain > Galicia: Lugo, Vigo")
        return {"groups": groups.props("outlined dense").classes("wide")}
    return {}


def _whole(text: Any, usual: int) -> int:
    plain = str(text if text is not None else "").strip()
    if not plain:
        return usual
    if not plain.isdigit() or len(plain) > 6:
        raise HierarchyError(
            say("{plain!r} is no whole number", plain=plain[:20]),
            where="parameters",
            remedy=say("write it with digits"),
        )
    return int(plain)


def _both(name: str) -> HierarchyError:
    return HierarchyError(
        say("{name!r} holds values and further groups", name=name),
        where="groups",
        remedy=say("give its values a group of their own"),
    )
