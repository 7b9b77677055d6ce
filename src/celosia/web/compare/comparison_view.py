"""What a comparison found: its tables, accuracy by technique and model, risk against use, and files to take."""

from collections.abc import Mapping, Sequence
from typing import Any

from nicegui import ui

from celosia.concepts import ConceptKind, concept
from celosia.errors import ProjectError
from celosia.web.charts import bar_options, point_options, show_chart
from celosia.web.concept_help import explain
from celosia.web.page_context import PageContext
from celosia.web.plain_table import show_table
from celosia.words import Words, phrase

__all__ = ["details_rows", "show_comparison"]

HEADS = {
    "table": phrase("Table"),
    "model": phrase("Model"),
    "rows": phrase("Rows"),
    "correct": phrase("Correct"),
    "incorrect": phrase("Incorrect"),
    "accuracy": phrase("Accuracy"),
    "mean absolute error": phrase("Mean absolute error"),
    "root mean squared error": phrase("Root mean squared error"),
    "R2": phrase("R2"),
    "low": phrase("from"),
    "high": phrase("to"),
    "against original": phrase("Against the original"),
    "p": phrase("p"),
    "tested on": phrase("Tested on"),
    "why not": phrase("Why there is nothing"),
    "TP rate": phrase("TP rate"),
    "FP rate": phrase("FP rate"),
    "precision": phrase("Precision"),
    "F-measure": phrase("F-measure"),
    "MCC": phrase("MCC"),
    "ROC area": phrase("ROC area"),
    "PRC area": phrase("PRC area"),
}
WAYS = {
    "": phrase("tested on rows of each table"),
    "-on-original": phrase("tested on people as the original has them"),
}
TOLD = {
    "original": phrase("original"),
    "original, scaled": phrase("original, scaled"),
    "its own rows": phrase("its own rows"),
    "the original": phrase("the original"),
    "the original, most seen in training": phrase("the original, most seen in training"),
}
NAMES = {
    "details": phrase("Details"),
    "summary": phrase("Summary"),
}
TEXTS = ("table", "model", "class", "measure", "tested on", "why not")
FORMATS = {"csv": "CSV", "tex": "LaTeX", "md": "Markdown"}


def details_rows(
    rows: Sequence[Mapping[str, Any]], words: Words
) -> tuple[list[str], list[list[str]], list[int]]:
    """Heads, cells as texts, and which of the columns hold numbers.

    >>> rows = [{"table": "original", "model": "majority", "accuracy": 0.75, "why not": None}]
    >>> details_rows(rows, Words("en"))
    (['Table', 'Model', 'Accuracy'], [['original', 'majority', '0.75']], [2])
    """
    names = _ordered(list(rows[0]) if rows else [])
    if all(row["why not"] is None for row in rows if "why not" in row):
        names = [name for name in names if name != "why not"]
    heads = [_head(name, words) for name in names]
    cells = [[_cell(name, row[name], words) for name in names] for row in rows]
    return heads, cells, [place for place, name in enumerate(names) if name not in TEXTS]


def _ordered(names: list[str]) -> list[str]:
    """What it is about first, then how good it is with its interval, then the risks, then the rest."""
    first = ["table", "model", "why not", "accuracy", "R2", "low", "high", "against original", "p"]
    risks = [name for name in names if name not in HEADS]
    front = [name for name in (*first, *risks) if name in names]
    return front + [name for name in names if name not in front]


def _head(name: str, words: Words) -> str:
    return words(HEADS[name]) if name in HEADS else _measure(name, words)


def _measure(name: str, words: Words) -> str:
    """What a measure of risk is called."""
    for kind in (ConceptKind.ATTACK, ConceptKind.MEASURE):
        try:
            return concept(kind, name, words).title
        except ProjectError:
            continue
    return name


def _cell(name: str, value: Any, words: Words) -> str:
    if value is None:
        return ""
    if name == "why not":
        return words.render(value)
    if isinstance(value, str):
        return words(TOLD[value]) if value in TOLD else value
    return words.number(value, 0 if name in ("rows", "correct", "incorrect") else 4)


def show_comparison(context: PageContext, comparison: Mapping[str, Any]) -> None:
    """All of it."""
    words = context.words
    _show_cautions(context, comparison)
    with ui.element("div").classes("charts wide-charts"):
        _show_accuracy(context, comparison)
        _show_frontier(context, comparison)
    for name, title in NAMES.items():
        _show_results(context, comparison, name, words(title))
    _show_files(context, comparison)


def _show_cautions(context: PageContext, comparison: Mapping[str, Any]) -> None:
    words = context.words
    said = [(table["name"], caution) for table in comparison["tables"] for caution in table["cautions"]]
    failed = [(table["name"], table["why_not"]) for table in comparison["tables"] if table["why_not"]]
    if said or failed:
        with ui.element("section").classes("cautions"):
            ui.label(words("Be careful")).classes("cautions-title")
            with ui.element("ul"):
                for name, caution in said:
                    with ui.element("li"):
                        ui.label(_caution(name, caution, words))
                for name, why in failed:
                    with ui.element("li"):
                        told = words("{table} could not be made: {why}", table=name, why=words.render(why))
                        ui.label(told)


