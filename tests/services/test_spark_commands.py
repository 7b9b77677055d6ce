"""The command line on tables of Spark: releases, the other commands, mistakes, and Ctrl-C in the middle of a job."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from spark_parts import QUICK_JAVA, descendants

from celosia.cli.start import start
from celosia.project import load_project

ROWS = 600
ROLES = ["--qi", "age,sex,zip", "--sensitive", "disease", "--identifier", "name"]
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def celosia(spark: Any, capfd: pytest.CaptureFixture[str]) -> Call:
    """The command line in the session of the tests: its status, and what it prints."""

    # The JVM does not follow when a test goes to another folder: what Spark is to read there is named in full.
    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        status = start([str(argument).replace("HERE", os.getcwd()) for argument in arguments])
        return (status, *capfd.readouterr())

    return call


def make_people(rows: int = ROWS) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "name": [f"P{i}" for i in range(rows)],
            "age": [20 + i * 7 % 40 for i in range(rows)],
            "sex": ["fm"[i * 3 % 2] for i in range(rows)],
            "zip": [f"28{i * 11 % 20:03}" for i in range(rows)],
            "disease": [("flu", "cold", "asthma")[i % 3] for i in range(rows)],
        }
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where commands run, with the people in a file."""
    make_people().write_parquet(tmp_path / "people.parquet")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def clinic(spark: Any, folder: Path) -> None:
    """The people in a table of Hive, in a database that is there for one test."""
    spark.sql("CREATE DATABASE clinic")
    spark.read.parquet(str(folder / "people.parquet")).write.saveAsTable("clinic.people")
    yield  # type: ignore[misc]
    spark.sql("DROP DATABASE clinic CASCADE")


def test_a_release_by_two_phases_from_file_to_file_and_again_by_its_project(
    celosia: Call, folder: Path
) -> None:
    two_phase = ["--technique", "two-phase", "--partitions", "3", "--k-partition", "10", "--seed", "1"]
    place = ["--engine", "spark", "--master", "local[2]", "--spark-config", "spark.sql.shuffle.partitions=2"]
    out = f"file://{folder}/safe.parquet"
    status, printed, said = celosia(
        "anonymize", "HERE/people.parquet", *ROLES, "-k", "5", *two_phase, *place,
        "--out", out, "--save-project", "project.yaml",
    )  # fmt: skip
    assert status == 0, said
    assert said == ""
    assert f"release  {out}" in printed
    assert f"record   file://{folder}/safe.record.json" in printed
    released = pl.read_parquet(folder / "safe.parquet" / "*.parquet")
    assert (released.height, "name" in released.columns) == (ROWS, False)
    assert released.group_by("age", "sex", "zip").len()["len"].min() >= 5
    record = json.loads((folder / "safe.record.json").read_text())
    assert (record["technique"]["name"], len(record["partitions"])) == ("two-phase", 3)

    project = load_project(folder / "project.yaml")
    assert project.plan().source.engine == "spark"
    assert project.spark.settings == {"spark.master": "local[2]", "spark.sql.shuffle.partitions": "2"}
    assert celosia("run", "project.yaml")[0] == 2  # what is there is not replaced unasked
    assert celosia("run", "project.yaml", "--overwrite", "--master", "local[2]")[0] == 0
    status, _, said = celosia("run", "project.yaml", "--overwrite", "--master", "local[7]")
    assert (status, "has spark.master local[2], and local[7] is asked for" in said) == (2, True)
    status, printed, _ = celosia("check", "project.yaml", "--spark-config", "spark.sql.shuffle.partitions=2")
    assert (status, "nothing was found that would stop it" in printed) == (0, True)

    status, printed, _ = celosia("verify", out, *ROLES[:4], "-k", "5")
    assert (status, "kept: k-anonymity" in printed) == (0, True)
    assert sorted(os.listdir(folder)) == [
        "people.parquet", "project.yaml", "safe.parquet", "safe.record.json",
    ]  # fmt: skip


