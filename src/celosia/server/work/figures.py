"""Figures as plain documents: the pages draw them themselves."""

from collections.abc import Mapping
from typing import Any

from celosia.api.results import AnyChart, BarChart, Chart

__all__ = ["figure_documents"]


def figure_documents(drawn: Mapping[str, AnyChart]) -> dict[str, Any]:
    """Every figure by its name: bars of groups, lines over places, or points of which some are beaten by others.

    >>> from celosia.report import Bars
    >>> figure_documents({"accuracy": BarChart("Models", ("a", "b"), (Bars("tree", (0.5, None)),), "accuracy")})
    {'accuracy': {'kind': 'bars', 'groups': ['a', 'b'], 'series': {'tree': [0.5, None]}}}
    """
    return {name: _document(chart) for name, chart in drawn.items()}


def _document(chart: AnyChart) -> dict[str, Any]:
    if isinstance(chart, BarChart):
        series = {bars.name: list(bars.values) for bars in chart.series}
        return {"kind": "bars", "groups": list(chart.groups), "series": series}
    if isinstance(chart, Chart):
        series = {line.name: list(line.values) for line in chart.lines}
        return {"kind": "lines", "places": list(chart.x), "series": series}
    points = {point.name: [point.x, point.y] for point in chart.points}
    return {"kind": "points", "points": points, "best": [point.name for point in chart.frontier]}
