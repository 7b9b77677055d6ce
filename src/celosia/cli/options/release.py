"""Options about where a release goes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from celosia.cli import completion
from celosia.cli.options.declare import option

__all__ = ["DestinationOptions"]


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
            autocompletion=completion.files,
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
            autocompletion=completion.formats,
        ),
    ] = None
    formulas: Annotated[
        str,
        option(
            "--formulas",
            "WHAT",
            "Texts that a spreadsheet would take for a formula: keep them, which is told, or escape them with an"
            " apostrophe.",
            panel="Release",
        ),
    ] = "keep"
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
