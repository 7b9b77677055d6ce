"""What would stop a run, and what should be thought over before one, found without writing anything."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from celosia.errors import CelosiaError, ProjectError
from celosia.profile import likely_identifiers
from celosia.project import Destination, Project, TablePlan, Unlisted, changed_types
from celosia.release.job import Ask, Job
from celosia.release.opening import opened_job
from celosia.release.publish import record_path
from celosia.release.remark import Remark, mistake
from celosia.release.several import check_jobs
from celosia.release.trial import check_hierarchies, check_operations, check_promises, check_repeated
from celosia.run import check_places
from celosia.tables.sql.address import is_address
from celosia.tables.table import Progress, no_progress

__all__ = ["Remark", "check_destinations", "check_project"]


def check_project(
    project: Project, *, progress: Progress = no_progress, ask: Ask | None = None
) -> tuple[Remark, ...]:
    """Everything that can be said of a project before it runs, its tables opened and their first rows looked at.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "people.csv").write_text("age,zip\\n31,28001\\n47,08002\\n")
    ...     people = {"source": f"{folder}/people.csv", "destination": f"{folder}/safe.csv", "columns": {"agee": None}}
    ...     [remark.what for remark in check_project(Project(kind="light", tables={"people": people}))]
    ["column 'agee' is gone", "columns 'age', 'zip' are not listed in the project: released as found"]
    """
    found = list(_check_destinations(project))
    open_minded, shared = _open_minded(project), dict[str, object]()
    with ExitStack() as stack:
        jobs: dict[str, Job] = {}
        for place, name in enumerate(project.tables):
            progress(f"checking {name}", place / len(project.tables))
            try:
                job = opened_job(open_minded, name, ask=ask, shared=shared)
                jobs[name] = stack.enter_context(job)
                found += _check_table(project, project.plan(name), jobs[name], ask)
                jobs[name].check()
            except CelosiaError as error:
                if all(remark.what != error.what for remark in found):
                    found.append(mistake(name, error))
        if not any(remark.kind == "mistake" for remark in found):
            found += _check_together(project, list(jobs.values()))
        found += check_repeated(project, jobs)
    return tuple(dict.fromkeys(found))


def check_destinations(project: Project) -> None:
    """Raise if a table of a project has nowhere to go, before anything is counted."""
    for name in project.tables:
        place = project.plan(name).destination
        if place.path is None and place.table is None:
            raise ProjectError(
                "no destination was given",
                where=f"table {name}",
                remedy="say in the project where to write, as in destination: safe.csv",
            )


def _check_destinations(project: Project) -> Iterator[Remark]:
    try:
        check_places(project, overwrite=True)
        check_destinations(project)
    except CelosiaError as error:
        yield mistake("", error)
        return
    for name in project.tables:
        place = project.plan(name).destination
        if place.path is None or is_address(place.path):
            continue
        for path in (Path(place.path), record_path(Path(place.path))):
            if path.exists():
                remedy = "`celosia run` needs --overwrite to replace it; or choose another destination"
                yield Remark("warning", f"{path} exists already", name, remedy=remedy)
                break


def _open_minded(project: Project) -> Project:
    """The project so that its tables open whatever became of their columns, and nothing can be written."""
    update = {"unlisted": Unlisted.DROP, "destination": Destination()}
    tables = {name: table.model_copy(update=update) for name, table in project.tables.items()}
    return project.model_copy(update={"tables": tables})


def _check_table(project: Project, plan: TablePlan, job: Job, ask: Ask | None) -> Iterator[Remark]:
    yield from _check_columns(plan, job)
    yield from _check_types(project, job, ask)
    yield from _check_identifiers(project, plan, job)
    yield from (Remark("warning", text, job.name) for text in job.weaknesses)
    broken: list[str] = []
    for column, remark in check_operations(job):
        broken.append(column)
        yield remark
    yield from check_hierarchies(job, broken)
    if not job.is_light:
        yield from check_promises(job, broken)


def _check_together(project: Project, jobs: Sequence[Job]) -> Iterator[Remark]:
    """What tables ask of each other."""
    try:
        check_jobs(project, jobs)
    except CelosiaError as error:
        yield mistake("", error)


def _check_columns(plan: TablePlan, job: Job) -> Iterator[Remark]:
    """Columns that came and went, and what that means for a run."""
    for change in job.changes:
        if change.kind == "gone" and plan.unlisted is Unlisted.DROP:
            yield Remark("warning", change.text, job.name)
        elif change.kind == "gone":
            remedy = "mend its name, or leave it out of the project"
            yield Remark("mistake", change.text, job.name, remedy=remedy)
    new = [change.column for change in job.changes if change.kind == "new"]
    if new:
        yield _about_new(plan, job.name, ", ".join(map(repr, new)), is_one=len(new) == 1)


def _about_new(plan: TablePlan, table: str, names: str, *, is_one: bool) -> Remark:
    """What becomes of columns that a project does not list."""
    listed = f"column {names} is not listed" if is_one else f"columns {names} are not listed"
    if plan.unlisted is Unlisted.STOP:
        remedy = "list them with their roles, or say unlisted: drop"
        return Remark("mistake", f"{listed} in the project", table, remedy=remedy)
    if plan.unlisted is Unlisted.DROP:
        return Remark("warning", f"{listed} in the project: left out", table)
    return Remark("note", f"{listed} in the project: released as found", table)


def _check_types(project: Project, job: Job, ask: Ask | None) -> Iterator[Remark]:
    """Columns that are no longer what the project says, by what the table itself tells."""
    if all(column.type is None for column in job.plan.columns.values()):
        return
    table = project.tables[job.name]
    bare = table.model_copy(
        update={"columns": {}, "rows": (), "destination": Destination(), "unlisted": Unlisted.COMMON}
    )
    update = {"tables": {job.name: bare}, "columns": {}, "repeated_attributes": ()}
    with opened_job(project.model_copy(update=update), job.name, ask=ask) as plain:
        for change in changed_types(job.plan, plain.source.schema()):
            yield Remark("warning", change.text, job.name)


def _check_identifiers(project: Project, plan: TablePlan, job: Job) -> Iterator[Remark]:
    """Columns that look like identifiers and have neither role nor operation: a run refuses to release them."""
    names = job.source.columns()
    said = {**plan.columns, **project.shared(names, plan)}
    known = {name for name, column in said.items() if column.role or column.operation}
    listed = names if plan.unlisted is Unlisted.COMMON else tuple(name for name in names if name in said)
    undeclared = [name for name in listed if name not in known]
    for name, reason in likely_identifiers(job.source, undeclared).items():
        yield Remark(
            "mistake",
            f"column {name!r} looks like an identifier ({reason})",
            job.name,
            remedy="give it a role: identifier, or common to release it",
        )
