"""Projects: create, read, update, delete, copy, versions, members, and who did what."""

from typing import Annotated, Any

from fastapi import APIRouter, Header, Path
from pydantic import BaseModel, ConfigDict, Field, model_validator

from celosia.errors import ProjectError
from celosia.server import erasing, projects
from celosia.server.access import MemberRole, require
from celosia.server.audit import read_audit
from celosia.server.rest.answers import Asking, Serving, mistakes
from celosia.server.storable import check_storable

__all__ = ["Number", "ProjectId", "router"]

router = APIRouter(tags=["projects"], responses=mistakes)
ProjectId = Annotated[str, Path(pattern=r"^[0-9a-f]{16}$", description="the id of a project")]
Number = Annotated[int, Path(ge=1, le=2**31 - 1, description="the number of a version")]


class RequestBody(BaseModel):
    """What is asked for; unknown fields are mistakes."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _fits(cls, body: Any) -> Any:
        try:
            check_storable(body)
        except ProjectError as error:
            raise ValueError(error.what) from None
        return body


class NewProject(RequestBody):
    """A name, and a document in the project language if there is one already."""

    name: str = Field(min_length=1, max_length=120)
    document: dict[str, Any] = Field(default_factory=dict)


class ProjectUpdate(RequestBody):
    """The whole document, and what the change was."""

    document: dict[str, Any]
    remark: str = Field(default="", max_length=200)


class ProjectCopy(RequestBody):
    """The name of the copy."""

    name: str = Field(min_length=1, max_length=120)


class MemberUpdate(RequestBody):
    """What somebody is to be in the project."""

    role: MemberRole


class ProjectSummary(BaseModel):
    """A project as lists show it."""

    id: str
    name: str
    owner: str
    part: MemberRole
    version: int
    created: str
    changed: str


class ProjectDetail(ProjectSummary):
    """A project with its document."""

    document: dict[str, Any]


class Version(BaseModel):
    """A version without its document."""

    number: int
    by: str
    at: str
    note: str


class Member(BaseModel):
    """Somebody with whom a project is shared."""

    name: str
    role: MemberRole


class AuditEntry(BaseModel):
    """Something that somebody did."""

    at: str
    who: str
    action: str
    detail: str


@router.get("/projects", operation_id="list_projects")
def list_projects(service: Serving, user: Asking) -> list[ProjectSummary]:
    """Your projects and those shared with you, the latest first."""
    return [ProjectSummary(**project) for project in projects.list_projects(service, user)]


@router.post("/projects", operation_id="create_project", status_code=201)
def create_project(service: Serving, user: Asking, body: NewProject) -> ProjectDetail:
    """A new project."""
    return _whole(projects.create_project(service, user, body.name, body.document))


@router.get("/projects/{project}", operation_id="read_project")
def read_project(service: Serving, user: Asking, project: ProjectId) -> ProjectDetail:
    """A project in its latest version."""
    return _whole(projects.read_project(service, user, project))


@router.put("/projects/{project}", operation_id="update_project")
def update_project(
    service: Serving,
    user: Asking,
    project: ProjectId,
    body: ProjectUpdate,
    if_match: Annotated[int | None, Header(ge=0, description="the version that was changed")] = None,
) -> ProjectDetail:
    """A new version; with If-Match it is refused if somebody else changed the project meanwhile."""
    held = projects.update_project(
        service, user, project, body.document, expected=if_match, remark=body.remark
    )
    return _whole(held)


@router.delete("/projects/{project}", operation_id="erase_project")
def delete_project(service: Serving, user: Asking, project: ProjectId) -> erasing.ErasureReport:
    """Erase a project with everything that the service holds of it, and look that it is gone."""
    return erasing.erase_project(service, user, project)


@router.post("/projects/{project}/copy", operation_id="copy_project", status_code=201)
def copy_project(service: Serving, user: Asking, project: ProjectId, body: ProjectCopy) -> ProjectDetail:
    """A project with the same document and files."""
    return _whole(projects.copy_project(service, user, project, body.name))


@router.get("/projects/{project}/versions", operation_id="list_versions")
def list_versions(service: Serving, user: Asking, project: ProjectId) -> list[Version]:
    """All versions, the latest first."""
    return [Version(**version) for version in projects.list_versions(service, user, project)]


@router.get("/projects/{project}/versions/{number}", operation_id="read_version")
def read_version(service: Serving, user: Asking, project: ProjectId, number: Number) -> dict[str, Any]:
    """The document of a version."""
    return projects.read_version(service, user, project, number)


@router.post("/projects/{project}/versions/{number}/restore", operation_id="restore_version")
def restore_version(service: Serving, user: Asking, project: ProjectId, number: Number) -> ProjectDetail:
    """An earlier version as the latest."""
    return _whole(projects.restore_version(service, user, project, number))


@router.get("/projects/{project}/members", operation_id="list_members")
def list_members(service: Serving, user: Asking, project: ProjectId) -> list[Member]:
    """With whom it is shared."""
    return [
        Member(name=member["name"], role=MemberRole(member["role"]))
        for member in projects.list_members(service, user, project)
    ]


@router.put("/projects/{project}/members/{name}", operation_id="share_project", status_code=204)
def put_member(service: Serving, user: Asking, project: ProjectId, name: str, body: MemberUpdate) -> None:
    """Share it with somebody."""
    projects.set_member(service, user, project, name, body.role)


@router.delete("/projects/{project}/members/{name}", operation_id="unshare_project", status_code=204)
def delete_member(service: Serving, user: Asking, project: ProjectId, name: str) -> None:
    """No longer share it with somebody."""
    projects.set_member(service, user, project, name, None)


@router.get("/projects/{project}/audit", operation_id="read_audit")
def get_audit(service: Serving, user: Asking, project: ProjectId) -> list[AuditEntry]:
    """Who saw and did what, the latest first."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.OWNER)
        return [
            AuditEntry(at=audit["at"], who=audit["who"], action=audit["action"], detail=audit["detail"])
            for audit in read_audit(data, project)
        ]


def _whole(held: projects.StoredProject) -> ProjectDetail:
    return ProjectDetail(**{key: getattr(held, key) for key in ProjectDetail.model_fields})
