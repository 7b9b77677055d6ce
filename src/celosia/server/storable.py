"""What may be kept at all: texts that every database and file system takes, numbers and depths of a sensible size."""

from collections.abc import Mapping
from typing import Any

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["check_storable", "printable_text"]

DEEPEST = 64
LARGEST = 2**63 - 1


def check_storable(value: Any, *, where: str = "", depth: int = 0) -> None:
    """Raise ProjectError if something cannot be kept.

    >>> check_storable({"name": "a\\x00"})
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: name: this text has characters that are none; leave them out
    """
    if depth > DEEPEST:
        raise ProjectError(
            say("this is nested too deeply"),
            where=printable_text(where)[:80],
            remedy=say("give less at once"),
        )
    if isinstance(value, str):
        if "\x00" in value or printable_text(value) != value:
            raise ProjectError(
                say("this text has characters that are none"),
                where=printable_text(where),
                remedy=say("leave them out"),
            )
    elif isinstance(value, Mapping):
        for name, part in value.items():
            check_storable(str(name), where=where, depth=depth + 1)
            check_storable(part, where=f"{where}.{name}" if where else str(name), depth=depth + 1)
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            check_storable(part, where=f"{where}.{number}" if where else str(number), depth=depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= LARGEST:  # nor is it what is no number at all
        raise ProjectError(
            say("this is no number that can be kept"), where=where, remedy=say("give a smaller one")
        )


def printable_text(text: str) -> str:
    """A text without what no answer can hold: halves of characters, as hostile requests have them.

    >>> printable_text("a\\ud800")
    'a?'
    """
    return text.encode("utf-8", "replace").decode()
