"""``celosia convert``: projects of other systems as projects of this one."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.projects import convert_file, to_yaml
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.show import print_json, print_line, print_note

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(convert)


def convert(
    *,
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="A project of Anonylitics, or the data_information of SparkTPTDS.",
            autocompletion=completion.files,
        ),
    ],
    trees: Annotated[
        Path | None,
        option("--trees", "FILE", "The categorical_trees of SparkTPTDS.", autocompletion=completion.files),
    ] = None,
    out: Annotated[
        Path | None,
        option("--out -o", "FILE", "Where to write the project; by default it is only shown."),
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    output: OutputOptions,
) -> None:
    """Turn a project of another system into one of this one, and say what could not be carried over."""
    if out is not None:
        ensure_free(out, overwrite=overwrite)
    converted = convert_file(file, trees=trees)
    if out is not None:
        with fresh_file(out) as path:
            path.write_text(to_yaml(converted.project), encoding="utf-8")
    if output.as_json:
        print_json(
            {
                "system": converted.system,
                "file": None if out is None else str(out),
                "project": converted.project,
                "notes": list(converted.notes),
            }
        )
        return
    if out is None:
        print_line(to_yaml(converted.project).rstrip("\n"))
    else:
        print_line(
            tr(
                "{file}, a project of {system}, was written to {out}",
                file=file,
                system=converted.system,
                out=out,
            )
        )
    for note in converted.notes:
        print_note(note)
