"""``celosia anonymize``: release a table that satisfies the privacy models, with its evidence."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    if out is None and destination.out_table is None:
        raise ProjectError(
            "no destination was given", where="--out", remedy="say where to write, as in --out safe.csv"
        )
    from celosia.cli.evidence import print_release
    from celosia.run import anonymize as release_it

    record = destination.record
    if record is None and destination.out_table is not None:
        record = default_record(destination.out_table)
    asked = Asked(table, reading)
    asked.settle_passwords(out)
    with progress_bar() as progress, _tell_if_released(out, destination.out_table, record):
        project = asked.project(
            roles=roles,
            hierarchies=hierarchies,
            models=models,
            goal=goal,
            technique=technique,
            seed=destination.seed,
            out=out,
            out_table=destination.out_table,
            record=None if record is None else str(record),
        )
        release = release_it(project, overwrite=destination.overwrite, progress=progress, ask=asked.ask)
    if output.as_json:
        print_json(release.record)
    else:
        print_release(release)


@contextmanager
def _tell_if_released(out: str | None, table: str | None, record: Path | None) -> Iterator[None]:
    """Note on an interrupt that came too late that the release is there; a table is where its record is."""
    if table is None or record is None:
        with tell_if_written(Path(out or "")):
            yield
        return
    try:
        with tell_if_written(record):
            yield
    except KeyboardInterrupt as stop:
        if any(note.startswith(str(record)) for note in getattr(stop, "__notes__", ())):
            stop.add_note(f"so is the table {table}")
        raise


def default_record(table: str) -> Path:
    """Where the record of a table goes if nobody says: here, under its name.

    >>> default_record("public.visits_safe")
    PosixPath('visits_safe.record.json')
    """
    from celosia.tables.sql.address import split_name

    name = "".join(letter if letter.isalnum() or letter in "-_. " else "_" for letter in split_name(table)[1])
    return Path(f"{name}.record.json")
