"""The record of processing: what laws ask for, answered from the project and its ledger."""

import csv
import io
import json
from pathlib import Path

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.ledger.foreign import import_release
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.ledger.processing import ProcessingRecord, record_of_processing
from celosia.ledger.processing_page import spell_processing
from celosia.mask.keys import SecretKey
from celosia.project import Project, make_project
from celosia.tables import open_table


@pytest.fixture
def project() -> Project:
    return make_project(
        name="clinic",
        owner="Hospital",
        purpose="research",
        processing={"officer": "Eva <eva@hospital.example>", "transfers": "none"},
        models=[{"model": "k-anonymity", "k": 5}],
        tables={
            "stays": {
                "source": "stays.csv",
                "columns": {"name": "identifier", "age": "quasi-identifier", "disease": "sensitive"},
            }
        },
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    book = open_ledger(tmp_path / "clinic.ledger", key=SecretKey(bytes(range(32))), project="clinic")
    table = open_table(pl.DataFrame({"age": ["30s"] * 5}))
    import_release(book, table, path=None, roles={"age": "quasi-identifier"}, recipient="university")
    return book


def answers(found: ProcessingRecord) -> dict[str, tuple[str, ...]]:
    return {
        f"{item.article} {item.name}": item.answer for section in found.sections for item in section.items
    }


def test_every_letter_of_article_30_is_there(project: Project, ledger: Ledger) -> None:
    [gdpr, *_] = record_of_processing(project, ledger).sections
    assert {item.article for item in gdpr.items} == {f"30(1)({letter})" for letter in "abcdefg"}


def test_answers_come_from_the_project_and_the_ledger(project: Project, ledger: Ledger) -> None:
    found = answers(record_of_processing(project, ledger))
    assert found["30(1)(a) controller"] == ("Hospital",)
    assert found["30(1)(b) purposes"] == ("research",)
    assert "sensitive columns: disease" in found["30(1)(c) categories of personal data"]
    assert found["30(1)(d) recipients"][0].startswith("university: one release, on 20")
    assert "stays: k-anonymity (k=5)" in found["30(1)(g) security measures"]


def test_what_nobody_said_is_named_as_lacking(project: Project, ledger: Ledger) -> None:
    found = record_of_processing(project, ledger)
    lacking = [item.name for item in found.sections[0].items if item.is_lacking]
    assert lacking == ["representative and joint controllers", "categories of people", "when data are erased"]
    assert "to be filled in" in spell_processing(found, Path("record.html"))


def test_the_annex_has_the_evidence_of_every_release(project: Project, ledger: Ledger) -> None:
    annex = record_of_processing(project, ledger, annex=True).sections[-1]
    risks = next(item for item in annex.items if item.name.startswith("risks of every release"))
    assert risks.answer[0].startswith("release 2 (")
    assert "5 rows, k 5" in risks.answer[0]


def test_the_page_speaks_spanish_and_quotes_nothing_as_code(project: Project, ledger: Ledger) -> None:
    page = spell_processing(record_of_processing(project, ledger, language="es", annex=True), Path("r.html"))
    assert '<html lang="es">' in page
    assert "Registro de actividades de tratamiento" in page
    assert "Eva &lt;eva@hospital.example&gt;" in page
    assert "http://" not in page
    assert "https://" not in page


def test_tables_and_documents_say_the_same(project: Project, ledger: Ledger) -> None:
    found = record_of_processing(project, ledger)
    rows = list(csv.reader(io.StringIO(spell_processing(found, Path("r.csv")))))
    document = json.loads(spell_processing(found, Path("r.json")))
    assert len(rows) - 1 == sum(len(section["items"]) for section in document["sections"])
    assert rows[0] == ["law", "article", "asked", "answer"]


def test_a_project_without_a_ledger_has_a_record_too(project: Project) -> None:
    found = answers(record_of_processing(project))
    assert found["30(1)(d) recipients"] == ()


def test_other_files_are_told(project: Project) -> None:
    with pytest.raises(ProjectError, match=r"is no \.docx"):
        spell_processing(record_of_processing(project), Path("record.docx"))
