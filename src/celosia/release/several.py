"""What concerns several tables: people who are in more than one, attributes that stand in more than one."""

from collections.abc import Mapping, Sequence

from celosia.errors import ProjectError
from celosia.project import Project, TablePlan
from celosia.project.repeated import split_place
from celosia.recode.branch import Branch
from celosia.recode.star import Star
from celosia.recode.star_plan import plan_star
from celosia.recode.techniques import Plan
from celosia.recode.techniques.full_domain import FullDomain
from celosia.release.job import Job, no_quasi_identifiers
from celosia.release.linked import check_ignored, check_linked
from celosia.release.same_people import check_person, shared_tasks

__all__ = ["check_jobs", "groups", "plan_jobs", "stars"]

Place = tuple[str, str]


def groups(project: Project) -> list[tuple[Place, ...]]:
    """The repeated attributes, each as the (table, column) that hold it."""
    return [
        tuple(split_place(place, project.tables) for place in group) for group in project.repeated_attributes
    ]


def stars(project: Project, jobs: Sequence[Job]) -> list[list[Job]]:
    """Tables whose people are counted, those together that tell of the same people: their persons are one attribute."""
    found: list[list[Job]] = []
    for job in jobs:
        if job.plan.person is None or job.is_light:
            continue
        place = (job.name, job.plan.person)
        together = next((set(group) for group in groups(project) if place in group), {place})
        for star in found:
            if any((other.name, str(other.plan.person)) in together for other in star):
                star.append(job)
                break
        else:
            found.append([job])
    return found


def check_jobs(project: Project, jobs: Sequence[Job]) -> None:
    """Raise if tables contradict each other or the models, before anything is counted."""
    check_ignored(jobs)
    _check_models(project, jobs)
    found = stars(project, jobs)
    _check_repeated(project, jobs, found)
    for star in found:
        for job in star:
            check_person(job)
            _check_alike(star[0].plan, job, star[0].name)
        if not any(job.plan.quasi_identifiers for job in star):
            raise no_quasi_identifiers()
    check_linked(jobs, groups(project), found)


def plan_jobs(project: Project, jobs: Sequence[Job]) -> dict[str, Plan | None]:
    """What becomes of the rows of every table: None for a light one."""
    plans: dict[str, Plan | None] = {}
    for star in stars(project, jobs):
        plans |= _plan_people(project, star)
    for job in jobs:
        if job.name not in plans:
            plans[job.name] = None if job.is_light else job.plan.technique.plan(job.task)
    return plans


def _plan_people(project: Project, jobs: Sequence[Job]) -> Mapping[str, Plan]:
    first = jobs[0].plan
    models = list(dict.fromkeys(model for job in jobs for model in job.plan.models))
    branches = [
        Branch(job.name, task, str(job.plan.person), job.plan.person_rows == "counted")
        for job, task in zip(jobs, shared_tasks(groups(project), jobs), strict=True)
    ]
    star = Star(branches, models, shared=groups(project), suppression=first.suppression)
    technique = first.technique
    assert isinstance(technique, FullDomain)
    return plan_star(star, technique.node, seconds=technique.seconds, progress=jobs[0].progress)


def _check_models(project: Project, jobs: Sequence[Job]) -> None:
    """Raise if a model that is asked of all tables is about a column that none of them has."""
    complete = [job for job in jobs if not job.is_light]
    for model in project.models if complete else ():
        if model.column is not None and not any(model in job.plan.models for job in complete):
            raise ProjectError(
                f"{model.name} is asked of {model.column!r}, and no table has such a column",
                where="models",
                remedy="correct the name, or leave the model out",
            )


def _check_alike(first: object, job: Job, name: str) -> None:
    """One search serves all tables of the same people, so they ask for the same."""
    for goal in ("suppression", "measure", "technique"):
        if getattr(first, goal) != getattr(job.plan, goal):
            raise ProjectError(
                f"tables {name!r} and {job.name!r} tell of the same people and ask for different {goal}s",
                where=f"tables.{job.name}.{goal}",
                remedy="say it once for the project",
            )


def _check_repeated(project: Project, jobs: Sequence[Job], found: Sequence[Sequence[Job]]) -> None:
    """A quasi-identifier that tables share must not be generalized here one way and there another."""
    complete = {job.name for job in jobs if not job.is_light}
    together = [{job.name for job in star} for star in found]
    plans = {job.name: job.plan for job in jobs}
    for group in groups(project):
        _check_operation(group, plans)
        recoded = [
            (table, column)
            for table, column in group
            if table in complete and column in plans[table].quasi_identifiers
        ]
        tables = {table for table, column in group if column in plans[table].columns}
        if recoded and len(tables) > 1 and not any(tables <= star for star in together):
            raise ProjectError(
                f"{'.'.join(recoded[0])} is a quasi-identifier that other tables repeat: generalized in each by itself "
                "it would no longer join",
                where="repeated_attributes",
                remedy="name the person column of these tables, take the column out of the group, or give it the role "
                "common and an operation such as generalize",
            )


def _check_operation(group: Sequence[Place], plans: Mapping[str, TablePlan]) -> None:
    """Raise if an operation makes something else of the same value in every row, and looks at nothing else."""
    for table, column in group:
        plan = plans[table].columns.get(column)
        for operation in () if plan is None else plan.operation:
            if not operation.goes_by_value and not operation.needs(plans[table].person):
                raise ProjectError(
                    f"after {operation.name} no table can be joined by {table}.{column}, which others repeat",
                    where="repeated_attributes",
                    remedy="pseudonymize it, encrypt it with mode siv, or take it out of the group",
                )
