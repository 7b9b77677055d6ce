"""The card of what a group may tell: several values of every sensitive column, spread as among everybody."""

from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.concepts import ConceptKind, concept
from celosia.types import Role
from celosia.web.concept_help import explain
from celosia.web.goals.dial import dial
from celosia.web.goals.goal_cards import goal_card, promise
from celosia.web.goals.goal_sentences import model_sentence
from celosia.web.goals.goal_sheet import GoalSheet
from celosia.web.goals.goals import DIVERSITY, drop_model, find_model, roles_of, set_model
from celosia.words import phrase

__all__ = ["sensitive_cards"]

DISTANCES = {
    "equal": phrase("values are equal or not"),
    "ordered": phrase("values have an order"),
    "hierarchical": phrase("values have a hierarchy"),
}
STARTS: dict[str, dict[str, Any]] = {
    "distinct-l-diversity": {"l": 3},
    "entropy-l-diversity": {"l": 2.0},
    "recursive-l-diversity": {"c": 3.0, "l": 2},
    "t-closeness": {"t": 0.3},
}
"""What a promise begins with."""


def sensitive_cards(goal_sheet: GoalSheet) -> None:
    """What a group may tell about every sensitive column."""
    words = goal_sheet.context.words
    columns = roles_of(goal_sheet.document, goal_sheet.table, Role.SENSITIVE)
    with goal_card(goal_sheet, words("What a group may tell"), name="tell") as place:
        if not columns:
            ui.label(
                words(
                    "No column is sensitive. Where one is, such as a diagnosis, a group whose members all share it "
                    "would tell it of each of them."
                )
            ).classes("quiet")
            ui.link(words("Say which columns are sensitive"), goal_sheet.context.link("data"))
        for number, column in enumerate(columns):
            with (
                ui.element("div").classes("sensitive").props(f"role=group aria-labelledby=sensitive-{number}")
            ):
                with ui.element("h3").props(f"id=sensitive-{number}"):
                    ui.label(column)
                _diversity(goal_sheet, column, place)
                _closeness(goal_sheet, column, place)


def _diversity(goal_sheet: GoalSheet, column: str, place: ui.element) -> None:
    words = goal_sheet.context.words
    asked = find_model(goal_sheet.models, DIVERSITY, column)
    current = asked or {"model": DIVERSITY[0], "column": column, **STARTS[DIVERSITY[0]]}

    def keep() -> None:
        model = dict(current)
        change = lambda document: set_model(document, goal_sheet.table, model, instead=DIVERSITY)  # noqa: E731
        goal_sheet.keep(change, f"{model['model']} of {column}"[:200], place)

    def switched(is_on: bool) -> None:
        if is_on:
            keep()
        else:
            drop = lambda document: drop_model(document, goal_sheet.table, DIVERSITY, column)  # noqa: E731
            goal_sheet.keep(drop, f"no l-diversity of {column}"[:200], place)

    def chosen(event: ValueChangeEventArguments[str]) -> None:
        current.clear()
        current.update({"model": event.value, "column": column, **STARTS[event.value]})
        _diversity_dials(goal_sheet, current, parts, keep)
        keep()

    with promise(
        words("Several values in every group (l-diversity)"),
        is_asked=asked is not None,
        switched=switched,
        help_for=lambda: explain(goal_sheet.context, ConceptKind.MODEL, str(current["model"])),
    ):
        parts = ui.element("div")
        titles = {name: concept(ConceptKind.MODEL, name, words).title for name in DIVERSITY}
        ui.select(
            titles, label=words("How values are counted"), value=current["model"], on_change=chosen
        ).props("outlined dense").classes("choice")
    _diversity_dials(goal_sheet, current, parts, keep)


def _diversity_dials(goal_sheet: GoalSheet, current: dict[str, Any], parts: Any, keep: Any) -> None:
    words = goal_sheet.context.words
    is_whole = current["model"] != "entropy-l-diversity"

    def told(name: str, value: float) -> str:
        return model_sentence(words, {**current, name: int(value) if name == "l" and is_whole else value})

    def changed(name: str, value: float) -> None:
        current[name] = int(value) if name == "l" and is_whole else value
        keep()

    parts.clear()
    with parts:
        dial(
            words("Values of {column}", column=current["column"]),
            value=current["l"],
            low=2 if is_whole else 1.1,
            high=10,
            step=1 if is_whole else 0.1,
            most=1000,
            tell=lambda value: told("l", value),
            save=lambda value: changed("l", value),
        )
        if "c" in current:
            dial(
                words("Times as frequent"),
                value=current["c"],
                low=0.5,
                high=10,
                step=0.5,
                most=1000,
                tell=lambda value: words("At most {c} times as frequent.", c=words.number(value)),
                save=lambda value: changed("c", value),
            )


def _closeness(goal_sheet: GoalSheet, column: str, place: ui.element) -> None:
    words = goal_sheet.context.words
    asked = find_model(goal_sheet.models, ["t-closeness"], column)
    current = asked or {"model": "t-closeness", "column": column, **STARTS["t-closeness"]}

    def keep(**changed: Any) -> None:
        current.update(changed)
        model = dict(current)
        goal_sheet.keep(
            lambda document: set_model(document, goal_sheet.table, model),
            f"t-closeness of {column}"[:200],
            place,
        )

    def switched(is_on: bool) -> None:
        if is_on:
            keep()
        else:
            drop = lambda document: drop_model(document, goal_sheet.table, ["t-closeness"], column)  # noqa: E731
            goal_sheet.keep(drop, f"no t-closeness of {column}"[:200], place)

    with promise(
        words("Groups like everybody (t-closeness)"),
        is_asked=asked is not None,
        switched=switched,
        help_for=lambda: explain(goal_sheet.context, ConceptKind.MODEL, "t-closeness"),
    ):
        dial(
            words("Largest difference for {column}", column=column),
            value=round(100 * current["t"], 1),
            low=5,
            high=100,
            step=5,
            suffix="%",
            tell=lambda share: model_sentence(words, {**current, "t": share / 100}),
            save=lambda share: keep(t=round(share / 100, 4)),
        )
        ui.select(
            {name: words(text) for name, text in DISTANCES.items()},
            label=words("How far apart values are"),
            value=current.get("distance", "equal"),
            on_change=lambda event: keep(distance=event.value),
        ).props("outlined dense").classes("choice")
