"""How a process begins and ends: signals, arguments that cannot be parsed, the exit status."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from celosia.cli.interrupt import interruptible, report_interrupt
from celosia.cli.language import find_language, named_language, use_language
from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["start"]


def start(arguments: Sequence[str] | None) -> int:
    """Run one command line; the status to exit with.

    >>> start(["anonymise"])
    2
    """
    # Pydantic looks through every package installed for plugins of its own; we use none, and it takes 40 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    words = list(sys.argv[1:] if arguments is None else arguments)
    as_json, named = "--json" in words, named_language(words)
    try:
        language = find_language(named)
    except ProjectError as error:
        return _report(error, as_json=as_json)
    with interruptible(), use_language(language, is_named=named is not None):
        try:
            command = _command_line(is_translated=language != "en" and not as_json)
            return _status(command(args=words, prog_name="celosia", standalone_mode=False))
        except KeyboardInterrupt as stop:
            return report_interrupt(stop)
        except Exception as error:
            if not hasattr(error, "format_message"):
                raise
            return _report_usage(error, as_json=as_json)


def _command_line(*, is_translated: bool) -> Any:
    """All commands, with their helps in the language of the process; messages for programs name things in English."""
    from typer.main import get_command

    from celosia.cli.app import app

    command = get_command(app)
    if is_translated:
        from celosia.cli.help_texts import translate_help

        translate_help(command)
    return command


def _status(returned: Any) -> int:
    return returned if isinstance(returned, int) else 0


def _report_usage(error: object, *, as_json: bool) -> int:
    """Say in one sentence what is wrong with the arguments themselves."""
    from celosia.cli.usage import usage_sentence

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "celosia"
    mistake = ProjectError(usage_sentence(error), where=path, remedy=say("see `{path} --help`", path=path))
    return _report(mistake, as_json=as_json, status=int(getattr(error, "exit_code", 2)))


def _report(error: ProjectError, *, as_json: bool, status: int = 2) -> int:
    from celosia.cli.command import report_error

    report_error(error, as_json=as_json)
    return status
