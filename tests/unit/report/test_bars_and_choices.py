"""Charts of bars and of choices: the same data in three forms, and who is beaten by whom."""

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.report import BarChart, Bars, FrontierChart, Point, dominated, draw_chart
from celosia.report.bars import bar_reach, bar_ticks, fill_of
from celosia.report.charts import LANGUAGES
from celosia.report.frontier import WORDS, frontier_reach
from celosia.report.labels import place_labels

SVG = "{http://www.w3.org/2000/svg}"
ENDINGS = [".png", ".svg", ".html"]
BARS = BarChart(
    title="Age",
    groups=("20-29", "30-39", "40-49"),
    series=(
        Bars("before", (0.5, 0.25, 0.25), ((0.4, 0.6), None, None)),
        Bars("_after $x$", (0.4, None, 0.6)),
    ),
    y_title="share of rows",
    x_title="age",
)
CHOICES = FrontierChart.of(
    "Choices",
    [
        Point("k = 2", 0.5, 0.9, y_interval=(0.89, 0.91)),
        Point("k = 5", 0.2, 0.8, x_interval=(0.1, 0.3)),
        Point("k = 9", 0.3, 0.7),
    ],
    x_title="risk",
    y_title="accuracy",
)


def drawn(chart, path: Path) -> bytes:
    draw_chart(chart, path)
    return path.read_bytes()


def page_of(chart, folder: Path) -> str:
    return drawn(chart, folder / "chart.html").decode()


def data_of(page: str):
    return json.loads(page.partition('<script type="application/json">')[2].partition("</script>")[0])


def texts_of(content: bytes) -> set[str]:
    return {"".join(element.itertext()) for element in ElementTree.fromstring(content).iter(f"{SVG}text")}


# All forms


