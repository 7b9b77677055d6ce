"""``celosia anonymize``: release the best full-domain generalization of a table."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.cli.asked import Asked, parse_node
from celosia.cli.command import command
from celosia.cli.complete import complete_searches
from celosia.cli.interrupt import tell_if_written
from celosia.cli.options import Goal, HierarchyFiles, Models, Output, Reading, Roles, TableArgument
from celosia.cli.progress import progress_bar
from celosia.cli.show import print_json
from celosia.errors import ProjectError

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(anonymize)


def anonymize(
    table: TableArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", show_default=False, rich_help_panel="Release",
                     help="Where the release goes; its name says the format."),
    ] = None,  # fmt: skip
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", show_default=False, rich_help_panel="Release",
                     help="Replace a release of that name."),
    ] = False,  # fmt: skip
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="NUMBER", show_default=False, rich_help_panel="Release",
                     help="For a run that can be repeated; whoever knows it can undo the random order of the rows."),
    ] = None,  # fmt: skip
    search: Annotated[
        str,
        typer.Option("--search", metavar="NAME", show_default=False, rich_help_panel="Search",
                     autocompletion=complete_searches, help="optimal (the default), datafly or samarati."),
    ] = "optimal",  # fmt: skip
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", metavar="NUMBER", show_default=False, rich_help_panel="Search",
                     help="Take the best that is found in this time."),
    ] = None,  # fmt: skip
    node: Annotated[
        str | None,
        typer.Option("--node", metavar="LEVELS", show_default=False, rich_help_panel="Search",
                     help="Apply this candidate of `celosia explore`, as in 1,0,2, instead of the best."),
    ] = None,  # fmt: skip
    roles: Roles = Roles(),
    models: Models = Models(),
    goal: Goal = Goal(),
    hierarchies: HierarchyFiles = HierarchyFiles(),
    reading: Reading = Reading(),
    output: Output = Output(),
) -> None:
    """Release the best generalization that satisfies the privacy models, verified, with its evidence."""
    if out is None:
        raise ProjectError("no destination was given", where="--out", remedy="say where to write, as in --out safe.csv")
    from celosia.cli.evidence import print_release
    from celosia.run import anonymize as release_it

    with progress_bar() as progress, tell_if_written(out):
        project = Asked(table, reading).project(
            roles=roles,
            hierarchies=hierarchies,
            models=models,
            goal=goal,
            search=search,
            seconds=seconds,
            node=parse_node(node),
            seed=seed,
            out=out,
        )
        release = release_it(project, overwrite=overwrite, progress=progress)
    if output.as_json:
        print_json(release.record)
    else:
        print_release(release, project)
