"""Privacy goals: what is promised to the people of a table, and what of it matters to whoever uses the release."""

from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.types import Role
from celosia.web.concept_help import explain
from celosia.web.goals.attacker_cards import attackers_card
from celosia.web.goals.goal_cards import group_card, suppression_card, weights_card
from celosia.web.goals.goal_sentences import model_sentence, suppression_sentence
from celosia.web.goals.goal_sheet import GoalSheet, empty_page
from celosia.web.goals.goals import goal, has_lattice, make_complete, make_light, roles_of, technique_of
from celosia.web.goals.sensitive_cards import sensitive_cards
from celosia.web.goals.technique_cards import further_card, technique_card
from celosia.web.page_context import PageContext, page, show_error
from celosia.web.solutions.release_panel import begin_search
from celosia.words import Words, phrase

__all__: list[str] = []

REMEDIES = {
    "suppression": phrase("Let no row be left out, or choose another technique."),
    "measure": phrase("Choose Loss as what is kept small, or another technique."),
    "models": phrase("Add, change or take back a promise."),
    "roles": phrase("Say on the page Data which columns others may know about a person."),
    "keep_type": phrase("Choose Mondrian, or let columns change their type."),
}
"""What to do on this page, by the field of the document that a mistake is about."""
CARDS = {"suppression": "suppression", "models": "group", "roles": "group"}
"""The card that asks for a field; all others are about the technique."""


@page("/projects/{project}/goals", phrase("Privacy goals"), step="goals")
def goals(context: PageContext) -> None:
    """Sliders on the left, what they promise together on the right."""
    words = context.words
    ui.add_head_html('<link rel="stylesheet" href="/static/goals.css">')
    document = context.project.document
    if not context.may(MemberRole.ANALYST):
        empty_page(words("Goals are set by analysts."), words("You may see the results of this project."))
        return
    tables = list(document.get("tables") or {})
    if not tables:
        empty_page(
            words("There is no table yet."),
            words("Goals are about the people of a table: choose one first."),
            words("Choose a table"),
            context.link("data"),
        )
        return
    asked = context.request.query_params.get("table")
    table = asked if asked in tables and len(tables) > 1 else None
    is_new = goal(document, table, "models") is None and goal(document, table, "kind") != "light"
    goal_sheet = GoalSheet(context, table, context.project, is_proposed=is_new)
    if len(tables) > 1:
        _choose_table(goal_sheet, tables)
    with ui.element("div").classes("goals"):
        with ui.element("div").classes("goals-cards"):
            _cards(goal_sheet)
        with ui.element("aside").classes("goals-sum") as side:
            side.props["aria-label"] = words("What you promise")
            _sum(goal_sheet)


def _choose_table(goal_sheet: GoalSheet, tables: list[str]) -> None:
    words, link = goal_sheet.context.words, goal_sheet.context.link("goals")
    options = {"": words("All tables"), **{name: name for name in tables}}

    def go(event: ValueChangeEventArguments[str]) -> None:
        from urllib.parse import quote

        ui.navigate.to(f"{link}?table={quote(event.value)}" if event.value else link)

    ui.select(options, label=words("These goals are for"), value=goal_sheet.table or "", on_change=go).props(
        "outlined dense"
    ).classes("choice")


def _cards(goal_sheet: GoalSheet) -> None:
    words = goal_sheet.context.words
    is_light = goal(goal_sheet.document, goal_sheet.table, "kind", "complete") == "light"
    with ui.element("section").classes("panel goal"):
        kinds = {
            "complete": words("Protect people: promises are kept and checked"),
            "light": words("Only change columns: nothing is promised about people"),
        }
        kind = ui.radio(kinds, value="light" if is_light else "complete")
        kind.props["aria-label"] = words("How far the release goes")
    cards = ui.element("div").classes("goals-cards")
    with cards:
        group_card(goal_sheet)
        attackers_card(goal_sheet)
        sensitive_cards(goal_sheet)
        suppression_card(goal_sheet)
        if roles_of(goal_sheet.document, goal_sheet.table, Role.QUASI_IDENTIFIER):
            weights_card(goal_sheet)
        technique_card(goal_sheet)
        further_card(goal_sheet)
    cards.set_visibility(not is_light)
    taken: list[Any] = []

    def choose(event: ValueChangeEventArguments[str]) -> None:
        is_light = event.value == "light"
        cards.set_visibility(not is_light)
        if is_light:
            goal_sheet.is_proposed = False
            goal_sheet.keep(
                lambda document: taken.extend(make_light(document, goal_sheet.table)), "light release"
            )
        else:
            goal_sheet.keep(
                lambda document: make_complete(document, goal_sheet.table, taken), "complete release"
            )
            ui.navigate.reload()

    kind.on_value_change(choose)


