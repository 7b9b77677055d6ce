"""What the errors of Spark mean: one sentence each, without values of a table and without traces of Java."""

import logging
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from celosia import errors
from celosia.errors import CelosiaError, TableError
from celosia.say import say
from celosia.tables.spark.error_meanings import BAD_VALUE, CONDITIONS, GONE, SIGNS, SparkErrorMeaning

__all__ = [
    "explain",
    "jobs_cancelled_on_interrupt",
    "reconnect",
    "spark_errors_explained",
    "spark_logging_off",
]

CONNECTIONS = 5
"""How many are tried; one more than the first has always been enough."""
PYTHON = "PYTHON_EXCEPTION"
"""What Spark calls any error in a function of ours."""
PY4J = ("py4j", "py4j.clientserver", "py4j.java_gateway")
PYSPARK = ("DataFrameQueryContextLogger", "SQLQueryContextLogger")
"""Who prints errors before anybody has caught them."""
CUT_OFF = re.compile(r"An error occurred while calling \S+")
OURS = re.compile(r"celosia\.errors\.(\w+): (.+)")


@contextmanager
def spark_errors_explained(where: str = "") -> Iterator[None]:
    """Turn what Spark raises within the block into a sentence about ``where``; an interrupt ends its jobs too.

    >>> with spark_errors_explained("people.parquet"):
    ...     _ = 1 + 1
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        with spark_logging_off(), jobs_cancelled_on_interrupt():
            yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        # Without its cause: the text of that is a trace of Java, and may quote values.
        raise explain(error, where) from None


@contextmanager
def jobs_cancelled_on_interrupt() -> Iterator[None]:
    """End the jobs under way on an interrupt, and let it be one for those who called.

    PySpark tidies up after an interrupted call, by way of a connection that Py4J has just closed: every now and
    then that fails, and its error takes the place of the interrupt.
    """
    try:
        yield
    except BaseException as error:
        stop = _interrupt_behind(error)
        if stop is None:
            raise
        _cancel()
        if stop is error:
            raise
        raise stop from None


def _interrupt_behind(error: BaseException | None) -> KeyboardInterrupt | None:
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error


def _cancel() -> None:
    """End the jobs under way: they would go on writing, and keep those waiting that clean up."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is not None:
        reconnect(context)
        with suppress(Exception):  # a JVM that is gone has no jobs
            context.cancelAllJobs()


def reconnect(context: Any) -> None:
    """Ask the JVM anything until it answers: after an interrupt the first connection may be a dead one."""
    for _ in range(CONNECTIONS):
        with suppress(Exception):
            context._jvm.java.lang.System.nanoTime()
            return


@contextmanager
def spark_logging_off() -> Iterator[None]:
    """Keep PySpark and Py4J from printing errors before anybody has caught them: they quote values, and traces."""
    from pyspark.logger import PySparkLogger

    def is_of_others(record: logging.LogRecord) -> bool:
        return "py4j" not in Path(record.pathname).parts

    def is_none(_record: logging.LogRecord) -> bool:
        return False

    # A filter holds for what is logged there, not for what comes from below.
    filters: list[tuple[Any, Any]] = [(logging.getLogger(name), is_of_others) for name in (None, *PY4J)]
    filters += [(PySparkLogger.getLogger(name), is_none) for name in PYSPARK]
    for logger, keep in filters:
        logger.addFilter(keep)
    try:
        yield
    finally:
        for logger, keep in filters:
            logger.removeFilter(keep)


def explain(error: BaseException, where: str = "") -> CelosiaError:
    """What an exception of PySpark or Py4J means.

    >>> print(explain(ConnectionRefusedError("[Errno 111]"), "Spark on local[2]"))
    Spark on local[2]: the session of Spark has ended; start again; if it was short of memory, give the driver more
    """
    if isinstance(error, CelosiaError):
        return error
    text = str(error)
    condition, parameters = _condition(error)
    return (
        _ours(text)
        or _by_condition(condition, parameters, where)
        or _by_signs(error, text, where)
        or TableError(
            say(
                "Spark failed ({error})", error=_kind(error, text) if condition in ("", PYTHON) else condition
            ),
            where=where,
            remedy=say("set spark.log.level to WARN to see what it says"),
        )
    )


def _condition(error: BaseException) -> tuple[str, Mapping[str, str]]:
    """What Spark calls an error, and the names in it."""
    from pyspark.errors import PySparkException

    if not isinstance(error, PySparkException):
        return "", {}
    try:
        condition, parameters = error.getCondition() or "", error.getMessageParameters() or {}
        is_data = (error.getSqlState() or "").startswith("22")
    except Exception:  # the JVM that knows is gone
        return "", {}
    known = condition.partition(".")[0] in CONDITIONS
    return ("BAD_VALUE" if is_data and not known else condition), dict(parameters)


def _by_condition(condition: str, parameters: Mapping[str, str], where: str) -> TableError | None:
    if condition == "BAD_VALUE":
        return TableError(BAD_VALUE.what, where=where, remedy=BAD_VALUE.remedy)
    trouble, parameter = CONDITIONS.get(condition.partition(".")[0], (None, ""))
    if trouble is None:
        return None
    name = parameters.get(parameter, "").strip("`").replace("`.`", ".")
    remedy = trouble.remedy
    if proposal := parameters.get("proposal", ""):
        remedy = say("there are {names}", names=proposal.replace("`", ""))
    return TableError(
        trouble.named(name) if name and trouble.named is not None else trouble.what,
        where=where or (name if parameter == "path" else ""),
        remedy=remedy,
    )


def _by_signs(error: BaseException, text: str, where: str) -> TableError | None:
    from py4j.protocol import Py4JError, Py4JNetworkError

    # A JVM that dies while it is asked leaves an error without a word from Java.
    is_cut_off = isinstance(error, Py4JError) and CUT_OFF.fullmatch(text.strip()) is not None
    is_gone = is_cut_off or isinstance(error, ConnectionError | Py4JNetworkError)
    trace = str(getattr(error, "_stackTrace", ""))  # the causes of an error that PySpark has a class for
    found = GONE if is_gone else _sign(text) or _sign(trace)
    return None if found is None else TableError(found.what, where=where, remedy=found.remedy)


def _sign(text: str) -> SparkErrorMeaning | None:
    return next((trouble for sign, trouble in SIGNS if re.search(sign, text)), None)


def _ours(text: str) -> CelosiaError | None:
    """An error of our own that was raised on another machine, and comes back as text."""
    found = OURS.search(text)
    kind = getattr(errors, found.group(1), None) if found else None
    return kind(found.group(2).strip()) if found and kind else None


def _kind(error: BaseException, text: str) -> str:
    """The name of the deepest error in a trace, which quotes nothing."""
    names = re.findall(r"(?:^|Caused by: )[\w.$]*?(\w+(?:Exception|Error))\b", text, re.MULTILINE)
    return names[-1] if names else type(error).__name__
