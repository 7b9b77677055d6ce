"""Solutions: every way to keep the promises, with its risk and its loss, and the one that is released."""

from typing import Any

from nicegui import run, ui

from celosia.api.checking import contradictions
from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError, ProjectError
from celosia.server.access import MemberRole
from celosia.server.projects import parsed, read_version
from celosia.server.queue import OPEN
from celosia.web.goals.goal_sheet import empty_page
from celosia.web.goals.goals import has_lattice, make_light, technique_of
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, page, show_error
from celosia.web.solutions.balance_panel import balance_panel
from celosia.web.solutions.candidate_panels import Charts, make_charts, show_solutions
from celosia.web.solutions.candidates import is_same_task
from celosia.web.solutions.release_panel import ReleasePanel, begin_search
from celosia.words import phrase

__all__: list[str] = []


@page("/projects/{project}/solutions", phrase("Solutions"), step="solutions")
async def solutions(visit: PageContext) -> None:
    """What was found last, what is being looked for, or how to begin."""
    words, document = visit.words, visit.project.document
    ui.add_head_html('<link rel="stylesheet" href="/static/solutions.css">')
    if not visit.may(MemberRole.ANALYST):
        empty_page(
            words("Solutions are chosen by analysts."), words("You may see the results of this project.")
        )
        return
    tables = list(document.get("tables") or {})
    if not tables:
        empty_page(
            words("There is no table yet."),
            words("Solutions are ways to release a table: choose one first."),
            words("Choose a table"),
            visit.link("data"),
        )
        return
    mistakes = contradictions(parsed(document))
    if mistakes:
        empty_page(
            words("The goals are not complete yet."),
            words.error(mistakes[0]).what,
            words("Set the goals"),
            visit.link("goals"),
        )
        return
    asked = visit.request.query_params.get("table")
    table = tables[tables.index(asked)] if asked in tables else tables[0]
    if len(tables) > 1:
        _choose_table(visit, tables, table)
    if has_lattice(document, table):
        await _explored(visit, table)
    else:
        _direct(visit, table)


def _choose_table(visit: PageContext, tables: list[str], table: str) -> None:
    from urllib.parse import quote

    link = visit.link("solutions")
    ui.select(
        tables,
        label=visit.words("Table"),
        value=table,
        on_change=lambda event: ui.navigate.to(f"{link}?table={quote(event.value)}"),
    ).props("outlined dense").classes("choice")


def _direct(visit: PageContext, table: str) -> None:
    """A technique whose solutions are not seen beforehand: it makes one."""
    words, document = visit.words, visit.project.document
    is_light = document.get("kind") == "light" or document["tables"][table].get("kind") == "light"
    with ui.element("section").classes("panel"):
        if is_light:
            ui.label(words("Columns are changed as you said; there is nothing to choose from.")).classes(
                "lead"
            )
        else:
            found = concept(ConceptKind.TECHNIQUE, technique_of(document, table)["name"], words)
            ui.label(
                words(
                    "{technique} makes one release; there is no list to choose from.", technique=found.title
                )
            ).classes("lead")
            ui.label(found.text).classes("quiet")
        ReleasePanel(visit, lambda releasing: _release_button(visit, releasing, table if is_light else None))
    if not is_light:
        with ui.element("div").classes("solutions-more"):
            balance_panel(visit, table)


def _release_button(visit: PageContext, releasing: ReleasePanel, light: str | None) -> None:
    def begin() -> None:
        if light is not None:  # promises that were made before would be a mistake now
            own = light if visit.project.document["tables"][light].get("kind") else None

            def change(document: dict[str, Any]) -> None:
                make_light(document, own)

            visit.change(change, "light release")
        releasing.begin()

    ui.button(visit.words("Make the release"), on_click=begin).props("unelevated no-caps")


async def _explored(visit: PageContext, table: str) -> None:
    """The candidates of a lattice: found, being looked for, or not yet."""
    first = next(iter(visit.project.document["tables"]))
    jobs = visit.service.queue.list(visit.user, visit.project.id, "candidates", last=20)
    mine = [job for job in jobs if (job["parameters"].get("table") or first) == table]
    if any(
        job["state"] == "done" for job in mine
    ):  # what was found before one that was stopped is still there
        mine = [job for job in mine if job["state"] != "cancelled"]
    place = ui.element("div").classes("solutions")
    if not mine:
        _offer(visit, table, place)
    elif mine[0]["state"] in OPEN:
        _follow(visit, table, place, mine[0])
    elif mine[0]["state"] == "done":
        await _show(visit, table, place, mine[0])
    else:
        _failed(visit, table, place, mine[0])


