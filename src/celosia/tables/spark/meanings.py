"""The meanings of the errors of Spark, by what Spark calls them or by what stands in their text."""

from dataclasses import dataclass

__all__ = ["BAD_VALUE", "CONDITIONS", "GONE", "SIGNS", "Trouble"]


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
    (
        r"CSV header does not conform",
        Trouble("files there have other columns than the first", "keep files with the same columns together"),
    ),
    (
        r"MALFORMED_(RECORD_IN_PARSING|CSV_RECORD)|TextParsingException",
        Trouble(
            "a record there has other fields than the first, or a text that goes over several lines",
            "mend the file, or convert it to Parquet",
        ),
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
    (
        r"is not a Parquet file|FileFormatException|ParquetDecodingException|CharConversion|ChecksumException",
        BAD_FILE,
    ),
    (r"stopped SparkContext|SparkContext was shut down|SparkContext.*stopped", GONE),
]
"""By what stands in the text of an error that has no condition, in the order in which they are looked for."""
