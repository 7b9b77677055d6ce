"""``celosia profile``: what is in a table, and what its columns probably are."""

import shlex
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.asked import Asked, parse_share
from celosia.cli.command import command
from celosia.cli.complete import complete_columns
from celosia.cli.options import Output, Reading, TableArgument
from celosia.cli.progress import progress_bar
from celosia.cli.show import count, heading, per_cent, print_columns, print_json, print_line, print_wrapped

if TYPE_CHECKING:
    from celosia.profile import Profile, QuasiIdentifierProposal

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(profile)


def profile(
    table: TableArgument,
    nominated: Annotated[
        list[str] | None,
        typer.Option("--nominate", metavar="COLUMNS", autocompletion=complete_columns, show_default=False,
                     help="Columns to choose quasi-identifiers from; by default those that look like one."),
    ] = None,  # fmt: skip
    tolerance: Annotated[
        str,
        typer.Option("--tolerance", metavar="SHARE", show_default=False,
                     help="Distinct combinations that a smaller choice may lack, as in 5% (the default)."),
    ] = "0.05",  # fmt: skip
    reading: Reading = Reading(),
    output: Output = Output(),
) -> None:
    """Show types, distinct and missing values of every column, and propose roles with their reasons."""
    from celosia.profile import profile_table, propose_quasi_identifiers
    from celosia.types import Role

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
    words = ["celosia", "anonymize", found.table, *_option("--qi", choice)]
    for option, role in others.items():
        words += _option(option, [name for name in found.with_role(role) if name not in choice])
    heading("To release it")
    print_line("  " + shlex.join([*words, "-k", "5", "--out", "safe.csv"]))


def _option(name: str, columns: list[str]) -> list[str]:
    """An option that names columns; one with a comma in its name is named on its own."""
    plain = [column for column in columns if "," not in column]
    single = [word for column in columns if "," in column for word in (name, column)]
    return [*([name, ",".join(plain)] if plain else []), *single]
