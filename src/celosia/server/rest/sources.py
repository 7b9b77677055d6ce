"""Where tables come from: files, databases, places on a cluster; and the tables themselves."""

import asyncio
import queue
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import BaseModel, Field
from starlette.requests import ClientDisconnect

from celosia.errors import TableError
from celosia.say import say
from celosia.server import sources
from celosia.server.projects import read_project
from celosia.server.rest.answers import Asking, Serving, mistakes
from celosia.server.rest.projects import ProjectId, RequestBody

__all__ = ["router"]

router = APIRouter(tags=["sources"], responses=mistakes)
FileName = Annotated[str, Path(min_length=1, max_length=200, description="the name of the file")]


class Connection(RequestBody):
    """A database: its address, as in postgresql://ana@host/clinic, and its password."""

    name: str = Field(min_length=1, max_length=100)
    address: str = Field(min_length=1, max_length=500)
    password: str | None = Field(default=None, max_length=500)


class ClusterPlace(RequestBody):
    """A place on a cluster, as in hdfs:///people.parquet."""

    name: str = Field(min_length=1, max_length=100)
    address: str = Field(min_length=1, max_length=500)


class SourceSummary(BaseModel):
    """A source; of its password only whether there is one."""

    id: str
    name: str
    kind: str
    address: str
    bytes: int
    has_password: bool
    created: str


class TableSummary(BaseModel):
    """A table of the project and where it is."""

    name: str
    source: Any


@router.get("/projects/{project}/sources", operation_id="list_sources")
def list_sources(service: Serving, user: Asking, project: ProjectId) -> list[SourceSummary]:
    """The sources of a project."""
    return [SourceSummary(**source) for source in sources.list_sources(service, user, project)]


@router.put(
    "/projects/{project}/files/{name}",
    operation_id="upload_file",
    status_code=201,
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
    request: Request,
    project: ProjectId,
    name: FileName,
    replace: Annotated[bool, Query(description="replace a file of that name")] = False,
) -> SourceSummary:
    """Upload a file: its bytes are the body, and go straight into the workspace."""
    # Blocks wait in a short queue, so that a fast network does not fill the memory of a slow disk.
    blocks: queue.Queue[bytes | None] = queue.Queue(maxsize=8)
    is_whole = False

    def arriving() -> Iterator[bytes]:
        while (block := blocks.get()) is not None:
            yield block
        if not is_whole:
            raise TableError(say("the upload was interrupted"), where=name, remedy=say("upload it again"))

    kept = asyncio.create_task(
        asyncio.to_thread(sources.add_file, service, user, project, name, arriving(), replace=replace)
    )

    async def hand_over(block: bytes | None) -> None:
        while not kept.done():
            try:
                blocks.put_nowait(block)
                return
            except queue.Full:
                await asyncio.sleep(0.005)

    try:
        async for block in request.stream():
            await hand_over(block)
            if kept.done():
                break
        is_whole = True
    except ClientDisconnect:
        pass  # half a file is none: whoever writes it is told, and erases it
    finally:
        await hand_over(None)
    return SourceSummary(**await kept)


@router.post("/projects/{project}/connections", operation_id="connect_database", status_code=201)
def post_connection(
    service: Serving, user: Asking, project: ProjectId, connection: Connection
) -> SourceSummary:
    """Connect a database; its password is sealed, and never sent back."""
    return SourceSummary(
        **sources.add_connection(
            service, user, project, connection.name, connection.address, connection.password
        )
    )


@router.post("/projects/{project}/places", operation_id="name_place", status_code=201)
def post_place(service: Serving, user: Asking, project: ProjectId, place: ClusterPlace) -> SourceSummary:
    """Name a place on a cluster."""
    return SourceSummary(**sources.add_place(service, user, project, place.name, place.address))


@router.delete("/projects/{project}/sources/{source}", operation_id="remove_source", status_code=204)
def delete_source(service: Serving, user: Asking, project: ProjectId, source: str) -> None:
    """Erase a file, or forget a connection."""
    sources.remove_source(service, user, project, source)


@router.get("/projects/{project}/tables", operation_id="list_tables")
def list_tables(service: Serving, user: Asking, project: ProjectId) -> list[TableSummary]:
    """The tables of the project's document."""
    tables = read_project(service, user, project).document.get("tables") or {}
    return [TableSummary(name=name, source=(table or {}).get("source")) for name, table in tables.items()]
