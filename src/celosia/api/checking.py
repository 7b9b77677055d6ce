"""What would stop a run, found without writing anything."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.api.arguments import with_progress

if TYPE_CHECKING:
    from celosia.api.results import Ask, Progress, Project, Remark
    from celosia.errors import CelosiaError

__all__ = ["check_destinations", "check_project", "contradictions", "document_remarks", "left_to_the_run"]


def document_remarks(path: Path) -> "list[Remark]":
    """What is wrong with the document of a project by itself, before any table is opened."""
    from celosia.api.projects import find_mistakes
    from celosia.check import Remark

    return [
        Remark("mistake", mistake.what, where=mistake.where, remedy=mistake.remedy)
        for mistake in find_mistakes(path)
    ]


def check_project(
    project: "Project", *, progress: "Progress | None" = None, ask: "Ask | None" = None
) -> "Sequence[Remark]":
    """Everything that can be said of a project before it runs: its tables are opened and read, nothing is written."""
    from celosia import check

    return check.check_project(project, ask=ask, **with_progress(progress))


def check_destinations(project: "Project") -> None:
    """Raise if a table of a project has nowhere to go."""
    from celosia import check

    check.check_destinations(project)


def left_to_the_run() -> Sequence[str]:
    """What may still stop a run that passed every check."""
    from celosia.check import LEFT_TO_THE_RUN

    return LEFT_TO_THE_RUN


def contradictions(project: "Project") -> "list[CelosiaError]":
    """What cannot be promised together, or not in this way, known before any table is opened.

    >>> from celosia.api.projects import make_project
    >>> people = {"source": "people.csv", "columns": {"age": "quasi-identifier"}}
    >>> asked = {"models": [{"model": "k-anonymity", "k": 5}], "technique": "mondrian", "suppression": 0.1}
    >>> [error.what for error in contradictions(make_project(tables={"people": people}, **asked))]
    ['mondrian suppresses no rows']
    """
    from celosia.errors import CelosiaError

    errors: list[CelosiaError] = []
    for name in project.tables:
        try:
            _check_promises(project, name)
        except CelosiaError as error:
            if all(str(error) != str(other) for other in errors):
                errors.append(error)
    return errors


def _check_promises(project: "Project", name: str) -> None:
    from typing import Any, cast

    from celosia.errors import ProjectError
    from celosia.recode.task import RecodingTask
    from celosia.release.prepared_table import check_plan
    from celosia.say import say
    from celosia.types import Role

    plan = project.plan(name)
    if plan.kind == "light":
        return
    plan = plan.model_copy(update={"columns": {**project.columns, **plan.columns}})
    check_plan(plan)
    for model in plan.models:
        if model.needs_population and plan.population.source is None:
            raise ProjectError(
                say("{name} looks at the population, and none is named", name=model.name),
                where="models",
                remedy=say("name its table with --population (in a project: population of the table)"),
            )
    # The table itself is not asked for: what a technique refuses, it refuses by what it is told to do.
    plan.technique.check(
        RecodingTask(
            table=cast(Any, None),
            quasi_identifiers=plan.quasi_identifiers,
            models=plan.models,
            modelled=plan.modelled,
            sensitive=plan.with_role(Role.SENSITIVE),
            dropped=plan.dropped,
            suppression=plan.suppression,
            measure=plan.measure,
            weights=plan.weights,
            keep_type={column: said.keep_type for column, said in plan.columns.items()},
            same_labels=plan.same_labels,
            folder=Path(),
        )
    )
