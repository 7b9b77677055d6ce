"""How REST answers: mistakes as JSON in the language of whoever asks, and what every handler is given."""

import json
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, field_validator
from starlette.exceptions import HTTPException

from celosia.errors import CelosiaError
from celosia.say import say
from celosia.server.access import DeniedError, User
from celosia.server.accounts import SignInError
from celosia.server.projects import ChangedError
from celosia.server.service import Service
from celosia.server.storable import printable_text
from celosia.words import Words

__all__ = ["Asking", "ErrorAnswer", "Serving", "add_mistakes", "error_json", "mistakes", "words_of"]


class ErrorDetail(BaseModel):
    """What is wrong, where, and what to do."""

    kind: str
    what: str
    where: str = ""
    remedy: str = ""

    @field_validator("what", "where", "remedy")
    @classmethod
    def _shown(cls, text: str) -> str:
        return printable_text(text)


class ErrorAnswer(BaseModel):
    """The answer to a request that could not be done."""

    error: ErrorDetail


mistakes: dict[int | str, dict[str, Any]] = {
    status: {"model": ErrorAnswer} for status in (400, 401, 403, 404, 409, 413, 422, 429)
}
"""What any handler may answer besides what it is for."""


def service_of(request: Request) -> Service:
    """The service that answers."""
    return request.app.state.service  # type: ignore[no-any-return]


def user_of(request: Request) -> User:
    """Who asks; the door let nobody in who is not signed in."""
    session = request.state.session
    if session is None:
        raise SignInError(say("sign in first"), remedy=say("see POST /api/v1/session"))
    return session.user  # type: ignore[no-any-return]


def words_of(request: Request) -> Words:
    """The language of whoever asks."""
    return Words(request.state.language)


Serving = Annotated[Service, Depends(service_of)]
Asking = Annotated[User, Depends(user_of)]
Speaking = Annotated[Words, Depends(words_of)]


def add_mistakes(app: FastAPI) -> None:
    """Let every mistake become an answer."""

    @app.exception_handler(CelosiaError)
    async def _mistake(request: Request, error: CelosiaError) -> JSONResponse:
        return JSONResponse(_document(words_of(request).error(error), type(error)), status_of(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        words = words_of(request)
        told = ErrorDetail(kind="RequestError", what=words.render(first["msg"]), where=where)
        return JSONResponse({"error": told.model_dump()}, 422)

    @app.exception_handler(HTTPException)
    async def _refused(request: Request, error: HTTPException) -> JSONResponse:
        told = ErrorDetail(kind="RequestError", what=words_of(request).render(str(error.detail)))
        return JSONResponse({"error": told.model_dump()}, error.status_code, error.headers)


def status_of(error: CelosiaError) -> int:
    """The status of the answer to a mistake.

    >>> status_of(DeniedError("there is no such project")), status_of(DeniedError("this takes the part of owner"))
    (404, 403)
    """
    if isinstance(error, DeniedError):
        return 403 if error.what.startswith("this takes") else 404
    if isinstance(error, SignInError):
        return 429 if error.what.startswith("too many") else 401
    return 409 if isinstance(error, ChangedError) else 422


def error_json(what: str, *, language: str) -> bytes:
    """One sentence as the answer to a refused request."""
    told = ErrorDetail(kind="RequestError", what=Words(language).render(what))
    return json.dumps({"error": told.model_dump()}, ensure_ascii=False).encode()


def _document(error: CelosiaError, kind: type[CelosiaError]) -> dict[str, Any]:
    told = ErrorDetail(kind=kind.__name__, what=error.what, where=error.where, remedy=error.remedy)
    return {"error": told.model_dump()}
