"""From a project to what is measured: everything that it says reaches the measures."""

from pathlib import Path

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.measure.attacks import Knowledge
from celosia.measuring import opened_subject
from celosia.project import load_project

PEOPLE = "id,age,zip,job\n1,31,08001,cook\n2,38,08002,nurse\n3,47,28001,cook\n4,49,28002,nurse\n"
RELEASE = "id;age;zip;job\n1;[30-39];08***;cook\n2;[30-39];08***;nurse\n3;[40-49];28***;cook\n4;[40-49];28***;nurse\n"
PROJECT = """version: 2
connections: {clinic: "sqlite:///clinic.db"}
tables:
  people:
    source: data/people.csv
    destination: {path: data/safe.csv, separator: ";"}
    targets: [job]
    key: id
    population: data/everybody.csv
    control: {path: data/others.csv}
    attacker:
      knows: {age: {within: 2}, zip: exactly}
      source: data/known.csv
      people: 7
      sides: [[age], [zip]]
    columns:
      age: quasi-identifier
      zip: {type: text, role: quasi-identifier}
      job: sensitive
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "projects" / "data"
    folder.mkdir(parents=True)
    for name in ("people", "everybody", "others", "known"):
        (folder / f"{name}.csv").write_text(PEOPLE)
    (folder / "safe.csv").write_text(RELEASE)
    path = tmp_path / "projects" / "people.yaml"
    path.write_text(PROJECT)
    monkeypatch.chdir(tmp_path)
    return path


def test_all_that_a_project_says_of_a_release_reaches_its_measures(project):
    with opened_subject(load_project(project), threshold=3) as subject:
        assert subject.release.columns() == ("id", "age", "zip", "job")
        assert subject.quasi_identifiers == ("age", "zip")
        assert (subject.sensitive, subject.targets, subject.key) == (("job",), ("job",), "id")
        assert subject.attacker.knows == {"age": Knowledge(within=2.0), "zip": Knowledge()}
        assert (subject.attacker.people, subject.attacker.sides) == (7, (("age",), ("zip",)))
        for table in (subject.population.table, subject.control, subject.attacker.table):
            assert table.count_by(["zip"]).values[0].sort().to_list() == ["08001", "08002", "28001", "28002"]
        assert subject.decoded("age").leaves.tolist() == [2, 2]
        assert subject.threshold == 3


def test_another_release_takes_the_place_of_that_of_the_project(project):
    other = pl.DataFrame({"age": ["*", "*"], "job": ["cook", "nurse"]})
    with opened_subject(load_project(project), release=other) as subject:
        assert subject.classes.counts.tolist() == [2]


def test_labels_of_proposed_hierarchies_are_understood(project):
    with opened_subject(load_project(project)) as subject:
        assert "0800*" in {label for labels in subject.hierarchies["zip"].labels for label in labels}


def test_a_project_without_a_release_says_what_is_missing(project):
    project.write_text(PROJECT.replace('    destination: {path: data/safe.csv, separator: ";"}\n', ""))
    with (
        pytest.raises(ProjectError, match="there is no release to measure"),
        opened_subject(load_project(project)),
    ):
        pass


def test_connections_of_a_project_serve_all_its_sources(project):
    text = PROJECT.replace("control: {path: data/others.csv}", "control: {connection: clinic, table: others}")
    project.write_text(text)
    assert load_project(project).plan().control.path == "sqlite:///clinic.db"
    project.write_text(text.replace("connection: clinic", "connection: clinc"))
    with pytest.raises(ProjectError, match="'clinc', which is not under connections"):
        load_project(project)
