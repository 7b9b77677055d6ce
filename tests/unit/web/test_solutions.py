"""Candidates as a page shows them: drawn, sorted, in words."""

from itertools import product
from typing import Any

import pytest

from celosia.web.solutions.balance_chart import balance_chart
from celosia.web.solutions.candidate_charts import frontier_chart, lattice_chart, ring
from celosia.web.solutions.candidate_table import table_html
from celosia.web.solutions.candidate_texts import column_sentence
from celosia.web.solutions.candidates import WIDEST, drawn_candidates, edges, in_order, is_same_task, layout
from celosia.words import Words

HOSTILE = '<img src=x onerror="alert(1)">'


def found(*heights: int, worst: int = 1) -> dict[str, Any]:
    """Candidates of a lattice: those with a sum of at least ``worst`` are valid, and lose their share of the sum."""
    columns = [HOSTILE, *(f"c{place}" for place in range(1, len(heights)))]
    nodes = sorted(product(*(range(height + 1) for height in heights)), key=sum)
    candidates = [
        {
            "node": list(node),
            "valid": sum(node) >= worst,
            "minimal": sum(node) == worst,
            "optimal": sum(node) == worst,
            "suppressed": 0,
            "classes": 10,
            "risk": 1 / (1 + sum(node)),
            "measures": {"loss": sum(node) / sum(heights), "height": float(sum(node))},
        }
        for node in nodes
    ]
    best = next((each["node"] for each in candidates if each["valid"]), None)
    return {
        "columns": columns,
        "measure": "loss",
        "nodes": len(nodes),
        "rows": 100,
        "valid": sum(each["valid"] for each in candidates),
        "best": best,
        "frontier": [] if best is None else [candidates[-1]["node"], best],
        "candidates": sorted(candidates, key=lambda each: (not each["valid"], each["measures"]["loss"])),
        "samples": {
            name: [HOSTILE, *("ABCDEFG"[:height])] for name, height in zip(columns, heights, strict=True)
        },
        "shapes": {
            name: [{"kind": "group", "size": 3}] * (height - 1) + [{"kind": "one", "size": 1}]
            for name, height in zip(columns, heights, strict=True)
        },
    }


def test_every_node_has_a_place_of_its_own_by_its_rank() -> None:
    nodes = list(product(range(3), range(4), range(2)))
    places = layout(nodes)
    assert len(set(places.values())) == len(nodes)
    assert all(places[node][1] == sum(node) and 0 < places[node][0] < 1 for node in nodes)


def test_lines_join_nodes_that_differ_by_one_level() -> None:
    nodes = list(product(range(3), range(3)))
    pairs = edges(nodes)
    expected = [(a, b) for a in nodes for b in nodes if sum(b) - sum(a) == 1 and all(map(int.__le__, a, b))]
    assert pairs == sorted(expected)


def test_a_large_lattice_shows_the_valid_nodes_that_lose_least() -> None:
    large = found(*[3] * 6, worst=2)
    shown = drawn_candidates(large["candidates"], large["nodes"])
    assert len(shown) <= 400
    assert all(each["valid"] for each in shown)
    assert shown[0] == large["candidates"][0]
    heights = [sum(each["node"]) for each in shown]
    assert max(map(heights.count, heights)) <= WIDEST


def test_a_lattice_without_a_valid_node_is_drawn_too() -> None:
    nothing = found(*[3] * 6, worst=100)
    assert drawn_candidates(nothing["candidates"], nothing["nodes"])


def test_the_chart_of_the_lattice_tells_nodes_apart_by_their_shape() -> None:
    chart = lattice_chart(Words(), found(2, 2))
    lines, nodes = chart["series"][:2]
    assert len(nodes["data"]) == 9
    assert len(lines["data"]) == 12
    symbols = [point["symbol"][:4] for point in nodes["data"]]
    assert (symbols.count("path"), symbols.count("diam"), symbols.count("circ")) == (1, 1, 7)
    assert chart["tooltip"]["renderMode"] == "richText"  # labels are never HTML


def test_the_frontier_is_a_line_from_the_least_risk_on() -> None:
    chart = frontier_chart(Words(), found(2, 2), "Loss")
    others, line = chart["series"][:2]
    risks = [point["value"][0] for point in line["data"]]
    assert risks == sorted(risks)
    assert len(line["data"]) == 2
    assert len(others["data"]) == 6


def test_the_ring_goes_to_the_candidate_wherever_it_is_drawn() -> None:
    chart = frontier_chart(Words(), found(2, 2), "Loss")
    first = chart["series"][0]["data"][0]
    assert ring(chart, first["id"])["series"][0]["data"] == [first["value"]]


@pytest.mark.parametrize("by", ["level 0", "measure height", "risk", "suppressed", "valid"])
def test_candidates_are_sorted_both_ways(by: str) -> None:
    candidates = found(2, 2)["candidates"]
    rising, falling = in_order(candidates, by), in_order(candidates, by, is_falling=True)
    kind, _, name = by.partition(" ")

    def figure(each: Any) -> Any:
        return each["node"][0] if kind == "level" else each["measures"][name] if name else each[kind]

    assert [figure(each) for each in rising] == sorted(map(figure, candidates))
    assert [figure(each) for each in falling] == sorted(map(figure, candidates), reverse=True)


def test_the_table_escapes_what_comes_from_tables() -> None:
    some = found(2, 2)
    html = table_html(
        Words(),
        some,
        list(enumerate(some["candidates"])),
        measures=["loss", "height"],
        by="measure loss",
        is_falling=False,
        picked=0,
    )
    assert "<img" not in html
    assert html.count("<tr") == 10
    assert html.count('scope="row"') == 9
    assert html.count('aria-sort="ascending"') == 1
    assert html.count('aria-pressed="true"') == 1


def test_a_level_is_told_by_what_its_labels_look_like() -> None:
    words = Words("es")
    shapes = [{"kind": "interval", "size": 10}, {"kind": "prefix", "size": 3}, {"kind": "one", "size": 1}]
    some = {"shapes": {"age": shapes}, "samples": {"age": ["34", "[30-39]", "280**", "*"]}}
    told = [column_sentence(words, some, "age", level) for level in range(4)]
    assert told[:2] == ["age queda como está", "age pasa a intervalos de 10, como [30-39]"]
    assert told[2] == "age conserva sus primeros 3 caracteres, como 280**"
    assert told[3].startswith("age se omite")


def test_solutions_are_old_when_what_they_rest_on_changed() -> None:
    old = {"name": "A", "purpose": "", "suppression": 0.1, "tables": {"x": {}}}
    assert is_same_task(old, {**old, "purpose": "Teaching"})
    assert not is_same_task(old, {**old, "suppression": 0.2})


def test_the_curve_of_k_has_a_line_per_column_its_limit_and_its_best() -> None:
    column = {"distance": 0.02, "variation": None, "loss": 0.3}
    balance = {
        "judged": {"sound": ["age"]},
        "best": {"sound": 3},
        "tolerance": 0.05,
        "points": [{"k": k, "columns": {"age": column, "sex": column}} for k in (2, 3, 4)],
    }
    chart = balance_chart(Words("es"), balance)
    assert [line["name"] for line in chart["series"]] == ["age"]
    marks = chart["series"][0]["markLine"]["data"]
    assert marks[0]["label"]["formatter"] == "límite 0,05"
    assert marks[1]["xAxis"] == 3
    assert chart["yAxis"]["max"] > 0.05
    without = balance_chart(Words(), {**balance, "judged": {"sound": []}, "best": {"sound": None}})
    assert [line["name"] for line in without["series"]] == ["age", "sex"]
