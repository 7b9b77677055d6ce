"""``celosia compare``: tables, charts and answers, from options or from a project."""

import json

import pytest

from celosia.sample import discharges


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    discharges(200).select("age", "sex", "severity", "outcome").write_csv(path)
    return path


def test_a_comparison_writes_tables_charts_and_answers_and_tells_what_they_say(celosia, people, tmp_path):
    out = tmp_path / "compared"
    answer = celosia(
        "compare", people, "--class", "severity", "--techniques", "cpda-noise; small = sample(share=0.5) + mdav(k=3)",
        "--models", "majority,one-rule", "--folds", "2", "--jobs", "1", "--measures", "linkage", "--out", out,
        "--other", f"same={people}", "--table-format", "arff",
    )  # fmt: skip
    assert answer.status == 0, answer.err
    assert "people: 200 rows, class 'severity', 2-fold cross-validation" in answer.out
    assert "it is a shift, not protection" in answer.out
    names = {path.name for path in out.iterdir()}
    assert {"comparison.json", "details.csv", "details.tex", "summary.md", "accuracy.html"} <= names
    assert "frontier-linkage.html" in names
    assert {path.name for path in (out / "tables").iterdir()} == {
        "cpda-noise.arff",
        "small.arff",
        "same.arff",
    }
    told = json.loads((out / "comparison.json").read_text())
    assert [one["name"] for one in told["tables"]] == [
        "original",
        "original, scaled",
        "cpda-noise",
        "small",
        "same",
    ]
    assert "exists already" in celosia("compare", people, "--techniques", "noise", "--out", out).err


def test_a_project_says_what_is_compared_and_options_take_its_place(celosia, people, tmp_path):
    project = tmp_path / "people.yaml"
    project.write_text(
        """version: 2
tables:
  people:
    source: people.csv
    targets: [severity]
    columns: {age: quasi-identifier, sex: quasi-identifier, outcome: sensitive}
compare:
  techniques: [cpda-noise, coarse = cpda-generalization(ranges=2)]
  others: {same: people.csv}
  models: [majority]
  measures: [linkage]
  folds: 5
"""
    )
    said = celosia(
        "compare", project, "--out", tmp_path / "out", "--folds", "2", "--jobs", "1", "--no-scaled", "--json",
        "--no-cache", "--seed", "4",
    ).document  # fmt: skip
    assert (said["folds"], said["seed"], said["class"]) == (2, 4, "severity")
    assert said["quasi_identifiers"] == ["age", "sex"]
    assert [one["name"] for one in said["tables"]] == ["original", "cpda-noise", "coarse", "same"]
    assert not (tmp_path / "out" / "cache").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "there is nothing to compare"),
        (["--techniques", "mdavv"], "did you mean 'mdav'?"),
        (["--techniques", "noise", "--class", "agee"], "class 'agee' does not exist"),
        (["--techniques", "noise", "--models", "majorty"], "did you mean 'majority'?"),
        (["--techniques", "noise", "--folds", "1"], "cannot be made"),
        (["--techniques", "noise", "--table-format", "xls"], "choose arff or csv"),
        (["--other", "people.csv"], "write it as in R=noisy.arff"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(celosia, people, tmp_path, options, message):
    answer = celosia("compare", people, "--out", tmp_path / "out", *options)
    assert answer.status == 2
    assert message in answer.err
    assert not (tmp_path / "out" / "comparison.json").exists()
