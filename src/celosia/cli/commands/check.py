"""``celosia check``: would a project run, and what should be thought over before it does?"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.cli.asked import Passwords
from celosia.cli.cluster import project_at_work, take_session
from celosia.cli.command import command
from celosia.cli.options import Output, ProjectArgument, Session, Sources, option
from celosia.cli.projects import settle_project_passwords, take_sources
from celosia.cli.show import count, print_json, print_line

if TYPE_CHECKING:
    from celosia.check import Remark

__all__ = ["add_to"]

COLOURS = {"mistake": "red", "warning": "yellow", "note": None}


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(check)


def check(
    *,
    project: ProjectArgument,
    sources: Sources,
    session: Session,
    strict: Annotated[bool, option("--strict", None, "Let warnings fail it too.")] = False,
    output: Output,
) -> None:
    """Check a project and its tables and write nothing; the exit status is 2 if it would not run."""
    remarks = _remarks(project, sources, session)
    failing = ("mistake", "warning") if strict else ("mistake",)
    passes = not any(remark.kind in failing for remark in remarks)
    if output.as_json:
        print_json({"passes": passes, "remarks": [asdict(remark) for remark in remarks]})
    else:
        _print(project, remarks)
    if not passes:
        raise typer.Exit(2)


def _remarks(project: Path, sources: Sources, session: Session) -> "Sequence[Remark]":
    from celosia.check import Remark, check_project
    from celosia.project import load_project
    from celosia.project.load import find_mistakes

    mistakes = find_mistakes(project)
    if mistakes:
        return [Remark("mistake", each.what, where=each.where, remedy=each.remedy) for each in mistakes]
    asked = take_session(take_sources(load_project(project), sources), session)
    ask = Passwords()
    settle_project_passwords(asked, ask)
    with project_at_work(asked) as progress:
        return check_project(asked, progress=progress, ask=ask)


def _print(project: Path, remarks: "Sequence[Remark]") -> None:
    for remark in remarks:
        print_line(f"{remark.kind}: {' '.join(str(remark).split())}", colour=COLOURS[remark.kind])
    mistakes, warnings = (sum(r.kind == kind for r in remarks) for kind in ("mistake", "warning"))
    found = [count(number, noun) for number, noun in ((mistakes, "mistake"), (warnings, "warning")) if number]
    verdict = "it would not run" if mistakes else "nothing was found that would stop it"
    print_line(f"{project}: {', '.join([*found, verdict])}", bold=True)
