"""``celosia profile``: what is in a table, and what its columns probably are."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli import complete
from celosia.cli.asked import Asked, parse_share
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.options import Output, Reading, TableArgument, option
from celosia.cli.progress import progress_bar
from celosia.cli.show import count, heading, per_cent, print_columns, print_json, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.profile import Profile, QuasiIdentifierProposal

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(profile)


def profile(
    *,
    table: TableArgument,
    nominated: Annotated[
        list[str] | None,
        option(
            "--nominate",
            "COLUMNS",
            "Columns to choose quasi-identifiers from; by default those that look like one.",
            autocompletion=complete.columns,
        ),
    ] = None,
    tolerance: Annotated[
        str, option("--tolerance", "SHARE", "Combinations that a smaller choice may lack; 5% by default.")
    ] = "5%",
    types_out: Annotated[
        Path | None,
        option("--save-types", "FILE", "Save the types of the columns, to edit and give to --types."),
    ] = None,
    reading: Reading,
    output: Output,
) -> None:
    """Show types, distinct and missing values of every column, and propose roles with their reasons."""
    from celosia.profile import profile_table, propose_quasi_identifiers
    from celosia.types import Role

    if types_out is not None:
        ensure_free(types_out, overwrite=False)
    asked = Asked(table, reading)
    share = parse_share(tolerance, option="--tolerance")
    with progress_bar() as progress:
        opened = asked.open()
        named = asked.names(nominated or [])
        found = profile_table(opened, progress=progress)
        choice = named or list(found.with_role(Role.QUASI_IDENTIFIER))
        proposal = (
            propose_quasi_identifiers(opened, choice, tolerance=share, progress=progress) if choice else None
        )
    if types_out is not None:
        from celosia.tables import write_types

        with fresh_file(types_out) as path:
            write_types(opened.schema(), path)
    if output.as_json:
        proposed = None if proposal is None else proposal.to_dict()
        print_json({**found.to_dict(), "quasi_identifiers": proposed})
        return
    _print(found)
    _print_proposal(found, proposal, choice)


def _print(found: "Profile") -> None:
    print_line(f"{found.table}: {count(found.rows, 'row')}, {count(len(found.columns), 'column')}", bold=True)
    rows = [
        (
            column.name,
            str(column.type),
            f"{column.distinct:,}",
            per_cent(column.missing / column.rows) if column.missing else "",
            str(column.role),
            "; ".join(map(str, column.reasons)),
        )
        for column in found
    ]
    print_line()
    print_columns(rows, ["column", "type", "distinct", "missing", "proposed role", "because"], right=[2, 3])


def _print_proposal(found: "Profile", proposal: "QuasiIdentifierProposal | None", choice: list[str]) -> None:
    from celosia.types import Role

    if proposal is None:
        return
    heading("Quasi-identifiers")
    print_wrapped(f"{', '.join(proposal.columns)}: {proposal.reason}", indent="  ")
    others = {"--sensitive": Role.SENSITIVE, "--identifier": Role.IDENTIFIER}
    words = ["celosia", "anonymize", found.table, *_naming("--qi", choice)]
    for flag, role in others.items():
        words += _naming(flag, [name for name in found.with_role(role) if name not in choice])
    heading("To release it")
    print_line("  " + shlex.join([*words, "-k", "5", "--out", "safe.csv"]))


def _naming(flag: str, columns: list[str]) -> list[str]:
    """An option that names columns; one with a comma in its name is named on its own."""
    plain = [column for column in columns if "," not in column]
    single = [word for column in columns if "," in column for word in (flag, column)]
    return [*([flag, ",".join(plain)] if plain else []), *single]
