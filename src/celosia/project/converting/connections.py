"""The connection of a foreign project as an address; its password stays behind."""

import re
from urllib.parse import quote

from celosia.project.converting.foreign import ConversionNotes, ForeignFields, fold
from celosia.say import say

__all__ = ["read_connection", "table_name"]

SCHEMES = {"5432": "postgresql", "3306": "mariadb"}
KINDS = {
    "postgresql": "postgresql",
    "postgres": "postgresql",
    "mysql": "mariadb",
    "mariadb": "mariadb",
}
SECRETS = ("password", "passwd", "pwd", "contrasena", "contraseña", "clave")


def read_connection(connection: ForeignFields | None, notes: ConversionNotes) -> str | None:
    """The address of the database, without a password; None where there is none that we know how to reach."""
    if connection is None:
        return None
    if any(name in connection for name in SECRETS):
        notes.add(
            say(
                "connection: the password was not carried over; set the variable CELOSIA_PASSWORD, use a "
                "keyring, or be asked for it"
            )
        )
    connection.get(*SECRETS)
    host, port, database = connection.text("ip", "host"), connection.text("port"), connection.text("database")
    user = connection.text("username", "user")
    said = connection.text("type", "engine", "dbms")
    kind = KINDS.get(fold(said))
    connection.say_unread(notes)
    if not host or not database or (said and kind is None):
        notes.add(
            say("connection: it names no database server of a kind that is known, and was not carried over")
        )
        return None
    if re.search(r"[@/\s]", host):
        # What cannot be a host may be an address with a password in it.
        raise connection.error(
            say("this is not the name of a server"), say("write its name or number alone"), "ip"
        )
    if kind is None:
        kind = SCHEMES.get(port, "mariadb")
        if port in SCHEMES:
            text = say(
                "connection: the kind of database is not said; {kind} is assumed, from its port {port}",
                kind=kind,
                port=port,
            )
        else:
            text = say(
                "connection: the kind of database is not said; {kind} is assumed, which the original used",
                kind=kind,
            )
        notes.add(text)
    if port and not port.isdigit():
        raise connection.error(say("the port should be a number"), say("correct it"), "port")
    who = f"{quote(user, safe='')}@" if user else ""
    location = f"[{host}]" if ":" in host else quote(host, safe="")
    return f"{kind}://{who}{location}{f':{port}' if port else ''}/{quote(database, safe='')}"


def table_name(schema: str, name: str) -> str:
    """A table as SQL names it, with quotes where its name needs them.

    >>> table_name("clinic", "visits"), table_name("", "2017 visits")
    ('clinic.visits', '"2017 visits"')
    """
    return ".".join(_quoted(part) for part in (schema, name) if part)


def _quoted(part: str) -> str:
    if re.fullmatch(r"[^\W\d][\w$-]*", part):
        return part
    doubled = part.replace('"', '""')
    return f'"{doubled}"'
