"""Comparing techniques: what each costs every model and what it protects; the table itself; and a study over k."""

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.web.compare.comparison_form import ComparisonForm, columns_of, target_of
from celosia.web.compare.comparison_view import show_comparison
from celosia.web.compare.study_panel import StudyPanel
from celosia.web.compare.table_view import TableView
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, page, show_error
from celosia.words import phrase

__all__: list[str] = []


@page("/projects/{project}/compare", phrase("Compare"), step="compare")
async def compare(context: PageContext) -> None:
    """Three parts behind tabs."""
    words = context.words
    ui.add_head_html('<link rel="stylesheet" href="/static/result.css">')
    ui.add_head_html('<link rel="stylesheet" href="/static/compare.css">')
    if not context.may(MemberRole.ANALYST):
        _say(
            words("Only for analysts"),
            words("Comparing looks at the table itself. Ask the owner for that part."),
        )
        return
    columns = await in_thread(columns_of, context)
    if not context.project.document.get("tables") or not columns:
        _say(
            words("There is no table yet."),
            words("Add a table and look at its columns first."),
            context.link("data"),
            words("To the data"),
        )
        return
    titles = {
        "techniques": words("Techniques and models"),
        "table": words("The table"),
        "study": words("Study over k"),
    }
    with ui.tabs().props("no-caps align=left").classes("sections") as bar:
        for key, title in titles.items():
            ui.tab(key, title)
    with ui.tab_panels(bar, value="techniques").classes("section-panels").props("animated=false"):
        with ui.tab_panel("techniques"):
            part = _Techniques(context, columns)
            await part.show()
        with ui.tab_panel("table"):
            looking = TableView(context, target_of(context.project.document, columns))
            await looking.show()
        with ui.tab_panel("study"):
            studying = StudyPanel(context)
            await studying.show()


def _say(title: str, text: str, target: str = "", action: str = "") -> None:
    with ui.element("section").classes("empty"):
        ui.label(title).classes("empty-title")
        ui.label(text)
        if target:
            with ui.element("div").classes("empty-actions"):
                ui.link(action, target)


class _Techniques:
    """The form, the job, and what the latest comparison found."""

    def __init__(self, context: PageContext, columns: list[str]) -> None:
        self.context = context
        ComparisonForm(context, columns, self._start)
        self.job, self.found = ui.element("div"), ui.element("div")

    async def show(self) -> None:
        """The latest comparison; one that runs is watched."""
        context = self.context
        listed = context.service.queue.list(context.user, context.project.id, "comparison", last=20)
        running = next((job for job in listed if job["state"] in OPEN), None)
        if running is not None:
            self._watch(running)
        done = next((job for job in listed if job["state"] == "done"), None)
        if done is None:
            return
        result = await in_thread(context.service.queue.result, context.user, done["id"])
        self.found.clear()
        with self.found:
            if "figures" in result:
                show_comparison(context, result)

    def _start(self) -> None:
        self.job.clear()
        try:
            job = self.context.submit("comparison")
        except CelosiaError as error:
            with self.job:
                show_error(error, self.context.words)
            return
        self._watch(job)

    def _watch(self, job: Job) -> None:
        self.job.clear()
        with self.job:
            show_job(self.context, job, self._done)

    async def _done(self, _: Job) -> None:
        await self.show()
