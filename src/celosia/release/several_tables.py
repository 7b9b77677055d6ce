"""What concerns several tables: people who are in more than one, attributes that stand in more than one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from celosia.errors import CelosiaError, ProjectError
from celosia.project import Project, TablePlan
from celosia.project.repeated import split_place
from celosia.recode.branch import Branch
from celosia.recode.star import Star
from celosia.recode.star_plan import plan_star
from celosia.recode.techniques import RecodingPlan, Technique
from celosia.recode.techniques.auto import Auto
from celosia.recode.techniques.full_domain import FullDomain
from celosia.recode.techniques.steps import find_steps
from celosia.release.linked_tables import check_ignored, check_linked
from celosia.release.people import people_risk
from celosia.release.prepared_table import PreparedTable, no_quasi_identifiers
from celosia.release.same_people import check_person, shared_tasks
from celosia.say import Text, join_texts, say

__all__ = ["check_plans", "check_tables", "groups", "plan_tables", "star_of", "stars"]

Place = tuple[str, str]


def groups(project: Project) -> list[tuple[Place, ...]]:
    """The repeated attributes, each as the (table, column) that hold it."""
    return [
        tuple(split_place(place, project.tables) for place in group) for group in project.repeated_attributes
    ]


def stars(project: Project, jobs: Sequence[PreparedTable]) -> list[list[PreparedTable]]:
    """Tables whose people are compared, together those that tell of the same: their persons are one attribute."""
    stars_of_people: list[list[PreparedTable]] = []
    for job in jobs:
        if job.plan.person is None or job.is_light or job.counted_person is not None:
            continue
        place = (job.name, job.plan.person)
        together = next((set(group) for group in groups(project) if place in group), {place})
        for star in stars_of_people:
            if any((other.name, str(other.plan.person)) in together for other in star):
                star.append(job)
                break
        else:
            stars_of_people.append([job])
    return stars_of_people


def check_tables(project: Project, jobs: Sequence[PreparedTable]) -> None:
    """Raise if tables contradict each other or the models, before anything is counted."""
    check_ignored(jobs)
    _check_models(project, jobs)
    linked = stars(project, jobs)
    _check_repeated(project, jobs, linked)
    for star in linked:
        for job in star:
            check_person(job)
            _check_alike(star[0].plan, job, star[0].name)
        if not any(job.plan.quasi_identifiers for job in star):
            raise no_quasi_identifiers()
    for job in jobs:
        if job.counted_person is not None:
            if not job.plan.quasi_identifiers:
                raise no_quasi_identifiers()
            check_person(job)
            _check_alone(project, job, jobs)
    check_linked(jobs, groups(project), linked)


def plan_tables(project: Project, jobs: Sequence[PreparedTable]) -> dict[str, RecodingPlan | None]:
    """What becomes of the rows of every table: None for a light one."""
    plans: dict[str, RecodingPlan | None] = {}
    for star in stars(project, jobs):
        plans |= _plan_people(project, star)
    for job in jobs:
        if job.name not in plans:
            plans[job.name] = None if job.is_light else _plan_rows(job, job.counted_person)
    return plans


def _plan_rows(job: PreparedTable, person: str | None) -> RecodingPlan:
    """What a technique makes of one table, its classes of rows; where people are counted in them, their risk."""
    plan = job.plan.technique.plan(job.task)
    if "measures" in job.plan.evaluate:
        taken = job.plan.technique if plan.choice is None else plan.choice.technique
        plan = replace(plan, steps=find_steps(job.task, taken, plan))
    if person is None:
        return plan
    job.progress(say("counting people"), 0.0)
    before, people = people_risk(job, person, memory=plan.memory)
    told: dict[str, object] = {"people": people, "compared": False}
    note = say(
        "different people are counted in every class; full-domain also compares people by all their rows"
    )
    if job.counted_person is None:
        note = say("every person has one row")
        told |= {"people": people - plan.excluded, "left out": plan.suppressed, "compared": True}
    return replace(
        plan,
        person=person,
        before=before,
        note=join_texts("; ", filter(None, [plan.note, note])),
        details={**plan.details, "people": told},
    )


def check_plans(
    project: Project, jobs: Sequence[PreparedTable]
) -> Iterator[tuple[PreparedTable, CelosiaError]]:
    """What planning would refuse, found without a search: rows are counted, hierarchies and models tried on them."""
    complete = [job for job in jobs if not job.is_light]
    together = stars(project, complete)
    people = {job.name for star in together for job in star}
    for star in together:
        try:
            technique = _technique_of(star[0])
            star_of(project, star).try_out(technique.node if isinstance(technique, FullDomain) else None)
        except CelosiaError as error:
            yield star[0], error
    for job in complete:
        if job.name not in people:
            try:
                job.plan.technique.try_out(job.task)
            except CelosiaError as error:
                yield job, error


def _plan_people(project: Project, jobs: Sequence[PreparedTable]) -> Mapping[str, RecodingPlan]:
    technique = _technique_of(jobs[0])
    assert isinstance(technique, FullDomain)
    star = star_of(project, jobs)
    branch = star.branches[0]
    if len(jobs) == 1 and len(branch.people) == branch.counts.rows:
        return {
            branch.name: _plan_rows(jobs[0], branch.person)
        }  # rows are people: there is nothing to compare
    plans = plan_star(star, technique.node, seconds=technique.seconds, progress=jobs[0].progress)
    asked = jobs[0].plan.technique
    if not isinstance(asked, Auto):
        return plans
    return {name: replace(plan, choice=asked.choice_for_people()) for name, plan in plans.items()}


def _technique_of(job: PreparedTable) -> Technique:
    """The technique by which people are compared by all their rows."""
    technique = job.plan.technique
    return technique.for_people if isinstance(technique, Auto) else technique


def star_of(project: Project, jobs: Sequence[PreparedTable]) -> Star:
    """Tables that tell of the same people, counted and ready to be searched together."""
    first = jobs[0].plan
    models = list(dict.fromkeys(model for job in jobs for model in job.plan.models))
    branches = [
        Branch(job.name, task, str(job.plan.person), job.plan.person_rows == "counted")
        for job, task in zip(jobs, shared_tasks(groups(project), jobs), strict=True)
    ]
    return Star(branches, models, shared=groups(project), suppression=first.suppression)


def _check_models(project: Project, jobs: Sequence[PreparedTable]) -> None:
    """Raise if a model that is asked of all tables is about a column that none of them has."""
    complete = [job for job in jobs if not job.is_light]
    for model in project.models if complete else ():
        if model.column is not None and not any(model in job.plan.models for job in complete):
            raise ProjectError(
                say(
                    "{model} is asked of {column!r}, and no table has such a column",
                    model=model.name,
                    column=model.column,
                ),
                where="models",
                remedy=say("correct the name, or leave the model out"),
            )


def _check_alone(project: Project, job: PreparedTable, jobs: Sequence[PreparedTable]) -> None:
    """Raise if other tables tell of people who are counted in the classes of one: that says nothing of a join."""
    place = (job.name, str(job.counted_person))
    others = {(other.name, other.plan.person) for other in jobs if other is not job and not other.is_light}
    for group in groups(project):
        if place in group and others & set(group):
            raise ProjectError(
                say(
                    "people of several tables are compared by technique full-domain and its optimal search only"
                ),
                where=f"tables.{job.name}.technique",
                remedy=say("use full-domain, or take the column out of repeated_attributes"),
            )


def _check_alike(first: object, job: PreparedTable, name: str) -> None:
    """One search serves all tables of the same people, so they ask for the same."""
    for goal in ("suppression", "measure", "technique"):
        if getattr(first, goal) != getattr(job.plan, goal):
            raise ProjectError(
                _say_different(goal, name, job.name),
                where=f"tables.{job.name}.{goal}",
                remedy=say("say it once for the project"),
            )


def _say_different(goal: str, column: str, other: str) -> Text:
    match goal:
        case "suppression":
            return say(
                "tables {one!r} and {other!r} tell of the same people and ask for different suppressions",
                one=column,
                other=other,
            )
        case "measure":
            return say(
                "tables {one!r} and {other!r} tell of the same people and ask for different measures",
                one=column,
                other=other,
            )
    return say(
        "tables {one!r} and {other!r} tell of the same people and ask for different techniques",
        one=column,
        other=other,
    )


def _check_repeated(
    project: Project, jobs: Sequence[PreparedTable], linked: Sequence[Sequence[PreparedTable]]
) -> None:
    """A quasi-identifier that tables share must not be generalized here one way and there another."""
    complete = {job.name for job in jobs if not job.is_light}
    together = [{job.name for job in star} for star in linked]
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
                say(
                    "{column} is a quasi-identifier that other tables repeat: generalized in each by "
                    "itself it would no longer join",
                    column=".".join(recoded[0]),
                ),
                where="repeated_attributes",
                remedy=say(
                    "name the person column of these tables, take the column out of the group, or give "
                    "it the role common and an operation such as generalize"
                ),
            )


def _check_operation(group: Sequence[Place], plans: Mapping[str, TablePlan]) -> None:
    """Raise if an operation makes something else of the same value in every row, and looks at nothing else."""
    for table, column in group:
        plan = plans[table].columns.get(column)
        for operation in () if plan is None else plan.operation:
            if not operation.goes_by_value and not operation.needs(plans[table].person):
                raise ProjectError(
                    say(
                        "after {operation} no table can be joined by {table}.{column}, which others repeat",
                        operation=operation.name,
                        table=table,
                        column=column,
                    ),
                    where="repeated_attributes",
                    remedy=say("pseudonymize it, encrypt it with mode siv, or take it out of the group"),
                )
