"""The data of a project: where its tables come from, and what their columns are."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.erasing import erase_previews
from celosia.server.job import Job
from celosia.server.projects import read_version
from celosia.server.queue import OPEN
from celosia.server.sources import list_sources, remove_source
from celosia.server.work.results import FirstRowsResult, ProfileResult
from celosia.web.concept_help import explain
from celosia.web.data.add_table import show_add_table
from celosia.web.data.column_page import ColumnPage
from celosia.web.data.reading_form import show_reading
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, page
from celosia.words import phrase

__all__: list[str] = []


@page("/projects/{project}/data", phrase("Data"), step="data")
def data(context: PageContext) -> None:
    """All tables, and the one that is looked at."""
    ui.add_head_html('<link rel="stylesheet" href="/static/tables.css">')
    if not context.may(MemberRole.ANALYST):
        ui.label(context.words("The rows of the table are for analysts of the project only.")).classes(
            "empty"
        )
        return
    root = ui.element("div")
    _build(context, root, context.request.query_params.get("table", ""))


def _build(context: PageContext, root: ui.element, asked: str) -> None:
    """The whole page, with a table that is asked for if there is one."""
    tables = context.reread().document.get("tables") or {}
    root.clear()
    with root:
        if not tables:
            _begin(context, root)
            return
        name = asked if asked in tables else next(iter(tables))
        _tabs(context, root, list(tables), name)
        place = ui.element("div")
        with place:
            _table(context, name, place)


def _begin(context: PageContext, root: ui.element) -> None:
    words = context.words
    with ui.element("section").classes("begin"):
        ui.label(words("Begin with a table about people: one row for each of them, as it is.")).classes(
            "empty-title"
        )
        ui.label(words("Nothing of it is released before you say so.")).classes("quiet")
        show_add_table(context, lambda name: _open(context, root, name), is_first=True)


def _open(context: PageContext, root: ui.element, name: str) -> None:
    """Look at a table that has just come, on the same page: loading another would take longer than the look."""
    context.submit("profile", table=name)
    _build(context, root, name)
    with root:
        ui.run_javascript(f"history.replaceState(null, '', {json.dumps('?table=' + quote(name))})")


def _tabs(context: PageContext, root: ui.element, names: list[str], chosen: str) -> None:
    words = context.words
    with ui.element("div").classes("tabs-line"):
        with ui.element("nav").classes("tabs") as tabs:
            tabs.props["aria-label"] = words("Tables")
            for name in names:
                link = ui.link(name, f"{context.link('data')}?table={quote(name)}").classes("tab")
                if name == chosen:
                    link.classes("current").props("aria-current=page")
        ui.space()
        ui.button(words("Add a table"), icon="add", on_click=lambda: _ask_table(context, root)).props(
            "flat no-caps"
        )
        ui.button(
            words("Remove"), icon="delete_outline", on_click=lambda: _ask_removal(context, root, chosen)
        ).props("flat no-caps color=secondary")


def _ask_table(context: PageContext, root: ui.element) -> None:
    words = context.words

    def opened(name: str) -> None:
        dialog.close()
        _open(context, root, name)

    with ui.dialog() as dialog, ui.card().classes("dialog adding-dialog"):
        ui.label(words("Add a table")).classes("dialog-title")
        show_add_table(context, opened, is_first=False)
        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
    dialog.open()


def _ask_removal(context: PageContext, root: ui.element, name: str) -> None:
    words = context.words
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("Remove {name} from the project?", name=name)).classes("dialog-title")
        ui.label(
            words(
                "An uploaded file is erased from the service. Releases that were made of it stay until they are erased."
            )
        )
        place = ui.element("div")

        def remove() -> None:
            with ErrorBoundary(context, place) as attempt:
                source = context.reread().document["tables"][name].get("source")
                context.change(lambda document: document["tables"].pop(name, None), f"without {name}")
                _erase_file(context, source)
                erase_previews(context.service, context.user, context.project.id, name)
                attempt.result = True
            if attempt.result:
                dialog.close()
                _build(context, root, "")

        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            ui.button(words("Remove"), on_click=remove).props("unelevated no-caps color=negative")
    dialog.open()


def _erase_file(context: PageContext, source: Any) -> None:
    """Erase the file of a table that no other table of the project reads."""
    path = source.get("path") if isinstance(source, Mapping) else source
    others = [
        (table or {}).get("source") for table in (context.reread().document.get("tables") or {}).values()
    ]
    if path in [other.get("path") if isinstance(other, Mapping) else other for other in others]:
        return
    for stored in list_sources(context.service, context.user, context.project.id):
        if stored["kind"] == "file" and stored["address"] == path:
            remove_source(context.service, context.user, context.project.id, stored["id"])


def _table(context: PageContext, name: str, place: ui.element) -> None:
    """What is known of a table: the job that looks at it, or what it found."""
    job = _latest(context, name)
    if job is None:
        job = context.submit("profile", table=name)
    if job["state"] == "done":
        ui.timer(0, lambda: _show(context, name, place, job), once=True)
        ui.label(context.words("Loading…")).classes("quiet")
        return
    if job["state"] in OPEN:
        show_job(context, job, lambda finished: _show(context, name, place, finished))
    else:
        show_job(context, job, lambda _: None, ended=lambda _: None)
        ui.button(context.words("Look at it again"), on_click=lambda: _again(context, name, place)).props(
            "outline no-caps"
        )
    show_reading(
        context,
        name,
        context.reread().document["tables"][name].get("source"),
        lambda: _again(context, name, place),
    )


def _again(context: PageContext, name: str, place: ui.element, **parameters: Any) -> None:
    place.clear()
    with place:
        job = context.submit("profile", table=name, **parameters)
        show_job(context, job, lambda finished: _show(context, name, place, finished))


async def _show(context: PageContext, name: str, place: ui.element, job: Job) -> None:
    try:
        result = await asyncio.to_thread(context.service.queue.result, context.user, job["id"])
    except CelosiaError:
        _again(context, name, place)
        return
    profile = cast(ProfileResult, result)
    place.clear()
    with place:
        ColumnPage(context, name, profile, again=lambda **more: _again(context, name, place, **more)).show()
        if profile["first"] is not None:
            _preview(context, profile["first"])
        source = context.reread().document["tables"][name].get("source")
        show_reading(context, name, source, lambda: _again(context, name, place), profile.get("reading"))


def _preview(context: PageContext, first: FirstRowsResult) -> None:
    """The first rows, as they are."""
    from html import escape

    words = context.words
    rows = first["rows"][:20]
    with ui.element("section").classes("preview"):
        with ui.element("div").classes("heading"):
            ui.html(f"<h2>{escape(words('The first rows'))}</h2>", sanitize=False)
            explain(context, "word", "table")
        title = escape(words("The first {count} rows", count=len(rows)))
        head = "".join(f'<th scope="col">{escape(str(column))}</th>' for column in first["columns"])
        body = "".join(
            "<tr>"
            + "".join(f"<td>{'' if cell is None else escape(str(cell)[:200])}</td>" for cell in row)
            + "</tr>"
            for row in rows
        )
        ui.html(
            f'<div class="table-box" tabindex="0" role="region" aria-label="{title}"><table class="grid">'
            f'<caption class="unseen">{title}</caption><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>",
            sanitize=False,
        )


def _latest(context: PageContext, name: str) -> Job | None:
    """The last job that looked at the table as the document says it now."""
    jobs = context.service.queue.list(context.user, context.project.id, "profile", last=20)
    source = context.reread().document["tables"][name].get("source")
    for job in jobs:
        if job["parameters"].get("table") == name and job["state"] != "cancelled":
            then = read_version(context.service, context.user, context.project.id, job["version"])
            is_same = ((then.get("tables") or {}).get(name) or {}).get("source") == source
            return job if is_same else None
    return None
