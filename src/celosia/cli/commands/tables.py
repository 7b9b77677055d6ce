"""``celosia tables``: what a database holds."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.opening import ColumnsOfTable, check_address, count_database_columns, describe_database_table
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import figure, tr, tr_count
from celosia.cli.options import AddressArgument, OutputOptions, option
from celosia.cli.passwords import Passwords
from celosia.cli.show import print_columns, print_json, print_line
from celosia.words import phrase

if TYPE_CHECKING:
    from celosia.api.results import DatabaseTable

__all__ = ["add_to"]

KINDS = {"table": phrase("table"), "view": phrase("view")}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(tables)


def tables(
    *,
    address: AddressArgument,
    named: Annotated[
        list[str] | None,
        option(
            "--table",
            "NAME",
            "Show the columns of this table, as in clinic.visits; may be repeated.",
            autocompletion=completion.tables,
        ),
    ] = None,
    output: OutputOptions,
) -> None:
    """List the tables and views of a database, or the columns of one of them."""
    check_address(address)
    ask = Passwords()
    if not named:
        _show_tables(address, count_database_columns(address, ask=ask), as_json=output.as_json)
        return
    described = [describe_database_table(address, name, ask=ask) for name in named]
    if output.as_json:
        print_json([_document(table) for table in described])
        return
    for table in described:
        _show_columns(table)


def _show_tables(address: str, tables: "list[tuple[DatabaseTable, int]]", *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"schema": table.schema, "name": table.name, "kind": table.kind, "columns": width}
                for table, width in tables
            ]
        )
        return
    number = tr_count("{count:,} table", "{count:,} tables", len(tables))
    print_line(f"{address}: {number}", bold=True)
    rows = [
        (table.schema or "", table.name, tr(KINDS.get(table.kind, table.kind)), str(width))
        for table, width in tables
    ]
    if rows:
        print_columns(rows, [tr("schema"), tr("name"), tr("kind"), tr("columns")], right=[3])


def _document(table: ColumnsOfTable) -> dict[str, object]:
    return {
        "schema": table.table.schema,
        "name": table.table.name,
        "columns": [
            {
                "name": column.name,
                "type": str(column.type),
                "length": column.length,
                "native": column.native,
            }
            for column in table.columns
        ],
    }


def _show_columns(described: ColumnsOfTable) -> None:
    table, columns = described.table, described.columns
    shown = f"{table.schema}.{table.name}" if table.schema else table.name
    width = tr_count("{count:,} column", "{count:,} columns", len(columns))
    print_line(f"{shown}: {width}", bold=True)
    rows = [
        (
            column.name,
            tr(str(column.type)),
            "" if column.length is None else figure(column.length),
            column.native,
        )
        for column in columns
    ]
    print_columns(rows, [tr("column"), tr("type"), tr("length"), tr("in the database")], right=[2])
