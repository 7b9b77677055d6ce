"""``celosia diff``: what differs between two projects."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.projects import describe_changes
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import render, tr, tr_count
from celosia.cli.options import OutputOptions
from celosia.cli.show import print_json, print_line

__all__ = ["add_to"]

SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(diff)


def _project(metavar: str, help: str) -> object:
    return typer.Argument(metavar=metavar, help=help, autocompletion=completion.files)


def diff(
    *,
    before: Annotated[Path, _project("A", "A project, or the record of a release.")],
    after: Annotated[Path, _project("B", "Another one.")],
    output: OutputOptions,
) -> None:
    """Show what differs between two projects, whatever way they are written; the exit status is 1 if anything does."""
    changes = describe_changes(before, after)
    if output.as_json:
        print_json([change.document() for change in changes])
    elif not changes:
        print_line(tr("{before} and {after} say the same", before=before, after=after))
    else:
        title = tr_count(
            "{count:,} difference from {before} to {after}",
            "{count:,} differences from {before} to {after}",
            len(changes),
            before=before,
            after=after,
        )
        print_line(title, bold=True)
        for change in changes:
            sign, colour = SIGNS[change.kind]
            print_line(f"  {sign} {render(change.sentence)}", colour=colour)
    if changes:
        raise typer.Exit(1)
