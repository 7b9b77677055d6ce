"""Many releases of the project's table, each measured and learnt from."""

from typing import Any

from celosia.server.work.kind import Kind, Parameters, Work

__all__ = ["KIND"]


def work(task: Work) -> dict[str, Any]:
    """Carry out the study that the project asks for, from its cache where that has it."""
    from celosia.study.study import run_study

    found = run_study(
        task.project, task.parameters.table, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep(found.to_dict())
    return {"releases": len(found.results)}


KIND = Kind("study", work, Parameters)
