"""Ctrl-C and its relatives: whatever is under way is undone, and the person is told what is left."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from celosia.cli.language import tr

__all__ = ["interruptible", "report_if_written", "report_interrupt"]

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
AGAIN = 0.1
"""Seconds after which a signal that was not heard is sent again."""
_heard: list[int] = []
"""The signals that asked this process to stop."""
_watched: list[Callable[[], str]] = []
"""What each place of this command says about what was written there: nothing, as long as nothing was."""


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
        with _sent_again_until_heard():
            yield
    finally:
        _heard.clear()
        _watched.clear()
        for number in replaced:
            signal.signal(number, before[number])


@contextmanager
def _sent_again_until_heard() -> Iterator[None]:
    """Send a signal again that came after Python last looked and before it began to wait, for a server perhaps.

    Nothing wakes it from such a wait, and it would hear of the signal when the server has answered.
    """
    if not hasattr(signal, "pthread_kill"):  # where no signal ends a wait
        yield
        return
    main, over = threading.get_ident(), threading.Event()
    read, write = os.pipe()
    os.set_blocking(write, False)
    before = signal.set_wakeup_fd(write, warn_on_full_buffer=False)

    def watch() -> None:
        while came := os.read(read, 1):
            if not over.wait(AGAIN) and came[0] in SIGNALS and came[0] not in _heard:
                signal.pthread_kill(main, came[0])  # this is noticed here too

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(write)
        over.set()
        thread.join()
        os.close(read)


def _stop(number: int, _frame: FrameType | None) -> None:
    _heard.append(number)
    # A second signal, or the same one seen by Polars and by Python, must not stop the cleaning up.
    if not isinstance(sys.exc_info()[1], KeyboardInterrupt):
        raise KeyboardInterrupt(number)


@contextmanager
def report_if_written(
    path: Path | str, stamp: Callable[[Any], object] | None = None, *, table: str | None = None
) -> Iterator[None]:
    """Let an interrupt, now or later in this command, say that ``path`` was put into place meanwhile, and is whole.

    ``stamp`` tells what is at a path from what was there before; by default the file system of this machine does.
    ``table`` is there, too, when ``path`` is.
    """
    look: Callable[[Any], object] = _stamp if stamp is None else stamp
    before = look(path)

    def watch_path() -> str:
        if look(path) == before:
            return ""
        if table is None:
            return tr("{path} was written before, and is complete", path=path)
        return tr(
            "{path} was written before, and is complete; so is the table {table}", path=path, table=table
        )

    place = len(_watched)
    _watched.append(watch_path)
    try:
        yield
    finally:
        # Later there may be nobody left who could look: a session ends with its command.
        answer = watch_path()
        _watched[place] = lambda: answer


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns


def report_interrupt(stop: KeyboardInterrupt) -> int:
    """Say what an interrupt left behind; the status to exit with: 130 for Ctrl-C.

    >>> report_interrupt(KeyboardInterrupt())
    130
    """
    # An interrupt that came through an engine has lost its number on the way.
    numbers = [*stop.args, *_heard[:1], int(signal.SIGINT)]
    number = next(int(part) for part in numbers if isinstance(part, int))
    left = "; ".join(filter(None, [*(watch() for watch in _watched), *getattr(stop, "__notes__", ())]))
    said = tr("interrupted; {left}", left=left) if left else tr("interrupted; nothing was written")
    print(said, file=sys.stderr)
    return 128 + number
