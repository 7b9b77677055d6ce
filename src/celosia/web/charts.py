"""Charts of the pages: what ECharts is told, from plain numbers; below each, the numbers as a table."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nicegui import ui

from celosia.web.page_context import PageContext
from celosia.web.plain_table import show_table

__all__ = ["COLOURS", "bar_options", "line_options", "point_options", "show_chart"]

COLOURS = ("#1f4e79", "#d9822b", "#1b6e4b", "#8a4f9e", "#5b6b7a", "#a4262c", "#2b8a9e", "#7a6a1f")
"""Told apart by those who see few colours too, by their lightness."""
TEXT = "#1b2733"
Values = Sequence[float | None]


def bar_options(
    groups: Sequence[str], series: Mapping[str, Values], *, is_share: bool = True, turned: bool = False
) -> dict[str, Any]:
    """Bars side by side for every group.

    >>> made = bar_options(["a", "b"], {"before": [0.5, 0.5], "after": [1.0, None]})
    >>> [one["name"] for one in made["series"]], made["yAxis"]["max"]
    (['before', 'after'], None)
    """
    names = {
        "type": "category",
        "data": list(groups),
        "axisLabel": _label(groups),
        "axisTick": {"show": False},
    }
    values = _values(is_share=is_share)
    return {
        **_frame(len(series)),
        "xAxis": values if turned else names,
        "yAxis": {**names, "inverse": True} if turned else values,
        "series": [
            {"type": "bar", "name": name, "data": list(bars), "barGap": "5%", "barMaxWidth": 28}
            for name, bars in series.items()
        ],
    }


def line_options(
    places: Sequence[float], series: Mapping[str, Values], *, x_title: str, is_share: bool = True
) -> dict[str, Any]:
    """Curves over the same places.

    >>> line_options([2, 5], {"loss": [0.1, 0.2]}, x_title="k")["series"][0]["data"]
    [[2, 0.1], [5, 0.2]]
    """
    frame = _frame(len(series))
    return {
        **frame,
        "grid": {**frame["grid"], "bottom": 56 if len(series) > 1 else 28},
        "xAxis": {
            "type": "value",
            "name": x_title,
            "nameLocation": "middle",
            "nameGap": 28,
            "min": min(places, default=0),
            "max": max(places, default=1),
            "splitLine": {"show": False},
        },
        "yAxis": {**_values(is_share=is_share), "scale": True},
        "series": [
            {
                "type": "line",
                "name": name,
                "symbolSize": 7,
                "data": [[place, value] for place, value in zip(places, line, strict=True)],
            }
            for name, line in series.items()
        ],
    }


def point_options(
    points: Mapping[str, tuple[float, float]],
    best: Sequence[str],
    *,
    titles: tuple[str, str],
    names: tuple[str, str],
) -> dict[str, Any]:
    """Choices as points, those of ``best`` joined by a line; ``names`` are those of the best and of the others.

    >>> places = {"a": (0.1, 0.8), "b": (0.2, 0.7)}
    >>> made = point_options(places, ["a"], titles=("risk", "use"), names=("best", "others"))
    >>> [len(one["data"]) for one in made["series"]]
    [1, 1]
    """

    def places(chosen: Sequence[str]) -> list[dict[str, Any]]:
        return [{"name": name, "value": list(points[name])} for name in chosen]

    ordered = sorted(best, key=lambda name: points[name])
    others = [name for name in points if name not in best]
    label = {"show": True, "position": "top", "formatter": "{b}", "color": TEXT, "fontSize": 11}
    labelled = {"label": label, "labelLayout": {"hideOverlap": True, "moveOverlap": "shiftY"}}
    axis = {"type": "value", "scale": True, "nameLocation": "middle", "axisLabel": {"hideOverlap": True}}
    return {
        **_frame(2),
        "tooltip": {"trigger": "item", "renderMode": "richText"},
        "xAxis": {**axis, "name": titles[0], "nameGap": 28},
        "yAxis": {**axis, "name": titles[1], "nameGap": 44},
        "grid": {"left": 64, "right": 40, "top": 36, "bottom": 72},
        "series": [
            {"type": "line", "name": names[0], "data": places(ordered), "symbolSize": 12, **labelled},
            {"type": "scatter", "name": names[1], "data": places(others), "symbolSize": 9, **labelled},
        ],
    }


def show_chart(
    context: PageContext,
    options: dict[str, Any],
    *,
    title: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    tall: bool = False,
    clicked: Callable[[Any], Any] | None = None,
) -> None:
    """A chart under its title, and its numbers for whoever cannot see it or wants them exactly."""
    with ui.element("figure").classes("chart"):
        ui.html(f"<figcaption>{_escaped(title)}</figcaption>", sanitize=False)
        drawn = ui.echart(options, on_point_click=clicked).classes("drawing tall" if tall else "drawing")
        drawn.props["role"] = "img"
        drawn.props["aria-label"] = title
        with ui.expansion(context.words("The numbers")).classes("numbers"):
            show_table(heads, rows, caption=title, right=range(1, len(heads)))


def _frame(series: int) -> dict[str, Any]:
    return {
        "color": list(COLOURS),
        "animation": False,
        "textStyle": {"color": TEXT, "fontFamily": "inherit"},
        "legend": {"show": series > 1, "bottom": 0, "type": "scroll"},
        "grid": {"left": 8, "right": 16, "top": 16, "bottom": 36 if series > 1 else 8, "containLabel": True},
        # Names are those of columns and values: as rich text they are drawn, as HTML they would be run.
        "tooltip": {"trigger": "axis", "renderMode": "richText"},
    }


def _values(*, is_share: bool) -> dict[str, Any]:
    """The axis of numbers; shares are written as percent by the browser."""
    axis: dict[str, Any] = {"type": "value", "max": None, "splitLine": {"lineStyle": {"color": "#e3e8ed"}}}
    if is_share:
        axis["axisLabel"] = {":formatter": "value => Math.round(value * 1000) / 10 + ' %'"}
    return axis


def _label(groups: Sequence[str]) -> dict[str, Any]:
    """Names stand slanted where they would not fit beside each other."""
    is_slanted = len(groups) > 6 or (len(groups) > 2 and sum(map(len, groups)) > 36)
    return {"hideOverlap": True, "rotate": 35 if is_slanted else 0, "width": 110, "overflow": "truncate"}


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)
