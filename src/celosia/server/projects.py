"""Projects: documents with versions, owned by one person and shared with others."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection, delete, func, or_, select, update

from celosia.api.projects import document_version, parse_project
from celosia.errors import ProjectError
from celosia.say import say
from celosia.server.access import MemberRole, User, redact_for, require
from celosia.server.accounts import find_user
from celosia.server.audit import note
from celosia.server.confine import check_document
from celosia.server.keys import lacking_keys, make_key, with_keys
from celosia.server.listings import ListedProject, ListedVersion
from celosia.server.service import Service, new_id
from celosia.server.store import members, now, projects, record, sources, users, versions
from celosia.server.workspace import project_folder

if TYPE_CHECKING:
    from celosia.api.results import Project

__all__ = [
    "ChangedError",
    "StoredProject",
    "check",
    "copy_project",
    "create_project",
    "list_members",
    "list_projects",
    "list_versions",
    "new_document",
    "parsed",
    "read_project",
    "read_version",
    "restore_version",
    "set_member",
    "update_project",
]


class ChangedError(ProjectError):
    """Somebody else changed it meanwhile."""


@dataclass(frozen=True)
class StoredProject:
    """A project as the service holds it, and what whoever asked is in it."""

    id: str
    name: str
    owner: str
    part: MemberRole
    version: int
    document: dict[str, Any]
    created: str
    changed: str


def list_projects(service: Service, user: User) -> list[ListedProject]:
    """The projects that a person owns or that are shared with her, the latest first."""
    mine = select(members.c.project_id).where(members.c.user_id == user.id)
    query = (
        select(projects, users.c.name.label("owner"))
        .join_from(projects, users)
        .where(or_(projects.c.user_id == user.id, projects.c.id.in_(mine)))
        .order_by(projects.c.changed.desc(), projects.c.id)
    )
    with service.store.begin() as data:
        rows = [record(row) for row in data.execute(query)]
        return [
            {
                "id": row["id"],
                "name": row["name"],
                "owner": row["owner"],
                "version": row["version"],
                "created": row["created"],
                "changed": row["changed"],
                "part": require(data, user, row["id"], MemberRole.VIEWER),
            }
            for row in rows
        ]


def create_project(
    service: Service, user: User, name: str, document: Mapping[str, Any] | None = None
) -> StoredProject:
    """A new project of a person; an empty document unless one is given."""
    name = _checked_name(name)
    new = {"version": document_version(), **(document or {}), "name": name}
    project, moment = new_id(), now()
    with service.store.begin() as data:
        check(service, data, project, new)
        data.execute(
            projects.insert().values(
                id=project, name=name, user_id=user.id, version=1, created=moment, changed=moment
            )
        )
        _keep(data, project, 1, new, user, "")
        note(data, user.name, "create project", project=project, detail=name)
        project_folder(service.settings.workspace, project).mkdir(parents=True, mode=0o700)
    return read_project(service, user, project)


def new_document(language: str) -> dict[str, str]:
    """What a new project says first: the language of labels, where it is not English.

    >>> new_document("es"), new_document("en")
    ({'language': 'es'}, {})
    """
    return {} if language == "en" else {"language": language}


def read_project(service: Service, user: User, project: str) -> StoredProject:
    """A project in its latest version."""
    with service.store.begin() as data:
        part = require(data, user, project, MemberRole.VIEWER)
        row = data.execute(
            select(projects, users.c.name.label("owner"), versions.c.document)
            .join_from(projects, users)
            .join(
                versions,
                (versions.c.project_id == projects.c.id) & (versions.c.number == projects.c.version),
            )
            .where(projects.c.id == project)
        ).one()
    return StoredProject(
        id=row.id,
        name=row.name,
        owner=row.owner,
        part=part,
        version=row.version,
        document=redact_for(row.document, part),
        created=row.created,
        changed=row.changed,
    )


def update_project(
    service: Service,
    user: User,
    project: str,
    document: Mapping[str, Any],
    *,
    expected: int | None = None,
    remark: str = "",
) -> StoredProject:
    """A new version of a project; ``expected`` is the version it was made from, if that matters."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
        version = (
            data.scalar(select(projects.c.version).where(projects.c.id == project).with_for_update()) or 0
        )
        if expected is not None and expected != version:
            raise ChangedError(
                say("it has version {version} by now", version=version),
                where=project,
                remedy=say("load it again and repeat the change"),
            )
        name = _checked_name(str(document.get("name") or _name(data, project)))
        changed = {**document, "version": document_version(), "name": name}
        check(service, data, project, changed)
        changed = with_keys(changed)
        check(service, data, project, changed)  # the name of a key is part of a path
        _keep(data, project, version + 1, changed, user, remark)
        data.execute(
            update(projects)
            .where(projects.c.id == project)
            .values(version=version + 1, name=name, changed=now())
        )
        note(data, user.name, "change project", project=project, detail=_detail(version + 1, remark))
    for place in lacking_keys(service, project, changed):
        make_key(service, user, project, place)
    return read_project(service, user, project)


