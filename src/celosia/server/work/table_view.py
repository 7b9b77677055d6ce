"""The project's table before anything is done to it: summary, columns, statistics, values against the class, rows."""

from dataclasses import replace
from typing import Any

from pydantic import Field

from celosia.say import say
from celosia.server.access import MemberRole
from celosia.server.work.comparison import with_target
from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND"]


class RowsRequest(Parameters):
    """The class, and which rows are shown."""

    target: str | None = None
    start: int = Field(default=0, ge=0)
    rows: int = Field(default=100, ge=1, le=1000)


def work(task: JobContext) -> dict[str, Any]:
    """Look at every column."""
    from celosia.compare.input_table import read_input
    from celosia.compare.table_view import (
        browse_rows,
        column_distribution,
        column_statistics,
        list_columns,
        summarize_table,
    )
    from celosia.release.open_source import opened_table

    asked = task.parameters
    name = asked.table or next(iter(task.project.tables), "")
    project = with_target(task.project, name, asked.target)
    plan = project.plan(asked.table)
    task.progress(say("reading"), 0.0)
    with opened_table(project, name, ask=task.ask) as job:
        target = plan.targets[0] if plan.targets else None
        given = replace(read_input(job.source, target, missing=plan.source.missing), name=name)
    names = given.frame.columns
    found: dict[str, Any] = {
        "summary": summarize_table(given),
        "columns": list_columns(given),
        "rows": browse_rows(given, start=asked.start, rows=asked.rows),
        "statistics": {},
        "distributions": {},
    }
    for number, column in enumerate(names):
        task.progress(say("looking at columns"), number / len(names))
        found["statistics"][column] = column_statistics(given, column)
        found["distributions"][column] = column_distribution(given, column)
    task.keep(found)
    return {"rows": given.frame.height, "columns": given.frame.width}


KIND = JobKind("look", work, RowsRequest, sees=MemberRole.ANALYST)
