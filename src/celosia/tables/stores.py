"""Object stores, S3 and those like it, of Google and of Azure: objects are read, listed, put and taken away.

What opens a store comes from the environment alone (``AWS_ACCESS_KEY_ID`` and its like,
``GOOGLE_APPLICATION_CREDENTIALS``, ``AZURE_STORAGE_ACCOUNT_NAME``); a machine of the cloud may have a role instead.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from celosia.errors import TableError
from celosia.say import say

__all__ = ["StoredObject", "list_objects", "open_object", "put_object", "read_object", "remove_object"]

_AT_ONCE = 64 << 20
"""Bytes that are put by a single request, which the store itself refuses if the name is taken."""


@dataclass(frozen=True)
class StoredObject:
    """An object: its address, what tells it from another of the same name, and its bytes."""

    place: str
    version: str
    size: int


def _split(place: str) -> tuple[str, str]:
    """The bucket of an address, and the name of the object in it.

    >>> _split("s3://clinic/visits/2024.csv")
    ('s3://clinic', 'visits/2024.csv')
    """
    scheme, _, rest = place.partition("://")
    bucket, _, key = rest.partition("/")
    return f"{scheme.lower()}://{bucket}", key


def _open(place: str) -> tuple[Any, str]:
    bucket, key = _split(place)
    # An endpoint of one's own on this machine has no certificate; who writes http into the environment means it.
    allows_http = any(
        os.environ.get(name, "").startswith("http://")
        for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT", "AZURE_STORAGE_ENDPOINT")
    )
    given = frozenset(
        (name, value) for name, value in os.environ.items() if name.startswith(("AWS_", "AZURE_", "GOOGLE_"))
    )
    return _store(bucket, allows_http, hash(given)), key


@lru_cache(maxsize=16)
def _store(bucket: str, allows_http: bool, environment: int) -> Any:
    try:
        from obstore.store import from_url
    except ImportError:
        raise TableError(
            say("the package for object stores is not installed"),
            where=bucket,
            remedy=say('install it: pip install "celosia[stores]"'),
        ) from None
    with _explained(bucket):
        return from_url(
            bucket,
            client_options={"allow_http": allows_http, "connect_timeout": timedelta(seconds=10)},
            retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=60)},
        )


def open_object(place: str) -> StoredObject | None:
    """What is known of an object; None if there is none."""
    store, key = _open(place)
    if not key or key.endswith("/") or set(key) & set("*?[{"):
        return None
    import obstore

    try:
        with _explained(place):
            found = obstore.head(store, key)
    except FileNotFoundError:
        return None
    return _as_object(place, found)


def _as_object(place: str, found: Any) -> StoredObject:
    version = found.get("version") or found.get("e_tag") or str(found["last_modified"])
    return StoredObject(place, str(version), int(found["size"]))


def list_objects(place: str) -> list[StoredObject]:
    """The objects whose names begin as an address does."""
    store, key = _open(place)
    import obstore

    bucket, _ = _split(place)
    with _explained(place):
        return [
            _as_object(f"{bucket}/{found['path']}", found)
            for chunk in obstore.list(store, key.rstrip("/") or None)
            for found in chunk
        ]


def read_object(place: str) -> Iterator[bytes]:
    """The bytes of an object, some megabytes at a time."""
    store, key = _open(place)
    import obstore

    try:
        with _explained(place):
            yield from map(bytes, obstore.get(store, key).stream(min_chunk_size=4 << 20))
    except FileNotFoundError:
        raise TableError(
            say("there is no such file in the store"),
            where=place,
            remedy=say("check the bucket and the name"),
        ) from None


def put_object(path: Path, place: str, *, overwrite: bool) -> None:
    """Put a file into a store under a name, at once: until all of it is there, nobody sees any of it.

    Without ``overwrite``, FileExistsError where the name is taken.
    """
    store, key = _open(place)
    import obstore
    from obstore.exceptions import AlreadyExistsError

    size = path.stat().st_size
    with _explained(place):
        try:
            if not overwrite and size <= _AT_ONCE:
                obstore.put(store, key, path.read_bytes(), mode="create", use_multipart=False)
            elif not overwrite and open_object(place) is not None:
                raise FileExistsError(place)
            else:
                obstore.put(store, key, path)
        except AlreadyExistsError:
            raise FileExistsError(place) from None
        stored = int(obstore.head(store, key)["size"])
    if stored != size:
        remove_object(place)
        raise TableError(
            say("the store keeps {stored} of {size} bytes", stored=stored, size=size),
            where=place,
            remedy=say("try again"),
        )


def remove_object(place: str) -> None:
    """Take an object away."""
    store, key = _open(place)
    import obstore

    with _explained(place):
        obstore.delete(store, key)


@contextmanager
def _explained(place: str) -> Iterator[None]:
    """What a store raises, as one of ours; that something is or is not there is for the caller."""
    from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

    try:
        yield
    except (FileNotFoundError, FileExistsError, TableError):
        raise
    except (PermissionDeniedError, UnauthenticatedError):
        raise TableError(
            say("the store does not let you in"),
            where=place,
            remedy=say("check what opens it in the environment, such as AWS_ACCESS_KEY_ID"),
        ) from None
    except (BaseError, OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200].rstrip(". ")
        raise TableError(
            say("the store cannot be reached ({reason})", reason=reason),
            where=place,
            remedy=say("check the bucket, and what opens it in the environment, such as AWS_ACCESS_KEY_ID"),
        ) from None
