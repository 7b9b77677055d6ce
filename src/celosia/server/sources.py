"""Where the tables of a project come from: files that were uploaded, databases, places on a cluster."""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import delete, select

from celosia.api.erasing import erase_file
from celosia.api.opening import check_table_name
from celosia.errors import ProjectError, TableError
from celosia.say import say
from celosia.server.access import MemberRole, User, require
from celosia.server.audit import note
from celosia.server.confine import check_address, check_place
from celosia.server.listings import ListedSource
from celosia.server.service import Service, new_id
from celosia.server.store import now, record, sources
from celosia.server.workspace import DATA, plain_name, project_folder

__all__ = ["add_connection", "add_file", "add_place", "list_sources", "passwords", "remove_source"]


def list_sources(service: Service, user: User, project: str) -> list[ListedSource]:
    """The sources of a project; of a password only whether there is one."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.VIEWER)
        stored = data.execute(select(sources).where(sources.c.project_id == project).order_by(sources.c.name))
        rows = [record(row) for row in stored]
    return [_listed(row) for row in rows]


def add_file(
    service: Service, user: User, project: str, name: str, blocks: Iterable[bytes], *, replace: bool = False
) -> ListedSource:
    """Keep an uploaded file; one of the same name is replaced only if that is meant."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    name = plain_name(name)
    _check_ending(name)
    folder = project_folder(service.settings.workspace, project) / DATA
    folder.mkdir(mode=0o700, exist_ok=True)
    path, hidden = folder / name, folder / f".{new_id()}.part"
    if path.exists() and not replace:
        raise ProjectError(
            say("{name} is there already", name=name),
            where="name",
            remedy=say("rename it, or replace the other"),
        )
    try:
        size, digest = _write(hidden, blocks, service.settings.upload_limit, name)
        _put(hidden, path)
    finally:
        if hidden.exists():
            erase_file(hidden)
    values = {"name": name, "kind": "file", "address": f"{DATA}/{name}", "bytes": size, "digest": digest}
    return _add(service, user, project, values, f"{name}, {size} bytes")


def add_connection(
    service: Service, user: User, project: str, name: str, address: str, password: str | None
) -> ListedSource:
    """Connect a database: its address and, sealed, its password."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    address = check_address(address, service.settings.database_hosts)
    sealed = None if password is None else service.seal.shut(password, about=f"{project} {address}")
    values = {"name": plain_name(name), "kind": "database", "address": address, "sealed": sealed}
    return _add(service, user, project, values, address)


def add_place(service: Service, user: User, project: str, name: str, address: str) -> ListedSource:
    """Name a place on a cluster, in a store or on the web."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    check_place(address, service.settings.cluster_places, where="address")
    values = {"name": plain_name(name), "kind": "cluster", "address": address}
    return _add(service, user, project, values, address)


def remove_source(service: Service, user: User, project: str, source: str) -> None:
    """Take a source away: its file is erased, its password forgotten."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
        row = data.execute(
            select(sources).where(sources.c.project_id == project, sources.c.id == source)
        ).first()
        if row is None:
            raise ProjectError(
                say("there is no such source"), where=source[:40], remedy=say("see the list of sources")
            )
        if row.kind == "file":
            path = project_folder(service.settings.workspace, project) / DATA / row.name
            if path.is_file():
                erase_file(path)
        data.execute(delete(sources).where(sources.c.id == source))
        note(data, user.name, "remove source", project=project, detail=row.name)


def passwords(service: Service, project: str) -> dict[str, str]:
    """The passwords of the databases of a project by address, for its jobs only."""
    with service.store.begin() as data:
        rows = data.execute(
            select(sources.c.address, sources.c.sealed).where(
                sources.c.project_id == project, sources.c.sealed.is_not(None)
            )
        ).all()
    return {row.address: service.seal.open(row.sealed, about=f"{project} {row.address}") for row in rows}


def _add(service: Service, user: User, project: str, values: dict[str, Any], detail: str) -> ListedSource:
    with service.store.begin() as data:
        data.execute(delete(sources).where(sources.c.project_id == project, sources.c.name == values["name"]))
        source = {"id": new_id(), "project_id": project, "created": now(), "bytes": 0, **values}
        data.execute(sources.insert().values(**source))
        note(data, user.name, f"add {values['kind']}", project=project, detail=detail)
    return _listed(source)


def _listed(source: Mapping[str, Any]) -> ListedSource:
    """A source as it is kept, without its password."""
    return {
        "id": source["id"],
        "name": source["name"],
        "kind": source["kind"],
        "address": source["address"],
        "bytes": source["bytes"],
        "created": source["created"],
        "has_password": source.get("sealed") is not None,
    }


def _write(path: Path, blocks: Iterable[bytes], limit: int, name: str) -> tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        for block in blocks:
            size += len(block)
            if size > limit:
                raise TableError(
                    say("the file is larger than {limit} MB", limit=limit >> 20),
                    where=name,
                    remedy=say("connect a database instead, or ask whoever runs the service"),
                )
            digest.update(block)
            file.write(block)
    if not size:
        raise TableError(say("the file is empty"), where=name, remedy=say("choose another"))
    return size, digest.hexdigest()


def _put(upload: Path, path: Path) -> None:
    """Give a file its name; one that had it before is overwritten, not only let go of."""
    old = upload.with_name(f".{new_id()}.part")
    if path.exists():
        os.replace(path, old)
    os.replace(upload, path)
    if old.exists():
        erase_file(old)


def _check_ending(name: str) -> None:
    check_table_name(name)
