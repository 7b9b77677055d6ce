"""``celosia decrypt``: a release as it was before some of its columns were encrypted."""

import typer

from celosia.cli.command import command
from celosia.cli.key_options import KeyPlace, PreviousKeys, Rewritten, Undone
from celosia.cli.options import Output, Reading, TableArgument
from celosia.cli.show import count, print_json, print_line
from celosia.cli.undoing import write_undone

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(decrypt)


def decrypt(
    *,
    table: TableArgument,
    rewritten: Rewritten,
    undone: Undone,
    place: KeyPlace,
    previous: PreviousKeys,
    reading: Reading,
    output: Output,
) -> None:
    """Decrypt columns of a release, with the key that encrypted them or with a previous one."""
    out = rewritten.out
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_undone(table, reading, rewritten, operation=operation, keys=keys, rotates=False)
    typer.echo(f"note: {out} holds what was encrypted, in clear", err=True)
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "decrypted": names})
    else:
        print_line(f"{out}: {count(rows, 'row')}, decrypted: {', '.join(names)}", bold=True)
