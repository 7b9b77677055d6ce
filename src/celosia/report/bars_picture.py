"""Bars in groups, as a picture."""

from typing import TYPE_CHECKING, Any

from celosia.report.axes import COLOURS, number_text, wrapped
from celosia.report.bars import BarChart, Bars, bar_reach, bar_ticks, fill_of
from celosia.report.paint import SOFT, TEXT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["add_bars"]

_LETTERS = 85
"""Letters that fit side by side below the field; names of groups that need more stand upright."""


def add_bars(axes: "Axes", chart: BarChart) -> list[Any]:
    """Draw the bars and their intervals; what is returned is for the legend, one of each series."""
    places = range(len(chart.groups))
    width = 0.8 / max(1, len(chart.series))
    drawn = []
    for number, bars in enumerate(chart.series):
        left = [place - 0.4 + width * number for place in places]
        colour = COLOURS[number % len(COLOURS)] or TEXT
        container = axes.bar(
            left,
            [value or 0.0 for value in bars.values],
            width,
            align="edge",
            facecolor=(colour, fill_of(number)),
            edgecolor=colour,
            linewidth=0.8,
        )
        drawn.append(container)
        _add_intervals(axes, bars, [place + width / 2 for place in left])
    axes.set_xlim(-0.6, max(0.6, len(chart.groups) - 0.4))
    axes.set_ylim(*bar_reach(chart))
    axes.set_yticks(bar_ticks(chart), [number_text(tick) for tick in bar_ticks(chart)])
    axes.axhline(0, color=SOFT, linewidth=0.8)
    _name_groups(axes, chart)
    return drawn


def _add_intervals(axes: "Axes", bars: Bars, middles: list[float]) -> None:
    for middle, interval in zip(middles, bars.intervals, strict=True):
        if interval is not None:
            low, high = interval
            half = (high - low) / 2
            axes.errorbar(middle, low + half, half, color=TEXT, linewidth=1.1, capsize=3, fmt="none")


def _name_groups(axes: "Axes", chart: BarChart) -> None:
    is_upright = sum(len(name) + 2 for name in chart.groups) > _LETTERS
    names = ["\n".join(wrapped(name, 22, rows=1 if is_upright else 2)) for name in chart.groups]
    axes.set_xticks(range(len(names)), names, fontsize=8 if is_upright else 9, parse_math=False)
    axes.tick_params(axis="x", length=0)
    if is_upright:
        axes.tick_params(axis="x", rotation=90)
