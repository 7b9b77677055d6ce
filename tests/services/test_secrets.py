"""Passwords: they come from the environment, a keyring or a person, and are seen nowhere."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from programs import free_port

from celosia.cli.passwords import Passwords
from celosia.cli.start import start
from celosia.errors import CelosiaError
from celosia.tables import open_table
from celosia.tables.sql.address import is_address, out_variable, parse_address

SECRET = "tr0ub4dor-secret"
RELEASE = ("--qi", "age,sex", "-k", "2")
COMMANDS = [
    ["tables", "{}"],
    ["profile", "{}", "--table", "people"],
    ["explore", "{}", "--table", "people", *RELEASE],
    ["balance", "{}", "--table", "people", "--qi", "age"],
    ["verify", "{}", "--table", "people", *RELEASE],
    ["export", "{}", "--table", "people", "--out", "out.csv"],
    ["erase", "{}", "--table", "people", "--yes"],
    ["anonymize", "{}", "--table", "people", *RELEASE, "--out", "out.csv"],
    ["anonymize", "people.csv", *RELEASE, "--out", "{}", "--out-table", "safe"],
    ["import", "people.csv", "--out", "{}", "--out-table", "safe"],
    ["hierarchy", "propose", "{}", "--table", "people"],
]


@pytest.fixture(params=["postgresql", "mariadb"])
def server(request):
    return request.getfixturevalue(request.param)


@pytest.fixture
def address(server, monkeypatch, tmp_path):
    """A database with a table, and a user whose password nobody should see; the environment has none."""
    for name in ("CELOSIA_PASSWORD", "CELOSIA_OUT_PASSWORD"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,sex\n31,f\n32,m\n31,f\n32,m\n")
    name = server.new_database().rpartition("/")[2]
    rows = "(31, 'f'), (32, 'm'), (31, 'f'), (32, 'm')"
    server.run(f"CREATE TABLE people (age INT, sex VARCHAR(1)); INSERT INTO people VALUES {rows}", name)
    user = f"keeper_{name}"
    every = "ALL PRIVILEGES ON SCHEMA public" if server.scheme == "postgresql" else "ALL ON *.*"
    server.new_user(user, SECRET, every, database=name)
    if server.scheme == "postgresql":
        server.run(f"ALTER TABLE people OWNER TO {user}", name)
    yield server.address(name, user)
    server.drop_database(name)


@pytest.fixture
def celosia(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    """Run a command; its status, and all that it printed."""

    def call(*arguments: object) -> tuple[int, str]:
        capfd.readouterr()
        status = start([str(argument) for argument in arguments])
        return status, "".join(capfd.readouterr())

    return call


@pytest.fixture
def keyring(monkeypatch):
    import keyring as library
    from keyring.backend import KeyringBackend

    class InMemory(KeyringBackend):
        priority = 1

        def __init__(self):
            super().__init__()
            self.kept = {}

        def get_password(self, service, username):
            return self.kept.get((service, username))

        def set_password(self, service, username, password):
            self.kept[service, username] = password

        def delete_password(self, service, username):
            del self.kept[service, username]

    before = library.get_keyring()
    library.set_keyring(InMemory())
    yield library
    library.set_keyring(before)


# Where passwords come from


def test_the_environment_may_hold_it(address, celosia, monkeypatch):
    assert celosia("tables", address)[0] == 2
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    assert celosia("tables", address)[0] == 0


def test_that_of_the_destination_has_a_variable_of_its_own(address, celosia, monkeypatch):
    into = ("import", "people.csv", "--out", address, "--out-table", "copied")
    monkeypatch.setenv("CELOSIA_PASSWORD", "that of another server")
    assert celosia(*into)[0] == 2
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", SECRET)
    assert celosia(*into)[0] == 0


def test_a_keyring_may_hold_it(address, celosia, keyring):
    assert celosia("tables", address)[0] == 2
    keyring.set_password("celosia", address, SECRET)
    status, shown = celosia("tables", address)
    assert (status, SECRET in shown) == (0, False)


def test_the_keyring_is_asked_for_that_of_the_destination(address, celosia, keyring, monkeypatch):
    monkeypatch.delenv("CELOSIA_PASSWORD", raising=False)
    keyring.set_password("celosia", address, SECRET)
    assert celosia("import", "people.csv", "--out", address, "--out-table", "copied")[0] == 0


SOURCE = "postgresql://ana@localhost/clinic"


@pytest.mark.parametrize(
    ("out", "is_same"),
    [
        (SOURCE, True),
        ("postgresql://ana@LOCALHOST:5432/research", True),
        ("postgresql://ana@localhost:5433/clinic", False),
        ("postgresql://ana@db.example.org/clinic", False),
        ("postgresql://eve@localhost/clinic", False),
        ("mariadb://ana@localhost/clinic", False),
        (f"{SOURCE}?host=db.example.org", False),
    ],
)
def test_the_password_of_the_source_is_for_no_other_account(out, is_same, monkeypatch):
    monkeypatch.delenv("CELOSIA_OUT_PASSWORD", raising=False)
    source, place = parse_address(SOURCE), parse_address(out, variable="CELOSIA_OUT_PASSWORD")
    assert out_variable(place, source) == ("CELOSIA_PASSWORD" if is_same else "CELOSIA_OUT_PASSWORD")
    assert out_variable(place, None) == "CELOSIA_PASSWORD"
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", "its own")
    assert out_variable(place, source) == "CELOSIA_OUT_PASSWORD"


def test_the_password_of_the_source_is_not_sent_to_another_server(monkeypatch):
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    monkeypatch.delenv("CELOSIA_OUT_PASSWORD", raising=False)
    assert (
        parse_address("mariadb://eve@other/clinic", variable="CELOSIA_OUT_PASSWORD").find_password() is None
    )


def test_the_password_of_the_source_serves_another_database_of_the_account(
    server, address, celosia, monkeypatch
):
    other = server.new_database().rpartition("/")[2]
    user = address.partition("://")[2].partition("@")[0]
    if server.scheme == "postgresql":
        server.run(f"GRANT ALL ON SCHEMA public TO {user}", other)
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    out = ("--out", server.address(other, user), "--out-table", "safe")
    status, shown = celosia("anonymize", address, "--table", "people", *RELEASE, *out)
    assert status == 0, shown
    server.drop_database(other)


@pytest.mark.parametrize("variable", ["CELOSIA_PASSWORD", "CELOSIA_OUT_PASSWORD"])
def test_where_nobody_can_be_asked_the_right_variable_is_named(variable, monkeypatch):
    monkeypatch.setattr(Passwords, "can_ask", False)
    with pytest.raises(CelosiaError) as caught:
        parse_address(SOURCE, variable=variable).ask_password(Passwords())
    assert f"set {variable}," in str(caught.value)


@pytest.mark.parametrize("typed", [SECRET, "wrong-secret"])
def test_a_person_is_asked_once_and_the_answer_is_not_shown(address, typed):
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "celosia", "profile", address, "--table", "people", "--nominate", "age,sex"]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60)
    child.expect("Password of ")
    child.expect(f"{address}: ")
    child.sendline(typed)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == (0 if typed == SECRET else 2), child.before
    assert typed not in child.before
    assert "Password of" not in child.before


def test_nobody_is_asked_where_nobody_is(address):
    done = subprocess.run(
        [sys.executable, "-m", "celosia", "tables", address],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert "CELOSIA_PASSWORD" in done.stderr


# Where they are not seen


def test_no_answer_and_no_file_holds_it(address, celosia, monkeypatch, tmp_path):
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    release = ("anonymize", address, "--table", "people", *RELEASE)
    shown = []
    for out in (["--out", "file.csv"], ["--out-table", "safe"], ["--out", address, "--out-table", "safe2"]):
        for more in ([], ["--json", "--overwrite"]):
            status, text = celosia(*release, *out, *more)
            assert status == 0, text
            shown.append(text)
    for command in (["tables"], ["profile", "--table", "people"], ["explore", "--table", "people", *RELEASE]):
        status, text = celosia(command[0], address, *command[1:], "--json")
        assert status == 0, text
        shown.append(text)
    assert SECRET not in "".join(shown)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"safe.record.json", "safe2.record.json"} <= {path.name for path in files}
    assert not any(SECRET.encode() in path.read_bytes() for path in files)
    record = json.loads(Path("safe2.record.json").read_text())
    assert record["source"]["path"] == address


def mistakes(address: str) -> dict[str, tuple[str, str, dict[str, str]]]:
    """What goes wrong: the address, the password and more to open."""
    host = address.partition("@")[2].partition("/")[0]
    people = {"table": "people"}
    return {
        "wrong password": (address, SECRET + "x", people),
        "unreachable": (address.replace(host, f"127.0.0.1:{free_port()}"), SECRET, people),
        "unknown host": (address.replace(host, "no-such-host.invalid"), SECRET, people),
        "no such database": (address.rpartition("/")[0] + "/nowhere", SECRET, people),
        "no such table": (address, SECRET, {"table": "nowhere"}),
        "bad condition": (address, SECRET, people | {"where": "nope = = 1"}),
        "two statements": (address, SECRET, people | {"where": "1 = 1); DROP TABLE people; --"}),
        "missing grant": (address, SECRET, {"table": "hidden"}),
    }


@pytest.mark.parametrize("what", mistakes("postgresql://a@h/d"))
def test_no_error_holds_it(server, address, celosia, monkeypatch, what):
    if what == "missing grant":
        name = address.rpartition("/")[2]
        server.run("CREATE TABLE hidden (age INT, sex VARCHAR(1))", name)
        if server.scheme == "mariadb":
            user = server.account(f"keeper_{name}")
            server.run(f"REVOKE ALL PRIVILEGES, GRANT OPTION FROM {user}")
            server.run(f"GRANT SELECT ON {name}.people TO {user}")
    place, password, more = mistakes(address)[what]
    monkeypatch.setenv("CELOSIA_PASSWORD", password)
    with pytest.raises(CelosiaError) as caught:
        read_all(place, more)
    assert not any(SECRET in text for text in told(caught.value))
    words = [word for name, value in more.items() for word in (f"--{name}", value)]
    for as_json in ([], ["--json"]):
        status, shown = celosia("profile", place, *words, *as_json)
        assert (status, SECRET in shown, "Traceback" in shown) == (2, False, False), shown
    assert server.query("SELECT COUNT(*) FROM people", address.rpartition("/")[2]) == [(4,)]


def read_all(place: str, more: dict[str, str]) -> None:
    table = open_table(place, **more)
    try:
        list(table.scan())
    finally:
        table.close()


def told(error: BaseException | None) -> list[str]:
    """All that a traceback would tell: of an error, and of those behind it."""
    texts = []
    while error is not None:
        texts += [str(error), repr(error), repr(error.args), *getattr(error, "__notes__", ())]
        error = error.__cause__ or error.__context__
    return texts


def test_nothing_that_holds_a_connection_shows_it(address, monkeypatch):
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    table = open_table(address, table="people")
    database = table.database
    connection = database._connection
    shown = [table, database, database.address, database.address.url, connection, connection._engine]
    shown.append(connection._engine.url)
    try:
        assert not any(SECRET in text for each in shown for text in (str(each), repr(each)))
    finally:
        table.close()


def test_the_list_of_processes_does_not_show_it(address, monkeypatch):
    arguments = Path("/proc/self/cmdline")
    if not arguments.exists():
        pytest.skip("needs a system with /proc")
    # The command line of a process can only hold what it was given, or what it made of it.
    code = "import sys; from celosia.cli.start import start; s = start(sys.argv[1:]); "
    code += "print(open('/proc/self/cmdline').read()); sys.exit(s)"
    done = subprocess.run(
        [sys.executable, "-c", code, "profile", address, "--table", "people"],
        env=os.environ | {"CELOSIA_PASSWORD": SECRET},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert address in done.stdout
    assert SECRET not in done.stdout + done.stderr


# Addresses with a password in them


WITH_PASSWORD = [
    f"postgresql://ana:{SECRET}@localhost/clinic",
    f"mariadb://ana:{SECRET}@localhost/clinic",
    f"mysql+pymysql://ana:{SECRET}@localhost/clinic",
    f"postgresql://ana:p@{SECRET}@localhost/clinic",
    f"postgresql://ana:p/{SECRET}@localhost/clinic",
    f"postgresql://ana:p@ss/{SECRET}@localhost:5/clinic",
    f"postgresql://ana:12/{SECRET}@localhost/clinic",
    f"postgresql://ana@localhost/clinic?password={SECRET}",
    f"postgresql://ana@localhost/clinic?pass%77ord={SECRET}",
    f"postgresql://ana@localhost/clinic?sslmode=require&sslpassword={SECRET}",
    f"mariadb://ana@localhost/clinic?PASSWD={SECRET}",
    f"duckdb:///x.duckdb?motherduck_token={SECRET}",
    f"postgresql://ana:{SECRET}@localhost:port/clinic",
    f"postgresql://ana:{SECRET}",
    f"postgresql:/ana:{SECRET}@localhost/clinic",
    f"oracle://ana:{SECRET}@localhost/clinic",
]


@pytest.mark.parametrize("text", WITH_PASSWORD)
def test_an_address_with_a_password_is_refused_and_not_shown(text):
    assert is_address(text)
    with pytest.raises(CelosiaError) as caught:
        parse_address(text)
    assert not any(SECRET in each or "localhost" in each for each in told(caught.value)[:2])


@pytest.mark.parametrize("text", [WITH_PASSWORD[0], WITH_PASSWORD[5], WITH_PASSWORD[7], WITH_PASSWORD[-1]])
def test_every_command_refuses_it(text, celosia, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("age,sex\n31,f\n32,m\n31,f\n32,m\n")
    for arguments, as_json in product(COMMANDS, ([], ["--json"])):
        status, shown = celosia(*(word.format(text) for word in arguments), *as_json)
        assert (status, SECRET in shown) == (2, False), shown
        assert "password in it" in shown
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


# TLS


@pytest.fixture
def other_certificate(tmp_path):
    """One that no server has."""
    from programs import certificate_commands

    for command in certificate_commands(tmp_path):
        subprocess.run(command, check=True, capture_output=True, cwd=tmp_path)
    return tmp_path / "server.crt"


TLS = {
    "postgresql": "sslmode=verify-full&sslrootcert={}",
    "mariadb": "ssl_ca={}&ssl_check_hostname=true",
}


def test_a_server_is_verified_by_its_certificate(server, address, celosia, monkeypatch, other_certificate):
    if server.certificate is None:
        pytest.skip("needs openssl to make a certificate")
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    right = f"{address}?{TLS[server.scheme].format(server.certificate)}"
    status, shown = celosia("tables", right)
    assert status == 0, shown
    status, shown = celosia("tables", f"{address}?{TLS[server.scheme].format(other_certificate)}")
    assert (status, "Traceback" in shown) == (2, False)
    assert "certificate" in shown.lower()
    assert SECRET not in shown


def test_a_connection_that_is_to_be_encrypted_is(server, address, monkeypatch):
    if server.certificate is None:
        pytest.skip("needs openssl to make a certificate")
    monkeypatch.setenv("CELOSIA_PASSWORD", SECRET)
    table = open_table(f"{address}?{TLS[server.scheme].format(server.certificate)}", table="people")
    try:
        asked = {
            "postgresql": "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
            "mariadb": "SELECT variable_value FROM information_schema.session_status "
            "WHERE variable_name = 'Ssl_cipher'",
        }[server.scheme]
        [(told_by_server,)] = table.database.ask(asked)
    finally:
        table.close()
    assert told_by_server not in ("", "false")
