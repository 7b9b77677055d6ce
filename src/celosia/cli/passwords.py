"""Passwords of databases, asked of the person at the terminal."""

from celosia.api.opening import ask_passwords
from celosia.cli.language import render
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["Passwords", "ensure_passwords"]


class Passwords:
    """Asks the person at the terminal for passwords, for each once; what is typed is not shown."""

    def __init__(self) -> None:
        self._answers: dict[str, str] = {}

    @property
    def can_ask(self) -> bool:
        """Whether somebody sits there."""
        import sys

        return sys.stdin.isatty()

    def __call__(self, question: str) -> str:
        """The answer to a question, such as ``Password of postgresql://host/database:``."""
        if question not in self._answers:
            if not self.can_ask:
                raise ProjectError(
                    say("a password is needed, and nobody can be asked"),
                    where=render(question).removesuffix(": "),
                    remedy=say("set CELOSIA_PASSWORD, or use a keyring"),
                )
            import getpass

            self._answers[question] = getpass.getpass(render(question))
        return self._answers[question]


def ensure_passwords(ask: Passwords, source: str | None, out: str | None = None) -> None:
    """Ask for the passwords of databases that a table comes from and goes to, before a progress bar runs."""
    if ask.can_ask:
        ask_passwords(ask, source, out)
