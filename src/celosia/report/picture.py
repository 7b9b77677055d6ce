"""Charts as PNG and SVG, drawn by matplotlib; the same chart gives the same bytes."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from celosia.errors import ReleaseError
from celosia.report.axes import (
    COLOURS,
    dotted,
    line_style,
    number_text,
    wrapped,
    x_reach,
    x_ticks,
    y_reach,
    y_ticks,
)
from celosia.report.bars import BarChart
from celosia.report.bars_picture import add_bars
from celosia.report.charts import AnyChart, Chart, printable
from celosia.report.frontier import FrontierChart
from celosia.report.frontier_picture import add_points
from celosia.report.paint import DOTS, SOFT, TEXT, titles
from celosia.say import say

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["draw_png", "draw_svg"]

SETTINGS = {
    "font.family": ["DejaVu Sans"],  # it comes with matplotlib, so a picture is the same everywhere
    "lines.scale_dashes": False,
    "svg.fonttype": "none",  # texts stay texts: found, read aloud, copied
    "svg.hashsalt": "celosia",  # names inside the file do not depend on chance
}
WIDTH, HEIGHT, TALLEST = 8.0, 4.5, 60.0  # inches
DOTS_PER_INCH = 150

_settings_are_ours = Lock()


def draw_png(chart: AnyChart) -> bytes:
    """The chart as a PNG of 1200 x 675 pixels, higher if it has very many series."""
    return _draw(chart, form="png", metadata={"Software": None})


def draw_svg(chart: AnyChart) -> bytes:
    """The chart as an SVG with its texts as texts."""
    unsaid = dict.fromkeys(["Date", "Creator", "Format", "Type"])
    return _draw(chart, form="svg", metadata={**unsaid, "Title": printable(chart.title)})


def _draw(chart: AnyChart, *, form: str, metadata: dict[str, str | None]) -> bytes:
    with _own_settings():
        content = io.BytesIO()
        _figure(chart).savefig(content, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
        return content.getvalue()


@contextmanager
def _own_settings() -> Iterator[None]:
    """Matplotlib as it comes plus SETTINGS, and afterwards as the caller had it.

    Settings belong to the whole process. Two threads that borrow them at once could give back each other's.
    """
    try:
        from matplotlib import style
    except ImportError as error:
        raise ReleaseError(
            say("pictures are drawn by matplotlib, which is missing"),
            remedy=say("pip install celosia[charts], or choose .html, which does without"),
        ) from error
    with _settings_are_ours, style.context(["default", SETTINGS]):
        yield


def _figure(chart: AnyChart) -> "Figure":
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    axes = figure.add_subplot()
    titles(
        axes, chart, air=22 if isinstance(chart, Chart) and chart.mark is not None and chart.mark_label else 8
    )
    if isinstance(chart, BarChart):
        drawn, names = add_bars(axes, chart), [bars.name for bars in chart.series]
    elif isinstance(chart, FrontierChart):
        drawn, names = add_points(axes, chart)
    else:
        _set_axes(axes, chart)
        _add_mark_and_limit(axes, chart)
        drawn, names = _add_lines(axes, chart), [line.name for line in chart.lines]
    rows = _add_legend(figure, drawn, ["\n".join(wrapped(name, 26)) for name in names])
    figure.set_size_inches(WIDTH, min(HEIGHT + 0.2 * max(rows - 3, 0), TALLEST))
    return figure


def _add_legend(figure: "Figure", drawn: list["Artist"], names: list[str]) -> int:
    """Add the legend below the field, and tell how many rows of text it has."""
    if not names:
        return 0
    widest = max(len(row) for name in names for row in name.splitlines() or [""])
    columns = min(len(names), int(WIDTH / (0.75 + 0.09 * widest)))
    # matplotlib leaves out labels that begin with "_", as names of columns may do: they are set afterwards
    legend = figure.legend(
        drawn, ["-"] * len(names), loc="outside lower center", ncols=columns, frameon=False, handlelength=3.5
    )
    for text, name in zip(legend.get_texts(), names, strict=True):
        text.set(text=name, parse_math=False)
    most = max(name.count("\n") + 1 for name in names)
    return -(-len(names) // columns) * most


def _set_axes(axes: "Axes", chart: Chart) -> None:
    axes.set_xlim(*x_reach(chart))
    axes.set_ylim(*y_reach(chart))
    axes.set_xticks(x_ticks(chart), [number_text(tick) for tick in x_ticks(chart)])
    axes.set_yticks(y_ticks(chart), [number_text(tick) for tick in y_ticks(chart)])


def _add_mark_and_limit(axes: "Axes", chart: Chart) -> None:
    """Their labels lie outside of the field, where no line can run through them."""
    if chart.mark is not None:
        low, high = x_reach(chart)
        share = (chart.mark - low) / (high - low)
        axes.axvline(chart.mark, color=SOFT, linewidth=1.2)
        axes.annotate(
            "".join(wrapped(chart.mark_label, 60, rows=1)),
            (chart.mark, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 4),
            textcoords="offset points",
            ha="left" if share < 1 / 3 else "right" if share > 2 / 3 else "center",
            in_layout=False,  # the title leaves room for it; the field must not shrink to its width
            color=SOFT,
            parse_math=False,
        )
    if chart.limit is not None:
        axes.axhline(chart.limit, color=SOFT, linewidth=1.2, dashes=(4, 3))
        axes.annotate(
            "\n".join(wrapped(chart.limit_label, 16)),
            (1, chart.limit),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            color=SOFT,
            parse_math=False,
        )


def _add_lines(axes: "Axes", chart: Chart) -> list["Artist"]:
    drawn: list[Artist] = []
    for number, line in enumerate(chart.lines):
        looks = line_style(number)
        (added,) = axes.plot(
            chart.x,
            [float("nan") if value is None else value for value in line.values],
            color=COLOURS[looks.colour] or TEXT,
            linewidth=1.8,
            dashes=looks.dashes or (None, None),
            marker=DOTS[looks.shape],
            markersize=5.5,
            markeredgecolor="white",
            markeredgewidth=0.6,
            markevery=dotted(line),
            clip_on=False,
        )
        drawn.append(added)
    return drawn
