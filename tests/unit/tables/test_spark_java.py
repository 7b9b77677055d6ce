"""Why Spark does not start: told without a JVM."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from celosia.errors import ProjectError, TableError
from celosia.tables.spark.java import diagnose, parse_version
from celosia.tables.spark.session import check_session, find_session, run_in_thread, spark_session

ADVICE = "install Java 17 or newer, and set JAVA_HOME to its folder if it is not in the path"
START = """
from celosia.errors import CelosiaError
from celosia.tables.spark.session import spark_session
try:
    spark_session({master!r})
except CelosiaError as error:
    print(error)
"""


def make_java(home: Path, script: str) -> Path:
    program = home / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def start(master: str, **environment: str) -> str:
    """What a process says that starts a session."""
    done = subprocess.run(
        [sys.executable, "-c", START.format(master=master)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('openjdk version "21" 2023-09-19', 21),
        ('java version "1.8.0_392"', 8),
        ('openjdk version "25-ea" 2025-09-16', 25),
        ('Picked up JAVA_TOOL_OPTIONS: -Xmx1g\nopenjdk version "11.0.22" 2024-01-16', 11),
        ("java: command not found", None),
        ("", None),
    ],
)
def test_the_version_of_java_is_read(text: str, version: int | None) -> None:
    assert parse_version(text) == version


def test_no_java_is_told(tmp_path: Path) -> None:
    assert start("local[1]", JAVA_HOME=str(tmp_path)) == (
        f"JAVA_HOME={tmp_path}: Spark needs Java, and there is none; {ADVICE}"
    )


def test_no_java_in_the_path_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert str(diagnose("")) == f"Spark needs Java, and there is none; {ADVICE}"


def test_an_old_java_is_told_without_a_trace(tmp_path: Path) -> None:
    program = make_java(
        tmp_path,
        """if [ "$1" = -version ]; then echo 'openjdk version "11.0.22" 2024-01-16' >&2; exit 0; fi
        echo 'Exception in thread "main" java.lang.UnsupportedClassVersionError: org/apache/spark' >&2; exit 1""",
    )
    assert start("local[1]", JAVA_HOME=str(tmp_path)) == (
        f"{program}: this is Java 11, too old for Spark; {ADVICE}"
    )


@pytest.mark.parametrize("script", ["exit 3", "exit 0", "echo hello"])
def test_a_java_that_is_none_is_told(tmp_path: Path, script: str) -> None:
    program = make_java(tmp_path, script)
    assert start("local[1]", JAVA_HOME=str(tmp_path)) == (
        f"{program}: Spark needs Java, and this is none that runs; {ADVICE}"
    )


def test_a_good_java_that_does_not_start_spark_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_java(tmp_path, """echo 'openjdk version "17.0.15" 2025-04-15' >&2""")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    printed = 'WARNING: odd\nException in thread "main" org.apache.spark.SparkException: Master must be one.\n\tat x'
    assert (
        str(diagnose(printed))
        == "Spark does not start (Master must be one); check its settings and SPARK_HOME"
    )


def test_a_master_that_does_not_answer_is_told_at_once() -> None:
    # Nobody listens at port 1; the one without a port is no better.
    for master in ("spark://127.0.0.1:1", "spark://127.0.0.1", "spark://127.0.0.1:1,127.0.0.1:2"):
        assert start(master) == (
            f"{master}: the master of the cluster does not answer; "
            "check host and port, and that it is running; local[*] needs no cluster"
        )


def test_spark_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    with pytest.raises(TableError) as caught:
        find_session()
    assert str(caught.value) == 'Spark is not installed; install it: pip install "celosia[spark]"'


def test_sessions_of_spark_connect_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(master: str | None = None, config: dict[str, str] | None = None) -> bool:
        with pytest.raises(ProjectError, match="sessions of Spark Connect cannot be used; name a master"):
            spark_session(master, config)
        return True

    assert refused("sc://localhost")
    assert refused(None, {"spark.remote": "sc://localhost"})
    monkeypatch.setenv("SPARK_REMOTE", "sc://localhost")
    assert refused()
    remote = type("SparkSession", (), {"__module__": "pyspark.sql.connect.session"})()
    with pytest.raises(ProjectError, match="Spark Connect"):
        check_session(remote)


def test_what_is_called_apart_answers_or_fails_here() -> None:
    assert run_in_thread(lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        run_in_thread(lambda: 1 // 0)
