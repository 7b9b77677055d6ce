"""The result: what a release is worth, what became of rows and columns, what is left of risk, and how to take it."""

from collections.abc import Mapping
from typing import Any

from nicegui import ui

from celosia.api.registries import privacy_models
from celosia.api.reporting import promises_of, release_evidence
from celosia.api.results import ReleaseEvidence
from celosia.concepts import ConceptKind
from celosia.server.access import MemberRole
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.server.releases import list_releases, release_before_after, release_files
from celosia.server.store import moment_of
from celosia.web.charts import bar_options, show_chart
from celosia.web.concept_help import explain
from celosia.web.data.acceptance_dialog import ask_acceptance
from celosia.web.data.columns import plan_of
from celosia.web.in_thread import in_thread
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, page
from celosia.web.result.before_after import show_before_after, show_first
from celosia.web.result.downloads import show_downloads, show_further
from celosia.web.result.evidence_panel import EvidencePanel
from celosia.web.result.verdict import facts_of, verdict_of
from celosia.words import phrase

__all__: list[str] = []


@page("/projects/{project}/result", phrase("Result"), step="result")
async def result(context: PageContext) -> None:
    """The latest release, or the one that was asked for."""
    ui.add_head_html('<link rel="stylesheet" href="/static/result.css">')
    releases = await in_thread(list_releases, context.service, context.user, context.project.id)
    _show_running(context)
    if not releases:
        _show_empty(context)
        return
    asked = context.request.query_params.get("run")
    chosen = next((release for release in releases if release["id"] == asked), releases[0])
    released = await in_thread(context.service.queue.result, context.user, chosen["id"])
    with ui.element("div").classes("with-aside"):
        with ui.element("div").classes("main-part"):
            await _show_release(context, chosen, released)
        with ui.element("aside").classes("aside").props(f'aria-label="{context.words("Releases")}"'):
            _show_list(context, releases, chosen)
            show_further(context, chosen)


def _show_running(context: PageContext) -> None:
    """A release that is being made is watched; when it is there, it is shown."""
    for job in context.service.queue.list(context.user, context.project.id, "release", last=5):
        if job["state"] in OPEN:
            show_job(
                context,
                job,
                lambda finished: ui.navigate.to(f"{context.link('result')}?run={finished['id']}"),
            )
            return


def _show_empty(context: PageContext) -> None:
    words = context.words
    with ui.element("section").classes("empty"):
        ui.label(words("There is no release yet.")).classes("empty-title")
        if context.may(MemberRole.ANALYST):
            ui.label(
                words("Say which privacy you want, look at the solutions, and release the one you choose.")
            )
            with ui.element("div").classes("empty-actions"):
                ui.link(words("To the privacy goals"), context.link("goals"))
                ui.link(words("To the solutions"), context.link("solutions"))
        else:
            ui.label(words("As soon as somebody releases the table, you see it here."))


def _show_list(context: PageContext, releases: list[Job], chosen: Job) -> None:
    words = context.words
    ui.html(f"<h2>{words('Releases')}</h2>", sanitize=False)
    with ui.element("ol").classes("releases"):
        for release in releases:
            with ui.element("li"):
                link = ui.link(target=f"{context.link('result')}?run={release['id']}").classes("release-link")
                if release is chosen:
                    link.classes("current").props("aria-current=true")
                with link:
                    ui.label(words("Release {number}", number=release["number"])).classes("release-name")
                    when = words.moment(moment_of(release["ended"] or release["created"]))
                    ui.label(words("made {when} by {who}", when=when, who=release["by"])).classes("quiet")
                    place = release["parameters"].get("out_table")
                    kind = (
                        words("table {name}", name=place)
                        if place
                        else release["parameters"].get("format", "csv").upper()
                    )
                    ui.label(kind).classes("quiet")


async def _show_release(context: PageContext, job: Job, released: Mapping[str, Any]) -> None:
    words, records = context.words, released["records"]
    names = list(records)
    asked = context.request.query_params.get("table")
    name = asked if asked is not None and asked in records else names[0]
    if len(names) > 1:
        ui.toggle(
            {table: table for table in names},
            value=name,
            on_change=lambda event: ui.navigate.to(
                f"{context.link('result')}?run={job['id']}&table={_quoted(event.value)}"
            ),
        ).props("no-caps unelevated toggle-color=primary").classes("tables")
    evidence = release_evidence(records[name], None, words)
    _show_verdict(context, evidence)
    files = await in_thread(release_files, context.service, job)
    show_downloads(context, job, files, name)
    tabs = {
        "rows": words("Rows"),
        "columns": words("Distributions"),
        "measured": words("Risk, attacks and utility"),
    }
    with (
        ui.tabs()
        .props("no-caps align=left active-color=primary indicator-color=primary")
        .classes("sections") as bar
    ):
        for key, title in tabs.items():
            ui.tab(key, title)
    with ui.tab_panels(bar, value="rows").classes("section-panels").props("animated=false"):
        with ui.tab_panel("rows"):
            await _show_rows(context, job, released, name)
        with ui.tab_panel("columns"):
            _show_distributions(context, (released.get("distributions") or {}).get(name) or {})
        with ui.tab_panel("measured"):
            is_file = name in (released.get("first") or {})
            await EvidencePanel(context, job["id"], name, records[name], is_file=is_file).show()


