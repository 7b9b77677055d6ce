"""Everything that the service holds of a project, erased, and looked for afterwards."""

from pydantic import BaseModel
from sqlalchemy import delete, func, select, update

from celosia.errors import ReleaseError
from celosia.say import say
from celosia.server.access import MemberRole, User, require
from celosia.server.audit import note
from celosia.server.service import Service
from celosia.server.store import audits, jobs, members, now, projects, sources, versions
from celosia.server.workspace import erase_folder, job_folder, project_folder
from celosia.words import phrase

__all__ = ["ErasureReport", "erase_previews", "erase_project"]

LOOKS = ("profile", "hierarchy", "look")
"""Kinds of jobs whose results hold values of the table."""


class ErasureReport(BaseModel):
    """What was erased, where it was looked for afterwards, and what nobody can promise."""

    project: str
    name: str
    at: str
    files: list[str]
    """Files that were overwritten and removed."""
    rows: dict[str, int]
    """Rows that were deleted of the service's own tables."""
    looked: list[str]
    """Where it was looked for, and not found."""
    left: list[str]
    """What is not in the hands of the service."""


def erase_project(service: Service, user: User, project: str) -> ErasureReport:
    """Stop its jobs, overwrite its files, delete its rows, and look for all of it again."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.OWNER)
        name = str(data.scalar(select(projects.c.name).where(projects.c.id == project)))
        held = data.scalar(
            select(func.count())
            .select_from(sources)
            .where(sources.c.project_id == project, sources.c.kind != "file")
        )
    service.queue.stop_all(project)
    folder = project_folder(service.settings.workspace, project)
    files = erase_folder(folder) if folder.exists() else []
    counts: dict[str, int] = {}
    with service.store.begin() as data:
        for table in (jobs, sources, members, versions):
            counts[table.name] = data.execute(delete(table).where(table.c.project_id == project)).rowcount
        counts["projects"] = data.execute(delete(projects).where(projects.c.id == project)).rowcount
        # Who did what is kept; the names of the project, its files and its columns go with it.
        data.execute(update(audits).where(audits.c.project == project).values(detail=""))
        note(data, user.name, "erase project", project=project, detail=f"{len(files)} files")
    service.store.forget()
    _look(service, project)
    left = [
        phrase("a disk that writes elsewhere, a snapshot or a backup may still hold its bytes"),
        phrase("what was downloaded is where it was downloaded to"),
    ]
    if held:
        left.append(phrase("tables in connected databases and on clusters are where they were"))
    looked = [
        phrase("the folder of the project"),
        *(phrase("the table {0} of the service").format(table) for table in counts),
    ]
    return ErasureReport(
        project=project, name=name, at=now(), files=files, rows=counts, looked=looked, left=left
    )


def erase_previews(service: Service, user: User, project: str, table: str) -> int:
    """Erase what jobs found when they looked at the rows of a table that is removed; how many there were."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
        previews = data.execute(
            select(jobs.c.id, jobs.c.parameters).where(
                jobs.c.project_id == project, jobs.c.kind.in_(LOOKS), jobs.c.state == "done"
            )
        ).all()
    folders = [
        job_folder(service.settings.workspace, project, row.id)
        for row in previews
        # A job that names no table looked at the first.
        if (row.parameters or {}).get("table") in (None, table)
    ]
    there = [folder for folder in folders if folder.exists()]
    for folder in there:
        erase_folder(folder)
    with service.store.begin() as data:
        note(data, user.name, "erase looks", project=project, detail=f"{table}, {len(there)} jobs")
    return len(there)


def _look(service: Service, project: str) -> None:
    left = [project] if project_folder(service.settings.workspace, project).exists() else []
    with service.store.begin() as data:
        for table in (jobs, sources, members, versions):
            if data.scalar(select(func.count()).select_from(table).where(table.c.project_id == project)):
                left.append(table.name)
    if left:
        raise ReleaseError(
            say("something is left in {places}", places=", ".join(left)),
            where=project,
            remedy=say("erase it again when nobody uses it"),
        )
