"""``celosia anonymize``: release a table that satisfies the privacy models, with its evidence."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from celosia.api.building import build_project
from celosia.api.opening import PlaceKind, place_kind
from celosia.api.projects import save_project
from celosia.api.releasing import release_project
from celosia.api.requests import TableDestination
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.key_options import KeyOptions
from celosia.cli.ledger_options import LedgerOptions
from celosia.cli.options import (
    ClusterOptions,
    DestinationOptions,
    GoalOptions,
    HierarchyOptions,
    MaskOptions,
    ModelOptions,
    OutputOptions,
    ReadingOptions,
    RoleOptions,
    TableArgument,
    TechniqueOptions,
    option,
)
from celosia.cli.projects import default_record, report_if_released
from celosia.cli.show import print_json
from celosia.cli.table_request import TableRequest
from celosia.errors import ProjectError
from celosia.say import keep_texts, say

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(anonymize)


def anonymize(
    *,
    table: TableArgument,
    roles: RoleOptions,
    masks: MaskOptions,
    models: ModelOptions,
    hierarchies: HierarchyOptions,
    goal: GoalOptions,
    technique: TechniqueOptions,
    destination: DestinationOptions,
    saved: Annotated[
        Path | None,
        option(
            "--save-project",
            "FILE",
            "Save what the options say as a project too, for `celosia run`, once the release is there.",
            panel="Release",
        ),
    ] = None,
    recording: LedgerOptions,
    key: KeyOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Release a table that satisfies the privacy models, verified, with its evidence."""
    out, out_table, record = _places(destination)
    if saved is not None:
        ensure_free(saved, overwrite=destination.overwrite)
    from celosia.cli.release_view import print_release

    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords(out)
    with asked.at_work(out) as progress, report_if_released(out, out_table, record):
        project = build_project(
            asked.request(
                roles=roles,
                masks=masks,
                person=recording.person,
                hierarchies=hierarchies,
                models=models,
                goal=goal,
                technique=technique,
                seed=destination.seed,
                destination=TableDestination(
                    out, destination.out_table, destination.out_format, record, destination.formulas
                ),
                as_json=output.as_json,
            )
        )
        if recording.ledger is None:  # then the person is only that of the table
            recording = replace(recording, person=None)
        project = recording.apply(key.apply(project))
        release = release_project(project, overwrite=destination.overwrite, progress=progress, ask=asked.ask)
    if saved is not None:
        with fresh_file(saved) as path:
            save_project(project, path)
    if output.as_json:
        print_json(keep_texts(release.record))
    else:
        print_release(release)


def _places(destination: DestinationOptions) -> tuple[str | None, str | None, Path | None]:
    """Where the release goes, the table that it becomes in a database or in Hive, and where the record of that goes."""
    out = destination.out
    if out is None and destination.out_table is None:
        raise ProjectError(
            say("no destination was given"),
            where="--out",
            remedy=say("say where to write, as in --out safe.csv"),
        )
    out_table = out if place_kind(out) is PlaceKind.HIVE else destination.out_table
    if destination.record is None and out_table is not None:
        return out, out_table, default_record(out_table)
    return out, out_table, destination.record
