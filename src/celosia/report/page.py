"""Charts as a page of their own: drawn here, alive through a small script, in need of nothing from elsewhere."""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path

from celosia.report.axes import COLOURS, line_style, number_text
from celosia.report.bars import BarChart
from celosia.report.bars_page import bar_parts
from celosia.report.charts import AnyChart, Chart, printable
from celosia.report.drawing import drawing, places, safe, swatch
from celosia.report.frontier import FrontierChart
from celosia.report.frontier_page import frontier_parts
from celosia.report.rendered_chart import RenderedChart, Row

__all__ = ["draw_page"]

WORDS = {
    "en": {
        "hide": "hide",
        "show": "show",
        "none": "no value",
        "table": "Table of values",
        "legend": "Series, each a switch",
        "keys": "The arrow keys go through the values.",
        "empty": "There are no values to draw.",
    },
    "es": {
        "hide": "ocultar",
        "show": "mostrar",
        "none": "sin valor",
        "table": "Tabla de valores",
        "legend": "Series, cada una un interruptor",
        "keys": "Las teclas de flecha recorren los valores.",
        "empty": "No hay valores que dibujar.",
    },
}


def draw_page(chart: AnyChart) -> bytes:
    """The chart as one HTML file with drawing, script, and a table of the values.

    >>> from celosia.report import ChartSeries
    >>> page = draw_page(Chart("Loss", "k", "loss", (2, 3), (ChartSeries("<loss>", (0.1, 0.2)),))).decode()
    >>> "<td>0.2</td>" in page, "<loss>" in page
    (True, False)
    """
    style, script = _part("page.css") + _colours(), _part("page.js")
    parts = _parts(chart)
    # Should anything ever slip into the page, the browser still runs nothing but this script.
    rules = f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}"
    return f"""<!DOCTYPE html>
<html lang="{chart.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{rules}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{safe(chart.title)}</title>
<style>{style}</style>
</head>
<body>
<main class="chart">
<h1>{safe(chart.title)}</h1>
{_figure(chart, parts)}
{_table(parts, WORDS[chart.language]["table"])}
<script type="application/json">{_data(parts, chart.language)}</script>
</main>
<script>{script}</script>
</body>
</html>
""".encode()


def _parts(chart: AnyChart) -> RenderedChart:
    if isinstance(chart, BarChart):
        return bar_parts(chart)
    return frontier_parts(chart) if isinstance(chart, FrontierChart) else _line_parts(chart)


def _line_parts(chart: Chart) -> RenderedChart:
    return RenderedChart(
        drawing=drawing(chart),
        swatches=tuple(swatch(line_style(number)) for number in range(len(chart.lines))),
        names=tuple(line.name for line in chart.lines),
        x=tuple(places(chart)),
        heads=tuple(f"{chart.x_title} = {number_text(x)}" for x in chart.x),
        texts=tuple(tuple(_text(value) for value in line.values) for line in chart.lines),
        columns=(chart.x_title, *(line.name for line in chart.lines)),
        rows=tuple(
            Row(number_text(x), tuple(_text(line.values[at]) or "" for line in chart.lines), x == chart.mark)
            for at, x in enumerate(chart.x)
        ),
    )


@cache
def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _colours() -> str:
    return "".join(f".c{n}{{--line:{colour or 'var(--text)'}}}\n" for n, colour in enumerate(COLOURS))


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(parts: RenderedChart, language: str) -> str:
    """What the script needs, as texts ready to show; no "<" can end the element it lies in."""
    data: dict[str, object] = {
        "x": parts.x,
        "heads": [printable(head) for head in parts.heads],
        "lines": [
            {"name": printable(name), "texts": texts}
            for name, texts in zip(parts.names, parts.texts, strict=True)
        ],
        "words": {name: WORDS[language][name] for name in ("hide", "show", "none")},
    }
    if parts.y is not None:
        data["y"] = parts.y
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _text(value: float | None) -> str | None:
    return None if value is None else number_text(value)


def _figure(chart: AnyChart, parts: RenderedChart) -> str:
    words = WORDS[chart.language]
    has_values = any(text is not None for texts in parts.texts for text in texts)
    entries = "".join(
        f'<li><button type="button" aria-pressed="true" title="{words["hide"]}">'
        f"{swatch}{safe(name)}</button></li>\n"
        for swatch, name in zip(parts.swatches, parts.names, strict=True)
    )
    legend = f'<ul class="legend" aria-label="{words["legend"]}">\n{entries}</ul>\n' if entries else ""
    keys = f'tabindex="0" role="group" aria-label="{safe(chart.title)}. {words["keys"]}"' if parts.x else ""
    return f"""{legend}<p class="axis">{safe(chart.y_title)}</p>
<div class="plot" {keys}>
<div class="wide">{parts.drawing}</div>
<div class="tip" aria-hidden="true" hidden></div>
<p class="told" role="status"></p>
</div>
<p class="axis under">{safe(chart.x_title)}</p>
{"" if has_values else f"<p>{words['empty']}</p>"}"""


def _table(parts: RenderedChart, title: str) -> str:
    heads = "".join(f'<th scope="col">{safe(name)}</th>' for name in parts.columns)
    rows = "".join(_row(row) for row in parts.rows)
    return f"""<details open>
<summary>{title}</summary>
<div class="wide" tabindex="0" role="region" aria-label="{title}">
<table>
<thead><tr>{heads}</tr></thead>
<tbody>
{rows}</tbody>
</table>
</div>
</details>"""


def _row(row: Row) -> str:
    cells = "".join(f"<td>{safe(cell)}</td>" for cell in row.cells)
    marked = ' class="marked"' if row.is_marked else ""
    return f'<tr{marked}><th scope="row">{safe(row.head)}</th>{cells}</tr>\n'
