"""``celosia report``: a page for somebody to sign."""

import pytest


@pytest.fixture
def record(celosia, people, safe):
    answer = celosia(
        "anonymize", people, "--qi", "age,sex", "--sensitive", "disease", "--identifier", "name",
        "--common", "zip", "-k", "2", "--out", safe,
    )  # fmt: skip
    assert answer.status == 0, answer.err
    return safe.with_name("safe.record.json")


def test_the_record_of_a_release_becomes_a_page(celosia, record, tmp_path):
    page = tmp_path / "report.html"
    answer = celosia("report", record, "--out", page)
    assert answer.status == 0, answer.err
    assert str(page) in answer.out
    assert page.stat().st_mode & 0o077 == 0
    assert "protected" in page.read_text(encoding="utf-8")


def test_what_commands_wrote_adds_to_it(celosia, people, safe, record, tmp_path):
    answers, candidates = tmp_path / "answers.json", tmp_path / "candidates.json"
    celosia(
        "measure",
        people,
        safe,
        "--project",
        record,
        "--measures",
        "k,linkage",
        "--rules",
        "gdpr",
        "--out",
        answers,
    )
    explored = celosia("explore", people, "--qi", "age,sex", "-k", "2", "--json")
    candidates.write_text(explored.out, encoding="utf-8")
    balance = tmp_path / "balance.json"
    balance.write_text(celosia("balance", people, "--qi", "age,sex", "--json").out, encoding="utf-8")
    page = tmp_path / "informe.html"
    answer = celosia(
        "report", record, "--measured", answers, "--candidates", candidates, "--balance", balance,
        "--language", "es", "--out", page, "--json",
    )  # fmt: skip
    assert answer.status == 0, answer.err
    assert answer.document == {"report": str(page), "language": "es"}
    told = page.read_text(encoding="utf-8")
    assert all(
        title in told for title in ("Qué alternativas había", "Qué piden las normas", "Lo que pierde cada k")
    )


def test_a_file_that_is_there_is_not_replaced_unless_asked(celosia, record, tmp_path):
    page = tmp_path / "report.html"
    page.write_text("mine", encoding="utf-8")
    assert celosia("report", record, "--out", page).status == 2
    assert page.read_text(encoding="utf-8") == "mine"
    assert celosia("report", record, "--out", page, "--overwrite").status == 0


def test_something_else_than_a_record_is_told_in_a_sentence(celosia, people, tmp_path):
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    answer = celosia("report", other, "--out", tmp_path / "report.html")
    assert answer.status == 2
    assert "this is not the record of a release" in answer.err
    assert "is not JSON" in celosia("report", people, "--out", tmp_path / "report.html").err
