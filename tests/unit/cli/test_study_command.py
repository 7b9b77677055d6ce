"""``celosia study``: figures, answers and a reading, from a project."""

import json

import pytest

from celosia.sample import discharges


@pytest.fixture
def project(tmp_path):
    names = {"age": "age", "sex": "sex", "postcode": "zip", "severity": "disease", "outcome": "outcome"}
    discharges(300).select(*names).rename(names).write_csv(tmp_path / "people.csv")
    path = tmp_path / "people.yaml"
    path.write_text(
        """version: 2
technique: mondrian
tables:
  people:
    source: people.csv
    targets: [outcome]
    columns:
      age: quasi-identifier
      zip: {type: text, role: quasi-identifier}
      sex: quasi-identifier
      disease: sensitive
      outcome: common
study: {k: [2, 20], models: [majority], folds: 2}
"""
    )
    return path


def test_a_study_writes_figures_and_answers_and_tells_what_they_say(celosia, project, tmp_path):
    out = tmp_path / "study"
    answer = celosia("study", project, "--out", out, "--jobs", "1")
    assert answer.status == 0, answer.err
    assert "225 people released, 75 kept out; 2 releases" in answer.out
    names = {path.name for path in out.iterdir()}
    assert {"study.json", "study.csv", "loss.html", "accuracy-majority.html", "frontier.html"} <= names
    assert "could not be learnt" not in answer.out
    assert [one["k"] for one in json.loads((out / "study.json").read_text())["releases"]] == [2, 20]
    assert "exists already" in celosia("study", project, "--out", out).err


def test_options_take_the_place_of_what_the_project_says(celosia, project, tmp_path):
    said = celosia(
        "study", project, "--out", tmp_path / "study", "--ks", "3", "--qi-counts", "1", "--no-cache",
        "--folds", "20", "--control-share", "50%", "--jobs", "1", "--measures", "k", "--json",
    ).document  # fmt: skip
    assert (said["folds"], said["control"], len(said["releases"])) == (20, 150, 1)
    assert set(said["releases"][0]["measures"]) == {"loss", "k"}
    assert not (tmp_path / "study" / "cache").exists()
    assert "fewer than the 20 folds" in said["baseline"]["not_learnt"]["disease"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--models", "majorty"], "did you mean 'majority'?"),
        (["--qi-counts", "one"], "'one' are no numbers"),
        (["--folds", "1"], "greater than or equal to 2"),
        (["--chart-format", "pdf"], "there is no format 'pdf'"),
        (["--ks", "1"], "'1' is no value of k"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(celosia, project, tmp_path, option, message):
    answer = celosia("study", project, "--out", tmp_path / "study", *option)
    assert answer.status == 2
    assert message in answer.err
    assert not (tmp_path / "study" / "study.json").exists()
