"""Questions to the person at the terminal, each with a proposal; or the proposals, where nobody wants to be asked."""

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import typer

from celosia.cli.language import current_words, tr
from celosia.cli.show import heading, print_line
from celosia.errors import CelosiaError, ProjectError
from celosia.say import say

__all__ = ["Questions", "confirmed"]

Answer = TypeVar("Answer")


class Questions:
    """Asks one thing after the other; with ``yes`` nothing is asked and every proposal taken.

    >>> Questions(yes=True).ask("Name", "Clinic")
    'Clinic'
    """

    def __init__(self, *, yes: bool) -> None:
        if not yes and not sys.stdin.isatty():
            raise ProjectError(
                say("nobody can be asked here"),
                where="celosia new",
                remedy=say("take all proposals with --yes"),
            )
        self.yes = yes
        with suppress(ImportError):
            # Its waiting for keys is ended by Ctrl-C; that of Python itself is not, once Polars has been at work and
            # has had interrupted calls begin again. And people may edit what they type.
            import readline  # noqa: F401

    def about(self, text: str) -> None:
        """Say what the next questions are about."""
        if not self.yes:
            heading(text)

    def ask(self, text: str, proposal: str = "") -> str:
        """The answer to a question; nothing typed is the proposal."""
        if self.yes:
            return proposal
        answer: str = typer.prompt(text, default=proposal, show_default=bool(proposal))
        return answer.strip()

    def ask_until(self, text: str, proposal: str, understand: Callable[[str], Answer]) -> Answer:
        """What an answer means; one that is a mistake is asked for again."""
        while True:
            try:
                return understand(self.ask(text, proposal))
            except CelosiaError as error:
                if self.yes:
                    raise
                print_line(f"  {current_words().error(error)}", colour="red")

    def confirm(self, text: str, *, proposal: bool = True) -> bool:
        """Whether the person at the terminal agrees to something."""
        return proposal if self.yes else confirmed(text, proposal=proposal)


def confirmed(text: str, *, proposal: bool = False, err: bool = False) -> bool:
    """Whether the person at the terminal agrees: y or n, or the letters of their language."""
    if current_words().language == "en":
        return typer.confirm(text, default=proposal, err=err)
    yes, no = tr("yes"), tr("no")
    letters = f"{yes[0].upper()}/{no[0]}" if proposal else f"{yes[0]}/{no[0].upper()}"
    known = {"": proposal} | {word[: n + 1]: True for word in (yes, "yes", "si") for n in range(len(word))}
    known |= {word[: n + 1]: False for word in (no, "no") for n in range(len(word))}
    while True:
        answer = typer.prompt(
            f"{text} [{letters}]", default="", show_default=False, err=err, prompt_suffix=": "
        )
        if (answered := known.get(answer.strip().lower())) is not None:
            return answered
        typer.echo(tr("answer {yes} or {no}", yes=yes, no=no), err=err)
