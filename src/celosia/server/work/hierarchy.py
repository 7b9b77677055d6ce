"""Hierarchies of columns: proposed from their values, or held against them."""

from dataclasses import asdict

from celosia.api.hierarchies import ColumnHierarchy, project_hierarchies
from celosia.say import say
from celosia.server.access import MemberRole
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters
from celosia.server.work.results import HierarchyResult

__all__ = ["KIND"]

MOST = 100_000
"""Values of a column whose hierarchy people look at."""


class HierarchyParameters(Parameters):
    """The column; without one, all quasi-identifiers of the table."""

    column: str | None = None


def work(task: JobContext[HierarchyParameters]) -> JobSummary:
    """The values of a column with their rows, the hierarchy that it has, and the one that is proposed."""
    column = task.parameters.column
    task.progress(say("counting"), 0.0)
    name = task.parameters.table or next(iter(task.project.tables), None)
    hierarchies = project_hierarchies(
        task.project, name, column, most=MOST, progress=task.progress, ask=task.ask
    )
    documents = {column_name: _document(hierarchy) for column_name, hierarchy in hierarchies.items()}
    if column is not None:
        task.keep(documents[column])
        return {"values": len(documents[column]["values"])}
    task.keep({"table": name, "columns": documents})
    return {"columns": len(documents)}


def _document(hierarchy: ColumnHierarchy) -> HierarchyResult:
    proposed = hierarchy.proposed
    return {
        "column": hierarchy.column,
        "type": hierarchy.type,
        "missing": hierarchy.missing,
        "count": hierarchy.count,
        "values": dict(hierarchy.values),
        "proposed": None
        if proposed is None
        else {"rows": [list(row) for row in proposed.hierarchy.rows()], "reason": proposed.reason},
        "given": None if hierarchy.given is None else [list(row) for row in hierarchy.given],
        "problems": [asdict(fault) for fault in hierarchy.faults],
    }


KIND = JobKind("hierarchy", work, HierarchyParameters, sees=MemberRole.ANALYST)
