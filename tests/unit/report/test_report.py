"""The report of a release: what it says, in which language, and what never gets into it."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import ProjectError
from celosia.mask.registry import operations
from celosia.privacy import MODELS, DistinctLDiversity
from celosia.recode.techniques.registry import TECHNIQUES as KNOWN
from celosia.report import report, report_page
from celosia.report.promises import PROMISES
from celosia.report.report import SECTIONS
from celosia.report.sections.treatment import TECHNIQUES
from celosia.say import Text, keep_texts, restore_texts
from celosia.words import Words

VOID = {"meta", "br", "hr"}
ENGLISH = re.compile(r"\b(the|of|is|are|was|rows|with|and|which|people|what|by|each)\b", re.IGNORECASE)
PEOPLE = pl.DataFrame(
    {
        "nombre": ["Ana", "Eva", "Luis", "Juan", "Rosa", "Olga", "Hugo", "Iván"],
        "edad": [31, 32, 33, 38, 41, 42, 47, 49],
        "sexo": ["f", "f", "m", "m", "f", "f", "m", "m"],
        "dolencia": ["gripe", "asma", "gripe", "asma", "gripe", "asma", "gripe", "asma"],
    }
)
DIVERSE = DistinctLDiversity(column="dolencia", l=2)
ROLES: dict[str, Any] = {"quasi_identifiers": ["edad", "sexo"], "sensitive": ["dolencia"]}


class Reader(HTMLParser):
    """What a browser makes of a page: elements that are closed in order, and the texts a person reads."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            foreign = dict(attrs).get("lang") == "en" and tag != "html"
            self.open.append((tag, foreign or tag in ("style", "code")))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if data.strip() and not any(hidden for _, hidden in self.open):
            self.texts.append(data.strip())


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


def sections(page: str) -> list[str]:
    return [str(attributes["id"]) for tag, attributes in read(page).tags if tag == "section"]


@pytest.fixture(scope="module")
def release() -> Any:
    return celosia.anonymize(
        PEOPLE, **ROLES, identifiers=["nombre"], k=2, models=[DIVERSE], technique="full-domain"
    )


@pytest.fixture(scope="module")
def record(release: Any) -> dict[str, Any]:
    """As a file holds it, under a name that is no English word."""
    table = release.record["table"]
    tables = {"personas": release.record["project"]["tables"][table]}
    told = {**release.record, "table": "personas", "project": {**release.record["project"], "tables": tables}}
    return restore_texts(json.loads(json.dumps(keep_texts(told))))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def measured(release: Any) -> dict[str, Any]:
    chosen = [
        "k",
        "prosecutor-highest",
        "journalist-mean",
        "marketer",
        "linkage",
        "loss",
        "variation",
        "rows-kept",
    ]
    found = celosia.measure_release(
        PEOPLE, release.table, **ROLES, measures=chosen, rules=["gdpr", "ley-1581"]
    )
    return restore_texts(json.loads(json.dumps(keep_texts(found.to_dict()))))  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def everything(release: Any, record: dict[str, Any], measured: dict[str, Any]) -> dict[str, Any]:
    """All that a report can be made of."""
    balance = celosia.balance(PEOPLE, quasi_identifiers=["edad", "sexo"], ks=[2, 3, 4])
    candidates = {
        "columns": list(record["node"]),
        "hierarchies": {"edad": release.technique_plan.reasons["edad"]},
        "measure": "loss",
        "nodes": 6,
        "valid": 2,
        "candidates": [
            {
                "node": list(record["node"].values()),
                "suppressed": 0,
                "classes": 2,
                "measures": {"loss": 0.25},
            },
            {"node": [9, 9], "suppressed": 0, "classes": 1, "measures": {"loss": 1.0}},
        ],
    }
    return {
        "measured": measured,
        "candidates": candidates,
        "balance": balance.to_dict(),
        "chain": [{"nombre": "personas-2025", "filas": 1234}],
    }


# What is in it


def test_a_record_alone_makes_a_report(record):
    assert sections(report_page(record)) == [
        "summary",
        "done",
        "safe",
        "left",
        "lost",
        "limits",
        "repeating",
        "signing",
    ]


def test_with_all_evidence_every_section_is_there(record, everything):
    assert sections(report_page(record, **everything)) == [name for name, _, _ in SECTIONS]


@pytest.mark.parametrize(
    ("evidence", "section"),
    [
        ("measured", "law"),
        ("measured", "annex"),
        ("candidates", "alternatives"),
        ("balance", "alternatives"),
        ("chain", "chain"),
    ],
)
def test_a_section_is_there_exactly_where_its_evidence_is(record, everything, evidence, section):
    assert section in sections(report_page(record, **{evidence: everything[evidence]}))
    rest = {name: one for name, one in everything.items() if name != evidence}
    if section == "alternatives":
        rest = {name: one for name, one in rest.items() if name not in ("candidates", "balance")}
    assert section not in sections(report_page(record, **rest))


