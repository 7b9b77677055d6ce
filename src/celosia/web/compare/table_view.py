"""Looking at the table before anything is done to it: summary, attributes, statistics, the class, rows."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.web.charts import bar_options, show_chart
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error
from celosia.web.plain_table import show_table
from celosia.words import Words, phrase

__all__ = ["TableView", "statistics_rows"]

NUMBERS = ("minimum", "maximum", "mean", "deviation", "median")
TYPES = {
    "integer": phrase("whole number"),
    "decimal": phrase("number"),
    "date": phrase("date"),
    "datetime": phrase("date and time"),
    "boolean": phrase("yes or no"),
    "text": phrase("text"),
}


def statistics_rows(columns: Mapping[str, Mapping[str, Any]], words: Words) -> list[list[str]]:
    """A row of texts for every column.

    >>> one = {"age": {"type": "integer", "missing": 0, "distinct": 2, "unique": 1, "minimum": 31, "mean": 41.667}}
    >>> statistics_rows(one, Words("en"))
    [['age', 'whole number', '0', '2', '1', '31', '', '41.67', '', '']]
    """
    rows = []
    for name, statistics in columns.items():
        numbers = ["" if statistics.get(key) is None else words.number(statistics[key]) for key in NUMBERS]
        counts = [words.number(statistics[key], 0) for key in ("missing", "distinct", "unique")]
        rows.append([name, _type(statistics["type"], words), *counts, *numbers])
    return rows


def _type(kind: str, words: Words) -> str:
    return words(TYPES[kind]) if kind in TYPES else kind


class TableView:
    """The part of the page with the tabs of the table; ``target`` is the class it is looked at by."""

    def __init__(self, context: PageContext, target: str | None) -> None:
        self.context, self.target = context, target
        self.place = ui.element("div")

    async def show(self) -> None:
        """What the latest look found, or a button to look."""
        context, words = self.context, self.context.words
        latest = next(
            iter(context.service.queue.list(context.user, context.project.id, "look", last=1)), None
        )
        view = None
        if latest is not None and latest["state"] == "done" and latest["version"] == context.reread().version:
            # Before anything is cleared: with the job on the page goes whoever waits for it.
            view = await in_thread(context.service.queue.result, context.user, latest["id"])
        self.place.clear()
        with self.place:
            if latest is not None and latest["state"] in OPEN:
                show_job(context, latest, self._done)
            elif view is not None:
                self._tabs(view)
            else:
                with ui.element("section").classes("empty"):
                    ui.label(words("Nobody looked at this table yet.")).classes("empty-title")
                    ui.label(
                        words("See its attributes, their statistics, and how their values go with the class.")
                    )
                    with ui.element("div").classes("empty-actions"):
                        ui.button(words("Look at the table"), on_click=self._look_first).props(
                            "outline no-caps"
                        )

    def _look_first(self) -> None:
        self._look()

    def _look(self, start: int = 0) -> None:
        told = {} if self.target is None else {"target": self.target}
        try:
            job = self.context.submit("look", start=start, **told)
        except CelosiaError as error:
            with self.place:
                show_error(error, self.context.words)
            return
        self.place.clear()
        with self.place:
            show_job(self.context, job, self._done)

    async def _done(self, _: Job) -> None:
        await self.show()

    def _tabs(self, view: Mapping[str, Any]) -> None:
        words = self.context.words
        titles = {
            "summary": words("Summary"),
            "attributes": words("Attributes"),
            "statistics": words("Statistics"),
            "class": words("Against the class"),
            "rows": words("Browse"),
        }
        with ui.tabs().props("no-caps dense align=left").classes("sections") as bar:
            for key, title in titles.items():
                ui.tab(key, title)
        with ui.tab_panels(bar, value="summary").classes("section-panels").props("animated=false"):
            with ui.tab_panel("summary"):
                self._summary(view["summary"])
            with ui.tab_panel("attributes"):
                self._attributes(view["columns"])
            with ui.tab_panel("statistics"):
                self._statistics(view["statistics"])
            with ui.tab_panel("class"):
                self._classes(view["distributions"], view["summary"]["class"])
            with ui.tab_panel("rows"):
                self._rows(view["rows"])

    def _summary(self, view: Mapping[str, Any]) -> None:
        words = self.context.words
        facts = [
            (words("Table"), str(view["name"])),
            (words("Rows"), words.number(view["rows"], 0)),
            (words("Attributes"), words.number(view["columns"], 0)),
            (words("Rows without a missing value"), words.number(view["complete_rows"], 0)),
            (words("Class"), str(view["class"])),
        ]
        show_table([words("What"), words("Value")], facts, caption=words("Summary"))
        rows = [
            [name or words("(missing)"), words.number(count, 0)] for name, count in view["classes"].items()
        ]
        show_table([str(view["class"]), words("Rows")], rows, caption=words("Values of the class"), right=[1])

    def _attributes(self, attributes: list[Mapping[str, Any]]) -> None:
        words = self.context.words
        rows = [
            [
                str(attribute["name"]),
                _type(attribute["type"], words),
                words("numeric") if attribute["is_numeric"] else words("nominal"),
                words("class") if attribute["is_class"] else "",
            ]
            for attribute in attributes
        ]
        heads = [words("Attribute"), words("Type"), words("Kind"), words("Class")]
        show_table(heads, rows, caption=words("Attributes"))

    def _statistics(self, statistics: Mapping[str, Mapping[str, Any]]) -> None:
        words = self.context.words
        heads = [
            words("Attribute"),
            words("Type"),
            words("Missing"),
            words("Distinct"),
            words("Unique"),
            words("Minimum"),
            words("Maximum"),
            words("Mean"),
            words("Deviation"),
            words("Median"),
        ]
        show_table(heads, statistics_rows(statistics, words), caption=words("Statistics"), right=range(2, 10))

    def _classes(self, classes: Mapping[str, Mapping[str, Any]], target: str) -> None:
        words = self.context.words

        def draw(column: str) -> None:
            column_classes = classes[column]
            series = {
                name or words("(missing)"): counts for name, counts in column_classes["classes"].items()
            }
            values = [words.render(value) for value in column_classes["values"]]
            options = bar_options(values, series, is_share=False)
            for bars in options["series"]:
                bars["stack"] = "rows"
            place.clear()
            with place:
                show_chart(
                    self.context,
                    options,
                    title=words(
                        "Values of {column} in every class of {target}", column=column, target=target
                    ),
                    heads=[column, *series],
                    rows=[
                        [value, *(words.number(counts[number], 0) for counts in series.values())]
                        for number, value in enumerate(values)
                    ],
                    tall=True,
                )

        columns = [name for name in classes if name != target] or list(classes)
        ui.select(
            columns, value=columns[0], label=words("Attribute"), on_change=lambda event: draw(event.value)
        ).props("outlined dense options-dense")
        place = ui.element("div")
        draw(columns[0])

    def _rows(self, view: Mapping[str, Any]) -> None:
        words, start, of = self.context.words, view["start"], view["of"]
        last = start + len(view["rows"])
        rows = [
            [words.number(start + number, 0), *("" if value is None else str(value) for value in row)]
            for number, row in enumerate(view["rows"], 1)
        ]
        show_table(["#", *view["columns"]], rows, caption=words("Rows of the table"))
        with ui.element("div").classes("row-line"):
            back = ui.button(words("Earlier rows"), on_click=lambda: self._look(max(0, start - 100)))
            back.props("flat no-caps").set_enabled(start > 0)
            told = words(
                "{first} to {last} of {rows}",
                first=words.number(start + 1, 0),
                last=words.number(last, 0),
                rows=words.number(of, 0),
            )
            ui.label(told)
            more = ui.button(words("Later rows"), on_click=lambda: self._look(last))
            more.props("flat no-caps").set_enabled(last < of)
