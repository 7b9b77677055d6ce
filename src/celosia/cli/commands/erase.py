"""``celosia erase``: take away a table, a file, or what runs that were killed left behind."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.erasing import (
    ErasureResult,
    check_erasable_file,
    erase_database_leftovers,
    erase_database_table,
    erase_file_of,
    erase_leftovers,
    file_traces,
    sign_erasure,
)
from celosia.api.opening import PlaceKind, check_address, place_kind
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.key_options import KeyOptions
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.passwords import Passwords
from celosia.cli.questions import confirmed
from celosia.cli.show import print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.api.results import FileTraces, SecretKey

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(erase)


def erase(
    *,
    place: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="A file; or a folder, or the address of a database, of which what killed runs left is erased.",
            autocompletion=completion.files,
        ),
    ],
    tables: Annotated[
        list[str] | None,
        option(
            "--table",
            "NAME",
            "The table of the database to erase, as in public.visits_safe; may be repeated.",
            autocompletion=completion.tables,
        ),
    ] = None,
    yes: Annotated[bool, option("--yes", None, "Do not ask whether it is meant.")] = False,
    proof: Annotated[
        Path | None,
        option(
            "--proof",
            "FILE",
            "Write a signed statement: what was erased, where it was looked for afterwards, what cannot be promised.",
            autocompletion=completion.files,
        ),
    ] = None,
    look: Annotated[
        list[Path] | None,
        option("--look-in", "FOLDER", "With --proof, look for copies here too; may be repeated."),
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "With --proof, why it was erased.")] = "",
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Erase a table of a database or a file, and look that it is gone; or what killed runs left somewhere."""
    is_database = place_kind(place) is PlaceKind.DATABASE
    if proof is not None:
        ensure_free(proof, overwrite=False)
    secret = None if proof is None else key.keys().current()
    traces = None if secret is None or is_database else file_traces(Path(place), secret)
    erased = _erase(place, tables or [], is_database=is_database, yes=yes)
    if proof is not None and secret is not None:
        _write_proof(proof, secret, erased, traces, look or (), reason)
    if output.as_json:
        written = None if proof is None else str(proof)
        print_json({"erased": erased.names, "left": erased.left or None, "proof": written})
        return
    for name in erased.names:
        print_line(tr("erased: {name}", name=name))
    if not erased.names:
        print_line(tr("nothing was left there by runs that were killed"))
    if erased.left:
        print_line(tr("note: {note}", note=erased.left))
    if proof is not None:
        print_line(tr("proof: {file}", file=proof))


def _erase(place: str, tables: Sequence[str], *, is_database: bool, yes: bool) -> ErasureResult:
    """Erase what was named, once a person has confirmed it; what killed runs left needs no asking."""
    if is_database:
        check_address(place)
        ask = Passwords()
        if not tables:
            return erase_database_leftovers(place, ask=ask)
        for table in tables:
            _confirm(say("the table {table} of {address}", table=table, address=place), yes=yes)
        gone = [erase_database_table(place, table, ask=ask) for table in tables]
        return ErasureResult([name for erased in gone for name in erased.names], gone[-1].left)
    if tables:
        raise ProjectError(
            say("a file or folder has no tables"),
            where=place,
            remedy=say("leave --table out, or give an address"),
        )
    path = Path(place)
    if path.is_dir():
        return ErasureResult(list(map(str, erase_leftovers(path))))
    check_erasable_file(path)
    _confirm(say("the file {path}", path=path), yes=yes)
    return erase_file_of(path)


def _write_proof(
    proof: Path,
    key: "SecretKey",
    erased: ErasureResult,
    traces: "FileTraces | None",
    folders: Sequence[Path],
    reason: str,
) -> None:
    """Look for what was erased, and sign what was found."""
    import json

    statement = sign_erasure(erased, key=key, traces=traces, folders=folders, reason=reason)
    with fresh_file(proof) as hidden:
        text = json.dumps(statement.document, indent=2, ensure_ascii=False)
        hidden.write_text(text + "\n", encoding="utf-8")
    for place in statement.still_there:
        print_line(tr("still there: {place}", place=place), colour="red")


def _confirm(subject: str, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise ProjectError(
            say("it is erased for good, and nobody can be asked"),
            where=subject,
            remedy=say("confirm it with --yes"),
        )
    if not confirmed(tr("Erase {what} for good?", what=subject), err=True):
        raise ProjectError(say("nothing was erased"), where=subject, remedy=say("answer y if it is meant"))
