"""Help at the point of use: a small button beside a word, and what the word means behind it."""

from nicegui import ui

from celosia.concepts import Concept, Kind, concept
from celosia.web.visit import Visit

__all__ = ["explain", "show_concept"]


def explain(visit: Visit, kind: Kind | str, name: str) -> None:
    """A button that explains a concept in one paragraph, with an example."""
    found = concept(kind, name, visit.words)
    label = visit.words("What is this? {title}", title=found.title)
    with (
        ui.button(icon="help_outline").props(
            f'flat round dense size=sm color=secondary aria-label="{label}"'
        ),
        ui.menu().props("max-width=420px anchor='bottom left' self='top left'").classes("explained"),
    ):
        show_concept(visit, found)


def show_concept(visit: Visit, found: Concept) -> None:
    """Title, text, example and parameters of a concept."""
    with ui.element("div").classes("concept"):
        ui.label(found.title).classes("concept-title")
        ui.label(found.text)
        if found.example:
            ui.label(found.example).classes("concept-example")
