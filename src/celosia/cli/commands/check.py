"""``celosia check``: would a project run, and what should be thought over before it does?"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.checking import check_project, document_remarks, left_to_the_run
from celosia.api.projects import load_project
from celosia.cli.cluster import project_progress, with_session_options
from celosia.cli.command import command
from celosia.cli.language import render, tr, tr_count
from celosia.cli.options import OutputOptions, ProjectArgument, SourceOptions, SparkOptions, option
from celosia.cli.passwords import Passwords
from celosia.cli.projects import ensure_project_passwords, with_records, with_sources
from celosia.cli.show import print_json, print_line
from celosia.words import phrase

if TYPE_CHECKING:
    from celosia.api.results import Remark

__all__ = ["add_to"]

COLOURS = {"mistake": "red", "warning": "yellow", "note": None}
KINDS = {"mistake": phrase("mistake"), "warning": phrase("warning"), "note": phrase("note")}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(check)


def check(
    *,
    project: ProjectArgument,
    sources: SourceOptions,
    session: SparkOptions,
    strict: Annotated[bool, option("--strict", None, "Let warnings fail it too.")] = False,
    output: OutputOptions,
) -> None:
    """Check a project and its tables and write nothing; the exit status is 2 if it would not run.

    All rows are read, and everything is refused that a run refuses before its search. Left to the run are what only a
    search, the ledger, the verification and writing can tell: the last lines say so.
    """
    remarks = _remarks(project, sources, session)
    failing = ("mistake", "warning") if strict else ("mistake",)
    passes = not any(remark.kind in failing for remark in remarks)
    if output.as_json:
        told = [asdict(remark) for remark in remarks]
        print_json({"passes": passes, "remarks": told, "left_to_the_run": list(left_to_the_run())})
    else:
        _print(project, remarks)
    if not passes:
        raise typer.Exit(2)


def _remarks(project: Path, sources: SourceOptions, session: SparkOptions) -> "Sequence[Remark]":
    mistakes = document_remarks(project)
    if mistakes:
        return mistakes
    moved = with_session_options(with_sources(load_project(project), sources), session)
    asked = with_records(moved, project.parent)
    ask = Passwords()
    ensure_project_passwords(asked, ask)
    with project_progress(asked) as progress:
        return check_project(asked, progress=progress, ask=ask)


def _print(project: Path, remarks: "Sequence[Remark]") -> None:
    for remark in remarks:
        sentence = " ".join(str(_rendered(remark)).split())
        print_line(f"{tr(KINDS[remark.kind])}: {sentence}", colour=COLOURS[remark.kind])
    mistakes, warnings = (sum(r.kind == kind for r in remarks) for kind in ("mistake", "warning"))
    if not mistakes:
        print_line(tr("left to the run: {texts}", texts="; ".join(map(render, left_to_the_run()))))
    chosen = [
        *([tr_count("{count:,} mistake", "{count:,} mistakes", mistakes)] if mistakes else []),
        *([tr_count("{count:,} warning", "{count:,} warnings", warnings)] if warnings else []),
        tr("it would not run") if mistakes else tr("nothing was found that would stop it"),
    ]
    print_line(f"{project}: {', '.join(chosen)}", bold=True)


def _rendered(remark: "Remark") -> "Remark":
    return replace(remark, what=render(remark.what), where=render(remark.where), remedy=render(remark.remedy))
