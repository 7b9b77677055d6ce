"""A run that is killed leaves a whole release or none, and the next run leaves nothing of it."""

import json
import random
import signal
import time

from runs import QUASI_IDENTIFIERS, RELEASE, ROWS, make_people
from traces import leftovers_in, release_of, wait_until_the_server_let_go

import celosia

POINTS = ["opened", "counted", "planned", "written", "verified", "record", "committed", "published"]
RANDOM_MOMENTS = {"postgresql": 8, "mariadb": 8, "sqlite": 2, "duckdb": 2}


def test_runs_killed_at_any_moment_leave_a_whole_release_or_none(database, nursery, folders, tmp_path):
    place, temporary = folders
    # What does not fit in the memory of SQLite goes to its journal before the end.
    make_people(database.run, width=6000 if database.scheme == "sqlite" else 10)
    before = {path.name for path in tmp_path.iterdir()}
    arguments, settings = ["anonymize", database.address, *RELEASE], {"TMPDIR": str(temporary)}
    for _ in range(2):  # the first takes longer than the others will
        began = time.monotonic()
        assert nursery.run([*arguments, "--overwrite"], place, settings=settings)[0] == 0
        span = time.monotonic() - began
    chance, moments = random.Random(11), RANDOM_MOMENTS[database.scheme]
    killed, outcomes, leftovers, files = 0, set(), set(), set()

    def look_at(run, status):
        nonlocal killed
        assert status in (0, -signal.SIGKILL), run.shown
        killed += status != 0
        files.update(path.name for path in tmp_path.iterdir())
        wait_until_the_server_let_go(database)
        found = release_of(database)
        outcomes.add(found)
        leftovers.update(leftovers_in(database))
        if found is not None:
            assert found[0] == ROWS
            assert (place / "people_safe.record.json").exists()
            assert celosia.verify(
                database.address, table="people_safe", quasi_identifiers=QUASI_IDENTIFIERS, k=5
            ).passed
            # Its record stays, and must not be in the way of the next.
            database.run("DROP TABLE people_safe")

    database.run("DROP TABLE people_safe")
    for turn in range(moments):
        run = nursery.start(arguments, place, settings=settings)
        time.sleep(span * (turn + chance.random()) / moments)
        run.signal(signal.SIGKILL)
        look_at(run, run.wait())
    for point in POINTS:
        run = nursery.start(arguments, place, settings=settings, at=point, do="die")
        status = run.wait()
        assert status == -signal.SIGKILL, run.shown
        look_at(run, status)
    assert killed > len(POINTS)
    assert {found is None for found in outcomes} == {True, False}
    assert bool(leftovers) == (database.scheme == "mariadb")
    assert ("people.db-journal" in files) == (database.scheme == "sqlite")

    status, shown = nursery.run(arguments, place, settings=settings)
    assert status == 0, shown
    wait_until_the_server_let_go(database)
    assert release_of(database) is not None
    assert leftovers_in(database) == []
    for name in leftovers:
        assert database.query(f"SELECT IS_FREE_LOCK('{name}')") == [(1,)]
    assert {path.name for path in tmp_path.iterdir()} == before
    assert [path.name for path in place.iterdir()] == ["people_safe.record.json"]
    # Python itself tries whether it can write there, with a file of four letters that a kill may leave.
    left = [path for path in temporary.iterdir() if path.is_dir() or path.read_bytes() not in (b"", b"blat")]
    assert left == []
    assert json.loads((place / "people_safe.record.json").read_text())["rows"]["written"] == ROWS
