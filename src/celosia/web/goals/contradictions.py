"""What cannot be promised together, or not in this way, known before any table is opened."""

from pathlib import Path
from typing import Any, cast

from celosia.errors import CelosiaError, ProjectError
from celosia.project import Project
from celosia.release.job import check_plan
from celosia.say import say
from celosia.types import Role

__all__ = ["contradictions"]


def contradictions(project: Project) -> list[CelosiaError]:
    """What cannot be promised together, or not in this way, known before any table is opened.

    >>> people = {"source": "people.csv", "columns": {"age": "quasi-identifier"}}
    >>> asked = {"models": [{"model": "k-anonymity", "k": 5}], "technique": "mondrian", "suppression": 0.1}
    >>> [error.what for error in contradictions(Project(tables={"people": people}, **asked))]
    ['mondrian suppresses no rows']
    """
    found: list[CelosiaError] = []
    for name in project.tables:
        try:
            _check(project, name)
        except CelosiaError as error:
            if all(str(error) != str(other) for other in found):
                found.append(error)
    return found


def _check(project: Project, name: str) -> None:
    from celosia.recode.task import RecodingTask

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
            folder=Path(),
        )
    )
