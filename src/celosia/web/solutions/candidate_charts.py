"""The charts of solutions: the lattice, and the frontier of risk and loss."""

from collections.abc import Sequence
from typing import Any

from celosia.server.work.results import CandidateResult, CandidatesResult
from celosia.web.solutions.candidate_texts import SHARES, node_text
from celosia.web.solutions.candidates import drawn_candidates, edges, layout, loss_band
from celosia.words import Words

__all__ = ["BANDS", "frontier_chart", "is_logarithmic", "lattice_chart", "ring"]

BANDS = ("#12395c", "#3d74a8", "#86b3d9", "#d6e6f4")
"""From the least loss to the most; all have the same dark outline, so that the light ones are seen on white, too."""
INK, QUIET, BLUE, ORANGE, LINE = "#1b2733", "#55626f", "#1f4e79", "#b3541e", "#c3ccd5"
STAR = "path://M12 1 L15.1 8.3 L23 9 L17 14.2 L18.8 22 L12 17.9 L5.2 22 L7 14.2 L1 9 L8.9 8.3 Z"
OTHERS = 1500
"""Candidates beside the frontier that are drawn: those that lose least."""
Options = dict[str, Any]


def lattice_chart(words: Words, explored: CandidatesResult) -> Options:
    """The lattice from the original, at the bottom, to everything left out, at the top."""
    shown = drawn_candidates(explored["candidates"], explored["nodes"])
    numbers = {tuple(candidate["node"]): number for number, candidate in enumerate(explored["candidates"])}
    places = layout(tuple(candidate["node"]) for candidate in shown)
    heights = [place[1] for place in places.values()]
    widest = max((heights.count(height) for height in set(heights)), default=1)
    size = max(7, min(22, int(560 / widest)))
    valid = [candidate["measures"][explored["measure"]] for candidate in shown if candidate["valid"]]
    low, high = (min(valid), max(valid)) if valid else (0.0, 1.0)
    points = [
        {
            "value": list(places[tuple(candidate["node"])]),
            "name": node_text(words, explored, candidate),
            "id": numbers[tuple(candidate["node"])],
            **_look(
                explored, candidate, loss_band(candidate["measures"][explored["measure"]], low, high), size
            ),
        }
        for candidate in shown
    ]
    lines = [{"coords": [places[lower], places[upper]]} for lower, upper in edges(places)]
    axis = {"type": "value", "show": False}
    return {
        "animation": False,
        "grid": {"left": 12, "right": 12, "top": 16, "bottom": 16},
        "xAxis": {**axis, "min": 0, "max": 1},
        "yAxis": {**axis, "min": min(heights, default=0) - 0.4, "max": max(heights, default=0) + 0.4},
        "tooltip": _tooltip(),
        "series": [
            {
                "type": "lines",
                "coordinateSystem": "cartesian2d",
                "silent": True,
                "data": lines,
                "lineStyle": {"color": LINE, "width": 1, "opacity": 0.8},
            },
            {"type": "scatter", "data": points, "z": 3, "cursor": "pointer", "itemStyle": {"opacity": 1}},
            _ring([]),
        ],
    }


def _look(explored: CandidatesResult, candidate: CandidateResult, band: int, size: int) -> Options:
    """A star for the best, a circle for the valid, a hollow diamond for others; a thick outline for the minimal."""
    if candidate["node"] == explored["best"]:
        style = {"color": ORANGE, "borderColor": INK, "borderWidth": 1, "opacity": 1}
        return {"symbol": STAR, "symbolSize": size + 10, "itemStyle": style}
    if not candidate["valid"]:
        style = {"color": "#fff", "borderColor": "#76838f", "borderWidth": 1}
        return {"symbol": "diamond", "symbolSize": max(6, int(size * 0.7)), "itemStyle": style}
    style = {
        "color": BANDS[band],
        "borderColor": INK if candidate["minimal"] else BLUE,
        "borderWidth": 1 if not candidate["minimal"] else 3 if size >= 14 else 2,
        "opacity": 1,
    }
    return {"symbol": "circle", "symbolSize": size, "itemStyle": style}


def _tooltip() -> Options:
    # As text, not as HTML: names of columns and labels come from tables.
    return {
        "renderMode": "richText",
        "formatter": "{b}",
        "confine": True,
        "backgroundColor": "#fff",
        "borderColor": "#8593a0",
        "textStyle": {"color": INK, "fontSize": 13, "lineHeight": 19},
    }


