"""What a study tries: every k with every choice of quasi-identifiers, as projects of their own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from celosia.errors import ProjectError
from celosia.privacy import KAnonymity
from celosia.project import Project, StudyPlan, TablePlan
from celosia.say import say, say_count
from celosia.types import Role, nearest

__all__ = ["StudyCell", "cell_project", "cells", "names_of_choices"]


@dataclass(frozen=True)
class StudyCell:
    """One release of a study: k, and the columns that are quasi-identifiers."""

    k: int
    quasi_identifiers: tuple[str, ...]


def cells(plan: TablePlan, study: StudyPlan) -> tuple[StudyCell, ...]:
    """Every k with every choice of quasi-identifiers.

    >>> columns = {"age": "quasi-identifier", "sex": "quasi-identifier"}
    >>> [(cell.k, *cell.quasi_identifiers) for cell in cells(
    ...     TablePlan(columns=columns), StudyPlan(k=(2, 5), quasi_identifiers=(1, 2)))]
    [(2, 'age'), (5, 'age'), (2, 'age', 'sex'), (5, 'age', 'sex')]
    """
    return tuple(StudyCell(k, chosen) for chosen in _choices(plan, study) for k in sorted(set(study.k)))


def _choices(plan: TablePlan, study: StudyPlan) -> Iterator[tuple[str, ...]]:
    declared = plan.quasi_identifiers
    if not declared:
        raise ProjectError(
            say("no quasi-identifier is declared"),
            where="columns",
            remedy=say("say in the project which columns others may know about a person"),
        )
    for choice in study.quasi_identifiers or (len(declared),):
        if isinstance(choice, int):
            if choice > len(declared):
                raise ProjectError(
                    say(
                        "{asked} quasi-identifiers are asked for, and {declared} declared",
                        asked=choice,
                        declared=len(declared),
                    ),
                    where="study.quasi_identifiers",
                    remedy=say("ask for fewer, or declare more"),
                )
            yield declared[:choice]
            continue
        for name in choice:
            if name not in declared:
                raise ProjectError(
                    say("{name!r} is no quasi-identifier of the project", name=name),
                    where="study.quasi_identifiers",
                    remedy=nearest(name, declared, say("the quasi-identifiers")),
                )
        yield choice


def cell_project(project: Project, name: str, cell: StudyCell) -> Project:
    """The project of one cell: its k, its quasi-identifiers, the others common; the release stays in memory."""
    plan = project.plan(name)
    columns = {
        column: declared.model_copy(update={"role": Role.COMMON, "keep_type": None})
        if column in plan.quasi_identifiers and column not in cell.quasi_identifiers
        else declared
        for column, declared in plan.columns.items()
    }
    others = tuple(model for model in plan.models if not isinstance(model, KAnonymity))
    table = plan.model_copy(
        update={
            "columns": columns,
            "models": (KAnonymity(k=cell.k), *others),
            "rows": (),  # those that operations drop are not among the people of a study
            "source": plan.source.model_copy(
                update={"path": None, "table": (), "where": None, "engine": None}
            ),
            "destination": type(plan.destination)(),
            "evaluate": ("risk", "measures"),
        }
    )
    return project.model_copy(update={"tables": {name: table}, "repeated_attributes": ()})


def names_of_choices(cells: Sequence[StudyCell]) -> dict[tuple[str, ...], str]:
    """What each choice of quasi-identifiers is called: by their number, where that tells them apart.

    >>> names_of_choices([StudyCell(2, ("age",)), StudyCell(2, ("age", "sex"))])
    {('age',): '1 quasi-identifier', ('age', 'sex'): '2 quasi-identifiers'}
    """
    choices = list(dict.fromkeys(cell.quasi_identifiers for cell in cells))
    sizes = [len(choice) for choice in choices]
    return {
        choice: say_count("{count} quasi-identifier", "{count} quasi-identifiers", len(choice))
        if sizes.count(len(choice)) == 1
        else ", ".join(choice)
        for choice in choices
    }
