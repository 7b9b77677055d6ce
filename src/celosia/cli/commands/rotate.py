"""``celosia rotate``: a release taken from the previous key to the current one."""

import typer

from celosia.cli.command import command
from celosia.cli.key_options import KeyOptions, PreviousKeyOptions, ReversalOutput, ReversedOperation
from celosia.cli.language import tr_count
from celosia.cli.options import OutputOptions, ReadingOptions, TableArgument
from celosia.cli.reversal import write_reversed
from celosia.cli.show import print_json, print_line

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(rotate)


def rotate(
    *,
    table: TableArgument,
    rewritten: ReversalOutput,
    undone: ReversedOperation,
    place: KeyOptions,
    previous: PreviousKeyOptions,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Encrypt columns of a release anew with the current key, from a previous one; nothing is written in clear."""
    out = rewritten.out
    operation, keys = undone.make(), place.keys(previous)
    rows, names = write_reversed(table, reading, rewritten, operation=operation, keys=keys, rotates=True)
    number = keys.current().id.hex()
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "rotated": names, "key": number})
    else:
        text = tr_count(
            "{file}: {count:,} row, now with the key {key}: {columns}",
            "{file}: {count:,} rows, now with the key {key}: {columns}",
            rows,
            file=out,
            key=number,
            columns=", ".join(names),
        )
        print_line(text, bold=True)
