"""``convert`` and ``diff``: projects from elsewhere, and what two projects have not in common."""

import json

import pytest

JOB = {
    "attributes_to_remove": ["name"],
    "sensitive_attributes": ["disease"],
    "categorical_attributes": ["sex"],
    "continous_attributes": ["age"],
    "dataset_missing_values": False,
    "save_anonymization_result": True,
    "result_file_name": "safe",
    "file_path": "people.csv",
    "k": 2,
}
TREES = {"sex": {"value": "*", "children": [{"value": "f"}, {"value": "m"}]}}


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.json"
    path.write_text(json.dumps(JOB))
    return path


@pytest.fixture
def trees(tmp_path):
    path = tmp_path / "trees.json"
    path.write_text(json.dumps(TREES))
    return path


def test_convert_shows_the_project_and_tells_the_person_apart_from_it(celosia, job, trees):
    answer = celosia("convert", job, "--trees", trees)
    assert answer.status == 0
    assert answer.out.startswith("version: 2\nhierarchies:\n  sex:\n")
    assert "note: result_file_name: " in answer.err
    assert "note" not in answer.out


def test_convert_writes_a_file_and_never_over_another(celosia, job, trees, tmp_path):
    out = tmp_path / "project.yaml"
    assert celosia("convert", job, "--trees", trees, "--out", out).status == 0
    before = out.read_text()
    assert before.startswith("version: 2\n")
    again = celosia("convert", job, "--out", out)
    assert again.status == 2
    assert "exists already" in again.err
    assert out.read_text() == before
    assert celosia("convert", job, "--out", out, "--overwrite").status == 0
    assert out.read_text() != before


def test_convert_answers_programs_in_json(celosia, job, trees):
    document = celosia("convert", job, "--trees", trees, "--json").document
    assert (document["system"], document["file"]) == ("SparkTPTDS", None)
    assert document["project"]["models"] == [{"model": "k-anonymity", "k": 2}]
    assert document["notes"]


def test_convert_says_what_it_cannot_read(celosia, people):
    answer = celosia("convert", people)
    assert answer.status == 2
    assert "no project" in answer.err
    assert "Traceback" not in answer.err


def test_what_is_converted_is_a_project(celosia, job, trees, tmp_path):
    out = tmp_path / "project.yaml"
    celosia("convert", job, "--trees", trees, "--out", out)
    assert celosia("diff", out, out).status == 0


@pytest.fixture
def projects(tmp_path):
    a, b = tmp_path / "a.yaml", tmp_path / "b.json"
    columns = {"age": "quasi-identifier", "sex": {"role": "quasi-identifier"}}
    a.write_text(
        "version: 2\nseed: 7\ntables: {people: {source: people.csv, columns: {age: quasi-identifier, "
        "sex: quasi-identifier}}}\nmodels: [{model: k-anonymity, k: 5}]\n"
    )
    b.write_text(
        json.dumps(
            {
                "tables": {"people": {"source": {"path": "people.csv"}, "columns": columns}},
                "models": [{"k": 5, "model": "k-anonymity"}],
                "seed": 7,
                "version": 2,
            }
        )
    )
    return a, b


def test_diff_does_not_care_how_a_project_is_written(celosia, projects):
    answer = celosia("diff", *projects)
    assert (answer.status, answer.err) == (0, "")
    assert "say the same" in answer.out


def test_diff_tells_what_differs_and_ends_with_1(celosia, projects):
    a, b = projects
    b.write_text(b.read_text().replace('"k": 5', '"k": 10').replace('"seed": 7', '"suppression": 0.05'))
    answer = celosia("diff", a, b)
    assert answer.status == 1
    assert [line.strip() for line in answer.out.splitlines()[1:]] == [
        "~ model k-anonymity, k: 5 became 10",
        "+ suppression: added, 0.05",
        "- seed: removed, 7",
    ]
    document = celosia("diff", a, b, "--json").document
    assert [change["change"] for change in document] == ["changed", "added", "removed"]
    assert document[0]["field"] == ["models", "k-anonymity", "k"]


def test_diff_of_what_is_no_project_ends_with_2(celosia, projects, people):
    answer = celosia("diff", projects[0], people)
    assert answer.status == 2
    assert "no project" in answer.err
