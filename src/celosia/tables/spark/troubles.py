"""What the errors of Spark mean: one sentence each, without values of a table and without traces of Java."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from celosia import errors
from celosia.errors import CelosiaError, TableError

__all__ = ["explain", "not_logged", "told"]


@dataclass(frozen=True)
class Trouble:
    """What an error means, and what to do; ``{}`` stands for the name that Spark tells, of a column or a path."""

    what: str
    remedy: str


MISSING_PATH = Trouble("there is no such path", "check it, and on which system of files it is")
NO_COLUMN = Trouble("there is no column {}", "check its name, or look at the table with `celosia profile`")
TAKEN = Trouble(
    "there is something of that name already", "choose another name, or allow it with --overwrite"
)
BAD_FILE = Trouble(
    "a file there cannot be read as what it should be", "check its format, and that it is whole"
)
BAD_VALUE = Trouble("a value is not of the type of its column", "check the types of the columns")
SAME_NAME = Trouble(
    "two columns have the same name but for case", "rename one, or set spark.sql.caseSensitive to true"
)
OTHER_PYTHON = Trouble(
    "the machines of the cluster run another Python than this one",
    "set PYSPARK_PYTHON to the same version on all of them",
)
MEMORY = Trouble(
    "Spark ran out of memory",
    "give it more with spark.driver.memory and spark.executor.memory, or use more partitions",
)
LOST = Trouble(
    "the cluster lost so many executors that Spark gave up",
    "look after its machines, give executors more memory, and try again",
)
NO_FORMAT = Trouble(
    "Spark does not know this format here", "use Parquet, CSV, JSON or ORC, or add its package"
)
GONE = Trouble(
    "the session of Spark has ended", "start again; if it was short of memory, give the driver more"
)

CONDITIONS: dict[str, tuple[Trouble, str]] = {
    "PATH_NOT_FOUND": (MISSING_PATH, "path"),
    "TABLE_OR_VIEW_NOT_FOUND": (
        Trouble("there is no table {}", "check name and database; tables of Hive need a session with Hive"),
        "relationName",
    ),
    "SCHEMA_NOT_FOUND": (Trouble("there is no database {}", "create it, or name another"), "schemaName"),
    "UNRESOLVED_COLUMN": (NO_COLUMN, "objectName"),
    "COLUMN_NOT_FOUND": (NO_COLUMN, "colName"),
    "UNABLE_TO_INFER_SCHEMA": (
        Trouble("there is no table in this folder", "check the path and the format"),
        "",
    ),
    "PATH_ALREADY_EXISTS": (TAKEN, ""),
    "LOCATION_ALREADY_EXISTS": (TAKEN, ""),
    "TABLE_OR_VIEW_ALREADY_EXISTS": (TAKEN, ""),
    "FAILED_READ_FILE": (BAD_FILE, ""),
    "CANNOT_READ_FILE_FOOTER": (BAD_FILE, ""),
    "MALFORMED_RECORD_IN_PARSING": (BAD_FILE, ""),
    "AMBIGUOUS_REFERENCE": (SAME_NAME, ""),
    "COLUMN_ALREADY_EXISTS": (SAME_NAME, ""),
    "PYTHON_VERSION_MISMATCH": (OTHER_PYTHON, ""),
    "PARSE_SYNTAX_ERROR": (Trouble("Spark cannot read this name or filter", "check how it is written"), ""),
    "DATA_SOURCE_NOT_FOUND": (NO_FORMAT, ""),
    "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE": (
        Trouble("this format cannot hold the type of column {}", "choose another, such as Parquet"),
        "columnName",
    ),
}
"""By the condition that Spark names, or its first part: what it means, and the parameter that tells which."""

SIGNS: list[tuple[str, Trouble]] = [
    (r"OutOfMemory|GC overhead limit|Java heap space|spark\.driver\.maxResultSize", MEMORY),
    (
        r"UnknownHost",
        Trouble("there is no host of that name", "check the address; hdfs:///path takes fs.defaultFS"),
    ),
    (
        r"no host: hdfs|Incomplete HDFS URI",
        Trouble("this names no host, and there is none by default", "write hdfs://host:port/path"),
    ),
    (
        r"UnsupportedFileSystem|No FileSystem for scheme",
        Trouble("Spark does not know this system of files", "add its package to Spark (spark.jars.packages)"),
    ),
    (r"PYTHON_VERSION_MISMATCH", OTHER_PYTHON),
    (
        r"No module named|ModuleNotFoundError",
        Trouble(
            "the machines of the cluster lack packages that this one has",
            "install celosia on all of them, and set PYSPARK_PYTHON to its Python",
        ),
    ),
    (
        r"Cannot run program",
        Trouble("an executor finds no Python", "set PYSPARK_PYTHON to one that all machines have"),
    ),
    (r"ExecutorLostFailure|Lost executor|MetadataFetchFailed|FetchFailed", LOST),
    (
        r"exited unexpectedly",
        Trouble(
            "a Python worker of Spark died",
            "it may have run out of memory: use more partitions, or raise spark.executor.memoryOverhead",
        ),
    ),
    (
        r"Could not parse Master URL|MASTER_URL",
        Trouble(
            "this is no master that Spark knows", "write local[*], spark://host:7077, yarn or k8s://host"
        ),
    ),
    (r"cluster scheduler|All masters are unresponsive", LOST),
    (r"No space left on device", Trouble("a disk is full", "make room, or set spark.local.dir to another")),
    (
        r"AccessControlException|AccessDenied|Permission denied|\(Permission",
        Trouble("this user may not read or write there", "ask for the rights, or use another place"),
    ),
    (
        r"ConnectException|Connection refused|NoRouteToHost|SocketTimeout|Connection timed out",
        Trouble("the server there does not answer", "check host, port and network, and that it is running"),
    ),
    (
        r"another instance of Derby|MetaStoreClient",
        Trouble(
            "the Hive metastore cannot be used", "check hive-site.xml; an embedded one serves one process"
        ),
    ),
    (r"DATA_SOURCE_NOT_FOUND|\.DefaultSource", NO_FORMAT),
    (r"FileAlreadyExists", TAKEN),
    (r"FileNotFound|does not exist|InvalidInputException", MISSING_PATH),
    (r"is not a Parquet file|ParquetDecodingException|CharConversion|ChecksumException", BAD_FILE),
    (r"stopped SparkContext|SparkContext was shut down|SparkContext.*stopped", GONE),
]
"""By what stands in the text of an error that has no condition, in the order in which they are looked for."""
PYTHON = "PYTHON_EXCEPTION"
"""What Spark calls any error in a function of ours."""
OURS = re.compile(r"celosia\.errors\.(\w+): (.+)")


@contextmanager
def told(where: str = "") -> Iterator[None]:
    """Turn what Spark raises within the block into a sentence about ``where``; an interrupt ends its jobs too.

    >>> with told("people.parquet"):
    ...     _ = 1 + 1
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        with not_logged():
            yield
    except KeyboardInterrupt:
        _cancel()
        raise
    except (PySparkException, Py4JError, ConnectionError) as error:
        # Without its cause: the text of that is a trace of Java, and may quote values.
        raise explain(error, where) from None


