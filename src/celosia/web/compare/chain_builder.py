"""Building a technique on the page: choose steps, set their parameters, put them in order, give it a name."""

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from celosia.api.comparing import parse_steps
from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError
from celosia.web.compare.chains import StepText, kind_of, registered_of, technique_names, write_chain
from celosia.web.concept_help import explain
from celosia.web.page_context import PageContext, show_error
from celosia.web.parameters import parameter_form
from celosia.words import phrase

__all__ = ["ChainBuilder"]

KINDS = {
    ConceptKind.TECHNIQUE: phrase("recoding"),
    ConceptKind.PERTURBATION: phrase("perturbation"),
    ConceptKind.OPERATION: phrase("operation"),
}


class ChainBuilder:
    """A technique while it is built; ``add`` is called with its text, and says whether it was taken."""

    def __init__(self, context: PageContext, columns: Sequence[str], add: Callable[[str], bool]) -> None:
        self.context, self.columns, self.add = context, list(columns), add
        self.steps: list[StepText] = []
        self.called = ""
        with ui.element("div").classes("builder"):
            self._choice()
            self.place = ui.element("ol").classes("steps-built")
            self.end = ui.element("div").classes("builder-end")
        self._draw()

    def _choice(self) -> None:
        words = self.context.words
        options = {
            name: f"{concept(kind, name, words).title} ({words(KINDS[kind])})"
            for kind in KINDS
            for name in technique_names()[kind]
        }

        def choose() -> None:
            if chosen.value:
                self.steps.append(StepText(chosen.value))
                self._draw()

        with ui.element("div").classes("row-line"):
            chosen = ui.select(options, label=words("Step"), with_input=True)
            chosen.props("outlined dense options-dense").classes("grow")
            ui.button(words("Add step"), icon="add", on_click=choose).props("flat no-caps")

    def _draw(self) -> None:
        words = self.context.words
        self.place.clear()
        with self.place:
            for number, step in enumerate(self.steps):
                self._step(number, step)
        self.end.clear()
        if not self.steps:
            return
        with self.end:
            name = ui.input(words("Name, if you like"), value=self.called).props(
                "outlined dense maxlength=60"
            )
            name.on("change", lambda: setattr(self, "called", name.value or ""))
            ui.button(words("Add to the comparison"), on_click=lambda: self._add(name.value or "")).props(
                "outline no-caps"
            )
            self.trouble = ui.element("div").classes("wide")

    def _step(self, number: int, step: StepText) -> None:
        context, words, kind = self.context, self.context.words, kind_of(step.name) or ConceptKind.TECHNIQUE
        title = concept(kind, step.name, words).title
        with ui.element("li").classes("step-built"):
            with ui.element("div").classes("step-head"):
                ui.label(title).classes("step-title")
                explain(context, kind, step.name)
                ui.space()
                self._small(
                    "arrow_upward",
                    words("Move {step} up", step=title),
                    lambda: self._move(number, -1),
                    number,
                )
                last = len(self.steps) - 1
                self._small(
                    "arrow_downward",
                    words("Move {step} down", step=title),
                    lambda: self._move(number, 1),
                    last - number,
                )
                self._small("close", words("Remove {step}", step=title), lambda: self._remove(number))
            self._fields(step, kind)

    def _fields(self, step: StepText, kind: ConceptKind) -> None:
        context, words = self.context, self.context.words

        def changed(name: str, value: Any) -> None:
            if value is None:
                step.parameters.pop(name, None)
            else:
                step.parameters[name] = value

        if kind is ConceptKind.TECHNIQUE:
            known = step.parameters.setdefault("k", 5)
            k = ui.number("k", value=known, min=2, step=1).props("outlined dense")
            k.on("change", lambda: changed("k", int(k.value) if k.value else None))
        chosen = ui.select(
            self.columns,
            label=words("Columns; all that fit unless chosen"),
            multiple=True,
            value=list(step.parameters.get("columns", ())),
            on_change=lambda event: changed("columns", list(event.value) or None),
        )
        chosen.props("outlined dense use-chips").classes("wide")
        parameter_form(context, kind, registered_of(step.name), step.parameters, changed=changed)

    @staticmethod
    def _small(icon: str, label: str, do: Callable[[], None], left: int = 1) -> None:
        button = ui.button(icon=icon, on_click=do).props("flat round dense size=sm color=secondary")
        button.props["aria-label"] = label
        button.set_enabled(left > 0)

    def _move(self, number: int, by: int) -> None:
        self.steps.insert(number + by, self.steps.pop(number))
        self._draw()

    def _remove(self, number: int) -> None:
        self.steps.pop(number)
        self._draw()

    def _add(self, name: str) -> None:
        self.trouble.clear()
        text = write_chain(name, self.steps)
        try:
            parse_steps(text)  # says what is wrong with parameters
        except CelosiaError as error:
            with self.trouble:
                show_error(error, self.context.words)
            return
        if self.add(text):
            self.steps, self.called = [], ""
            self._draw()
