"""``celosia decrypt``: a release as it was before some of its columns were encrypted."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli import complete
from celosia.cli.command import command
from celosia.cli.key_options import KeyPlace, PreviousKeys, Undone
from celosia.cli.options import Output, Reading, TableArgument, option
from celosia.cli.show import count, print_json, print_line
from celosia.cli.undoing import write_undone

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(decrypt)


def decrypt(
    *,
    table: TableArgument,
    column: Annotated[
        list[str],
        option(
            "--column", "COLUMNS", "The encrypted columns, as in id,phone.", autocompletion=complete.columns
        ),
    ],
    out: Annotated[
        Path,
        option(
            "--out -o", "FILE", "Where the rows go; its name says the format.", autocompletion=complete.files
        ),
    ],
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    undone: Undone,
    place: KeyPlace,
    previous: PreviousKeys,
    reading: Reading,
    output: Output,
) -> None:
    """Decrypt columns of a release, with the key that encrypted them or with a previous one."""
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_undone(
        table, reading, column, out, operation=operation, keys=keys, rotates=False, overwrite=overwrite
    )
    typer.echo(f"note: {out} holds what was encrypted, in clear", err=True)
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "decrypted": names})
    else:
        print_line(f"{out}: {count(rows, 'row')}, decrypted: {', '.join(names)}", bold=True)
