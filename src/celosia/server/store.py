"""What the service keeps of itself: people, sessions, projects and their versions, sources, jobs, who did what."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    create_engine,
    event,
)
from sqlalchemy.engine import make_url

from celosia.errors import ProjectError
from celosia.say import say

__all__ = [
    "Store",
    "audits",
    "jobs",
    "members",
    "moment_of",
    "now",
    "projects",
    "sessions",
    "sources",
    "users",
    "versions",
]

_meta = MetaData()
_ID, _NAME = String(32), String(200)


def _whose(table: str, *, on_delete: str = "CASCADE", **options: Any) -> Column[Any]:
    return Column(f"{table}_id", _ID, ForeignKey(f"{table}s.id", ondelete=on_delete), **options)


users = Table(
    "users",
    _meta,
    Column("id", _ID, primary_key=True),
    Column("name", _NAME, nullable=False, unique=True),
    Column("password", String(200), nullable=False),
    Column("mail", _NAME, nullable=False, default=""),
    Column("created", String(40), nullable=False),
)
sessions = Table(
    "sessions",
    _meta,
    Column("digest", String(64), primary_key=True),
    _whose("user", nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("expires", Float, nullable=False),
)
projects = Table(
    "projects",
    _meta,
    Column("id", _ID, primary_key=True),
    Column("name", _NAME, nullable=False),
    _whose("user", nullable=False),
    Column("version", Integer, nullable=False),
    Column("created", String(40), nullable=False),
    Column("changed", String(40), nullable=False),
)
versions = Table(
    "versions",
    _meta,
    _whose("project", primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("document", JSON, nullable=False),
    Column("by", _NAME, nullable=False),
    Column("at", String(40), nullable=False),
    Column("note", _NAME, nullable=False, default=""),
)
members = Table(
    "members",
    _meta,
    _whose("project", primary_key=True),
    _whose("user", primary_key=True),
    Column("role", String(20), nullable=False),
)
sources = Table(
    "sources",
    _meta,
    Column("id", _ID, primary_key=True),
    _whose("project", nullable=False),
    Column("name", _NAME, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("address", Text, nullable=False),
    Column("sealed", LargeBinary, nullable=True),
    Column("bytes", Integer, nullable=False, default=0),
    Column("digest", String(64), nullable=False, default=""),
    Column("created", String(40), nullable=False),
    UniqueConstraint("project_id", "name"),
)
jobs = Table(
    "jobs",
    _meta,
    Column("id", _ID, primary_key=True),
    _whose("project", nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("version", Integer, nullable=False),
    Column("parameters", JSON, nullable=False),
    Column("state", String(20), nullable=False),
    Column("stage", _NAME, nullable=False, default=""),
    Column("share", Float, nullable=False, default=0.0),
    Column("summary", JSON, nullable=True),
    Column("error", JSON, nullable=True),
    Column("by", _NAME, nullable=False),
    Column("language", String(5), nullable=False, default="en"),
    Column("seen", Boolean, nullable=False, default=False),
    Column("created", String(40), nullable=False),
    Column("started", String(40), nullable=True),
    Column("ended", String(40), nullable=True),
)
audits = Table(
    "audits",
    _meta,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("at", String(40), nullable=False),
    Column("who", _NAME, nullable=False),
    Column("action", _NAME, nullable=False),
    Column("project", _ID, nullable=False, default=""),
    Column("detail", Text, nullable=False, default=""),
)


def now() -> str:
    """This moment, as it is kept.

    >>> now().endswith("+00:00")
    True
    """
    return datetime.now(UTC).isoformat(timespec="seconds")


def moment_of(kept: str) -> datetime:
    """A moment that was kept, in the time zone of this machine.

    >>> moment_of("2026-03-09T10:00:00+00:00") == datetime(2026, 3, 9, 10, tzinfo=UTC)
    True
    """
    return datetime.fromisoformat(kept).astimezone()


class Store:
    """A database with these tables, made where they are missing.

    >>> store = Store("sqlite://")
    >>> with store.begin() as data:
    ...     data.execute(projects.select()).all()
    []
    """

    def __init__(self, url: str) -> None:
        address = make_url(url)
        options: dict[str, Any] = {"pool_pre_ping": True}
        if address.get_backend_name() == "sqlite" and not address.database:
            from sqlalchemy.pool import StaticPool

            options |= {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
        elif address.get_backend_name() == "postgresql":
            address = address.set(drivername="postgresql+psycopg", password=address.password or _password())
        elif address.get_backend_name() != "sqlite":
            raise ProjectError(
                say(
                    "the service keeps no data in {database}",
                    database=address.get_backend_name(),
                ),
                where="--database",
                remedy=say("give an address of PostgreSQL, or leave it out for a file of SQLite"),
            )
        self._engine = create_engine(address, **options)
        if address.get_backend_name() == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)
        _meta.create_all(self._engine)

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        """A transaction: all of it or nothing."""
        with self._engine.begin() as connection:
            yield connection

    def forget(self) -> None:
        """Let nothing of what was deleted stay in the journal of the database."""
        if self._engine.dialect.name != "sqlite":
            return  # a server keeps its own, which is not ours to shorten
        with self._engine.connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()


def record(row: Any) -> dict[str, Any]:
    """A row as a mapping of its columns."""
    fields: Mapping[str, Any] = row._mapping
    return dict(fields)


def _password() -> str | None:
    import os

    return os.environ.get("CELOSIA_SERVER_PASSWORD")


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    # What is deleted is overwritten; readers do not wait for who writes.
    for setting in ("journal_mode=WAL", "foreign_keys=ON", "secure_delete=ON", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {setting}")
