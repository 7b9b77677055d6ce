"""Techniques on the project's table: what each costs every model, and what it protects."""

from typing import Any

from pydantic import Field

from celosia.server.work.kind import Kind, Parameters, Work

__all__ = ["KIND"]


class Asked(Parameters):
    """What is compared; what is not said is as in the project."""

    target: str | None = None
    techniques: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    folds: int = Field(default=10, ge=2, le=100)
    repeats: int = Field(default=1, ge=1, le=20)


def work(task: Work) -> dict[str, Any]:
    """Compare them, from the cache of the project where that has them."""
    from celosia.compare.compare import compare_in_project
    from celosia.project import ComparePlan

    asked = task.parameters
    name = asked.table or next(iter(task.project.tables), "")
    told: dict[str, Any] = {"folds": asked.folds, "repeats": asked.repeats}
    told |= {key: getattr(asked, key) for key in ("techniques", "models") if getattr(asked, key)}
    plan = ComparePlan.model_validate({**task.project.compare.model_dump(exclude_defaults=True), **told})
    project = task.project.model_copy(update={"compare": plan})
    if asked.target is not None and name in project.tables:
        table = project.tables[name].model_copy(update={"targets": (asked.target,)})
        project = project.model_copy(update={"tables": {**project.tables, name: table}})
    found = compare_in_project(
        project, name, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep(found.to_dict())
    return {"tables": len(found.results), "models": len(found.models)}


KIND = Kind("comparison", work, Asked)
