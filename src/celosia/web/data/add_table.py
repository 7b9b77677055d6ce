"""The ways by which a table comes into a project: a file, a database, a cluster, or the sample."""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from nicegui import ui

from celosia.server.samples import SAMPLES, add_sample
from celosia.server.sources import add_place, list_sources
from celosia.web.components import FileUpload
from celosia.web.data.database_form import show_database
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.page_context import PageContext

__all__ = ["add_table", "show_add_table", "table_name", "upload_texts", "use_sample"]

Added = Callable[[str], None]
"""What happens when there is a new table; it is given the name."""


def table_name(place: str, taken: Mapping[str, Any]) -> str:
    """What a table from some place is called: as its file, or as in the database; with a number where there is one.

    >>> table_name("data/people 2024.csv", {}), table_name("clinic.visits", {"visits": {}})
    ('people 2024', 'visits 2')
    """
    last = PurePosixPath(place.replace('"', "")).name
    stem = last.rsplit(".", 1)[0] if "/" in place else last.rsplit(".", 1)[-1]
    stem = re.sub(r"[^\w\- ]+", "_", stem).strip(" _") or "table"
    number = 2
    name = stem
    while name in taken:
        name, number = f"{stem} {number}", number + 1
    return name


def add_table(context: PageContext, source: Any, place: str) -> str:
    """Put a table into the document; its name."""
    name = ""

    def change(document: dict[str, Any]) -> None:
        nonlocal name
        tables = document.setdefault("tables", {})
        known = [
            other_name
            for other_name, table in tables.items()
            if _path((table or {}).get("source")) == _path(source)
        ]
        is_file = isinstance(source, str) or "table" not in source
        name = known[0] if known and is_file else table_name(place, tables)
        tables.setdefault(name, {})["source"] = source

    context.change(change, f"table from {place}")
    return name


async def use_sample(context: PageContext) -> str:
    """Add the sample table; its name."""
    language = context.words.language
    await asyncio.to_thread(add_sample, context.service, context.user, context.project.id, language=language)
    return SAMPLES[language]


def show_add_table(context: PageContext, added: Added, *, is_first: bool) -> None:
    """All ways that this service has."""
    words = context.words
    with ui.element("div").classes("adding"):
        _file(context, added)
        with ui.expansion(words("Connect a database")).classes("adding-way"):
            place = ui.element("div").classes("wide")
            show_database(context, lambda source, called: _use(context, source, called, added, place))
        if context.service.settings.cluster_places:
            with ui.expansion(words("A place on a cluster")).classes("adding-way"):
                _cluster(context, added)
    if is_first:
        with ui.element("div").classes("adding-sample"):
            ui.label(
                words(
                    "No table at hand? Two thousand discharges of people who do not exist show how it works."
                )
            )
            place = ui.element("div")

            async def sample() -> None:
                with ErrorBoundary(context, place) as attempt:
                    attempt.result = await use_sample(context)
                if attempt.result:
                    added(attempt.result)

            ui.button(words("Try it with the sample table"), on_click=sample).props("flat no-caps").classes(
                "sample-button"
            )


def _use(context: PageContext, source: Any, called: str, added: Added, place: ui.element) -> None:
    """Put a table into the document, and go on."""
    with ErrorBoundary(context, place) as attempt:
        attempt.result = add_table(context, source, called)
    if attempt.result:
        added(attempt.result)


def _path(source: Any) -> Any:
    return source.get("path") if isinstance(source, Mapping) else source


def upload_texts(context: PageContext) -> dict[str, str]:
    """What the upload of a file says."""
    words = context.words
    return {
        "drop": words("Drop a file here, or"),
        "choose": words("Choose a file"),
        "limits": words(
            "CSV, Excel, Parquet and other tables, up to {size} MB. The file stays on this service.",
            size=words.number(context.service.settings.upload_limit >> 20),
        ),
        "sending": words("Uploading"),
        "progress": words("Progress of the upload"),
        "cancel": words("Cancel"),
        "exists": words("is there already."),
        "replace": words("Replace it"),
        "lost": words("The connection was lost. Try it again."),
        "stopped": words("Cancelled. Nothing was kept."),
        "sent": words("Uploaded"),
    }


def _file(context: PageContext, added: Added) -> None:
    project = context.project.id
    place = ui.element("div")

    def uploaded(facts: dict[str, Any]) -> None:
        with ErrorBoundary(context, place) as attempt:
            name = str(facts.get("name", ""))
            known = {
                source["name"]: source for source in list_sources(context.service, context.user, project)
            }
            if name not in known:
                return
            address = known[name]["address"]
            attempt.result = add_table(context, address, address)
        if attempt.result:
            added(attempt.result)

    taken = [
        source["name"]
        for source in list_sources(context.service, context.user, project)
        if source["kind"] == "file"
    ]
    FileUpload(
        url=f"/api/v1/projects/{project}/files/{{name}}",
        csrf=context.csrf,
        texts=upload_texts(context),
        taken=taken,
        done=uploaded,
    )


def _cluster(context: PageContext, added: Added) -> None:
    words = context.words
    places = ", ".join(context.service.settings.cluster_places)
    path = (
        ui.input(words("Path"), placeholder="hdfs:///people/people.parquet")
        .props("outlined dense")
        .classes("wide")
    )
    ui.label(words("It begins with one of: {places}", places=places)).classes("quiet")
    place = ui.element("div")

    def use() -> None:
        with ErrorBoundary(context, place) as attempt:
            address = str(path.value or "").strip()
            name = table_name(address if "/" in address else f"x/{address}", {})
            add_place(context.service, context.user, context.project.id, name, address)
            attempt.result = add_table(context, address, address if "/" in address else f"x/{address}")
        if attempt.result:
            added(attempt.result)

    ui.button(words("Use this table"), on_click=use).props("outline no-caps")