def test_a_release_from_hive_to_hive_with_its_record(
    celosia: Call, clinic: None, folder: Path, spark: Any
) -> None:
    arguments = ["anonymize", "hive:clinic.people", *ROLES, "-k", "5", "--out", "hive:clinic.safe"]
    status, printed, said = celosia(*arguments, "--record", "evidence.json")
    assert status == 0, said
    assert said == ""
    assert "release  hive:clinic.safe" in printed
    assert "record   evidence.json" in printed
    assert spark.table("clinic.safe").count() == ROWS
    assert json.loads((folder / "evidence.json").read_text())["destination"]["path"] == "hive:clinic.safe"

    status, _, said = celosia(*arguments)
    assert (status, "the table hive:clinic.safe exists already" in said) == (2, True)
    assert celosia(*arguments, "--overwrite")[0] == 0
    assert (folder / "safe.record.json").exists()
    assert sorted(row.tableName for row in spark.sql("SHOW TABLES IN clinic").collect()) == ["people", "safe"]


def test_the_commands_that_only_look_work_on_a_cluster(celosia: Call, folder: Path) -> None:
    spark = ["--engine", "spark"]
    status, printed, _ = celosia("profile", "HERE/people.parquet", *spark)
    assert status == 0
    declared = "--qi age,sex,zip --sensitive disease --identifier name"
    assert f"celosia balance {folder}/people.parquet {declared} -l disease=2 --engine spark" in printed
    status, printed, _ = celosia("explore", "HERE/people.parquet", *spark, *ROLES, "-k", "5", "--json")
    assert (status, json.loads(printed)["valid"] > 0) == (0, True)
    status, printed, _ = celosia("balance", "HERE/people.parquet", *spark, *ROLES, "--ks", "2,5")
    assert (status, "--engine spark" in printed) == (0, True)
    status, printed, _ = celosia(
        "hierarchy", "propose", "HERE/people.parquet", *spark, "--column", "age,zip", "--out", "."
    )
    assert (status, "zip" in printed) == (0, True)
    status, printed, _ = celosia(
        "hierarchy", "check", "HERE/people.parquet", *spark, "--hierarchy", "age=age.csv"
    )
    assert (status, "fits" in printed) == (0, True)


def test_a_new_project_of_a_table_on_a_cluster_runs(
    celosia: Call, clinic: None, folder: Path, spark: Any
) -> None:
    assert celosia("new", f"file://{folder}/people.parquet", "--yes", "--out", "other.yaml")[0] == 0
    other = load_project(folder / "other.yaml")
    assert other.plan("people").destination.path == f"file://{folder}/people_safe.parquet"
    status, _, said = celosia("new", "hive:clinic.people", "--yes", "--master", "local[2]")
    assert status == 0, said
    assert load_project(folder / "project.yaml").spark.master == "local[2]"
    status, _, said = celosia("run", "project.yaml")
    assert status == 0, said
    assert spark.table("clinic.people_safe").count() == ROWS
    assert (folder / "people.record.json").exists()


