"""What ended while somebody was on another page: said on the page that she is on now, with the way there."""

from typing import Any

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import Part
from celosia.web.deeds import JOBS
from celosia.web.visit import Visit

__all__ = ["notice_jobs"]

PACE = 3.0
"""Seconds between two looks; a page that watches a job itself sees its end sooner."""
PAGES = {
    "balance": "solutions",
    "candidates": "solutions",
    "comparison": "compare",
    "evidence": "result",
    "release": "result",
    "study": "compare",
}
"""Where people find what the jobs found that take long enough to go elsewhere."""


def notice_jobs(visit: Visit, step: str | None) -> None:
    """Tell of jobs of this person that ended, on every page but the one that shows them."""
    if not visit.may(Part.ANALYST):
        return
    place = ui.element("div").classes("notices").props("role=status aria-live=polite")
    waiting: set[str] = set()

    def look() -> None:
        try:
            found = ended_unseen(visit)
        except CelosiaError:  # the project was erased, or is no longer shared
            timer.deactivate()
            return
        for job in found:
            if PAGES[job["kind"]] == step:
                continue
            if job["id"] not in waiting:  # whoever watches it is about to see it
                waiting.add(job["id"])
                continue
            visit.service.queue.see(visit.user, job["id"])
            with place:
                _tell(visit, job)

    timer = ui.timer(PACE, look)


def ended_unseen(visit: Visit) -> list[dict[str, Any]]:
    """Jobs of this person that ended and that she was not told of."""
    return [
        job
        for job in visit.service.queue.list(visit.user, visit.project.id, last=10)
        if job["kind"] in PAGES
        and job["by"] == visit.user.name
        and job["state"] in ("done", "failed")
        and not job["seen"]
    ]


def _tell(visit: Visit, job: dict[str, Any]) -> None:
    words = visit.words
    what = words(JOBS[job["kind"]])
    told = (
        words("Done: {what}", what=what) if job["state"] == "done" else words("It failed: {what}", what=what)
    )
    with ui.element("div").classes("notice") as notice:
        ui.label(told)
        ui.link(words("Look at it"), visit.link(PAGES[job["kind"]]))
        close = ui.button(icon="close", on_click=notice.delete).props(
            "flat dense round size=sm color=secondary"
        )
        close.props["aria-label"] = words("Close")
