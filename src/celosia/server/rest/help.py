"""What the service is, and what its words mean."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel

from celosia.api.projects import json_schema
from celosia.server.rest.answers import Speaking, mistakes

__all__ = ["router"]

router = APIRouter(tags=["help"], responses=mistakes)


class Health(BaseModel):
    """Whether the service answers."""

    state: str = "ok"


@router.get("/health", operation_id="health")
def get_health() -> Health:
    """Whether the service answers."""
    return Health()


@router.get("/schema", operation_id="project_schema")
def get_schema(words: Speaking) -> dict[str, Any]:
    """The JSON Schema of project documents."""
    return json_schema()
