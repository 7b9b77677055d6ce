"""Every option that commands share, defined once, in groups that a command takes as a whole."""

from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from celosia.cli import complete

__all__ = [
    "PERSON",
    "AddressArgument",
    "ClusterOptions",
    "DestinationOptions",
    "FileOptions",
    "GoalOptions",
    "HierarchyOptions",
    "LanguageOption",
    "MaskOptions",
    "ModelOptions",
    "OutputOptions",
    "PersonOption",
    "ProjectArgument",
    "PromiseOptions",
    "ReadingOptions",
    "RoleOptions",
    "SourceOptions",
    "SparkOptions",
    "TableArgument",
    "TechniqueOptions",
    "option",
    "typed",
]

TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A file: CSV, TXT, Parquet, XLSX, JSON, NDJSON or ARFF; the address of a database, as in "
        "postgresql://user@host/database; or a place on a cluster, as in hdfs:///people.parquet or hive:clinic.people.",
        autocompletion=complete.files,
    ),
]

AddressArgument = Annotated[
    str,
    typer.Argument(
        metavar="ADDRESS",
        help="The address of a database, as in postgresql://user@host/database or sqlite:///file.db.",
    ),
]

ProjectArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PROJECT",
        help="A project, YAML or JSON, or the record of a release.",
        autocompletion=complete.files,
    ),
]


def option(names: str, metavar: str | None, help: str, *, panel: str | None = None, **more: Any) -> Any:
    """An option by its names; the help says the default where there is one."""
    return typer.Option(
        *names.split(), metavar=metavar, help=help, rich_help_panel=panel, show_default=False, **more
    )


LanguageOption = Annotated[
    str | None,
    option(
        "--language",
        "NAME",
        "The language of helps, questions, results and documents: en or es; by default that of CELOSIA_LANGUAGE, or"
        " else of the shell.",
        autocompletion=complete.spoken_languages,
    ),
]


def _reading(names: str, metavar: str | None, help: str, **more: Any) -> Any:
    return option(names, metavar, help, panel="Reading", **more)


def _role(names: str, help: str) -> Any:
    return option(names, "COLUMNS", help, panel="Roles", autocompletion=complete.columns)


def _search(names: str, metavar: str, help: str, **more: Any) -> Any:
    return option(names, metavar, help, panel="Search", **more)


@dataclass(frozen=True)
class FileOptions:
    """How a file is written down."""

    format: Annotated[
        str | None,
        _reading(
            "--format",
            "NAME",
            "Format of the file, where its name does not say it.",
            autocompletion=complete.formats,
        ),
    ] = None
    separator: Annotated[
        str | None,
        _reading("--separator", "TEXT", "Between two values, one or more characters; found out by default."),
    ] = None
    encoding: Annotated[str, _reading("--encoding", "NAME", "Encoding of the text; utf-8 by default.")] = (
        "utf-8"
    )
    header: Annotated[
        bool, _reading("--header/--no-header", None, "Whether the first row names the columns.")
    ] = True
    missing: Annotated[
        list[str],
        _reading(
            "--missing",
            "TEXTS",
            "What means a missing value; empty always does, and '?,NA' by default (not in import).",
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
            "Table of a database, as in clinic.visits; repeated, tables with the same columns are taken together.",
            autocompletion=complete.tables,
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
            autocompletion=complete.types,
        ),
    ] = field(default_factory=list)


def _cluster(names: str, metavar: str, help: str, **more: Any) -> Any:
    return option(names, metavar, help, panel="Cluster", **more)


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
            autocompletion=complete.engines,
        ),
    ] = None


