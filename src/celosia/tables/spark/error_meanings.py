"""The meanings of the errors of Spark, by what Spark calls them or by what stands in their text."""

from collections.abc import Callable
from dataclasses import dataclass

from celosia.say import say

__all__ = ["BAD_VALUE", "CONDITIONS", "GONE", "SIGNS", "SparkErrorMeaning"]


@dataclass(frozen=True)
class SparkErrorMeaning:
    """What an error means, and what to do; ``named`` says the first of the name that Spark tells, where it does."""

    what: str
    remedy: str
    named: Callable[[str], str] | None = None


MISSING_PATH = SparkErrorMeaning(
    say("there is no such path"), say("check it, and on which system of files it is")
)
NO_COLUMN = SparkErrorMeaning(
    say("there is no column"),
    say("check its name, or look at the table with `celosia profile`"),
    lambda name: say("there is no column {name!r}", name=name),
)
TAKEN = SparkErrorMeaning(
    say("there is something of that name already"), say("choose another name, or allow it with --overwrite")
)
BAD_FILE = SparkErrorMeaning(
    say("a file there cannot be read as what it should be"), say("check its format, and that it is whole")
)
BAD_VALUE = SparkErrorMeaning(
    say("a value is not of the type of its column"), say("check the types of the columns")
)
SAME_NAME = SparkErrorMeaning(
    say("two columns have the same name but for case"),
    say("rename one, or set spark.sql.caseSensitive to true"),
)
OTHER_PYTHON = SparkErrorMeaning(
    say("the machines of the cluster run another Python than this one"),
    say("set PYSPARK_PYTHON to the same version on all of them"),
)
MEMORY = SparkErrorMeaning(
    say("Spark ran out of memory"),
    say("give it more with spark.driver.memory and spark.executor.memory, or use more partitions"),
)
LOST = SparkErrorMeaning(
    say("the cluster lost so many executors that Spark gave up"),
    say("look after its machines, give executors more memory, and try again"),
)
LOST_ROWS = SparkErrorMeaning(
    say("the cluster lost the executors that kept some of the rows"),
    say("look after its machines, give executors more memory, and try again"),
)
NO_FORMAT = SparkErrorMeaning(
    say("Spark does not know this format here"), say("use Parquet, CSV, JSON or ORC, or add its package")
)
GONE = SparkErrorMeaning(
    say("the session of Spark has ended"), say("start again; if it was short of memory, give the driver more")
)

