"""A run that is interrupted, or loses its connection, says so in a sentence and leaves nothing at once."""

import os
import signal
import threading
import time
from types import SimpleNamespace

import polars as pl
import pytest
import runs
import sqlalchemy as sa
from keeper import start, stop
from programs import hand_over
from runs import RELEASE, SLOW, make_people
from servers import OWNERS, running
from traces import CONNECTIONS, leftovers_in, release_of, wait_until_the_server_let_go

from celosia.cli.interrupt import interruptible
from celosia.errors import TableError
from celosia.tables.sql.columns import SqlColumn
from celosia.tables.sql.open import connect, open_sql_table
from celosia.tables.sql.splitting import SqlAxis, open_engine
from celosia.types import ColumnType

PHASES = ["counted", "written", "verified", "record"]
END = {
    "postgresql": "SELECT pg_terminate_backend({})",
    "mariadb": "KILL {}",
}


def assert_nothing_is_left(database, place):
    wait_until_the_server_let_go(database)
    assert release_of(database) is None
    assert leftovers_in(database) == []
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("point", PHASES)
def test_an_interrupted_run_leaves_nothing(database, nursery, folders, tmp_path, point):
    place, temporary = folders
    make_people(database.run)
    before = set(tmp_path.iterdir())
    number = signal.SIGTERM if point == "written" else signal.SIGINT
    run = nursery.start(
        ["anonymize", database.address, *RELEASE],
        place,
        settings={"TMPDIR": str(temporary)},
        at=point,
        do=SLOW[database.scheme],
    )
    run.wait_until_it_stands()
    run.signal(number)
    assert run.wait() == 128 + number, run.shown
    assert run.shown.splitlines()[-1] == "interrupted; nothing was written"
    assert_nothing_is_left(database, place)
    assert set(tmp_path.iterdir()) == before
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_that_does_not_end_a_wait_is_heard_all_the_same(number):
    """As one that comes just before the wait: nobody can send that on purpose, but to another thread."""
    read, write = os.pipe()
    is_heard, is_late = threading.Event(), threading.Event()

    def send():
        signal.pthread_kill(threading.get_ident(), number)
        if not is_heard.wait(20):
            is_late.set()
            os.write(write, b"x")

    thread = threading.Thread(target=send)
    with interruptible():
        with pytest.raises(KeyboardInterrupt) as caught:
            wait_for(thread, read)
        is_heard.set()
        thread.join()
    os.close(read)
    os.close(write)
    assert caught.value.args == (number,)
    assert not is_late.is_set()


def wait_for(thread, read):
    thread.start()
    os.read(read, 1)


def test_a_run_that_hangs_fails_one_test_only(nursery, folders, monkeypatch):
    place, _ = folders
    with monkeypatch.context() as hasty:
        hasty.setattr(runs, "PATIENCE", 0.5)
        run = nursery.start(["tables", "sqlite:///none.db"], place, at="asked", do="stand")
        with pytest.raises(AssertionError, match="does not end"):
            run.wait()
        os.kill(nursery.pipe.pid, signal.SIGSTOP)
        with pytest.raises(AssertionError, match="dead or stuck"):
            nursery.start(["--version"], place)
    assert nursery.run(["--version"], place)[0] == 0
    nursery.pipe.kill()
    nursery.pipe.wait()
    assert nursery.run(["--version"], place)[0] == 0


@pytest.mark.parametrize("point", PHASES)
@pytest.mark.parametrize("database", ["postgresql", "mariadb"], indirect=True)
def test_a_run_whose_connection_is_ended_leaves_nothing(database, nursery, folders, point):
    place, _ = folders
    make_people(database.run)
    run = nursery.start(["anonymize", database.address, *RELEASE], place, at=point, do=SLOW[database.scheme])
    run.wait_until_it_stands()
    for (number,) in database.query(CONNECTIONS[database.scheme]):
        database.run(END[database.scheme].format(number))
    assert run.wait() == 2, run.shown
    assert "the server cannot be reached, or the connection was lost" in run.shown
    assert "Traceback" not in run.shown
    assert_nothing_is_left(database, place)


@pytest.mark.parametrize("kind", ["postgresql", "mariadb"])
def test_a_run_whose_server_falls_leaves_nothing_once_it_stands_again(
    kind, request, nursery, folders, monkeypatch
):
    request.getfixturevalue(kind)  # where it is missing, this one is too
    place, _ = folders
    with running(kind) as server:
        monkeypatch.setenv("CELOSIA_PASSWORD", server.password)
        address = server.new_database("clinic")
        database = SimpleNamespace(
            scheme=kind,
            run=lambda sql: server.run(sql, "clinic"),
            query=lambda sql: server.query(sql, "clinic"),
        )
        make_people(database.run)
        if kind == "postgresql":
            database.run("CHECKPOINT")  # a server of the tests does not hurry to write things down
        arguments = ["anonymize", address, *RELEASE]
        run = nursery.start(arguments, place, at="verified", do=SLOW[kind])
        run.wait_until_it_stands()
        os.kill(int((server.folder / "server.pid").read_text().split()[0]), signal.SIGKILL)
        assert run.wait() == 2, run.shown
        assert "the server cannot be reached, or the connection was lost" in run.shown
        assert ("celosia erase ADDRESS" in run.shown) == (kind == "mariadb")
        assert list(place.iterdir()) == []
        again = start_again(server)
        try:
            status, shown = nursery.run(arguments, place)
            assert status == 0, shown
            wait_until_the_server_let_go(database)
            assert leftovers_in(database) == []
        finally:
            stop(again)


