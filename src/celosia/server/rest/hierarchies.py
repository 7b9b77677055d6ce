"""Hierarchies of a project: files that columns name."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field

from celosia.server import hierarchies
from celosia.server.rest.answers import Asking, Serving, Speaking, mistakes
from celosia.server.rest.projects import ProjectId, RequestBody
from celosia.words import Words

__all__ = ["router"]

router = APIRouter(tags=["hierarchies"], responses=mistakes)
Name = Annotated[str, Path(min_length=1, max_length=100, description="the name of the hierarchy")]


class HierarchyRows(RequestBody):
    """One row per value: the value, then its label at every level, the last one the same for all."""

    rows: list[list[str]] = Field(max_length=1_000_000)


class ProblemAnswer(BaseModel):
    """Something wrong with a hierarchy, and what to do."""

    what: str
    remedy: str


class HierarchyDetail(BaseModel):
    """A hierarchy and what is wrong with it."""

    name: str
    rows: list[list[str]]
    problems: list[ProblemAnswer]


@router.get("/projects/{project}/hierarchies", operation_id="list_hierarchies")
def list_hierarchies(service: Serving, user: Asking, project: ProjectId) -> list[str]:
    """The names of the hierarchies that the project keeps."""
    return hierarchies.list_hierarchies(service, user, project)


@router.get("/projects/{project}/hierarchies/{name}", operation_id="read_hierarchy")
def get_hierarchy(
    service: Serving, user: Asking, words: Speaking, project: ProjectId, name: Name
) -> HierarchyDetail:
    """One of them."""
    return _whole(name, hierarchies.read_rows(service, user, project, name), words)


@router.put("/projects/{project}/hierarchies/{name}", operation_id="write_hierarchy")
def put_hierarchy(
    service: Serving, user: Asking, words: Speaking, project: ProjectId, name: Name, body: HierarchyRows
) -> HierarchyDetail:
    """Keep a hierarchy; a project names it by ``hierarchies/NAME.csv``."""
    return _whole(name, hierarchies.write_rows(service, user, project, name, body.rows), words)


@router.put(
    "/projects/{project}/hierarchies/{name}/file",
    operation_id="import_hierarchy",
    openapi_extra={
        "requestBody": {
            "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
            "required": True,
        }
    },
)
async def put_file(
    service: Serving,
    user: Asking,
    words: Speaking,
    request: Request,
    project: ProjectId,
    name: Name,
    column: Annotated[
        str, Query(max_length=200, description="the column, where a file has several trees")
    ] = "",
    ending: Annotated[str, Query(max_length=10, description="of the name of the file")] = ".csv",
) -> HierarchyDetail:
    """Keep a hierarchy that was made elsewhere: a level table (CSV, TXT, TSV) or a tree (JSON) is the body."""
    content = await request.body()
    rows = await asyncio.to_thread(hierarchies.read_file, content, ending.lower(), column or name)
    kept = await asyncio.to_thread(hierarchies.write_rows, service, user, project, name, rows)
    return _whole(name, kept, words)


@router.delete("/projects/{project}/hierarchies/{name}", operation_id="remove_hierarchy", status_code=204)
def delete_hierarchy(service: Serving, user: Asking, project: ProjectId, name: Name) -> None:
    """Erase one."""
    hierarchies.remove_hierarchy(service, user, project, name)


def _whole(name: str, rows: list[list[str]], words: Words) -> HierarchyDetail:
    problems = hierarchies.problems(rows)
    told = [
        ProblemAnswer(what=words.render(problem["what"]), remedy=words.render(problem["remedy"]))
        for problem in problems
    ]
    return HierarchyDetail(name=name, rows=rows, problems=told)
