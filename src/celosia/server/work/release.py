"""A release: planned, written, verified, with its record; what a few of its rows were before."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from celosia.say import say
from celosia.server.work.kind import JobContext, JobKind, Parameters, with_goals

if TYPE_CHECKING:
    from celosia.release.job import PreparedTable
    from celosia.tables import Recoding

__all__ = ["BESIDE", "KIND"]

BESIDE = ".beside.json"
"""Rows of the table beside what became of them: hidden, since only those who may see the table may see it."""
SHOWN = 20
"""Rows that are kept to be looked at."""


class ReleaseRequest(Parameters):
    """The form of its files; a node to apply, to ``table`` alone if that is named; a table of a connected database to
    write back to."""

    format: Literal["csv", "parquet", "xlsx", "json", "arff"] = "csv"
    node: tuple[int, ...] | None = None
    connection: str | None = None
    out_table: str | None = None


def work(task: JobContext) -> dict[str, Any]:
    """Release all tables of the project, or none."""
    from celosia.run import run_project

    project = _with_destinations(task)
    beside: dict[str, Any] = {}
    releases = run_project(
        project,
        progress=task.progress,
        ask=task.ask,
        look=lambda job, recoding: _look(job, recoding, beside),
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
        }
        for name, release in releases.items()
    }


def _look(job: "PreparedTable", recoding: "Recoding", beside: dict[str, Any]) -> None:
    from celosia.errors import CelosiaError
    from celosia.release.before_after import rows_before_after

    try:
        beside[job.name] = rows_before_after(job, recoding, most=SHOWN)
    except CelosiaError:  # what cannot be shown does not keep a release from being made
        return


def _first(path: Path) -> dict[str, Any]:
    """The first rows of a release as it was written."""
    from celosia.server.work.profile import first_rows
    from celosia.tables import open_table

    return first_rows(open_table(path, missing=()), SHOWN)


def _distributions(task: JobContext, name: str, path: Path) -> dict[str, Any]:
    """Every column before and after; no value is named that the release does not show."""
    from celosia.api.measuring import measure_release
    from celosia.errors import CelosiaError

    try:
        found = measure_release(
            project=task.project, name=name, release=str(path), measures=["variation"], ask=task.ask
        )
    except CelosiaError:
        return {}
    return {
        answer.about: {"variation": answer.value, **answer.details["histogram"]}
        for answer in found["variation"].answers
        if answer.about is not None and "histogram" in answer.details
    }


def _with_destinations(task: JobContext) -> Any:
    """The project with its releases in the folder of this job, or in the database that was named."""
    from celosia.errors import ProjectError
    from celosia.project import Destination
    from celosia.recode.techniques import make_technique

    asked, tables = task.parameters, {}
    if asked.out_table is not None and len(task.project.tables) > 1:
        raise ProjectError(
            say("the project has several tables"), where="out_table", remedy=say("download their files")
        )
    for name, table in task.project.tables.items():
        if asked.out_table is not None:
            place = Destination(
                path=asked.connection, table=asked.out_table, record=str(task.made / f"{name}.record.json")
            )
        else:
            place = Destination(path=str(task.made / f"{name}.{asked.format}"))
        tables[name] = table.model_copy(update={"destination": place})
    project = task.project.model_copy(update={"tables": tables})
    if asked.node is None:
        return project
    technique = make_technique("full-domain", node=asked.node)
    if asked.table is None:
        return with_goals(project, technique=technique)
    task.project.plan(asked.table)  # says so if there is none of that name
    tables[asked.table] = tables[asked.table].model_copy(update={"technique": technique})
    return project.model_copy(update={"tables": tables})


KIND = JobKind("release", work, ReleaseRequest, owners=("connection", "out_table"), addresses=("connection",))
