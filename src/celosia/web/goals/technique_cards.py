"""The cards of how a release is made: technique, what it makes as good as can be, and further promises."""

from typing import Any

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from celosia.api.registries import make_model, privacy_models, techniques, utility_measures
from celosia.concepts import ConceptKind, concept, concepts
from celosia.errors import CelosiaError
from celosia.types import Role
from celosia.web.concept_help import explain
from celosia.web.goals.goal_cards import goal_card
from celosia.web.goals.goal_sentences import model_sentence
from celosia.web.goals.goal_sheet import GoalSheet
from celosia.web.goals.goals import DIVERSITY, drop_model, goal, roles_of, set_goal, set_model, technique_of
from celosia.web.page_context import show_error
from celosia.web.parameters import parameter_form, parameter_title, parameters_of

__all__ = ["further_card", "technique_card"]

ORDER = (
    "auto",
    "full-domain",
    "local",
    "mondrian",
    "clustering",
    "distribution-mondrian",
    "top-down",
    "two-phase",
)
SET_ELSEWHERE = ("k-anonymity", "km-anonymity", "attacker", "t-closeness", *DIVERSITY)


def technique_card(goal_sheet: GoalSheet) -> None:
    """How people are made alike, and what is kept as good as can be."""
    words = goal_sheet.context.words
    current = technique_of(goal_sheet.document, goal_sheet.table)
    names = [*ORDER, *(name for name in techniques() if name not in (*ORDER, "chain"))]
    if current["name"] == "chain":
        names.append("chain")
    titles = {name: concept(ConceptKind.TECHNIQUE, name, words).title for name in names}
    with goal_card(
        goal_sheet, words("How people are made alike"), name="technique", about="technique"
    ) as place:
        chosen = ui.select(titles, label=words("Technique"), value=current["name"])
        chosen.props("outlined").classes("wide")
        about = ui.element("div").classes("about")
        _measure(goal_sheet, place)
        with ui.expansion(words("Advanced")).classes("advanced"):
            form = ui.element("div")

        def shown() -> None:
            _about(goal_sheet, current["name"], about)
            _technique_form(goal_sheet, current, form, keep)

        def keep() -> None:
            said = dict(current) if len(current) > 1 else current["name"]
            goal_sheet.keep(
                lambda document: set_goal(document, goal_sheet.table, "technique", said),
                f"technique {current['name']}",
                place,
            )

        def choose(event: ValueChangeEventArguments[str]) -> None:
            current.clear()
            current["name"] = event.value
            shown()
            keep()

        chosen.on_value_change(choose)
        shown()


def _about(goal_sheet: GoalSheet, technique: str, place: ui.element) -> None:
    explained = concept(ConceptKind.TECHNIQUE, technique, goal_sheet.context.words)
    place.clear()
    with place:
        ui.label(explained.text).classes("quiet")
        if explained.example:
            ui.label(explained.example).classes("concept-example")


def _technique_form(goal_sheet: GoalSheet, current: dict[str, Any], place: ui.element, keep: Any) -> None:
    words, technique = goal_sheet.context.words, current["name"]

    def changed(name: str, value: Any) -> None:
        current.pop(name, None)
        if value is not None:
            current[name] = value
        keep()

    place.clear()
    with place:
        if technique == "chain":
            ui.label(words("The steps of a chain are set in the document of the project.")).classes("quiet")
        elif not parameters_of(techniques()[technique]):
            ui.label(words("This technique has nothing more to set.")).classes("quiet")
        else:
            told = [*roles_of(goal_sheet.document, goal_sheet.table, Role.SENSITIVE)]
            told += roles_of(goal_sheet.document, goal_sheet.table, Role.COMMON)
            parameter_form(
                goal_sheet.context,
                ConceptKind.TECHNIQUE,
                techniques()[technique],
                current,
                changed=changed,
                columns=told,
            )


def _measure(goal_sheet: GoalSheet, place: ui.element) -> None:
    words = goal_sheet.context.words
    names = concepts(ConceptKind.MEASURE, words)
    titles = {name: names[(ConceptKind.MEASURE, name)].title for name in ("loss", *utility_measures())}
    with ui.element("div").classes("promise-head"):
        chosen = ui.select(
            titles,
            label=words("Kept as small as can be"),
            value=goal(goal_sheet.document, goal_sheet.table, "measure", "loss"),
        )
        chosen.props("outlined").classes("choice")
        helped = ui.element("span")
    meaning = ui.label("").classes("quiet")

    def told(name: str) -> None:
        helped.clear()
        with helped:
            explain(goal_sheet.context, ConceptKind.MEASURE, name)
        meaning.set_text(names[(ConceptKind.MEASURE, name)].text)

    def choose(event: ValueChangeEventArguments[str]) -> None:
        told(event.value)
        kept = None if event.value == "loss" else event.value
        goal_sheet.keep(
            lambda document: set_goal(document, goal_sheet.table, "measure", kept),
            f"measure {event.value}",
            place,
        )

    chosen.on_value_change(choose)
    told(chosen.value)


