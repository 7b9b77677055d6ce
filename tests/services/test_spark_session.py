"""Sessions of Spark: found, started, stopped, and what they say when something goes wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from spark_parts import QUICK_JAVA

from celosia.errors import NoSolutionError, ProjectError, TableError
from celosia.tables.spark.errors import spark_errors_explained
from celosia.tables.spark.session import find_session, opened_session, spark_session


def test_the_session_that_is_there_is_used_and_left_running(spark: Any) -> None:
    assert find_session() is spark
    assert spark_session() is spark
    assert spark_session("local[2]", {"spark.sql.shuffle.partitions": "2"}, hive=True) is spark
    with opened_session() as session:
        assert session is spark
    assert spark.range(7).count() == 7


@pytest.mark.parametrize(
    ("master", "config", "told_of"),
    [
        ("local[4]", {}, "has spark.master local[2], and local[4] is asked for"),
        (
            None,
            {"spark.sql.shuffle.partitions": "9"},
            "has spark.sql.shuffle.partitions 2, and 9 is asked for",
        ),
        (None, {"spark.executor.cores": "3"}, "has spark.executor.cores not set, and 3 is asked for"),
    ],
)
def test_a_session_that_is_not_what_is_asked_for_is_told(
    spark: Any, master: str | None, config: dict[str, str], told_of: str
) -> None:
    with pytest.raises(ProjectError) as caught:
        spark_session(master, config)
    assert told_of in str(caught.value)
    assert caught.value.remedy == "leave that out, or stop the session first"


def test_functions_run_in_this_interpreter(spark: Any) -> None:
    def tell(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            yield pyarrow.RecordBatch.from_pydict({"python": [sys.executable] * batch.num_rows})

    found = spark.range(4).mapInArrow(tell, "python string").distinct().collect()
    assert [row.python for row in found] == [sys.executable]


def test_tables_of_hive_are_kept_by_the_metastore(spark: Any) -> None:
    spark.sql("CREATE DATABASE clinic")
    try:
        spark.createDataFrame([("28001", 41)], "zip string, age int").write.saveAsTable("clinic.people")
        assert spark.newSession().table("clinic.people").collect() == [("28001", 41)]
    finally:
        spark.sql("DROP DATABASE clinic CASCADE")


def read(path: str) -> Callable[[Any, Path], Any]:
    return lambda spark, folder: spark.read.parquet(path.format(folder=folder)).collect()


def query(sql: str) -> Callable[[Any, Path], Any]:
    return lambda spark, folder: spark.sql(sql).collect()


def raising(name: str) -> Callable[[Any, Path], Any]:
    def fail(batches: Iterator[Any]) -> Iterator[Any]:
        if name == "ours":
            raise NoSolutionError("k is too large", where="part 3", remedy="lower it")
        if name == "module":
            import no_module_of_this_name  # noqa: F401
        if name == "death":
            os._exit(3)
        raise ValueError("SECRET")
        yield from batches

    return lambda spark, folder: spark.range(1).mapInArrow(fail, "id long").collect()


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (read("{folder}/nowhere"), TableError, "here: there is no such path;"),
        (read("{folder}"), TableError, "here: there is no table in this folder;"),
        (read("hdfs:///people"), TableError, "here: this names no host, and there is none by default;"),
        (read("hdfs://127.0.0.1:1/people"), TableError, "here: the server there does not answer;"),
        (read("hdfs://host.invalid/people"), TableError, "here: there is no host of that name;"),
        (read("odd://bucket/people"), TableError, "here: Spark does not know this system of files;"),
        (query("SELECT * FROM nowhere.people"), TableError, "here: there is no table 'nowhere.people';"),
        (
            query("SELECT agee FROM (SELECT 1 AS age)"),
            TableError,
            "here: there is no column 'agee'; there are age",
        ),
        (
            query("SELECT CAST('SECRET' AS INT)"),
            TableError,
            "here: a value is not of the type of its column;",
        ),
        (query("SELECT 'SECRET' >>>>"), TableError, "here: Spark cannot read this name or filter;"),
        (raising("ours"), NoSolutionError, "part 3: k is too large; lower it"),
        (raising("module"), TableError, "here: the machines of the cluster lack packages that this one has;"),
        (raising("value"), TableError, "here: Spark failed (ValueError);"),
        (raising("death"), TableError, "here: a Python worker of Spark died;"),
    ],
)
def test_what_goes_wrong_in_spark_is_one_sentence_without_values(
    spark: Any,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    call: Callable[[Any, Path], Any],
    kind: type[Exception],
    sentence: str,
) -> None:
    with pytest.raises(kind) as caught, spark_errors_explained("here"):
        call(spark, tmp_path)
    assert str(caught.value).startswith(sentence)
    assert "SECRET" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


def test_files_that_are_not_what_they_should_be_are_told(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "people.parquet").write_text("name,age\nSECRET,41\n")
    with pytest.raises(TableError) as caught, spark_errors_explained("here"):
        spark.read.parquet(str(tmp_path / "people.parquet")).collect()
    assert str(caught.value).startswith("here: a file there cannot be read as what it should be;")


LIFE = """
import json, os, signal, sys, tempfile
from celosia.errors import CelosiaError
from celosia.tables.spark.session import find_session, opened_session
from celosia.tables.spark.errors import spark_errors_explained

