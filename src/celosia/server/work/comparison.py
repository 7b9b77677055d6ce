"""Techniques on the project's table: what each costs every model, and what it protects."""

from typing import TYPE_CHECKING, Any

from pydantic import Field

from celosia.api.comparing import (
    check_names_no_files,
    check_own_model,
    compare_project,
    comparison_figures,
    result_tables,
)
from celosia.api.projects import ComparisonChanges, with_comparison, with_target
from celosia.server.work.figures import figure_documents
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters

if TYPE_CHECKING:
    from celosia.api.results import Comparison

__all__ = ["KIND"]


class ComparisonParameters(Parameters):
    """What is compared; what is not said is as in the project."""

    target: str | None = None
    techniques: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    folds: int | None = Field(default=None, ge=2, le=100)
    repeats: int | None = Field(default=None, ge=1, le=20)


def work(task: JobContext[ComparisonParameters]) -> JobSummary:
    """Compare them, from the cache of the project where that has them."""
    asked = task.parameters
    name = asked.table or next(iter(task.project.tables), "")
    changes = ComparisonChanges(
        techniques=asked.techniques or None,
        models=asked.models or None,
        folds=asked.folds,
        repeats=asked.repeats,
    )
    project = with_target(with_comparison(task.project, changes), name, asked.target)
    for technique in project.compare.techniques:
        check_names_no_files(technique)
    for model in project.compare.models:
        check_own_model(model)
    comparison = compare_project(
        project, name, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep({**comparison.to_dict(), **_shown(comparison)})
    return {"tables": len(comparison.results), "models": len(comparison.models)}


def _shown(comparison: "Comparison") -> dict[str, Any]:
    """The tables of a comparison as rows and as files for papers and programs, and its figures."""
    results = result_tables(comparison)
    return {
        "results": {name: result.frame.to_dicts() for name, result in results.items()},
        "written": {name: dict(result.texts) for name, result in results.items()},
        "figures": figure_documents(comparison_figures(comparison)),
    }


KIND = JobKind("comparison", work, ComparisonParameters)