BASIC = ["HERE/people.parquet", *ROLES, "-k", "5", "--engine", "spark"]
TO = ["--out", "HERE/safe.parquet"]
MISTAKES = {
    "no such path": (["nowhere.parquet", *BASIC[1:], *TO], ["nowhere.parquet", "there is no such path"]),
    "no HDFS by default": (["hdfs:///p.parquet", *BASIC[1:], *TO], ["this names no host", "hdfs://host:port/path"]),
    "no HDFS there": (["hdfs://127.0.0.1:1/p.parquet", *BASIC[1:], *TO], ["does not answer", "check host, port"]),
    "unknown column": (["HERE/people.parquet", "--qi", "agee,sex", *BASIC[3:], *TO], ["'agee'", "did you mean 'age'?"]),
    "unknown table of Hive": (["hive:nowhere.people", *BASIC[1:], *TO], ["there is no", "nowhere"]),
    "no name of Hive": (["hive:a.b.c.d", *BASIC[1:], *TO], ["does not name a table of Hive", "hive:clinic.people"]),
    "tree that misses values": (
        [*BASIC, *TO, "--hierarchy", "zip=zips.json"],
        ["'28018'", "'28019'", "--unknown suppress"],
    ),
    "k above the rows": ([*BASIC[:-3], "601", "--engine", "spark", *TO], ["k = 601", "600 rows", "smaller k"]),
    "k of partitions below k": (
        [*BASIC, *TO, "--technique", "two-phase", "--k-partition", "3"],
        ["k_partition", "3"],
    ),
    "destination that exists": ([*BASIC, "--out", "HERE/people.parquet"], ["exists already", "--overwrite"]),
    "destination in no folder": ([*BASIC, "--out", "HERE/no/safe.parquet"], ["no does not exist", "create it first"]),
    "unknown format": ([*BASIC, "--out", "HERE/safe.sav"], ["'.sav'", "parquet, csv, json, orc"]),
    "unknown format by name": ([*BASIC, *TO, "--out-format", "sav"], ["'sav' is not one of Spark's"]),
    "format of the source": ([*BASIC, *TO, "--format", "xlsx"], ["'xlsx' is not one of Spark's"]),
    "a file of another format": ([*BASIC, *TO, "--format", "orc"], ["cannot be read as what it should be"]),
    "a database for a destination": (
        [*BASIC, "--out", "sqlite:///a.db", "--out-table", "safe"],
        ["what Spark reads, Spark writes", "hive:clinic.safe"],
    ),
    "a database for a source": (
        ["sqlite:///a.db", *BASIC[1:], "--table", "people", *TO],
        ["tables are named in databases"],
    ),
    "no table of a database": (["sqlite:///a.db", *BASIC[1:], *TO], ["Spark does not read databases here"]),
    "a filter that is none": ([*BASIC, *TO, "--where", "age >>>> 3"], ["Spark cannot read this name or filter"]),
    "a record for files": ([*BASIC, *TO, "--record", "r.json"], ["the record of files lies beside them"]),
}  # fmt: skip


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(celosia: Call, folder: Path, mistake: str) -> None:
    leaves = [{"value": f"280{i:02}"} for i in range(18)]
    tree = {"zip": {"value": "*", "children": leaves}}
    (folder / "zips.json").write_text(json.dumps(tree))
    arguments, words = MISTAKES[mistake]
    status, printed, said = celosia("anonymize", *arguments)
    assert (status, printed) == (2, ""), said
    assert said.startswith("error: ")
    assert len(said.strip().splitlines()) == 1
    for word in words:
        assert word in said
    assert sorted(os.listdir(folder)) == ["people.parquet", "zips.json"]


# A row that passes this filter has taken its time, whatever is done to it: every job that reads the table is slow.
SLOW = "reflect('java.lang.Thread', 'sleep', CAST(3 AS BIGINT)) IS NOT NULL"


def test_ctrl_c_in_the_middle_of_a_job_stops_it_and_nothing_is_left(spark: Any, folder: Path) -> None:
    before = set(os.listdir(folder))
    settings = [
        f"spark.driver.extraJavaOptions={QUICK_JAVA}",
        f"spark.local.dir={folder / 'people.parquet'}.local",
    ]
    settings += ["spark.driver.memory=512m", "spark.sql.shuffle.partitions=2"]
    begin = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); import celosia.cli as c; c.main()"
    arguments = [
        "anonymize",
        "people.parquet",
        "--engine",
        "spark",
        "--master",
        "local[1]",
        *ROLES,
        "-k",
        "5",
    ]
    arguments += ["--where", SLOW, "--out", f"file://{folder}/safe.parquet"]
    arguments += [part for setting in settings for part in ("--spark-config", setting)]
    with subprocess.Popen(
        [sys.executable, "-c", begin, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        # The rows, which take two seconds, are being written as soon as the hidden folder is there.
        wait_until(lambda: any(name.startswith(".celosia") for name in os.listdir(folder)), process)
        java = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        printed, said = process.communicate(timeout=60)
    assert (process.returncode, printed, said) == (130, "", "interrupted; nothing was written\n")
    wait_until(lambda: not any(Path(f"/proc/{one}/cmdline").exists() for one in java))
    assert {name for name in os.listdir(folder) if not name.endswith(".local")} == before


def wait_until(holds: Callable[[], bool], process: "subprocess.Popen[str] | None" = None) -> None:
    deadline = time.monotonic() + 120
    while not holds():
        if time.monotonic() > deadline or (process is not None and process.poll() is not None):
            raise AssertionError("" if process is None else process.communicate()[1])
        time.sleep(0.02)
