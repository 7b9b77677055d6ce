"""The drawing inside a page: SVG whose colours come from the page, so that they suit light and dark."""

from dataclasses import dataclass
from html import escape

from celosia.report.axes import (
    LineStyle,
    dotted,
    line_style,
    number_text,
    wrapped,
    x_reach,
    x_ticks,
    y_reach,
    y_ticks,
)
from celosia.report.charts import Chart, ChartSeries, printable

__all__ = [
    "DOTS",
    "HEIGHT",
    "LETTER",
    "WIDTH",
    "DrawingField",
    "drawing",
    "places",
    "safe",
    "swatch",
    "y_grid",
]

# Around the place of a value: disc, square, triangle, diamond, triangle, cross.
DOTS = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-3.5-3.5h7v7h-7z",
    "m0-4.5l4.5 8h-9z",
    "m0-5l5 5l-5 5l-5-5z",
    "m0 4.5l4.5-8h-9z",
    "m-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
)
WIDTH, HEIGHT, LETTER = 800, 400, 7.5


def safe(text: str) -> str:
    """The text as it may stand in a page.

    >>> safe("<age> & sex")
    '&lt;age&gt; &amp; sex'
    """
    return escape(printable(text))


def places(chart: Chart) -> list[float]:
    """Where in the drawing each x lies, from the left."""
    field = _field(chart)
    return [round(field.x(x), 1) for x in chart.x]


def swatch(looks: LineStyle) -> str:
    """A short piece of a line, for the legend."""
    return (
        f'<svg class="c{looks.colour}" width="40" height="14" viewBox="0 0 40 14" aria-hidden="true">'
        f'<path class="stroke"{_dashes(looks)} d="M0 7H40"/><path class="dots" d="M20 7{DOTS[looks.shape]}"/></svg>'
    )


def _dashes(looks: LineStyle) -> str:
    return f' stroke-dasharray="{" ".join(map(str, looks.dashes))}"' if looks.dashes else ""


@dataclass(frozen=True)
class DrawingField:
    """The part of the drawing inside the axes, and where in it a value lies."""

    left: float
    right: float
    top: float
    bottom: float
    across: tuple[float, float]
    along: tuple[float, float]

    def x(self, value: float) -> float:
        """From the left of the drawing."""
        low, high = self.across
        return self.left + (value - low) / (high - low) * (self.right - self.left)

    def y(self, value: float) -> float:
        """From the top of the drawing."""
        low, high = self.along
        return self.bottom - (value - low) / (high - low) * (self.bottom - self.top)


def _field(chart: Chart) -> DrawingField:
    """As large as the labels around it allow."""
    left = max((len(number_text(tick)) for tick in y_ticks(chart)), default=0) * LETTER
    right = max((len(row) for row in _limit_rows(chart)), default=0) * LETTER
    top = 24 if chart.mark_label else 10
    return DrawingField(left + 12, WIDTH - right - 12, top, HEIGHT - 24, x_reach(chart), y_reach(chart))


def _limit_rows(chart: Chart) -> list[str]:
    return [] if chart.limit is None else wrapped(chart.limit_label, 16)


def drawing(chart: Chart) -> str:
    """The chart without title and legend.

    >>> chart = Chart("Loss", "k", "loss", (2, 3, 4, 5), (ChartSeries("loss", (0.1, 0.2, None, 0.3)),))
    >>> drawing(chart).count("<g ")
    1
    """
    field = _field(chart)
    lines = "".join(
        _line(chart.x, line, line_style(number), field) for number, line in enumerate(chart.lines)
    )
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{safe(chart.title)}">\n'
        f"{_grid(chart, field)}{_mark_and_limit(chart, field)}"
        f'<path class="cursor" d="M0 {field.top}V{field.bottom}"/>\n{lines}</svg>'
    )


def _grid(chart: Chart, field: DrawingField) -> str:
    along = "".join(
        f'<path class="frame" d="M{field.x(tick):.1f} {field.bottom}v4"/>'
        f'<text x="{field.x(tick):.1f}" y="{field.bottom + 18}" text-anchor="middle">{number_text(tick)}</text>\n'
        for tick in x_ticks(chart)
    )
    frame = f"M{field.left:.1f} {field.top}V{field.bottom}H{field.right:.1f}"
    return f'{y_grid(field, y_ticks(chart))}{along}<path class="frame" d="{frame}"/>\n'


def y_grid(field: DrawingField, ticks: list[float]) -> str:
    """Lines across the field, each with its number on the left."""
    return "".join(
        f'<path class="grid" d="M{field.left:.1f} {field.y(tick):.1f}H{field.right:.1f}"/>'
        f'<text x="{field.left - 6:.1f}" y="{field.y(tick) + 4:.1f}" text-anchor="end">{number_text(tick)}</text>\n'
        for tick in ticks
    )


def _mark_and_limit(chart: Chart, field: DrawingField) -> str:
    drawn = ""
    if chart.mark is not None:
        x, label = field.x(chart.mark), escape("".join(wrapped(chart.mark_label, 60, rows=1)))
        anchor = "start" if x < WIDTH / 3 else "end" if x > WIDTH * 2 / 3 else "middle"
        drawn += (
            f'<path class="mark" d="M{x:.1f} {field.top}V{field.bottom}"/>'
            f'<text x="{x:.1f}" y="{field.top - 8}" text-anchor="{anchor}">{label}</text>\n'
        )
    if chart.limit is not None:
        y, rows = field.y(chart.limit), _limit_rows(chart)
        first = max(y + 4 - 8 * (len(rows) - 1), 12)
        drawn += f'<path class="limit" d="M{field.left:.1f} {y:.1f}H{field.right:.1f}"/>'
        drawn += "".join(
            f'<text x="{field.right + 6:.1f}" y="{first + 16 * number:.1f}">{escape(row)}</text>\n'
            for number, row in enumerate(rows)
        )
    return drawn


def _line(x: tuple[float, ...], line: ChartSeries, looks: LineStyle, field: DrawingField) -> str:
    """A line that is lifted off the paper where it has no value."""
    stroke, is_down = "", False
    for x_value, value in zip(x, line.values, strict=True):
        if value is not None:
            stroke += f"{'L' if is_down else 'M'}{field.x(x_value):.1f} {field.y(value):.1f}"
        is_down = value is not None
    dots = "".join(
        f"M{field.x(x[at]):.1f} {field.y(line.values[at] or 0.0):.1f}{DOTS[looks.shape]}"
        for at in dotted(line)
    )
    return (
        f'<g class="line c{looks.colour}"><path class="stroke"{_dashes(looks)} d="{stroke}"/>'
        f'<path class="dots" d="{dots}"/></g>\n'
    )
