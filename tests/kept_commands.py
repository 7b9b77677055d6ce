"""The command line made once for all tests of a process: Typer takes 30 ms to make it, the same every time."""

from functools import cache
from typing import Any

from celosia.cli.start import _command_line as make_command_line


def command_line(*, is_translated: bool) -> Any:
    """All commands; what is to be translated is made anew, as translation changes it."""
    return make_command_line(is_translated=True) if is_translated else _in_english()


@cache
def _in_english() -> Any:
    return make_command_line(is_translated=False)
