"""Whoever went to another page meanwhile is told there that a job has ended."""

from typing import Any

from nicegui import ui

from celosia.web.visit import Visit
from celosia.words import phrase

__all__ = ["show_notices"]

PACE = 3.0
"""Seconds between two looks."""
NOTABLE = {
    "candidates": phrase("the search for solutions"),
    "balance": phrase("the balance of k"),
    "release": phrase("the release"),
    "evidence": phrase("the evidence"),
    "comparison": phrase("the comparison"),
    "study": phrase("the study"),
}
"""Jobs that take long enough to go elsewhere; a page waits for the others."""


def show_notices(visit: Visit) -> None:
    """Look now and then for jobs of this person that ended, and that no page has shown."""
    queue = visit.service.queue

    def look() -> None:
        for job in queue.unseen(visit.user, tuple(NOTABLE)):
            queue.see(visit.user, job["id"])
            _tell(visit, job)

    ui.timer(PACE, look)


def _tell(visit: Visit, job: dict[str, Any]) -> None:
    words = visit.words
    names = {"project": job["project"], "what": words(NOTABLE[job["kind"]])}
    if job["state"] == "done":
        ui.notify(words("{project}: {what} is done", **names), type="positive", timeout=8000)
    else:
        ui.notify(words("{project}: {what} failed", **names), type="negative", timeout=8000)
