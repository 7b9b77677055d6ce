"""Techniques on the project's table: what each costs every model, and what it protects."""

from typing import Any

from pydantic import Field

from celosia.project import Project
from celosia.say import say
from celosia.server.work.kind import JobContext, JobKind, Parameters

__all__ = ["KIND", "with_target"]

FILES = ("hierarchy", "file")
"""Parameters of operations that name files: here these would be files of the service."""


class ComparisonRequest(Parameters):
    """What is compared; what is not said is as in the project."""

    target: str | None = None
    techniques: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    folds: int | None = Field(default=None, ge=2, le=100)
    repeats: int | None = Field(default=None, ge=1, le=20)


def work(task: JobContext) -> dict[str, Any]:
    """Compare them, from the cache of the project where that has them."""
    from celosia.compare.compare import compare_in_project
    from celosia.project import ComparePlan

    asked = task.parameters
    name = asked.table or next(iter(task.project.tables), "")
    told = {
        key: getattr(asked, key)
        for key in ("techniques", "models", "folds", "repeats")
        if getattr(asked, key)
    }
    plan = ComparePlan.model_validate({**task.project.compare.model_dump(exclude_defaults=True), **told})
    for technique in plan.techniques:
        _check_technique(technique)
    for model in plan.models:
        _check_model(model)
    project = with_target(task.project.model_copy(update={"compare": plan}), name, asked.target)
    found = compare_in_project(
        project, name, cache=task.folder / "cache", progress=task.progress, ask=task.ask
    )
    task.keep({**found.to_dict(), **_shown(found)})
    return {"tables": len(found.results), "models": len(found.models)}


def with_target(project: Project, name: str, target: str | None) -> Project:
    """The project with another class for a table; None leaves it as it is."""
    if target is None or name not in project.tables:
        return project
    table = project.tables[name].model_copy(update={"targets": (target,)})
    return project.model_copy(update={"tables": {**project.tables, name: table}})


def _shown(found: Any) -> dict[str, Any]:
    """Its tables as rows and as files for papers and programs, and its figures."""
    from celosia.compare.figures import figures
    from celosia.compare.result_files import TABLE_FORMATS, result_tables
    from celosia.server.work.figures import figure_documents

    results = result_tables(found)
    return {
        "results": {name: frame.to_dicts() for name, frame in results.items()},
        "written": {
            name: {ending: write(frame) for ending, write in TABLE_FORMATS.items()}
            for name, frame in results.items()
        },
        "figures": figure_documents(figures(found)),
    }


def _check_technique(text: str) -> None:
    """Raise ProjectError if a technique names a file: that would be one of the service's machine.

    >>> _check_technique("generalize(columns=[age], hierarchy=/etc/passwd, level=0)")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: generalize: techniques of a comparison name no files here; choose another technique
    """
    from celosia.compare.chain import parse_call, split_outside
    from celosia.errors import ProjectError

    for step in split_outside(split_outside(text, "=")[-1], "+"):
        name, parameters = parse_call(step)
        if any(isinstance(parameters.get(one), str) for one in FILES):
            raise ProjectError(
                say("techniques of a comparison name no files here"),
                where=name,
                remedy=say("choose another technique"),
            )


def _check_model(text: str) -> None:
    """Raise ProjectError if a model is not one of ours: others run programs of their own.

    >>> _check_model("weka:J48")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: models: there is no model 'weka:J48' here; choose one of the list
    """
    from celosia.compare.chain import parse_call
    from celosia.errors import ProjectError
    from celosia.measure.learning.registry import learning_models

    name, _ = parse_call(text)
    if name not in learning_models():
        raise ProjectError(
            say("there is no model {name!r} here", name=name),
            where="models",
            remedy=say("choose one of the list"),
        )


KIND = JobKind("comparison", work, ComparisonRequest)
