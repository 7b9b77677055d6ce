"""A chart of bars in groups: histograms before and after, or figures with their intervals side by side."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from celosia.report.axes import number_text, ticks
from celosia.report.charts import LANGUAGES
from celosia.say import say

__all__ = ["BarChart", "Bars", "bar_reach", "bar_ticks", "fill_of", "interval_text"]

Interval = tuple[float, float]


@dataclass(frozen=True)
class Bars:
    """One series: a value per group, None where it has none, and the interval of each that has one.

    >>> Bars("before", (1, float("nan"))).values
    (1.0, None)
    """

    name: str
    values: tuple[float | None, ...]
    intervals: tuple[Interval | None, ...] = ()

    def __post_init__(self) -> None:
        values = tuple(
            None if value is None or not isfinite(value) else float(value) for value in self.values
        )
        of_values = self.intervals or (None,) * len(values)
        if len(of_values) != len(values):
            raise ValueError(
                say(
                    "bars {name!r} have {count} intervals for {count_2} values",
                    name=self.name,
                    count=len(of_values),
                    count_2=len(values),
                )
            )
        pairs = zip(values, of_values, strict=True)
        intervals = tuple(None if value is None else _finite(interval) for value, interval in pairs)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "intervals", intervals)


def _finite(interval: Interval | None) -> Interval | None:
    if interval is None or not all(isfinite(end) for end in interval):
        return None
    return min(interval), max(interval)


@dataclass(frozen=True)
class BarChart:
    """Bars of several series, group by group.

    >>> chart = BarChart("Age", ("20-29", "30-39"), (Bars("before", (0.4, 0.6)), Bars("after", (0.5, 0.5))), "share")
    >>> chart.series[1].values
    (0.5, 0.5)
    >>> BarChart("Age", ("20-29",), (Bars("before", (0.4, 0.6)),), "share")
    Traceback (most recent call last):
    ...
    ValueError: bars 'before' have 2 values for 1 groups
    """

    title: str
    groups: tuple[str, ...]
    series: tuple[Bars, ...]
    y_title: str
    x_title: str = ""
    language: str = "en"

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn: these are mistakes of programs, not of users."""
        for bars in self.series:
            if len(bars.values) != len(self.groups):
                raise ValueError(
                    say(
                        "bars {name!r} have {count} values for {count_2} groups",
                        name=bars.name,
                        count=len(bars.values),
                        count_2=len(self.groups),
                    )
                )
        if self.language not in LANGUAGES:
            raise ValueError(
                say(
                    "a chart speaks {names}, not {language!r}",
                    names=" or ".join(LANGUAGES),
                    language=self.language,
                )
            )


def bar_reach(chart: BarChart) -> tuple[float, float]:
    """From where to where the axis of values goes: bars always start at 0.

    >>> bar_reach(BarChart("", ("a",), (Bars("before", (0.4,), ((0.3, 0.5),)),), ""))
    (0.0, 0.525)
    """
    shown = list(_shown(chart.series))
    low, high = min([0.0, *shown]), max([0.0, *shown])
    if high - low < 1e-300:
        return 0.0, 1.0
    air = 0.05 * (high - low)
    return low - air if low < 0 else 0.0, high + air if high > 0 else 0.0


def _shown(series: Iterable[Bars]) -> Iterable[float]:
    for bars in series:
        yield from (value for value in bars.values if value is not None)
        yield from (end for interval in bars.intervals if interval is not None for end in interval)


def bar_ticks(chart: BarChart) -> list[float]:
    """Where the axis of values has numbers.

    >>> bar_ticks(BarChart("", ("a",), (Bars("before", (0.4,)),), ""))
    [0.0, 0.1, 0.2, 0.3, 0.4]
    """
    return ticks(*bar_reach(chart), most=6)


def fill_of(number: int) -> float:
    """How full of its colour the bars of a series are, so that neighbours differ in grey too.

    >>> [fill_of(number) for number in range(3)]
    [1.0, 0.35, 0.7]
    """
    return (1.0, 0.35, 0.7, 0.1)[number % 4]


def interval_text(interval: Interval | None) -> str:
    """An interval as it stands behind its value.

    >>> interval_text((0.25, 0.5)), interval_text(None)
    (' [0.25, 0.5]', '')
    """
    return "" if interval is None else f" [{number_text(interval[0])}, {number_text(interval[1])}]"
