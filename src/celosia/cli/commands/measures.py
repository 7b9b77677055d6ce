"""``celosia measures``: the utility measures, explained by themselves."""

import typer

from celosia.cli.command import command
from celosia.cli.options import Output
from celosia.cli.show import print_columns, print_json

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(measures)


def measures(*, output: Output) -> None:
    """List what a release can be measured, and searched, by."""
    from celosia.measure.utility import utility_measures

    found = utility_measures().values()
    if output.as_json:
        print_json(
            [{"name": each.name, "meaning": each.meaning, "reference": each.reference} for each in found]
        )
    else:
        rows = [(each.name, f"{each.meaning} ({each.reference})") for each in found]
        print_columns(rows, ["measure", "meaning; lower is better"])
