"""Signing in and out."""

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from celosia.say import say
from celosia.server.accounts import (
    SignInError,
    UserSession,
    check_password,
    close_session,
    find_session,
    local_user,
    open_session,
)
from celosia.server.audit import note
from celosia.server.guard import COOKIE, cookie_header
from celosia.server.rest.answers import Serving, mistakes
from celosia.server.rest.projects import RequestBody
from celosia.server.service import Service
from celosia.server.storable import printable_text

__all__ = ["router", "sign_in", "sign_in_by_token", "sign_out"]

router = APIRouter(tags=["session"], responses=mistakes)


class Credentials(RequestBody):
    """A name with its password, or the token of the link."""

    name: str = Field(default="", max_length=200)
    password: str = Field(default="", max_length=1000)
    token: str = Field(default="", max_length=200)


class SignedIn(BaseModel):
    """Who is signed in; ``csrf`` goes into the header X-CSRF-Token, or ``bearer`` into Authorization."""

    user: str
    csrf: str
    bearer: str | None = None


@router.post("/session", operation_id="sign_in")
def post_session(
    service: Serving, request: Request, response: Response, credentials: Credentials
) -> SignedIn:
    """Sign in: sets the cookie for browsers, and returns a secret for programs."""
    if credentials.token:
        secret, session = sign_in_by_token(service, credentials.token)
    else:
        secret, session = sign_in(service, credentials.name, credentials.password, _client(request))
    seconds = int(service.settings.session_hours * 3600)
    response.set_cookie(**cookie_header(COOKIE, secret, service.settings, seconds=seconds))
    return SignedIn(user=session.user.name, csrf=session.csrf, bearer=secret)


@router.get("/session", operation_id="who_am_i")
def get_session(request: Request) -> SignedIn:
    """Who is signed in."""
    session: UserSession | None = request.state.session
    if session is None:
        raise SignInError(say("sign in first"), remedy=say("see POST /api/v1/session"))
    return SignedIn(user=session.user.name, csrf=session.csrf)


@router.delete("/session", operation_id="sign_out", status_code=204)
def delete_session(service: Serving, request: Request, response: Response) -> None:
    """Sign out."""
    secret = request.cookies.get(COOKIE) or request.headers.get("authorization", "").partition(" ")[2]
    sign_out(service, secret)
    response.delete_cookie(COOKIE, path="/")


def sign_in(service: Service, name: str, password: str, client: str) -> tuple[str, UserSession]:
    """A session for a name and its password; whoever guesses waits."""
    if not service.settings.has_users:
        raise SignInError(
            say("nobody signs in here with a password"), remedy=say("use the link that the service printed")
        )
    name, password = printable_text(name).replace("\x00", ""), printable_text(password)
    watched: Any = (f"name {name}", f"from {client}")
    wait = max(service.patience.wait(key) for key in watched)
    if wait:
        raise SignInError(
            say("too many wrong passwords"),
            where=name,
            remedy=say("try again in {wait} seconds", wait=int(wait) + 1),
        )
    try:
        with service.store.begin() as data:
            user = check_password(data, name, password)
            secret, session = open_session(data, user, service.settings.session_hours)
            note(data, user.name, "sign in")
    except SignInError:
        for key in watched:
            service.patience.failed(key)
        with service.store.begin() as data:
            note(data, name[:100], "sign in refused")
        raise
    service.patience.succeeded(watched[0])
    return secret, session


def sign_out(service: Service, secret: str) -> None:
    """End a session; its pages stop with it."""
    with service.store.begin() as data:
        session = find_session(data, secret)
        close_session(data, secret)
        if session is not None:
            note(data, session.user.name, "sign out")


def sign_in_by_token(service: Service, token: str) -> tuple[str, UserSession]:
    """A session for whoever has the link of the start, once."""
    if service.settings.has_users or not service.use_token(token):
        raise SignInError(
            say("this link was used already, or never was one"),
            remedy=say("start the service again for another"),
        )
    with service.store.begin() as data:
        user = local_user(data)
        secret, session = open_session(data, user, service.settings.session_hours)
        note(data, user.name, "sign in")
    return secret, session


def _client(request: Request) -> str:
    return "" if request.client is None else request.client.host
