"""The pages and REST as one application, and the process that serves both."""

from pathlib import Path

from fastapi import FastAPI

from celosia.server.app import make_app
from celosia.server.service import Service

__all__ = ["current", "make_site"]

HERE = Path(__file__).parent
_services: list[Service] = []


def current() -> Service:
    """The service whose pages these are; one process has one."""
    return _services[-1]


def make_site(service: Service) -> FastAPI:
    """REST and all pages of a service."""
    from nicegui import app as pages
    from nicegui import ui

    from celosia.web.nicegui_speed import remember_signatures
    from celosia.web.pages import register_pages
    from celosia.web.pages.sign_in import missing

    remember_signatures()
    _services.append(service)
    app = make_app(service)
    pages.add_static_files("/static", str(HERE / "static"), max_cache_age=3600)
    register_pages(app)
    pages.on_page_exception(_show_unforeseen)
    pages.add_exception_handler(404, missing)
    ui.run_with(
        app,
        title="Celosía",
        favicon=HERE / "static" / "icon.svg",
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=10.0,
        binding_refresh_interval=None,
    )
    return app


def _show_unforeseen(error: Exception) -> None:
    """A mistake of ours: its text may hold values of a table, so whoever runs the service gets it, not the page."""
    from celosia.errors import ProjectError
    from celosia.server.guard import speaking
    from celosia.web.page_context import show_error
    from celosia.words import Words

    words = Words(speaking.get())
    remedy = words("Load the page again. If it comes back, tell whoever runs the service.")
    show_error(ProjectError(words("Something unforeseen happened."), remedy=remedy), words)