@pytest.mark.parametrize("chart", [BARS, CHOICES], ids=["bars", "choices"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_chart_gives_the_same_bytes(chart, ending, tmp_path):
    assert drawn(chart, tmp_path / f"one{ending}") == drawn(chart, tmp_path / f"other{ending}")


def test_a_picture_of_bars_holds_every_text(tmp_path):
    expected = {"Age", "age", "share of rows", "20-29", "before", "_after $x$"}
    assert texts_of(drawn(BARS, tmp_path / "chart.svg")) >= expected


def test_a_picture_of_choices_holds_every_text(tmp_path):
    expected = {"Choices", "risk", "accuracy", "k = 2", "k = 9", "not beaten by any", "beaten by another"}
    assert texts_of(drawn(CHOICES, tmp_path / "chart.svg")) >= expected


def test_a_page_of_bars_holds_drawing_legend_and_table(tmp_path):
    page = page_of(BARS, tmp_path)
    assert page.count('<g class="line c') == 2
    assert '<tr><th scope="row">20-29</th><td>0.5 [0.4, 0.6]</td><td>0.4</td></tr>' in page
    assert '<tr><th scope="row">30-39</th><td>0.25</td><td></td></tr>' in page
    data = data_of(page)
    assert data["heads"] == ["20-29", "30-39", "40-49"]
    assert data["lines"][1] == {"name": "_after $x$", "texts": ["0.4", None, "0.6"]}
    assert "y" not in data


def test_bars_that_have_no_value_are_not_drawn_and_intervals_are(tmp_path):
    shapes = re.findall(
        r'<path class="bars" fill-opacity="[\d.]+" d="(M[^"]*)"/><path class="interval" d="([^"]*)"/>',
        page_of(BARS, tmp_path),
    )
    assert [bars.count("z") for bars, _ in shapes] == [3, 2]
    assert [whiskers.count("V") for _, whiskers in shapes] == [1, 0]


def test_a_page_of_choices_tells_each_point_in_one_series(tmp_path):
    page = page_of(CHOICES, tmp_path)
    data = data_of(page)
    assert data["heads"] == ["k = 5", "k = 9", "k = 2"]
    kept, beaten = (line["texts"] for line in data["lines"])
    assert kept == ["risk 0.2 [0.1, 0.3]; accuracy 0.8", None, "risk 0.5; accuracy 0.9 [0.89, 0.91]"]
    assert beaten == [None, "risk 0.3; accuracy 0.7", None]
    assert len(data["y"]) == len(data["x"]) == 3
    grey = page.partition('<g class="line grey">')[2].partition("</g>")[0]
    assert "k = 9" in grey
    assert "k = 2" not in grey


@pytest.mark.parametrize("chart", [BARS, CHOICES], ids=["bars", "choices"])
def test_a_page_needs_nothing_from_elsewhere_and_its_drawing_is_well_formed(chart, tmp_path):
    page = page_of(chart, tmp_path)
    assert re.findall(r"https?:|\bsrc=|\bhref=|url\(|@import|style=", page) == []
    for each in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(each)


def test_markup_in_any_text_stays_text(tmp_path):
    evil = """</script><script>alert("it's")</script><!-- &amp;"""
    charts = [
        BarChart(evil, (evil,), (Bars(evil, (1,)),), evil, evil),
        FrontierChart.of(evil, [Point(evil, 0, 0)], x_title=evil, y_title=evil),
    ]
    for chart in charts:
        page = page_of(chart, tmp_path)
        assert page.count("<script") == page.count("</script>") == 2
        assert "<!--" not in page
        ElementTree.fromstring(drawn(chart, tmp_path / "chart.svg"))


def test_choices_speak_the_language_of_their_chart(tmp_path):
    assert set(WORDS) == set(LANGUAGES)
    page = page_of(replace(CHOICES, language="es"), tmp_path)
    assert "otra la supera" in page
    assert "beaten" not in page.partition("<body>")[2]


# What may be odd


def bars(*values, name="a", groups=None):
    names = groups or tuple(f"group {number}" for number in range(len(values)))
    return BarChart("Bars", names, (Bars(name, values),), "share")


def choices(*points):
    return FrontierChart.of("Choices", [Point(*point) for point in points], x_title="x", y_title="y")


ODD = {
    "no bars": BarChart("", (), (), ""),
    "no groups": bars(),
    "no series": BarChart("Bars", ("a",), (), ""),
    "only gaps": bars(None, float("nan")),
    "zeros": bars(0, 0),
    "all below zero": bars(-1, -2),
    "huge and tiny": bars(1e300, 1e-300),
    "control characters": bars(1, name="a\x00\ud800\n", groups=("$\\frac{",)),
    "many long groups": bars(*range(50), groups=tuple(f"a very long name of group {n}" for n in range(50))),
    "no choices": choices(),
    "one choice": choices(("a", 5, 5)),
    "choices at one place": choices(*((f"choice {n}", 1, 1) for n in range(30))),
    "far apart": choices(("a", -1e15, 1e-12), ("b" * 200, 1e15, 0)),
}


@pytest.mark.parametrize("ending", [".svg", ".html"])
@pytest.mark.parametrize("chart", ODD.values(), ids=ODD)
def test_odd_charts_are_drawn(chart, ending, tmp_path):
    content = drawn(chart, tmp_path / f"chart{ending}")
    if ending == ".svg":
        ElementTree.fromstring(content)
    assert content


def test_a_page_without_values_says_so(tmp_path):
    assert "There are no values to draw." in page_of(bars(None), tmp_path)
    assert "There are no values to draw." in page_of(choices(), tmp_path)
    assert "There are no values to draw." not in page_of(BARS, tmp_path)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: replace(BARS, groups=("a",)), "3 values for 1 groups"),
        (lambda: Bars("a", (1,), ((0, 1), (0, 1))), "2 intervals for 1 values"),
        (lambda: replace(BARS, language="fr"), "en or es"),
        (lambda: replace(CHOICES, language="fr"), "en or es"),
        (lambda: choices(("a", float("nan"), 1)), "finite"),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused_when_made(make, message):
    with pytest.raises(ValueError, match=message):
        make()


# Axes and names


# No axis tells what is smaller than 1e-300 from zero.
LENGTHS = st.floats(-1e12, 1e12).map(lambda value: value if abs(value) >= 1e-300 else 0.0)


@given(st.lists(LENGTHS, min_size=1, max_size=5))
def test_bars_start_at_zero_and_fit(values):
    low, high = bar_reach(bars(*values))
    assert low <= min(0.0, *values)
    assert high >= max(0.0, *values)
    assert 0.0 in bar_ticks(bars(*values))


def test_intervals_fit_too():
    assert bar_reach(BarChart("", ("a",), (Bars("a", (1,), ((-1, 9),)),), ""))[0] < -1
    assert frontier_reach(choices(("a", 1, 1, (0, 2), None)))[0][0] < 0


def test_neighbouring_series_differ_in_grey():
    assert all(abs(fill_of(n) - fill_of(n + 1)) > 0.2 for n in range(8))


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 200)), max_size=25))
def test_names_lie_inside_and_on_no_other(places):
    names = [f"choice {number}" for number in range(len(places))]
    boxes = []
    for (x, y), name, placed in zip(
        places, names, place_labels(places, names, within=(500, 200)), strict=True
    ):
        if placed is not None:
            width = 6.0 * len(name)
            left = x + placed.right - {"start": 0, "middle": width / 2, "end": width}[placed.anchor]
            boxes.append((left, left + width, y + placed.up))
    for number, (left, right, bottom) in enumerate(boxes):
        assert left >= -1e-9
        assert right <= 500 + 1e-9
        for other_left, other_right, other_bottom in boxes[:number]:
            assert right <= other_left or other_right <= left or abs(bottom - other_bottom) >= 10


# Who is beaten by whom


numbers = st.integers(0, 4)
points = st.lists(
    st.builds(
        lambda x, y, a, b: Point("", x, y, (x - a, x + a), (y - b, y + b)), numbers, numbers, numbers, numbers
    ),
    max_size=8,
)


@given(points, st.sampled_from(["lower", "higher"]), st.sampled_from(["lower", "higher"]))
def test_a_point_is_dominated_if_one_is_as_good_in_both_ways_and_clearly_better_in_one(
    some, x_better, y_better
):
    def beats(one, other):
        def no_worse(a, b, better):
            return a <= b if better == "lower" else a >= b

        def clearly(a, b, better):
            return a[1] < b[0] if better == "lower" else a[0] > b[1]

        return (
            no_worse(one.x, other.x, x_better)
            and no_worse(one.y, other.y, y_better)
            and (
                clearly(one.x_interval, other.x_interval, x_better)
                or clearly(one.y_interval, other.y_interval, y_better)
            )
        )

    expected = tuple(any(beats(one, other) for one in some) for other in some)
    assert dominated(some, x_better=x_better, y_better=y_better) == expected
    assert not some or not all(expected)


def test_a_difference_within_the_noise_beats_nobody():
    near = [Point("a", 1, 0.80, y_interval=(0.7, 0.9)), Point("b", 1, 0.82, y_interval=(0.72, 0.92))]
    assert dominated(near) == (False, False)
    assert dominated([replace(point, y_interval=None) for point in near]) == (True, False)
