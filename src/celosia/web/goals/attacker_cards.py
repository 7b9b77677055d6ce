"""The card of who knows what: how many columns others know at most, and attackers who know some of them."""

from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.api.registries import make_model
from celosia.concepts import ConceptKind
from celosia.errors import CelosiaError
from celosia.types import Role
from celosia.web.concept_help import explain
from celosia.web.goals.goal_cards import goal_card
from celosia.web.goals.goal_sentences import model_sentence
from celosia.web.goals.goal_sheet import GoalSheet
from celosia.web.goals.goals import (
    CROWDS,
    add_attacker,
    attackers_of,
    drop_attacker,
    find_model,
    known_of,
    roles_of,
    set_known,
)
from celosia.web.page_context import show_error

__all__ = ["attackers_card"]


def attackers_card(goal_sheet: GoalSheet) -> None:
    """What others are taken to know: everything, any few columns, or what each attacker is said to know."""
    words = goal_sheet.context.words
    columns = list(roles_of(goal_sheet.document, goal_sheet.table, Role.QUASI_IDENTIFIER))
    with goal_card(goal_sheet, words("Who knows what"), name="attackers") as place:
        ui.label(
            words(
                "The less others know about a person, the more detail can stay. A promise holds only against those who "
                "know no more than you say here."
            )
        ).classes("quiet")
        _known(goal_sheet, columns, place)
        with ui.element("div").classes("promise-head"):
            ui.label(words("Attackers who know some columns"))
            explain(goal_sheet.context, ConceptKind.MODEL, "attacker")
        listed = ui.element("ul").classes("promises attackers")
        _list(goal_sheet, listed, place)
        _add(goal_sheet, columns, listed, place)


def _known(goal_sheet: GoalSheet, columns: list[str], place: ui.element) -> None:
    words = goal_sheet.context.words
    options = {0: words("all of them")} | {count: words.number(count) for count in range(1, len(columns))}
    known = known_of(goal_sheet.models) or 0

    def choose(event: ValueChangeEventArguments[int]) -> None:
        if find_model(goal_sheet.models, CROWDS) is None:
            return
        if goal_sheet.keep(
            lambda document: set_known(document, goal_sheet.table, event.value or None),
            f"known = {event.value or 'all'}",
            place,
        ):
            ui.navigate.reload()  # another card says what this changes

    ui.select(
        options if known in options else {**options, known: words.number(known)},
        label=words("Columns that others know of a person at most"),
        value=known,
        on_change=choose,
    ).props("outlined dense").classes("choice")


def _list(goal_sheet: GoalSheet, listed: Any, place: ui.element) -> None:
    words = goal_sheet.context.words
    listed.clear()
    with listed:
        for attacker in attackers_of(goal_sheet.models):
            with ui.element("li"):
                ui.label(model_sentence(words, attacker))
                button = ui.button(
                    icon="close",
                    on_click=lambda who=attacker["who"]: _drop(goal_sheet, who, listed, place),
                )
                button.props("flat round dense size=sm color=secondary")
                button.props["aria-label"] = words("Take back: {promise}", promise=attacker["who"])


def _drop(goal_sheet: GoalSheet, who: str, listed: Any, place: ui.element) -> None:
    if goal_sheet.keep(
        lambda document: drop_attacker(document, goal_sheet.table, who), f"no attacker {who}"[:200], place
    ):
        _list(goal_sheet, listed, place)


def _add(goal_sheet: GoalSheet, columns: list[str], listed: Any, place: ui.element) -> None:
    words = goal_sheet.context.words
    with ui.element("div").classes("attacker-form"):
        who = ui.input(words("Who, such as neighbour")).props("outlined dense")
        knows = ui.select(columns, label=words("Knows these columns"), multiple=True)
        knows.props("outlined dense use-chips").classes("choice")
        k = ui.number(words("People in a group"), value=5, min=2, step=1).props("outlined dense")

        def add() -> None:
            place.clear()
            asked = {
                "who": (who.value or "").strip(),
                "knows": list(knows.value or ()),
                "k": int(k.value or 0),
            }
            try:
                make_model("attacker", **asked)
            except CelosiaError as error:
                with place:
                    show_error(error, words)
                return
            if goal_sheet.keep(
                lambda document: add_attacker(document, goal_sheet.table, asked),
                f"attacker {asked['who']}"[:200],
                place,
            ):
                who.set_value("")
                knows.set_value([])
                _list(goal_sheet, listed, place)

        ui.button(words("Add an attacker"), on_click=add).props("outline no-caps")
