"""The process that serves: a place to listen at, a link to come in by, and an orderly end."""

import gc
import socket
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields as dataclass_fields
from dataclasses import replace
from typing import Any

from celosia.errors import ProjectError
from celosia.say import say
from celosia.server.service import Service
from celosia.server.settings import Mail, Settings

__all__ = ["link_of", "listening", "serve"]

USUAL = range(8080, 8100)
END = 3
"""Seconds that open pages get to say goodbye."""

KEPT = 75
"""Seconds that a connection stays open for the next request: longer than proxies keep theirs, who would use one that
is just being shut."""


def listening(settings: Settings, *, is_fixed: bool) -> tuple[Settings, socket.socket]:
    """A socket at the port of the settings; at the next free one, unless that port was asked for."""
    if not settings.is_local and not settings.has_users:
        raise ProjectError(
            say("others could reach it, and nobody would have to sign in"),
            where="--host",
            remedy=say("add --users, or leave --host out"),
        )
    for port in [settings.port] if is_fixed else USUAL:
        listener = socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((settings.host, port))
        except OSError as error:
            listener.close()
            reason = error.strerror or str(error)
            continue
        return replace(settings, port=listener.getsockname()[1]), listener
    raise ProjectError(
        say(
            "nothing can listen at {host} port {port} ({reason})",
            host=settings.host,
            port=settings.port,
            reason=reason,
        ),
        where="--port",
        remedy=say("give another port"),
    )


def link_of(service: Service) -> str:
    """The address to open: with a token that lets whoever has it in once, unless people sign in.

    >>> import tempfile
    >>> from pathlib import Path
    >>> link_of(Service(Settings(Path(tempfile.mkdtemp()), has_users=True)))
    'http://127.0.0.1:8080/'
    """
    host = f"[{service.settings.host}]" if ":" in service.settings.host else service.settings.host
    there = f"http://{host}:{service.settings.port}/"
    return there if service.settings.has_users else f"{there}open?token={service.new_token()}"


def serve(
    service: Service,
    place: socket.socket,
    *,
    tell: Callable[[str], None],
    opens: bool = False,
    ready: Callable[[str, Callable[[], None]], None] | None = None,
) -> None:
    """Serve until somebody stops it; ``tell`` is given every link, a new one when the last was used.

    ``ready`` is called once it answers, with a link and with what stops it.
    """
    import uvicorn

    from celosia.web.site import make_site

    server = uvicorn.Server(
        uvicorn.Config(
            make_site(service),
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=END,
            timeout_keep_alive=KEPT,
            ws_max_size=service.settings.body_limit,
        )
    )
    service.on_used = lambda: tell(link_of(service))

    def stop() -> None:
        server.should_exit = True

    def announce() -> None:
        while not server.started:
            if server.should_exit:
                return
            threading.Event().wait(0.05)
        link = link_of(service)
        tell(link)
        if ready is not None:
            ready(link, stop)
        elif opens:
            webbrowser.open(link)

    threading.Thread(target=announce, daemon=True).start()
    # What was loaded stays: whoever waits for a page should not wait while all of it is looked through for garbage.
    gc.collect()
    gc.freeze()
    with suppress(KeyboardInterrupt):  # the server has ended already, and tells so
        server.run(sockets=[place])


def _refuse_unknown(settings: dict[str, Any], known: type, within: str) -> None:
    """Raise for a field that does not exist: whoever misspelled a limit would believe that it holds."""
    names = [field.name for field in dataclass_fields(known)]
    for name in settings:
        if name not in names:
            raise ProjectError(
                say("there is no setting {name!r}", name=name),
                where=say("settings, {within}{name}", within=within, name=name),
                remedy=say("choose {names}", names=", ".join(names)),
            )


def settings_from(fields: dict[str, Any]) -> Settings:
    """Settings from the fields of a document; what is wrong is said by field."""
    from pathlib import Path

    from pydantic import TypeAdapter, ValidationError

    from celosia.registered import first_mistake

    _refuse_unknown(fields, Settings, "")
    if isinstance(fields.get("mail"), dict):
        _refuse_unknown(fields["mail"], Mail, "mail.")
    try:
        return TypeAdapter(Settings).validate_python({**fields, "workspace": Path(fields["workspace"])})
    except ValidationError as error:
        field, mistake, _ = first_mistake(error)
        raise ProjectError(
            mistake, where=say("settings, {field}", field=field), remedy=say("correct the setting")
        ) from None
