"""``celosia rotate``: a release taken from the previous key to the current one."""

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
    command(app)(rotate)


def rotate(
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
    """Encrypt columns of a release anew with the current key, from a previous one; nothing is written in clear."""
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_undone(
        table, reading, column, out, operation=operation, keys=keys, rotates=True, overwrite=overwrite
    )
    number = keys.current().id.hex()
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "rotated": names, "key": number})
    else:
        print_line(f"{out}: {count(rows, 'row')}, now with the key {number}: {', '.join(names)}", bold=True)
