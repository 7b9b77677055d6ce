"""Bars in groups, as a page shows them."""

from celosia.report.axes import COLOURS, number_text, wrapped
from celosia.report.bars import BarChart, Bars, bar_reach, bar_ticks, fill_of, interval_text
from celosia.report.drawing import HEIGHT, LETTER, WIDTH, DrawingField, safe, y_grid
from celosia.report.rendered_chart import RenderedChart, Row

__all__ = ["bar_parts"]

_ROOM = 0.8
"""The share of a group's width that its bars take."""


def bar_parts(chart: BarChart) -> RenderedChart:
    """Drawing, legend, and table; a reader goes from group to group."""
    field = _field(chart)
    series = range(len(chart.series))
    texts = tuple(
        tuple(
            None if value is None else number_text(value) + interval_text(interval)
            for value, interval in zip(bars.values, bars.intervals, strict=True)
        )
        for bars in chart.series
    )
    return RenderedChart(
        drawing=_drawing(chart, field),
        swatches=tuple(_swatch(number) for number in series),
        names=tuple(bars.name for bars in chart.series),
        x=tuple(round(field.x(place), 1) for place in range(len(chart.groups))),
        heads=chart.groups,
        texts=texts,
        columns=(chart.x_title, *(bars.name for bars in chart.series)),
        rows=tuple(
            Row(name, tuple(texts[number][place] or "" for number in series))
            for place, name in enumerate(chart.groups)
        ),
    )


def _is_upright(chart: BarChart) -> bool:
    return sum(len(name) + 2 for name in chart.groups) * LETTER > WIDTH - 60


def _names(chart: BarChart) -> list[str]:
    return ["".join(wrapped(name, 22, rows=1)) for name in chart.groups]


def _field(chart: BarChart) -> DrawingField:
    left = max((len(number_text(tick)) for tick in bar_ticks(chart)), default=0) * LETTER
    longest = max((len(name) for name in _names(chart)), default=0)
    below = 12 + longest * 6.5 if _is_upright(chart) else 24
    across = (-0.6, max(0.6, len(chart.groups) - 0.4))
    return DrawingField(left + 12, WIDTH - 12, 10, HEIGHT - below, across, bar_reach(chart))


def _drawing(chart: BarChart, field: DrawingField) -> str:
    width = _ROOM / max(1, len(chart.series))
    bars = "".join(
        _bars(bars, number, field, first=-_ROOM / 2 + width * number, width=width)
        for number, bars in enumerate(chart.series)
    )
    zero = f'<path class="frame" d="M{field.left:.1f} {field.y(0):.1f}H{field.right:.1f}"/>'
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{safe(chart.title)}">\n'
        f'{y_grid(field, bar_ticks(chart))}<path class="cursor" d="M0 {field.top}V{field.bottom:.1f}"/>\n'
        f"{bars}{zero}\n{_group_names(chart, field)}</svg>"
    )


def _bars(bars: Bars, number: int, field: DrawingField, *, first: float, width: float) -> str:
    shapes, whiskers = "", ""
    for place, (value, interval) in enumerate(zip(bars.values, bars.intervals, strict=True)):
        left, right = field.x(place + first), field.x(place + first + width)
        if value is not None:
            shapes += f"M{left:.1f} {field.y(0):.1f}V{field.y(value):.1f}H{right:.1f}V{field.y(0):.1f}z"
        if interval is not None:
            middle, low, high = (left + right) / 2, field.y(interval[0]), field.y(interval[1])
            whiskers += f"M{middle:.1f} {low:.1f}V{high:.1f}M{middle - 3:.1f} {low:.1f}h6M{middle - 3:.1f} {high:.1f}h6"
    return (
        f'<g class="line c{number % len(COLOURS)}"><path class="bars" fill-opacity="{fill_of(number)}" d="{shapes}"/>'
        f'<path class="interval" d="{whiskers}"/></g>\n'
    )


def _group_names(chart: BarChart, field: DrawingField) -> str:
    drawn = ""
    for place, name in enumerate(_names(chart)):
        x, y = field.x(place), field.bottom
        if _is_upright(chart):
            attributes = f'transform="translate({x + 4:.1f} {y + 8:.1f}) rotate(-90)" text-anchor="end"'
        else:
            attributes = f'x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle"'
        drawn += f"<text {attributes}>{safe(name)}</text>\n"
    return drawn


def _swatch(number: int) -> str:
    return (
        f'<svg class="c{number % len(COLOURS)}" width="20" height="14" viewBox="0 0 20 14" aria-hidden="true">'
        f'<path class="bars" fill-opacity="{fill_of(number)}" d="M2 2h16v10h-16z"/></svg>'
    )
