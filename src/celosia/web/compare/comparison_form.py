"""What a comparison is asked for: class, techniques, tables of others, models, folds; kept in the document."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from nicegui import ui

from celosia.api.comparing import parse_steps
from celosia.api.projects import compared_models
from celosia.api.registries import learning_models
from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError
from celosia.server.sources import list_sources
from celosia.web.compare.chain_builder import ChainBuilder
from celosia.web.compare.chains import FIRST
from celosia.web.concept_help import explain
from celosia.web.page_context import PageContext, show_error
from celosia.words import Words

__all__ = ["ComparisonForm", "columns_of", "target_of"]

Document = dict[str, Any]


def columns_of(context: PageContext) -> list[str]:
    """The columns of the first table: as its profile found them, or as the document lists them."""
    queue, document = context.service.queue, context.project.document
    listed = list(_table(document).get("columns") or {})
    for job in queue.list(context.user, context.project.id, "profile", last=5):
        if job["state"] == "done":
            first = queue.result(context.user, job["id"]).get("first") or {}
            return list(first.get("columns") or listed)
    return listed


def target_of(document: Document, columns: list[str]) -> str | None:
    """The class: the first target of the table, or its last column.

    >>> target_of({"tables": {"people": {"targets": ["ill"]}}}, ["age", "ill", "town"])
    'ill'
    >>> target_of({"tables": {"people": {}}}, ["age", "town"])
    'town'
    """
    targets = _table(document).get("targets") or ()
    return targets[0] if targets else columns[-1] if columns else None


def _table(document: Document) -> Document:
    return dict(next(iter((document.get("tables") or {}).values()), None) or {})


class ComparisonForm:
    """The form; ``start`` is called once everything is kept in the document."""

    def __init__(self, context: PageContext, columns: list[str], start: Callable[[], None]) -> None:
        self.context, self.columns, self.start = context, columns, start
        plan = context.project.document.get("compare") or {}
        self.target = target_of(context.project.document, columns)
        self.techniques: list[str] = list(plan.get("techniques") or ())
        self.others: dict[str, str] = dict(plan.get("others") or {})
        self.models: list[str] = list(plan.get("models") or compared_models())
        self.folds, self.repeats = plan.get("folds", 10), plan.get("repeats", 1)
        with ui.element("section").classes("panel compare-form"):
            self._ask_techniques()
            self._ask_models()
        self.trouble = ui.element("div")
        with ui.element("div").classes("actions"):
            ui.button(context.words("Compare"), icon="play_arrow", on_click=self._keep).props(
                "unelevated no-caps"
            )
        ui.label(
            context.words(
                "What was computed before is kept: to compare again with one more technique takes only its share."
            )
        ).classes("quiet")

    def _ask_techniques(self) -> None:
        words = self.context.words
        with ui.element("div").classes("compare-part"):
            self._title(words("Techniques"), "technique")
            self.listed = ui.element("ul").classes("chosen")
            self._list()
            ChainBuilder(self.context, self.columns, self._add)
            with ui.expansion(words("Write a technique as text")).classes("more"):
                text = ui.input(
                    words("Technique as text"), placeholder="coarse = mdav(k=3) + noise(percent=20)"
                )
                text.props("outlined dense").classes("wide")
                ui.button(words("Add the text"), on_click=lambda: self._add_text(text)).props("flat no-caps")
            self._ask_others()

    def _ask_others(self) -> None:
        words, context = self.context.words, self.context
        source = _table(context.project.document).get("source")
        used = source if isinstance(source, str) else (source or {}).get("path")
        files = [
            source
            for source in list_sources(context.service, context.user, context.project.id)
            if source["kind"] == "file" and source["address"] != used
        ]
        ui.label(words("Tables anonymized elsewhere")).classes("part-title")
        if not files:
            ui.label(words("Upload them under Data; they then stand here.")).classes("quiet")
        for file in files:
            name = Path(file["name"]).stem
            ui.checkbox(
                file["name"],
                value=file["address"] in self.others.values(),
                on_change=lambda event, name=name, place=file["address"]: self._other(
                    name, place, event.value
                ),
            )

    def _ask_models(self) -> None:
        words = self.context.words
        with ui.element("div").classes("compare-part"):
            ui.label(words("What is predicted, and by what")).classes("part-title")
            ui.select(
                self.columns,
                value=self.target if self.target in self.columns else None,
                label=words("Class to predict"),
                on_change=lambda event: setattr(self, "target", event.value),
            ).props("outlined dense options-dense").classes("wide")
            with ui.element("fieldset").classes("choices"):
                ui.html(f"<legend>{words('Models')}</legend>", sanitize=False)
                with ui.element("div").classes("models"):
                    for name in learning_models():
                        self._model(name, words)
            with ui.element("div").classes("row-line"):
                folds = ui.number(words("Folds"), value=self.folds, min=2, max=100, step=1).props(
                    "outlined dense"
                )
                folds.on("change", lambda: setattr(self, "folds", int(folds.value or 10)))
                times = ui.number(words("Repeats"), value=self.repeats, min=1, max=20, step=1).props(
                    "outlined dense"
                )
                times.on("change", lambda: setattr(self, "repeats", int(times.value or 1)))

    def _model(self, name: str, words: Words) -> None:
        with ui.element("div").classes("model"):
            ui.checkbox(
                concept(ConceptKind.LEARNING_MODEL, name, words).title,
                value=name in self.models,
                on_change=lambda event: self._choose(name, event.value),
            )
            explain(self.context, ConceptKind.LEARNING_MODEL, name)

    def _title(self, text: str, about: str) -> None:
        with ui.element("div").classes("row-line tight"):
            ui.label(text).classes("part-title")
            explain(self.context, ConceptKind.WORD, about)

    def _list(self) -> None:
        words = self.context.words
        self.listed.clear()
        with self.listed:
            for text in self.techniques:
                with ui.element("li").classes("chosen-one"):
                    ui.label(text).classes("technique-text")
                    button = ui.button(icon="close", on_click=lambda text=text: self._remove(text))
                    button.props("flat round dense size=sm color=secondary")
                    button.props["aria-label"] = words("Remove {step}", step=text)
            if not self.techniques:
                with ui.element("li").classes("chosen-none"):
                    ui.label(words("No technique yet. Add steps below, or begin with a few common ones."))
                    ui.button(words("Begin with common techniques"), on_click=self._begin).props(
                        "flat no-caps"
                    )

    def _begin(self) -> None:
        self.techniques = list(FIRST)
        self._list()

    def _add(self, text: str) -> bool:
        words = self.context.words
        if text in self.techniques:
            ui.notify(words("This technique is there already."), type="warning")
            return False
        self.techniques.append(text)
        self._list()
        return True

    def _add_text(self, field: ui.input) -> None:
        text = (field.value or "").strip()
        try:
            parse_steps(text)
        except CelosiaError as error:
            ui.notify(str(self.context.words.error(error)), type="negative")
            return
        if self._add(text):
            field.set_value("")

    def _remove(self, text: str) -> None:
        self.techniques.remove(text)
        self._list()

    def _other(self, name: str, place: str, is_in: bool) -> None:
        self.others = {called: path for called, path in self.others.items() if path != place}
        if is_in:
            self.others[name] = place

    def _choose(self, name: str, is_in: bool) -> None:
        kept = [model for model in self.models if model != name]
        self.models = [*kept, name] if is_in else kept

    def _keep(self) -> None:
        """Keep what is asked for in the document, and begin."""
        words = self.context.words
        self.trouble.clear()
        if not self.techniques and not self.others:
            ui.notify(words("Add at least one technique."), type="warning")
            return

        def change(document: Document) -> None:
            plan = {**(document.get("compare") or {}), "techniques": self.techniques, "others": self.others}
            plan |= {"models": self.models, "folds": self.folds, "repeats": self.repeats}
            document["compare"] = plan
            first = next(iter(document.get("tables") or {}), None)
            if first is not None and self.target:
                rest = [
                    target
                    for target in document["tables"][first].get("targets") or ()
                    if target != self.target
                ]
                document["tables"][first]["targets"] = [self.target, *rest]

        try:
            self.context.change(change, "what is compared")
        except CelosiaError as error:
            with self.trouble:
                show_error(error, words)
            return
        self.start()
