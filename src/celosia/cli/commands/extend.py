"""``celosia extend``: new rows for an earlier release."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.hierarchies import find_hierarchies
from celosia.api.ledgers import ExtensionRequest, extend_release
from celosia.api.projects import load_project
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import figure, tr, tr_count
from celosia.cli.options import HierarchyOptions, OutputOptions, TableArgument, option
from celosia.cli.parse_options import split_pair
from celosia.cli.show import print_columns, print_json, print_line

if TYPE_CHECKING:
    from celosia.api.results import ExtensionResult

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(extend)


def extend(
    *,
    record: Annotated[
        Path,
        typer.Argument(
            metavar="RECORD", help="The record of the earlier release.", autocompletion=completion.files
        ),
    ],
    table: TableArgument,
    out: Annotated[
        Path, option("--out -o", "FILE", "Where the release with both goes.", autocompletion=completion.files)
    ],
    waiting: Annotated[
        Path | None,
        option(
            "--waiting",
            "FILE",
            "Where rows go that cannot be added yet, as they came: personal data, for your eyes only.",
            autocompletion=completion.files,
        ),
    ] = None,
    hierarchies: HierarchyOptions,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace files of these names.")] = False,
    output: OutputOptions,
) -> None:
    """Add new rows to an earlier release, in its classes; rows that would be told from the others wait."""
    names = load_project(record).plan().quasi_identifiers
    pairs = [
        split_pair(text, names, option="--hierarchy", example="age=ages.csv") for text in hierarchies.files
    ]
    known = {} if hierarchies.folder is None else find_hierarchies(hierarchies.folder, names)
    files = {**known, **{name: Path(path) for name, path in pairs}}
    extension = extend_release(ExtensionRequest(record, table, out, waiting, files, overwrite))
    if output.as_json:
        print_json(extension.record)
        return
    _print(extension, out)


def _print(extension: "ExtensionResult", out: Path) -> None:
    from celosia.cli.release_view import print_findings

    size = tr_count("{count:,} row", "{count:,} rows", extension.rows)
    print_line(f"{out}: {size}", bold=True)
    rows = [(tr("added"), extension.added), (tr("waiting for others of their class"), extension.waiting)]
    if extension.already:
        rows.append((tr("of people who are in it already, left out"), extension.already))
    print_columns([(label, figure(number)) for label, number in rows], right=[1])
    grown = tr_count(
        "{count:,} class grew, {new:,} of them new",
        "{count:,} classes grew, {new:,} of them new",
        extension.classes,
        new=extension.new_classes,
    )
    print_line(f"  {grown}")
    if extension.check is not None and extension.check.assessment is not None:
        k = extension.check.assessment.k
        print_line("  " + tr("k {k:,} remains once joined with all earlier releases", k=k))
    for text in () if extension.check is None else extension.check.unknown:
        print_line("  " + tr("not known: {what}", what=text), colour="yellow")
    print_findings(extension.verification)