def test_the_numbers_are_those_of_the_record(record):
    texts = read(report_page(record)).texts
    risk = record["risk"]["after"]
    assert f"{record['rows']['written']}" in texts
    assert Words("en").percent(risk["highest"]) in texts
    assert Words("en").percent(record["measures"]["loss"]) in texts
    assert any(f"finds at least {risk['k']} rows that look the same" in text for text in texts)
    assert record["celosia"] in texts


def test_numbers_and_dates_are_written_as_the_language_does(record):
    record = {**record, "rows": {**record["rows"], "source": 12345}}
    assert "12,345" in read(report_page(record)).texts
    assert "12.345" in read(report_page(record, words=Words("es"))).texts


def test_a_promise_that_was_not_kept_is_told_as_such(record):
    findings = [{**one, "passed": False} for one in record["verification"]["findings"]]
    page = report_page(
        {**record, "verification": {**record["verification"], "passed": False, "findings": findings}}
    )
    assert "It must not go out." in page
    assert "the release keeps every promise" not in page
    assert "not kept" in page


def test_a_light_release_promises_nothing():
    rounded = {"name": "round", "to": 10}
    light = celosia.mask_columns(PEOPLE, {"nombre": "suppress", "edad": rounded}, common="sexo")
    texts = read(report_page(light.record)).texts
    assert any("nothing is promised about people" in text for text in texts)
    assert "People are not protected." in texts


def test_a_chain_of_techniques_is_told_step_by_step(record):
    step = {"name": "mondrian", "columns": {"edad": "level 1 of 3"}, "suppressed": 2, "excluded": 1}
    page = report_page({**record, "chain": [{**step, "name": "local"}, step]})
    assert "1. <code>local</code>" in page
    assert "2. <code>mondrian</code>" in page


def test_where_people_are_counted_it_says_people(record):
    page = report_page({**record, "people": {"people": 8}})
    assert "people who look the same in the release" in page
    assert "Rows were counted, not people." not in page
    assert "Rows were counted, not people." in report_page(record)


def test_a_section_of_a_light_release_does_not_call_it_safe():
    rounded = {"name": "round", "to": 10}
    light = celosia.mask_columns(PEOPLE, {"nombre": "suppress", "edad": rounded}, common="sexo")
    page = report_page(light.record)
    assert "What was checked" in page
    assert "Why it is safe" not in page


def test_the_chosen_candidate_and_the_chosen_k_are_marked(record, everything):
    page = report_page(record, candidates=everything["candidates"], balance=everything["balance"])
    chosen = ", ".join(map(str, record["node"].values()))
    assert f'<th scope="row">{chosen} <b>chosen</b></th>' in page
    assert '<th scope="row">2 <b>chosen</b></th>' in page


def test_every_drawing_says_what_it_is_and_has_its_numbers_in_a_table(record, everything):
    page = report_page(record, **everything)
    drawings = [attributes for tag, attributes in read(page).tags if tag == "svg"]
    assert len(drawings) >= 6
    assert all(one["role"] == "img" and one["aria-label"] for one in drawings)
    assert page.count("<svg") == len(re.findall(r"<svg[^>]*><title>", page))
    assert all(
        attributes.get("aria-label")
        for _, attributes in read(page).tags
        if attributes.get("role") == "region"
    )


@pytest.mark.parametrize("name", list(MODELS))
def test_every_privacy_model_has_a_sentence_in_both_languages(record, name):
    parameters = {field: 0.5 for field, one in MODELS[name].model_fields.items() if one.is_required()}
    model = {"model": name, **parameters, "column": "dolencia" if "column" in parameters else None}
    finding = {
        "name": name, "column": model["column"], "asked": 0.5, "reached": 0.25, "violating": 0, "passed": True,
        "text": "found",
    }  # fmt: skip
    changed = {
        **record,
        "project": {**record["project"], "models": [model]},
        "verification": {**record["verification"], "findings": [finding]},
    }
    changed["project"]["tables"] = {"personas": {**record["project"]["tables"]["personas"]}}
    assert name in PROMISES
    for language in ("en", "es"):
        page = report_page(changed, words=Words(language))
        assert not re.search(r"\{\w+\}", re.sub(r"<style>.*</style>", "", page, flags=re.DOTALL))
        assert sum('class="promise"' in line for line in page.splitlines()) == 1


def test_every_technique_is_explained():
    assert set(KNOWN) <= set(TECHNIQUES)


def test_colours_of_texts_are_dark_enough_to_read():
    style = Path(report.__file__).with_name("report.css").read_text(encoding="utf-8")
    colours = dict(re.findall(r"--(\w+): #(\w{6})", style))
    grounds = {*re.findall(r"background: #(\w{6})", style), "ffffff", colours["wash"]}
    for name in ("text", "soft", "ink", "good", "bad", "open", "third"):
        assert min(contrast(colours[name], ground) for ground in grounds) >= 4.5, name
    for name in ("before", "after"):
        assert contrast(colours[name], "ffffff") >= 3, name


