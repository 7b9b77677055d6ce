"""A study: the table released at many k, each release measured and learnt from; its start, its curves, its table."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.web.charts import line_options, show_chart
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error
from celosia.web.plain_table import show_table
from celosia.words import Words, phrase

__all__ = ["StudyPanel", "read_ks"]

KS = (2, 5, 10, 25, 50, 100)
BETRAYED = " betrayed"
HEADS = {"k": phrase("k"), "loss": phrase("Loss")}


def read_ks(text: str) -> tuple[int, ...]:
    """The values of k that somebody wrote; what is no whole number from 2 on is left out.

    >>> read_ks("5, 2; 10 x 1 5")
    (2, 5, 10)
    """
    parts = "".join(part if part.isdigit() else " " for part in text).split()
    return tuple(sorted({int(part) for part in parts if 2 <= int(part) <= 1_000_000}))


class StudyPanel:
    """The part of the page about the study of a project."""

    def __init__(self, context: PageContext) -> None:
        self.context = context
        self.form, self.place = ui.element("div"), ui.element("div")

    async def show(self) -> None:
        """What to study, a study that runs, and what the latest found."""
        context = self.context
        listed = context.service.queue.list(context.user, context.project.id, "study", last=20)
        running = next((job for job in listed if job["state"] in OPEN), None)
        done = next((job for job in listed if job["state"] == "done"), None)
        # Before anything is cleared: with the job on the page goes whoever waits for it.
        result = (
            None if done is None else await in_thread(context.service.queue.result, context.user, done["id"])
        )
        self.form.clear()
        with self.form:
            if running is not None:
                show_job(context, running, self._done, ended=self._ended)
            else:
                self._ask()
        self.place.clear()
        if result is not None and "overview" in result:
            with self.place:
                self._found(result)

    def _ask(self) -> None:
        words, document = self.context.words, self.context.reread().document
        asked = document.get("study") or {}
        with ui.element("section").classes("panel"):
            ui.label(
                words(
                    "The table is released at every k you name. Models learn from each release and are asked about "
                    "people who are in none of them: what they get right is use; what they get right about the "
                    "released people alone is a leak."
                )
            )
            with ui.element("div").classes("row-line"):
                ks = ui.input(words("Values of k"), value=", ".join(map(str, asked.get("k") or KS))).props(
                    "outlined dense"
                )
                ui.button(words("Start the study"), on_click=lambda: self._start(ks.value or "")).props(
                    "outline no-caps"
                )

    def _start(self, text: str) -> None:
        context, words, ks = self.context, self.context.words, read_ks(text)
        if not ks:
            ui.notify(words("Name at least one k, from 2 on."), type="warning")
            return

        def change(document: dict[str, Any]) -> None:
            document["study"] = {**(document.get("study") or {}), "k": list(ks)}

        try:
            context.change(change, "values of k of the study")
            job = context.submit("study")
        except CelosiaError as error:
            with self.form:
                show_error(error, words)
            return
        self.form.clear()
        with self.form:
            show_job(context, job, self._done, ended=self._ended)

    async def _done(self, _: Job) -> None:
        await self.show()

    def _ended(self, _: Job) -> None:
        with self.form:
            self._ask()

    def _found(self, result: Mapping[str, Any]) -> None:
        words = self.context.words
        failed = {release["k"]: release["why_not"] for release in result["releases"] if release["why_not"]}
        with ui.element("div").classes("charts wide-charts"):
            for name, figure in result["figures"].items():
                if figure["kind"] == "lines" and figure["places"]:
                    self._curve(name, figure, is_only=len(result["overview"]) == 1)
        for called, table in result["overview"].items():
            ui.html(f"<h2>{words('Every k at a glance')}</h2>", sanitize=False)
            heads = [_head(head, result["models"], words) for head in table["heads"]]
            rows = [[self._cell(value) for value in row] for row in table["rows"]]
            show_table(
                heads, rows, caption=words.render(table.get("called", called)), right=range(1, len(heads))
            )
        for k, why in failed.items():
            ui.label(words("k = {k} could not be released: {why}", k=k, why=words.render(why))).classes(
                "quiet"
            )
        with ui.element("ul").classes("reading"):
            for sentence in result["reading"]:
                with ui.element("li"):
                    ui.label(words.render(sentence))
        ui.button(
            words("All numbers as CSV"),
            icon="download",
            on_click=lambda: ui.download.content(result["csv"], "study.csv"),
        ).props("flat no-caps")

    def _cell(self, value: Any) -> str:
        words = self.context.words
        if value is None:
            return ""
        if isinstance(value, str):
            return words("original") if value == "original" else value
        return words.number(value, 4)

    def _curve(self, name: str, figure: Mapping[str, Any], *, is_only: bool) -> None:
        words, places = self.context.words, figure["places"]
        title = (
            words("What is lost")
            if name == "loss"
            else words("What {model} predicts", model=_model(name.removeprefix("accuracy-"), words))
        )
        # With one choice of quasi-identifiers, its name behind every column tells nothing.
        series = {
            (words(HEADS["loss"]) if name == "loss" else line.rpartition(", ")[0])
            if is_only
            else line: values
            for line, values in figure["series"].items()
            if any(value is not None for value in values)
        }
        show_chart(
            self.context,
            line_options(places, series, x_title="k"),
            title=title,
            heads=["k", *series],
            rows=[
                [words.number(k, 0), *(self._cell(values[number]) for values in series.values())]
                for number, k in enumerate(places)
            ],
        )


def _head(head: str, models: Sequence[str], words: Words) -> str:
    """The head of a column: what is predicted or betrayed, and by which model.

    >>> _head("job betrayed, decision-tree", ["decision-tree"], Words("en"))
    'job betrayed, Decision tree'
    """
    if head in HEADS:
        return words(HEADS[head])
    column, _, model = head.rpartition(", ")
    if model not in models:
        return head
    if column.endswith(BETRAYED):
        return words(
            "{column} betrayed, {model}", column=column.removesuffix(BETRAYED), model=_model(model, words)
        )
    return f"{column}, {_model(model, words)}"


def _model(name: str, words: Words) -> str:
    return concept(ConceptKind.LEARNING_MODEL, name, words).title