def start_again(server):
    command = type(server).commands(server.folder, port=server.port, password=server.password)[-1]
    hand_over(server.folder, OWNERS[server.scheme])
    deadline = time.monotonic() + 90
    while True:
        process = start(command, server.folder)
        while process.poll() is None and time.monotonic() < deadline:
            try:
                server.run("SELECT 1")
            except Exception:  # each driver has its own error for a server that still starts
                time.sleep(0.05)
            else:
                return process
        # What the old one had open may be let go of a moment later.
        assert time.monotonic() < deadline, (server.folder / "log").read_text(errors="replace")[-2000:]
        time.sleep(0.1)


@pytest.fixture
def opened(database):
    found = connect(database.address, writes=True)
    yield found
    found.close()


def refuse(*_):
    raise OSError("nobody answers")


def hold(opened, monkeypatch):
    """Let what is temporary stay where it is: no statement that drops it does anything, and no other comes through."""
    run = opened.run
    monkeypatch.setattr(opened, "run", lambda sql: 0 if "DROP DATABASE" in str(sql) else run(sql))
    monkeypatch.setattr(opened, "reconnect", refuse)


def withdraw_after(error, opened):
    try:
        if error is not None:
            raise error
    finally:
        opened.dialect.drop_work(opened)


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
@pytest.mark.parametrize("first", [TableError("a mistake", remedy="mend it"), KeyboardInterrupt(), None])
def test_whoever_has_to_drop_what_is_temporary_is_told(database, opened, monkeypatch, first):
    work = opened.dialect.make_work(opened)
    with monkeypatch.context() as held:
        hold(opened, held)
        with pytest.raises(TableError if first is None else type(first)) as caught:
            withdraw_after(first, opened)
    shown = " ".join([str(caught.value), *getattr(caught.value, "__notes__", ())])
    assert first is None or caught.value is first
    assert work in shown
    assert "celosia erase ADDRESS" in shown
    opened.close()
    database.run(f"DROP DATABASE {work}")


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_what_another_connection_drops_is_not_spoken_of(database, opened, monkeypatch):
    opened.dialect.make_work(opened)
    run = opened.run
    monkeypatch.setattr(opened, "run", lambda sql: 0 if "DROP DATABASE" in str(sql) else run(sql))
    opened.dialect.drop_work(opened)
    assert leftovers_in(database) == []


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_an_error_over_rows_does_not_take_the_connection_down(database, opened):
    database.run("CREATE TABLE odd AS SELECT 'many' AS n")
    opened.begin()
    number = opened.ask("SELECT CONNECTION_ID()")
    wrong = SqlColumn("n", ColumnType.INTEGER, "int", pl.Int64())
    with pytest.raises(TableError, match="cannot be read"):
        list(opened.frames(sa.select(sa.column("n")).select_from(sa.table("odd")), [wrong]))
    opened.rollback()
    assert opened.ask("SELECT CONNECTION_ID()") == number


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_letting_go_of_small_tables_keeps_to_one_state_of_the_table(database):
    database.run("CREATE TABLE people AS SELECT 1 AS age")
    table = open_sql_table(database.address, "people")
    with split(table) as engine:
        assert engine is not None
        database.run("INSERT INTO people VALUES (2)")
    counted = table.database.ask("SELECT COUNT(*) FROM people")
    table.close()
    assert counted == [(1,)]


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_the_first_error_is_told_when_small_tables_cannot_be_let_go_of(database):
    database.run("CREATE TABLE people AS SELECT 1 AS age")
    table = open_sql_table(database.address, "people")
    with pytest.raises(TableError, match="the first"):
        fail_while_split(table)
    table.close()


def fail_while_split(table):
    with split(table):
        table.database.driver.close()
        raise TableError("the first")


def split(table):
    asked = SqlAxis("age", ColumnType.INTEGER, pl.Int64(), values=["1"])
    return open_engine(table, [asked], [], drops_missing=False, memory=1 << 30)


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_condition_cannot_change_a_database_that_is_only_read(database, nursery, folders):
    make_people(database.run)
    database.run("CREATE SEQUENCE seen")
    arguments = ["profile", database.address, "--table", "people", "--where", "nextval('seen') > 0"]
    status, shown = nursery.run(arguments, folders[0])
    assert status == 2, shown
    assert "read-only" in shown
    assert database.query("SELECT is_called FROM seen") == [(False,)]
