"""The solutions of a lattice on a page: the drawing, the frontier, the chosen one in words, and all of them."""

from typing import Any, NamedTuple

from nicegui import ui
from nicegui.events import EChartPointClickEventArguments

from celosia.concepts import ConceptKind, concept
from celosia.server.work.results import CandidatesResult
from celosia.web.concept_help import explain
from celosia.web.page_context import PageContext
from celosia.web.solutions.balance_panel import balance_panel
from celosia.web.solutions.candidate_charts import BANDS, frontier_chart, lattice_chart, ring
from celosia.web.solutions.candidate_choice import CandidateChoice, chosen_panel
from celosia.web.solutions.candidate_table import CandidateTable
from celosia.web.solutions.candidates import drawn_candidates
from celosia.words import Words

__all__ = ["Charts", "make_charts", "show_solutions"]


class Charts(NamedTuple):
    """What is drawn of the solutions."""

    lattice: dict[str, Any]
    frontier: dict[str, Any]


def make_charts(words: Words, explored: CandidatesResult) -> Charts:
    """The charts of what a search found."""
    title = concept(ConceptKind.MEASURE, explored["measure"], words).title
    return Charts(lattice_chart(words, explored), frontier_chart(words, explored, title))


def show_solutions(
    context: PageContext, table: str, explored: CandidatesResult, charts: Charts, *, is_stale: bool
) -> None:
    """Everything about the candidates of a table."""
    nodes = [candidate["node"] for candidate in explored["candidates"]]
    choice = CandidateChoice(explored, nodes.index(explored["best"]) if explored["best"] in nodes else 0)
    _lead(context, explored)
    with ui.element("div").classes("solutions-top"):
        _lattice(context, choice, charts.lattice)
        chosen_panel(context, table, choice, is_stale=is_stale)
    with ui.element("div").classes("solutions-more"):
        if explored["frontier"]:
            _frontier(context, choice, charts.frontier)
        balance_panel(context, table)
    _all(context, choice)


def _lead(context: PageContext, explored: CandidatesResult) -> None:
    words = context.words
    if not explored["valid"]:
        with ui.element("div").classes("mistake").props("role=status"):
            ui.label(words("No solution keeps your promises.")).classes("mistake-what")
            ui.label(
                words(
                    "Let more rows be left out, ask for less, or give columns hierarchies with more levels."
                )
            )
            ui.link(words("Change the goals"), context.link("goals"))
        return
    ui.label(
        words(
            "{valid} of {all} combinations of levels keep your promises.",
            valid=words.number(explored["valid"]),
            all=words.number(explored["nodes"]),
        )
    ).classes("lead")


def _heading(context: PageContext, title: str, name: str) -> None:
    with ui.element("div").classes("panel-head"):
        with ui.element("h2"):
            ui.label(title)
        explain(context, ConceptKind.WORD, name)


def _lattice(context: PageContext, choice: CandidateChoice, options: dict[str, Any]) -> None:
    words, explored = context.words, choice.explored
    options["series"][-1:] = ring(options, choice.number)["series"]
    shown = drawn_candidates(explored["candidates"], explored["nodes"])
    with ui.element("section").classes("panel lattice"):
        _heading(context, words("The lattice"), "lattice")
        if len(shown) < explored["nodes"]:
            ui.label(
                words(
                    "Drawn are {count} that keep your promises: in every row those that lose least.",
                    count=words.number(len(shown)),
                )
            ).classes("quiet")
        ui.label(words("↑ more general: people are safer, columns say less")).classes("quiet axis")
        chart = ui.echart(options, on_point_click=lambda event: _clicked(choice, event))
        chart.classes("chart-lattice").props("role=img")
        chart.props["aria-label"] = words(
            "Lattice of {all} solutions, {valid} of which keep your promises. The table below lists them.",
            all=words.number(explored["nodes"]),
            valid=words.number(explored["valid"]),
        )
        ui.label(words("↓ closer to the original: columns say more, people are more exposed")).classes(
            "quiet axis"
        )
        _legend(context)

    def follow(number: int) -> None:
        chart.run_chart_method("setOption", ring(options, number))

    choice.follow.append(follow)


def _clicked(choice: CandidateChoice, event: EChartPointClickEventArguments) -> None:
    number = event.data.get("id") if isinstance(event.data, dict) else None
    if isinstance(number, int) and 0 <= number < len(choice.explored["candidates"]):
        choice.pick(number)


def _legend(context: PageContext) -> None:
    from html import escape

    words = context.words
    circle = '<circle cx="9" cy="9" r="6.5" fill="{}" stroke="{}" stroke-width="{}"/>'
    star = '<path d="M9 1 L11.3 6.5 L17 7 L12.7 11 L14 16.7 L9 13.6 L4 16.7 L5.3 11 L1 7 L6.7 6.5 Z" {}/>'
    entries = (
        (star.format('fill="#b3541e" stroke="#1b2733"'), words("the best")),
        (circle.format(BANDS[0], "#1f4e79", 1), words("keeps your promises, loses little")),
        (circle.format(BANDS[3], "#1f4e79", 1), words("keeps them, loses much")),
        (circle.format(BANDS[2], "#1b2733", 3), words("minimal: nothing less general keeps them")),
        (
            '<path d="M9 3 L15 9 L9 15 L3 9 Z" fill="#fff" stroke="#76838f" stroke-width="1.5"/>',
            words("does not keep them"),
        ),
        (
            '<circle cx="9" cy="9" r="7" fill="none" stroke="#b3541e" stroke-width="2.5"/>',
            words("the one you look at"),
        ),
    )
    items = "".join(
        f'<li><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">{drawing}</svg>'
        f"<span>{escape(text)}</span></li>"
        for drawing, text in entries
    )
    ui.html(f'<ul class="legend">{items}</ul>', sanitize=False)


def _frontier(context: PageContext, choice: CandidateChoice, options: dict[str, Any]) -> None:
    words, explored = context.words, choice.explored
    options["series"][-1:] = ring(options, choice.number)["series"]
    with ui.element("section").classes("panel"):
        _heading(context, words("Risk and loss"), "frontier")
        ui.label(
            words(
                "On the line are solutions that no other beats: less risk is only had for more loss. "
                "Click on one to see it in words."
            )
        ).classes("quiet")
        shown = sum(len(series["data"]) for series in options["series"][:2])
        if shown < explored["valid"]:
            ui.label(words("Drawn are the {count} that lose least.", count=words.number(shown))).classes(
                "quiet"
            )
        chart = ui.echart(options, on_point_click=lambda event: _clicked(choice, event))
        chart.classes("chart").props("role=img")
        chart.props["aria-label"] = words(
            "Risk and loss of {count} solutions, {best} of them on the frontier. The table below lists them.",
            count=words.number(explored["valid"]),
            best=words.number(len(explored["frontier"])),
        )

    def follow(number: int) -> None:
        chart.run_chart_method("setOption", ring(options, number))

    choice.follow.append(follow)


def _all(context: PageContext, choice: CandidateChoice) -> None:
    words, explored = context.words, choice.explored
    with ui.element("section").classes("panel"):
        _heading(context, words("All solutions"), "candidate")
        if len(explored["candidates"]) < explored["nodes"]:
            ui.label(
                words(
                    "Listed are the {count} best of {all}, those that keep your promises first.",
                    count=words.number(len(explored["candidates"])),
                    all=words.number(explored["nodes"]),
                )
            ).classes("quiet")
        table = CandidateTable(words, explored, choice.pick)
    choice.follow.append(table.pick)
    table.pick(choice.number)
