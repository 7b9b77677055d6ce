"""The hierarchies of a table on their page: the list of columns, the editor of one, what is wrong, and saving."""

from typing import Any
from urllib.parse import quote

from nicegui import ui

from celosia.api.hierarchies import spell_levels
from celosia.server.work.results import HierarchyResult
from celosia.web.components import FileUpload
from celosia.web.concept_help import explain
from celosia.web.data.add_table import upload_texts
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.hierarchies.builder_dialog import ask_builder
from celosia.web.hierarchies.hierarchy_editors import HierarchyEditors
from celosia.web.hierarchies.hierarchy_views import HierarchyViews
from celosia.web.hierarchies.levels import HierarchyEditor, add_missing, add_root
from celosia.web.page_context import PageContext, show_error

__all__ = ["HierarchyPage"]


class HierarchyPage:
    """What a person sees of the hierarchies of one table, and does about them."""

    def __init__(self, context: PageContext, editings: HierarchyEditors, chosen: str) -> None:
        self.context, self.words, self.editings, self.found = context, context.words, editings, editings.found
        self.chosen = chosen if chosen in self.found else next(iter(self.found))

    @property
    def editing(self) -> HierarchyEditor:
        """What is edited now."""
        return self.editings.of[self.chosen]

    def show(self) -> None:
        """Build it."""
        self.place = ui.element("div")
        with self.place:
            for error in self.editings.mistakes:
                show_error(error, self.words)
        self.bar = ui.element("div").classes("next-bar")
        with ui.element("div").classes("two-parts"):
            self.list = ui.element("nav").classes("column-list")
            self.list.props["aria-label"] = self.words("Quasi-identifiers")
            self.editor = ui.element("section").classes("editor panel")
        self._show_bar()
        self._show_list()
        self._show_editor()

    # The bar and the list

    def _show_bar(self) -> None:
        words, there = self.words, self.context.link("goals")
        with self.bar:
            with ui.element("div").classes("next-text"):
                ui.label(
                    words(
                        "A hierarchy says what every value becomes, level by level, until all are the same."
                    )
                ).classes("next-title")
                ui.label(
                    words("Columns without one of their own get the proposed one when the project runs.")
                ).classes("quiet")
            with ui.element("div").classes("next-actions"):
                self.save = ui.button(words("Save changes"), on_click=self._save).props("unelevated no-caps")
                self.next = ui.button(words("Next: privacy goals"), on_click=lambda: ui.navigate.to(there))
                self.next.props("unelevated no-caps")
        self._fill_bar()

    def _fill_bar(self) -> None:
        changed = bool(self.editings.changed)
        self.save.set_visibility(changed)
        self.next.set_visibility(not changed)
        with self.bar:
            question = "event => event.preventDefault()" if changed else "null"
            ui.run_javascript(f"window.onbeforeunload = {question}")

    def _show_list(self) -> None:
        self.choices: dict[str, tuple[Any, Any, Any]] = {}
        with self.list:
            for column in self.found:
                button = ui.element("button").classes("column-choice").props("type=button")
                button.on("click", lambda _, column=column: self._choose(column))
                with button:
                    ui.label(column).classes("column-name")
                    self.choices[column] = (
                        button,
                        ui.label("").classes("quiet"),
                        ui.label("").classes("wrong-count"),
                    )
        self._fill_list()

    def _fill_list(self) -> None:
        words = self.words
        for column, (button, state, wrong) in self.choices.items():
            is_current, count = column == self.chosen, len(self.editings.wrong[column])
            button.classes(add="current" if is_current else "", remove="" if is_current else "current")
            button.props["aria-current"] = "true" if is_current else "false"
            state.set_text(self._state(column))
            told = words("1 problem") if count == 1 else words("{count} problems", count=count)
            wrong.set_text(told)
            wrong.set_visibility(bool(count))

    def _state(self, column: str) -> str:
        words = self.words
        if column in self.editings.changed:
            return words("changed, not saved")
        return words("your own") if column in self.editings.given else words("as proposed")

    def _choose(self, column: str) -> None:
        self.chosen = column
        self._fill_list()
        self._show_editor()

    # The editor

    def _show_editor(self) -> None:
        words, entry = self.words, self.found[self.chosen]
        self.editor.clear()
        with self.editor:
            with ui.element("div").classes("heading editor-heading"):
                heading = ui.element("h2")
                with heading:
                    ui.label(self.chosen)
                explain(self.context, "word", "hierarchy")
            if not entry["proposed"]:
                ui.label(
                    words(
                        "This column has {count} different values, too many to edit here. "
                        "The proposed hierarchy is used when the project runs.",
                        count=words.number(entry["count"]),
                    )
                )
                return
            self._about(entry)
            self._tools(entry)
            self.mistake = ui.element("div")
            self.warnings = ui.element("div").props("role=status aria-live=polite")
            self.views = HierarchyViews(self.context, self.editing, entry["values"], self._changed)
            self.views.show()
            self._show_warnings()

    def _about(self, entry: HierarchyResult) -> None:
        words = self.words
        facts = words("{count} different values", count=words.number(entry["count"]))
        if entry["missing"]:
            facts += ", " + words("{count} missing", count=words.number(entry["missing"]))
        ui.label(facts).classes("quiet")
        if self.chosen not in self.editings.given:
            proposed = entry["proposed"]
            reason = "" if proposed is None else words.render(proposed["reason"])
            ui.label(words("Proposed: {reason}", reason=reason)).classes("quiet")

    def _tools(self, entry: HierarchyResult) -> None:
        words = self.words
        with ui.element("div").classes("editor-tools"):
            self.undo = ui.button(words("Undo"), icon="undo", on_click=self._undo)
            self.undo.set_enabled(bool(self.editing.past))
            propose = ui.button(words("Use the proposal"), icon="auto_fix_high", on_click=self._propose)
            build = ui.button(words("Build by rule"), icon="build", on_click=lambda: self._build(entry))
            export = ui.button(words("Export"), icon="download", on_click=self._export)
            for button in (self.undo, propose, build, export):
                button.props("flat dense no-caps")
            self._import()
            if self.chosen in self.editings.given:
                ui.button(words("Remove my own"), on_click=self._forget).props(
                    "flat dense no-caps color=secondary"
                )

    def _import(self) -> None:
        column = self.chosen
        name = self.editings.file(column)
        FileUpload(
            url=f"/api/v1/projects/{self.context.project.id}/hierarchies/{quote(name, safe='')}/file"
            f"?column={quote(column, safe='')}&ending={{ending}}",
            csrf=self.context.csrf,
            texts={**upload_texts(self.context), "choose": self.words("Import a file")},
            accept=".csv,.txt,.tsv,.json",
            is_small=True,
            is_primary=False,
            done=lambda facts: self._imported(column, name),
        )

    def _show_warnings(self) -> None:
        words, wrong = self.words, self.editings.wrong[self.chosen]
        self.warnings.clear()
        with self.warnings:
            if not wrong:
                ui.label(words("Nothing is wrong with it.")).classes("all-well")
            for problem in wrong:
                with ui.element("div").classes("warning"):
                    with ui.element("div"):
                        ui.label(words.render(problem["what"])).classes("warning-what")
                        ui.label(words.render(problem["remedy"])).classes("quiet")
                    if problem["kind"] == "root":
                        ui.button(words("Add the level"), on_click=self._mend_root).props(
                            "flat dense no-caps"
                        )
                    if problem["kind"] == "missing":
                        ui.button(words("Add the values"), on_click=self._mend_missing).props(
                            "flat dense no-caps"
                        )

    # What a person does

    async def _changed(self) -> None:
        """Something was edited: look at it, and show it."""
        await self.editings.check(self.chosen)
        self.undo.set_enabled(bool(self.editing.past))
        self.views.refresh()
        self._show_warnings()
        self._fill_bar()
        self._fill_list()

    async def _replace(self, rows: Any) -> None:
        self.editing.change(rows)
        await self._changed()

    async def _undo(self) -> None:
        if self.editing.undo():
            await self._changed()

    async def _propose(self) -> None:
        proposed = self.found[self.chosen]["proposed"]
        if proposed is not None:
            await self._replace(tuple(tuple(row) for row in proposed["rows"]))

    async def _mend_root(self) -> None:
        await self._replace(add_root(self.editing.rows))

    async def _mend_missing(self) -> None:
        await self._replace(add_missing(self.editing.rows, self.found[self.chosen]["values"]))

    def _build(self, entry: HierarchyResult) -> None:
        with self.place:
            ask_builder(self.context, self.chosen, entry["type"], entry["values"], self._replace)

    async def _imported(self, column: str, name: str) -> None:
        """A file has come for a column, which need not be the one that is looked at by now."""
        with ErrorBoundary(self.context, self.place) as attempt:
            await self.editings.take(column, name)
            attempt.result = True
        if attempt.result:
            self._show_again(is_same=column == self.chosen)
            self._tell(self.words("Imported and saved"))

    def _export(self) -> None:
        name = self.editings.file(self.chosen)
        ui.download.content(spell_levels(self.editing.rows), f"{name}.csv")

    async def _forget(self) -> None:
        with ErrorBoundary(self.context, self.mistake) as attempt:
            await self.editings.forget(self.chosen)
            attempt.result = True
        if attempt.result:
            self._show_again()

    async def _save(self) -> None:
        for column in self.editings.changed:
            with ErrorBoundary(self.context, self.place) as attempt:
                await self.editings.save(column)
                attempt.result = True
            if not attempt.result:
                return
        self._tell(self.words("Saved"))
        self._show_again()
        with self.bar:
            ui.run_javascript(f"getElement({self.next.id}).$el.focus()")

    def _show_again(self, *, is_same: bool = True) -> None:
        self._fill_bar()
        self._fill_list()
        if is_same:
            self._show_editor()

    def _tell(self, text: str) -> None:
        with self.bar:  # whatever was clicked may be gone by now
            ui.notify(text, type="positive")
