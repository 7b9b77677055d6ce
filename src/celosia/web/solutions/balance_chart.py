"""The chart of the balance of k: what every k keeps of the columns."""

from collections.abc import Mapping
from typing import Any

from celosia.server.work.results import BalanceResult
from celosia.web.solutions.candidate_charts import INK, QUIET, Options
from celosia.words import Words

__all__ = ["balance_chart"]

LINES = ("#1f4e79", "#b3541e", "#1b6e4b", "#7b3f8c", "#8a6d00", "#00707a", "#a4262c", "#55626f")
SYMBOLS = ("circle", "diamond", "triangle", "rect", "roundRect", "pin", "arrow", "circle")


def balance_chart(words: Words, balance: BalanceResult) -> Options:
    """How far every column is from the original at each k, the limit, and the largest k within it."""
    judged, best = balance["judged"]["sound"], balance["best"]["sound"]
    points = balance["points"]

    def lines() -> dict[str, list[float]]:
        if not judged:
            return {
                name: [point["columns"][name]["loss"] for point in points] for name in points[0]["columns"]
            }
        return {name: [_distance(point["columns"][name]) for point in points] for name in judged}

    series: list[Options] = [
        {
            "type": "line",
            "name": name,
            "data": [[point["k"], value] for point, value in zip(points, values, strict=True)],
            "symbol": SYMBOLS[number % len(SYMBOLS)],
            "symbolSize": 9,
            "color": LINES[number % len(LINES)],
            "lineStyle": {"width": 2},
        }
        for number, (name, values) in enumerate(lines().items())
    ]
    marks: list[Options] = []
    if judged:
        limit = words("limit {limit}", limit=words.number(balance["tolerance"], 3))
        marks.append(
            {"yAxis": balance["tolerance"], "label": {"formatter": limit, "position": "insideEndTop"}}
        )
    if best is not None:
        marks.append({"xAxis": best, "label": {"formatter": f"k = {best}", "position": "insideStartTop"}})
    if series and marks:
        style = {"color": INK, "type": "dashed", "width": 1.5}
        series[0]["markLine"] = {"silent": True, "symbol": "none", "lineStyle": style, "data": marks}
    highest = max(value for values in lines().values() for value in values)
    numbers = f"value => value.toLocaleString('{words.language}')"
    axis = {"nameLocation": "middle", "nameTextStyle": {"color": QUIET}}
    return {
        "animation": False,
        "legend": {"type": "scroll", "top": 0, "textStyle": {"color": INK}},
        "grid": {"left": 62, "right": 20, "top": 40, "bottom": 48},
        "xAxis": {
            **axis,
            "type": "value",
            "name": "k",
            "nameGap": 28,
            "min": points[0]["k"],
            "max": points[-1]["k"],
            "minInterval": 1,
            "axisLabel": {"color": QUIET},
            "splitLine": {"show": False},
        },
        "yAxis": {
            **axis,
            "type": "value",
            "name": words("distance from the original") if judged else words("loss"),
            "min": 0,
            "max": round(1.1 * max(highest, balance["tolerance"] if judged else 0.0), 3),
            "nameGap": 46,
            "axisLabel": {"color": QUIET, ":formatter": numbers},
            "splitLine": {"lineStyle": {"color": "#e7ecf0"}},
        },
        "tooltip": {"trigger": "axis", "renderMode": "richText", "confine": True},
        "series": series,
    }


def _distance(column: Mapping[str, Any]) -> float:
    value = column["variation"] if column["distance"] is None else column["distance"]
    return round(float(value), 6)
