"""``celosia decrypt``: a release as it was before some of its columns were encrypted."""

import typer

from celosia.cli.command import command
from celosia.cli.key_options import KeyPlace, PreviousKeys, Rewritten, Undone
from celosia.cli.language import tr_count
from celosia.cli.options import Output, ReadingOptions, TableArgument
from celosia.cli.show import print_json, print_line, print_note
from celosia.cli.undoing import write_undone
from celosia.say import say

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
    reading: ReadingOptions,
    output: Output,
) -> None:
    """Decrypt columns of a release, with the key that encrypted them or with a previous one."""
    out = rewritten.out
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_undone(table, reading, rewritten, operation=operation, keys=keys, rotates=False)
    print_note(say("{file} holds what was encrypted, in clear", file=out))
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "decrypted": names})
    else:
        text = tr_count(
            "{file}: {count:,} row, decrypted: {columns}",
            "{file}: {count:,} rows, decrypted: {columns}",
            rows,
            file=out,
            columns=", ".join(names),
        )
        print_line(text, bold=True)
