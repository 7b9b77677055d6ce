"""``celosia tables``: what a database holds."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.opening import check_address, count_database_columns, describe_database_table
from celosia.cli import complete
from celosia.cli.command import command
from celosia.cli.language import figure, tr, tr_count
from celosia.cli.options import AddressArgument, OutputOptions, option
from celosia.cli.parse_options import Passwords
from celosia.cli.show import print_columns, print_json, print_line
from celosia.words import phrase

if TYPE_CHECKING:
    from celosia.api.results import DatabaseTable, SqlColumn

__all__ = ["add_to"]

KINDS = {"table": phrase("table"), "view": phrase("view")}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(tables)


def tables(
    *,
    address: AddressArgument,
    table: Annotated[
        str | None,
        option(
            "--table",
            "NAME",
            "Show the columns of this table, as in clinic.visits.",
            autocompletion=complete.tables,
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """List the tables and views of a database, or the columns of one of them."""
    check_address(address)
    if table is not None:
        found = describe_database_table(address, table, ask=Passwords())
        _show_columns(found.table, found.columns, as_json=output.as_json)
    else:
        _show_tables(address, count_database_columns(address, ask=Passwords()), as_json=output.as_json)


def _show_tables(address: str, found: "list[tuple[DatabaseTable, int]]", *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"schema": each.schema, "name": each.name, "kind": each.kind, "columns": width}
                for each, width in found
            ]
        )
        return
    number = tr_count("{count:,} table", "{count:,} tables", len(found))
    print_line(f"{address}: {number}", bold=True)
    rows = [
        (each.schema or "", each.name, tr(KINDS.get(each.kind, each.kind)), str(width))
        for each, width in found
    ]
    if rows:
        print_columns(rows, [tr("schema"), tr("name"), tr("kind"), tr("columns")], right=[3])


def _show_columns(found: "DatabaseTable", columns: "list[SqlColumn]", *, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "schema": found.schema,
                "name": found.name,
                "columns": [
                    {
                        "name": each.name,
                        "type": str(each.type),
                        "length": each.length,
                        "native": each.native,
                    }
                    for each in columns
                ],
            }
        )
        return
    shown = f"{found.schema}.{found.name}" if found.schema else found.name
    width = tr_count("{count:,} column", "{count:,} columns", len(columns))
    print_line(f"{shown}: {width}", bold=True)
    rows = [
        (each.name, tr(str(each.type)), "" if each.length is None else figure(each.length), each.native)
        for each in columns
    ]
    print_columns(rows, [tr("column"), tr("type"), tr("length"), tr("in the database")], right=[2])
