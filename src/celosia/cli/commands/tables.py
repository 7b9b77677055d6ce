"""``celosia tables``: what a database holds."""

from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli import complete
from celosia.cli.asked import Passwords, check_address
from celosia.cli.command import command
from celosia.cli.options import AddressArgument, Output, option
from celosia.cli.show import count, print_columns, print_json, print_line

if TYPE_CHECKING:
    from celosia.tables.sql.columns import SqlColumn
    from celosia.tables.sql.dialect import Found

__all__ = ["add_to"]


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
    output: Output,
) -> None:
    """List the tables and views of a database, or the columns of one of them."""
    check_address(address)
    from celosia.tables.sql.open import count_columns, describe_table

    if table is not None:
        found, columns = describe_table(address, table, ask=Passwords())
        _show_columns(found, columns, as_json=output.as_json)
    else:
        _show_tables(address, count_columns(address, ask=Passwords()), as_json=output.as_json)


def _show_tables(address: str, found: "list[tuple[Found, int]]", *, as_json: bool) -> None:
    if as_json:
        print_json(
            [
                {"schema": each.schema, "name": each.name, "kind": each.kind, "columns": width}
                for each, width in found
            ]
        )
        return
    print_line(f"{address}: {count(len(found), 'table')}", bold=True)
    rows = [(each.schema or "", each.name, each.kind, str(width)) for each, width in found]
    if rows:
        print_columns(rows, ["schema", "name", "kind", "columns"], right=[3])


def _show_columns(found: "Found", columns: "list[SqlColumn]", *, as_json: bool) -> None:
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
    print_line(f"{shown}: {count(len(columns), 'column')}", bold=True)
    rows = [
        (each.name, str(each.type), "" if each.length is None else f"{each.length:,}", each.native)
        for each in columns
    ]
    print_columns(rows, ["column", "type", "length", "in the database"], right=[2])
