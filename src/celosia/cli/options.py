"""Every option that commands share, defined once, in groups that a command takes as a whole."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.cli.complete import (
    complete_columns,
    complete_diversity,
    complete_closeness,
    complete_measures,
    complete_missing,
    complete_pairs,
    complete_types,
    complete_unknown,
)

__all__ = ["Goal", "HierarchyFiles", "Models", "Output", "Reading", "Roles", "TableArgument"]

TableArgument = Annotated[
    Path, typer.Argument(metavar="TABLE", help="A file: CSV, TXT, Parquet, XLSX, JSON, NDJSON or ARFF.")
]


def _option(*names: str, panel: str, help: str, metavar: str | None = None, **more: Any) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=panel, show_default=False, **more)


@dataclass(frozen=True)
class Reading:
    """How the table is written down."""

    separator: Annotated[
        str | None,
        _option("--separator", panel="Reading", metavar="TEXT",
                help="What stands between two values, one or more characters; found out by default."),
    ] = None  # fmt: skip
    encoding: Annotated[
        str, _option("--encoding", panel="Reading", metavar="NAME", help="Encoding of text; utf-8 by default.")
    ] = "utf-8"
    header: Annotated[
        bool, _option("--header/--no-header", panel="Reading", help="Whether the first row names the columns.")
    ] = True
    missing: Annotated[
        list[str],
        _option("--missing", panel="Reading", metavar="TEXTS",
                help="Texts that mean a missing value, as in '?,NA' (the default); empty always does."),
    ] = field(default_factory=list)  # fmt: skip
    types_file: Annotated[
        Path | None,
        _option("--types", panel="Reading", metavar="FILE", help="File of column types: name, type, length."),
    ] = None
    column_types: Annotated[
        list[str],
        _option("--type", panel="Reading", metavar="COLUMN=TYPE", autocompletion=complete_types,
                help="Type of a column, as in zip=text; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip


@dataclass(frozen=True)
class Roles:
    """What the columns tell about a person."""

    qi: Annotated[
        list[str],
        _option("--qi", panel="Roles", metavar="COLUMNS", autocompletion=complete_columns,
                help="Quasi-identifiers, as in age,sex,zip; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip
    sensitive: Annotated[
        list[str],
        _option("--sensitive", panel="Roles", metavar="COLUMNS", autocompletion=complete_columns,
                help="Sensitive columns; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip
    identifier: Annotated[
        list[str],
        _option("--identifier", panel="Roles", metavar="COLUMNS", autocompletion=complete_columns,
                help="Columns that never reach a release; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip


@dataclass(frozen=True)
class HierarchyFiles:
    """Where the hierarchies are; a quasi-identifier without file gets a proposed one."""

    folder: Annotated[
        Path | None,
        _option("--hierarchies", panel="Hierarchies", metavar="FOLDER",
                help="Folder with files whose names contain the names of their columns."),
    ] = None  # fmt: skip
    files: Annotated[
        list[str],
        _option("--hierarchy", panel="Hierarchies", metavar="COLUMN=FILE", autocompletion=complete_pairs,
                help="Hierarchy of one column; may be repeated, and comes before the folder."),
    ] = field(default_factory=list)  # fmt: skip


@dataclass(frozen=True)
class Models:
    """The privacy models asked for."""

    k: Annotated[
        str | None, _option("-k", panel="Privacy", metavar="K", help="k-anonymity: rows that a person hides among.")
    ] = None
    diversity: Annotated[
        list[str],
        _option("-l", panel="Privacy", metavar="[COLUMN=][KIND:]L", autocompletion=complete_diversity,
                help="l-diversity, as in 3, entropy:3 or disease=recursive:2:3; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip
    closeness: Annotated[
        list[str],
        _option("-t", panel="Privacy", metavar="[COLUMN=][KIND:]T", autocompletion=complete_closeness,
                help="t-closeness, as in 0.2, ordered:0.2 or salary=hierarchical:0.2; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip


@dataclass(frozen=True)
class Goal:
    """What may be given up and what is worth keeping."""

    suppression: Annotated[
        str,
        _option("--suppression", panel="Search", metavar="SHARE",
                help="Share of the rows that may be left out whole, as in 0.05 or 5%; none by default."),
    ] = "0"  # fmt: skip
    measure: Annotated[
        str,
        _option("--measure", panel="Search", metavar="NAME", autocompletion=complete_measures,
                help="What 'best' means; loss by default, `celosia measures` lists all."),
    ] = "loss"  # fmt: skip
    weight: Annotated[
        list[str],
        _option("--weight", panel="Search", metavar="COLUMN=NUMBER", autocompletion=complete_pairs,
                help="How much a column counts in the measure, as in sex=2; may be repeated."),
    ] = field(default_factory=list)  # fmt: skip
    missing_policy: Annotated[
        str,
        _option("--missing-policy", panel="Search", metavar="POLICY", autocompletion=complete_missing,
                help="A missing quasi-identifier is its own category (default), drops its row, or becomes the mode."),
    ] = "category"  # fmt: skip
    unknown: Annotated[
        str,
        _option("--unknown", panel="Search", metavar="POLICY", autocompletion=complete_unknown,
                help="A value that its hierarchy lacks is an error (default), or suppress leaves its rows out."),
    ] = "error"  # fmt: skip


@dataclass(frozen=True)
class Output:
    """For whom the answer is."""

    as_json: Annotated[
        bool, typer.Option("--json", help="Answer in JSON, for programs.", show_default=False)
    ] = False
