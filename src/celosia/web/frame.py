"""What every page has around it: the name, the steps from table to release, language, help, and who is signed in."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from urllib.parse import quote

from nicegui import ui

from celosia.server.access import MemberRole
from celosia.web.job_notices import show_job_notices
from celosia.web.page_context import PageContext
from celosia.web.tour import show_tour
from celosia.words import phrase

__all__ = ["STEPS", "frame"]

STEPS = (
    ("data", phrase("Data"), MemberRole.ANALYST),
    ("hierarchies", phrase("Hierarchies"), MemberRole.ANALYST),
    ("goals", phrase("Privacy goals"), MemberRole.ANALYST),
    ("solutions", phrase("Solutions"), MemberRole.ANALYST),
    ("result", phrase("Result"), MemberRole.VIEWER),
    ("compare", phrase("Compare"), MemberRole.ANALYST),
    ("manage", phrase("Manage"), MemberRole.VIEWER),
)
"""The pages of a project in the order of the work, and who sees them."""


@contextmanager
def frame(context: PageContext, title: str, *, step: str | None) -> Iterator[None]:
    """The page around what is built within."""
    words = context.words
    ui.page_title(f"{title} · Celosía")
    ui.add_head_html(
        '<link rel="stylesheet" href="/static/style.css"><script type="module" src="/static/session.js"></script>'
    )
    ui.colors(
        primary="#1f4e79", secondary="#5b6b7a", accent="#b3541e", positive="#1b6e4b", negative="#a4262c"
    )
    _leave_main_to_us()
    ui.html(f'<a class="skip" href="#main">{words("Skip to the content")}</a>', sanitize=False)
    with ui.element("header").classes("top"):
        with ui.element("div").classes("top-line"):
            with (
                ui.link(target="/")
                .classes("brand")
                .props(f'aria-label="{words("Celosía, list of projects")}"')
            ):
                ui.html('<span class="brand-mark" aria-hidden="true"></span>', sanitize=False)
                ui.label("Celosía")
            if context.held is not None:
                ui.label(context.held.name).classes("project-name")
            ui.space()
            _tools(context)
        if context.held is not None:
            _steps(context, step)
    with ui.element("main").classes("content").props('id=main tabindex="-1"'):
        ui.html(f"<h1>{escape(title)}</h1>", sanitize=False)
        show_job_notices(context, step)
        if context.held is not None:
            show_tour(context, step)
        yield


def _leave_main_to_us() -> None:
    """A page has one main part, and it is not the header: Quasar would make one around everything."""
    around: ui.element | None = ui.context.slot.parent
    while around is not None and around.tag != "q-page":
        around = around.parent_slot.parent if around.parent_slot is not None else None
    if around is not None:
        around.props("role=none")


def _tools(context: PageContext) -> None:
    words = context.words
    with ui.element("nav").classes("tools").props(f'aria-label="{words("Language and help")}"'):
        ui.link(words("Help"), "/help")
        other, name = ("es", "Español") if words.language == "en" else ("en", "English")
        here = quote(context.request.url.path)
        ui.link(name, f"/language/{other}?next={here}").props(f"lang={other} hreflang={other}")
        if context.service.settings.has_users:
            ui.label(context.user.name).classes("who")
            ui.link(words("Sign out"), "/sign-out")


def _steps(context: PageContext, step: str | None) -> None:
    words = context.words
    with ui.element("nav").classes("steps").props(f'aria-label="{words("Steps")}"'):
        for number, (name, title, needed) in enumerate(STEPS, 1):
            if not context.may(needed):
                continue
            link = ui.link(target=context.link(name)).classes("step")
            if name == step:
                link.classes("current").props("aria-current=page")
            with link:
                if number <= 5:
                    ui.label(str(number)).classes("step-number").props("aria-hidden=true")
                ui.label(words(title))