def contrast(one: str, other: str) -> float:
    """Of two colours, as WCAG 2 defines it."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# What never gets into it


def test_the_page_is_well_formed_and_asks_for_nothing_from_elsewhere(record, everything):
    page = report_page(record, **everything)
    tags = read(page).tags
    assert {"script", "link", "img", "iframe", "object", "form"}.isdisjoint(tag for tag, _ in tags)
    assert not any({"src", "style", "onload", "onclick"} & set(attributes) for _, attributes in tags)
    assert all(str(attributes["href"]).startswith("#") for tag, attributes in tags if tag == "a")
    assert "url(" not in page
    assert "@import" not in page
    assert "http://" not in page
    assert "https://" not in page
    assert "default-src &#x27;none&#x27;" in page or "default-src 'none'" in page


EVIL = "<script>alert(1)</script>\"'&"


def test_whatever_stands_in_names_and_labels_is_text(record, everything):
    told = json.dumps([record, everything]).replace("dolencia", json.dumps(EVIL)[1:-1])
    told = told.replace("personas", json.dumps(EVIL)[1:-1]).replace("edad", json.dumps(EVIL + "2")[1:-1])
    changed, rest = json.loads(told)
    page = report_page(changed, **rest)
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert any(EVIL in text for text in read(page).texts)


def test_values_of_the_original_that_the_release_does_not_show_stay_out(record, everything):
    page = report_page(record, **everything)
    assert not any(name in page for name in PEOPLE["nombre"])
    assert "from 31 to 49" not in page


def test_a_seed_is_neither_printed_nor_to_be_guessed_from_the_digest(record):
    seeded = {**record, "project": {**record["project"], "seed": 987654}}
    page = report_page(seeded)
    assert "987654" not in page
    digest = re.search(r'class="digest">(\w{64})<', report_page(record))
    assert digest is not None
    assert digest[1] in page
    assert "whoever knows it can undo the order of rows" in page


def test_a_document_of_another_kind_is_refused_in_a_sentence(record):
    with pytest.raises(ProjectError, match="not the record of a release"):
        report_page({"measures": {}})
    with pytest.raises(ProjectError, match="not the answers of measures"):
        report_page(record, measured={"candidates": []})
    with pytest.raises(ProjectError, match="not as it was written"):
        report_page({**record, "rows": []})


# Languages


def test_the_spanish_report_has_no_english_in_it(record, everything):
    reader = read(report_page(record, words=Words("es"), **everything))
    assert ("html", {"lang": "es"}) in reader.tags
    assert [text for text in reader.texts if ENGLISH.search(text)] == []


def test_what_operations_do_and_still_tell_is_said_in_spanish():
    spanish = Words("es")
    told = [text for one in operations().values() for text in (one.leaks, one.reversible)]
    assert [
        text for text in told if isinstance(text, Text) and text != "no" and spanish.render(text) == text
    ] == []
    light = celosia.mask_columns(
        PEOPLE,
        {"nombre": {"name": "mask-characters", "keep_last": 2}, "edad": {"name": "round", "to": 10}},
        common="sexo",
    )
    page = report_page(light.record, words=spanish)
    assert "enmascarada salvo los últimos 2 caracteres" in page
    assert "redondeada a 10" in page


@pytest.mark.parametrize("technique", ["mondrian", "local", "top-down", "two-phase"])
def test_what_a_technique_did_to_columns_is_said_in_spanish(technique):
    release = celosia.anonymize(PEOPLE, **ROLES, identifiers=["nombre"], k=2, technique=technique)
    page = report_page(release.record, words=Words("es"))
    shown = page.partition('id="done"')[2].partition("</section>")[0]
    assert 'lang="en"' not in shown


# In Python, from whatever is at hand


def test_results_explorations_and_balances_may_be_handed_over_as_they_are(release):
    found = celosia.measure_release(PEOPLE, release.table, **ROLES, measures=["k"])
    explored = celosia.explore(PEOPLE, **ROLES, k=2, models=[DIVERSE])
    page = celosia.report_release(release, measured=found, candidates=explored)
    assert {"alternatives", "annex"} <= set(sections(page))
    assert "<b>chosen</b>" in page


def test_files_may_be_named_and_a_wrong_one_is_told(record, tmp_path: Path):
    path = tmp_path / "safe.record.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert celosia.report_release(path) == report_page(record)
    with pytest.raises(ProjectError, match="does not exist"):
        celosia.report_release(tmp_path / "none.json")
    path.write_text("no JSON", encoding="utf-8")
    with pytest.raises(ProjectError, match="not JSON"):
        celosia.report_release(path)
    with pytest.raises(ProjectError, match="no language 'fr'"):
        celosia.report_release(record, language="fr")
