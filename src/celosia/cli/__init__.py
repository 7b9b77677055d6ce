"""The command line: ``celosia profile``, ``anonymize``, ``explore``, ``verify`` and their companions.

Nothing heavy is imported before a command runs, so that help and completion answer at once.
"""

from collections.abc import Sequence
from typing import NoReturn

__all__ = ["main", "run_process"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its status.

    >>> try:
    ...     main(["measures", "--json"])  # doctest: +ELLIPSIS
    ... except SystemExit as end:
    ...     print(end.code)
    [...]
    0
    """
    from celosia.cli.start import start

    raise SystemExit(start(arguments))


def run_process() -> NoReturn:
    """Be the whole process: run the command line of the system and leave at once.

    The modules that a command imports are never garbage: looking for it meanwhile costs 0.1 s, and taking them apart at
    the end 0.2 s. Loops are loaded beside the engine at work, which had to wait 5 ms for every word with it: a tenth of
    a run on a million rows. Every file is closed and every temporary one removed before ``start`` returns.
    """
    import gc
    import os
    import sys
    from contextlib import suppress

    from celosia.cli.start import start

    gc.set_threshold(100_000)
    sys.setswitchinterval(0.0005)
    status = start(None)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    if "multiprocessing.synchronize" in sys.modules:  # locks between processes are given back at the farewell
        raise SystemExit(status)
    os._exit(status)
