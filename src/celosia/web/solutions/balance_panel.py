"""The balance of k: what each k keeps of the distributions, and the way from a point of the curve to the goals."""

from typing import cast

from nicegui import run, ui
from nicegui.events import EChartPointClickEventArguments

from celosia.concepts import ConceptKind
from celosia.errors import CelosiaError
from celosia.server.job import Job
from celosia.server.queue import OPEN
from celosia.server.work.results import BalanceColumn, BalanceResult
from celosia.web.concept_help import explain
from celosia.web.goals.goals import goal, set_model
from celosia.web.job_progress import show_job
from celosia.web.page_context import PageContext, show_error
from celosia.web.solutions.balance_chart import balance_chart

__all__ = ["balance_panel"]


def balance_panel(context: PageContext, table: str) -> None:
    """The latest curve, or the button that draws one."""
    words = context.words
    with ui.element("section").classes("panel") as panel:
        panel.props["aria-label"] = words("Which k?")
        with ui.element("div").classes("panel-head"):
            with ui.element("h2"):
                ui.label(words("Which k?"))
            explain(context, ConceptKind.MODEL, "k-anonymity")
        ui.label(
            words(
                "Larger groups hide people better and blur the columns more. The curve tries every k with Mondrian, "
                "which keeps numbers as numbers."
            )
        ).classes("quiet")
        place = ui.element("div")
    first = next(iter(context.project.document["tables"]))
    jobs = context.service.queue.list(context.user, context.project.id, "balance", last=20)
    mine = [job for job in jobs if (job["parameters"].get("table") or first) == table]
    job = next((job for job in mine if job["state"] in (*OPEN, "done")), None)
    if job is None:
        _ask(context, table, place)
    else:
        _follow(context, table, place, job)


def _ask(context: PageContext, table: str, place: ui.element) -> None:
    words = context.words

    def begin() -> None:
        try:
            job = context.submit("balance", table=table, last=int(last.value or 20))
        except CelosiaError as error:
            with place:
                show_error(error, words)
            return
        _follow(context, table, place, job)

    with place, ui.element("div").classes("panel-line"):
        last = ui.number(words("Up to k"), value=20, min=3, max=500, step=1).props("outlined dense")
        last.classes("short")
        ui.button(words("Draw the curve"), on_click=begin).props("outline no-caps")


def _follow(context: PageContext, table: str, place: ui.element, job: Job) -> None:
    async def done(finished: Job) -> None:
        result = await run.io_bound(context.service.queue.result, context.user, finished["id"])
        if result is not None:  # the service stops
            _show(context, table, place, cast(BalanceResult, result))

    place.clear()
    with place:
        show_job(context, job, done, ended=lambda _: _ask(context, table, place))


def _show(context: PageContext, table: str, place: ui.element, balance: BalanceResult) -> None:
    words = context.words
    best = balance["best"]["sound"]

    def pick(event: EChartPointClickEventArguments) -> None:
        if isinstance(event.value, list) and event.value:
            chosen.set_value(int(event.value[0]))

    def anew() -> None:
        place.clear()
        _ask(context, table, place)

    def take() -> None:
        model = {"model": "k-anonymity", "k": int(chosen.value or 2)}
        own = table if "models" in (context.reread().document["tables"].get(table) or {}) else None
        try:
            context.change(
                lambda document: set_model(document, own, model), f"k = {model['k']} from the curve"
            )
        except CelosiaError as error:
            with place:
                show_error(error, words)
            return
        ui.navigate.to(context.link("goals"))

    place.clear()
    with place:
        chart = ui.echart(balance_chart(words, balance), on_point_click=pick)
        chart.classes("chart").props("role=img")
        told = _told(context, balance)
        chart.props["aria-label"] = told
        ui.label(told)
        with ui.element("div").classes("panel-line"):
            chosen = ui.number(words("k"), value=best or balance["points"][0]["k"], min=2, step=1)
            chosen.props("outlined dense").classes("short")
            ui.button(words("Take this k into the goals"), on_click=take).props("outline no-caps")
            again = ui.button(words("Draw again"), on_click=anew)
            again.props("flat no-caps color=secondary")
        _figures(context, balance)


def _told(context: PageContext, balance: BalanceResult) -> str:
    words, best, judged = context.words, balance["best"]["sound"], balance["judged"]["sound"]
    now = next(
        (m["k"] for m in goal(context.project.document, None, "models") or () if m["model"] == "k-anonymity"),
        None,
    )
    asked = "" if now is None else " " + words("You ask for k = {k} now.", k=now)
    if not judged:
        return (
            words("No column keeps values that could be compared: the lines show what each k loses.") + asked
        )
    if best is None:
        return words("No k that was tried keeps every column within the limit.") + asked
    return (
        words(
            "k = {k} is the largest of those tried that keeps every column within {limit} of the original.",
            k=best,
            limit=words.number(balance["tolerance"], 3),
        )
        + asked
    )


def _figures(context: PageContext, balance: BalanceResult) -> None:
    """The curve as a table, for whoever cannot see it."""
    from html import escape

    words, judged = context.words, balance["judged"]["sound"] or list(balance["points"][0]["columns"])
    heads = "".join(f'<th scope="col" class="number">{escape(name)}</th>' for name in judged)
    rows = []
    for point in balance["points"]:
        cells = "".join(
            f'<td class="number">{words.number(_value(point["columns"][name], balance), 3)}</td>'
            for name in judged
        )
        rows.append(f'<tr><th scope="row">{point["k"]}</th>{cells}</tr>')
    with ui.expansion(words("The curve as a table")):
        ui.html(
            f'<div class="table-scroll"><table class="candidates"><thead><tr><th scope="col">k</th>{heads}</tr>'
            f"</thead><tbody>{''.join(rows)}</tbody></table></div>",
            sanitize=False,
        )


def _value(column: BalanceColumn, balance: BalanceResult) -> float:
    if not balance["judged"]["sound"]:
        return float(column["loss"])
    value = column["variation"] if column["distance"] is None else column["distance"]
    return 0.0 if value is None else value
