"""Errors of Spark as sentences, without a JVM."""

import logging
import re

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark.errors import PySparkException
from pyspark.logger import PySparkLogger

from celosia.errors import NoSolutionError, TableError
from celosia.tables.spark.error_meanings import CONDITIONS, SIGNS
from celosia.tables.spark.errors import explain, spark_errors_explained


class Conditioned(PySparkException):
    """An error as the JVM tells it: a condition, parameters, a state, and a text that quotes values."""

    def __init__(self, condition: str, state: str = "42000", **parameters: str) -> None:
        super().__init__(f"[{condition}] 'SECRET' {parameters}")
        self.told = condition, state, parameters

    def getCondition(self) -> str:  # noqa: N802
        return self.told[0]

    def getSqlState(self) -> str:  # noqa: N802
        return self.told[1]

    def getMessageParameters(self) -> dict[str, str]:  # noqa: N802
        return self.told[2]

    def __str__(self) -> str:
        return self._message or ""


TRACE = """An error occurred while calling o42.parquet.
: org.apache.spark.SparkException: Job aborted due to stage failure: SECRET
\tat org.apache.spark.Some.method(Some.scala:12)
Caused by: {}
\t... 3 more"""


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            Conditioned("PATH_NOT_FOUND", path="file:/nowhere/people"),
            "there is no such path; check it, and on which system of files it is",
        ),
        (
            Conditioned("TABLE_OR_VIEW_NOT_FOUND", relationName="`clinic`.`people`"),
            "there is no table 'clinic.people'; check name and database; tables of Hive need a session with Hive",
        ),
        (
            Conditioned("UNRESOLVED_COLUMN.WITH_SUGGESTION", objectName="`agee`", proposal="`age`, `zip`"),
            "there is no column 'agee'; there are age, zip",
        ),
        (
            Conditioned("CAST_INVALID_INPUT", "22018", expression="'SECRET'"),
            "a value is not of the type of its column; check the types of the columns",
        ),
        (
            Py4JError(TRACE.format("java.net.UnknownHostException: nohost")),
            "there is no host of that name; check the address; hdfs:///path takes fs.defaultFS",
        ),
        (
            Py4JError(TRACE.format("java.net.ConnectException: Connection refused")),
            "the server there does not answer; check host, port and network, and that it is running",
        ),
        (
            Py4JError(TRACE.format("org.apache.hadoop.security.AccessControlException: user=ana")),
            "this user may not read or write there; ask for the rights, or use another place",
        ),
        (
            Py4JError(TRACE.format("java.lang.OutOfMemoryError: Java heap space")),
            "Spark ran out of memory; give it more with spark.driver.memory and spark.executor.memory, "
            "or use more partitions",
        ),
        (
            Py4JError(TRACE.format("ExecutorLostFailure (executor 1 exited caused by ...)")),
            "the cluster lost so many executors that Spark gave up; look after its machines, "
            "give executors more memory, and try again",
        ),
        (
            Py4JError(
                TRACE.format("[CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND] Checkpoint block rdd_16_0 not found!")
            ),
            "the cluster lost the executors that kept some of the rows; look after its machines, "
            "give executors more memory, and try again",
        ),
        (
            Py4JNetworkError("Answer from Java side is empty"),
            "the session of Spark has ended; start again; if it was short of memory, give the driver more",
        ),
        (
            Py4JError("An error occurred while calling o36.range"),
            "the session of Spark has ended; start again; if it was short of memory, give the driver more",
        ),
        (
            Py4JError(TRACE.format("com.example.OddException: SECRET")),
            "Spark failed (OddException); set spark.log.level to WARN to see what it says",
        ),
        (
            Conditioned("SOMETHING_NEW"),
            "Spark failed (SOMETHING_NEW); set spark.log.level to WARN to see what it says",
        ),
    ],
)
def test_an_error_is_one_sentence_that_quotes_no_value(error: Exception, sentence: str) -> None:
    found = explain(error, "people.parquet")
    assert str(found) == f"people.parquet: {sentence}"


def test_a_path_that_nobody_named_is_told() -> None:
    assert explain(Conditioned("PATH_NOT_FOUND", path="file:/nowhere")).where == "file:/nowhere"


@pytest.mark.parametrize("condition", CONDITIONS)
def test_every_condition_makes_a_whole_sentence(condition: str) -> None:
    found = explain(Conditioned(condition))
    assert found.remedy
    assert "{" not in str(found)
    assert "Spark failed" not in str(found)


def test_every_sign_can_be_found() -> None:
    for sign, trouble in SIGNS:
        first_of_groups = re.sub(r"\(([^|)]*)\|[^)]*\)", r"\1", sign)
        sample = re.sub(r"\\|\.\*", "", first_of_groups.split("|", maxsplit=1)[0])
        assert re.search(sign, sample)
        assert explain(Py4JError(TRACE.format(sample))).what == trouble.what, sign


def test_an_error_of_ours_comes_back_from_another_machine_as_itself() -> None:
    trace = "Traceback ...\ncelosia.errors.NoSolutionError: part 3: k is too large; lower it\n"
    found = explain(Py4JError(trace), "people.parquet")
    assert type(found) is NoSolutionError
    assert str(found) == "part 3: k is too large; lower it"


def test_the_name_of_a_stranger_is_no_error_of_ours() -> None:
    assert type(explain(Py4JError("celosia.errors.Nonsense: SECRET"))) is TableError


def test_errors_that_are_not_of_spark_pass() -> None:
    with pytest.raises(ZeroDivisionError), spark_errors_explained("people.parquet"):
        _ = 1 / 0
    with pytest.raises(NoSolutionError, match="k is too large"), spark_errors_explained("people.parquet"):
        raise NoSolutionError("k is too large")


def test_what_is_raised_hides_the_trace_of_java() -> None:
    with pytest.raises(TableError) as caught, spark_errors_explained("people.parquet"):
        raise Py4JError(TRACE.format("java.net.ConnectException"))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("name", ["SQLQueryContextLogger", "DataFrameQueryContextLogger"])
def test_pyspark_logs_no_error_within_the_block_and_all_outside(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    logger = PySparkLogger.getLogger(name)
    seen: list[str] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: seen.append(record.msg))
    monkeypatch.setattr(logger, "handlers", [handler])
    monkeypatch.setattr(logger, "filters", [])  # a session that another test left open has its own
    with spark_errors_explained():
        logger.error("SECRET")
    logger.error("outside")
    assert seen == ["outside"]


def test_py4j_logs_no_trace_within_the_block_and_others_do(monkeypatch: pytest.MonkeyPatch) -> None:
    root = logging.getLogger()
    seen: list[str] = []
    handler = logging.Handler()
    monkeypatch.setattr(handler, "emit", lambda record: seen.append(record.msg))
    monkeypatch.setattr(root, "handlers", [handler])
    monkeypatch.setattr(root, "filters", [])
    of_py4j = logging.LogRecord("root", logging.ERROR, "site/py4j/java_gateway.py", 1, "SECRET", (), None)
    with spark_errors_explained():
        root.handle(of_py4j)
        root.error("mine")
    assert seen == ["mine"]


def test_an_interrupt_stays_one_when_tidying_up_fails_after_it() -> None:
    stop = KeyboardInterrupt(15)

    def interrupted() -> None:
        try:
            raise stop
        finally:
            raise Py4JNetworkError("Answer from Java side is empty")

    with pytest.raises(KeyboardInterrupt) as caught, spark_errors_explained("people.parquet"):
        interrupted()
    assert caught.value is stop
