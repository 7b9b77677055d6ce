"""Releases: their files, their records, their reports."""

import os
from collections.abc import Iterator
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from celosia.say import say
from celosia.server.access import DeniedError, MemberRole, require
from celosia.server.audit import note
from celosia.server.releases import erase_release, release_files, release_report
from celosia.server.releases import list_releases as made_so_far
from celosia.server.rest.answers import Asking, Serving, Speaking, mistakes
from celosia.server.rest.projects import ProjectId
from celosia.server.rest.runs import RunId
from celosia.server.workspace import file_in, job_folder

__all__ = ["router"]

router = APIRouter(tags=["releases"], responses=mistakes)


class ReleaseSummary(BaseModel):
    """A release: the run that made it, and its files."""

    id: str
    number: int
    by: str
    ended: str | None
    summary: dict[str, Any] | None
    files: list[str]


@router.get("/projects/{project}/releases", operation_id="list_releases")
def list_releases(service: Serving, user: Asking, project: ProjectId) -> list[ReleaseSummary]:
    """The releases of a project, the latest first."""
    return [
        ReleaseSummary(
            id=release["id"],
            number=release["number"],
            by=release["by"],
            ended=release["ended"],
            summary=None if release["summary"] is None else dict(release["summary"]),
            files=release_files(service, release),
        )
        for release in made_so_far(service, user, project)
    ]


@router.get("/releases/{release}", operation_id="read_release")
def get_release(service: Serving, user: Asking, release: RunId) -> dict[str, Any]:
    """The records of a release, by table."""
    return service.queue.result(user, release)


@router.get(
    "/releases/{release}/download/{name}",
    operation_id="download_release",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/octet-stream": {}}, "description": "the file"}},
)
def get_file(
    service: Serving, user: Asking, release: RunId, name: Annotated[str, Path(max_length=200)]
) -> StreamingResponse:
    """A file of a release."""
    job = service.queue.find(user, release)
    if job["kind"] != "release" or name not in release_files(service, job):
        raise DeniedError(
            say("there is no such file"), where=name[:80], remedy=say("see the list of releases")
        )
    path = file_in(job_folder(service.settings.workspace, job["project_id"], release), name)
    with service.store.begin() as data:
        if name.endswith(".record.json"):  # it may hold the seed of the order of rows
            require(data, user, job["project_id"], MemberRole.ANALYST)
        note(data, user.name, "download", project=job["project_id"], detail=f"{name} of job {job['number']}")

    def blocks() -> Iterator[bytes]:
        with path.open("rb") as file:
            while block := file.read(1 << 18):
                yield block

    headers = {
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(name)}",
        "Content-Length": str(os.path.getsize(path)),
    }
    return StreamingResponse(blocks(), media_type="application/octet-stream", headers=headers)


@router.get(
    "/releases/{release}/report",
    operation_id="read_report",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/html": {}}, "description": "one page with everything in it"}},
)
def get_report(
    service: Serving,
    user: Asking,
    words: Speaking,
    release: RunId,
    table: Annotated[str | None, Query(max_length=200, description="another than the first")] = None,
) -> StreamingResponse:
    """The report of a release as one page, in the language asked for."""
    page = release_report(service, user, release, words, table=table)
    return StreamingResponse(iter([page.encode()]), media_type="text/html; charset=utf-8")


@router.delete("/releases/{release}", operation_id="erase_release", status_code=204)
def delete_release(service: Serving, user: Asking, release: RunId) -> None:
    """Erase the files of a release."""
    erase_release(service, user, release)
