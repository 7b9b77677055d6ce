"""``celosia processing``: the record of processing of a project."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.ledgers import make_processing, spell_processing
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import language_of_document, tr_count
from celosia.cli.options import OutputOptions, ProjectArgument, option
from celosia.cli.show import print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(processing)


def processing(
    *,
    project: ProjectArgument,
    out: Annotated[
        Path | None,
        option(
            "--out -o",
            "FILE",
            "Where the record goes: its name ends in .html, .json or .csv.",
            autocompletion=completion.files,
        ),
    ] = None,
    annex: Annotated[
        bool,
        option("--annex", None, "Also what an impact assessment needs, with the evidence of every release."),
    ] = False,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    output: OutputOptions,
) -> None:
    """Make the record of processing that laws ask for, from a project and its ledger."""
    if out is None and not output.as_json:
        raise ProjectError(
            say("no file was given"), where="--out", remedy=say("say where to write, as in --out record.html")
        )
    language = language_of_document(as_json=output.as_json)
    record = make_processing(project, language=language, annex=annex)
    if out is not None:
        ensure_free(out, overwrite=overwrite)
        text = spell_processing(record, out)
        with fresh_file(out) as hidden:
            hidden.write_text(text, encoding="utf-8")
    if output.as_json:
        print_json(record.document())
        return
    print_line(f"{out}: {record.title}", bold=True)
    if record.lacking:
        lacking = tr_count(
            "{count:,} answer to be filled in, under processing in the project",
            "{count:,} answers to be filled in, under processing in the project",
            record.lacking,
        )
        print_line(f"  {lacking}")
