"""What belongs to a project as a whole: its versions, its document, who shares it, what happened, and its end."""

import asyncio
from html import escape
from typing import Any

from nicegui import ui

from celosia.api.projects import to_yaml
from celosia.server.access import MemberRole, require
from celosia.server.audit import read_audit
from celosia.server.erasing import ErasureReport, erase_project
from celosia.server.projects import copy_project, list_members, list_versions, restore_version, set_member
from celosia.server.store import moment_of
from celosia.web.audit_texts import describe_audit_entry
from celosia.web.error_boundary import ErrorBoundary
from celosia.web.page_context import PageContext, page
from celosia.words import phrase

__all__: list[str] = []

PARTS = {
    "analyst": phrase("analyst: changes and runs it"),
    "viewer": phrase("viewer: sees releases, never rows"),
}


@page("/projects/{project}/manage", phrase("Manage the project"), step="manage")
def manage(context: PageContext) -> None:
    """All of it, one part under the other."""
    place = ui.element("div").props("aria-live=polite")
    _document(context, place)
    _versions(context, place)
    if context.service.settings.has_users and context.may(MemberRole.OWNER):
        _members(context, place)
    if context.may(MemberRole.OWNER):
        _history(context)
        _end(context, place)


def _heading(text: str) -> None:

    ui.html(f"<h2>{escape(text)}</h2>", sanitize=False)


def _document(context: PageContext, place: ui.element) -> None:
    words = context.words
    _heading(words("The project as a document"))
    with ui.element("section").classes("panel"):
        ui.label(
            words(
                "Everything that was clicked is in one document. Keep it, compare it, or run it with the command "
                "celosia run."
            )
        )
        with ui.element("div").classes("row-actions"):
            name = f"{context.project.name}.yaml"
            text = to_yaml(context.project.document)
            download = ui.button(
                words("Download the document"), on_click=lambda: ui.download.content(text, name)
            )
            download.props("outline no-caps")
            if context.may(MemberRole.ANALYST):
                ui.button(words("Copy the project"), on_click=lambda: _copy(context, place)).props(
                    "flat no-caps"
                )


async def _copy(context: PageContext, place: ui.element) -> None:
    name = context.words("{name} (copy)", name=context.project.name)[:120]
    with ErrorBoundary(context, place):
        held = await asyncio.to_thread(copy_project, context.service, context.user, context.project.id, name)
        ui.navigate.to(f"/projects/{held.id}/data")


def _versions(context: PageContext, place: ui.element) -> None:
    words = context.words
    _heading(words("Versions"))
    versions = list_versions(context.service, context.user, context.project.id)
    with ui.element("section").classes("panel long-list"), ui.element("table").classes("plain"):
        _head(words("Version"), words("When"), words("Who"), words("What"), "")
        with ui.element("tbody"):
            for version in versions:
                with ui.element("tr"):
                    _cell(words.number(version["number"], 0))
                    _cell(words.moment(moment_of(version["at"])))
                    _cell(version["by"])
                    _cell(describe_audit_entry(version["note"], words))
                    with ui.element("td"):
                        if version["number"] != context.project.version and context.may(MemberRole.ANALYST):
                            _restore(context, place, version["number"])


def _restore(context: PageContext, place: ui.element, number: int) -> None:
    def restore() -> None:
        with ErrorBoundary(context, place):
            restore_version(context.service, context.user, context.project.id, number)
            ui.navigate.reload()

    button = ui.button(context.words("Restore"), on_click=restore).props("flat dense no-caps")
    button.props["aria-label"] = context.words("Restore version {number}", number=number)


def _members(context: PageContext, place: ui.element) -> None:
    words = context.words
    _heading(words("Shared with"))
    with ui.element("section").classes("panel"):
        members = list_members(context.service, context.user, context.project.id)
        if not members:
            ui.label(words("Nobody else sees this project.")).classes("quiet")
        for member in members:
            with ui.element("div").classes("member"):
                ui.label(member["name"])
                ui.label(words(PARTS[member["role"]])).classes("quiet")
                _unshare(context, place, member["name"])
        with ui.element("div").classes("row-actions"):
            name = ui.input(words("Name")).props("outlined dense")
            role = ui.select(
                {key: words(text) for key, text in PARTS.items()}, value="viewer", label=words("Part")
            )
            role.props("outlined dense").classes("member-part")

            def share() -> None:
                with ErrorBoundary(context, place):
                    set_member(
                        context.service,
                        context.user,
                        context.project.id,
                        name.value or "",
                        MemberRole(role.value),
                    )
                    ui.navigate.reload()

            ui.button(words("Share it"), on_click=share).props("outline no-caps")


