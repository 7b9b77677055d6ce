"""``celosia hierarchy propose | check | show``: the levels that columns are generalized by."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.hierarchies import (
    HierarchyFault,
    check_files,
    propose_hierarchies,
    read_hierarchy,
    write_hierarchy,
)
from celosia.cli import completion
from celosia.cli.command import command, command_group
from celosia.cli.destination import ensure_free, fresh_file, spell_file
from celosia.cli.language import current_words, render, tr, tr_count
from celosia.cli.options import (
    ClusterOptions,
    HierarchyOptions,
    OutputOptions,
    ReadingOptions,
    TableArgument,
    option,
)
from celosia.cli.show import print_columns, print_json, print_line, print_wrapped
from celosia.cli.table_request import TableRequest
from celosia.errors import HierarchyError, ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Hierarchy, HierarchyProposal

__all__ = ["add_to"]

Columns = Annotated[
    list[str] | None,
    option(
        "--column", "COLUMNS", "Columns, as in age,zip; all by default.", autocompletion=completion.columns
    ),
]
Overwrite = Annotated[bool, option("--overwrite", None, "Replace files of the same names.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = command_group("Propose, check and show the hierarchies of columns.")
    command(group)(propose)
    command(group)(check)
    command(group)(show)
    app.add_typer(group, name="hierarchy")


def propose(
    *,
    table: TableArgument,
    column: Columns = None,
    out: Annotated[
        Path | None,
        option(
            "--out -o",
            "FOLDER",
            "Where to write them, a CSV file per column; by default they are only shown.",
        ),
    ] = None,
    overwrite: Overwrite = False,
    target: Annotated[
        list[str] | None,
        option(
            "--target",
            "COLUMNS",
            "For numbers, propose intervals that tell most about these columns.",
            autocompletion=completion.columns,
        ),
    ] = None,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Propose a hierarchy for columns of a table, from their types, names and values."""
    asked = TableRequest(table, reading, cluster)
    asked.ensure_passwords()
    with asked.at_work() as progress:
        progress(say("proposing"), 0.0)
        names = asked.names(column or []) or list(asked.columns)
        targets = {} if out is None else {name: _target(out, name, overwrite=overwrite) for name in names}
        told = asked.names(target or [])
        proposals = propose_hierarchies(
            asked.source, names, targets=told, language=current_words().language, ask=asked.ask
        )
    written = _write(proposals, targets) if out is not None else {}
    if output.as_json:
        print_json([_document(name, proposal, written.get(name)) for name, proposal in proposals.items()])
        return
    for name, proposal in proposals.items():
        print_line(f"{name}: {render(proposal.reason)}", bold=True)
        _print_levels(proposal.hierarchy)
        if name in written:
            print_line("  " + tr("written to {file}", file=written[name]))


def check(
    *,
    table: TableArgument,
    column: Columns = None,
    files: HierarchyOptions,
    reading: ReadingOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> None:
    """Check the hierarchies of a table's columns; the exit status is 1 if one does not fit its column."""
    asked = TableRequest(table, reading, cluster)
    with asked.at_work():
        names = asked.names(column or []) or list(asked.columns)
        paths = asked.hierarchies(files, names)
        if not paths:
            raise ProjectError(
                say("no hierarchy was given"),
                where="hierarchy check",
                remedy=say("name them with --hierarchies or --hierarchy"),
            )
        checked = check_files(asked.source, paths, ask=asked.ask)
    if output.as_json:
        print_json(
            [
                {"column": name, "file": paths[name], "problems": [asdict(fault) for fault in faults]}
                for name, faults in checked.items()
            ]
        )
    else:
        for name, problems in checked.items():
            print_line(f"{name}, {paths[name]}: {_verdict(problems)}", colour="red" if problems else "green")
            for problem in problems:
                print_wrapped(f"{render(problem.what)}; {render(problem.remedy)}", indent="  ")
    if any(checked.values()):
        raise typer.Exit(1)


def show(
    *,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A hierarchy: a level table or nested JSON.")],
    column: Annotated[
        str | None,
        option("--of", "NAME", "Which one, where the file holds several; by default the file's own name."),
    ] = None,
    value: Annotated[list[str] | None, option("--value", "TEXT", "Show what this value becomes.")] = None,
    rows: Annotated[int, option("--rows", "N", "How many values to show; 20 by default.", min=1)] = 20,
    output: OutputOptions,
) -> None:
    """Show a hierarchy: how many labels each level has, and what its values become."""
    hierarchy = read_hierarchy(file, column or file.stem)
    paths = _paths(hierarchy, value or [])
    if output.as_json:
        labels = [len(level) for level in hierarchy.labels]
        print_json({"column": hierarchy.column, "labels": labels, "rows": [list(path) for path in paths]})
        return
    values = tr_count("{count:,} value", "{count:,} values", len(hierarchy.values))
    levels = tr_count("{count:,} level above", "{count:,} levels above", hierarchy.height)
    print_line(f"{file}: {values}, {levels}", bold=True)
    _print_levels(hierarchy)
    print_line()
    print_columns(paths[:rows], [tr("level {level}", level=level) for level in range(hierarchy.height + 1)])
    if len(paths) > rows:
        print_line("  " + tr("and {count:,} more", count=len(paths) - rows))


def _target(folder: Path, column: str, *, overwrite: bool) -> Path:
    path = folder / f"{spell_file(column)}.csv"
    ensure_free(path, overwrite=overwrite)
    return path


def _write(proposals: "dict[str, HierarchyProposal]", targets: dict[str, Path]) -> dict[str, Path]:
    for name, proposal in proposals.items():
        with fresh_file(targets[name]) as path:
            write_hierarchy(proposal.hierarchy, path)
    return targets


def _document(name: str, proposal: "HierarchyProposal", path: Path | None) -> dict[str, object]:
    return {
        "column": name,
        "reason": proposal.reason,
        "labels": [len(level) for level in proposal.hierarchy.labels],
        "file": None if path is None else str(path),
        "rows": [list(row) for row in proposal.hierarchy.rows()],
    }


def _verdict(problems: list[HierarchyFault]) -> str:
    if not problems:
        return tr("fits")
    return tr_count("{count:,} problem", "{count:,} problems", len(problems))


def _paths(hierarchy: "Hierarchy", values: list[str]) -> list[tuple[str, ...]]:
    paths = hierarchy.rows()
    if not values:
        return paths
    for value in values:
        if value not in hierarchy.values:
            raise HierarchyError(
                say("the hierarchy does not know {value!r}", value=value),
                where="--value",
                remedy=say("show it without --value"),
            )
    return [path for path in paths if path[0] in values]


def _print_levels(hierarchy: "Hierarchy") -> None:
    """One line per level: how many labels, and what one value becomes."""
    value = hierarchy.values[len(hierarchy.values) // 2]
    rows = [
        (
            tr("level {level}", level=level),
            tr_count("{count:,} label", "{count:,} labels", len(labels)),
            f"{hierarchy.level(level)[value]}",
        )
        for level, labels in enumerate(hierarchy.labels)
    ]
    print_columns(rows, right=[1])
