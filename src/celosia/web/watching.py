"""A job on a page: how far it is, a button that stops it, and what happens when it is done."""

from collections.abc import Callable
from inspect import isawaitable
from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError, ProjectError
from celosia.server.queue import OPEN
from celosia.web.visit import Visit, show_error

__all__ = ["watch"]

PACE = 0.25
"""Seconds between two looks."""


def watch(
    visit: Visit,
    job: dict[str, Any],
    done: Callable[[dict[str, Any]], Any],
    ended: Callable[[dict[str, Any]], Any] | None = None,
) -> None:
    """Show a job until it ends; ``done`` is called on the page with the job that succeeded, ``ended`` with another."""
    words, queue = visit.words, visit.service.queue
    with ui.element("section").classes("job").props("role=status aria-live=polite") as place:
        stage = ui.label(words("Waiting…")).classes("job-stage")
        bar = ui.linear_progress(0, show_value=False).props(
            f'aria-label="{words("Progress")}" instant-feedback'
        )
        with ui.element("div").classes("job-line"):
            share = ui.label("").classes("job-share")
            stop = ui.button(words("Cancel"), on_click=lambda: queue.cancel(visit.user, job["id"]))
            stop.props("flat color=secondary no-caps")

    async def look() -> None:
        try:
            found = queue.find(visit.user, job["id"])
        except CelosiaError as error:
            timer.deactivate()
            _say(error)
            return
        if found["state"] in OPEN:
            bar.set_value(found["share"])
            told = words.told(found["stage"]) or words("Waiting…")
            stage.set_text(told[:1].upper() + told[1:])
            share.set_text(words.percent(found["share"], 0) if found["share"] else "")
            return
        timer.deactivate()
        queue.see(visit.user, job["id"])
        if found["state"] == "done":
            place.delete()
            answer = done(found)
            if isawaitable(answer):
                await answer
        elif found["state"] == "cancelled":
            place.clear()
            with place:
                ui.label(words("Cancelled. Nothing was kept.")).classes("job-stage")
        else:
            said = found["error"] or {"what": "", "where": "", "remedy": ""}
            _say(ProjectError(said["what"], where=said["where"], remedy=said["remedy"]))
        if found["state"] != "done" and ended is not None:
            ended(found)

    def _say(error: CelosiaError) -> None:
        place.clear()
        with place:
            show_error(error, words)

    timer = ui.timer(PACE, look)
