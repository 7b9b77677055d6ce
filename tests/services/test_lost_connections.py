"""A run that is interrupted, or loses its connection, says so in a sentence and leaves nothing at once."""

import os
import signal
import time
from types import SimpleNamespace

import pytest
from keeper import start, stop
from programs import hand_over
from runs import RELEASE, SLOW, make_people
from servers import OWNERS, running
from traces import CONNECTIONS, leftovers_in, release_of, wait_until_the_server_let_go

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
    deadline = time.monotonic() + 30
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
