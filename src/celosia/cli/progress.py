"""A progress bar for whoever sits at a terminal and has waited for a second."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import Any

from celosia.cli.language import render, tr

__all__ = ["progress_bar"]

PATIENCE = 1.0
"""Seconds before a bar appears: what is done sooner needs none."""


@contextmanager
def progress_bar(*, patience: float = PATIENCE) -> Iterator[Callable[[str, float], None]]:
    """A function to call with what is being done and the share done; it draws on a terminal only.

    >>> with progress_bar() as progress:
    ...     progress("searching", 0.5)
    """
    if not sys.stderr.isatty():
        yield lambda stage, share: None
        return
    bar = _Bar()
    # A timer, because the first long step may report nothing before it ends.
    timer = Timer(patience, bar.appear)
    timer.daemon = True
    timer.start()
    try:
        yield bar.report
    finally:
        timer.cancel()
        bar.vanish()


class _Bar:
    """The latest report, and the bar that shows it once it has appeared; two threads look at both."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.stage, self.share = tr("reading"), 0.0
        self.over = False
        self.shown: Any = None
        self.task: Any = None

    def report(self, stage: str, share: float) -> None:
        with self.lock:
            self.stage, self.share = render(stage), share
            if self.shown is not None:
                self.shown.update(self.task, description=self.stage, completed=share)

    def appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        with self.lock:
            if self.over:
                return
            self.shown = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.task = self.shown.add_task(self.stage, total=1.0, completed=self.share)
            self.shown.start()

    def vanish(self) -> None:
        with self.lock:
            self.over = True
            if self.shown is not None:
                self.shown.stop()
