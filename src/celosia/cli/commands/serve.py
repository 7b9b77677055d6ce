"""``celosia serve`` and ``celosia desktop``: the web application, in a browser or in a window of its own."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from celosia.api.projects import read_settings
from celosia.cli import completion
from celosia.cli.command import command
from celosia.cli.language import tr
from celosia.cli.options import option
from celosia.errors import ProjectError
from celosia.say import say

if TYPE_CHECKING:
    from celosia.server.settings import Settings

__all__ = ["ServiceOptions", "add_to"]

WORKSPACE = Path("celosia-workspace")


@dataclass(frozen=True)
class ServiceOptions:
    """Where the service keeps things, and how it is set up."""

    workspace: Annotated[
        Path,
        option(
            "--workspace -w",
            "FOLDER",
            "Where projects, tables and releases are kept; celosia-workspace by default.",
            autocompletion=completion.files,
        ),
    ] = WORKSPACE
    database: Annotated[
        str | None,
        option(
            "--database",
            "ADDRESS",
            "PostgreSQL for its own data, its password in CELOSIA_SERVER_PASSWORD; SQLite by default.",
        ),
    ] = None
    settings: Annotated[
        Path | None,
        option(
            "--settings",
            "FILE",
            "Further settings, as YAML: upload_limit, mail, webhook, cluster_places, database_hosts, ...",
            autocompletion=completion.files,
        ),
    ] = None

    def read(self, **options: object) -> "Settings":
        """All settings; what an option says counts more than the file."""
        from celosia.web.server_process import settings_from

        fields: dict[str, object] = {}
        if self.settings is not None:
            fields = read_settings(self.settings)
        told = {key: value for key, value in options.items() if value is not None and value is not False}
        if self.database is not None:
            told["database"] = self.database
        return settings_from({**fields, **told, "workspace": self.workspace})


@dataclass(frozen=True)
class NetworkOptions:
    """How people reach it."""

    host: Annotated[
        str | None, option("--host", "NAME", "Where it listens; this machine alone by default.")
    ] = None
    port: Annotated[
        int | None, option("--port", "NUMBER", "8080 by default, or the next that is free.", max=65535)
    ] = None
    users: Annotated[
        bool, option("--users", None, "People sign in with a name and a password; see `celosia users`.")
    ] = False
    https: Annotated[
        bool, option("--https", None, "People reach it by https, through a proxy before it.")
    ] = False
    origins: Annotated[
        list[str],
        option(
            "--origin", "ADDRESS", "How browsers reach it through a proxy, as in https://celosia.example.org."
        ),
    ] = field(default_factory=list)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    command(app)(serve)
    command(app)(desktop)


def serve(
    *,
    serving: ServiceOptions,
    reaching: NetworkOptions,
    opens: Annotated[bool, option("--open", None, "Open the page in the browser.")] = False,
) -> None:
    """Serve the web application and its REST service, on this machine alone unless told otherwise."""
    _need_web()
    from celosia.server.service import Service
    from celosia.web import server_process

    settings = serving.read(
        host=reaching.host,
        port=reaching.port,
        has_users=reaching.users,
        is_https=reaching.https,
        origins=tuple(reaching.origins) or None,
    )
    settings, place = server_process.listening(settings, is_fixed=reaching.port is not None)
    with place:
        server_process.serve(Service(settings), place, tell=_tell, opens=opens)


def desktop(*, serving: ServiceOptions) -> None:
    """Open the web application in a window of its own; it ends with the window."""
    _need_web()
    from celosia.server.service import Service
    from celosia.web import server_process
    from celosia.web.window import check_display, open_window

    check_display()
    settings, place = server_process.listening(serving.read(), is_fixed=False)
    with place:
        server_process.serve(Service(settings), place, tell=lambda _: None, ready=open_window)


def _tell(link: str) -> None:
    typer.echo(tr("Celosía is at {link}", link=link))


def _need_web() -> None:
    try:
        import nicegui  # noqa: F401
    except ImportError:
        raise ProjectError(
            say("the web application is not installed"), where="serve", remedy=say("install celosia[web]")
        ) from None
