"""What a release keeps and risks at every k, and the largest k that keeps the distributions."""

from pydantic import Field

from celosia.api.planning import BalanceRequest, balance_project, with_mondrian
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

__all__ = ["KIND"]


class BalanceParameters(Parameters):
    """The values of k to try."""

    first: int = Field(default=2, ge=2, le=10_000)
    last: int = Field(default=20, ge=2, le=10_000)
    tolerance: float = Field(default=0.05, gt=0, lt=1)


def work(task: JobContext[BalanceParameters]) -> JobSummary:
    """Sweep over k."""
    asked = task.parameters
    project = with_mondrian(task.project)
    name = asked.table or next(iter(project.tables), None)
    wanted = BalanceRequest(range(asked.first, max(asked.first, asked.last) + 1), asked.tolerance)
    balance = balance_project(project, wanted, name, progress=task.progress, ask=task.ask)
    result = balance.to_dict()
    task.keep(result)
    return {"best": result["best"]}


KIND = JobKind("balance", work, BalanceParameters)