CONDITIONS: dict[str, tuple[SparkErrorMeaning, str]] = {
    "PATH_NOT_FOUND": (MISSING_PATH, "path"),
    "TABLE_OR_VIEW_NOT_FOUND": (
        SparkErrorMeaning(
            say("there is no table"),
            say("check name and database; tables of Hive need a session with Hive"),
            lambda name: say("there is no table {name!r}", name=name),
        ),
        "relationName",
    ),
    "SCHEMA_NOT_FOUND": (
        SparkErrorMeaning(
            say("there is no database"),
            say("create it, or name another"),
            lambda name: say("there is no database {name!r}", name=name),
        ),
        "schemaName",
    ),
    "UNRESOLVED_COLUMN": (NO_COLUMN, "objectName"),
    "COLUMN_NOT_FOUND": (NO_COLUMN, "colName"),
    "UNABLE_TO_INFER_SCHEMA": (
        SparkErrorMeaning(say("there is no table in this folder"), say("check the path and the format")),
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
    "PARSE_SYNTAX_ERROR": (
        SparkErrorMeaning(say("Spark cannot read this name or filter"), say("check how it is written")),
        "",
    ),
    "DATA_SOURCE_NOT_FOUND": (NO_FORMAT, ""),
    "UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE": (
        SparkErrorMeaning(
            say("this format cannot hold the type of column"),
            say("choose another, such as Parquet"),
            lambda name: say("this format cannot hold the type of column {name!r}", name=name),
        ),
        "columnName",
    ),
}
"""By the condition that Spark names, or its first part: what it means, and the parameter that tells which."""

SIGNS: list[tuple[str, SparkErrorMeaning]] = [
    (r"OutOfMemory|GC overhead limit|Java heap space|spark\.driver\.maxResultSize", MEMORY),
    (
        r"UnknownHost",
        SparkErrorMeaning(
            say("there is no host of that name"), say("check the address; hdfs:///path takes fs.defaultFS")
        ),
    ),
    (
        r"no host: hdfs|Incomplete HDFS URI",
        SparkErrorMeaning(
            say("this names no host, and there is none by default"), say("write hdfs://host:port/path")
        ),
    ),
    (
        r"UnsupportedFileSystem|No FileSystem for scheme",
        SparkErrorMeaning(
            say("Spark does not know this system of files"),
            say("add its package to Spark (spark.jars.packages)"),
        ),
    ),
    (
        r"CSV header does not conform",
        SparkErrorMeaning(
            say("files there have other columns than the first"),
            say("keep files with the same columns together"),
        ),
    ),
    (
        r"MALFORMED_(RECORD_IN_PARSING|CSV_RECORD)|TextParsingException",
        SparkErrorMeaning(
            say("a record there has other fields than the first, or a text that goes over several lines"),
            say("mend the file, or convert it to Parquet"),
        ),
    ),
    (r"PYTHON_VERSION_MISMATCH", OTHER_PYTHON),
    (
        r"No module named|ModuleNotFoundError",
        SparkErrorMeaning(
            say("the machines of the cluster lack packages that this one has"),
            say("install celosia on all of them, and set PYSPARK_PYTHON to its Python"),
        ),
    ),
    (
        r"Cannot run program",
        SparkErrorMeaning(
            say("an executor finds no Python"), say("set PYSPARK_PYTHON to one that all machines have")
        ),
    ),
    (r"CHECKPOINT_RDD_BLOCK_ID_NOT_FOUND|Checkpoint block", LOST_ROWS),
    (r"ExecutorLostFailure|Lost executor|MetadataFetchFailed|FetchFailed", LOST),
    (
        r"exited unexpectedly",
        SparkErrorMeaning(
            say("a Python worker of Spark died"),
            say("it may have run out of memory: use more partitions, or raise spark.executor.memoryOverhead"),
        ),
    ),
    (
        r"Could not parse Master URL|MASTER_URL",
        SparkErrorMeaning(
            say("this is no master that Spark knows"),
            say("write local[*], spark://host:7077, yarn or k8s://host"),
        ),
    ),
    (r"cluster scheduler|All masters are unresponsive", LOST),
    (
        r"No space left on device",
        SparkErrorMeaning(say("a disk is full"), say("make room, or set spark.local.dir to another")),
    ),
    (
        r"AccessControlException|AccessDenied|Permission denied|\(Permission",
        SparkErrorMeaning(
            say("this user may not read or write there"), say("ask for the rights, or use another place")
        ),
    ),
    (
        r"ConnectException|Connection refused|NoRouteToHost|SocketTimeout|Connection timed out",
        SparkErrorMeaning(
            say("the server there does not answer"),
            say("check host, port and network, and that it is running"),
        ),
    ),
    (
        r"another instance of Derby|MetaStoreClient",
        SparkErrorMeaning(
            say("the Hive metastore cannot be used"),
            say("check hive-site.xml; an embedded one serves one process"),
        ),
    ),
    (r"DATA_SOURCE_NOT_FOUND|\.DefaultSource", NO_FORMAT),
    (r"FileAlreadyExists", TAKEN),
    (r"FileNotFound|does not exist|InvalidInputException", MISSING_PATH),
    (
        r"is not a Parquet file|FileFormatException|ParquetDecodingException|CharConversion|ChecksumException",
        BAD_FILE,
    ),
    (r"stopped SparkContext|SparkContext was shut down|SparkContext.*stopped", GONE),
]
"""By what stands in the text of an error that has no condition, in the order in which they are looked for."""