@dataclass(frozen=True)
class RoleOptions:
    """What the columns tell about a person."""

    qi: Annotated[list[str], _role("--qi", "Quasi-identifiers, as in age,sex,zip; may be repeated.")] = field(
        default_factory=list
    )
    sensitive: Annotated[list[str], _role("--sensitive", "Sensitive columns; may be repeated.")] = field(
        default_factory=list
    )
    identifier: Annotated[
        list[str], _role("--identifier", "Columns that never reach a release; may be repeated.")
    ] = field(default_factory=list)
    common: Annotated[
        list[str],
        _role("--common", "Columns that leave as they are, and that the verdict names; may be repeated."),
    ] = field(default_factory=list)
    accept: Annotated[
        list[str],
        option(
            "--accept",
            "COLUMN=WHY",
            "A column that leaves though it tells people apart, and why nobody outside can know it; may be repeated.",
            panel="Roles",
            autocompletion=complete.pairs,
        ),
    ] = field(default_factory=list)


PERSON = "The column that tells people apart, where one may have several rows; it need not leave."
PersonOption = Annotated[
    str | None, option("--person", "COLUMN", PERSON, panel="Roles", autocompletion=complete.columns)
]


@dataclass(frozen=True)
class MaskOptions:
    """What is done to columns besides, so that their values tell nobody apart."""

    mask: Annotated[
        list[str],
        option(
            "--mask",
            "COLUMN=OPERATION",
            "What is done to a column, as in note=drop or age=code:top=90; see `operations`; may be repeated.",
            panel="Roles",
            autocompletion=complete.columns,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class HierarchyOptions:
    """Where the hierarchies are; a quasi-identifier without file gets a proposed one."""

    folder: Annotated[
        Path | None,
        option(
            "--hierarchies",
            "FOLDER",
            "Folder with files whose names contain the names of their columns.",
            panel="Hierarchies",
        ),
    ] = None
    files: Annotated[
        list[str],
        option(
            "--hierarchy",
            "COLUMN=FILE",
            "Hierarchy of one column; may be repeated, and comes before the folder.",
            panel="Hierarchies",
            autocompletion=complete.pairs,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class PromiseOptions:
    """The privacy models asked for besides k-anonymity."""

    diversity: Annotated[
        list[str],
        option(
            "-l",
            "[COLUMN=][KIND:]L",
            "l-diversity, as in 3, entropy:3 or disease=recursive:2:3; may be repeated.",
            panel="Privacy",
            autocompletion=complete.diversity,
        ),
    ] = field(default_factory=list)
    closeness: Annotated[
        list[str],
        option(
            "-t",
            "[COLUMN=][KIND:]T",
            "t-closeness, as in 0.2, ordered:0.2, pain=ordered:0.2:low,middle,high or salary=hierarchical:0.2; may be "
            "repeated.",
            panel="Privacy",
            autocompletion=complete.closeness,
        ),
    ] = field(default_factory=list)
    named: Annotated[
        list[str],
        option(
            "--model",
            "NAME:PARAMETERS",
            "Any privacy model, as in k-map:k=5 or beta-likeness:beta=2,column=disease; see `models`; may be repeated.",
            panel="Privacy",
            autocompletion=complete.named_models,
        ),
    ] = field(default_factory=list)
    population: Annotated[
        str | None,
        option(
            "--population",
            "TABLE",
            "A table of all people of whom this one holds some, with the same columns, for models that look at it.",
            panel="Privacy",
            autocompletion=complete.files,
        ),
    ] = None
    population_fraction: Annotated[
        str | None,
        option(
            "--population-fraction",
            "SHARE",
            "The share of the population that the table holds, as in 0.1 or 10%, for models that estimate.",
            panel="Privacy",
        ),
    ] = None

    def with_k(self, k: str) -> "ModelOptions":
        """The same besides k-anonymity."""
        return ModelOptions(**{each.name: getattr(self, each.name) for each in fields(self)}, k=k)


@dataclass(frozen=True)
class ModelOptions(PromiseOptions):
    """The privacy models asked for."""

    k: Annotated[
        str | None, option("-k", "K", "k-anonymity: rows that a person hides among.", panel="Privacy")
    ] = None


@dataclass(frozen=True)
class GoalOptions:
    """What may be given up and what is worth keeping."""

    suppression: Annotated[
        str,
        _search(
            "--suppression", "SHARE", "Rows that may be left out whole, as in 0.05 or 5%; none by default."
        ),
    ] = "0"
    measure: Annotated[
        str,
        _search(
            "--measure",
            "NAME",
            "What is to be lowest; loss by default, `celosia measures` lists all.",
            autocompletion=complete.measures,
        ),
    ] = "loss"
    weight: Annotated[
        list[str],
        _search(
            "--weight",
            "COLUMN=NUMBER",
            "How much a column counts in the measure, as in sex=2; may be repeated.",
            autocompletion=complete.pairs,
        ),
    ] = field(default_factory=list)
    missing_policy: Annotated[
        str,
        _search(
            "--missing-policy",
            "POLICY",
            "A missing value is a category (the default), or drop leaves its row out, or it becomes the mode.",
            autocompletion=complete.missing_policies,
        ),
    ] = "category"
    unknown: Annotated[
        str,
        _search(
            "--unknown",
            "POLICY",
            "A value that its hierarchy lacks is an error (the default), or suppress leaves its rows out.",
            autocompletion=complete.unknown_policies,
        ),
    ] = "error"


def _technique(names: str, metavar: str | None, help: str, **more: Any) -> Any:
    return option(names, metavar, help, panel="Technique", **more)


@dataclass(frozen=True)
class TechniqueOptions:
    """How the table is made safe; what an option says is a parameter of the technique, which not all have."""

    technique: Annotated[
        str,
        _technique(
            "--technique",
            "NAME",
            "full-domain (the default), top-down, two-phase, local, mondrian, distribution-mondrian or clustering;"
            " see `techniques`.",
            autocompletion=complete.techniques,
        ),
    ] = "full-domain"
    search: Annotated[
        str | None,
        _technique(
            "--search",
            "NAME",
            "Full-domain: optimal (the default), incognito, datafly or samarati.",
            autocompletion=complete.searches,
        ),
    ] = None
    seconds: Annotated[
        float | None,
        _technique("--seconds", "NUMBER", "Full-domain: take the best that is found in this time."),
    ] = None
    node: Annotated[
        str | None,
        _technique(
            "--node",
            "LEVELS",
            "Full-domain: apply this candidate of `celosia explore`, as in 1,0,2, not the best.",
        ),
    ] = None
    split: Annotated[
        str | None,
        _technique(
            "--split",
            "NAME",
            "Mondrian: cut where the loss (the default) is lowest, at the median, by distribution, or by gain.",
            autocompletion=complete.splits,
        ),
    ] = None
    represent: Annotated[
        str | None,
        _technique(
            "--represent",
            "NAME",
            "Mondrian, clustering: what a class shows: range, set, node, mode, median or mean.",
            autocompletion=complete.representations,
        ),
    ] = None
    width: Annotated[
        str | None,
        _technique(
            "--width",
            "NAME",
            "Mondrian: the widest column is the one of the largest share (the default) or deviation.",
            autocompletion=complete.widths,
        ),
    ] = None
    relaxed: Annotated[
        bool | None,
        _technique("--relaxed", None, "Mondrian: equal values may fall on both sides of a cut."),
    ] = None
    effort: Annotated[
        str | None,
        _technique(
            "--effort",
            "NAME",
            "Clustering: how long it refines: quick, normal (the default) or thorough.",
            autocompletion=complete.efforts,
        ),
    ] = None
    blind: Annotated[
        bool | None,
        _technique("--blind", None, "Clustering: form classes without a look at sensitive values."),
    ] = None
    target: Annotated[
        list[str],
        _technique(
            "--target",
            "COLUMNS",
            "Mondrian, top-down, two-phase: what gains are to tell about; the last two: sensitive columns by default.",
            autocompletion=complete.columns,
        ),
    ] = field(default_factory=list)
    score: Annotated[
        str | None,
        _technique(
            "--score",
            "NAME",
            "Top-down, two-phase: gain-per-privacy (the default), gain, loss-per-privacy or loss.",
            autocompletion=complete.scores,
        ),
    ] = None
    numbers: Annotated[
        str | None,
        _technique(
            "--numbers",
            "NAME",
            "Top-down, two-phase: intervals of numbers without hierarchy by gain (the default), or as proposed.",
            autocompletion=complete.numbers,
        ),
    ] = None
    partitions: Annotated[
        int | None,
        _technique("--partitions", "NUMBER", "Two-phase: how many partitions; 3 by default."),
    ] = None
    k_partition: Annotated[
        int | None,
        _technique("--k-partition", "K", "Two-phase: k inside the partitions; twice k by default."),
    ] = None
    memory: Annotated[
        str | None,
        _technique(
            "--memory",
            "SIZE",
            "Mondrian, clustering: memory to take, as in 2GB; a share of what is free by default.",
        ),
    ] = None
    keep_type: Annotated[
        list[str],
        _technique(
            "--keep-type",
            "COLUMNS",
            "Mondrian, clustering: columns that keep their type, classes showing one value.",
            autocompletion=complete.columns,
        ),
    ] = field(default_factory=list)
    labels: Annotated[
        list[str],
        _technique(
            "--labels",
            "COLUMNS",
            "Mondrian, clustering: columns whose classes show a range or a label.",
            autocompletion=complete.columns,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class DestinationOptions:
    """Where the release goes."""

    out: Annotated[
        str | None,
        option(
            "--out -o",
            "PLACE",
            "Where the release goes: a file or a path on a cluster, whose name says the format; the address of a"
            " database; or a table of Hive, as in hive:clinic.safe.",
            panel="Release",
            autocompletion=complete.files,
        ),
    ] = None
    out_table: Annotated[
        str | None,
        option(
            "--out-table",
            "NAME",
            "Table to make in the database of --out, or else of the source, as in public.visits_safe.",
            panel="Release",
        ),
    ] = None
    out_format: Annotated[
        str | None,
        option(
            "--out-format",
            "NAME",
            "Format of the release, where its name does not say it.",
            panel="Release",
            autocompletion=complete.formats,
        ),
    ] = None
    record: Annotated[
        Path | None,
        option(
            "--record",
            "FILE",
            "Where the record of a table in a database or Hive goes; by default named like the table, here.",
            panel="Release",
        ),
    ] = None
    overwrite: Annotated[
        bool, option("--overwrite", None, "Replace a release of that name.", panel="Release")
    ] = False
    seed: Annotated[
        int | None,
        option(
            "--seed",
            "NUMBER",
            "For a release to a file that can be repeated; whoever knows it can undo the random order of the rows.",
            panel="Release",
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
            autocompletion=complete.places,
        ),
    ] = field(default_factory=list)
    tables: Annotated[
        list[str],
        option(
            "--source-table",
            "[TABLE=]NAME",
            "Take this table of its database for a table of the project; repeated, their rows are taken together.",
            panel="Sources",
            autocompletion=complete.project_tables,
        ),
    ] = field(default_factory=list)


@dataclass(frozen=True)
class OutputOptions:
    """For whom the answer is."""

    as_json: Annotated[bool, option("--json", None, "Answer in JSON, for programs.")] = False


def typed(group: Any) -> list[str]:
    """What was typed for a group of options; what is as by default need not be.

    >>> typed(RoleOptions(qi=["age,sex"]))
    ['--qi', 'age,sex']
    """
    words: list[str] = []
    hints = get_type_hints(type(group), include_extras=True)
    for each in fields(group):
        given = getattr(group, each.name)
        default = each.default if each.default_factory is MISSING else each.default_factory()
        if given == default or each.name == "as_json":
            continue
        declared = hints[each.name].__metadata__[0]
        # Typer takes the first name for a default, and puts it right when it builds the command.
        name, _, opposite = str(declared.default).partition("/")
        if isinstance(given, bool):
            words.append(name if given else opposite)
        else:
            for text in given if isinstance(given, list) else [given]:
                words += [name, str(text)]
    return words
