"""The cards of the goals: hiding in a group, rows left out, and what matters most."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.concepts import ConceptKind
from celosia.types import Role
from celosia.web.concept_help import explain
from celosia.web.goals.dial import Slider, dial
from celosia.web.goals.goal_sentences import model_sentence, suppression_sentence, weight_word
from celosia.web.goals.goal_sheet import GoalSheet
from celosia.web.goals.goals import (
    CROWDS,
    K_PROPOSALS,
    WEIGHTS,
    drop_model,
    find_model,
    goal,
    roles_of,
    set_goal,
    set_model,
    set_weight,
    weight_step,
)
from celosia.words import phrase

__all__ = ["goal_card", "group_card", "promise", "suppression_card", "weights_card"]

CONTEXTS = (
    phrase("Inside the house"),
    phrase("To a partner, under contract"),
    phrase("Published"),
    phrase("Published, and very sensitive"),
)
"""Where a release goes, in the order of the proposals for k."""


@contextmanager
def goal_card(goal_sheet: GoalSheet, title: str, *, name: str, about: str = "") -> Iterator[Any]:
    """A card with a heading that explains a word, ``about``; what is given is where mistakes about it are shown."""
    with ui.element("section").classes("panel goal").props(f"aria-labelledby=goal-{name}"):
        with ui.element("div").classes("goal-head"):
            heading = ui.element("h2").props(f"id=goal-{name}")
            with heading:
                ui.label(title)
            if about:
                explain(goal_sheet.context, ConceptKind.WORD, about)
        goal_sheet.places[name] = ui.element("div")
        yield ui.element("div").classes("goal-mistakes")


@contextmanager
def promise(title: str, *, is_asked: bool, switched: Any, help_for: Any) -> Iterator[Any]:
    """A promise that can be asked for or not: a switch, its explanation, and its parts while it is asked for."""
    with ui.element("div").classes("promise"):
        with ui.element("div").classes("promise-head"):
            switch = ui.switch(title, value=is_asked)
            help_for()
        parts = ui.element("div").classes("promise-parts")
        parts.set_visibility(is_asked)

    def turned(event: ValueChangeEventArguments[bool | None]) -> None:
        parts.set_visibility(bool(event.value))
        switched(bool(event.value))

    switch.on_value_change(turned)
    with parts:
        yield parts


def group_card(goal_sheet: GoalSheet) -> None:
    """k-anonymity: how many people look alike."""
    context, words = goal_sheet.context, goal_sheet.context.words
    asked = find_model(goal_sheet.models, CROWDS)
    with goal_card(goal_sheet, words("Hide in a group"), name="group") as place:

        def declared() -> dict[str, Any]:
            return find_model(goal_sheet.models, CROWDS) or {"model": "k-anonymity"}

        def keep(k: float) -> None:
            model = {**declared(), "k": int(k)}
            goal_sheet.keep(
                lambda document: set_model(document, goal_sheet.table, model), f"k = {int(k)}", place
            )

        def switched(is_on: bool) -> None:
            if is_on:
                keep(float(knob.number.value or 5))
            else:
                goal_sheet.keep(
                    lambda document: drop_model(document, goal_sheet.table, CROWDS), "no k", place
                )

        def propose(k: int) -> None:
            knob.show(k)
            keep(k)

        with promise(
            words("People look alike in groups (k-anonymity)"),
            is_asked=asked is not None,
            switched=switched,
            help_for=lambda: explain(context, ConceptKind.MODEL, "k-anonymity"),
        ):
            knob = dial(
                words("People in a group"),
                value=(asked or {"k": 5})["k"],
                low=2,
                high=50,
                step=1,
                most=1_000_000,
                tell=lambda k: model_sentence(words, {**declared(), "k": int(k)}),
                save=keep,
            )
            with ui.element("div").classes("proposals"):
                ui.label(words("Usual:")).classes("quiet")
                for k, purpose in zip(K_PROPOSALS, CONTEXTS, strict=True):
                    button = ui.button(f"{words(purpose)}: {k}", on_click=lambda k=k: propose(k))
                    button.props("outline dense no-caps color=secondary size=sm")


def suppression_card(goal_sheet: GoalSheet) -> None:
    """How many rows may be missing."""
    words = goal_sheet.context.words
    share = float(goal(goal_sheet.document, goal_sheet.table, "suppression", 0.0))
    with goal_card(goal_sheet, words("Rows left out"), name="suppression", about="suppression") as place:
        with ui.element("div").classes("promise-head"):
            ui.label(words("Leaving out a few unusual people often saves the detail of all others.")).classes(
                "quiet"
            )
            explain(goal_sheet.context, ConceptKind.WORD, "suppression")
        dial(
            words("Rows that may be left out"),
            value=round(100 * share, 2),
            low=0,
            high=20,
            step=1,
            most=100,
            suffix="%",
            tell=lambda value: suppression_sentence(words, value / 100),
            save=lambda value: goal_sheet.keep(
                lambda document: set_goal(document, goal_sheet.table, "suppression", round(value / 100, 6)),
                f"suppression {value:g} %",
                place,
            ),
        )


def weights_card(goal_sheet: GoalSheet) -> None:
    """How much it matters that each column stays detailed."""
    words = goal_sheet.context.words
    columns = roles_of(goal_sheet.document, goal_sheet.table, Role.QUASI_IDENTIFIER)
    with goal_card(goal_sheet, words("What matters most"), name="weights", about="weight") as place:
        ui.label(words("Columns that matter more stay more detailed, at the cost of the others.")).classes(
            "quiet"
        )
        with ui.element("div").classes("weights"):
            for column, weight in columns.items():
                _weight(goal_sheet, column, weight, place)


def _weight(goal_sheet: GoalSheet, column: str, weight: float, place: ui.element) -> None:
    words = goal_sheet.context.words
    step = weight_step(weight)
    ui.label(column).classes("weight-name")
    title = words("How much {column} matters", column=column)
    slider = Slider(title, low=0, high=len(WEIGHTS) - 1, step=1, value=step)
    said = ui.label("").classes("weight-word")

    def show(step: int, weight: float) -> None:
        text = f"{weight_word(words, step)} (×{words.number(weight)})"
        said.set_text(text)
        slider.show(step, text)

    def rested(value: float) -> None:
        now = WEIGHTS[int(value)]
        show(int(value), now)
        goal_sheet.keep(
            lambda document: set_weight(document, goal_sheet.table, column, now),
            f"weight of {column}: {now:g}"[:200],
            place,
        )

    show(step, weight)
    slider.follow(lambda value: show(int(value), WEIGHTS[int(value)]), rested)
