"""Handing a release out: its files, its report, another format, a table of a database; and taking it back."""

from typing import Any
from urllib.parse import quote

from nicegui import ui

from celosia.errors import CelosiaError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.releases import erase_release
from celosia.server.sources import list_sources
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error

__all__ = ["show_downloads", "show_further"]

FORMATS = {"csv": "CSV", "parquet": "Parquet", "xlsx": "Excel (XLSX)", "json": "JSON", "arff": "ARFF (Weka)"}


def show_downloads(context: PageContext, job: Job, files: list[str], table: str) -> None:
    """The one thing to do with a release: take it; and the papers that belong to it."""
    words = context.words
    base = f"/api/v1/releases/{job['id']}"
    data = [name for name in files if not name.endswith(".record.json")]
    with ui.element("div").classes("actions"):
        for number, name in enumerate(data):
            text = words("Download") if len(data) == 1 else words("Download {file}", file=name)
            _link(text, f"{base}/download/{quote(name)}", "download", primary=not number)
        _link(words("Report"), f"{base}/report?table={quote(table, safe='')}", "description", new=True)
        for name in files:
            # The record holds the seed of the order, if there is one: who only looks has no use for it.
            if name.endswith(".record.json") and context.may(MemberRole.ANALYST):
                text = words("Record") if len(data) <= 1 else words("Record of {file}", file=name)
                _link(text, f"{base}/download/{quote(name)}", "receipt_long")
    ui.label(words("The report opens in a page of its own; print it from there to have it as PDF.")).classes(
        "quiet"
    )


def _link(text: str, address: str, icon: str, *, primary: bool = False, new: bool = False) -> None:
    button = ui.button(text, icon=icon).props("no-caps unelevated" if primary else "no-caps flat")
    button.props["href"] = address
    if new:
        button.props["target"] = "_blank"


def show_further(context: PageContext, job: Job) -> None:
    """What else can be done: another format, a table of a database, and erasing."""
    words = context.words
    if not context.may(MemberRole.ANALYST):
        return
    with ui.element("div").classes("further"):
        ui.button(words("Another format"), on_click=lambda: _ask_format(context, job)).props("flat no-caps")
        if context.may(MemberRole.OWNER):
            if _databases(context):
                ui.button(words("Write to a database"), on_click=lambda: _ask_database(context, job)).props(
                    "flat no-caps"
                )
            ui.button(words("Erase this release"), on_click=lambda: _ask_erase(context, job)).props(
                "flat no-caps color=negative"
            )


def _databases(context: PageContext) -> dict[str, str]:
    listed = list_sources(context.service, context.user, context.project.id)
    return {source["address"]: source["name"] for source in listed if source["kind"] == "database"}


def _ask_format(context: PageContext, job: Job) -> None:
    words = context.words
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("Another format")).classes("dialog-title")
        ui.label(
            words(
                "The project is run again as it is now, and the release is written and verified in this format."
            )
        )
        chosen = ui.select(FORMATS, label=words("Format"), value="parquet").props("outlined").classes("wide")
        place = ui.element("div").classes("wide")
        node = {"node": job["parameters"]["node"]} if job["parameters"].get("node") else {}
        _buttons(context, dialog, place, words("Release it"), lambda: {"format": chosen.value, **node})
    dialog.open()


def _ask_database(context: PageContext, job: Job) -> None:
    words, known = context.words, _databases(context)
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("Write to a database")).classes("dialog-title")
        ui.label(
            words(
                "The project is run again as it is now, and the release becomes a new table of the database. It is "
                "verified there before it gets its name."
            )
        )
        database = (
            ui.select(known, label=words("Database"), value=next(iter(known)))
            .props("outlined")
            .classes("wide")
        )
        name = ui.input(words("New table")).props("outlined maxlength=60").classes("wide")
        place = ui.element("div").classes("wide")
        node = {"node": job["parameters"]["node"]} if job["parameters"].get("node") else {}
        _buttons(
            context,
            dialog,
            place,
            words("Write"),
            lambda: {"connection": database.value, "out_table": (name.value or "").strip(), **node},
        )
    dialog.open()


def _buttons(context: PageContext, dialog: ui.dialog, place: ui.element, text: str, parameters: Any) -> None:
    words = context.words

    def start() -> None:
        place.clear()
        try:
            job = context.submit("release", **parameters())
        except CelosiaError as error:
            with place:
                show_error(error, words)
            return
        go.set_visibility(False)
        with place:
            show_job(
                context,
                job,
                lambda finished: ui.navigate.to(f"{context.link('result')}?run={finished['id']}"),
                ended=lambda _: go.set_visibility(True),
            )

    with ui.element("div").classes("dialog-actions"):
        ui.button(words("Close"), on_click=dialog.close).props("flat no-caps color=secondary")
        go = ui.button(text, on_click=start).props("unelevated no-caps")


def _ask_erase(context: PageContext, job: Job) -> None:
    words = context.words
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("Erase this release")).classes("dialog-title")
        ui.label(
            words(
                "Its files are overwritten and removed from this service, with what was kept of its rows. What was "
                "downloaded or written to a database stays where it is."
            )
        )
        place = ui.element("div").classes("wide")

        async def erase() -> None:
            try:
                await in_thread(erase_release, context.service, context.user, job["id"])
            except CelosiaError as error:
                with place:
                    show_error(error, words)
                return
            ui.navigate.to(context.link("result"))

        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Close"), on_click=dialog.close).props("flat no-caps color=secondary")
            ui.button(words("Erase"), on_click=erase).props("unelevated no-caps color=negative")
    dialog.open()