def _ring(place: Sequence[float]) -> Options:
    return {
        "id": "chosen",
        "type": "scatter",
        "silent": True,
        "z": 5,
        "symbol": "circle",
        "symbolSize": 30,
        "itemStyle": {"color": "transparent", "borderColor": ORANGE, "borderWidth": 3},
        "data": [list(place)] if place else [],
    }


def ring(options: Options, number: int) -> Options:
    """What moves the ring of a chart to the candidate of that number, or takes it away where that is not drawn.

    >>> chart = {"series": [{"data": [{"id": 7, "value": [0.5, 2]}]}]}
    >>> ring(chart, 7)["series"][0]["data"], ring(chart, 8)["series"][0]["data"]
    ([[0.5, 2]], [])
    """
    points = (point for series in options["series"] for point in series["data"] if isinstance(point, dict))
    place: list[float] = next((point["value"] for point in points if point.get("id") == number), [])
    return {"series": [_ring(place)]}


def frontier_chart(words: Words, explored: CandidatesResult, title: str) -> Options:
    """Risk across, loss upwards: every valid candidate, and the line of those that no other beats."""
    is_share = explored["measure"] in SHARES
    front = {tuple(node) for node in explored["frontier"]}
    numbered = [
        (number, candidate)
        for number, candidate in enumerate(explored["candidates"])
        if candidate["valid"] and candidate["suppressed"] < explored["rows"]
    ]
    best = [pair for pair in numbered if tuple(pair[1]["node"]) in front]
    others = [pair for pair in numbered if tuple(pair[1]["node"]) not in front][:OTHERS]
    best.sort(key=lambda pair: pair[1]["risk"])
    points = [_frontier_point(words, explored, *pair) for pair in best]
    risks = [point["value"][0] for point in points]
    across = {**_axis(words, words("average risk, %"), gap=30), "splitLine": {"show": False}}
    upwards = {
        **_axis(words, f"{title}, %" if is_share else title, gap=46),
        "scale": True,
        "splitLine": {"lineStyle": {"color": "#e7ecf0"}},
    }
    return {
        "animation": False,
        "grid": {"left": 62, "right": 20, "top": 20, "bottom": 48},
        "xAxis": {**across, "type": "log" if is_logarithmic(risks) else "value"},
        "yAxis": {**upwards, "type": "value"},
        "tooltip": _tooltip(),
        "series": [
            {
                "type": "scatter",
                "data": [_frontier_point(words, explored, *pair) for pair in others],
                "symbolSize": 7,
                "itemStyle": {"color": "#fff", "borderColor": "#5d87ae", "borderWidth": 1, "opacity": 1},
            },
            _frontier_line(points),
            _ring([]),
        ],
    }


def _frontier_point(
    words: Words, explored: CandidatesResult, number: int, candidate: CandidateResult
) -> Options:
    """A candidate by its risk and its loss; a star if it is the best."""
    measure = explored["measure"]
    value = candidate["measures"][measure]
    look = {"symbol": STAR, "symbolSize": 22, "itemStyle": {"color": ORANGE, "borderColor": INK}}
    return {
        "value": [round(100 * candidate["risk"], 6), round(100 * value, 6) if measure in SHARES else value],
        "name": node_text(words, explored, candidate),
        "id": number,
        **(look if candidate["node"] == explored["best"] else {}),
    }


def _frontier_line(points: Sequence[Options]) -> Options:
    return {
        "type": "line",
        "data": points,
        "symbol": "diamond",
        "symbolSize": 13,
        "step": "end",
        "lineStyle": {"color": BLUE, "width": 2},
        "itemStyle": {"color": BLUE, "borderColor": INK},
        "z": 4,
        "cursor": "pointer",
        "triggerLineEvent": False,
    }


def _axis(words: Words, name: str, *, gap: int) -> Options:
    return {
        "name": name,
        "nameLocation": "middle",
        "nameGap": gap,
        "nameTextStyle": {"color": QUIET},
        "axisLabel": {
            "color": QUIET,
            ":formatter": f"value => value.toLocaleString('{words.language}')",
        },
    }


def is_logarithmic(values: Sequence[float]) -> bool:
    """Whether figures reach over so many sizes that a plain axis would press most of them together.

    >>> is_logarithmic([0.01, 0.2, 3.0]), is_logarithmic([1.0, 2.0]), is_logarithmic([0.0, 2.0])
    (True, False, False)
    """
    return bool(values) and min(values) > 0 and max(values) / min(values) > 30
