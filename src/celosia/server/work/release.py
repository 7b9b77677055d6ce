"""A release: planned, written, verified, with its record; what a few of its rows were before."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from celosia.api.measuring import MeasureRequest, measure
from celosia.api.opening import first_rows, opened_table
from celosia.api.releasing import run_project, with_destinations, with_node
from celosia.api.requests import TableDestination, TableSource
from celosia.errors import CelosiaError, ProjectError
from celosia.say import say
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

if TYPE_CHECKING:
    from celosia.api.results import Project

__all__ = ["BESIDE", "KIND"]

BESIDE = ".beside.json"
"""Rows of the table beside what became of them: hidden, since only those who may see the table may see it."""
SHOWN = 20
"""Rows that are kept to be looked at."""


class ReleaseParameters(Parameters):
    """The form of its files; a node to apply, to ``table`` alone if that is named; a table of a connected database to
    write back to."""

    format: Literal["csv", "parquet", "xlsx", "json", "arff"] = "csv"
    node: tuple[int, ...] | None = None
    connection: str | None = None
    out_table: str | None = None


def work(task: JobContext[ReleaseParameters]) -> JobSummary:
    """Release all tables of the project, or none."""
    project = _with_destinations(task)
    beside: dict[str, Any] = {}
    releases = run_project(
        project,
        progress=task.progress,
        ask=task.ask,
        rows_shown=beside.__setitem__,
        most_shown=SHOWN,
    )
    records = {name: release.record for name, release in releases.items()}
    files = sorted(path.name for path in task.made.iterdir() if not path.name.startswith("."))
    written = {Path(file).stem: file for file in files if not file.endswith(".record.json")}
    task.keep(beside, under=BESIDE)
    task.keep(
        {
            "records": records,
            "files": files,
            "first": {name: _first(task.made / file) for name, file in written.items()},
            "distributions": {
                name: _distributions(task, name, task.made / file) for name, file in written.items()
            },
        }
    )
    return {
        name: {
            "rows": release.record.get("rows"),
            "risk": release.record.get("risk"),
            "verdict": str(release.verdict.kind),
        }
        for name, release in releases.items()
    }


def _first(path: Path) -> dict[str, Any]:
    """The first rows of a release as it was written."""
    with opened_table(TableSource(path, missing=())) as table:
        return asdict(first_rows(table, SHOWN))


def _distributions(task: JobContext[ReleaseParameters], name: str, path: Path) -> dict[str, Any]:
    """Every column before and after; no value is named that the release does not show."""
    try:
        request = MeasureRequest(name, release=str(path), measures=("variation",))
        results = measure(task.project, request, ask=task.ask)
    except CelosiaError:
        return {}
    return {
        answer.about: {"variation": answer.value, **answer.details["histogram"]}
        for answer in results["variation"].answers
        if answer.about is not None and "histogram" in answer.details
    }


def _with_destinations(task: JobContext[ReleaseParameters]) -> "Project":
    """The project with its releases in the folder of this job, or in the database that was named."""
    asked, places = task.parameters, dict[str, TableDestination]()
    if asked.out_table is not None and len(task.project.tables) > 1:
        raise ProjectError(
            say("the project has several tables"), where="out_table", remedy=say("download their files")
        )
    for name in task.project.tables:
        if asked.out_table is not None:
            record = task.made / f"{name}.record.json"
            places[name] = TableDestination(asked.connection, asked.out_table, record=record)
        else:
            places[name] = TableDestination(task.made / f"{name}.{asked.format}")
    project = with_destinations(task.project, places)
    return project if asked.node is None else with_node(project, asked.node, asked.table)


KIND = JobKind(
    "release", work, ReleaseParameters, owners=("connection", "out_table"), addresses=("connection",)
)
