"""``celosia anonymize``: release a table that satisfies the privacy models, with its evidence."""

import typer

from celosia.cli.asked import Asked
from celosia.cli.command import command
from celosia.cli.interrupt import tell_if_written
from celosia.cli.options import (
    Destination,
    Goal,
    HierarchyFiles,
    Models,
    Output,
    Reading,
    Roles,
    TableArgument,
    Technique,
)
from celosia.cli.progress import progress_bar
from celosia.cli.show import print_json
from celosia.errors import ProjectError

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(anonymize)


def anonymize(
    *,
    table: TableArgument,
    roles: Roles,
    models: Models,
    hierarchies: HierarchyFiles,
    goal: Goal,
    technique: Technique,
    destination: Destination,
    reading: Reading,
    output: Output,
) -> None:
    """Release a table that satisfies the privacy models, verified, with its evidence."""
    out = destination.out
    if out is None:
        raise ProjectError(
            "no destination was given", where="--out", remedy="say where to write, as in --out safe.csv"
        )
    from celosia.cli.evidence import print_release
    from celosia.run import anonymize as release_it

    with progress_bar() as progress, tell_if_written(out):
        project = Asked(table, reading).project(
            roles=roles,
            hierarchies=hierarchies,
            models=models,
            goal=goal,
            technique=technique,
            seed=destination.seed,
            out=out,
        )
        release = release_it(project, overwrite=destination.overwrite, progress=progress)
    if output.as_json:
        print_json(release.record)
    else:
        print_release(release)
