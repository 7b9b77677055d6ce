"""Keys of a project: files in its folder that only the service reads, and that no page ever shows."""

import os
from collections.abc import Iterator, Mapping
from typing import Any

from celosia.api.masking import DEFAULT_KEY, new_key
from celosia.api.registries import make_operation
from celosia.server.access import MemberRole, User, require
from celosia.server.audit import note
from celosia.server.service import Service
from celosia.server.workspace import is_inside, project_folder

__all__ = ["KEYS", "lacking_keys", "make_key", "with_keys"]

KEYS = "keys"


def make_key(service: Service, user: User, project: str, place: str = f"{KEYS}/{DEFAULT_KEY}.key") -> str:
    """The file of a key, as a document names it; a new random key unless there is one."""
    with service.store.begin() as data:
        require(data, user, project, MemberRole.ANALYST)
    folder = project_folder(service.settings.workspace, project)
    path = folder / place
    if path.exists() or not is_inside(path, folder):
        return place
    path.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
    with os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as file:
        file.write(new_key() + "\n")
    with service.store.begin() as data:
        note(data, user.name, "make key", project=project, detail=place)
    return place


def with_keys(document: dict[str, Any]) -> dict[str, Any]:
    """A document that names a file for every key that its operations need.

    >>> columns = {"id": {"operation": {"name": "pseudonymize"}}}
    >>> with_keys({"tables": {"people": {"columns": columns}}})["keys"]
    {'default': {'file': 'keys/default.key'}}
    """
    needed = {
        make_operation(
            str(said["name"]), **{name: value for name, value in said.items() if name != "name"}
        ).key_name
        for said in _operations(document)
    }
    keys = document.get("keys") or {}
    missing = {name: {"file": f"{KEYS}/{name}.key"} for name in needed if name and name not in keys}
    return {**document, "keys": {**keys, **missing}} if missing else document


def _operations(document: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for table in (document.get("tables") or {}).values():
        for column in ((table or {}).get("columns") or {}).values():
            operation = column.get("operation") if isinstance(column, Mapping) else None
            if isinstance(operation, str):
                yield {"name": operation}
            elif isinstance(operation, Mapping):
                yield operation


def lacking_keys(service: Service, project: str, document: dict[str, Any]) -> list[str]:
    """Files of keys that a document names and its project does not have, as after a copy."""
    folder = project_folder(service.settings.workspace, project)
    places = [dict(key or {}).get("file") for key in (document.get("keys") or {}).values()]
    return [place for place in places if isinstance(place, str) and not (folder / place).is_file()]
