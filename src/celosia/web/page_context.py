"""The context of a page: who looks, in which language, and the doors to everything the page may need."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from inspect import isawaitable
from typing import Any

from fastapi import Request
from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole, User, may
from celosia.server.guard import speaking
from celosia.server.job import Job
from celosia.server.projects import StoredProject, read_project, update_project
from celosia.server.service import Service
from celosia.words import Words

__all__ = ["PageContext", "page", "show_error"]

Build = Callable[["PageContext"], Any]


@dataclass(frozen=True)
class PageContext:
    """Who looks at a page; ``words`` are hers, ``held`` is the project that the page is about, if it is about one."""

    service: Service
    user: User
    csrf: str
    words: Words
    request: Request
    held: StoredProject | None = None

    @property
    def project(self) -> StoredProject:
        """The project of this page."""
        assert self.held is not None
        return self.held

    def may(self, needed: MemberRole) -> bool:
        """Whether she has this part in the project."""
        return may(self.project.part, needed)

    def reread(self) -> StoredProject:
        """The project as it is now."""
        return read_project(self.service, self.user, self.project.id)

    def change(self, change: Callable[[dict[str, Any]], None], remark: str = "") -> StoredProject:
        """Change the document of the project, and keep it as a new version if it differs."""
        held = self.reread()
        document: dict[str, Any] = json.loads(json.dumps(held.document))
        change(document)
        if document == held.document:
            return held
        return update_project(
            self.service, self.user, held.id, document, expected=held.version, remark=remark
        )

    def link(self, step: str) -> str:
        """The address of another page about the same project."""
        return f"/projects/{self.project.id}/{step}"

    def submit(self, kind: str, **parameters: Any) -> Job:
        """Queue a job of the project."""
        return self.service.queue.submit(
            self.user, self.project.id, kind, parameters, language=self.words.language
        )


class _SpokenPage(ui.page):
    """A page in the language of whoever asks for it."""

    def resolve_language(self) -> Any:
        return {"es": "es"}.get(speaking.get(), "en-US")


def page(path: str, title: str, *, step: str | None = None) -> Callable[[Build], Build]:
    """Make a function of a context a page; ``{project}`` in the path is the project of that context.

    ``title`` is a phrase; ``step`` marks the page in the way from table to release.
    """

    def register(build: Build) -> Build:
        async def show(request: Request) -> None:
            await _show(build, request, title, step)

        _SpokenPage(path, response_timeout=30)(show)
        return build

    return register


async def _show(build: Build, request: Request, title: str, step: str | None) -> None:
    from celosia.web.frame import frame
    from celosia.web.site import current

    session, words, service = request.state.session, Words(request.state.language), current()
    context = PageContext(service, session.user, session.csrf, words, request)
    try:
        if "project" in request.path_params:
            held = read_project(service, session.user, request.path_params["project"])
            context = PageContext(service, session.user, session.csrf, words, request, held)
    except CelosiaError as error:
        with frame(context, words("Not found"), step=None):
            show_error(error, words)
        return
    ui.on_exception(lambda error: _show_unexpected_error(error, words))
    with frame(context, words(title), step=step):
        try:
            answer = build(context)
            if isawaitable(answer):
                await answer
        except CelosiaError as error:
            show_error(error, words)


def _show_unexpected_error(error: Exception, words: Words) -> None:
    """Nothing that somebody clicked ends in silence."""
    told = (
        str(words.error(error))
        if isinstance(error, CelosiaError)
        else words("That did not work. Load the page again, and try once more.")
    )
    ui.notify(told, type="negative", timeout=10000, close_button=words("Close"))


def show_error(error: CelosiaError, words: Words) -> None:
    """A mistake, on the page: what it is, where, and what to do."""
    told = words.error(error)
    with ui.element("div").classes("mistake").props("role=alert"):
        ui.label(told.what).classes("mistake-what")
        if told.where:
            ui.label(told.where).classes("mistake-where")
        if told.remedy:
            ui.label(told.remedy)
