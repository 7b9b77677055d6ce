"""A hierarchy for a column: proposed from its values, or held against them."""

from typing import Any

from celosia.server.access import Part
from celosia.server.work.kind import Kind, Parameters, Work

__all__ = ["KIND"]


class Asked(Parameters):
    """The column."""

    column: str


def work(task: Work) -> dict[str, Any]:
    """The values of the column with their rows, the hierarchy that it has, and the one that is proposed."""
    from celosia.errors import ProjectError
    from celosia.hierarchies import check, propose
    from celosia.release.job import as_hierarchy
    from celosia.release.opening import opened_job
    from celosia.types import ColumnType, nearest

    column = task.parameters.column
    task.progress("counting", 0.0)
    with opened_job(task.project, task.parameters.table, ask=task.ask) as job:
        names = tuple(job.table.columns())
        if column not in names:
            raise ProjectError(
                f"column {column!r} does not exist", where="column", remedy=nearest(column, names)
            )
        counts = job.table.count_by([column])
        schema = job.table.schema()
        values, rows = counts.values[0], counts.rows_of(0)
        plan = job.plan.columns.get(column)
        kind = ColumnType.TEXT if column not in schema.names else schema[column].type
        present = values.is_not_null()
        proposal = propose(column, values.filter(present), type=kind, counts=rows[present.to_numpy()])
        given = None
        if plan is not None and plan.hierarchy is not None:
            given = [list(row) for row in as_hierarchy(plan.hierarchy, column).rows()]
    texts = values.filter(present).to_list()
    task.keep(
        {
            "column": column,
            "values": dict(zip(texts, rows[present.to_numpy()].tolist(), strict=True)),
            "missing": int(rows[~present.to_numpy()].sum()),
            "proposed": {"rows": [list(row) for row in proposal.hierarchy.rows()], "reason": proposal.reason},
            "given": given,
            "problems": []
            if given is None
            else [{"what": each.what, "remedy": each.remedy} for each in check(given, texts)],
        }
    )
    return {"values": len(texts)}


KIND = Kind("hierarchy", work, Asked, sees=Part.ANALYST)