def _show_verdict(context: PageContext, evidence: ReleaseEvidence) -> None:
    verdict = verdict_of(evidence)
    is_good = verdict.kind == "protected"
    with ui.element("section").classes("verdict" if is_good else "verdict plain-verdict"):
        ui.icon(verdict.icon).classes("verdict-icon").props("aria-hidden=true")
        with ui.element("div"):
            ui.label(verdict.title).classes("verdict-title").props("role=heading aria-level=2")
            ui.label(verdict.text)
            _show_notes(verdict.notes)
            _offer_acceptance(context, evidence)
            _show_promises(context, evidence)
    with ui.element("dl").classes("facts"):
        for title, value, more in facts_of(evidence):
            with ui.element("div").classes("fact"):
                with ui.element("dt"):
                    ui.label(title)
                with ui.element("dd"):
                    ui.label(value).classes("fact-value")
                    ui.label(more).classes("quiet")
    _show_technique(evidence)


def _show_notes(notes: tuple[str, ...]) -> None:
    """What stands against the release, or what somebody answers for."""
    if notes:
        with ui.element("ul").classes("exposed-columns"):
            for note in notes:
                with ui.element("li"):
                    ui.label(note)


def _offer_acceptance(context: PageContext, evidence: ReleaseEvidence) -> None:
    """A button for every exposed column, by which somebody answers for it in the project."""
    words, table = context.words, str(evidence.record["table"])
    exposed = [column["column"] for column in evidence.verdict.get("exposed", ())]
    if not exposed or not context.may(MemberRole.ANALYST):
        return

    def told() -> None:
        ui.notify(words("It is kept in the project. Release it again, and the verdict counts it."))

    with ui.element("div").classes("next-actions"):
        for name in exposed:
            plan = plan_of(context.reread().document, table).get(name, {})
            ui.button(
                words("Answer for {column} …", column=name),
                on_click=lambda _, name=name, plan=plan: ask_acceptance(context, table, name, plan, told),
            ).props("outline no-caps dense")


def _show_technique(evidence: ReleaseEvidence) -> None:
    """What was taken, what others would have kept, and what one step less or more would have changed."""
    lines = [*evidence.record.get("auto", {}).get("lines", ())]
    if "one_step" in evidence.record:
        lines.append(evidence.record["one_step"]["line"])
    for line in lines:
        ui.label(evidence.words.render(line)).classes("quiet technique-line")


def _show_promises(context: PageContext, evidence: ReleaseEvidence) -> None:
    if evidence.is_light:
        return
    kept = [
        finding["name"]
        for finding in evidence.record["verification"]["findings"]
        if finding["name"] in privacy_models()
    ]
    promises = promises_of(evidence)
    with ui.element("ul").classes("promises"):
        for number, promise in enumerate(promises):
            with ui.element("li"):
                ui.icon("check" if promise.is_kept else "close").props("aria-hidden=true")
                ui.label(f"{promise.promised} {promise.found}".strip())
                if len(kept) == len(promises):
                    explain(context, ConceptKind.MODEL, kept[number])


async def _show_rows(context: PageContext, job: Job, released: Mapping[str, Any], name: str) -> None:
    words = context.words
    first = (released.get("first") or {}).get(name)
    if context.may(MemberRole.ANALYST):
        beside = await in_thread(release_before_after, context.service, context.user, job["id"])
        if name in beside:
            show_before_after(context, beside[name])
            return
        ui.label(words("For this technique rows cannot be shown beside what they were.")).classes("quiet")
    if first is not None:
        show_first(context, first)
    else:
        ui.label(words("The rows of this release lie in the database that it was written to.")).classes(
            "quiet"
        )


def _show_distributions(context: PageContext, distributions: Mapping[str, Mapping[str, Any]]) -> None:
    words = context.words
    if not distributions:
        ui.label(words("The distributions of this release were not compared.")).classes("quiet")
        return
    ui.label(
        words(
            "Share of rows. Values of the table are counted under the labels that the release shows; numbers of the "
            "release are spread evenly over the range that they stand for."
        )
    ).classes("quiet")
    with ui.element("div").classes("charts"):
        for column, shares in distributions.items():
            groups = [words(group) if group in REST else group for group in shares["groups"]]
            before, after = words("Before"), words("After")
            show_chart(
                context,
                bar_options(groups, {before: shares["before"], after: shares["after"]}),
                title=column,
                heads=[column, before, after],
                rows=[
                    [group, words.percent(old), words.percent(new)]
                    for group, old, new in zip(groups, shares["before"], shares["after"], strict=True)
                ],
            )


REST = (phrase("(others)"), phrase("(missing)"), phrase("(hidden)"))


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")
