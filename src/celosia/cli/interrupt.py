"""Ctrl-C and its relatives: whatever is under way is undone, and the person is told what is left."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

__all__ = ["interruptible", "report_interrupt", "tell_if_written"]

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_heard: list[int] = []
"""The signals that asked this process to stop."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Let every signal that asks a process to stop raise KeyboardInterrupt, so that all of them clean up alike.

    >>> with interruptible():
    ...     try:
    ...         signal.raise_signal(signal.SIGTERM)
    ...     except KeyboardInterrupt as stop:
    ...         print(stop.args[0] == signal.SIGTERM)
    True
    """
    # One that the parent ignores (nohup, a job in the background) stays ignored.
    before = {number: signal.getsignal(number) for number in SIGNALS}
    replaced = [number for number, handler in before.items() if handler is not signal.SIG_IGN]
    for number in replaced:
        signal.signal(number, _stop)
    try:
        yield
    finally:
        _heard.clear()
        for number in replaced:
            signal.signal(number, before[number])


def _stop(number: int, _frame: FrameType | None) -> None:
    _heard.append(number)
    # A second signal, or the same one seen by Polars and by Python, must not stop the cleaning up.
    if not isinstance(sys.exc_info()[1], KeyboardInterrupt):
        raise KeyboardInterrupt(number)


@contextmanager
def tell_if_written(path: Path) -> Iterator[None]:
    """Note on an interrupt that came after ``path`` was put into place that it is there, and whole."""
    before = _stamp(path)
    try:
        yield
    except KeyboardInterrupt as stop:
        if _stamp(path) != before:
            stop.add_note(f"{path} was written before, and is complete")
        raise


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def report_interrupt(stop: KeyboardInterrupt) -> int:
    """Say what an interrupt left behind; the status to exit with: 130 for Ctrl-C.

    >>> report_interrupt(KeyboardInterrupt())
    130
    """
    # An interrupt that came through an engine has lost its number on the way.
    numbers = [*stop.args, *_heard[:1], int(signal.SIGINT)]
    number = next(int(part) for part in numbers if isinstance(part, int))
    left = "; ".join(getattr(stop, "__notes__", ())) or "nothing was written"
    print(f"interrupted; {left}", file=sys.stderr)
    return 128 + number
