"""A chart of choices: what each risks against what it is good for, those greyed that another one beats."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal, Self

from celosia.report.axes import reach, ticks
from celosia.report.charts import LANGUAGES
from celosia.say import say

__all__ = ["WORDS", "FrontierChart", "Point", "dominated", "frontier_reach", "frontier_ticks"]

Better = Literal["lower", "higher"]
Interval = tuple[float, float]

WORDS = {
    "en": {"kept": "not beaten by any", "beaten": "beaten by another", "choice": "choice"},
    "es": {"kept": "ninguna la supera", "beaten": "otra la supera", "choice": "opción"},
}


@dataclass(frozen=True)
class Point:
    """One choice, and where it lies; intervals where its values are estimates."""

    name: str
    x: float
    y: float
    x_interval: Interval | None = None
    y_interval: Interval | None = None
    is_dominated: bool = False


def dominated(
    points: Sequence[Point], *, x_better: Better = "lower", y_better: Better = "higher"
) -> tuple[bool, ...]:
    """Whether another point is as good in both ways and clearly better in one: by more than their intervals overlap.

    So differences within the noise beat nobody. Without intervals any difference counts.

    >>> points = [Point("k = 2", 0.5, 0.9), Point("k = 5", 0.2, 0.8), Point("k = 9", 0.3, 0.7)]
    >>> dominated(points)
    (False, False, True)
    """
    ways = [
        [_turned(point.x, point.x_interval, x_better) for point in points],
        [_turned(point.y, point.y_interval, y_better) for point in points],
    ]
    return tuple(
        any(
            all(way[other][0] >= way[place][0] for way in ways)
            and any(way[other][0] > way[place][0] and way[other][1] > way[place][2] for way in ways)
            for other in range(len(points))
        )
        for place in range(len(points))
    )


def _turned(value: float, interval: Interval | None, better: Better) -> tuple[float, float, float]:
    """Value, least and most, so that more is better."""
    low, high = interval or (value, value)
    return (value, low, high) if better == "higher" else (-value, -high, -low)


@dataclass(frozen=True)
class FrontierChart:
    """Points of choices; those that no other beats are joined by a line, the others greyed.

    >>> points = [Point("k = 2", 0.5, 0.9), Point("k = 5", 0.2, 0.8), Point("k = 9", 0.3, 0.7)]
    >>> chart = FrontierChart.of("Choices", points, x_title="risk", y_title="accuracy")
    >>> [point.name for point in chart.frontier]
    ['k = 5', 'k = 2']
    """

    title: str
    points: tuple[Point, ...]
    x_title: str
    y_title: str
    language: str = "en"

    def __post_init__(self) -> None:
        """Refuse what cannot be drawn: these are mistakes of programs, not of users."""
        for point in self.points:
            ends = (*(point.x_interval or ()), *(point.y_interval or ()))
            if not all(isfinite(number) for number in (point.x, point.y, *ends)):
                raise ValueError(say("point {name!r} must lie at finite numbers", name=point.name))
        if self.language not in LANGUAGES:
            raise ValueError(
                say(
                    "a chart speaks {names}, not {language!r}",
                    names=" or ".join(LANGUAGES),
                    language=self.language,
                )
            )

    @classmethod
    def of(
        cls,
        title: str,
        points: Sequence[Point],
        *,
        x_title: str,
        y_title: str,
        x_better: Better = "lower",
        y_better: Better = "higher",
        language: str = "en",
    ) -> Self:
        """The chart with every point greyed that another one dominates."""
        beaten = dominated(points, x_better=x_better, y_better=y_better)
        flagged = tuple(
            replace(point, is_dominated=is_dominated)
            for point, is_dominated in zip(points, beaten, strict=True)
        )
        return cls(title, flagged, x_title, y_title, language)

    @property
    def frontier(self) -> tuple[Point, ...]:
        """The points that none beats, from left to right."""
        kept = [point for point in self.points if not point.is_dominated]
        return tuple(sorted(kept, key=lambda point: (point.x, point.y)))


def frontier_reach(chart: FrontierChart) -> tuple[tuple[float, float], tuple[float, float]]:
    """From where to where both axes go, intervals included.

    >>> frontier_reach(FrontierChart("", (Point("a", 0, 10, y_interval=(5, 15)), Point("b", 1, 10)), "", ""))
    ((-0.08, 1.08), (4.2, 15.8))
    """
    across = [x for point in chart.points for x in (point.x, *(point.x_interval or ()))]
    along = [y for point in chart.points for y in (point.y, *(point.y_interval or ()))]
    return reach(across, air=0.08), reach(along, air=0.08)


def frontier_ticks(chart: FrontierChart) -> tuple[list[float], list[float]]:
    """Where both axes have numbers."""
    across, along = frontier_reach(chart)
    return ticks(*across, most=8), ticks(*along, most=6)