def _caution(name: str, caution: str, words: Words) -> str:
    """A caution, which begins with the name of the step that it is about."""
    step, _, text = words.render(caution).partition(": ")
    return f"{name}: {text}" if step in name else f"{name}, {step}: {text}"


def _show_accuracy(context: PageContext, comparison: Mapping[str, Any]) -> None:
    words, figures = context.words, comparison["figures"]
    for name, title in (
        ("accuracy", phrase("Accuracy by technique and model")),
        ("R2", phrase("R2 by technique and model")),
    ):
        if name in figures:
            drawn = figures[name]
            groups = [_cell("table", group, words) for group in drawn["groups"]]
            series = {_model(model, words): values for model, values in drawn["series"].items()}
            show_chart(
                context,
                bar_options(groups, series, is_share=name == "accuracy"),
                title=words(title),
                heads=[words("Table"), *series],
                rows=[
                    [
                        group,
                        *(
                            "" if values[place] is None else words.number(values[place], 4)
                            for values in series.values()
                        ),
                    ]
                    for place, group in enumerate(groups)
                ],
                tall=True,
            )


def _model(text: str, words: Words) -> str:
    """What a model is called, with its parameters as they were written."""
    name, bracket, inside = text.partition("(")
    try:
        return concept(ConceptKind.LEARNING_MODEL, name, words).title + (f" ({inside}" if bracket else "")
    except ProjectError:
        return text


def _show_frontier(context: PageContext, comparison: Mapping[str, Any]) -> None:
    words = context.words
    drawn = {
        name.removeprefix("frontier-"): figure
        for name, figure in comparison["figures"].items()
        if name.startswith("frontier-")
    }
    if not drawn:
        return
    with ui.element("div").classes("frontier"):

        def draw(measure: str) -> None:
            place.clear()
            with place:
                _frontier(context, measure, drawn[measure])

        with ui.element("div").classes("frontier-choice"):
            ui.select(
                {name: _measure(name, words) for name in drawn},
                value=next(iter(drawn)),
                label=words("Risk to look at"),
                on_change=lambda event: draw(event.value),
            ).props("outlined dense options-dense").classes("wide")
            ui.label(
                words(
                    "Further to the left is safer, further up is more useful. No technique is better in both than "
                    "those on the line."
                )
            ).classes("quiet")
        place = ui.element("div")
        draw(next(iter(drawn)))


def _frontier(context: PageContext, measure: str, figure: Mapping[str, Any]) -> None:
    words = context.words
    points = {_cell("table", name, words): (place[0], place[1]) for name, place in figure["points"].items()}
    titles = (_measure(measure, words), words("best model, on the original"))
    show_chart(
        context,
        point_options(
            points,
            [_cell("table", name, words) for name in figure["best"]],
            titles=titles,
            names=(words("beaten by none"), words("others")),
        ),
        title=words("Risk against use"),
        heads=[words("Table"), *titles],
        rows=[[name, words.number(x, 4), words.number(y, 4)] for name, (x, y) in points.items()],
        tall=True,
    )


def _show_results(context: PageContext, comparison: Mapping[str, Any], name: str, title: str) -> None:
    words = context.words
    ui.html(f"<h2>{title}</h2>", sanitize=False)

    def draw(way: str) -> None:
        place.clear()
        rows = [dict(row) for row in comparison["results"][name + way]]
        for row in rows:
            row["model"] = _model(row["model"], words)
        heads, cells, right = details_rows(rows, words)
        with place:
            wide = [place for place, head in enumerate(heads) if head == words(HEADS["why not"])]
            show_table(heads, cells, caption=title, right=right, wide=wide)

    with ui.element("div").classes("row-line"):
        ui.toggle(
            {way: words(text) for way, text in WAYS.items()},
            value="",
            on_change=lambda event: draw(event.value),
        ).props("no-caps unelevated toggle-color=primary").classes("ways")
        if name == "details":
            for measure in comparison["measures"]:
                _explained(context, measure)
    place = ui.element("div")
    draw("")


def _explained(context: PageContext, measure: str) -> None:
    for kind in (ConceptKind.ATTACK, ConceptKind.MEASURE):
        try:
            explain(context, kind, measure)
            return
        except ProjectError:
            continue


def _show_files(context: PageContext, comparison: Mapping[str, Any]) -> None:
    words = context.words
    ui.html(f"<h2>{words('Take the tables with you')}</h2>", sanitize=False)
    with ui.element("div").classes("row-line"):
        table = ui.select(
            {name: _file(name, words) for name in comparison["written"]},
            value="details",
            label=words("Table"),
        ).props("outlined dense options-dense")
        for ending, title in FORMATS.items():
            ui.button(
                title,
                icon="download",
                on_click=lambda ending=ending: ui.download.content(
                    comparison["written"][table.value][ending], f"{table.value}.{ending}"
                ),
            ).props("flat no-caps")


FILES = {
    "details": phrase("Details"),
    "details-on-original": phrase("Details, tested on the original"),
    "summary": phrase("Summary"),
    "summary-on-original": phrase("Summary, tested on the original"),
    "classes": phrase("Every class by itself"),
    "risks": phrase("Risks"),
}


def _file(name: str, words: Words) -> str:
    return words(FILES[name]) if name in FILES else name
