"""Choices as points, as a picture."""

from typing import TYPE_CHECKING

from celosia.report.axes import COLOURS, number_text, wrapped
from celosia.report.frontier import WORDS, FrontierChart, Point, frontier_reach, frontier_ticks
from celosia.report.labels import place_labels
from celosia.report.paint import DOTS, SOFT, TEXT

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["add_points"]

_FIELD = (500.0, 215.0)
"""About how wide and high the field is in points; where names fit is found out before it is laid out."""
_GREY = "#a3acb6"


def add_points(axes: "Axes", chart: FrontierChart) -> tuple[list["Artist"], list[str]]:
    """Draw the points with names and intervals; what is returned is for the legend, and its names."""
    across, along = frontier_reach(chart)
    columns, rows = frontier_ticks(chart)
    axes.set_xlim(*across)
    axes.set_ylim(*along)
    axes.set_xticks(columns, [number_text(tick) for tick in columns])
    axes.set_yticks(rows, [number_text(tick) for tick in rows])
    beaten = [point for point in chart.points if point.is_dominated]
    drawn: list[Artist] = [
        _add(axes, list(chart.frontier), colour=COLOURS[0] or TEXT, dot=DOTS[0], line="-"),
        _add(axes, beaten, colour=_GREY, dot=DOTS[1], line="none"),
    ]
    _name(axes, [*chart.frontier, *beaten], across, along)
    words = WORDS[chart.language]
    return drawn, [words["kept"], words["beaten"]]


def _add(axes: "Axes", points: list[Point], *, colour: str, dot: str, line: str) -> "Artist":
    for point in points:
        for interval, is_across in ((point.x_interval, True), (point.y_interval, False)):
            if interval is not None:
                ends = [min(interval), max(interval)]
                x, y = (ends, [point.y] * 2) if is_across else ([point.x] * 2, ends)
                axes.plot(x, y, color=colour, linewidth=1.0)
    (added,) = axes.plot(
        [point.x for point in points],
        [point.y for point in points],
        color=colour,
        linestyle=line,
        linewidth=1.4,
        marker=dot,
        markersize=6,
        markeredgecolor="white",
        markeredgewidth=0.6,
    )
    return added


def _name(axes: "Axes", points: list[Point], across: tuple[float, float], along: tuple[float, float]) -> None:
    width, height = _FIELD
    names = ["".join(wrapped(point.name, 30, rows=1)) for point in points]
    places = [
        (
            (point.x - across[0]) / (across[1] - across[0]) * width,
            (point.y - along[0]) / (along[1] - along[0]) * height,
        )
        for point in points
    ]
    positions = place_labels(places, names, within=_FIELD, letter=5.2, height=10)
    for point, name, placed in zip(points, names, positions, strict=True):
        if placed is not None:
            axes.annotate(
                name,
                (point.x, point.y),
                xytext=(placed.right, placed.up),
                textcoords="offset points",
                ha={"start": "left", "middle": "center", "end": "right"}[placed.anchor],
                fontsize=8,
                color=SOFT if point.is_dominated else TEXT,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
                parse_math=False,
            )