def _sum(goal_sheet: GoalSheet) -> None:
    words = goal_sheet.context.words
    with ui.element("div").classes("panel sum"):
        with ui.element("div").classes("goal-head"):
            with ui.element("h2"):
                ui.label(words("What you promise"))
            explain(goal_sheet.context, ConceptKind.WORD, "privacy model")
        told = ui.element("div").props("aria-live=polite")
        place = ui.element("div")
        action = (
            ui.button("", on_click=lambda: _go(goal_sheet, place)).props("unelevated no-caps").classes("wide")
        )

    def show() -> None:
        told.clear()
        mistakes = goal_sheet.mistakes()
        with told:
            with ui.element("ul").classes("promises"):
                for text in _sentences(goal_sheet, words):
                    with ui.element("li"):
                        ui.label(text)
            for error in mistakes:
                _contradiction(error, words, is_alert=True)
        _show_at_cards(goal_sheet, mistakes)
        is_explored = has_lattice(goal_sheet.document, goal_sheet.table)
        action.set_text(words("Find solutions") if is_explored else words("Continue"))
        action.set_enabled(not mistakes)

    goal_sheet.follow.append(show)
    show()


def _show_at_cards(goal_sheet: GoalSheet, mistakes: list[CelosiaError]) -> None:
    """Say it where it can be mended, too."""
    for place in goal_sheet.places.values():
        place.clear()
    for error in mistakes:
        card = CARDS.get(error.where, "technique")
        if card in goal_sheet.places:
            with goal_sheet.places[card]:
                _contradiction(error, goal_sheet.context.words, is_alert=False)


def _sentences(goal_sheet: GoalSheet, words: Words) -> list[str]:
    if goal(goal_sheet.document, goal_sheet.table, "kind", "complete") == "light":
        return [words("Nothing about people: columns are changed as you said, and no more.")]
    share = float(goal(goal_sheet.document, goal_sheet.table, "suppression", 0.0))
    technique = technique_of(goal_sheet.document, goal_sheet.table)["name"]
    title = concept(ConceptKind.TECHNIQUE, technique, words).title
    return [
        *(model_sentence(words, model) for model in goal_sheet.models),
        suppression_sentence(words, share),
        words("Made by: {technique}.", technique=title),
    ]


def _contradiction(error: CelosiaError, words: Words, *, is_alert: bool) -> None:
    told = words.error(error)
    sentence = told.what[:1].upper() + told.what[1:]
    remedy = words(REMEDIES[error.where]) if error.where in REMEDIES else told.remedy
    with ui.element("div").classes("mistake") as shown:
        if is_alert:
            shown.props("role=alert")
        ui.label(f"{sentence}.").classes("mistake-what")
        ui.label(remedy)


def _go(goal_sheet: GoalSheet, place: ui.element) -> None:
    """Keep what is proposed, begin to look for solutions where there are some to see, and go there."""
    context = goal_sheet.context
    if goal_sheet.is_proposed and not goal_sheet.keep(lambda document: None, "k = 5", place):
        return
    try:
        if has_lattice(goal_sheet.document, goal_sheet.table):
            begin_search(context, goal_sheet.table or next(iter(goal_sheet.document["tables"])))
    except CelosiaError as error:
        place.clear()
        with place:
            show_error(error, context.words)
        return
    from urllib.parse import quote

    ui.navigate.to(
        context.link("solutions") + (f"?table={quote(goal_sheet.table)}" if goal_sheet.table else "")
    )
