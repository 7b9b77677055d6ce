"""Documents of earlier versions, brought up to date."""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from celosia.errors import ProjectError
from celosia.project.project import VERSION
from celosia.say import join_texts, say

__all__ = ["upgrade"]


def upgrade(document: Mapping[str, object], *, location: str = "") -> dict[str, object]:
    """A document in the version of today.

    >>> old = {"version": 1, "source": {"path": "people.csv", "types": {"zip": "text"}}, "destination": "safe.csv"}
    >>> upgrade(old)["tables"]["people"]["columns"]
    {'zip': {'type': 'text'}}
    """
    fields = {name: value for name, value in document.items() if name != "$schema"}  # that is for editors
    version = fields.get("version", VERSION)
    if version == 1:
        return _from_first(fields)
    if version != VERSION:
        raise ProjectError(
            say("version {version!r} of the project language is not known", version=version),
            where=join_texts(": ", [location, "version"]) if location else "version",
            remedy=say(
                "write version: {version}, or use the release of Celosía that made the document",
                version=VERSION,
            ),
        )
    return fields


def _from_first(document: dict[str, Any]) -> dict[str, Any]:
    """Version 1 told of one table, with all its fields at the top."""
    source = dict(document.pop("source", None) or {})
    declared = document.pop("columns", None) or {}
    columns = {name: dict(plan) if isinstance(plan, Mapping) else plan for name, plan in declared.items()}
    for name, kind in (source.pop("types", None) or {}).items():
        listed = columns.get(name) or {}
        columns[name] = {**({"role": listed} if isinstance(listed, str) else listed), "type": kind}
    destination = {
        "path": document.pop("destination", None),
        "table": document.pop("destination_table", None),
        "record": document.pop("record", None),
    }
    path = source.get("path")
    name = (
        PurePath(path).stem if path and "://" not in path else next(iter(source.get("table") or ()), "table")
    )
    table = {
        "source": source,
        "destination": {field: value for field, value in destination.items() if value is not None},
        "columns": columns,
    }
    return {**document, "version": VERSION, "tables": {name: table}}
