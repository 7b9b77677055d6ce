"""``celosia import``: a file into a new table of a database."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from celosia.api.opening import OUT_PASSWORD, PlaceKind, check_address, place_kind, write_types
from celosia.api.requests import TableSource
from celosia.api.transfer import ImportRequest, import_file
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.language import figure, tr
from celosia.cli.options import OutputOptions, ReadingOptions, option
from celosia.cli.parse_options import ALWAYS_MISSING
from celosia.cli.progress import progress_bar
from celosia.cli.show import print_columns, print_json, print_line, table_size
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import say
from celosia.types import Schema

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app, "import")(import_table)


def import_table(
    *,
    table: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A file: CSV, TXT, Parquet, XLSX, JSON, NDJSON or ARFF.",
            autocompletion=completion.files,
        ),
    ],
    out: Annotated[
        str, option("--out -o", "ADDRESS", "The database, as in postgresql://user@host/database.")
    ],
    out_table: Annotated[str, option("--out-table", "NAME", "The table to make, as in clinic.visits.")],
    types_out: Annotated[
        Path | None,
        option("--save-types", "FILE", "Save types and lengths, to edit and give to --types."),
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a table or file of that name.")] = False,
    reading: ReadingOptions,
    output: OutputOptions,
) -> None:
    """Put a file into a new table of a database, as it is, with proposed or given types and lengths."""
    from contextlib import ExitStack

    check_address(out, option="--out", variable=OUT_PASSWORD)
    if place_kind(table) not in (PlaceKind.FILE, PlaceKind.STORE, PlaceKind.WEB):
        raise ProjectError(say("this is no file"), where="import", remedy=say("give the path of a file"))
    if types_out is not None:
        ensure_free(types_out, overwrite=overwrite)
    asked = TableRequest(table, reading)
    asked.ensure_passwords(out)
    with ExitStack() as stack:
        saved = None if types_out is None else stack.enter_context(fresh_file(types_out))
        progress = stack.enter_context(progress_bar())
        imported = import_file(
            ImportRequest(_as_it_is(asked), out, out_table, overwrite),
            progress=progress,
            ask=asked.ask,
            save=None if saved is None else lambda schema: write_types(schema, saved),
        )
    if output.as_json:
        columns = [
            {"name": column.name, "type": str(column.type), "length": column.length}
            for column in imported.schema
        ]
        print_json({"table": imported.table, "rows": imported.rows, "columns": columns})
        return
    size = table_size(imported.rows, len(imported.schema.columns))
    print_line(f"{out} {imported.table}: {size}", bold=True)
    rows = [
        (column.name, tr(str(column.type)), "" if column.length is None else figure(column.length))
        for column in imported.schema
    ]
    print_columns(rows, [tr("column"), tr("type"), tr("length")], right=[2])
    if types_out is not None:
        print_line(tr("types saved to {file}", file=types_out))


def _as_it_is(asked: TableRequest) -> TableSource:
    """How to read a file that is to come through whole: no text but the empty one means a missing value unasked."""
    source = replace(asked.source, types=Schema(tuple(asked.declared.values())))
    return source if asked.reading.missing else replace(source, missing=(ALWAYS_MISSING,))
