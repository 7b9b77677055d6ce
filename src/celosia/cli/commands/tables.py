"""``celosia tables``: what a database holds."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.opening import ColumnsOfTable, check_address, count_database_columns, describe_database_table
from celosia.cli import complete
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
            autocompletion=complete.tables,
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
    found = [describe_database_table(address, name, ask=ask) for name in named]
    if output.as_json:
        print_json([_document(each) for each in found])
        return
    for each in found:
        _show_columns(each)


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


def _document(found: ColumnsOfTable) -> dict[str, object]:
    return {
        "schema": found.table.schema,
        "name": found.table.name,
        "columns": [
            {
                "name": each.name,
                "type": str(each.type),
                "length": each.length,
                "native": each.native,
            }
            for each in found.columns
        ],
    }


def _show_columns(found: ColumnsOfTable) -> None:
    table, columns = found.table, found.columns
    shown = f"{table.schema}.{table.name}" if table.schema else table.name
    width = tr_count("{count:,} column", "{count:,} columns", len(columns))
    print_line(f"{shown}: {width}", bold=True)
    rows = [
        (each.name, tr(str(each.type)), "" if each.length is None else figure(each.length), each.native)
        for each in columns
    ]
    print_columns(rows, [tr("column"), tr("type"), tr("length"), tr("in the database")], right=[2])