def copy_project(service: Service, user: User, project: str, name: str) -> StoredProject:
    """A new project with the same document and the same files, but no password, job or release of the other."""
    import shutil

    from celosia.server.workspace import DATA, HIERARCHIES

    held = read_project(service, user, project)
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
        rows = [record(row) for row in data.execute(select(sources).where(sources.c.project_id == project))]
    copied = create_project(service, user, name)
    workspace = service.settings.workspace
    for part in (DATA, HIERARCHIES):
        old, new = project_folder(workspace, project) / part, project_folder(workspace, copied.id) / part
        if old.is_dir():
            shutil.copytree(old, new)
    with service.store.begin() as data:
        for row in rows:
            data.execute(
                sources.insert().values({**row, "id": new_id(), "project_id": copied.id, "sealed": None})
            )
        note(data, user.name, "copied from another project", project=copied.id)
        # Whoever owns the other learns that all of its files were taken.
        note(data, user.name, "copy project", project=project)
    # A key is made with the document: pseudonyms of a copy cannot be linked to those of the other.
    return update_project(service, user, copied.id, {**held.document, "name": copied.name}, remark="copied")


def list_versions(service: Service, user: User, project: str) -> list[ListedVersion]:
    """All versions, the latest first, without their documents."""
    columns = (versions.c.number, versions.c.by, versions.c.at, versions.c.note)
    with service.store.begin() as data:
        require(data, user, project, MemberRole.VIEWER)
        query = select(*columns).where(versions.c.project_id == project).order_by(versions.c.number.desc())
        return [cast(ListedVersion, record(row)) for row in data.execute(query)]


def read_version(service: Service, user: User, project: str, number: int) -> dict[str, Any]:
    """The document of a version."""
    with service.store.begin() as data:
        part = require(data, user, project, MemberRole.VIEWER)
        stored = data.scalar(
            select(versions.c.document).where(
                versions.c.project_id == project, versions.c.number == min(number, 2**31 - 1)
            )
        )
    if stored is None:
        raise ProjectError(
            say("there is no version {number}", number=number),
            where=project,
            remedy=say("see its list of versions"),
        )
    return dict(redact_for(stored, part))


def restore_version(service: Service, user: User, project: str, number: int) -> StoredProject:
    """An earlier version as the latest."""
    document = read_version(service, user, project, number)
    return update_project(service, user, project, document, remark=f"as version {number}")


def list_members(service: Service, user: User, project: str) -> list[dict[str, str]]:
    """Everybody who has a part in a project besides its owner."""
    query = (
        select(users.c.name, members.c.role).join_from(members, users).where(members.c.project_id == project)
    )
    with service.store.begin() as data:
        require(data, user, project, MemberRole.VIEWER)
        return [record(row) for row in data.execute(query.order_by(users.c.name))]


def set_member(service: Service, user: User, project: str, name: str, role: MemberRole | None) -> None:
    """Share a project with somebody, or no longer."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.OWNER)
        other = find_user(data, name)
        if other.id == user.id or role is MemberRole.OWNER:
            raise ProjectError(
                say("a project has one owner"),
                where=name,
                remedy=say("share it with others as analyst or viewer"),
            )
        data.execute(delete(members).where(members.c.project_id == project, members.c.user_id == other.id))
        if role is not None:
            data.execute(members.insert().values(project_id=project, user_id=other.id, role=str(role)))
        note(data, user.name, "share project", project=project, detail=f"{name} as {role or 'no more'}")


def check(service: Service, data: Connection, project: str, document: Mapping[str, Any]) -> "Project":
    """A document that stays in its project, and is one."""
    addresses = data.scalars(
        select(sources.c.address).where(sources.c.project_id == project, sources.c.kind == "database")
    )
    folder = project_folder(service.settings.workspace, project)
    check_document(document, folder, addresses=frozenset(addresses), places=service.settings.cluster_places)
    return parsed(document)


def parsed(document: Mapping[str, Any], where: str = "") -> "Project":
    """The project that a document says; its paths are relative to the folder of ``where``."""
    try:
        text = json.dumps(document, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise ProjectError(say("this is no document"), where="document", remedy=say("give JSON")) from error
    return parse_project(text, where or "project.json")


def _keep(
    data: Connection, project: str, number: int, document: Mapping[str, Any], user: User, remark: str
) -> None:
    values = {
        "number": number,
        "document": dict(document),
        "by": user.name,
        "at": now(),
        "note": remark[:200],
    }
    data.execute(versions.insert().values(project_id=project, **values))


def _detail(version: int, remark: str) -> str:
    return f"version {version}: {remark}" if remark else f"version {version}"


def _name(data: Connection, project: str) -> str:
    return str(data.scalar(select(projects.c.name).where(projects.c.id == project)))


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name or len(name) > 120 or not name.isprintable():
        raise ProjectError(
            say("this is no name for a project"), where="name", remedy=say("give 1 to 120 letters")
        )
    return name


def count_projects(service: Service) -> int:
    """How many there are."""
    with service.store.begin() as data:
        return int(data.scalar(select(func.count()).select_from(projects)) or 0)
