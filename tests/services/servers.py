"""Real database servers for tests: private, empty, reachable from this machine only, gone afterwards."""

import json
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from programs import HOST, certificate_commands, free_port, hand_over, mariadb_programs, postgresql_programs

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True, kw_only=True)
class Server:
    """A running server and its administrator."""

    scheme: str
    port: int
    user: str
    password: str = field(repr=False)
    folder: Path
    host: str = HOST

    @property
    def certificate(self) -> Path | None:
        """What clients verify the server by; None where TLS is off for want of a program to make one."""
        path = self.folder / "server.crt"
        return path if path.exists() else None

    def address(self, database: str, user: str | None = None) -> str:
        """Where a database is, without password."""
        return f"{self.scheme}://{user or self.user}@{self.host}:{self.port}/{database}"

    def new_database(self, name: str | None = None) -> str:
        """A fresh, empty database; gives its address."""
        name = name or f"test_{secrets.token_hex(4)}"
        self.run(f"CREATE DATABASE {name}")
        return self.address(name)

    def drop_database(self, name: str) -> None:
        """Removes a database, whoever still uses it."""
        raise NotImplementedError

    def new_user(self, name: str, password: str, *grants: str, database: str | None = None) -> None:
        """A user with `grants` such as "SELECT ON people"; tables are those of `database`."""
        account = self.account(name)
        self.run(f"DROP USER IF EXISTS {account}")
        self.run(f"CREATE USER {account} {self.identified} '{password}'")
        for grant in grants:
            self.run(f"GRANT {grant} TO {account}", database)

    def run(self, sql: str, database: str | None = None) -> None:
        """Executes statements as the administrator."""
        with self.connect(database) as connection:
            self.run_in(connection, sql)

    def query(self, sql: str, database: str | None = None) -> list[tuple[Any, ...]]:
        """The rows that a statement gives the administrator."""
        with self.connect(database) as connection:
            return self.query_in(connection, sql)

    @staticmethod
    def run_in(connection: Any, sql: str) -> None:
        """Executes statements in a connection."""
        with connection.cursor() as cursor:
            cursor.execute(sql)
            # An error in a later statement only shows when its result is asked for.
            while cursor.nextset():
                pass

    @staticmethod
    def query_in(connection: Any, sql: str) -> list[tuple[Any, ...]]:
        """The rows that a statement gives in a connection."""
        with connection.cursor() as cursor:
            cursor.execute(sql)
            return [tuple(row) for row in cursor.fetchall()]

    def connect(self, database: str | None = None, *, password: str | None = None) -> Any:
        """A connection of the administrator that closes with its `with` block."""
        raise NotImplementedError

    def account(self, name: str) -> str:
        """How statements call a user."""
        return name

    @property
    def identified(self) -> str:
        """What stands before a new user's password."""
        raise NotImplementedError


class PostgreSQL(Server):
    """PostgreSQL."""

    identified = "PASSWORD"

    def drop_database(self, name: str) -> None:
        self.run(f"DROP DATABASE {name} WITH (FORCE)")

    @contextmanager
    def connect(self, database: str | None = None, *, password: str | None = None) -> Iterator[Any]:
        import psycopg

        with psycopg.connect(
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password if password is None else password,
            dbname=database or "postgres",
            autocommit=True,
            sslmode="disable",
            prepare_threshold=None,
        ) as connection:
            yield connection

    @staticmethod
    def commands(folder: Path, *, port: int, password: str) -> list[list[str]]:
        programs = postgresql_programs()
        (folder / "password").write_text(password)
        settings = {
            "listen_addresses": HOST,
            "port": port,
            "unix_socket_directories": folder,
            "external_pid_file": folder / "server.pid",
            # The data lives as long as the tests: nothing need survive a fall of the machine.
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
            "wal_level": "minimal",
            "max_wal_senders": 0,
            "autovacuum": "off",
            "shared_buffers": "32MB",
        }
        certificate = certificate_commands(folder)
        if certificate:
            settings |= {
                "ssl": "on",
                "ssl_cert_file": folder / "server.crt",
                "ssl_key_file": folder / "server.key",
            }
        prepare = [programs / "initdb", "--pgdata=data", "--username=postgres", "--pwfile=password"]
        prepare += [
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
            "--no-instructions",
        ]
        run = [
            programs / "postgres",
            "-D",
            "data",
            *(f"--{name}={value}" for name, value in settings.items()),
        ]
        return [*certificate, [*map(str, prepare)], [*map(str, run)]]


