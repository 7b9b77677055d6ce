"""``celosia key new``: a secret key for operations that need one."""

from pathlib import Path
from typing import Annotated

import typer

from celosia.api.masking import new_key, parse_key, store_key
from celosia.cli import completion
from celosia.cli.command import command, command_group
from celosia.cli.language import tr
from celosia.cli.options import OutputOptions, option
from celosia.cli.show import print_json, print_line
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["add_to"]

KEEP = say("keep a copy in a safe place: without it nobody can decrypt what it encrypts")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    group = command_group("Make secret keys.")
    command(group)(new)
    app.add_typer(group, name="key")


def new(
    *,
    file: Annotated[
        Path | None,
        option(
            "--file",
            "FILE",
            "Where the key goes: a new file, that only you may read.",
            autocompletion=completion.files,
        ),
    ] = None,
    keyring: Annotated[
        str | None, option("--keyring", "NAME", "Where the key goes: a new entry of the system's keyring.")
    ] = None,
    show: Annotated[
        bool, option("--show", None, "Print the key instead, for another place to keep it.")
    ] = False,
    output: OutputOptions,
) -> None:
    """Make a new random key, and put it into a file or a keyring."""
    if [file is not None, keyring is not None, show].count(True) != 1:
        raise ProjectError(
            say("say where the one key goes"),
            where="key new",
            remedy=say("give one of --file, --keyring and --show"),
        )
    text = new_key()
    if show:
        print_json({"key": text}) if output.as_json else typer.echo(text)
        return
    store_key(text, file=file, keyring=keyring)
    place = str(file or keyring)
    number = parse_key(text, location=place).id.hex()
    if output.as_json:
        print_json({"id": number, "file": None if file is None else place, "keyring": keyring})
    else:
        print_line(tr("{place}: a new key, with the id {number}", place=place, number=number), bold=True)
        print_line(tr("note: {note}", note=KEEP))
