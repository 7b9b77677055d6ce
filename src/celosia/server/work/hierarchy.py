"""Hierarchies of columns: proposed from their values, or held against them."""

from typing import Any

from celosia.say import say
from celosia.server.access import MemberRole
from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND"]

MOST = 100_000
"""Values of a column whose hierarchy people look at."""


class HierarchyRequest(Parameters):
    """The column; without one, all quasi-identifiers of the table."""

    column: str | None = None


def work(task: JobContext) -> dict[str, Any]:
    """The values of a column with their rows, the hierarchy that it has, and the one that is proposed."""
    from celosia.errors import ProjectError
    from celosia.release.open_source import opened_table
    from celosia.types import nearest

    column = task.parameters.column
    task.progress(say("counting"), 0.0)
    name = task.parameters.table or next(iter(task.project.tables), None)
    with opened_table(task.project, name, ask=task.ask) as job:
        names = tuple(job.table.columns())
        if column is not None:
            if column not in names:
                raise ProjectError(
                    say("column {column!r} does not exist", column=column),
                    where="column",
                    remedy=nearest(column, names),
                )
            result = _look(job, column)
            task.keep(result)
            return {"values": len(result["values"])}
        wanted = [each for each in job.plan.quasi_identifiers if each in names]
        found = {}
        for done, each in enumerate(wanted):
            task.progress(say("counting"), done / len(wanted))
            found[each] = _look(job, each)
    task.keep({"table": name, "columns": found})
    return {"columns": len(found)}


def _look(job: Any, column: str) -> dict[str, Any]:
    from celosia.errors import HierarchyError
    from celosia.hierarchies import HierarchyProblem, check, propose
    from celosia.release.job import as_hierarchy
    from celosia.types import ColumnType

    counts = job.table.count_by([column])
    schema = job.table.schema()
    values, rows = counts.texts[0], counts.rows_of(0)
    plan = job.plan.columns.get(column)
    kind = ColumnType.TEXT if column not in schema.names else schema[column].type
    present = values.is_not_null()
    texts = values.filter(present).to_list()
    result: dict[str, Any] = {
        "column": column,
        "type": kind.value,
        "missing": int(rows[~present.to_numpy()].sum()),
    }
    if len(texts) > MOST:
        return {**result, "count": len(texts), "values": {}, "proposed": None, "given": None, "problems": []}
    proposal = propose(column, values.filter(present), type=kind, counts=rows[present.to_numpy()])
    given, problems = None, []
    if plan is not None and plan.hierarchy is not None:
        try:
            given = [list(row) for row in as_hierarchy(plan.hierarchy, column).rows()]
        except HierarchyError as error:  # one that is wrong is for people to look at, too
            problems = [HierarchyProblem("parent", error.what, error.remedy)]
        else:
            problems = check(given, texts)
    return {
        **result,
        "count": len(texts),
        "values": dict(zip(texts, rows[present.to_numpy()].tolist(), strict=True)),
        "proposed": {"rows": [list(row) for row in proposal.hierarchy.rows()], "reason": proposal.reason},
        "given": given,
        "problems": [{"kind": each.kind, "what": each.what, "remedy": each.remedy} for each in problems],
    }


KIND = JobKind("hierarchy", work, HierarchyRequest, sees=MemberRole.ANALYST)
