"""Database servers, an empty database on each of them and in each kind of file, and Spark."""

import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from programs import ProgramsMissingError, leave_out
from runs import Nursery, nursery_running
from servers import Server, running
from spark_parts import Cluster, cluster_running, session_running

from kept_commands import command_line


@pytest.fixture(autouse=True)
def quick_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What each command and each connection would make or read anew, though it is the same every time."""
    monkeypatch.setattr("celosia.cli.start._command_line", command_line)
    # Authorities that no server here is certified by: to read them all takes longer than to connect.
    monkeypatch.setenv("SSL_CERT_FILE", os.devnull)


def serve(scheme: str) -> Iterator[Server]:
    try:
        with running(scheme) as server:
            yield server
    except ProgramsMissingError as missing:
        leave_out(missing)


# One server for each process that runs tests: it starts in about a second, and tests cannot disturb each other.
@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server of our own."""
    yield from serve("postgresql")


@pytest.fixture(scope="session")
def mariadb() -> Iterator[Server]:
    """A MariaDB server of our own."""
    yield from serve("mariadb")


@dataclass(frozen=True)
class Database:
    """An empty database, and a way to it that does not lead through the product."""

    scheme: str
    address: str
    run: Callable[[str], None]
    query: Callable[[str], list[tuple[Any, ...]]]


@pytest.fixture(scope="session")
def spare(postgresql: Server) -> Iterator[tuple[str, Any]]:
    """A database of PostgreSQL that each test leaves empty, and a connection to it: a new one takes long."""
    name = postgresql.new_database().rpartition("/")[2]
    with postgresql.connect(name) as connection:
        yield name, connection


@pytest.fixture(params=["postgresql", "mariadb", "sqlite", "duckdb"])
def database(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Database]:
    """An empty database of each kind; the environment has its password."""
    scheme = request.param
    if scheme in ("postgresql", "mariadb"):
        server: Server = request.getfixturevalue(scheme)
        monkeypatch.setenv("CELOSIA_PASSWORD", server.password)
        monkeypatch.setenv("CELOSIA_OUT_PASSWORD", server.password)
        if scheme == "mariadb":
            yield from database_of_mariadb(server)
        else:
            yield from database_of_postgresql(server, *request.getfixturevalue("spare"))
    else:
        monkeypatch.delenv("CELOSIA_PASSWORD", raising=False)
        yield database_in_a_file(scheme, tmp_path)


def database_of_mariadb(server: Server) -> Iterator[Database]:
    address = server.new_database()
    name = address.rpartition("/")[2]
    with server.connect(name) as connection:
        yield database_behind(server, address, connection)
    server.drop_database(name)


def database_of_postgresql(server: Server, name: str, connection: Any) -> Iterator[Database]:
    yield database_behind(server, server.address(name), connection)
    for statement in EMPTY_AGAIN:
        connection.execute(statement)


EMPTY_AGAIN = (
    "DISCARD ALL",
    "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()",
    "DO $$ DECLARE name text; BEGIN "
    "FOR name IN SELECT nspname FROM pg_namespace "
    "WHERE nspname NOT LIKE 'pg\\_%' AND nspname <> 'information_schema' "
    "LOOP EXECUTE format('DROP SCHEMA %I CASCADE', name); END LOOP; END $$",
    "CREATE SCHEMA public AUTHORIZATION pg_database_owner",
    "GRANT USAGE ON SCHEMA public TO PUBLIC",
)
"""What makes a database of PostgreSQL what a new one is, whoever still uses it."""


def database_behind(server: Server, address: str, connection: Any) -> Database:
    return Database(
        server.scheme,
        address,
        lambda sql: server.run_in(connection, sql),
        lambda sql: server.query_in(connection, sql),
    )


def database_in_a_file(scheme: str, folder: Path) -> Database:
    path = folder / ("people.db" if scheme == "sqlite" else "people.duckdb")

    def connect() -> Any:
        if scheme == "sqlite":
            return sqlite3.connect(path)
        import duckdb

        return duckdb.connect(str(path))

    # Each time anew: a file of DuckDB that one connection holds is closed to other processes.
    def run(sql: str) -> None:
        with closing(connect()) as connection:
            if scheme == "sqlite":
                connection.executescript(sql)
            else:
                connection.execute(sql)

    def query(sql: str) -> list[tuple[Any, ...]]:
        with closing(connect()) as connection:
            return connection.execute(sql).fetchall()

    with closing(connect()):
        pass  # SQLite would make the file only with its first table
    return Database(scheme, f"{scheme}:///{path}", run, query)


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Starts runs of the command line."""
    with nursery_running() as nursery:
        yield nursery


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Where a run is started, and where it may keep what is temporary."""
    place, temporary = tmp_path / "place", tmp_path / "temporary"
    place.mkdir()
    temporary.mkdir()
    return place, temporary


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The session of Spark of this process, with an embedded Hive metastore."""
    try:
        with session_running(tmp_path_factory.mktemp("spark")) as session:
            yield session
    except ProgramsMissingError as missing:
        leave_out(missing)


@pytest.fixture(scope="session")
def whole_cluster() -> Iterator[Cluster]:
    """A cluster of our own."""
    try:
        with cluster_running() as cluster:
            yield cluster
    except ProgramsMissingError as missing:
        leave_out(missing)


@pytest.fixture
def cluster(whole_cluster: Cluster) -> Cluster:
    """A Spark cluster both of whose workers are alive, whatever another test did to them."""
    whole_cluster.have_both_workers()
    return whole_cluster
