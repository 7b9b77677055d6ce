"""Keys of a project: files in its folder that only the service reads, and that no page ever shows."""

import os
from typing import Any

from celosia.mask.keys import DEFAULT, new_key
from celosia.server.access import Part, User, require
from celosia.server.audit import note
from celosia.server.service import Service
from celosia.server.workspace import is_inside, project_folder

__all__ = ["KEYS", "lacking_keys", "make_key"]

KEYS = "keys"


def make_key(service: Service, user: User, project: str, place: str = f"{KEYS}/{DEFAULT}.key") -> str:
    """The file of a key, as a document names it; a new random key unless there is one."""
    with service.store.begin() as data:
        require(data, user, project, Part.ANALYST)
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


def lacking_keys(service: Service, project: str, document: dict[str, Any]) -> list[str]:
    """Files of keys that a document names and its project does not have, as after a copy."""
    folder = project_folder(service.settings.workspace, project)
    places = [dict(key or {}).get("file") for key in (document.get("keys") or {}).values()]
    return [place for place in places if isinstance(place, str) and not (folder / place).is_file()]
