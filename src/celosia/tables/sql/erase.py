"""Takes a table out of a database so that nothing of it is left where we can reach, and looks that it is gone."""

import os
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from celosia.errors import CelosiaError, TableError
from celosia.say import say
from celosia.tables.private import erase_file, private_folder
from celosia.tables.sql.address import parse_address
from celosia.tables.sql.open import connect, find_table

if TYPE_CHECKING:
    from celosia.tables.sql.database import Ask, Database

__all__ = ["ErasedTable", "erase_table", "erase_temporary"]

SERVER = say(
    "the log of the server, its backups and its disk may hold rows for some time; that is up to whoever runs it"
)

BUSY = say(
    "others have the database open, and the log beside its file still holds rows until they let go of it"
)
WAIT = 5.0
"""Seconds for others to let go of a file of SQLite."""


@dataclass(frozen=True)
class ErasedTable:
    """A table that is gone: its name, and what is out of our reach."""

    table: str
    left: str = ""


def erase_table(address: str, name: str, *, ask: "Ask | None" = None) -> ErasedTable:
    """Drop a table; a database in a file is written anew, so that its free pages hold none of the rows."""
    database = _connect(address, ask)
    try:
        found, _ = find_table(database, name)
        kinds = {(each.schema, each.name): each.kind for each in database.dialect.tables(database)}
        if kinds.get((found.schema, found.name)) == "view":
            raise TableError(
                say("{name!r} is a view, which holds no rows", name=name),
                where=str(database),
                remedy=say("name its tables"),
            )
        _keep_journal(database)
        database.run(f"DROP TABLE {database.quote(found.schema, found.name)}")
        database.commit()
        if database.dialect.columns(database, found.schema, found.name):
            raise TableError(
                say("the table {name!r} is still there", name=name),
                where=str(database),
                remedy=say("somebody made it anew: try again"),
            )
        shown = f"{found.schema}.{found.name}" if found.schema else found.name
        return ErasedTable(shown, _write_anew(database) if database.address.is_file else SERVER)
    finally:
        database.close()


def erase_temporary(address: str, *, ask: "Ask | None" = None) -> list[str]:
    """Drop what runs that were killed left in a database; returns what it was called."""
    database = _connect(address, ask)
    try:
        return database.dialect.erase_leftovers(database)
    finally:
        database.close()


def _connect(address: str, ask: "Ask | None") -> "Database":
    """Connect to a database that exists: nothing is to be erased from one that would come into being."""
    place = parse_address(address)
    if place.is_file:
        from celosia.tables.sql.sqlite import check_file

        check_file(place, writes=False)
    return connect(address, writes=True, ask=ask)


def _keep_journal(database: "Database") -> None:
    """SQLite: what a table was is in a file beside until the transaction ends; it stays, so that we can overwrite it.

    Only this connection behaves so; a database with a log has no such file, and would lose its log for good.
    """
    if database.address.scheme == "sqlite" and database.ask("PRAGMA journal_mode") != [("wal",)]:
        database.run("PRAGMA journal_mode = PERSIST")


def _write_anew(database: "Database") -> str:
    """Write a database in a file anew; returns why that cannot be, in a sentence for a person."""
    path = Path(database.address.url.database or "").resolve()
    left = ""
    try:
        if database.address.scheme == "sqlite":
            database.close()
            try:
                left = _vacuum(path)
            finally:
                _erase_journal(path)
        else:
            _rewrite(database, path)
    except (CelosiaError, OSError, _engine_error(database.address.scheme)):
        return say(
            "the file could not be written anew, and its free pages may hold rows until they are "
            "used again: erase the file itself when you can"
        )
    return left


def _engine_error(scheme: str) -> type[Exception]:
    import sqlite3

    import duckdb

    error: type[Exception] = sqlite3.Error if scheme == "sqlite" else duckdb.Error
    return error


def _vacuum(path: Path) -> str:
    """SQLite: what was deleted before by others is in free pages too, and in the log if there is one.

    Returns a sentence about the log if others still need it.
    """
    import sqlite3

    with closing(sqlite3.connect(path, isolation_level=None, timeout=WAIT)) as connection:
        if connection.execute("PRAGMA journal_mode").fetchone() != ("wal",):
            connection.execute("PRAGMA journal_mode = PERSIST")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute("VACUUM")
        is_busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return BUSY if is_busy else ""


def _erase_journal(path: Path) -> None:
    """Overwrite what we kept beside the file, while nobody can write: their own would lie under the same name."""
    import sqlite3

    journal = path.with_name(path.name + "-journal")
    if not journal.exists():
        return
    with closing(sqlite3.connect(path, isolation_level=None, timeout=WAIT)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        with suppress(FileNotFoundError):
            erase_file(journal)
        connection.execute("ROLLBACK")


def _rewrite(database: "Database", path: Path) -> None:
    """DuckDB keeps the bytes of free blocks: all tables go to a new file, which takes the place of the old one.

    Our connection stays open meanwhile, so that nobody else writes to the old file.
    """
    database.rollback()
    _carry_out(database, "CHECKPOINT")
    with private_folder(path.parent) as private:
        fresh = private / path.name
        old = database.driver.execute("SELECT current_database()").fetchone()[0]
        quoted = str(fresh).replace("'", "''")
        _carry_out(database, f"ATTACH '{quoted}' AS celosia_fresh")
        _carry_out(database, f"COPY FROM DATABASE {database.quote(old)} TO celosia_fresh")
        _carry_out(database, "CHECKPOINT celosia_fresh")
        _carry_out(database, "DETACH celosia_fresh")
        fresh.chmod(path.stat().st_mode)
        os.link(path, private / "old")  # under this name it is overwritten with the folder
        fresh.replace(path)
        database.close()


def _carry_out(database: "Database", statement: str) -> None:
    """Where an interrupt is heard meanwhile: a large file takes long."""
    from celosia.tables.duckdb_engine import listening

    listening(database.driver, lambda: database.driver.execute(statement))
