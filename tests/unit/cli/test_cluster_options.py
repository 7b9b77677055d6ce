"""What the command line says of clusters: options, mistakes, projects; none of it needs Java."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from celosia.cli import completion
from celosia.cli.cluster import parse_settings, with_session_options
from celosia.cli.drafting import find_places
from celosia.cli.options import ClusterOptions, FileOptions, SourceOptions, SparkOptions, typed
from celosia.cli.projects import default_record, with_records, with_sources
from celosia.cli.questions import Questions
from celosia.project import make_project
from celosia.tables.spark import progress as spark_progress
from celosia.tables.spark import session
from celosia.tables.spark.progress import jobs_shown

ASKED = ["--qi", "age,sex", "--common", "name", "-k", "2"]
MISTAKES = {
    "a master for a file": (
        ["people.csv", *ASKED, "--master", "local[2]", "--out", "safe.csv"],
        ["--master is for tables that Spark reads", "--engine spark"],
    ),
    "a setting for a file": (
        ["people.csv", *ASKED, "--spark-config", "spark.executor.memory=2g", "--out", "safe.csv"],
        ["--spark-config is for tables that Spark reads"],
    ),
    "another engine": (
        ["people.csv", *ASKED, "--engine", "hadoop", "--out", "safe.csv"],
        ["--engine: there is no engine 'hadoop'", "spark"],
    ),
    "a setting without a value": (
        ["hive:people", *ASKED, "--spark-config", "spark.executor.memory", "--out", "hive:safe"],
        ["--spark-config", "spark.executor.memory=2g"],
    ),
    "a setting of something else": (
        ["hive:people", *ASKED, "--spark-config", "memory=2g", "--out", "hive:safe"],
        ["'memory' is not a setting of Spark"],
    ),
    "a secret in a setting": (
        ["hive:people", *ASKED, "--spark-config", "spark.hadoop.fs.s3a.secret.key=HIDDEN", "--out", "hive:safe"],
        ["spark.hadoop.fs.s3a.secret.key would hold a secret", "where Spark is set up"],
    ),
    "a session of another kind": (
        ["hive:people", *ASKED, "--master", "sc://host", "--out", "hive:safe"],
        ["sessions of Spark Connect cannot be used", "local[*]"],
    ),
    "a file that is to go to a cluster": (
        ["people.csv", *ASKED, "--out", "hdfs:///safe.csv"],
        ["hdfs:///safe.csv: only what Spark reads goes to a cluster", "--engine spark"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_about_clusters_is_one_sentence(celosia, people, monkeypatch, mistake):
    monkeypatch.chdir(people.parent)
    arguments, words = MISTAKES[mistake]
    answer = celosia("anonymize", *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert len(answer.err.strip().splitlines()) == 1
    for word in words:
        assert word in answer.err
    assert "HIDDEN" not in answer.err
    assert os.listdir(people.parent) == ["people.csv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["profile", "hdfs:///people.parquet"],
        ["anonymize", "people.csv", "--engine", "spark", *ASKED, "--out", "safe.csv"],
        ["verify", "hive:people", "--qi", "age", "-k", "2"],
        ["hierarchy", "propose", "file:///people.parquet"],
        ["new", "hive:people", "--yes"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_without_spark_there_is_a_remedy(celosia, people, monkeypatch, arguments):
    monkeypatch.chdir(people.parent)
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    answer = celosia(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err == 'error: Spark is not installed; install it: pip install "celosia[spark]"\n'


@pytest.fixture(params=["none", "empty folder", "too old", "broken"])
def java(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[dict[str, str], str]:
    """Settings under which Spark finds no Java that it can use, and what is said of it."""
    programs = tmp_path / "home" / "bin"
    programs.mkdir(parents=True)
    home = {"JAVA_HOME": str(programs.parent)}
    if request.param == "none":
        for name in ("bash", "sh", "dirname", "basename", "env", "uname", "which", "cat", "ps"):
            found = next(
                (Path(folder, name) for folder in ("/bin", "/usr/bin") if Path(folder, name).exists()), None
            )
            if found is not None:
                (programs / name).symlink_to(found)
        return {"PATH": str(programs), "JAVA_HOME": ""}, "Spark needs Java, and there is none"
    if request.param == "empty folder":
        return home, "Spark needs Java, and there is none"
    says = "echo 'openjdk version \"1.8.0_392\"' >&2; exit 1" if request.param == "too old" else "exit 1"
    (programs / "java").write_text(f"#!/bin/sh\n{says}\n")
    (programs / "java").chmod(0o755)
    return (
        home,
        "this is Java 8, too old for Spark" if request.param == "too old" else "this is none that runs",
    )


def test_without_a_java_that_runs_there_is_a_remedy(java, tmp_path):
    settings, sentence = java
    answer = in_a_process(["profile", "file:///people.parquet"], tmp_path, settings)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert sentence in answer.stderr
    assert answer.stderr.strip().endswith(
        "install Java 17 or newer, and set JAVA_HOME to its folder if it is not in the path"
    )
    assert len(answer.stderr.strip().splitlines()) == 1


def test_a_master_that_does_not_answer_is_told(tmp_path):
    answer = in_a_process(["profile", "hive:people", "--master", "spark://127.0.0.1:1"], tmp_path, {})
    assert answer.returncode == 2
    assert answer.stderr.startswith("error: spark://127.0.0.1:1: the master of the cluster does not answer;")


def in_a_process(
    arguments: list[str], folder: Path, settings: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "celosia", *arguments],
        cwd=folder,
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_cluster_is_not_what_a_database_is_filled_from(celosia, tmp_path):
    answer = celosia(
        "import", "hdfs:///people.csv", "--out", f"sqlite:///{tmp_path}/a.db", "--out-table", "people"
    )
    assert (answer.status, answer.err.startswith("error: import: this is no file")) == (2, True)


def test_options_of_a_session_override_what_a_project_says():
    project = make_project(
        tables={"people": {"source": "hive:people"}},
        spark={"master": "yarn", "config": {"spark.executor.memory": "1g", "spark.executor.cores": "2"}},
    )
    changed = with_session_options(project, SparkOptions("local[2]", ["spark.executor.memory=4g"])).spark
    assert changed.settings == {
        "spark.master": "local[2]",
        "spark.executor.memory": "4g",
        "spark.executor.cores": "2",
    }
    assert with_session_options(project, SparkOptions()).spark == project.spark


def test_the_same_options_can_be_typed_again():
    given = ClusterOptions("local[2]", ["spark.executor.memory=2g", "spark.a=b=c"], "spark")
    words = ["--master", "local[2]", "--spark-config", "spark.executor.memory=2g"]
    assert typed(given) == [*words, "--spark-config", "spark.a=b=c", "--engine", "spark"]
    assert parse_settings(given, has_spark=True)["spark.a"] == "b=c"


def test_a_table_of_hive_has_its_record_here(tmp_path):
    project = make_project(tables={"visits": {"source": "hive:a.visits", "destination": "hive:a.safe"}})
    assert with_records(project, tmp_path).plan().destination.record == str(tmp_path / "visits.record.json")
    assert default_record("hive:clinic.safe") == Path("safe.record.json")


@pytest.mark.parametrize(
    ("place", "engine", "where"),
    [
        ("hdfs:///people_2026.parquet", "spark", "age > 17"),
        ("people_2026.csv", "spark", "age > 17"),
        ("sqlite:///people.db", None, None),
    ],
)
def test_another_source_is_read_as_the_first_was_unless_it_is_a_database(place, engine, where):
    source = {"path": "hive:people", "engine": "spark", "where": "age > 17"}
    project = make_project(tables={"people": {"source": source}})
    moved = with_sources(project, SourceOptions(sources=[place])).plan().source
    assert (moved.path, moved.engine, moved.where) == (place, engine, where)


def test_tables_on_a_cluster_get_names_of_their_own_in_a_new_project():
    sources = ["hdfs://host:8020/clinic/people.parquet", "hive:clinic.people", "file:///visits.csv/"]
    places = find_places(sources, [], FileOptions(), Questions(yes=True), ClusterOptions(master="yarn"))
    assert [place.name for place in places] == ["people", "people_2", "visits"]
    assert {place.asked.settings["spark.master"] for place in places} == {"yarn"}


def test_the_tabulator_offers_engines_and_formats():
    assert completion.engines("s") == ["spark"]
    assert completion.formats("o") == ["ods", "orc"]
    assert completion.formats("p") == ["parquet"]


def test_the_tasks_of_spark_are_shown_with_what_is_being_done(monkeypatch):
    seen: list[tuple[str, float]] = []
    looked = iter([(0, 0), (3, 12), RuntimeError("the session has ended"), (1_200, 1_200)])

    def tasks() -> tuple[int, int]:
        found = next(looked, (0, 0)) if seen else (0, 0)
        if isinstance(found, RuntimeError):
            raise found
        return found

    monkeypatch.setattr(spark_progress, "_tasks", tasks)
    with jobs_shown(lambda stage, share: seen.append((stage, share)), every=0.001) as report:
        report("counting", 0.0)
        while len(seen) < 3:
            pass
    assert seen == [
        ("counting", 0.0),
        ("counting (Spark: 3 of 12 tasks)", 0.25),
        ("counting (Spark: 1,200 of 1,200 tasks)", 1.0),
    ]