def _offer(visit: PageContext, table: str, place: Any) -> None:
    words = visit.words
    place.clear()
    with place, ui.element("section").classes("empty"):
        ui.label(words("Nobody has looked for solutions yet.")).classes("empty-title")
        ui.label(
            words(
                "Every combination of levels is tried: which of them keep your promises, what they lose and whom they "
                "leave at risk."
            )
        )
        ui.button(words("Find solutions"), on_click=lambda: _begin(visit, table, place)).props(
            "unelevated no-caps"
        ).classes("empty-action")


def _begin(visit: PageContext, table: str, place: Any) -> None:
    try:
        job = begin_search(visit, table)
    except CelosiaError as error:
        with place:
            show_error(error, visit.words)
        return
    _follow(visit, table, place, job)


def _follow(visit: PageContext, table: str, place: Any, job: dict[str, Any]) -> None:
    """Watch a search; the best can be released without waiting for all others."""
    words = visit.words

    async def done(found: dict[str, Any]) -> None:
        await _show(visit, table, place, found)

    place.clear()
    with place:
        show_job(visit, job, done, ended=lambda found: _failed(visit, table, place, found))
        with ui.element("section").classes("panel"):
            ui.label(
                words("You need not wait: the best solution is found without trying all others.")
            ).classes("quiet")
            ReleasePanel(visit, lambda releasing: _best_button(visit, releasing, is_primary=False))


def _best_button(visit: PageContext, releasing: ReleasePanel, *, is_primary: bool = True) -> None:
    button = ui.button(visit.words("Release the best"), on_click=releasing.begin)
    button.props("unelevated no-caps" if is_primary else "flat no-caps")


def _failed(visit: PageContext, table: str, place: Any, job: dict[str, Any]) -> None:
    """It was stopped, or there are too many to try: the best can be found all the same."""
    words = visit.words

    def buttons(releasing: ReleasePanel) -> None:
        _best_button(visit, releasing)
        ui.button(words("Find again"), on_click=lambda: _begin(visit, table, place)).props("flat no-caps")

    place.clear()
    with place:
        if job["state"] == "cancelled":
            ui.label(words("The search was cancelled. Nothing was kept.")).classes("lead")
        else:
            told = job["error"] or {"what": "", "where": "", "remedy": ""}
            what, remedy = told["what"], told["remedy"]
            if told["where"] == "search":
                what = words("There are too many combinations of levels to try them all.")
                remedy = words(
                    "Use fewer quasi-identifiers or lower hierarchies; or release the best, which is found "
                    "without trying them all."
                )
            show_error(ProjectError(what, remedy=remedy), words)
        with ui.element("section").classes("panel"):
            ReleasePanel(visit, buttons)


def _read(visit: PageContext, job: str) -> tuple[dict[str, Any], Charts]:
    """What a search found, and its charts: thousands of candidates in words take their time."""
    found = visit.service.queue.result(visit.user, job)
    return found, make_charts(visit.words, found)


async def _show(visit: PageContext, table: str, place: Any, job: dict[str, Any]) -> None:
    words = visit.words
    try:
        read = await run.io_bound(_read, visit, job["id"])
    except CelosiaError:  # erased meanwhile
        _offer(visit, table, place)
        return
    if read is None:  # the service stops
        return
    found, charts = read
    old = visit.project.document
    if job["version"] != visit.project.version:
        old = read_version(visit.service, visit.user, visit.project.id, job["version"])
    is_stale = not is_same_task(old, visit.project.document)
    place.clear()
    with place:
        if is_stale:
            with ui.element("div").classes("stale").props("role=status"):
                ui.label(words("The project changed since these solutions were found."))
                ui.button(words("Find again"), on_click=lambda: _begin(visit, table, place)).props(
                    "unelevated no-caps"
                )
        show_solutions(visit, table, found, charts, is_stale=is_stale)
