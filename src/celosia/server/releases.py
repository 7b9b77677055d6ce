"""Releases as people find them: files, rows before and after, what was measured, and the report."""

import json
from typing import Any

from celosia.api.reporting import report_page
from celosia.errors import ProjectError
from celosia.say import restore_texts, say
from celosia.server.access import DeniedError, MemberRole, User, require
from celosia.server.audit import note
from celosia.server.job import Job
from celosia.server.projects import read_version
from celosia.server.service import Service
from celosia.server.store import moment_of
from celosia.server.work.release import BESIDE
from celosia.server.workspace import erase_folder, job_folder
from celosia.words import Words

__all__ = [
    "erase_release",
    "evidence_of",
    "latest_of_version",
    "list_releases",
    "release_before_after",
    "release_files",
    "release_report",
]

OURS = ("result.json",)


def list_releases(service: Service, user: User, project: str) -> list[Job]:
    """The releases of a project that were not erased, the latest first."""
    done = [job for job in service.queue.list(user, project, "release") if job["state"] == "done"]
    workspace = service.settings.workspace
    return [job for job in done if (job_folder(workspace, project, job["id"]) / OURS[0]).is_file()]


def release_files(service: Service, job: Job) -> list[str]:
    """The files that the job of a release made, and that were not erased since."""
    folder = job_folder(service.settings.workspace, job["project_id"], job["id"])
    if not folder.is_dir():
        return []
    return sorted(
        path.name for path in folder.iterdir() if path.name not in OURS and not path.name.startswith(".")
    )


def release_before_after(service: Service, user: User, release: str) -> dict[str, Any]:
    """Some rows of every table beside what became of them, for those who may see the table."""
    job = service.queue.find(user, release)
    with service.store.begin() as data:
        require(data, user, job["project_id"], MemberRole.ANALYST)
        note(data, user.name, "see rows", project=job["project_id"], detail=f"job {job['number']}")
    folder = job_folder(service.settings.workspace, job["project_id"], release)
    try:
        return dict(restore_texts(json.loads((folder / BESIDE).read_text(encoding="utf-8"))))
    except FileNotFoundError:
        return {}


def evidence_of(
    service: Service, user: User, release: str, table: str | None = None
) -> dict[str, Any] | None:
    """What was measured of a release last, or of one of its tables; None if nothing."""
    job = service.queue.find(user, release)
    for run in service.queue.list(user, job["project_id"], "evidence"):
        if run["state"] == "done" and run["parameters"].get("release") == release:
            measures = _result_of(service, user, run)
            if measures is not None and table in (None, measures["table"]):
                return measures
    return None


def latest_of_version(service: Service, user: User, job: Job, kind: str) -> dict[str, Any] | None:
    """What the latest job of a kind found about the project as it was for another job; None if there was none."""
    wanted: dict[str, Any] | None = None
    for run in service.queue.list(user, job["project_id"], kind):
        if run["state"] != "done":
            continue
        if run["version"] != job["version"]:
            wanted = wanted or _goals(service, user, job)
            if _goals(service, user, run) != wanted:
                continue
        return _result_of(service, user, run)
    return None


def release_report(
    service: Service, user: User, release: str, words: Words, *, table: str | None = None
) -> str:
    """The report of a release, of its first table unless named: one page, with all that was measured of it."""
    job = service.queue.find(user, release)
    if job["kind"] != "release":
        raise DeniedError(
            say("there is no such release"), where=release, remedy=say("see the list of releases")
        )
    records = service.queue.result(user, release)["records"]
    if table is not None and table not in records:
        raise ProjectError(
            say("table {table!r} does not exist", table=table), where="table", remedy=say("see the project")
        )
    name = table or next(iter(records))
    with service.store.begin() as data:
        note(
            data, user.name, "see report", project=job["project_id"], detail=f"{name} of job {job['number']}"
        )
    is_only = len(records) == 1
    earlier = [
        release for release in list_releases(service, user, job["project_id"]) if _is_before(release, job)
    ]
    return report_page(
        records[name],
        measured=evidence_of(service, user, release, name),
        candidates=latest_of_version(service, user, job, "candidates") if is_only else None,
        balance=latest_of_version(service, user, job, "balance") if is_only else None,
        chain=[_history_row(release, name, words) for release in earlier],
        words=words,
    )


def erase_release(service: Service, user: User, release: str) -> None:
    """Erase the files of a release, and what was kept of its rows."""
    job = service.queue.find(user, release)
    with service.store.begin() as data:
        require(data, user, job["project_id"], MemberRole.OWNER)
        note(data, user.name, "erase release", project=job["project_id"], detail=f"job {job['number']}")
    folder = job_folder(service.settings.workspace, job["project_id"], release)
    if job["kind"] == "release" and folder.exists():
        erase_folder(folder)


def _result_of(service: Service, user: User, job: Job) -> dict[str, Any] | None:
    try:
        return service.queue.result(user, job["id"])
    except DeniedError:  # erased since
        return None


def _goals(service: Service, user: User, job: Job) -> dict[str, Any]:
    """What a project said for a job, but for its name and what it compares and studies besides."""
    document = read_version(service, user, job["project_id"], job["version"])
    return {name: part for name, part in document.items() if name not in ("name", "compare", "study")}


def _is_before(earlier: Job, later: Job) -> bool:
    return earlier["number"] < later["number"]


def _history_row(job: Job, table: str, words: Words) -> dict[str, Any]:
    """An earlier release as a line of the report."""
    rows = ((job["summary"] or {}).get(table) or {}).get("rows") or {}
    return {
        words("Run"): str(job["number"]),
        words("Made on"): words.moment(moment_of(job["ended"] or job["created"])),
        words("By"): job["by"],
        words("Rows"): rows.get("written"),
    }
