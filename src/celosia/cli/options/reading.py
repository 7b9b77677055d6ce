"""Options about where a table is and how it is read: from a file, a database or a cluster."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from celosia.cli import completion
from celosia.cli.options.declare import option

if TYPE_CHECKING:
    from celosia.cli.completion import Completion

__all__ = ["ClusterOptions", "FileOptions", "ReadingOptions", "SourceOptions", "SparkOptions"]


def _reading(names: str, metavar: str | None, help: str, autocompletion: "Completion | None" = None) -> Any:
    return option(names, metavar, help, panel="Reading", autocompletion=autocompletion)


@dataclass(frozen=True)
class FileOptions:
    """How a file is written down."""

    format: Annotated[
        str | None,
        _reading(
            "--format",
            "NAME",
            "Format of the file, where its name does not say it.",
            autocompletion=completion.formats,
        ),
    ] = None
    separator: Annotated[
        str | None,
        _reading("--separator", "TEXT", "Between two values, one or more characters; found out by default."),
    ] = None
    encoding: Annotated[
        str | None, _reading("--encoding", "NAME", "Encoding of the text; found out by default.")
    ] = None
    header: Annotated[
        bool | None,
        _reading(
            "--header/--no-header", None, "Whether the first row names the columns; found out by default."
        ),
    ] = None
    decimal: Annotated[
        str | None,
        _reading("--decimal", "MARK", "Before decimals, a comma or a point; found out by default."),
    ] = None
    thousands: Annotated[
        str | None,
        _reading("--thousands", "MARK", "Between thousands, as in 1.234,50; found out by default."),
    ] = None
    date_format: Annotated[
        str | None,
        _reading(
            "--date-format",
            "FORMAT",
            "How dates are written: day-first, month-first, year-first, or as in %d/%m/%Y; found out by default.",
        ),
    ] = None
    quote: Annotated[
        str | None,
        _reading("--quote", "MARK", "Around texts, a quotation mark or an apostrophe; found out by default."),
    ] = None
    missing: Annotated[
        list[str],
        _reading(
            "--missing",
            "TEXTS",
            "What means a missing value; empty always does, and '?,NA' and other usual marks by default (not in"
            " import).",
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class ReadingOptions(FileOptions):
    """How the table is read."""

    tables: Annotated[
        list[str],
        _reading(
            "--table",
            "NAME",
            "Table of a database, as in clinic.visits, sheet of a workbook or file of an archive; repeated, those with "
            "the same columns are taken together.",
            autocompletion=completion.tables,
        ),
    ] = field(default_factory=list)
    where: Annotated[
        str | None,
        _reading(
            "--where",
            "CONDITION",
            'Rows of a database or cluster to take, as in "age >= 18"; all by default.',
        ),
    ] = None
    types_file: Annotated[
        Path | None, _reading("--types", "FILE", "File of column types: name, type, length.")
    ] = None
    column_types: Annotated[
        list[str],
        _reading(
            "--type",
            "COLUMN=TYPE",
            "Type of a column, as in zip=text; may be repeated.",
            autocompletion=completion.types,
        ),
    ] = field(default_factory=list)


def _cluster(names: str, metavar: str, help: str, autocompletion: "Completion | None" = None) -> Any:
    return option(names, metavar, help, panel="Cluster", autocompletion=autocompletion)


@dataclass(frozen=True)
class SparkOptions:
    """Where Spark runs, and how."""

    master: Annotated[
        str | None,
        _cluster(
            "--master",
            "ADDRESS",
            "Spark: local[4], yarn or spark://host:7077; this machine by default, or what spark-submit says.",
        ),
    ] = None
    settings: Annotated[
        list[str],
        _cluster(
            "--spark-config",
            "NAME=VALUE",
            "Spark: a setting of its session, as in spark.executor.memory=2g; may be repeated.",
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class ClusterOptions(SparkOptions):
    """Whether Spark reads the table, and where it runs."""

    engine: Annotated[
        str | None,
        _cluster(
            "--engine",
            "NAME",
            "spark reads any path on a cluster; by default only those that it alone can read.",
            autocompletion=completion.engines,
        ),
    ] = None


@dataclass(frozen=True)
class SourceOptions:
    """Tables that take the place of those that a project names: this year's of last year's."""

    sources: Annotated[
        list[str],
        option(
            "--source",
            "[TABLE=]PLACE",
            "Take this file, database or place on a cluster for a table of the project; may be repeated.",
            panel="Sources",
            autocompletion=completion.places,
        ),
    ] = field(default_factory=list)
    tables: Annotated[
        list[str],
        option(
            "--source-table",
            "[TABLE=]NAME",
            "Take this table of its database for a table of the project; repeated, their rows are taken together.",
            panel="Sources",
            autocompletion=completion.project_tables,
        ),
    ] = field(default_factory=list)
