"""The ways by which a table comes into a project: a file, a database, a cluster, or the sample."""

import asyncio
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from nicegui import ui

from celosia.errors import ProjectError
from celosia.server.reading import detect_file
from celosia.server.samples import SAMPLE, add_sample
from celosia.server.sources import add_connection, add_place, list_sources
from celosia.web.attempting import Attempt
from celosia.web.components import FileUpload
from celosia.web.visit import Visit
from celosia.web.watching import watch

__all__ = ["add_table", "address_of", "show_adding", "table_name", "use_sample"]

Added = Callable[[str], Any]
"""What happens when there is a new table; it is given the name."""
PORTS = {"postgresql": "5432", "mariadb": "3306"}


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


def address_of(kind: str, host: str, port: str, database: str, user: str) -> str:
    """The address of a database, without a password.

    >>> address_of("postgresql", "db.example.org", "5433", "clinic", "ana@x")
    'postgresql://ana%40x@db.example.org:5433/clinic'
    """
    from urllib.parse import quote

    if kind not in PORTS or not host.strip() or not database.strip():
        raise ProjectError("host and database are needed", where="database", remedy="fill them in")
    if port.strip() and not (port.strip().isdigit() and 0 < int(port) < 65536):
        raise ProjectError("this is no port", where=port[:10], remedy="give a number, or nothing")
    who = f"{quote(user.strip(), safe='')}@" if user.strip() else ""
    there = host.strip() + (f":{int(port)}" if port.strip() and port.strip() != PORTS[kind] else "")
    return f"{kind}://{who}{there}/{quote(database.strip(), safe='')}"


def add_table(visit: Visit, source: Any, place: str) -> str:
    """Put a table into the document; its name."""
    name = ""

    def change(document: dict[str, Any]) -> None:
        nonlocal name
        tables = document.setdefault("tables", {})
        known = [
            each for each, table in tables.items() if _path((table or {}).get("source")) == _path(source)
        ]
        is_file = isinstance(source, str) or "table" not in source
        name = known[0] if known and is_file else table_name(place, tables)
        tables.setdefault(name, {})["source"] = source

    visit.change(change, f"table from {place}")
    return name


async def use_sample(visit: Visit) -> str:
    """Add the sample table; its name."""
    await asyncio.to_thread(add_sample, visit.service, visit.user, visit.project.id)
    return SAMPLE


def show_adding(visit: Visit, added: Added, *, is_first: bool) -> None:
    """All ways that this service has."""
    words = visit.words
    with ui.element("div").classes("adding"):
        _file(visit, added)
        with ui.expansion(words("Connect a database")).classes("adding-way"):
            _database(visit, added)
        if visit.service.settings.cluster_places:
            with ui.expansion(words("A place on a cluster")).classes("adding-way"):
                _cluster(visit, added)
    if is_first:
        with ui.element("div").classes("adding-sample"):
            ui.label(
                words(
                    "No table at hand? Two thousand discharges of people who do not exist show how it works."
                )
            )
            place = ui.element("div")

            async def sample() -> None:
                with Attempt(visit, place) as attempt:
                    attempt.result = await use_sample(visit)
                if attempt.result:
                    await _call(added, attempt.result)

            ui.button(words("Try it with the sample table"), on_click=sample).props("flat no-caps").classes(
                "sample-button"
            )


async def _call(added: Added, name: str) -> None:
    from inspect import isawaitable

    answer = added(name)
    if isawaitable(answer):
        await answer


def _path(source: Any) -> Any:
    return source.get("path") if isinstance(source, Mapping) else source


