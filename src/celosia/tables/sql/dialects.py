"""The kinds of database there are: one module each."""

from importlib import import_module

from celosia.errors import TableError
from celosia.say import say
from celosia.tables.sql.address import Address
from celosia.tables.sql.dialect import Dialect

__all__ = ["DIALECTS", "find_dialect"]

DIALECTS = {
    "postgresql": "celosia.tables.sql.postgresql:PostgreSQL",
    "mariadb": "celosia.tables.sql.mariadb:MariaDB",
    "sqlite": "celosia.tables.sql.sqlite:SQLite",
    "duckdb": "celosia.tables.sql.duckdb:DuckDB",
}
"""Where each is; a driver is imported when it is used."""


def find_dialect(address: Address) -> Dialect:
    """How to speak to the database at an address.

    >>> from celosia.tables.sql.address import parse_address
    >>> find_dialect(parse_address("sqlite:///people.db")).scheme
    'sqlite'
    """
    if address.scheme not in DIALECTS:
        raise TableError(
            say("nothing here reads addresses of the kind {scheme!r}", scheme=address.scheme),
            where=str(address),
            remedy=say(
                "give a file, an address that begins with https, s3, gs or az, or a database: {names}",
                names=", ".join(DIALECTS),
            ),
        )
    module, _, name = DIALECTS[address.scheme].partition(":")
    found = getattr(import_module(module), name)()
    assert isinstance(found, Dialect)
    return found
