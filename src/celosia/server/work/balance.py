"""What a release keeps and risks at every k, and the largest k that keeps the distributions."""

from typing import Any

from pydantic import Field

from celosia.server.work.kind import JobContext, JobKind, Parameters, with_goals

__all__ = ["KIND"]


class BalanceRequest(Parameters):
    """The values of k to try."""

    first: int = Field(default=2, ge=2, le=10_000)
    last: int = Field(default=20, ge=2, le=10_000)
    tolerance: float = Field(default=0.05, gt=0, lt=1)


def work(task: JobContext) -> dict[str, Any]:
    """Sweep over k."""
    from celosia import run
    from celosia.balancing import choose_technique, sweep
    from celosia.recode.techniques import make_technique

    asked = task.parameters
    # The curve is that of Mondrian, which leaves out no row.
    project = with_goals(task.project, technique=make_technique("mondrian"), suppression=0.0)
    name = asked.table or next(iter(project.tables), None)
    ks = range(asked.first, max(asked.first, asked.last) + 1)
    with run.prepared(project, name=name, progress=task.progress, ask=task.ask) as prepared:
        technique = choose_technique(prepared, project.technique, is_named=False)
        found = sweep(prepared, technique, ks, tolerance=asked.tolerance)
    result = found.to_dict()
    task.keep(result)
    return {"best": result["best"]}


KIND = JobKind("balance", work, BalanceRequest)
