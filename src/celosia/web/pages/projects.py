"""The first page: all projects, and how to begin one."""

import asyncio

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.listings import ListedProject
from celosia.server.projects import create_project, list_projects, new_document
from celosia.server.store import moment_of
from celosia.web.page_context import PageContext, page, show_error
from celosia.web.tour import begin_tour
from celosia.words import phrase

__all__: list[str] = []


@page("/", phrase("Projects"))
def projects(context: PageContext) -> None:
    """The list, the latest first."""
    words = context.words
    listed = list_projects(context.service, context.user)
    with ui.element("div").classes("actions"):
        ui.button(words("New project"), on_click=lambda: _ask(context)).props("unelevated no-caps")
        tour = ui.button(words("Take the tour"), on_click=lambda: _tour(context))
        tour.props("flat no-caps color=secondary")
    if not listed:
        with ui.element("section").classes("empty"):
            ui.label(words("There is no project yet.")).classes("empty-title")
            ui.label(
                words(
                    "A project takes a table from its raw form to a release that betrays nobody. "
                    "Begin with a file, or try it with the sample table first."
                )
            )
        return
    with ui.element("ul").classes("cards"):
        for project in listed:
            _card(context, project)


def _card(context: PageContext, project: ListedProject) -> None:
    words = context.words
    with ui.element("li").classes("card"):
        first = "result" if project["part"] is MemberRole.VIEWER else "data"
        with ui.link(target=f"/projects/{project['id']}/{first}").classes("card-title"):
            ui.label(project["name"])
        changed = words.moment(moment_of(project["changed"]))
        ui.label(words("changed {when}, version {number}", when=changed, number=project["version"])).classes(
            "quiet"
        )
        if project["owner"] != context.user.name:
            ui.label(words("shared by {owner}", owner=project["owner"])).classes("quiet")


async def _tour(context: PageContext) -> None:
    held = await asyncio.to_thread(begin_tour, context.service, context.user, context.words)
    ui.navigate.to(f"/projects/{held.id}/data")


def _ask(context: PageContext) -> None:
    words = context.words
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("New project")).classes("dialog-title")
        name = ui.input(words("Name")).props("autofocus outlined maxlength=120").classes("wide")
        place = ui.element("div")

        def make() -> None:
            try:
                held = create_project(
                    context.service, context.user, name.value or "", new_document(words.language)
                )
            except CelosiaError as error:
                place.clear()
                with place:
                    show_error(error, words)
                return
            ui.navigate.to(f"/projects/{held.id}/data")

        name.on("keydown.enter", make)
        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            ui.button(words("Create"), on_click=make).props("unelevated no-caps")
    dialog.open()
