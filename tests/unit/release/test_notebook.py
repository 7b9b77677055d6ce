"""A release shows itself in a notebook: its verdict, before and after, and a chart, safely and in both languages."""

import xml.etree.ElementTree as ET

import polars as pl
import pytest

import celosia
from celosia.release.notebook import show_release
from celosia.words import Words


@pytest.fixture(scope="module")
def release():
    rows = 60
    frame = pl.DataFrame({"age": [30 + row % 7 for row in range(rows)], "<b>sex": ["f", "m"] * (rows // 2)})
    return celosia.anonymize(frame, quasi_identifiers=["age", "<b>sex"], k=5)


def texts(html):
    return [text.strip() for text in ET.fromstring(html.replace("<br>", "<br/>")).itertext() if text.strip()]


def test_it_shows_the_verdict_and_risk_before_and_after(release):
    shown = texts(release._repr_html_())
    assert any(str(release.verdict.sentence) in text for text in shown)
    at = shown.index("smallest class (k)")
    assert shown[at + 1 : at + 3] == [str(release.risk_before.k), str(release.risk_after.k)]
    assert "Rows: released: 60" in shown


def test_bars_are_as_long_as_the_shares_they_stand_for(release):
    html = show_release(release, Words("en"))
    drawing = ET.fromstring(html[html.index("<svg") : html.index("</svg>") + 6])
    bars = [float(bar.get("width")) for bar in drawing.iter("rect") if bar.find("title") is not None]
    risks = [
        getattr(risk, name)
        for name in ("highest", "average", "at_risk")
        for risk in (release.risk_before, release.risk_after)
    ]
    assert bars == [pytest.approx(max(1.0, 240 * share) if share else 0.0, abs=0.1) for share in risks]


def test_names_of_columns_are_texts_and_nothing_runs(release):
    for words in (Words("en"), Words("es")):
        html = show_release(release, words)
        assert "<b>sex" not in html
        assert "<script" not in html
        assert "http" not in html


def test_it_speaks_the_language_of_the_environment(release, monkeypatch):
    monkeypatch.setenv("CELOSIA_LANGUAGE", "es")
    assert "clase más pequeña (k)" in texts(release._repr_html_())


def test_a_light_release_shows_what_it_is():
    html = celosia.mask_columns(pl.DataFrame({"paid": [1234, 99]}), {})._repr_html_()
    assert "<svg" not in html
    assert any("2" in text for text in texts(html))
