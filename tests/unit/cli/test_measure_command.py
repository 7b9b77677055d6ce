"""``celosia measure``: two tables, or a project, in; answers as tables and JSON out."""

import json

import polars as pl
import pytest

ROLES = ["--qi", "age,sex", "--sensitive", "disease"]
RELEASED = ["--identifier", "name", "--common", "zip", "-k", "2"]


@pytest.fixture
def released(celosia, people, safe, tmp_path):
    """A release, and the project that made it."""
    project = tmp_path / "people.yaml"
    answer = celosia(
        "anonymize", people, *ROLES, *RELEASED, "--out", safe, "--save-project", project, "--seed", "1"
    )
    assert answer.status == 0, answer.err
    return safe, project


def test_risks_are_told_before_and_after(celosia, people, released):
    answer = celosia("measure", people, released[0], *ROLES, "--measures", "uniques", "--json")
    document = answer.document["measures"]["uniques"]
    assert (document["answers"][0]["value"], document["before"][0]["value"]) == (0, 8)
    assert document["better"] == "lower"
    line = next(
        line
        for line in celosia("measure", people, released[0], *ROLES, "--measures", "uniques").out.splitlines()
        if line.split()[:1] == ["uniques"]
    )
    assert line.split()[1:3] == ["0", "8"]


def test_a_project_says_where_both_tables_are_and_what_their_columns_are(celosia, released):
    said = celosia("measure", "--project", released[1], "--measures", "uniques", "--json")
    assert said.document["measures"]["uniques"]["answers"][0]["value"] == 0


def test_the_record_of_a_release_will_do_for_a_project(celosia, released):
    record = released[0].with_suffix(".record.json")
    said = celosia("measure", "--project", record, "--measures", "uniques", "--json")
    assert said.document["measures"]["uniques"]["before"][0]["value"] == 8


def test_answers_are_written_to_a_file_and_never_over_another(celosia, people, released, tmp_path):
    out = tmp_path / "answers.json"
    asked = ["measure", people, released[0], *ROLES, "--measures", "uniques", "--out", out]
    assert celosia(*asked).status == 0
    assert json.loads(out.read_text())["measures"]["uniques"]["answers"][0]["value"] == 0
    assert "exists already" in celosia(*asked).err
    assert celosia(*asked, "--overwrite").status == 0


def test_what_cannot_be_computed_is_said_with_its_reason_and_the_rest_is_computed(celosia, people, released):
    told = celosia("measure", people, released[0], "--sensitive", "disease", "--measures", "uniques")
    assert told.status == 0
    assert "What could not be computed" in told.out
    assert "uniques: the release shows no quasi-identifier" in told.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["people.csv"], "two tables are needed: the original and its release"),
        (["people.csv", "safe.csv", "--measures", "uniqes"], "did you mean 'uniques'?"),
        (["people.csv", "safe.csv", "--population-fraction", "2", "--qi", "age"], "'2' is not a share"),
        (["people.csv", "safe.csv", "--rules", "hippa", "--qi", "age"], "did you mean 'hipaa'?"),
        (["people.csv", "safe.csv", "--language", "de", "--qi", "age"], "there is no language 'de'"),
        (["people.csv", "safe.csv", "--charts", "c", "--chart-format", "pdf"], "there is no format 'pdf'"),
        (["people.csv", "safe.csv", "--knows", "age=old", "--qi", "age"], "'old' is no number"),
        (["--project", "people.yaml", "--qi", "age"], "the project says what columns are"),
        (["people.csv", "other.csv", "--qi", "age"], "other.csv has no column of people.csv"),
        (["people.csv", "gone.csv", "--qi", "age"], "gone.csv"),
    ],
)
def test_mistakes_are_one_sentence(celosia, released, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "other.csv").write_text("x\n1\n")
    answer = celosia("measure", *arguments)
    assert answer.status == 2
    assert message in answer.err
    assert answer.err.startswith("error: ")


def test_all_measures_are_listed_with_range_and_direction(celosia):
    listed = {(one["name"], one["for"]): one for one in celosia("measures", "--json").document}
    assert ("loss", "search") in listed
    assert ("loss", "utility") in listed
    assert listed["uniques", "risk"]["better"] == "lower"
    assert "uniques" in celosia("measures").out


def test_rules_are_told_in_either_language_with_their_notice(celosia, people, released):
    asked = ["measure", people, released[0], *ROLES, "--measures", "k,uniques", "--rules", "gdpr"]
    english, spanish = celosia(*asked).out, celosia(*asked, "--language", "es").out
    assert "This is not legal advice" in english
    assert "Esto no es asesoramiento jurídico" in spanish
    document = celosia(*asked, "--json").document
    assert [one["name"] for one in document["rules"]] == ["gdpr"]


def test_charts_are_drawn_and_the_risk_of_every_row_is_written_for_its_keeper(
    celosia, people, released, tmp_path
):
    charts, rows = tmp_path / "charts", tmp_path / "rows.csv"
    asked = ["measure", people, released[0], *ROLES, "--measures", "prosecutor-mean,variation"]
    answer = celosia(*asked, "--charts", charts, "--row-risks", rows)
    assert answer.status == 0, answer.err
    assert {"risk.html", "histogram-age.html"} <= {path.name for path in charts.iterdir()}
    written = pl.read_csv(rows)
    assert written["row_risk"].to_list() == [1 / size for size in written["class_rows"]]
    assert rows.stat().st_mode & 0o077 == 0


def test_what_a_number_cannot_be_read_without_is_said_below_it(celosia, people, released):
    answer = celosia("measure", people, released[0], *ROLES, "--measures", "inference")
    assert "inference: no control group was given" in " ".join(answer.out.split())
