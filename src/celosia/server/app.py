"""The service as one application: REST under /api/v1, and the pages where they are wanted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from celosia.server.guard import Guard
from celosia.server.rest import help, hierarchies, projects, releases, runs, session, sources
from celosia.server.rest.answers import add_mistakes
from celosia.server.service import Service

__all__ = ["make_app"]

ROUTERS = (session, projects, sources, hierarchies, runs, releases, help)


def make_app(service: Service) -> FastAPI:
    """The application of a service, without its pages.

    >>> import tempfile
    >>> from pathlib import Path
    >>> from celosia.server.settings import Settings
    >>> app = make_app(Service(Settings(Path(tempfile.mkdtemp()))))
    >>> "/api/v1/projects" in app.openapi()["paths"]
    True
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service.queue.start()
        try:
            yield
        finally:
            service.close()

    app = FastAPI(
        title="Celosía",
        description="Anonymize tables about people, and see what the result is worth.",
        version="1",
        openapi_url="/api/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.service = service
    add_mistakes(app)
    for module in ROUTERS:
        app.include_router(module.router, prefix="/api/v1")
    app.add_middleware(Guard, service=service)
    return app
