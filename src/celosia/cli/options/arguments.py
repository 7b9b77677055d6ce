"""The table, address or project that a command takes, the language of its answers, and whether they are JSON."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from celosia.cli import completion
from celosia.cli.options.declare import option

__all__ = ["AddressArgument", "LanguageOption", "OutputOptions", "ProjectArgument", "TableArgument"]


TableArgument = Annotated[
    str,
    typer.Argument(
        metavar="TABLE",
        help="A file, such as CSV, Parquet, Arrow, XLSX, ODS, JSON, SPSS, Stata, SAS or ARFF, compressed or not; "
        'several by a pattern, as in "visits_*.csv", or a folder; s3://, gs://, az:// or https://; the address of a '
        "database, as in postgresql://user@host/database; or a place on a cluster, as in hdfs:///people.parquet or "
        "hive:clinic.people.",
        autocompletion=completion.files,
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
        autocompletion=completion.files,
    ),
]


LanguageOption = Annotated[
    str | None,
    option(
        "--language",
        "NAME",
        "The language of helps, questions, results and documents: en or es; by default that of CELOSIA_LANGUAGE, or"
        " else of the shell.",
        autocompletion=completion.spoken_languages,
    ),
]


@dataclass(frozen=True)
class OutputOptions:
    """For whom the answer is."""

    as_json: Annotated[bool, option("--json", None, "Answer in JSON, for programs.")] = False
