"""Where a database is: an address without a password, and where the password comes from."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from celosia.errors import ProjectError, TableError
from celosia.say import replace_part, say
from celosia.tables.place import is_remote
from celosia.tables.spark.address import is_place

if TYPE_CHECKING:
    from sqlalchemy import URL

__all__ = [
    "OUT_PASSWORD",
    "PASSWORD",
    "Address",
    "is_address",
    "no_driver",
    "out_variable",
    "parse_address",
    "split_name",
]

PASSWORD, OUT_PASSWORD = "CELOSIA_PASSWORD", "CELOSIA_OUT_PASSWORD"  # the names of variables, not secrets
PORTS = {"postgresql": 5432, "mariadb": 3306}
"""Where servers listen if an address does not say."""
SECRETS = ("password", "passwd", "pwd", "passphrase", "token", "secret")
"""Words in the name of a parameter that would hold a secret."""
# Any scheme with slashes, so that an address of a kind that we do not know is not taken for a path and shown as one.
_SCHEME = re.compile(
    r"^(?:(postgresql|postgres|mariadb|mysql|sqlite|duckdb)(?:\+\w+)?:|([a-z][a-z0-9+.-]+)://)", re.IGNORECASE
)


def is_address(text: object) -> bool:
    """Whether a text is the address of a database, and not the path of a file.

    >>> is_address("postgresql://localhost/clinic"), is_address("people.csv"), is_address("C:/people.csv")
    (True, False, False)
    """
    return (
        isinstance(text, str)
        and _SCHEME.match(text) is not None
        and not is_place(text)
        and not is_remote(text)
    )


@dataclass(frozen=True)
class Address:
    """Scheme, host, port, database, user and options; its text holds no secret.

    ``variable`` names the environment variable that may hold the password.
    """

    url: "URL"
    variable: str = PASSWORD

    def __str__(self) -> str:
        return str(self.url.render_as_string(hide_password=True))

    @property
    def scheme(self) -> str:
        """The kind of database."""
        name = str(self.url.get_backend_name())
        return {"postgres": "postgresql", "mysql": "mariadb"}.get(name, name)

    @property
    def is_file(self) -> bool:
        """Whether the database is a file of its own."""
        return self.scheme in ("sqlite", "duckdb")

    def same_as(self, other: "Address") -> bool:
        """Whether both lead to one database in the same way, however the path of a file is written."""
        return self.resolved == other.resolved

    @property
    def resolved(self) -> str:
        """Its text, with the path of a file as it is from everywhere."""
        if not self.is_file or not self.url.database:
            return str(self)
        return str(Address(self.url.set(database=str(Path(self.url.database).resolve()))))

    def same_account_as(self, other: "Address") -> bool:
        """Whether both are one user of one server, reached in the same way.

        >>> ana = parse_address("postgresql://ana@localhost/clinic")
        >>> ana.same_account_as(parse_address("postgresql://ana@localhost:5432/research"))
        True
        >>> ana.same_account_as(parse_address("postgresql://ana@db.example.org/clinic"))
        False
        """
        return self._account() == other._account()

    def _account(self) -> tuple[object, ...]:
        # Options count: they can name another host, or leave out that its certificate is looked at.
        url = self.url
        port = url.port or PORTS.get(self.scheme)
        return self.scheme, (url.host or "").lower(), port, url.username, dict(url.query)

    def find_password(self) -> str | None:
        """The password, from the environment or the keyring; None if neither has one."""
        if self.is_file:
            return None
        return os.environ[self.variable] if self.variable in os.environ else self._from_keyring()

    def ask_password(self, ask: Callable[[str], str] | None) -> str | None:
        """The password as a person types it; None if nobody can be asked."""
        if ask is None:
            return None
        try:
            return ask(say("Password of {address}: ", address=str(self)))
        except ProjectError as error:
            # Who asks knows one variable.
            error.remedy = replace_part(error.remedy, PASSWORD, self.variable)
            raise

    def _from_keyring(self) -> str | None:
        try:
            import keyring
        except ImportError:
            return None
        try:
            # Whoever keeps it may have left the options out of the address.
            names = dict.fromkeys([str(self), str(Address(self.url.set(query={})))])
            found: list[Any] = [keyring.get_password("celosia", name) for name in names]
        except Exception:  # a keyring that is locked or absent is none
            return None
        return next((str(password) for password in found if password is not None), None)


def out_variable(out: Address, source: Address | None) -> str:
    """The variable for the password of a destination: that of the source only if there is none or the same account.

    A password is never sent to a server that it was not given for.
    """
    is_own = OUT_PASSWORD in os.environ or (source is not None and not out.same_account_as(source))
    return OUT_PASSWORD if is_own else PASSWORD


def parse_address(text: str, *, variable: str = PASSWORD) -> Address:
    """The address that a text describes; one with a secret in it is refused.

    >>> str(parse_address("postgresql://ana@localhost:5432/clinic?sslmode=require"))
    'postgresql://ana@localhost:5432/clinic?sslmode=require'
    >>> parse_address("postgresql://ana:1234@localhost/clinic")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: postgresql://***: an address with a password in it ...
    """
    kind = _SCHEME.match(text)
    scheme = "" if kind is None else (kind.group(1) or kind.group(2)).lower()
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise TableError(
            say("this is not the address of a database"),
            where=f"{scheme}://...",  # what cannot be parsed may hold a secret anywhere
            remedy=say("write it as in postgresql://user@host:5432/database or sqlite:///file.db"),
        ) from None
    if _has_secret(url):
        raise ProjectError(
            say("an address with a password in it can be read by others"),
            where=f"{scheme}://***",  # a password with a sign of its own may have spilled over into any part
            remedy=say(
                "leave it out, and set the variable {variable}, use a keyring, or be asked for it",
                variable=variable,
            ),
        )
    return Address(url.set(drivername=url.drivername.lower()), variable)


def _has_secret(url: "URL") -> bool:
    """Whether an address holds a password, or one with signs of its own, as in ``ana:12/34@host/clinic``."""
    # Without a user, what stands before the port may be one, and the rest of a password the name of the database.
    spilled = url.username is None and url.port is not None and "@" in (url.database or "")
    named = any(word in name.lower() for name in url.query for word in SECRETS)
    return url.password is not None or named or spilled or "@" in (url.host or "")


def no_driver(scheme: str) -> TableError:
    """The error that the driver of a kind of database is not there; files of SQLite and DuckDB need none."""
    extra = {"mysql": "mariadb", "mariadb": "mariadb"}.get(scheme, "postgresql")
    return TableError(
        say("the packages for databases of the kind {scheme} are not installed", scheme=scheme),
        remedy=say('install them: pip install "celosia[{extra}]"', extra=extra),
    )


def split_name(text: str) -> tuple[str | None, str]:
    """Schema and name of a table, as SQL writes them; quotes make any character part of a name.

    >>> split_name("clinic.visits"), split_name("visits"), split_name('"a.b"."c""d"')
    (('clinic', 'visits'), (None, 'visits'), ('a.b', 'c"d'))
    """
    pattern = r'\s*(?:"((?:[^"]|"")*)"|([^".]+))\s*'
    found = re.fullmatch(rf"{pattern}(?:\.{pattern})?", text, re.DOTALL)
    parts = [] if found is None else [g for g in found.groups() if g is not None]
    if not parts or not all(part.strip() for part in parts):
        raise TableError(
            say("{text!r} is not the name of a table", text=text),
            remedy=say('write it as in visits, clinic.visits or "a.b"."c d"'),
        )
    assert found is not None
    quoted_first = found.group(1) is not None
    names = [part.replace('""', '"') for part in parts]
    if not quoted_first:
        names[0] = names[0].strip()
    return (None, names[0]) if len(names) == 1 else (names[0], names[1])
