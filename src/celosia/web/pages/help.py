"""Every concept on one page: what it is, an example, its parameters."""

from html import escape

from nicegui import ui

from celosia.concepts import Concept, ConceptKind, concepts
from celosia.web.concept_help import concept_html
from celosia.web.page_context import PageContext, page
from celosia.words import phrase

__all__: list[str] = []

TITLES = {
    ConceptKind.WORD: phrase("Words"),
    ConceptKind.ROLE: phrase("Roles of columns"),
    ConceptKind.HIERARCHY: phrase("Ways to build hierarchies"),
    ConceptKind.OPERATION: phrase("Operations"),
    ConceptKind.MODEL: phrase("Privacy models"),
    ConceptKind.TECHNIQUE: phrase("Techniques"),
    ConceptKind.PERTURBATION: phrase("Perturbations"),
    ConceptKind.LEARNING_MODEL: phrase("Models that learn"),
    ConceptKind.MEASURE: phrase("Measures"),
    ConceptKind.ATTACK: phrase("Attacks"),
}


@page("/help", phrase("Help"))
def help_page(context: PageContext) -> None:
    """All concepts by kind, and a field to look one up."""
    words, shown = context.words, list[tuple[str, ui.element]]()
    ui.label(
        words("What every word means, with an example. The same is behind the question marks of all pages.")
    )
    sought = ui.input(words("Look up")).props("outlined dense clearable").classes("help-search")
    for kind, title in TITLES.items():
        explained = concepts(kind, words)
        with ui.element("section").classes("help-kind").props(f"id={kind}"):
            ui.html(f"<h2>{words(title)}</h2>", sanitize=False)
            with ui.element("div").classes("help-list"):
                shown += [_entry(entry) for entry in explained.values()]

    def look_up() -> None:
        wanted = (sought.value or "").casefold()
        for text, element in shown:
            element.set_visibility(wanted in text)

    sought.on_value_change(look_up)


def _entry(explained: Concept) -> tuple[str, ui.element]:
    html = f'<div class="concept">{concept_html(explained)}</div>'
    if explained.parameters:
        told = "".join(
            f"<dt>{escape(name)}</dt><dd>{escape(meaning)}</dd>"
            for name, meaning in explained.parameters.items()
        )
        html += f'<dl class="help-parameters">{told}</dl>'
    element = ui.html(html, sanitize=False, tag="article").classes("panel help-entry")
    return " ".join((explained.title, explained.text, explained.name)).casefold(), element
