"""``celosia proof``: is a statement of erasure as it was signed?"""

from pathlib import Path
from typing import Annotated, Any

import typer

from celosia.api.erasing import check_statement, read_statement
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.show import heading, print_json, print_line

__all__ = ["add_to"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    command(app)(proof)


def proof(
    *,
    statement: Annotated[
        Path,
        typer.Argument(
            metavar="STATEMENT", help="What `celosia erase --proof` wrote.", autocompletion=completion.files
        ),
    ],
    public_key: Annotated[
        str | None,
        option("--public-key", "KEY", "The public key of who should have signed it, known from elsewhere."),
    ] = None,
    output: OutputOptions,
) -> None:
    """Check a signed statement of erasure; the exit status is 1 if it is not as it was signed."""
    document = read_statement(statement)
    passed = check_statement(document, public_key=public_key)
    if output.as_json:
        print_json({"passed": passed, "public key": document.get("public key"), "gone": document.get("gone")})
    else:
        _print(document, passed, public_key)
    if not passed:
        raise typer.Exit(1)


def _print(document: dict[str, Any], passed: bool, public_key: str | None) -> None:
    if not passed:
        verdict = tr("The statement is not as it was signed, or by another")
        print_line(verdict, colour="red", bold=True)
        return
    print_line(tr("The statement is as it was signed"), colour="green", bold=True)
    signed = tr(
        "on {at}, by {program}, with the key {key}",
        at=document["at"],
        program=document["by"],
        key=document["public key"],
    )
    print_line(f"  {signed}")
    if public_key is None:
        unknown = tr("not known: whose key that is; compare it with one from elsewhere")
        print_line(f"  {unknown}", colour="yellow")
    heading(tr("Erased"))
    for trace in document["erased"]:
        print_line(f"  {trace['what']}")
    heading(tr("Looked for afterwards"))
    for trace in document["looked for"]:
        told = ", ".join(trace["found"]) or tr("nothing")
        location, manner = trace["where"], trace["how"]
        print_line(f"  {location}, {tr(manner)}: {told}", colour=None if not trace["found"] else "red")
    heading(tr("Not promised"))
    for text in document["not promised"]:
        print_line(f"  {tr(text)}")
