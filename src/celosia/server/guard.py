"""The door: who asks, from which page, how much; and what browsers are told not to do with the answer.

It stands before everything else, the pages' own channel included. Whoever has no session gets to the sign-in and to
files that are the same for everybody, and nowhere else.
"""

import re
import time
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from contextvars import ContextVar
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, urlsplit

from celosia.say import say
from celosia.server.accounts import UserSession, find_session, same
from celosia.server.service import Service
from celosia.server.settings import Settings

__all__ = ["COOKIE", "LANGUAGE", "Guard", "cookie_header", "language_of", "speaking"]

COOKIE, LANGUAGE = "celosia_session", "celosia_language"
OPEN = ("/open", "/sign-in", "/api/v1/session", "/api/v1/health", "/favicon.ico")
ASSETS = ("/_nicegui/", "/static/")
SAFE = ("GET", "HEAD", "OPTIONS")
UPLOADS = re.compile(r"/api/v1/projects/[^/]+/files/[^/]+")
"""Paths that take files, whose size the service itself looks at while it writes them."""
LOOK_AGAIN = 5.0
"""Seconds for which the channel of a page believes that its session lasts."""

speaking: ContextVar[str] = ContextVar("speaking", default="en")
"""The language of the request that is being answered."""
Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
"""Pages are put together in the browser, by templates that need inline scripts; nothing comes from elsewhere."""
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
)


class Guard:
    """An application that lets requests through to another, or not."""

    def __init__(self, app: Any, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Look at one request."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]
        }
        session, by_cookie = self._session(headers)
        state = scope.setdefault("state", {})
        speaking.set(language_of(headers))
        state["session"], state["language"] = session, language_of(headers)
        refusal = self._refusal(scope, headers, session, by_cookie)
        if refusal is not None:
            await _refuse(scope, send, *refusal)
            return
        await self._app(
            scope, self._limited(scope, headers, receive), _with_headers(scope, send, self._settings)
        )

    @property
    def _settings(self) -> Settings:
        return self._service.settings

    def _session(self, headers: dict[str, str]) -> tuple[UserSession | None, bool]:
        """Whose request it is, and whether a browser said so by itself."""
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        by_cookie = scheme.lower() != "bearer"
        secret = _cookies(headers).get(COOKIE, "") if by_cookie else bearer.strip()
        if not secret:
            return None, by_cookie
        with self._service.store.begin() as data:
            return find_session(data, secret), by_cookie

    def _refusal(
        self, scope: Scope, headers: dict[str, str], session: UserSession | None, by_cookie: bool
    ) -> tuple[int, str] | None:
        """The status and the reason for which a request goes no further."""
        path, method = scope["path"], scope.get("method", "GET")
        if not self._is_known_host(headers.get("host", "")):
            return 421, say("this is not the name of the service")
        changes = method not in SAFE or scope["type"] == "websocket"
        if changes and "origin" in headers and not self._is_own(headers["origin"], headers.get("host", "")):
            return 403, say("this comes from another page")
        if self._is_large(scope, headers):
            return 413, say("this is too large")
        is_open = path in OPEN or (path.startswith(ASSETS) and method in SAFE)
        if session is None:
            return None if is_open else (401, say("sign in first"))
        needs_word = changes and by_cookie and path.startswith("/api/") and not is_open
        if needs_word and not same(headers.get("x-csrf-token", ""), session.csrf):
            return 403, say("the header X-CSRF-Token is missing or wrong")
        return None

    def _is_large(self, scope: Scope, headers: dict[str, str]) -> bool:
        size = headers.get("content-length", "0")
        return size.isdigit() and int(size) > self._settings.body_limit and not _is_upload(scope)

    def _is_known_host(self, host: str) -> bool:
        # A name of somebody else's that leads here would let her pages read ours (DNS rebinding).
        if not self._settings.is_local:
            return True
        name = urlsplit(f"//{host}").hostname or ""
        known = {urlsplit(origin).hostname for origin in self._settings.origins}
        return name in ("127.0.0.1", "localhost", "::1") or name in known

    def _is_own(self, origin: str, host: str) -> bool:
        scheme = "https" if self._settings.is_https else "http"
        return origin == f"{scheme}://{host}" or origin in self._settings.origins

    def _while_signed_in(self, headers: dict[str, str], receive: Receive) -> Receive:
        """What arrives on the channel of a page, which is shut when its session ends."""
        looked = time.monotonic()

        async def guarded() -> Message:
            nonlocal looked
            message = await receive()
            if message["type"] == "websocket.receive" and time.monotonic() - looked > LOOK_AGAIN:
                looked = time.monotonic()
                if self._session(headers)[0] is None:
                    return {"type": "websocket.disconnect", "code": 4401}
            return message

        return guarded

    def _limited(self, scope: Scope, headers: dict[str, str], receive: Receive) -> Receive:
        """What arrives, cut off where it is more than allowed, whatever its header says."""
        if scope["type"] == "websocket":
            return self._while_signed_in(headers, receive)
        if "content-length" in headers or _is_upload(scope):
            return receive
        seen = 0

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._settings.body_limit:
                return {"type": "http.disconnect"}
            return message

        return limited


