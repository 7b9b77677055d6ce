"""How a process begins and ends: signals, arguments that cannot be parsed, the exit status."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from celosia.cli.interrupt import interruptible, report_interrupt

__all__ = ["start"]


def start(arguments: Sequence[str] | None) -> int:
    """Run one command line; the status to exit with.

    >>> start(["anonymise"])
    2
    """
    # Pydantic looks through every package installed for plugins of its own; we use none, and it takes 40 ms.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    given = list(sys.argv[1:] if arguments is None else arguments)
    with interruptible():
        try:
            from celosia.cli.app import app

            return _status(app(args=given, prog_name="celosia", standalone_mode=False))
        except KeyboardInterrupt as stop:
            return report_interrupt(stop)
        except Exception as error:
            if not hasattr(error, "format_message"):
                raise
            return _report_usage(error, as_json="--json" in given)


def _status(returned: Any) -> int:
    return returned if isinstance(returned, int) else 0


def _report_usage(error: Any, *, as_json: bool) -> int:
    """Say in one sentence what is wrong with the arguments themselves."""
    from celosia.cli.command import report_error
    from celosia.errors import ProjectError

    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "celosia"
    what = str(error.format_message()).rstrip(".")
    report_error(
        ProjectError(what[:1].lower() + what[1:], where=path, remedy=f"see `{path} --help`"), as_json=as_json
    )
    return int(getattr(error, "exit_code", 2))
