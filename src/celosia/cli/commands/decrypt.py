"""``celosia decrypt``: a release as it was before some of its columns were encrypted."""

import typer

from celosia.cli.command import command
from celosia.cli.key_options import KeyOptions, PreviousKeyOptions, ReversalOutput, ReversedOperation
from celosia.cli.language import tr_count
from celosia.cli.options import OutputOptions, ReadingOptions, TableArgument
from celosia.cli.reversal import write_reversed
from celosia.cli.show import print_json, print_line, print_note
from celosia.say import say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(decrypt)


def decrypt(
    *,
    table: TableArgument,
    rewritten: ReversalOutput,
    undone: ReversedOperation,
    place: KeyOptions,
    previous: PreviousKeyOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Decrypt columns of a release, with the key that encrypted them or with a previous one."""
    out = rewritten.out
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_reversed(table, reading, rewritten, operation=operation, keys=keys, rotates=False)
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