def _is_upload(scope: Scope) -> bool:
    return scope.get("method") == "PUT" and UPLOADS.fullmatch(scope["path"]) is not None


def _with_headers(scope: Scope, send: Send, settings: Settings) -> Send:
    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            have = {name.lower() for name, _ in message["headers"]}
            added = [pair for pair in HEADERS if pair[0] not in have]
            if not scope["path"].startswith(ASSETS) and b"cache-control" not in have:
                added.append((b"cache-control", b"no-store"))
            if settings.is_https:
                added.append((b"strict-transport-security", b"max-age=31536000"))
            message["headers"] = [*message["headers"], *added]
        await send(message)

    return sent


async def _refuse(scope: Scope, send: Send, status: int, what: str) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    wants_page = scope.get("method") == "GET" and not scope["path"].startswith("/api/")
    if status == 401 and wants_page:
        there = f"/sign-in?next={quote(scope['path'])}".encode()
        head: Iterable[tuple[bytes, bytes]] = [(b"location", there), *HEADERS]
        await send({"type": "http.response.start", "status": 303, "headers": list(head)})
        await send({"type": "http.response.body", "body": b""})
        return
    from celosia.server.rest.answers import error_json

    body = error_json(what, language=scope.get("state", {}).get("language", "en"))
    head = [(b"content-type", b"application/json"), (b"cache-control", b"no-store"), *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": list(head)})
    await send({"type": "http.response.body", "body": body})


def cookie_header(name: str, value: str, settings: Settings, *, seconds: int) -> dict[str, Any]:
    """A cookie as answers set it: read by no script, sent from no other site.

    >>> from pathlib import Path
    >>> cookie_header(COOKIE, "x", Settings(Path()), seconds=60)["samesite"]
    'strict'
    """
    return {
        "key": name,
        "value": value,
        "max_age": seconds,
        "httponly": True,
        "samesite": "strict",
        "secure": settings.is_https,
        "path": "/",
    }


def language_of(headers: MutableMapping[str, str]) -> str:
    """The language that somebody chose, or that her browser speaks.

    >>> language_of({"accept-language": "es-CO,es;q=0.9"}), language_of({"cookie": "celosia_language=es"})
    ('es', 'es')
    """
    from celosia.words import LANGUAGES

    chosen = _cookies(headers).get(LANGUAGE, "")
    if chosen in LANGUAGES:
        return chosen
    for part in headers.get("accept-language", "").split(","):
        name = part.split(";")[0].strip().lower()[:2]
        if name in LANGUAGES:
            return name
    return "en"


def _cookies(headers: MutableMapping[str, str]) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}
