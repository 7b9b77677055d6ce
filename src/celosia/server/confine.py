"""Documents of the service speak of their own folder only: every place in one is looked at before it is used.

A document is written by whoever uses the pages, and is carried out with the rights of the service. So it may name files
of its project, databases that were connected to it, and places on a cluster that the service allows; nothing else.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from celosia.api.opening import HIVE, PlaceKind, place_kind, server_of
from celosia.api.projects import document_version, is_path_field
from celosia.errors import ProjectError
from celosia.say import say
from celosia.server.storable import check_storable
from celosia.server.workspace import is_inside

__all__ = ["check_address", "check_document", "check_place"]

DATABASES = ("postgresql", "mariadb")
OPTIONS = ("sslmode", "connect_timeout", "charset")
"""Others could name files of this machine."""


def check_document(
    document: Mapping[str, Any], folder: Path, *, addresses: frozenset[str], places: tuple[str, ...]
) -> None:
    """Raise ProjectError if a document reaches out of its folder.

    >>> reach = {"tables": {"people": {"source": "../../other/people.csv"}}}
    >>> check_document(reach, Path("mine"), addresses=frozenset(), places=())  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: tables.people.source: this is outside of the project; upload the file, or connect ...
    """
    check_storable(document)
    for field in ("extends", "spark"):
        if document.get(field):
            raise ProjectError(
                say("{field} is not for documents of the service", field=field),
                where=field,
                remedy=say("leave it out"),
            )
    if (
        document.get("version", document_version()) != document_version()
    ):  # older ones have their places in other fields
        raise ProjectError(
            say("this is an older document"), where="version", remedy=say("see `celosia convert`")
        )
    for path, value in _leaves(document):
        where, kind = ".".join(map(str, path)), place_kind(value)
        if path[0] == "keys":
            _check_key(path, value, folder, where)
        elif kind is PlaceKind.DATABASE:
            if value not in addresses:
                raise _outside(where)
        elif kind is not None and (kind.is_on_cluster or kind.is_remote):
            check_place(value, places, where=where)
        elif is_path_field(path, value) and (_climbs(value) or not is_inside(folder / value, folder)):
            raise _outside(where)


def check_address(text: str, hosts: tuple[str, ...] = ()) -> str:
    """The address of a database server that may be connected, as it is kept.

    >>> check_address("sqlite:////etc/passwd")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: sqlite:////etc/passwd: this is no database server; give an address of PostgreSQL ...
    """
    server = server_of(text)
    if server.kind not in DATABASES or not server.host:
        raise ProjectError(
            say("this is no database server"),
            where=server.address,
            remedy=say("give an address of PostgreSQL or MariaDB, or upload the file"),
        )
    odd = [option for option in server.options if option not in OPTIONS]
    if odd:
        raise ProjectError(
            say("the option {option} is not for addresses of the service", option=odd[0]),
            where=server.address,
            remedy=say("leave it out"),
        )
    if server.host.startswith("/") or (hosts and server.host not in hosts):
        raise ProjectError(
            say("the service does not connect to this host"),
            where=server.address,
            remedy=say("ask whoever runs it"),
        )
    return server.address


def check_place(text: str, places: tuple[str, ...], *, where: str) -> None:
    """Raise ProjectError unless a place on a cluster, in a store or on the web is one that the service allows."""
    allowed = tuple(place for place in places if text.startswith(place))
    if not allowed or ".." in text.removeprefix(HIVE):
        raise ProjectError(
            say("the service does not go to this place"),
            where=where,
            remedy=say("ask whoever runs it"),
        )


def _check_key(path: tuple[str | int, ...], value: str, folder: Path, where: str) -> None:
    # The service's own variables and keyring are not its users'.
    if path[-1] != "file" or not is_inside(folder / value, folder):
        raise ProjectError(
            say("keys of the service are files of the project"),
            where=where,
            remedy=say("leave keys out: one is made"),
        )


def _climbs(value: str) -> bool:
    """Whether a pattern may stand for paths that lead elsewhere than it seems to itself, as data/{a,../../b}.csv."""
    return ".." in value and any(sign in value for sign in "*?[{")


def _outside(where: str) -> ProjectError:
    return ProjectError(
        say("this is outside of the project"),
        where=where,
        remedy=say("upload the file, or connect the database under data"),
    )


def _leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, Mapping):
        for name, child in value.items():
            yield from _leaves(child, (*path, str(name)))
    elif isinstance(value, list | tuple):
        for number, child in enumerate(value):
            yield from _leaves(child, (*path, number))
    elif isinstance(value, str) and path:
        yield path, value
