"""``celosia measures``: the utility measures, explained by themselves."""

from math import inf
from typing import TYPE_CHECKING

import typer

from celosia.api.registries import release_measures, utility_measures
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.measure_view import TITLES
from celosia.cli.options import OutputOptions
from celosia.cli.show import heading, print_columns, print_json, print_line

if TYPE_CHECKING:
    from celosia.api.results import ReleaseMeasure

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(measures)


def measures(*, output: OutputOptions) -> None:
    """List what a release can be searched by, and all that it can be measured by."""
    searched, measured = utility_measures().values(), release_measures().values()
    if output.as_json:
        print_json(
            [
                {
                    "name": measure.name,
                    "meaning": measure.meaning,
                    "reference": measure.reference,
                    "for": "search",
                }
                for measure in searched
            ]
            + [
                {
                    "name": measure.name,
                    "meaning": measure.meaning,
                    "reference": measure.reference,
                    "for": str(measure.family),
                    "range": measure.range_text,
                    "better": measure.better,
                }
                for measure in measured
            ]
        )
        return
    print_line(tr("What a search makes as low as can be (--measure)"), bold=True)
    print_columns([(measure.name, f"{tr(measure.meaning)} ({measure.reference})") for measure in searched])
    for family, title in TITLES.items():
        heading(f"{tr(title)} (celosia measure --measures {family})")
        rows = [
            (
                measure.name,
                _range(measure),
                tr(measure.better),
                f"{tr(measure.meaning)} ({measure.reference})",
            )
            for measure in measured
            if measure.family == family
        ]
        print_columns(rows, [tr("measure"), tr("range"), tr("better"), tr("meaning")])


def _range(measure: "ReleaseMeasure") -> str:
    if measure.high == inf:
        return tr("{low:g} to any", low=measure.low)
    return tr("{low:g} to {high:g}", low=measure.low, high=measure.high)
