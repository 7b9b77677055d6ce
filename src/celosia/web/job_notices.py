"""What ended while somebody was on another page: said on the page that she is on now, with the way there."""

from nicegui import ui

from celosia.server.job import Job
from celosia.web.audit_texts import JOBS
from celosia.web.page_context import PageContext

__all__ = ["show_job_notices"]

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


def show_job_notices(context: PageContext, step: str | None) -> None:
    """Tell of jobs of this person that ended, on every page but the one that shows them."""
    place = ui.element("div").classes("notices").props("role=status aria-live=polite")
    waiting: set[str] = set()

    def look() -> None:
        for job in context.service.queue.unseen(context.user, tuple(PAGES)):
            is_here = context.held is not None and context.held.id == job["project_id"]
            if is_here and PAGES[job["kind"]] == step:
                continue
            if job["id"] not in waiting:  # whoever watches it is about to see it
                waiting.add(job["id"])
                continue
            context.service.queue.see(context.user, job["id"])
            with place:
                _tell(context, job)

    ui.timer(PACE, look)


def _tell(context: PageContext, job: Job) -> None:
    words = context.words
    title = words(JOBS[job["kind"]])
    told = (
        words("Done: {what}", what=title)
        if job["state"] == "done"
        else words("It failed: {what}", what=title)
    )
    there = f"/projects/{job['project_id']}/{PAGES[job['kind']]}"
    with ui.element("div").classes("notice") as notice:
        ui.label(f"{job['project']} · {told}")
        ui.link(words("Look at it"), there)
        close = ui.button(icon="close", on_click=notice.delete).props(
            "flat dense round size=sm color=secondary"
        )
        close.props["aria-label"] = words("Close")
