"""A release: planned, written, verified, with its record; what a few of its rows were before."""

from typing import Any, Literal

from celosia.server.access import Part
from celosia.server.work.kind import Kind, Parameters, Work, with_goals

__all__ = ["KIND"]


class Asked(Parameters):
    """The form of its files; a node to apply, to ``table`` alone if that is named; a table of a connected database to
    write back to."""

    format: Literal["csv", "parquet", "xlsx", "json", "arff"] = "csv"
    node: tuple[int, ...] | None = None
    connection: str | None = None
    out_table: str | None = None


def work(task: Work) -> dict[str, Any]:
    """Release all tables of the project, or none."""
    from celosia.run import run_project

    project = _with_destinations(task)
    releases = run_project(project, progress=task.progress, ask=task.ask)
    records = {name: release.record for name, release in releases.items()}
    task.keep(
        {
            "records": records,
            "files": sorted(path.name for path in task.made.iterdir() if not path.name.startswith(".")),
        }
    )
    return {
        name: {
            "rows": release.record.get("rows"),
            "risk": release.record.get("risk"),
        }
        for name, release in releases.items()
    }


def _with_destinations(task: Work) -> Any:
    """The project with its releases in the folder of this job, or in the database that was named."""
    from celosia.errors import ProjectError
    from celosia.project import Destination
    from celosia.recode.techniques import make_technique

    asked, tables = task.parameters, {}
    if asked.out_table is not None and len(task.project.tables) > 1:
        raise ProjectError("the project has several tables", where="out_table", remedy="download their files")
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


KIND = Kind("release", work, Asked, part=Part.ANALYST)
