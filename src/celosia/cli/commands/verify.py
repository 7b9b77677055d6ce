"""``celosia verify``: does a table keep the promises of a release?"""

from dataclasses import asdict

import typer

from celosia.api.projects import assign_roles
from celosia.api.requests import PopulationSource
from celosia.api.verifying import VerificationRequest, verify_table
from celosia.cli.command import command
from celosia.cli.language import render, tr, tr_count
from celosia.cli.options import (
    ClusterOptions,
    HierarchyOptions,
    ModelOptions,
    OutputOptions,
    PersonOption,
    ReadingOptions,
    RoleOptions,
    TableArgument,
)
from celosia.cli.parse_options import parse_fraction, parse_models
from celosia.cli.release_view import print_verdict
from celosia.cli.show import print_json, print_line
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import keep_texts, say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(verify)


def verify(
    *,
    table: TableArgument,
    roles: RoleOptions,
    person: PersonOption = None,
    models: ModelOptions,
    hierarchies: HierarchyOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Recompute the models on a release, and look at all other columns; the exit status is 1 if one is broken."""
    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords()
    with asked.at_work() as progress:
        progress(say("verifying"), 0.0)
        named = asked.roles(roles, person)
        assign_roles(named)  # says so if a column has two
        promised = parse_models(models, named.sensitive)
        if not promised:
            raise ProjectError(
                say("no privacy model is asked for"),
                where="verify",
                remedy=say("ask for k-anonymity with -k 5, for example"),
            )
        request = VerificationRequest(
            asked.source,
            named,
            promised,
            hierarchies=asked.hierarchies(hierarchies, named.with_hierarchies),
            population=PopulationSource(models.population, parse_fraction(models.population_fraction)),
        )
        verified = verify_table(request, progress=progress, ask=asked.ask)
    if output.as_json:
        told = {
            **asdict(verified),
            "exposure": verified.exposure.to_dict(),
            "verdict": verified.verdict.to_dict(),
        }
        print_json(keep_texts(told))
    else:
        shown = " ".join([table, *reading.tables])
        size = tr(
            "{table}: {rows} in {classes}, the smallest of {smallest}",
            table=shown,
            rows=tr_count("{count:,} row", "{count:,} rows", verified.rows),
            classes=tr_count("{count:,} class", "{count:,} classes", verified.classes),
            smallest=tr_count("{count:,} row", "{count:,} rows", verified.smallest)
            if person is None
            else tr_count("{count:,} person", "{count:,} people", verified.smallest),
        )
        print_line(size)
        for finding in verified.findings:
            verdict = tr("kept") if finding.passed else tr("BROKEN")
            print_line(
                f"  {verdict}: {render(finding.text)}",
                colour="green" if finding.passed else "red",
                bold=not finding.passed,
            )
        print_verdict(verified.verdict)
    if not verified.passed:
        raise typer.Exit(1)
