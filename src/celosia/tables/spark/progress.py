"""How far the jobs of Spark are, for whoever waits for them."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from celosia.say import say
from celosia.tables.table import Progress

__all__ = ["jobs_shown"]

EVERY = 0.5
"""Seconds between two looks at the jobs."""


@contextmanager
def jobs_shown(progress: Progress, *, every: float = EVERY) -> Iterator[Progress]:
    """A function to report to, which hands on what it is told and, while jobs run, how many of their tasks are done.

    Spark is looked at from another thread: the one that works waits for it.
    """
    said: list[str] = [say("working")]
    over = threading.Event()

    def report(stage: str, share: float) -> None:
        said[0] = stage
        progress(stage, share)

    def watch() -> None:
        while not over.wait(every):
            with suppress(Exception):  # a session that is ending has nothing to tell
                done, tasks = _tasks()
                if tasks and not over.is_set():
                    progress(
                        say(
                            "{stage} (Spark: {done:,} of {tasks:,} tasks)",
                            stage=said[0],
                            done=done,
                            tasks=tasks,
                        ),
                        done / tasks,
                    )

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        over.set()
        thread.join()


def _tasks() -> tuple[int, int]:
    """Of the stages that run just now, the tasks that are done, and all."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    if context is None:
        return 0, 0
    tracker = context.statusTracker()
    stages = [tracker.getStageInfo(number) for number in tracker.getActiveStageIds()]
    known = [stage for stage in stages if stage is not None]
    return sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known)
