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
    return {name: _document(one) for name, one in drawn.items()}


def _document(one: AnyChart) -> dict[str, Any]:
    if isinstance(one, BarChart):
        series = {bars.name: list(bars.values) for bars in one.series}
        return {"kind": "bars", "groups": list(one.groups), "series": series}
    if isinstance(one, Chart):
        series = {line.name: list(line.values) for line in one.lines}
        return {"kind": "lines", "places": list(one.x), "series": series}
    points = {point.name: [point.x, point.y] for point in one.points}
    return {"kind": "points", "points": points, "best": [point.name for point in one.frontier]}
