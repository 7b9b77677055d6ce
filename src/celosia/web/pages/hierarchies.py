"""The hierarchies of a project: what the values of every quasi-identifier become, level by level."""

import asyncio
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.projects import read_version
from celosia.server.queue import OPEN
from celosia.web.data.columns import plan_of
from celosia.web.hierarchies.hierarchy_editors import HierarchyEditors
from celosia.web.hierarchies.hierarchy_names import quasi_identifiers
from celosia.web.hierarchies.hierarchy_page import HierarchyPage
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, page
from celosia.words import phrase

__all__ = ["seen_of"]


@page("/projects/{project}/hierarchies", phrase("Hierarchies"), step="hierarchies")
def hierarchies(context: PageContext) -> None:
    """The hierarchies of one table."""
    ui.add_head_html('<link rel="stylesheet" href="/static/tables.css">')
    words, document = context.words, context.project.document
    if not context.may(MemberRole.ANALYST):
        ui.label(words("The values of the table are for analysts of the project only.")).classes("empty")
        return
    tables = document.get("tables") or {}
    asked = context.request.query_params.get("table", "")
    name = asked if asked in tables else next(iter(tables), "")
    if len(tables) > 1:
        _tabs(context, list(tables), name)
    if not name or not quasi_identifiers(document, name):
        _nothing(context, bool(name))
        return
    place = ui.element("div")
    with place:
        _look(context, name, place)


def _nothing(context: PageContext, has_table: bool) -> None:
    words = context.words
    with ui.element("section").classes("empty"):
        if has_table:
            ui.label(words("No column is a quasi-identifier yet.")).classes("empty-title")
            ui.label(
                words("Hierarchies are for columns that others may know about a person. Say which these are.")
            )
        else:
            ui.label(words("There is no table yet.")).classes("empty-title")
            ui.label(words("Hierarchies are built from the values of its columns. Begin with the table."))
        there = context.link("data")
        ui.button(words("Go to the data"), on_click=lambda: ui.navigate.to(there)).props(
            "unelevated no-caps"
        ).classes("empty-action")


def _tabs(context: PageContext, names: list[str], chosen: str) -> None:
    with ui.element("div").classes("tabs-line"), ui.element("nav").classes("tabs") as tabs:
        tabs.props["aria-label"] = context.words("Tables")
        for name in names:
            link = ui.link(name, f"{context.link('hierarchies')}?table={quote(name)}").classes("tab")
            if name == chosen:
                link.classes("current").props("aria-current=page")


def _look(context: PageContext, name: str, place: ui.element) -> None:
    """What is known of the columns: the job that counts their values, or what it found."""
    job = _latest(context, name) or context.submit("hierarchy", table=name)
    if job["state"] == "done":
        ui.label(context.words("Loading…")).classes("quiet")
        ui.timer(0, lambda: _show(context, name, place, job), once=True)
    else:
        show_job(context, job, lambda finished: _show(context, name, place, finished))


async def _show(context: PageContext, name: str, place: ui.element, job: Job) -> None:
    try:
        result = await asyncio.to_thread(context.service.queue.result, context.user, job["id"])
    except CelosiaError:  # it was erased
        place.clear()
        with place:
            again = context.submit("hierarchy", table=name)
            show_job(context, again, lambda finished: _show(context, name, place, finished))
        return
    # All is read before the place is cleared: whatever waits there is cut off then.
    editings = HierarchyEditors(context, name, result["columns"])
    await editings.load()
    place.clear()
    with place:
        if not editings.found:
            _nothing(context, True)
        else:
            HierarchyPage(context, editings, context.request.query_params.get("column", "")).show()


def seen_of(document: Mapping[str, Any], table: str) -> dict[str, Any]:
    """All of a document that the values of the quasi-identifiers of a table depend on.

    >>> seen_of({"tables": {"people": {"source": "people.csv", "columns": {"age": "quasi-identifier"}}}}, "people")
    {'source': 'people.csv', 'columns': {'age': (None, None)}}
    """
    plans = plan_of(document, table)
    source = ((document.get("tables") or {}).get(table) or {}).get("source")
    wanted = quasi_identifiers(document, table)
    return {
        "source": source,
        "columns": {name: (plans[name].get("type"), plans[name].get("operation")) for name in wanted},
    }


def _latest(context: PageContext, name: str) -> Job | None:
    """The last job that counted the values of the table as the document says it now."""
    now = seen_of(context.project.document, name)
    for job in context.service.queue.list(context.user, context.project.id, "hierarchy", last=20):
        asked = job["parameters"]
        if asked.get("table") == name and "column" not in asked and job["state"] in (*OPEN, "done"):
            then = read_version(context.service, context.user, context.project.id, job["version"])
            return job if seen_of(then, name) == now else None
    return None
