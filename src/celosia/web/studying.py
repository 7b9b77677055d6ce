"""A study: the table released at many k, each release measured and learnt from; its start, its curves, its table."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.queue import OPEN
from celosia.web.apart import apart
from celosia.web.charting import line_options, show_chart
from celosia.web.plain_table import show_table
from celosia.web.visit import Visit, show_error
from celosia.web.watching import watch
from celosia.words import phrase

__all__ = ["Studying", "read_ks"]

KS = (2, 5, 10, 25, 50, 100)
HEADS = {"k": phrase("k"), "loss": phrase("Loss")}


def read_ks(text: str) -> tuple[int, ...]:
    """The values of k that somebody wrote; what is no whole number from 2 on is left out.

    >>> read_ks("5, 2; 10 x 1 5")
    (2, 5, 10)
    """
    parts = "".join(one if one.isdigit() else " " for one in text).split()
    return tuple(sorted({int(part) for part in parts if 2 <= int(part) <= 1_000_000}))


class Studying:
    """The part of the page about the study of a project."""

    def __init__(self, visit: Visit) -> None:
        self.visit = visit
        self.form, self.place = ui.element("div"), ui.element("div")

    async def show(self) -> None:
        """What to study, a study that runs, and what the latest found."""
        visit = self.visit
        listed = visit.service.queue.list(visit.user, visit.project.id, "study", last=20)
        running = next((each for each in listed if each["state"] in OPEN), None)
        done = next((each for each in listed if each["state"] == "done"), None)
        # Before anything is cleared: with the job on the page goes whoever waits for it.
        found = None if done is None else await apart(visit.service.queue.result, visit.user, done["id"])
        self.form.clear()
        with self.form:
            if running is not None:
                watch(visit, running, self._done)
            else:
                self._ask()
        self.place.clear()
        if found is not None and "overview" in found:
            with self.place:
                self._found(found)

    def _ask(self) -> None:
        words, document = self.visit.words, self.visit.reread().document
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
        visit, words, ks = self.visit, self.visit.words, read_ks(text)
        if not ks:
            ui.notify(words("Name at least one k, from 2 on."), type="warning")
            return

        def change(document: dict[str, Any]) -> None:
            document["study"] = {**(document.get("study") or {}), "k": list(ks)}

        try:
            visit.change(change, words("values of k of the study"))
            job = visit.submit("study")
        except CelosiaError as error:
            with self.form:
                show_error(error, words)
            return
        self.form.clear()
        with self.form:
            watch(visit, job, self._done)

    async def _done(self, _: dict[str, Any]) -> None:
        await self.show()

    def _found(self, found: Mapping[str, Any]) -> None:
        words = self.visit.words
        failed = {each["k"]: each["why_not"] for each in found["releases"] if each["why_not"]}
        with ui.element("div").classes("charts wide-charts"):
            for name, one in found["figures"].items():
                if one["kind"] == "lines" and one["places"]:
                    self._curve(name, one)
        for called, table in found["overview"].items():
            ui.html(f"<h2>{words('Every k at a glance')}</h2>", sanitize=False)
            heads = [words(HEADS[head]) if head in HEADS else head for head in table["heads"]]
            rows = [[self._cell(value) for value in row] for row in table["rows"]]
            show_table(heads, rows, caption=called, right=range(1, len(heads)))
        for k, why in failed.items():
            ui.label(words("k = {k} could not be released: {why}", k=k, why=words.told(why))).classes("quiet")
        with ui.element("ul").classes("reading"):
            for sentence in found["reading"]:
                with ui.element("li"):
                    ui.label(words.told(sentence))
        ui.button(
            words("All numbers as CSV"),
            icon="download",
            on_click=lambda: ui.download.content(found["csv"], "study.csv"),
        ).props("flat no-caps")

    def _cell(self, value: Any) -> str:
        words = self.visit.words
        if value is None:
            return ""
        if isinstance(value, str):
            return words("original") if value == "original" else value
        return words.number(value, 4)

    def _curve(self, name: str, one: Mapping[str, Any]) -> None:
        words, places = self.visit.words, one["places"]
        model = name.removeprefix("accuracy-")
        title = words("What is lost") if name == "loss" else words("What {model} predicts", model=model)
        show_chart(
            self.visit,
            line_options(places, one["series"], x_title="k"),
            title=title,
            heads=["k", *one["series"]],
            rows=[
                [
                    words.number(k, 0),
                    *(
                        "" if values[number] is None else words.number(values[number], 4)
                        for values in one["series"].values()
                    ),
                ]
                for number, k in enumerate(places)
            ],
        )
