"""The door for people: the link of the start, the sign-in, the sign-out, and the choice of a language.

These are plain pages of HTML: they work before anything else is loaded, and without a session.
"""

from html import escape
from urllib.parse import urlsplit

from fastapi import FastAPI, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from celosia.server.accounts import SignInError
from celosia.server.guard import COOKIE, LANGUAGE, cookie_header
from celosia.server.rest.answers import error_json
from celosia.server.rest.session import sign_in, sign_in_by_token, sign_out
from celosia.words import LANGUAGES, Words

__all__ = ["add_to", "missing"]

YEAR = 365 * 24 * 3600


def add_to(app: FastAPI) -> None:
    """Add these pages to the application."""
    service = app.state.service

    @app.get("/open", include_in_schema=False)
    def open_link(request: Request, token: str = "") -> Response:
        try:
            secret, _ = sign_in_by_token(service, token)
        except SignInError as error:
            return _page(Words(request.state.language), error, has_users=False, status=401)
        return _let_in(secret, "/")

    @app.get("/sign-in", include_in_schema=False)
    def ask(request: Request, next: str = "/") -> Response:
        if request.state.session is not None:
            return RedirectResponse(_own(next), 303)
        return _page(Words(request.state.language), None, has_users=service.settings.has_users, there=next)

    @app.post("/sign-in", include_in_schema=False)
    def answer(
        request: Request, name: str = Form(""), password: str = Form(""), next: str = Form("/")
    ) -> Response:
        client = "" if request.client is None else request.client.host
        try:
            secret, _ = sign_in(service, name[:200], password[:1000], client)
        except SignInError as error:
            words = Words(request.state.language)
            return _page(words, error, has_users=True, there=next, name=name[:200], status=401)
        return _let_in(secret, next)

    @app.get("/sign-out", include_in_schema=False)
    def leave(request: Request) -> Response:
        sign_out(service, request.cookies.get(COOKIE, ""))
        response = RedirectResponse("/sign-in", 303)
        response.delete_cookie(COOKIE, path="/")
        return response

    @app.get("/language/{language}", include_in_schema=False)
    def choose(language: str, next: str = "/") -> Response:
        response = RedirectResponse(_own(next), 303)
        if language in LANGUAGES:
            response.set_cookie(**cookie_header(LANGUAGE, language, service.settings, seconds=YEAR))
        return response

    def _let_in(secret: str, there: str) -> Response:
        response = RedirectResponse(_own(there), 303)
        seconds = int(service.settings.session_hours * 3600)
        response.set_cookie(**cookie_header(COOKIE, secret, service.settings, seconds=seconds))
        return response


def missing(request: Request, _: Exception) -> Response:
    """What nobody finds: said in the language of whoever looks, to programs as JSON."""
    words = Words(request.state.language)
    if request.url.path.startswith("/api/"):
        return Response(error_json("Not found", language=words.language), 404, media_type="application/json")
    body = (
        f"<p>{escape(words('This page does not exist.'))}</p>"
        f'<p><a href="/">{escape(words("To the list of projects"))}</a></p>'
    )
    return _door(words, words("Not found"), body, 404)


def _own(there: str) -> str:
    """A path of ours, whatever was asked for.

    >>> _own("/projects"), _own("https://example.org/x"), _own("//example.org")
    ('/projects', '/', '/')
    """
    parts = urlsplit(there)
    is_ours = not parts.scheme and not parts.netloc and there.startswith("/") and not there.startswith("//")
    return there if is_ours and "\\" not in there and there.isprintable() else "/"


def _page(
    words: Words,
    error: SignInError | None,
    *,
    has_users: bool,
    there: str = "/",
    name: str = "",
    status: int = 200,
) -> HTMLResponse:
    told = "" if error is None else f'<p class="mistake" role="alert">{escape(str(words.error(error)))}</p>'
    if has_users:
        body = f"""
<form method="post" action="/sign-in">
<input type="hidden" name="next" value="{escape(there)}">
<label>{escape(words("Name"))}
<input name="name" value="{escape(name)}" autocomplete="username" required autofocus></label>
<label>{escape(words("Password"))}
<input name="password" type="password" autocomplete="current-password" required></label>
<button type="submit">{escape(words("Sign in"))}</button>
</form>"""
    else:
        body = f"<p>{escape(words('Open the link that the service printed when it started.'))}</p>"
    return _door(words, words("Sign in"), f"{told}{body}", status)


def _door(words: Words, title: str, body: str, status: int) -> HTMLResponse:
    page = f"""<!doctype html>
<html lang="{words.language}"><head><meta charset="utf-8"><title>{escape(title)} · Celosía</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/style.css"></head>
<body class="door"><main class="door-card"><span class="brand-mark" aria-hidden="true"></span><h1>Celosía</h1>
{body}</main></body></html>"""
    return HTMLResponse(page, status)
