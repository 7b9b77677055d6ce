"""Places that are neither here nor on a cluster: object stores and the web, told by how they are written."""

import re
from typing import TypeGuard
from urllib.parse import parse_qsl, urlsplit

from celosia.errors import ProjectError
from celosia.say import say

__all__ = ["check_remote", "is_remote", "is_store", "is_web"]

_STORE = re.compile(r"^(?:s3|gs|az)://", re.IGNORECASE)
_WEB = re.compile(r"^https?://", re.IGNORECASE)
_SECRETS = (
    "password",
    "passwd",
    "pwd",
    "passphrase",
    "token",
    "secret",
    "signature",
    "credential",
    "key",
    "sig",
)


def is_store(place: object) -> TypeGuard[str]:
    """Whether a text names an object of a store.

    >>> is_store("s3://clinic/people.parquet"), is_store("s3a://clinic/people.parquet"), is_store("people.csv")
    (True, False, False)
    """
    return isinstance(place, str) and _STORE.match(place) is not None


def is_web(place: object) -> TypeGuard[str]:
    """Whether a text is an address of the web.

    >>> is_web("https://example.org/people.csv"), is_web("people.csv")
    (True, False)
    """
    return isinstance(place, str) and _WEB.match(place) is not None


def is_remote(place: object) -> TypeGuard[str]:
    """Whether bytes have to be fetched first."""
    return is_store(place) or is_web(place)


def check_remote(place: str) -> str:
    """The address, if it holds no secret and is one that can be read over a line that nobody listens to.

    >>> check_remote("s3://clinic/people.parquet")
    's3://clinic/people.parquet'
    >>> check_remote("https://ana:1234@example.org/people.csv")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: https://***: an address with a secret in it would end up in records; ...
    """
    parts = urlsplit(place)
    names = [name.lower() for name, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if "@" in parts.netloc or any(word in name for name in names for word in _SECRETS):
        raise ProjectError(
            say("an address with a secret in it would end up in records"),
            where=f"{parts.scheme}://***",
            remedy=say("put what opens a store into the environment; fetch the file yourself from the web"),
        )
    if parts.scheme.lower() == "http":
        raise ProjectError(
            say("whoever is on the way reads what comes over http"),
            where=place,
            remedy=say("use https, or fetch the file yourself"),
        )
    if not parts.netloc or (is_store(place) and not parts.path.strip("/")):
        raise ProjectError(
            say("this address names no file"),
            where=place,
            remedy=say("write it as in s3://bucket/folder/people.parquet"),
        )
    return place
