"""The project's table before anything is done to it: summary, columns, statistics, values against the class, rows."""

from dataclasses import asdict

from pydantic import Field

from celosia.api.comparing import read_whole_class, show_class_table
from celosia.api.projects import with_target
from celosia.say import say
from celosia.server.access import MemberRole
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

__all__ = ["KIND"]


class RowsParameters(Parameters):
    """The class, and which rows are shown."""

    target: str | None = None
    start: int = Field(default=0, ge=0)
    rows: int = Field(default=100, ge=1, le=1000)


def work(task: JobContext[RowsParameters]) -> JobSummary:
    """Look at every column."""
    asked = task.parameters
    name = asked.table or next(iter(task.project.tables), "")
    task.progress(say("reading"), 0.0)
    classes = read_whole_class(with_target(task.project, name, asked.target), name, ask=task.ask)
    shown = show_class_table(classes, start=asked.start, rows=asked.rows, progress=task.progress)
    task.keep(asdict(shown))
    return {"rows": classes.frame.height, "columns": classes.frame.width}


KIND = JobKind("look", work, RowsParameters, sees=MemberRole.ANALYST)
