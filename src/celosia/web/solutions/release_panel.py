"""Beginning a search or a release from a page: the button, its progress, and the way to the result."""

from collections.abc import Callable
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error

__all__ = ["ReleasePanel", "begin_search"]


def begin_search(context: PageContext, table: str | None) -> Job:
    """Look for solutions of a table, and no longer for those of goals that were given up."""
    queue, asked = context.service.queue, {} if table is None else {"table": table}
    for job in queue.list(context.user, context.project.id, "candidates", last=20):
        if job["state"] in OPEN and job["parameters"].get("table") == table:
            queue.cancel(context.user, job["id"])
    return context.submit("candidates", **asked)


class ReleasePanel:
    """Where a release is begun: ``buttons`` draws what begins one; they give way to its progress while it runs."""

    def __init__(self, context: PageContext, buttons: Callable[["ReleasePanel"], None]) -> None:
        self._visit, self._buttons, self._is_running = context, buttons, False
        self._place = ui.element("div").classes("releasing")
        running = context.service.queue.list(context.user, context.project.id, "release", last=5)
        job = next((job for job in running if job["state"] in OPEN), None)
        if job is None:
            self.draw()
        else:
            self._watch(job)

    def draw(self) -> None:
        """Draw the buttons, anew where what they do has changed; a release that runs stays."""
        if self._is_running:
            return
        self._place.clear()
        with self._place:
            self._buttons(self)

    def begin(self, **parameters: Any) -> None:
        """Begin one."""
        try:
            job = self._visit.submit("release", **parameters)
        except CelosiaError as error:
            with self._place:
                show_error(error, self._visit.words)
            return
        self._watch(job)

    def _watch(self, job: Job) -> None:
        self._is_running = True
        self._place.clear()
        with self._place:
            self._said = ui.label(self._visit.words("The release is being made.")).classes("quiet")
            show_job(self._visit, job, self._done, ended=self._ended)

    def _done(self, _: Job) -> None:
        ui.navigate.to(self._visit.link("result"))

    def _ended(self, _: Job) -> None:
        self._is_running = False
        self._said.delete()
        with self._place:
            self._buttons(self)
