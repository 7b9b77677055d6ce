"""What the columns of a table are: types, proposed roles with their reasons, and the first rows."""

from dataclasses import asdict
from typing import Any

from celosia.api.profiling import ProfileRequest, profile_project
from celosia.server.access import MemberRole
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

__all__ = ["KIND"]

ROWS = 50


class ProfileParameters(Parameters):
    """Whether quasi-identifiers are proposed by what they tell apart, too; that takes longer."""

    propose_quasi_identifiers: bool = False


def work(task: JobContext[ProfileParameters]) -> JobSummary:
    """Look at every column."""
    name = task.parameters.table or next(iter(task.project.tables), None)
    wanted = ProfileRequest(
        proposes_quasi_identifiers=task.parameters.propose_quasi_identifiers,
        proposes_treatments=True,
        first_rows=ROWS,
    )
    profiled = profile_project(task.project, name, wanted, progress=task.progress, ask=task.ask)
    first = None if profiled.first is None else asdict(profiled.first)
    result: dict[str, Any] = {**profiled.profile.to_dict(), "name": name, "first": first}
    result["treatments"] = profiled.treatment_documents
    if profiled.quasi_identifiers is not None:
        result["quasi_identifiers"] = profiled.quasi_identifiers.to_dict()
    task.keep(result)
    return {"rows": profiled.profile.rows, "columns": len(profiled.profile.columns)}


KIND = JobKind("profile", work, ProfileParameters, sees=MemberRole.ANALYST)
