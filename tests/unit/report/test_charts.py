"""Charts: the same data as PNG, as SVG and as a page, and nothing in them that was not meant to be."""

import base64
import hashlib
import json
import re
import stat
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celosia.errors import ReleaseError
from celosia.report import Chart, ChartSeries, draw_chart
from celosia.report.axes import line_style, number_text, x_reach, x_ticks, y_reach, y_ticks
from celosia.report.charts import LANGUAGES
from celosia.report.page import WORDS

SVG = "{http://www.w3.org/2000/svg}"
ENDINGS = [".png", ".svg", ".html"]
BALANCE = Chart(
    title="Balance of k",
    x_title="k",
    y_title="significance",
    x=tuple(range(2, 21)),
    lines=(
        ChartSeries("age", tuple(1 - 0.01 * k for k in range(19))),
        ChartSeries("_postcode $x$", tuple(1 - 0.02 * k for k in range(19))),
    ),
    mark=7,
    mark_label="best k = 7",
    limit=0.95,
    limit_label="threshold",
)


def drawn(chart: Chart, path: Path) -> bytes:
    draw_chart(chart, path)
    return path.read_bytes()


def page_of(chart: Chart, folder: Path) -> str:
    return drawn(chart, folder / "chart.html").decode()


def with_line(name: str, *values: float | None) -> Chart:
    return Chart("Loss", "k", "loss", tuple(range(2, 2 + len(values))), (ChartSeries(name, values),))


def strokes(page: str) -> list[str]:
    """The paths of the lines of a page, without those of the legend."""
    return re.findall(r'<g class="line c\d"><path class="stroke"[^>]* d="([^"]*)"', page)


# Pictures


def test_a_png_is_one_and_has_the_size_it_promises(tmp_path):
    content = drawn(BALANCE, tmp_path / "chart.png")
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", content[16:24]) == (1200, 675)


def test_a_picture_grows_with_its_legend(tmp_path):
    lines = tuple(replace(BALANCE.lines[0], name=f"column number {number}") for number in range(40))
    content = drawn(replace(BALANCE, lines=lines), tmp_path / "chart.png")
    width, height = struct.unpack(">II", content[16:24])
    assert width == 1200
    assert height > 900


def test_an_svg_is_xml_and_holds_every_text(tmp_path):
    tree = ElementTree.fromstring(drawn(BALANCE, tmp_path / "chart.svg"))
    texts = {"".join(element.itertext()) for element in tree.iter(f"{SVG}text")}
    names = {line.name for line in BALANCE.lines}
    assert texts >= names | {"Balance of k", "k", "significance", "best k = 7", "threshold", "20", "0.2"}


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_chart_gives_the_same_bytes(ending, tmp_path):
    first = drawn(BALANCE, tmp_path / f"first{ending}")
    assert drawn(BALANCE, tmp_path / f"second{ending}") == first


def test_an_svg_tells_neither_when_nor_by_which_version_it_was_drawn(tmp_path):
    import matplotlib

    text = drawn(BALANCE, tmp_path / "chart.svg").decode()
    assert "<dc:title>Balance of k</dc:title>" in text
    assert "dc:date" not in text
    assert "dc:creator" not in text
    assert matplotlib.__version__ not in text


def test_a_gap_in_an_svg_is_a_gap(tmp_path):
    def pieces(chart):
        tree = ElementTree.fromstring(drawn(chart, tmp_path / "chart.svg"))
        styles = [(path.get("style", ""), path.get("d", "")) for path in tree.iter(f"{SVG}path")]
        return max(d.count("M") for style, d in styles if "stroke: #0072b2" in style and "L" in d)

    assert pieces(with_line("age", 1, 2, 3, 4, 5)) == 1
    assert pieces(with_line("age", 1, 2, None, 4, 5)) == 2


def test_settings_of_the_caller_neither_matter_nor_change(tmp_path):
    import matplotlib

    plain = drawn(BALANCE, tmp_path / "plain.svg")
    with matplotlib.rc_context({"lines.linewidth": 9, "axes.facecolor": "red", "font.size": 30}):
        before = dict(matplotlib.rcParams)
        assert drawn(BALANCE, tmp_path / "chart.svg") == plain
        assert dict(matplotlib.rcParams) == before


def test_threads_do_not_leave_each_others_settings_behind(tmp_path):
    import matplotlib

    before = dict(matplotlib.rcParams)
    with ThreadPoolExecutor(4) as threads:
        contents = threads.map(lambda n: drawn(BALANCE, tmp_path / f"{n}.svg"), range(8))
        assert len(set(contents)) == 1
    assert dict(matplotlib.rcParams) == before


