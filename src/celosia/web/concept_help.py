"""Help at the point of use: a small button beside a word, and what the word means behind it."""

from html import escape

from nicegui import ui

from celosia.concepts import Concept, ConceptKind, concept
from celosia.web.page_context import PageContext

__all__ = ["concept_html", "explain", "show_concept"]


def explain(context: PageContext, kind: ConceptKind | str, name: str) -> None:
    """A button that explains a concept in one paragraph, with an example."""
    explained = concept(kind, name, context.words)
    label = context.words("What is this? {title}", title=explained.title)
    with (
        ui.button(icon="help_outline").props(
            f'flat round dense size=sm color=secondary aria-label="{label}"'
        ),
        ui.menu().props("max-width=420px anchor='bottom left' self='top left'").classes("explained"),
    ):
        show_concept(context, explained)


def show_concept(context: PageContext, explained: Concept) -> None:
    """Title, text and example of a concept."""
    ui.html(concept_html(explained), sanitize=False).classes("concept")


def concept_html(explained: Concept) -> str:
    """An explanation as HTML: one element of a page instead of four, of which pages with much help have hundreds."""
    parts = [("concept-title", explained.title), ("", explained.text)]
    parts += [("concept-example", explained.example)] if explained.example else []
    return "".join(f'<div class="{kind}">{escape(text)}</div>' for kind, text in parts)
