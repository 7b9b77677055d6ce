"""Solutions: every way to keep the promises, with its risk and its loss, and the one that is released."""

from typing import Any, cast

from nicegui import run, ui

from celosia.api.checking import contradictions
from celosia.concepts import ConceptKind, concept
from celosia.errors import CelosiaError, ProjectError
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.projects import parsed, read_version
from celosia.server.queue import OPEN
from celosia.server.work.results import CandidatesResult
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
async def solutions(context: PageContext) -> None:
    """What was found last, what is being looked for, or how to begin."""
    words, document = context.words, context.project.document
    ui.add_head_html('<link rel="stylesheet" href="/static/solutions.css">')
    if not context.may(MemberRole.ANALYST):
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
            context.link("data"),
        )
        return
    mistakes = contradictions(parsed(document))
    if mistakes:
        empty_page(
            words("The goals are not complete yet."),
            words.error(mistakes[0]).what,
            words("Set the goals"),
            context.link("goals"),
        )
        return
    asked = context.request.query_params.get("table")
    table = tables[tables.index(asked)] if asked in tables else tables[0]
    if len(tables) > 1:
        _choose_table(context, tables, table)
    if has_lattice(document, table):
        await _explored(context, table)
    else:
        _direct(context, table)


def _choose_table(context: PageContext, tables: list[str], table: str) -> None:
    from urllib.parse import quote

    link = context.link("solutions")
    ui.select(
        tables,
        label=context.words("Table"),
        value=table,
        on_change=lambda event: ui.navigate.to(f"{link}?table={quote(event.value)}"),
    ).props("outlined dense").classes("choice")


def _direct(context: PageContext, table: str) -> None:
    """A technique whose solutions are not seen beforehand: it makes one."""
    words, document = context.words, context.project.document
    is_light = document.get("kind") == "light" or document["tables"][table].get("kind") == "light"
    with ui.element("section").classes("panel"):
        if is_light:
            ui.label(words("Columns are changed as you said; there is nothing to choose from.")).classes(
                "lead"
            )
        else:
            explained = concept(ConceptKind.TECHNIQUE, technique_of(document, table)["name"], words)
            ui.label(
                words(
                    "{technique} makes one release; there is no list to choose from.",
                    technique=explained.title,
                )
            ).classes("lead")
            ui.label(explained.text).classes("quiet")
        ReleasePanel(
            context, lambda releasing: _release_button(context, releasing, table if is_light else None)
        )
    if not is_light:
        with ui.element("div").classes("solutions-more"):
            balance_panel(context, table)


def _release_button(context: PageContext, releasing: ReleasePanel, light: str | None) -> None:
    def begin() -> None:
        if light is not None:  # promises that were made before would be a mistake now
            own = light if context.project.document["tables"][light].get("kind") else None

            def change(document: dict[str, Any]) -> None:
                make_light(document, own)

            context.change(change, "light release")
        releasing.begin()

    ui.button(context.words("Make the release"), on_click=begin).props("unelevated no-caps")


async def _explored(context: PageContext, table: str) -> None:
    """The candidates of a lattice: found, being looked for, or not yet."""
    first = next(iter(context.project.document["tables"]))
    jobs = context.service.queue.list(context.user, context.project.id, "candidates", last=20)
    mine = [job for job in jobs if (job["parameters"].get("table") or first) == table]
    if any(
        job["state"] == "done" for job in mine
    ):  # what was found before one that was stopped is still there
        mine = [job for job in mine if job["state"] != "cancelled"]
    place = ui.element("div").classes("solutions")
    if not mine:
        _offer(context, table, place)
    elif mine[0]["state"] in OPEN:
        _follow(context, table, place, mine[0])
    elif mine[0]["state"] == "done":
        await _show(context, table, place, mine[0])
    else:
        _failed(context, table, place, mine[0])


def _offer(context: PageContext, table: str, place: ui.element) -> None:
    words = context.words
    place.clear()
    with place, ui.element("section").classes("empty"):
        ui.label(words("Nobody has looked for solutions yet.")).classes("empty-title")
        ui.label(
            words(
                "Every combination of levels is tried: which of them keep your promises, what they lose and whom they "
                "leave at risk."
            )
        )
        ui.button(words("Find solutions"), on_click=lambda: _begin(context, table, place)).props(
            "unelevated no-caps"
        ).classes("empty-action")


def _begin(context: PageContext, table: str, place: ui.element) -> None:
    try:
        job = begin_search(context, table)
    except CelosiaError as error:
        with place:
            show_error(error, context.words)
        return
    _follow(context, table, place, job)


def _follow(context: PageContext, table: str, place: ui.element, job: Job) -> None:
    """Watch a search; the best can be released without waiting for all others."""
    words = context.words

    async def done(finished: Job) -> None:
        await _show(context, table, place, finished)

    place.clear()
    with place:
        show_job(context, job, done, ended=lambda failed: _failed(context, table, place, failed))
        with ui.element("section").classes("panel"):
            ui.label(
                words("You need not wait: the best solution is found without trying all others.")
            ).classes("quiet")
            ReleasePanel(context, lambda releasing: _best_button(context, releasing, is_primary=False))


def _best_button(context: PageContext, releasing: ReleasePanel, *, is_primary: bool = True) -> None:
    button = ui.button(context.words("Release the best"), on_click=releasing.begin)
    button.props("unelevated no-caps" if is_primary else "flat no-caps")


def _failed(context: PageContext, table: str, place: ui.element, job: Job) -> None:
    """It was stopped, or there are too many to try: the best can be found all the same."""
    words = context.words

    def buttons(releasing: ReleasePanel) -> None:
        _best_button(context, releasing)
        ui.button(words("Find again"), on_click=lambda: _begin(context, table, place)).props("flat no-caps")

    place.clear()
    with place:
        if job["state"] == "cancelled":
            ui.label(words("The search was cancelled. Nothing was kept.")).classes("lead")
        else:
            told = job["error"] or {"what": "", "where": "", "remedy": ""}
            sentence, remedy = told["what"], told["remedy"]
            if told["where"] == "search":
                sentence = words("There are too many combinations of levels to try them all.")
                remedy = words(
                    "Use fewer quasi-identifiers or lower hierarchies; or release the best, which is found "
                    "without trying them all."
                )
            show_error(ProjectError(sentence, remedy=remedy), words)
        with ui.element("section").classes("panel"):
            ReleasePanel(context, buttons)


def _read(context: PageContext, job: str) -> tuple[CandidatesResult, Charts]:
    """What a search found, and its charts: thousands of candidates in words take their time."""
    explored = cast(CandidatesResult, context.service.queue.result(context.user, job))
    return explored, make_charts(context.words, explored)


async def _show(context: PageContext, table: str, place: ui.element, job: Job) -> None:
    words = context.words
    try:
        read = await run.io_bound(_read, context, job["id"])
    except CelosiaError:  # erased meanwhile
        _offer(context, table, place)
        return
    if read is None:  # the service stops
        return
    explored, charts = read
    old = context.project.document
    if job["version"] != context.project.version:
        old = read_version(context.service, context.user, context.project.id, job["version"])
    is_stale = not is_same_task(old, context.project.document)
    place.clear()
    with place:
        if is_stale:
            with ui.element("div").classes("stale").props("role=status"):
                ui.label(words("The project changed since these solutions were found."))
                ui.button(words("Find again"), on_click=lambda: _begin(context, table, place)).props(
                    "unelevated no-caps"
                )
        show_solutions(context, table, explored, charts, is_stale=is_stale)