settings = json.loads(sys.argv[1])
before = signal.getsignal(signal.SIGINT)

def files():
    return [name for _, _, names in os.walk(tempfile.gettempdir()) for name in names]

with opened_session("local[1]", settings) as session:
    from pyspark import SparkContext
    told = {"rows": session.range(5).count()}
    told["zone"] = session.conf.get("spark.sql.session.timeZone")
    told["host"] = session.conf.get("spark.driver.host")
    told["ui"] = session.sparkContext.uiWebUrl
told["left"] = find_session() is not None
try:
    with opened_session("local[2]", settings) as session, spark_errors_explained("here"):
        told["again"] = session.sparkContext.master
        told["handler"] = signal.getsignal(signal.SIGINT) is before
        told["variable"] = os.environ.get("PYSPARK_PYTHON")
        session.range(100).selectExpr("concat('SECRET', id)").repartition(3).persist().count()
        told["exchanged"] = any(name.startswith("shuffle") for name in files())
        os.kill(SparkContext._gateway.proc.pid, signal.SIGKILL)
        session.range(5).count()
except CelosiaError as error:
    told["killed"] = error.what
told["files"] = files()
with opened_session("local[1]", settings) as session:
    told["java"] = SparkContext._gateway.proc.pid
    session.range(100).repartition(3).persist().count()
    print(json.dumps(told), flush=True)
    session.range(10**15).selectExpr("sum(sqrt(id))").collect()
"""


@pytest.fixture(scope="module")
def settings() -> str:
    quick = {"spark.driver.memory": "512m", "spark.driver.extraJavaOptions": QUICK_JAVA}
    return json.dumps(quick)


def test_a_session_of_ours_leaves_neither_a_process_nor_rows_whoever_is_killed(
    spark: Any, settings: str, tmp_path: Path
) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    environment["TMPDIR"] = str(tmp_path)
    life = [sys.executable, "-c", LIFE, settings]
    process = subprocess.Popen(
        life, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    try:
        assert process.stdout is not None
        told_of = json.loads(process.stdout.readline() or "{}")
        time.sleep(1)  # until the query that would take days is under way
    finally:
        process.kill()
        _, printed = process.communicate(timeout=60)
    assert (process.returncode, printed) == (-signal.SIGKILL, "")
    java = told_of.pop("java")
    assert told_of == {
        "rows": 5,
        "zone": "UTC",
        "host": "127.0.0.1",
        "ui": None,
        "left": False,
        "again": "local[2]",
        "handler": True,
        "variable": None,
        "exchanged": True,
        "killed": "the session of Spark has ended",
        "files": [],
    }
    assert ends(java)
    assert {path.name for path in tmp_path.rglob("*") if path.is_file()} <= {".lock"}


def ends(process: int) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False
