"""The JSON Schema of the project language: editors complete and check documents with it."""

from typing import Any

from celosia.project.project import Project

__all__ = ["ADDRESS", "json_schema"]

ADDRESS = "https://celosia.example/project-2.json"
"""What the schema calls itself; nothing is fetched from there."""


def json_schema() -> dict[str, object]:
    """The schema, derived from the models and from every privacy model, technique and operation that is registered.

    >>> "tables" in json_schema()["properties"]
    True
    """
    schema = Project.model_json_schema(mode="validation")
    schema["properties"]["$schema"] = {"type": "string", "description": "Where editors find this schema."}
    schema["properties"]["extends"] = {
        "description": "Documents that this one builds on, by path; what it says itself wins.",
        "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
    }
    _list_or_one(schema["$defs"]["Source"], "table")
    _shorten(schema, "Source", "a path")
    _shorten(schema, "Destination", "a path")
    _shorten(schema, "ColumnPlan", "a role")
    _shorten(schema, "LedgerPlan", "a path")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": ADDRESS, **schema}


def _list_or_one(part: dict[str, Any], field: str) -> None:
    """Let a text stand for a list of one."""
    whole = part["properties"][field]
    described = {name: whole.pop(name) for name in ("description", "default") if name in whole}
    part["properties"][field] = {**described, "anyOf": [{"type": "string"}, whole]}


def _shorten(schema: dict[str, Any], part: str, text: str) -> None:
    """Let a text stand for a part, as the documents do."""
    whole = schema["$defs"][part]
    short: dict[str, Any] = {"type": "string", "description": text}
    if part == "ColumnPlan":
        short = {"enum": list(schema["$defs"]["Role"]["enum"]), "description": text}
    described = {"title": part, "description": whole.get("description", "")}
    choices = [short, whole] if part != "ColumnPlan" else [short, {"type": "null"}, whole]
    schema["$defs"][part] = {**described, "anyOf": choices}
