"""A job on a page: how far it is, a button that stops it, and what happens when it is done."""

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError, ProjectError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.web.page_context import PageContext, show_error

__all__ = ["show_job"]

PACE = 0.25
"""Seconds between two looks."""
Then = Callable[[Job], Any]


def show_job(context: PageContext, job: Job, done: Then, ended: Then | None = None) -> None:
    """Show a job until it ends; ``done`` is called on the page with the job that succeeded, ``ended`` with another.

    Where nobody says what happens after a job that was cancelled or failed, it can be tried again.
    """
    _Watched(context, job, done, ended)


class _Watched:
    """A job, and the place on the page where it is shown."""

    def __init__(self, context: PageContext, job: Job, done: Then, ended: Then | None) -> None:
        self.context, self.job, self.done, self.ended = context, job, done, ended
        self.queue = context.service.queue
        self._draw()
        self.timer = ui.timer(PACE, self._look)

    def _draw(self) -> None:
        words = self.context.words
        with ui.element("section").classes("job").props("role=status aria-live=polite") as self.place:
            self.stage = ui.label(words("Waiting…")).classes("job-stage")
            self.bar = ui.linear_progress(0, show_value=False).props(
                f'aria-label="{words("Progress")}" instant-feedback'
            )
            with ui.element("div").classes("job-line"):
                self.share = ui.label("").classes("job-share")
                if self.context.may(MemberRole.ANALYST):
                    stop = ui.button(words("Cancel"), on_click=self._cancel)
                    stop.props("flat color=secondary no-caps")

    def _cancel(self) -> None:
        self.queue.cancel(self.context.user, self.job["id"])

    async def _look(self) -> None:
        words = self.context.words
        try:
            job = self.queue.find(self.context.user, self.job["id"])
        except CelosiaError as error:
            self.timer.deactivate()
            self._say(error)
            return
        if job["state"] not in OPEN:
            self.timer.deactivate()
            await self._end(job)
            return
        self.bar.set_value(job["share"])
        told = words.render(job["stage"]) or words("Waiting…")
        self.stage.set_text(told[:1].upper() + told[1:])
        self.share.set_text(words.percent(job["share"], 0) if job["share"] else "")

    async def _end(self, job: Job) -> None:
        words = self.context.words
        self.queue.see(self.context.user, self.job["id"])
        if job["state"] == "done":
            self.place.delete()
            answer = self.done(job)
            if isawaitable(answer):
                await answer
            return
        if job["state"] == "cancelled":
            self.place.clear()
            with self.place:
                ui.label(words("Cancelled. Nothing was kept.")).classes("job-stage")
        else:
            said = job["error"] or {"what": "", "where": "", "remedy": ""}
            self._say(ProjectError(said["what"], where=said["where"], remedy=said["remedy"]))
        if self.ended is not None:
            self.ended(job)
        elif self.context.may(MemberRole.ANALYST):
            with self.place:
                ui.button(words("Try again"), on_click=self._again).props("outline no-caps")

    def _again(self) -> None:
        try:
            job = self.queue.resume(self.context.user, self.job["id"])
        except CelosiaError as error:
            self._say(error)
            return
        parent = self.place.parent_slot
        assert parent is not None
        with parent:
            show_job(self.context, job, self.done)
        self.place.delete()

    def _say(self, error: CelosiaError) -> None:
        self.place.clear()
        with self.place:
            show_error(error, self.context.words)
