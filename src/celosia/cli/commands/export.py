"""``celosia export``: a table of a database into a file, as it is."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.opening import check_address
from celosia.api.transfer import check_writing, export_table
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free
from celosia.cli.interrupt import report_if_written
from celosia.cli.language import tr_count
from celosia.cli.options import AddressArgument, OutputOptions, option
from celosia.cli.passwords import Passwords, ensure_passwords
from celosia.cli.progress import progress_bar
from celosia.cli.show import print_json, print_line, print_note
from celosia.say import say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(export)


def export(
    *,
    address: AddressArgument,
    table: Annotated[
        list[str],
        option(
            "--table",
            "NAME",
            "The table, as in clinic.visits; repeated, tables with the same columns are taken together.",
            autocompletion=completion.tables,
        ),
    ],
    out: Annotated[
        Path,
        option(
            "--out -o",
            "FILE",
            "Where the rows go; its name says the format.",
            autocompletion=completion.files,
        ),
    ],
    condition: Annotated[
        str | None, option("--where", "CONDITION", 'Rows to take, as in "age >= 18"; all by default.')
    ] = None,
    separator: Annotated[
        str | None, option("--separator", "TEXT", "Between two values of a text file; a comma by default.")
    ] = None,
    encoding: Annotated[
        str, option("--encoding", "NAME", "Encoding of a text file; utf-8 by default.")
    ] = "utf-8",
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    output: OutputOptions,
) -> None:
    """Write a table of a database to a file, row by row as it is: personal data, not anonymized."""
    check_address(address)
    separator = None if separator is None else separator.replace("\\t", "\t")
    check_writing(out, separator=separator, encoding=encoding)
    ensure_free(out, overwrite=overwrite)
    ask = Passwords()
    ensure_passwords(ask, address)
    with progress_bar() as progress, report_if_written(out):
        rows = export_table(
            address,
            out,
            table=table,
            where=condition,
            separator=separator,
            encoding=encoding,
            overwrite=overwrite,
            progress=progress,
            ask=ask,
        )
    print_note(say("{file} holds personal data, which are not anonymized", file=out))
    if output.as_json:
        print_json({"file": str(out), "rows": rows, "anonymized": False})
    else:
        text = tr_count(
            "{file}: {count:,} row, as they are", "{file}: {count:,} rows, as they are", rows, file=out
        )
        print_line(text, bold=True)
