"""``celosia new``: make a project, with a proposal for every question."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.projects import parse_project, to_yaml
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.drafting import find_places, look, places_progress, write_hierarchies
from celosia.cli.language import tr
from celosia.cli.options import ClusterOptions, FileOptions, option
from celosia.cli.questions import Questions
from celosia.cli.reading_questions import ask_reading
from celosia.cli.show import heading, print_line, print_wrapped
from celosia.errors import ReleaseError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import Draft

__all__ = ["add_to"]

SCHEMA = "celosia.schema.json"
"""Where the first line of a project says that editors find the schema: beside it."""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(new)


def new(
    *,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCES",
            help="Files, addresses of databases or places on a cluster, each a table of the project; asked for by"
            " default.",
            autocompletion=completion.files,
        ),
    ] = None,
    tables: Annotated[
        list[str] | None,
        option(
            "--table",
            "NAME",
            "Table of the database, or sheet of the workbook, to take; repeated, each is a table of the project.",
            autocompletion=completion.tables,
        ),
    ] = None,
    out: Annotated[
        Path, option("--out -o", "FILE", "Where to write the project; project.yaml by default.")
    ] = Path("project.yaml"),
    folder: Annotated[
        Path | None,
        option(
            "--hierarchies",
            "FOLDER",
            "Write the proposed hierarchies there, to look them over; by default a run makes them.",
        ),
    ] = None,
    overwrite: Annotated[bool, option("--overwrite", None, "Replace a file of that name.")] = False,
    yes: Annotated[bool, option("--yes", None, "Ask nothing and take all proposals.")] = False,
    reading: FileOptions,
    cluster: ClusterOptions,
) -> None:
    """Make a project step by step: look at tables, propose roles and goals, and write down what you decide."""
    from celosia.cli.wizard import ask_all, ask_repeated

    questions = Questions(yes=yes)
    _ensure_place(out, questions, overwrite=overwrite)
    addresses = sources or [questions.ask(tr("Table: a file, or the address of a database"))]
    places = find_places([text for text in addresses if text], tables or [], reading, questions, cluster)
    places = ask_reading(places, questions)
    proposed = look(places, out.parent)
    draft = proposed.draft
    ask_repeated(draft, proposed.repeated, questions)
    ask_all(draft, questions)
    if folder is None and draft.complete and not draft.is_light:
        answer = questions.ask(tr("Folder for the proposed hierarchies; Enter if a run may make them"))
        folder = Path(answer) if answer else None
    if folder is not None and not draft.is_light:
        with places_progress(places):
            write_hierarchies(draft, places, folder, out.parent)
    _write(draft, out)
    _tell(draft, out)


def _ensure_place(out: Path, questions: Questions, *, overwrite: bool) -> None:
    """Raise if a project cannot be written there, or may not take the place of what is."""
    ensure_free(out, overwrite=True)
    if overwrite or not out.exists():
        return
    question = tr("{file} exists already. Replace it?", file=out)
    if questions.yes or not questions.confirm(question, proposal=False):
        remedy = say("choose another name with --out, or allow it with --overwrite")
        raise ReleaseError(say("{out} exists already", out=out), remedy=remedy)


def _write(draft: "Draft", out: Path) -> None:
    text = to_yaml(draft.document(), schema=SCHEMA)
    parse_project(text, str(out))  # says what is wrong before anything is written
    with fresh_file(out) as path:
        path.write_text(text, encoding="utf-8")


def _tell(draft: "Draft", out: Path) -> None:
    """What was written, and what to do next."""
    heading(tr("Written"))
    print_line(f"  {out}")
    heading(tr("To do next"))
    if draft.needs_key:
        command, why = f'export {draft.variable}="$(celosia key new --show)"', tr("once, and keep it safe")
        print_line(f"  {command}   # {why}")
    print_line("  " + shlex.join(["celosia", "check", str(out)]))
    print_line("  " + shlex.join(["celosia", "run", str(out)]))
    schema = shlex.join(["celosia", "schema", "--out", str(out.parent / SCHEMA)])
    editors = tr("for editors that complete and check it")
    print_line(f"  {schema}   # {editors}")
    if draft.is_light:
        print_wrapped(
            tr(
                "Nothing but identifiers is changed yet: give columns operations, which `celosia operations` explains."
            ),
            indent="  ",
        )
