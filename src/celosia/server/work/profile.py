"""What the columns of a table are: types, proposed roles with their reasons, and the first rows."""

from typing import Any

from celosia.server.access import MemberRole
from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND", "first_rows"]

ROWS = 50


class ProfileRequest(Parameters):
    """Whether quasi-identifiers are proposed by what they tell apart, too; that takes longer."""

    propose_quasi_identifiers: bool = False


def work(task: JobContext) -> dict[str, Any]:
    """Look at every column."""
    from celosia.profile import profile_table, propose_quasi_identifiers
    from celosia.release.open_source import opened_table
    from celosia.types import Role

    name = task.parameters.table or next(iter(task.project.tables), None)
    with opened_table(task.project, name, ask=task.ask) as job:
        table = job.source
        rows = first_rows(table, ROWS)
        found = profile_table(table, progress=task.progress)
        result: dict[str, Any] = {**found.to_dict(), "name": name, "first": rows}
        if task.parameters.propose_quasi_identifiers:
            nominated = job.plan.quasi_identifiers or found.with_role(Role.QUASI_IDENTIFIER)
            if nominated:
                proposal = propose_quasi_identifiers(table, nominated, progress=task.progress)
                result["quasi_identifiers"] = proposal.to_dict()
    task.keep(result)
    return {"rows": found.rows, "columns": len(found.columns)}


def first_rows(table: Any, most: int) -> dict[str, Any]:
    """The first rows of a table as texts."""
    import polars as pl

    frames = []
    count = 0
    for batch in table.scan(table.columns()):
        frame = batch if isinstance(batch, pl.DataFrame) else pl.DataFrame(batch)
        frames.append(frame.head(most - count))
        count += frames[-1].height
        if count >= most:
            break
    if not frames:
        return {"columns": list(table.columns()), "rows": []}
    whole = pl.concat(frames)
    texts = whole.select(pl.col(name).cast(pl.String) for name in whole.columns)
    return {"columns": list(whole.columns), "rows": [list(row) for row in texts.rows()]}


KIND = JobKind("profile", work, ProfileRequest, sees=MemberRole.ANALYST)