def further_card(goal_sheet: GoalSheet) -> None:
    """All other privacy models."""
    words = goal_sheet.context.words
    with ui.expansion(words("Further promises")).classes("panel further") as card:
        place = ui.element("div")
        listed = ui.element("ul").classes("promises")
        _add(goal_sheet, place, listed)
    others = [model for model in goal_sheet.models if model["model"] not in SET_ELSEWHERE]
    card.set_value(bool(others))
    _list(goal_sheet, listed, place)


def _list(goal_sheet: GoalSheet, listed: Any, place: ui.element) -> None:
    words = goal_sheet.context.words
    listed.clear()
    with listed:
        for model in goal_sheet.models:
            if model["model"] in SET_ELSEWHERE:
                continue
            with ui.element("li"):
                ui.label(model_sentence(words, model))
                explain(goal_sheet.context, ConceptKind.MODEL, model["model"])
                button = ui.button(
                    icon="close", on_click=lambda model=model: _drop(goal_sheet, model, listed, place)
                )
                button.props("flat round dense size=sm color=secondary")
                title = concept(ConceptKind.MODEL, model["model"], words).title
                button.props["aria-label"] = words("Take back: {promise}", promise=title)


def _drop(goal_sheet: GoalSheet, model: dict[str, Any], listed: Any, place: ui.element) -> None:
    names, column = [model["model"]], model.get("column")
    if goal_sheet.keep(
        lambda document: drop_model(document, goal_sheet.table, names, column), f"no {names[0]}", place
    ):
        _list(goal_sheet, listed, place)


def _add(goal_sheet: GoalSheet, place: ui.element, listed: Any) -> None:
    words = goal_sheet.context.words
    sensitive = tuple(roles_of(goal_sheet.document, goal_sheet.table, Role.SENSITIVE))
    names = [name for name in privacy_models() if name not in SET_ELSEWHERE]
    if not sensitive:
        names = [
            name for name in names if privacy_models()[name].model_fields["column"].annotation is not str
        ]
    titles = {name: concept(ConceptKind.MODEL, name, words).title for name in names}
    chosen = ui.select(titles, label=words("Add a promise"), clearable=True)
    chosen.props("outlined").classes("choice")
    form = ui.element("div")

    def show() -> None:
        form.clear()
        if chosen.value:
            with form:
                _new_model(goal_sheet, chosen, sensitive, place, listed)

    chosen.on_value_change(show)


def _new_model(
    goal_sheet: GoalSheet, chosen: Any, sensitive: tuple[str, ...], place: ui.element, listed: Any
) -> None:
    words, name = goal_sheet.context.words, str(chosen.value)
    explained = concept(ConceptKind.MODEL, name, words)
    values: dict[str, Any] = {"model": name}
    with ui.element("div").classes("about"):
        ui.label(explained.text).classes("quiet")
        if explained.example:
            ui.label(explained.example).classes("concept-example")
    if privacy_models()[name].model_fields["column"].annotation is str:
        values["column"] = sensitive[0]
        ui.select(
            list(sensitive),
            label=words("Sensitive column"),
            value=sensitive[0],
            on_change=lambda event: values.update(column=event.value),
        ).props("outlined dense").classes("choice")

    def changed(field: str, value: Any) -> None:
        values.pop(field, None)
        if value is not None:
            values[field] = value

    def add() -> None:
        place.clear()
        for parameter in parameters_of(privacy_models()[name]):
            if parameter.needed and parameter.name not in values:
                with place:
                    ui.label(
                        words("{parameter} is missing.", parameter=parameter_title(words, parameter.name))
                    ).classes("mistake").props("role=alert")
                return
        parameters = {key: value for key, value in values.items() if key != "model"}
        try:
            make_model(name, **parameters)
        except CelosiaError as error:
            with place:
                show_error(error, words)
            return
        if goal_sheet.keep(
            lambda document: set_model(document, goal_sheet.table, values), f"promise {name}", place
        ):
            chosen.set_value(None)
            _list(goal_sheet, listed, place)

    parameter_form(goal_sheet.context, ConceptKind.MODEL, privacy_models()[name], {}, changed=changed)
    ui.button(words("Add"), on_click=add).props("outline no-caps")