class MariaDB(Server):
    """MariaDB."""

    identified = "IDENTIFIED BY"

    def account(self, name: str) -> str:
        return f"'{name}'@'{HOST}'"

    def drop_database(self, name: str) -> None:
        with self.connect() as connection:
            used = f"SELECT id FROM information_schema.processlist WHERE db = '{name}'"
            for (number,) in self.query_in(connection, used):
                # It may have ended by itself meanwhile.
                with suppress(Exception):
                    self.run_in(connection, f"KILL {number}")
            self.run_in(connection, f"DROP DATABASE {name}")

    @contextmanager
    def connect(self, database: str | None = None, *, password: str | None = None) -> Iterator[Any]:
        import pymysql
        from pymysql.constants.CLIENT import MULTI_STATEMENTS

        with pymysql.connect(
            host=self.host,
            port=self.port,
            user=self.user,
            password=self.password if password is None else password,
            database=database,
            autocommit=True,
            client_flag=MULTI_STATEMENTS,
            ssl_disabled=True,
        ) as connection:
            yield connection

    @staticmethod
    def commands(folder: Path, *, port: int, password: str) -> list[list[str]]:
        install, server = mariadb_programs()
        administrator = f"'root'@'{HOST}'"
        (folder / "first.sql").write_text(
            f"CREATE USER {administrator} IDENTIFIED BY '{password}';\n"
            f"GRANT ALL ON *.* TO {administrator} WITH GRANT OPTION;\n"
        )
        # The data lives as long as the tests: it may be small, and nothing need survive a fall of the machine.
        both = [f"--datadir={folder / 'data'}", f"--tmpdir={folder}", "--skip-name-resolve"]
        both += ["--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync"]
        both += ["--innodb-log-file-size=16M", "--innodb-buffer-pool-size=32M", "--innodb-use-native-aio=0"]
        # As Debian sets it up: comparisons of texts ignore case.
        both += ["--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci"]
        run = [
            f"--bind-address={HOST}",
            f"--port={port}",
            "--skip-networking=0",
            f"--init-file={folder / 'first.sql'}",
        ]
        run += [
            f"--socket={folder / 'socket'}",
            f"--pid-file={folder / 'server.pid'}",
            "--innodb-fast-shutdown=2",
        ]
        certificate = certificate_commands(folder)
        if certificate:
            run += [f"--ssl-cert={folder / 'server.crt'}", f"--ssl-key={folder / 'server.key'}"]
        return [
            *certificate,
            [str(install), "--no-defaults", "--skip-test-db", *both],
            [str(server), "--no-defaults", *both, *run],
        ]


KINDS = {"postgresql": (PostgreSQL, "postgres"), "mariadb": (MariaDB, "root")}
# Whom the servers run as when we are the administrator of the machine: they refuse to run as that.
OWNERS = {"postgresql": "postgres", "mariadb": "mysql"}
START_SECONDS = 120  # one is enough, on a machine that does nothing else


@contextmanager
def running(scheme: str) -> Iterator[Server]:
    """Starts a server and stops it at the end of the block, or when this process dies."""
    kind, user = KINDS[scheme]
    port, password = free_port(), secrets.token_urlsafe(16)
    folder = Path(tempfile.mkdtemp(prefix=f"celosia-{scheme}-"))
    try:
        commands = kind.commands(folder, port=port, password=password)
        hand_over(folder, OWNERS[scheme])
        server = kind(scheme=scheme, port=port, user=user, password=password, folder=folder)
        keeper = [sys.executable, "-I", "-S", str(HERE / "keeper.py"), str(folder), json.dumps(commands)]
        # In a session of its own, so that Ctrl-C is for us alone.
        with subprocess.Popen(keeper, stdin=subprocess.PIPE, start_new_session=True) as process:
            wait_until_it_answers(server, process)
            yield server
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def wait_until_it_answers(server: Server, keeper: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        # Each driver has its own error for a server that is not there, or still starting.
        try:
            return server.run("SELECT 1")
        except Exception as error:
            if keeper.poll() is not None or time.monotonic() > deadline:
                log = (server.folder / "log").read_text(errors="replace")
                raise RuntimeError(f"{server.scheme} does not start:\n{log[-3000:]}") from error
        time.sleep(0.02)
