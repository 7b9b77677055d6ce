"""``celosia run``: carry out a project."""

from typing import Annotated

import typer

from celosia.api.checking import check_destinations
from celosia.api.projects import load_project
from celosia.api.releasing import run_project
from celosia.cli.cluster import project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.ledger_options import LedgerOptions
from celosia.cli.options import OutputOptions, ProjectArgument, SourceOptions, SparkOptions, option
from celosia.cli.passwords import Passwords
from celosia.cli.projects import (
    ensure_project_passwords,
    report_if_all_released,
    with_records,
    with_sources,
)
from celosia.cli.show import print_json, print_line
from celosia.say import keep_texts

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(run)


def run(
    *,
    project: ProjectArgument,
    sources: SourceOptions,
    session: SparkOptions,
    recording: LedgerOptions,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace releases of the same names.")] = False,
    output: OutputOptions,
) -> None:
    """Release all tables of a project, verified, with their evidence, or none of them."""
    from celosia.cli.release_view import print_release

    moved = with_session_options(with_sources(load_project(project), sources), session)
    asked = recording.apply(with_records(moved, project.parent))
    check_destinations(asked)
    ask = Passwords()
    ensure_project_passwords(asked, ask)
    with project_progress(asked) as progress, report_if_all_released(asked):
        releases = run_project(asked, overwrite=overwrite, progress=progress, ask=ask)
    if output.as_json:
        print_json({name: keep_texts(release.record) for name, release in releases.items()})
        return
    for number, (name, release) in enumerate(releases.items()):
        if len(releases) > 1:
            print_line(("\n" if number else "") + name, bold=True)
        print_release(release)