def upload_texts(visit: Visit) -> dict[str, str]:
    """What the upload of a file says."""
    words = visit.words
    return {
        "drop": words("Drop a file here, or"),
        "choose": words("Choose a file"),
        "limits": words(
            "CSV, Excel, Parquet and other tables, up to {size} MB. The file stays on this service.",
            size=words.number(visit.service.settings.upload_limit >> 20),
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


def _file(visit: Visit, added: Added) -> None:
    project = visit.project.id
    place = ui.element("div")

    async def uploaded(facts: dict[str, Any]) -> None:
        with Attempt(visit, place) as attempt:
            name = str(facts.get("name", ""))
            known = {each["name"]: each for each in list_sources(visit.service, visit.user, project)}
            if name not in known:
                return
            address = known[name]["address"]
            reading = detect_file(visit.service, visit.user, project, name)
            source = address if reading is None else reading.source(address)
            if isinstance(source, dict) and set(source) == {"path"}:
                source = address
            attempt.result = add_table(visit, source, address)
        if attempt.result:
            await _call(added, attempt.result)

    taken = [
        each["name"] for each in list_sources(visit.service, visit.user, project) if each["kind"] == "file"
    ]
    FileUpload(
        url=f"/api/v1/projects/{project}/files/{{name}}",
        csrf=visit.csrf,
        texts=upload_texts(visit),
        taken=taken,
        done=uploaded,
    )


def _database(visit: Visit, added: Added) -> None:
    words = visit.words
    kinds = {"postgresql": "PostgreSQL", "mariadb": "MariaDB / MySQL"}
    with ui.element("div").classes("form-grid"):
        kind = ui.select(kinds, value="postgresql", label=words("Kind")).props("outlined dense")
        host = ui.input(words("Host")).props("outlined dense autocomplete=off")
        port = ui.input(words("Port"), placeholder="5432").props("outlined dense inputmode=numeric")
        database = ui.input(words("Database")).props("outlined dense autocomplete=off")
        user = ui.input(words("User")).props("outlined dense autocomplete=off")
        password = ui.input(words("Password"), password=True).props(
            "outlined dense autocomplete=new-password"
        )
    kind.on_value_change(lambda: port.props.update({"placeholder": PORTS[kind.value]}))
    ui.label(words("The password is kept sealed on the service, and never shown again.")).classes("quiet")

    async def connect() -> None:
        with Attempt(visit, place):
            texts = [str(one.value or "") for one in (host, port, database, user)]
            address = address_of(kind.value, *texts)
            name = f"{texts[2]} {texts[0]}"
            made = await asyncio.to_thread(
                add_connection,
                visit.service,
                visit.user,
                visit.project.id,
                name,
                address,
                password.value or None,
            )
            password.set_value("")
            _list_tables(visit, made["address"], place, added)

    ui.button(words("Show its tables"), on_click=connect).props("outline no-caps")
    place = ui.element("div").classes("wide")
    known = [
        each
        for each in list_sources(visit.service, visit.user, visit.project.id)
        if each["kind"] == "database"
    ]
    for each in known:
        with ui.element("div").classes("known-source"):
            ui.label(each["address"]).classes("quiet")
            ui.button(
                words("Show its tables"),
                on_click=lambda address=each["address"]: _list_tables(visit, address, place, added),
            ).props("flat dense no-caps")


def _list_tables(visit: Visit, address: str, place: ui.element, added: Added) -> None:
    words = visit.words

    def listed(job: dict[str, Any]) -> None:
        tables = visit.service.queue.result(visit.user, job["id"])["tables"]
        place.clear()
        with place:
            if not tables:
                ui.label(words("This database has no tables that you may read."))
                return
            chosen = ui.select(tables, value=tables[0], label=words("Table"), with_input=len(tables) > 20)
            chosen.props("outlined dense").classes("wide")
            mistake = ui.element("div")

            async def use() -> None:
                with Attempt(visit, mistake) as attempt:
                    source = {"path": address, "table": chosen.value}
                    attempt.result = add_table(visit, source, str(chosen.value))
                if attempt.result:
                    await _call(added, attempt.result)

            ui.button(words("Use this table"), on_click=use).props("outline no-caps")

    place.clear()
    with place:
        watch(visit, visit.submit("tables", address=address), listed)


def _cluster(visit: Visit, added: Added) -> None:
    words = visit.words
    places = ", ".join(visit.service.settings.cluster_places)
    path = (
        ui.input(words("Path"), placeholder="hdfs:///people/people.parquet")
        .props("outlined dense")
        .classes("wide")
    )
    ui.label(words("It begins with one of: {places}", places=places)).classes("quiet")
    place = ui.element("div")

    async def use() -> None:
        with Attempt(visit, place) as attempt:
            address = str(path.value or "").strip()
            name = table_name(address if "/" in address else f"x/{address}", {})
            add_place(visit.service, visit.user, visit.project.id, name, address)
            attempt.result = add_table(visit, address, address if "/" in address else f"x/{address}")
        if attempt.result:
            await _call(added, attempt.result)

    ui.button(words("Use this table"), on_click=use).props("outline no-caps")
