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
        "compare", people, "--class", "severity", "--techniques", "cpda-noise, small = sample(share=0.5) + mdav(k=3)",
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
        (["--other", "R=a.csv", "--other", "R=b.csv"], "two tables are called 'R'"),
        (["--techniques", "noise", "--of", "people"], "has no other beside it"),
        (["--techniques", "noise", "--show-rows", "1-2"], "rows are shown by --look"),
        (["--techniques", "noise", "--jobs", "0"], "0 cores cannot be used"),
        (["--techniques", "noise", "--seed", "-1"], "-1 is no seed"),
        (["--look", "--show-rows", "9-2"], "write them as in 101-120"),
    ],
)
def test_mistakes_are_one_sentence_and_nothing_is_written(celosia, people, tmp_path, options, message):
    answer = celosia("compare", people, "--out", tmp_path / "out", *options)
    assert answer.status == 2
    assert message in answer.err
    assert not (tmp_path / "out" / "comparison.json").exists()


def test_what_a_project_hides_is_in_no_table_that_is_written(celosia, people, tmp_path):
    project = tmp_path / "people.yaml"
    project.write_text(
        """version: 2
tables:
  people:
    source: people.csv
    targets: [severity]
    columns: {age: identifier, sex: quasi-identifier, outcome: {operation: suppress}}
compare: {techniques: ["pram"], models: [majority], measures: [], folds: 2}
"""
    )
    answer = celosia(
        "compare", project, "--out", tmp_path / "out", "--jobs", "1", "--table-format", "csv", "--no-scaled"
    )
    assert answer.status == 0, answer.err
    assert (tmp_path / "out" / "tables" / "pram.csv").read_text().startswith("sex,severity\n")
    refused = celosia("compare", project, "--out", tmp_path / "out", "--separator", ";")
    assert "the project says what its table is" in refused.err


def test_a_table_is_looked_at_without_comparing_anything(celosia, people, tmp_path):
    answer = celosia("compare", people, "--class", "sex", "--look", "--show-rows", "199-210")
    assert answer.status == 0, answer.err
    assert "people: 200 rows, 4 columns, class 'sex'" in answer.out
    assert "severity in every class" in answer.out
    assert "rows 199 to 200 of 200" in answer.out
    told = celosia("compare", people, "--look", "--json").document
    assert [one["name"] for one in told["columns"]] == ["age", "sex", "severity", "outcome"]
    assert len(told["rows"]["rows"]) == 10
    assert "name a folder" in celosia("compare", people, "--techniques", "noise").err


def test_tables_are_read_as_options_say_also_from_a_database(celosia, people, tmp_path):
    import sqlite3

    lines = [line.split(",") for line in people.read_text().splitlines()]
    headless = tmp_path / "people.data"
    headless.write_text("".join(";".join(line) + "\n" for line in lines[1:]))
    answer = celosia("compare", headless, "--no-header", "--separator", ";", "--look")
    assert "people: 200 rows, 4 columns, class 'column_4'" in answer.out
    with sqlite3.connect(tmp_path / "clinic.db") as clinic:
        clinic.execute("create table people (age integer, sex text, severity text, outcome text)")
        clinic.executemany("insert into people values (?, ?, ?, ?)", lines[1:])
    clinic.close()
    answer = celosia(
        "compare", f"sqlite:///{tmp_path}/clinic.db", "--table", "people", "--class", "severity", "--techniques",
        "noise", "--models", "majority", "--folds", "2", "--jobs", "1", "--measures", "k", "--out", tmp_path / "out",
    )  # fmt: skip
    assert answer.status == 0, answer.err
    assert "200 rows, class 'severity'" in answer.out