def test_a_picture_is_drawn_without_pyplot_and_matplotlib_waits_until_then(tmp_path):
    code = f"""
import sys
from pathlib import Path
from celosia.report import Chart, ChartSeries, draw_chart
chart = Chart("Loss", "k", "loss", (2, 3), (ChartSeries("loss", (1, 2)),))
draw_chart(chart, Path({str(tmp_path / "chart.html")!r}))
assert "matplotlib" not in sys.modules
draw_chart(chart, Path({str(tmp_path / "chart.png")!r}))
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_matplotlib_pictures_say_what_to_install_and_pages_are_drawn(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for ending in (".png", ".svg"):
        with pytest.raises(ReleaseError, match=r"pip install celosia\[charts\]"):
            draw_chart(BALANCE, tmp_path / f"chart{ending}")
    assert list(tmp_path.iterdir()) == []
    assert "Balance of k" in page_of(BALANCE, tmp_path)


# Pages


def test_a_page_needs_nothing_from_elsewhere(tmp_path):
    page = page_of(BALANCE, tmp_path)
    assert re.findall(r"https?:|\bsrc=|\bhref=|url\(|@import", page) == []


def test_a_page_holds_drawing_legend_and_table(tmp_path):
    page = page_of(BALANCE, tmp_path)
    assert len(strokes(page)) == 2
    assert page.count('<button type="button" aria-pressed="true"') == 2
    assert '<th scope="col">k</th><th scope="col">age</th><th scope="col">_postcode $x$</th>' in page
    assert '<tr class="marked"><th scope="row">7</th><td>0.95</td><td>0.9</td></tr>' in page
    assert page.count('<th scope="row">') == 19


def test_the_drawing_of_a_page_is_well_formed(tmp_path):
    page = page_of(BALANCE, tmp_path)
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(drawings) == 3
    texts = [element.text for each in drawings for element in ElementTree.fromstring(each).iter("text")]
    assert {"best k = 7", "threshold", "20", "0.2"} <= set(texts)


def test_markup_in_any_text_stays_text(tmp_path):
    evil = """</script><script>alert("it's")</script><!-- &amp;"""
    chart = Chart(evil, evil, evil, (2,), (ChartSeries(evil, (1,)),), 2, evil, 1, evil)
    page = page_of(chart, tmp_path)
    assert page.count("<script") == page.count("</script>") == 2
    assert "alert(" in page
    assert "<!--" not in page
    assert json.loads(embedded(page))["lines"][0]["name"] == evil
    tree = ElementTree.fromstring(drawn(chart, tmp_path / "chart.svg"))
    assert [element for element in tree.iter() if "script" in str(element.tag)] == []


def embedded(page: str) -> str:
    return page.partition('<script type="application/json">')[2].partition("</script>")[0]


def test_what_the_script_reads_fits_the_drawing(tmp_path):
    page = page_of(with_line("age", 0.25, None, 0.75), tmp_path)
    data = json.loads(embedded(page))
    assert data["heads"] == ["k = 2", "k = 3", "k = 4"]
    assert data["lines"] == [{"name": "age", "texts": ["0.25", None, "0.75"]}]
    starts = [float(x) for x in re.findall(r"M([\d.]+) ", strokes(page)[0])]
    assert starts == [data["x"][0], data["x"][2]]


def test_the_browser_is_told_to_run_this_script_and_style_alone(tmp_path):
    page = page_of(BALANCE, tmp_path)
    for element in ("style", "script"):
        (content,) = re.findall(f"<{element}>(.*?)</{element}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{element}-src 'sha256-{digest}'" in page
    assert "style=" not in page


def test_a_gap_in_a_page_is_a_gap(tmp_path):
    assert strokes(page_of(with_line("age", 1, 2, None, 4, 5), tmp_path))[0].count("M") == 2
    assert strokes(page_of(with_line("age", 1, 2, 3, 4, 5), tmp_path))[0].count("M") == 1
    page = page_of(with_line("age", 1, float("nan")), tmp_path)
    assert "<td>1</td>" in page
    assert "<td></td>" in page


def test_a_page_speaks_the_language_of_its_chart(tmp_path):
    english = page_of(BALANCE, tmp_path)
    spanish = page_of(replace(BALANCE, language="es"), tmp_path)
    assert '<html lang="en">' in english
    assert "Table of values" in english
    assert '<html lang="es">' in spanish
    assert "Tabla de valores" in spanish


def test_every_language_has_all_words():
    assert set(WORDS) == set(LANGUAGES)
    assert len({frozenset(words) for words in WORDS.values()}) == 1


# What may be odd


ODD = {
    "nothing at all": Chart("", "", "", (), ()),
    "no line": Chart("Loss", "k", "loss", (2, 3), (), mark=9, mark_label="far", limit=7, limit_label="high"),
    "one point": with_line("age", 5),
    "one point of zero": with_line("age", 0),
    "only gaps": with_line("age", None, None),
    "no name": with_line("", 1, 2),
    "a formula that is none": with_line("$\\frac{", 1, 2),
    "control characters": with_line("a\x00b\x1b\ud800\n", 1, 2),
    "very long texts": Chart(
        "t" * 300, "x " * 200, "y" * 200, (2,), (ChartSeries("n" * 500, (1,)),), 2, "m" * 300
    ),
    "tiny values": with_line("age", 1e-12, 3e-12),
    "huge values below zero": with_line("age", -1e15, -1e12),
}


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("chart", ODD.values(), ids=ODD)
def test_odd_charts_are_drawn(chart, ending, tmp_path):
    content = drawn(chart, tmp_path / f"chart{ending}")
    if ending == ".svg":
        ElementTree.fromstring(content)
    assert content


def test_a_page_without_values_says_so(tmp_path):
    assert "There are no values to draw." in page_of(with_line("age", None), tmp_path)
    assert "There are no values to draw." not in page_of(BALANCE, tmp_path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"x": (2, 3)}, "19 values for 2 x"),
        ({"x": tuple(range(20, 1, -1))}, "must increase"),
        ({"mark": float("nan")}, "must be finite"),
        ({"limit": float("inf")}, "must be finite"),
        ({"language": "fr"}, "en or es"),
    ],
)
def test_a_chart_that_cannot_be_drawn_is_refused_when_made(change, message):
    with pytest.raises(ValueError, match=message):
        replace(BALANCE, **change)


# Files


@pytest.mark.parametrize("name", ["chart.pdf", "chart"])
def test_an_unknown_ending_is_an_error_that_names_the_known(name, tmp_path):
    with pytest.raises(ReleaseError, match=r"choose \.png, \.svg or \.html"):
        draw_chart(BALANCE, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_endings_may_be_in_capitals(tmp_path):
    assert drawn(BALANCE, tmp_path / "CHART.HTML").startswith(b"<!DOCTYPE html>")


def test_a_file_is_replaced_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "chart.html"
    path.write_text("before")
    path.chmod(0o644)
    assert b"Balance of k" in drawn(BALANCE, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written_is_an_error_and_leaves_nothing(tmp_path):
    folder = tmp_path / "chart.html"
    folder.mkdir()
    for path in (folder, tmp_path / "missing" / "chart.html"):
        with pytest.raises(ReleaseError, match="could not be written"):
            draw_chart(BALANCE, path)
    assert list(tmp_path.iterdir()) == [folder]


# Axes


def test_shares_start_at_zero_and_other_values_where_they_are():
    assert y_reach(with_line("age", 0.9, 0.95))[0] == 0
    assert y_reach(with_line("age", 900, 950))[0] > 850
    assert y_reach(replace(with_line("age", 0.9, 0.95), limit=-1.0))[0] < -1


def test_whole_numbers_get_whole_ticks():
    assert x_ticks(with_line("age", 1, 2, 3)) == [2, 3, 4]
    assert x_ticks(Chart("", "", "", (0.1, 0.2, 0.3), ())) != [0]


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=5))
@example([5e-324])
@example([-5e-324, 0.0])
def test_ticks_are_few_and_lie_inside(values):
    chart = with_line("age", *values)
    low, high = y_reach(chart)
    assert low <= min(values)
    assert max(values) <= high
    ticks = y_ticks(chart)
    assert 2 <= len(ticks) <= 7
    assert sorted(set(ticks)) == ticks
    air = (high - low) * 1e-6
    assert low - air <= ticks[0]
    assert ticks[-1] <= high + air


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=5, unique=True))
def test_ticks_of_whole_numbers_are_whole_and_there(values):
    chart = Chart("", "", "", tuple(sorted(values)), ())
    low, high = x_reach(chart)
    ticks = x_ticks(chart)
    assert 1 <= len(ticks) <= 13
    assert all(tick.is_integer() and low <= tick <= high for tick in ticks)


@given(st.floats(-1e14, 1e14))
def test_the_text_of_a_number_is_that_number_to_six_digits(value):
    assert float(number_text(value)) == pytest.approx(value, rel=1e-5)
    assert number_text(value) != "-0"


def test_lines_differ_in_grey_too():
    looks = [line_style(number) for number in range(30)]
    assert len({(each.dashes, each.shape) for each in looks}) == 30