def _unshare(context: PageContext, place: ui.element, name: str) -> None:
    def unshare() -> None:
        with ErrorBoundary(context, place):
            set_member(context.service, context.user, context.project.id, name, None)
            ui.navigate.reload()

    button = ui.button(context.words("Stop sharing"), on_click=unshare).props("flat dense no-caps")
    button.props["aria-label"] = context.words("Stop sharing with {name}", name=name)


def _history(context: PageContext) -> None:
    words = context.words
    with context.service.store.begin() as data:
        require(data, context.user, context.project.id, MemberRole.OWNER)
        deeds = read_audit(data, context.project.id)
    _heading(words("Who saw and did what"))
    with ui.element("section").classes("panel long-list"), ui.element("table").classes("plain"):
        _head(words("When"), words("Who"), words("What"), words("Detail"))
        rows = [
            (
                words.moment(moment_of(deed["at"])),
                deed["who"],
                describe_audit_entry(deed["action"], words),
                describe_audit_entry(deed["detail"], words),
            )
            for deed in deeds
        ]
        body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
        ui.html(body, sanitize=False, tag="tbody")


def _end(context: PageContext, place: ui.element) -> None:
    words = context.words
    _heading(words("Erase everything"))
    with ui.element("section").classes("panel danger"):
        ui.label(
            words(
                "The table, the releases, the document and all its versions are overwritten and removed, and then "
                "looked for. Nobody can bring them back."
            )
        )
        ui.button(words("Erase this project…"), on_click=lambda: _confirm(context)).props(
            "outline no-caps color=negative"
        )


def _confirm(context: PageContext) -> None:
    words = context.words
    with ui.dialog() as dialog, ui.card().classes("dialog"):
        ui.label(words("Erase {name} for good?", name=context.project.name)).classes("dialog-title")
        ui.label(words("Type the name of the project to confirm it."))
        name = ui.input(words("Name of the project")).props("outlined").classes("wide")
        place = ui.element("div")

        async def erase() -> None:
            with ErrorBoundary(context, place):
                erased = await asyncio.to_thread(
                    erase_project, context.service, context.user, context.project.id
                )
                dialog.clear()
                with dialog, ui.card().classes("dialog"):
                    _proof(context, erased)

        with ui.element("div").classes("dialog-actions"):
            ui.button(words("Cancel"), on_click=dialog.close).props("flat no-caps color=secondary")
            button = ui.button(words("Erase everything"), on_click=erase).props(
                "unelevated no-caps color=negative"
            )
            button.disable()
            name.on_value_change(lambda: button.set_enabled((name.value or "") == context.project.name))
    dialog.props("persistent")
    dialog.open()


def _proof(context: PageContext, erased: ErasureReport) -> None:
    """What was erased, where it was looked for, and what nobody can promise."""
    words = context.words
    ui.label(words("Erased")).classes("dialog-title").props("role=status")
    files = words.number(len(erased.files), 0)
    ui.label(words("{files} files were overwritten and removed, and are gone.", files=files))
    for title, texts in (
        (words("Looked for afterwards, and not found in:"), erased.looked),
        (words("What cannot be promised:"), erased.left),
    ):
        ui.label(title).classes("concept-title")
        with ui.element("ul"):
            for text in texts:
                with ui.element("li"):
                    ui.label(words.render(text))
    proof: Any = erased.model_dump_json(indent=2)
    with ui.element("div").classes("dialog-actions"):
        ui.button(
            words("Download the statement"), on_click=lambda: ui.download.content(proof, "erased.json")
        ).props("flat no-caps")
        ui.button(words("To the list of projects"), on_click=lambda: ui.navigate.to("/")).props(
            "unelevated no-caps"
        )


def _head(*titles: str) -> None:
    with ui.element("thead"), ui.element("tr"):
        for title in titles:
            with ui.element("th").props("scope=col"):
                ui.label(title)


def _cell(text: str) -> None:
    ui.html(escape(text), sanitize=False, tag="td")