def _cancel() -> None:
    """End the jobs under way: they would go on writing, and keep those waiting that clean up."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is not None:
        with suppress(Exception):  # a JVM that is gone has no jobs
            context.cancelAllJobs()


@contextmanager
def not_logged() -> Iterator[None]:
    """Keep PySpark and Py4J from printing errors before anybody has caught them: they quote values, and traces."""
    from pyspark.logger import PySparkLogger

    def is_of_others(record: logging.LogRecord) -> bool:
        return record.name != "root" or "py4j" not in Path(record.pathname).parts

    filters: list[tuple[logging.Logger, Callable[[logging.LogRecord], bool]]] = [
        (logging.getLogger(), is_of_others),
        (PySparkLogger.getLogger("DataFrameQueryContextLogger"), lambda _record: False),
        (PySparkLogger.getLogger("SQLQueryContextLogger"), lambda _record: False),
    ]
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
            f"Spark failed ({_kind(error, text) if condition in ('', PYTHON) else condition})",
            where=where,
            remedy="set spark.log.level to WARN to see what it says",
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
        remedy = f"there are {proposal.replace('`', '')}"
    return TableError(
        trouble.what.format(repr(name) if name else "").strip(),
        where=where or (name if parameter == "path" else ""),
        remedy=remedy,
    )


def _by_signs(error: BaseException, text: str, where: str) -> TableError | None:
    from py4j.protocol import Py4JNetworkError

    is_gone = isinstance(error, ConnectionError | Py4JNetworkError)
    trace = str(getattr(error, "_stackTrace", ""))  # the causes of an error that PySpark has a class for
    found = GONE if is_gone else _sign(text) or _sign(trace)
    return None if found is None else TableError(found.what, where=where, remedy=found.remedy)


def _sign(text: str) -> Trouble | None:
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
