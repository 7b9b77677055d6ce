"""Charts as a page of their own: drawn here, alive through a small script, in need of nothing from elsewhere."""

import base64
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

from celosia.report.axes import COLOURS, look, number_text
from celosia.report.charts import Chart, printable
from celosia.report.drawing import drawing, places, safe, swatch

__all__ = ["draw_page"]

WORDS = {
    "en": {
        "hide": "hide",
        "show": "show",
        "none": "no value",
        "table": "Table of values",
        "legend": "Lines, each a switch",
        "keys": "The arrow keys go through the values.",
        "empty": "There are no values to draw.",
    },
    "es": {
        "hide": "ocultar",
        "show": "mostrar",
        "none": "sin valor",
        "table": "Tabla de valores",
        "legend": "Líneas, cada una un interruptor",
        "keys": "Las teclas de flecha recorren los valores.",
        "empty": "No hay valores que dibujar.",
    },
}


def draw_page(chart: Chart) -> bytes:
    """The chart as one HTML file with drawing, script, and a table of the values.

    >>> from celosia.report import Line
    >>> page = draw_page(Chart("Loss", "k", "loss", (2, 3), (Line("<loss>", (0.1, 0.2)),))).decode()
    >>> "<td>0.2</td>" in page, "<loss>" in page
    (True, False)
    """
    style, script = _part("page.css") + _colours(), _part("page.js")
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
{_figure(chart)}
{_table(chart)}
<script type="application/json">{_data(chart)}</script>
</main>
<script>{script}</script>
</body>
</html>
""".encode()


@cache
def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _colours() -> str:
    return "".join(f".c{n}{{--line:{colour or 'var(--text)'}}}\n" for n, colour in enumerate(COLOURS))


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(chart: Chart) -> str:
    """What the script needs, as texts ready to show; no "<" can end the element it lies in."""
    data: dict[str, Any] = {
        "x": places(chart),
        "heads": [f"{printable(chart.x_title)} = {number_text(x)}" for x in chart.x],
        "lines": [
            {"name": printable(line.name), "texts": [_text(value) for value in line.values]}
            for line in chart.lines
        ],
        "words": {name: WORDS[chart.language][name] for name in ("hide", "show", "none")},
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


def _text(value: float | None) -> str | None:
    return None if value is None else number_text(value)


def _figure(chart: Chart) -> str:
    words = WORDS[chart.language]
    has_values = any(value is not None for line in chart.lines for value in line.values)
    entries = "".join(
        f'<li><button type="button" aria-pressed="true" title="{words["hide"]}">'
        f"{swatch(look(number))}{safe(line.name)}</button></li>\n"
        for number, line in enumerate(chart.lines)
    )
    legend = f'<ul class="legend" aria-label="{words["legend"]}">\n{entries}</ul>\n' if entries else ""
    keys = f'tabindex="0" role="group" aria-label="{safe(chart.title)}. {words["keys"]}"' if chart.x else ""
    return f"""{legend}<p class="axis">{safe(chart.y_title)}</p>
<div class="plot" {keys}>
<div class="wide">{drawing(chart)}</div>
<div class="tip" aria-hidden="true" hidden></div>
<p class="told" role="status"></p>
</div>
<p class="axis under">{safe(chart.x_title)}</p>
{"" if has_values else f"<p>{words['empty']}</p>"}"""


def _table(chart: Chart) -> str:
    title = WORDS[chart.language]["table"]
    heads = "".join(f'<th scope="col">{safe(name)}</th>' for name in [chart.x_title, *_names(chart)])
    rows = "".join(_row(chart, at) for at in range(len(chart.x)))
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


def _names(chart: Chart) -> list[str]:
    return [line.name for line in chart.lines]


def _row(chart: Chart, at: int) -> str:
    cells = "".join(f"<td>{_text(line.values[at]) or ''}</td>" for line in chart.lines)
    marked = ' class="marked"' if chart.x[at] == chart.mark else ""
    return f'<tr{marked}><th scope="row">{number_text(chart.x[at])}</th>{cells}</tr>\n'
