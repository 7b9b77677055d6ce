"""``celosia erase``: take away a table, a file, or what runs that were killed left behind."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from celosia.cli import complete
from celosia.cli.command import command
from celosia.cli.destination import ensure_free, fresh_file
from celosia.cli.key_options import KeyOptions
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.parse_options import Passwords
from celosia.cli.questions import confirmed
from celosia.cli.show import print_json, print_line
from celosia.errors import ProjectError, ReleaseError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.ledger.erasure import FileTraces
    from celosia.mask.keys import SecretKey

__all__ = ["add_to"]

DISK = say("a disk that writes elsewhere, a snapshot or a backup may still hold its bytes")
BESIDE = ("-wal", "-shm", "-journal", ".wal")
"""What SQLite and DuckDB keep beside their files."""


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
            autocompletion=complete.files,
        ),
    ],
    table: Annotated[
        str | None,
        option(
            "--table",
            "NAME",
            "The table of the database to erase, as in public.visits_safe.",
            autocompletion=complete.tables,
        ),
    ] = None,
    yes: Annotated[bool, option("--yes", None, "Do not ask whether it is meant.")] = False,
    proof: Annotated[
        Path | None,
        option(
            "--proof",
            "FILE",
            "Write a signed statement: what was erased, where it was looked for afterwards, what cannot be promised.",
            autocompletion=complete.files,
        ),
    ] = None,
    look: Annotated[
        list[Path] | None,
        option("--look", "FOLDER", "With --proof, look for copies here too; may be repeated."),
    ] = None,
    reason: Annotated[str, option("--reason", "TEXT", "With --proof, why it was erased.")] = "",
    key: KeyOptions,
    output: OutputOptions,
) -> None:
    """Erase a table of a database or a file, and look that it is gone; or what killed runs left somewhere."""
    from celosia.tables.sql.address import is_address, parse_address

    if proof is not None:
        ensure_free(proof, overwrite=False)
    traces = None if proof is None or is_address(place) else _traces(Path(place), key)
    secret = None if proof is None else key.keys().current()
    if is_address(place):
        parse_address(place)
        gone, left = _erase_at(place, table, yes=yes)
    elif table is not None:
        raise ProjectError(
            say("a file or folder has no tables"),
            where=place,
            remedy=say("leave --table out, or give an address"),
        )
    elif Path(place).is_dir():
        gone, left = _erase_temporary(Path(place)), ""
    else:
        gone, left = _erase_file(Path(place), yes=yes)
    if proof is not None and secret is not None:
        _write_proof(proof, secret, gone, left, traces, look or (), reason)
    if output.as_json:
        print_json({"erased": gone, "left": left or None, "proof": None if proof is None else str(proof)})
        return
    for name in gone:
        print_line(tr("erased: {name}", name=name))
    if not gone:
        print_line(tr("nothing was left there by runs that were killed"))
    if left:
        print_line(tr("note: {note}", note=left))
    if proof is not None:
        print_line(tr("proof: {file}", file=proof))


def _traces(path: Path, key: KeyOptions) -> "FileTraces | None":
    from celosia.ledger.erasure import file_traces

    return file_traces(path, key.keys().current()) if path.is_file() and not path.is_symlink() else None


def _write_proof(
    proof: Path,
    key: "SecretKey",
    gone: Sequence[str],
    left: str,
    traces: "FileTraces | None",
    folders: Sequence[Path],
    reason: str,
) -> None:
    """Look for what was erased, and sign what was found."""
    import json

    from celosia.ledger.erasure import ErasureSearch, erasure_limits, search_for_copies, sign_statement

    erased: list[dict[str, Any]] = [{"what": name} for name in gone]
    if traces is None:
        # A table or a folder of leftovers: whoever erased it has looked that it is gone.
        looked = [ErasureSearch(name, say("by its name, where it was"), ()) for name in gone]
        promised = [left] if left else erasure_limits(Path.cwd())
    else:
        about = {"bytes": traces.size, "digest": traces.keyed, "overwritten": traces.links == 1}
        erased = [{"what": str(Path(name).absolute())} for name in gone]
        erased = [one | about if one["what"] == str(traces.path) else one for one in erased]
        looked = list(search_for_copies(traces, folders))
        promised = erasure_limits(traces.path)
    statement = sign_statement(erased, looked, key=key, promised=promised, reason=reason)
    with fresh_file(proof) as hidden:
        hidden.write_text(json.dumps(statement, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    for one in looked:
        for place in one.found:
            print_line(tr("still there: {place}", place=place), colour="red")


def _erase_at(address: str, table: str | None, *, yes: bool) -> tuple[list[str], str]:
    import tempfile

    from celosia.tables.sql.erase import erase_table, erase_temporary

    ask = Passwords()
    if table is None:
        # Rows on their way to a database lie where the system keeps temporary files.
        return [*erase_temporary(address, ask=ask), *_erase_temporary(Path(tempfile.gettempdir()))], ""
    _confirm(say("the table {table} of {address}", table=table, address=address), yes=yes)
    erased = erase_table(address, table, ask=ask)
    return [f"{address} {erased.table}"], erased.left


def _erase_temporary(folder: Path) -> list[str]:
    from celosia.tables.private import erase_leftovers

    return list(map(str, erase_leftovers(folder)))


def _erase_file(path: Path, *, yes: bool) -> tuple[list[str], str]:
    from celosia.tables.private import erase_file

    if path.is_symlink():
        raise ProjectError(
            say("this is a link"),
            where=str(path),
            remedy=say("name the file itself: {path}", path=path.resolve()),
        )
    if not path.is_file():
        raise ProjectError(say("this file does not exist"), where=str(path), remedy=say("check the path"))
    _confirm(say("the file {path}", path=path), yes=yes)
    is_shared = path.stat().st_nlink > 1
    gone = []
    for each in [path, *(path.with_name(path.name + ending) for ending in BESIDE)]:
        if each.is_symlink() or not each.is_file():
            continue
        try:
            erase_file(each)
        except OSError as error:
            raise ReleaseError(
                say("the file could not be erased ({reason})", reason=error.strerror or error),
                where=str(each),
                remedy=say("check the permissions there"),
            ) from error
        gone.append(str(each))
    if is_shared:
        return gone, say("the same file has another name, under which it is still there")
    return gone, DISK


def _confirm(what: str, *, yes: bool) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise ProjectError(
            say("it is erased for good, and nobody can be asked"),
            where=what,
            remedy=say("confirm it with --yes"),
        )
    if not confirmed(tr("Erase {what} for good?", what=what), err=True):
        raise ProjectError(say("nothing was erased"), where=what, remedy=say("answer y if it is meant"))
