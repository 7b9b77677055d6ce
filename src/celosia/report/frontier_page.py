"""Choices as points, as a page shows them."""

from celosia.report.axes import number_text, wrapped
from celosia.report.bars import interval_text
from celosia.report.drawing import DOTS, HEIGHT, LETTER, WIDTH, DrawingField, safe, y_grid
from celosia.report.frontier import WORDS, FrontierChart, Point, frontier_reach, frontier_ticks
from celosia.report.labels import LabelPosition, place_labels
from celosia.report.rendered_chart import RenderedChart, Row

__all__ = ["frontier_parts"]


def frontier_parts(chart: FrontierChart) -> RenderedChart:
    """Drawing, legend, and table; a reader goes from choice to choice, from left to right."""
    field, words = _field(chart), WORDS[chart.language]
    points = sorted(chart.points, key=lambda point: (point.x, point.y))
    told = [_told(chart, point) for point in points]
    return RenderedChart(
        drawing=_drawing(chart, field),
        swatches=(_swatch("c0", 0), _swatch("grey", 1)),
        names=(words["kept"], words["beaten"]),
        x=tuple(round(field.x(point.x), 1) for point in points),
        y=tuple(round(field.y(point.y), 1) for point in points),
        heads=tuple(point.name for point in points),
        texts=tuple(
            tuple(
                text if point.is_dominated is beaten else None
                for point, text in zip(points, told, strict=True)
            )
            for beaten in (False, True)
        ),
        columns=(words["choice"], chart.x_title, chart.y_title, words["beaten"]),
        rows=tuple(_row(point) for point in points),
    )


def _told(chart: FrontierChart, point: Point) -> str:
    x, y = _numbers(point)
    return f"{chart.x_title} {x}; {chart.y_title} {y}"


def _numbers(point: Point) -> tuple[str, str]:
    return (
        number_text(point.x) + interval_text(point.x_interval),
        number_text(point.y) + interval_text(point.y_interval),
    )


def _row(point: Point) -> Row:
    return Row(point.name, (*_numbers(point), "×" if point.is_dominated else ""), not point.is_dominated)


def _field(chart: FrontierChart) -> DrawingField:
    across, along = frontier_reach(chart)
    left = max((len(number_text(tick)) for tick in frontier_ticks(chart)[1]), default=0) * LETTER
    return DrawingField(left + 12, WIDTH - 12, 10, HEIGHT - 24, across, along)


def _drawing(chart: FrontierChart, field: DrawingField) -> str:
    columns, rows = frontier_ticks(chart)
    across = "".join(
        f'<path class="frame" d="M{field.x(tick):.1f} {field.bottom}v4"/>'
        f'<text x="{field.x(tick):.1f}" y="{field.bottom + 18}" text-anchor="middle">{number_text(tick)}</text>\n'
        for tick in columns
    )
    frame = f"M{field.left:.1f} {field.top}V{field.bottom}H{field.right:.1f}"
    # The best are placed first: a name that finds no room is still told by mouse, key and table.
    beaten = [point for point in chart.points if point.is_dominated]
    order = [*chart.frontier, *beaten]
    names = ["".join(wrapped(point.name, 30, rows=1)) for point in order]
    placed = place_labels(
        [(field.x(point.x) - field.left, field.bottom - field.y(point.y)) for point in order],
        names,
        within=(field.right - field.left, field.bottom - field.top),
        letter=6.5,
        height=14,
    )
    drawn = [_point(*point, field) for point in zip(order, names, placed, strict=True)]
    line = "L".join(f"{field.x(point.x):.1f} {field.y(point.y):.1f}" for point in chart.frontier)
    kept = "".join(drawn[: len(chart.frontier)])
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{safe(chart.title)}">\n'
        f'{y_grid(field, rows)}{across}<path class="frame" d="{frame}"/>\n'
        f'<path class="cursor" d="M0 {field.top}V{field.bottom}"/>\n'
        f'<g class="line c0"><path class="stroke" d="{"M" + line if line else ""}"/>{kept}</g>\n'
        f'<g class="line grey">{"".join(drawn[len(chart.frontier) :])}</g>\n</svg>'
    )


def _point(point: Point, name: str, placed: LabelPosition | None, field: DrawingField) -> str:
    x, y = field.x(point.x), field.y(point.y)
    drawn = ""
    if point.x_interval is not None:
        drawn += f"M{field.x(min(point.x_interval)):.1f} {y:.1f}H{field.x(max(point.x_interval)):.1f}"
    if point.y_interval is not None:
        drawn += f"M{x:.1f} {field.y(min(point.y_interval)):.1f}V{field.y(max(point.y_interval)):.1f}"
    whiskers = f'<path class="interval" d="{drawn}"/>' if drawn else ""
    dot = f'<path class="dots" d="M{x:.1f} {y:.1f}{DOTS[1 if point.is_dominated else 0]}"/>'
    if placed is None:
        return f"{whiskers}{dot}\n"
    attributes = f'x="{x + placed.right:.1f}" y="{y - placed.up:.1f}" text-anchor="{placed.anchor}"'
    return f'{whiskers}{dot}<text class="name" {attributes}>{safe(name)}</text>\n'


def _swatch(name: str, shape: int) -> str:
    return (
        f'<svg class="{name}" width="20" height="14" viewBox="0 0 20 14" aria-hidden="true">'
        f'<path class="dots" d="M10 7{DOTS[shape]}"/></svg>'
    )
