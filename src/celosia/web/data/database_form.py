"""A database that a table comes from: its address, its password, and which of its tables."""

import asyncio
from collections.abc import Callable
from typing import Any

from nicegui import ui

from celosia.errors import ProjectError
from celosia.say import say
from celosia.server.job import Job
from celosia.server.sources import add_connection, list_sources
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext

__all__ = ["address_of", "show_database"]

Chosen = Callable[[dict[str, Any], str], None]
"""What happens with the source that was chosen, and what it is called."""
PORTS = {"postgresql": "5432", "mariadb": "3306"}


def address_of(kind: str, host: str, port: str, database: str, user: str) -> str:
    """The address of a database, without a password.

    >>> address_of("postgresql", "db.example.org", "5433", "clinic", "ana@x")
    'postgresql://ana%40x@db.example.org:5433/clinic'
    """
    from urllib.parse import quote

    if kind not in PORTS or not host.strip() or not database.strip():
        raise ProjectError(say("host and database are needed"), where="database", remedy=say("fill them in"))
    if port.strip() and not (port.strip().isdigit() and 0 < int(port) < 65536):
        raise ProjectError(say("this is no port"), where=port[:10], remedy=say("give a number, or nothing"))
    who = f"{quote(user.strip(), safe='')}@" if user.strip() else ""
    there = host.strip() + (f":{int(port)}" if port.strip() and port.strip() != PORTS[kind] else "")
    return f"{kind}://{who}{there}/{quote(database.strip(), safe='')}"


def show_database(context: PageContext, chosen: Chosen) -> None:
    """The form of a database, and its tables once it is connected."""
    words = context.words
    kinds = {"postgresql": "PostgreSQL", "mariadb": "MariaDB / MySQL"}
    with ui.element("div").classes("form-grid"):
        kind = ui.select(kinds, value="postgresql", label=words("Kind of database")).props("outlined dense")
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
        with ErrorBoundary(context, place):
            texts = [str(field.value or "") for field in (host, port, database, user)]
            address = address_of(kind.value, *texts)
            name = f"{texts[2]} {texts[0]}"
            connection = await asyncio.to_thread(
                add_connection,
                context.service,
                context.user,
                context.project.id,
                name,
                address,
                password.value or None,
            )
            password.set_value("")
            _list_tables(context, connection["address"], place, chosen)

    ui.button(words("Show its tables"), on_click=connect).props("outline no-caps")
    place = ui.element("div").classes("wide")
    known = [
        source
        for source in list_sources(context.service, context.user, context.project.id)
        if source["kind"] == "database"
    ]
    for source in known:
        with ui.element("div").classes("known-source"):
            ui.label(source["address"]).classes("quiet")
            ui.button(
                words("Show its tables"),
                on_click=lambda address=source["address"]: _list_tables(context, address, place, chosen),
            ).props("flat dense no-caps")


def _list_tables(context: PageContext, address: str, place: ui.element, chosen: Chosen) -> None:
    words = context.words

    def listed(job: Job) -> None:
        tables = context.service.queue.result(context.user, job["id"])["tables"]
        place.clear()
        with place:
            if not tables:
                ui.label(words("This database has no tables that you may read."))
                return
            table = ui.select(tables, value=tables[0], label=words("Table"), with_input=len(tables) > 20)
            table.props("outlined dense").classes("wide")
            ui.button(
                words("Use this table"),
                on_click=lambda: chosen({"path": address, "table": table.value}, str(table.value)),
            ).props("outline no-caps")

    place.clear()
    with place:
        show_job(context, context.submit("tables", address=address), listed)
