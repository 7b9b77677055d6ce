"""What pictures and pages share: how far the axes reach, their ticks, the looks of series, texts that fit."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from celosia.report.charts import Chart, ChartSeries, printable

__all__ = [
    "COLOURS",
    "LineStyle",
    "dotted",
    "line_style",
    "number_text",
    "reach",
    "ticks",
    "wrapped",
    "x_reach",
    "x_ticks",
    "y_reach",
    "y_ticks",
]

# Okabe and Ito (2008), "Color Universal Design". Their yellow is left out: on white paper it is hardly seen.
# None is the colour of text, their black, which a page in dark mode has to turn around.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", None)
DASHES: tuple[tuple[int, ...], ...] = ((), (7, 3), (2, 2), (8, 3, 2, 3), (12, 3))
SHAPES = 6
MOST_DOTS = 30
TINY = 1e-300
"""Smaller numbers are none for an axis: they have no room for steps between them."""


@dataclass(frozen=True)
class LineStyle:
    """How a line is told from others: with colours or, in grey, by dashes (in points) and the shape of its dots."""

    colour: int
    dashes: tuple[int, ...]
    shape: int


def line_style(number: int) -> LineStyle:
    """The look of the line with this number; the first 210 all differ.

    >>> line_style(0)
    LineStyle(colour=0, dashes=(), shape=0)
    >>> len({line_style(number) for number in range(210)})
    210
    """
    return LineStyle(number % len(COLOURS), DASHES[number % len(DASHES)], number % SHAPES)


def dotted(line: ChartSeries) -> list[int]:
    """The positions that get a dot: not too many, but each value that stands alone between gaps.

    >>> dotted(ChartSeries("age", (1, None, 3)))
    [0, 2]
    >>> positions = dotted(ChartSeries("age", (1,) * 100 + (None, 1, None)))
    >>> len(positions), positions[:3], positions[-1]
    (26, [0, 4, 8], 101)
    """
    every = ceil(len(line.values) / MOST_DOTS)
    around = (None, *line.values, None)
    return [
        position
        for position, value in enumerate(line.values)
        if value is not None
        and (position % every == 0 or (around[position] is None and around[position + 2] is None))
    ]


def x_reach(chart: Chart) -> tuple[float, float]:
    """From where to where the x axis goes, with a little air.

    >>> x_reach(Chart("", "", "", (5,), ()))
    (4.5, 5.5)
    """
    shown = [*chart.x, *([] if chart.mark is None else [chart.mark])] or [0.0, 1.0]
    air = (max(shown) - min(shown)) * 0.03 or max(0.5, abs(shown[0]) * 1e-6)
    return min(shown) - air, max(shown) + air


def y_reach(chart: Chart) -> tuple[float, float]:
    """From where to where the y axis goes: from 0 if all values are shares.

    >>> y_reach(Chart("", "", "", (2, 3), (ChartSeries("age", (0.4, 1.0)),)))
    (0.0, 1.05)
    >>> y_reach(Chart("", "", "", (2, 3), (ChartSeries("age", (100, 300)),)))
    (90.0, 310.0)
    """
    shown = [value for line in chart.lines for value in line.values if value is not None]
    shown += [] if chart.limit is None else [chart.limit]
    low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
    if low >= 0 and high <= 1:
        return 0.0, (high if high > TINY else 1.0) * 1.05
    return reach(shown)


def reach(values: Iterable[float], *, air: float = 0.05) -> tuple[float, float]:
    """From the least to the largest value, with a share of it as air on both sides.

    >>> reach([100, 300]), reach([])
    ((90.0, 310.0), (-0.05, 1.05))
    """
    shown = list(values) or [0.0, 1.0]
    low, high = min(shown), max(shown)
    size = max(abs(low), abs(high), TINY)
    room = air * (high - low if high - low > size * 1e-9 else size)  # a difference of roundings is none
    return low - room, high + room


def x_ticks(chart: Chart) -> list[float]:
    """Where the x axis has numbers: whole ones if all x are whole.

    >>> x_ticks(Chart("", "", "", (2, 3, 4), ()))
    [2.0, 3.0, 4.0]
    >>> x_ticks(Chart("", "", "", tuple(range(2, 21)), ()))
    [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]
    """
    return ticks(*x_reach(chart), most=12, is_whole=all(x.is_integer() for x in chart.x))


def y_ticks(chart: Chart) -> list[float]:
    """Where the y axis has numbers.

    >>> y_ticks(Chart("", "", "", (2, 3), (ChartSeries("age", (0.4, 1.0)),)))
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    return ticks(*y_reach(chart), most=6)


def ticks(low: float, high: float, *, most: int, is_whole: bool = False) -> list[float]:
    """Multiples of the smallest 1, 2 or 5 times a power of ten of which no more than ``most`` fit in.

    >>> ticks(0, 1, most=5)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    rough = (high - low) / most
    exponent = floor(log10(rough))
    step = next(times * 10.0**exponent for times in (1, 2, 5, 10) if times * 10.0**exponent >= rough)
    if is_whole:
        step = max(step, 1.0)
    return [round(step * number, 1 - exponent) for number in range(ceil(low / step), floor(high / step) + 1)]


def number_text(value: float) -> str:
    """The number to six digits, and to all before the point.

    >>> [number_text(value) for value in (20.0, 0.95, 1 / 3, 1234567.8, 1e-9, 0.0)]
    ['20', '0.95', '0.333333', '1234568', '1e-09', '0']
    """
    size = floor(log10(abs(value))) if value else 0
    value += 0.0  # the zero below zero becomes zero
    if not -5 <= size < 15:
        return f"{value:.6g}"
    text = f"{value:.{max(0, 5 - size)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def wrapped(text: str, width: int, *, rows: int = 3) -> list[str]:
    """The rows of a text that has room for no more.

    >>> wrapped("marital status at admission", 16)
    ['marital status', 'at admission']
    >>> wrapped("marital status at admission", 16, rows=1)
    ['marital status …']
    """
    return textwrap.wrap(printable(text), width, max_lines=rows, placeholder=" …")
