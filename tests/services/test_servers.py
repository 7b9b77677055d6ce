"""The servers that tests start: they are real, closed to others, and leave nothing behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pymysql
import pytest

HERE = Path(__file__).resolve().parent
DRIVERS = {"postgresql": psycopg, "mariadb": pymysql}
TABLES = {
    "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
    "mariadb": "SHOW TABLES",
    "sqlite": "SELECT name FROM sqlite_master",
    "duckdb": "SHOW TABLES",
}


@pytest.fixture(params=["postgresql", "mariadb"])
def server(request):
    return request.getfixturevalue(request.param)


def test_a_server_is_the_one_its_scheme_names(server):
    [(version,)] = server.query("SELECT version()")
    assert server.scheme in version.lower()


def test_a_wrong_password_is_refused(server):
    driver = DRIVERS[server.scheme]
    with pytest.raises(driver.OperationalError, match=r"password authentication failed|Access denied"):
        server.connect(password="wrong").__enter__()


def test_no_password_is_refused(server):
    driver = DRIVERS[server.scheme]
    with pytest.raises(driver.OperationalError, match=r"no password supplied|Access denied"):
        server.connect(password="").__enter__()


@pytest.mark.parametrize("host", ["127.0.0.2", "::1"])
def test_only_one_address_of_this_machine_is_listened_to(server, host):
    # A server that listens everywhere also answers at the other addresses of the loopback interface.
    with pytest.raises(OSError):  # noqa: PT011 - refused, unreachable or no such family
        socket.create_connection((host, server.port), timeout=5).close()
    socket.create_connection((server.host, server.port), timeout=5).close()


def test_a_new_user_may_do_what_was_granted_and_no_more(server):
    driver = DRIVERS[server.scheme]
    name = server.new_database().rpartition("/")[2]
    server.run("CREATE TABLE people (age INT); INSERT INTO people VALUES (41), (42)", name)
    server.new_user("reader", "a password", "SELECT ON people", database=name)
    reader = type(server)(
        scheme=server.scheme, port=server.port, user="reader", password="a password", folder=server.folder
    )
    assert reader.query("SELECT age FROM people ORDER BY age", name) == [(41,), (42,)]
    with pytest.raises(driver.Error, match="denied"):
        reader.run("DELETE FROM people", name)
    server.drop_database(name)


def test_connections_to_postgresql_can_verify_its_certificate(postgresql):
    if postgresql.certificate is None:
        pytest.skip("needs openssl to make a certificate")
    with psycopg.connect(
        postgresql.address("postgres"),
        password=postgresql.password,
        sslmode="verify-full",
        sslrootcert=str(postgresql.certificate),
    ) as connection:
        assert connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").fetchall() == [
            (True,)
        ]


def test_connections_to_mariadb_can_verify_its_certificate(mariadb):
    if mariadb.certificate is None:
        pytest.skip("needs openssl to make a certificate")
    with (
        pymysql.connect(
            host=mariadb.host,
            port=mariadb.port,
            user=mariadb.user,
            password=mariadb.password,
            ssl_ca=str(mariadb.certificate),
            ssl_verify_cert=True,
            ssl_verify_identity=True,
        ) as connection,
        connection.cursor() as cursor,
    ):
        cursor.execute("SHOW STATUS LIKE 'Ssl_cipher'")
        assert cursor.fetchone()[1]


@pytest.mark.parametrize("turn", [1, 2])
def test_a_database_is_empty_in_every_test(database, turn):
    assert database.query(TABLES[database.scheme]) == []
    database.run("CREATE TABLE people (age INT); INSERT INTO people VALUES (41)")
    assert database.query("SELECT age FROM people") == [(41,)]


def test_a_failing_statement_among_several_is_an_error(database):
    with pytest.raises(Exception, match="nowhere"):
        database.run("CREATE TABLE people (age INT); INSERT INTO nowhere VALUES (41)")


def test_the_environment_has_the_password_and_the_address_has_not(database):
    password = os.environ.get("CELOSIA_PASSWORD")
    assert database.address.startswith(f"{database.scheme}://")
    if database.scheme in DRIVERS:
        assert password
        assert password not in database.address
    else:
        assert password is None


ENDINGS = {
    "ends": "pass",
    "is interrupted": "raise KeyboardInterrupt",
    "is killed": "os.kill(os.getpid(), signal.SIGKILL)",
}
EXIT_CODES = {"ends": 0, "is interrupted": 2, "is killed": -signal.SIGKILL}
INNER = """
import json, os, pathlib, signal

def test_that_starts_servers(postgresql, mariadb):
    note = {{str(s.folder): int((s.folder / "server.pid").read_text()) for s in (postgresql, mariadb)}}
    pathlib.Path("note.json").write_text(json.dumps(note))
    {ending}
"""


def run_inner_session(folder: Path, text: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_inner.py").write_text(text)
    environment = {
        name: value for name, value in os.environ.items() if name not in ("CI", "CELOSIA_SERVICES")
    }
    environment |= {"PYTHONPATH": str(HERE), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "conftest",
        "-p",
        "no:cacheprovider",
        "test_inner.py",
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.usefixtures("postgresql", "mariadb")  # where they are missing there is nothing to leave behind
@pytest.mark.parametrize("how", ENDINGS)
def test_no_server_outlives_a_session_that(how, tmp_path):
    session = run_inner_session(tmp_path, INNER.format(ending=ENDINGS[how]))
    assert session.returncode == EXIT_CODES[how], session.stdout + session.stderr
    note = json.loads((tmp_path / "note.json").read_text())
    assert len(note) == 2
    # A session that can still do something waits for its servers; one that was killed cannot.
    deadline = time.monotonic() + (30 if how == "is killed" else 0)
    while leftovers(note) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert leftovers(note) == []


def leftovers(note: dict[str, int]) -> list[str]:
    return [folder for folder, process in note.items() if Path(folder).exists() or is_alive(process)]


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


MISSING = """
import programs, servers

def nothing_installed():
    raise programs.ProgramsMissingError("PostgreSQL is not installed")

servers.postgresql_programs = nothing_installed

def test_that_needs_a_server(postgresql):
    pass
"""


@pytest.mark.parametrize(
    ("variables", "outcome"),
    [({}, "1 skipped"), ({"CELOSIA_SERVICES": "required"}, "1 error"), ({"CI": "true"}, "1 error")],
)
def test_a_missing_server_is_only_forgiven_where_it_is_not_required(variables, outcome, tmp_path):
    session = run_inner_session(tmp_path, MISSING, **variables)
    assert outcome in session.stdout


@pytest.mark.usefixtures("postgresql", "mariadb")
def test_nothing_is_installed_twice():
    done = subprocess.run([HERE / "install"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
