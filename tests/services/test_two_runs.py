"""Two runs at once do not disturb each other, and what others do to a table does not end up in a release."""

import pytest
from runs import RELEASE, ROWS, make_people
from traces import leftovers_in, release_of, wait_until_the_server_let_go

OTHER = [word if word != "people_safe" else "people_too" for word in RELEASE]
SERVERS = pytest.mark.parametrize("database", ["postgresql", "mariadb"], indirect=True)
FILES = pytest.mark.parametrize("database", ["sqlite", "duckdb"], indirect=True)


@pytest.fixture
def begun(database, nursery, folders):
    """Starts a run that stands still after a phase, until it is let go on."""
    place, _ = folders
    make_people(database.run)

    def begin(point, *more):
        run = nursery.start(["anonymize", database.address, *RELEASE, *more], place, at=point, do="stand")
        run.wait_until_it_stands()
        return run

    return begin


def go_on(run):
    run.output.with_name(f"{run.output.name}.reached").write_text("go on")
    return run.wait()


@SERVERS
@pytest.mark.parametrize("point", ["counted", "verified"])
def test_two_runs_into_two_tables_both_succeed(database, nursery, folders, begun, point):
    first = begun(point)
    status, shown = nursery.run(["anonymize", database.address, *OTHER], folders[0])
    assert status == 0, shown
    assert go_on(first) == 0, first.shown
    assert release_of(database) == release_of(database, "people_too")
    wait_until_the_server_let_go(database)
    assert leftovers_in(database) == []


@SERVERS
@pytest.mark.parametrize("point", ["counted", "verified"])
def test_of_two_runs_into_one_table_one_says_that_it_exists(database, nursery, folders, begun, point):
    first = begun(point, "--record", "first.json")
    status, shown = nursery.run(["anonymize", database.address, *RELEASE], folders[0])
    assert status == 0, shown
    before = database.query("SELECT * FROM people_safe")
    assert go_on(first) == 2
    assert "exists already" in first.shown
    assert database.query("SELECT * FROM people_safe") == before
    assert not (folders[0] / "first.json").exists()
    wait_until_the_server_let_go(database)
    assert leftovers_in(database) == []


@FILES
def test_whoever_finds_a_file_in_use_is_told(database, nursery, folders, begun):
    first = begun("written")
    status, shown = nursery.run(["anonymize", database.address, *OTHER], folders[0])
    assert status == 2
    assert "somebody else" in shown
    assert go_on(first) == 0, first.shown
    assert release_of(database)[0] == ROWS
    status, shown = nursery.run(["anonymize", database.address, *OTHER], folders[0])
    assert status == 0, shown


def test_overwriting_replaces_a_table_in_one_step(database, nursery, folders):
    make_people(database.run)
    database.run("CREATE TABLE people_safe (old INTEGER)")
    arguments = ["anonymize", database.address, *RELEASE]
    status, shown = nursery.run(arguments, folders[0])
    assert status == 2
    assert "people_safe exists already" in shown
    assert database.query("SELECT old FROM people_safe") == []
    status, shown = nursery.run([*arguments, "--overwrite"], folders[0])
    assert status == 0, shown
    assert release_of(database)[0] == ROWS
    assert leftovers_in(database) == []


@SERVERS
def test_a_failed_run_leaves_the_table_that_it_was_to_replace(database, nursery, folders, begun):
    database.run("CREATE TABLE people_safe (old INTEGER)")
    database.run("INSERT INTO people_safe VALUES (1)")
    (folders[0] / "people_safe.record.json").write_text("the old one")
    run = begun("record", "--overwrite")
    run.signal(15)
    assert run.wait() == 143, run.shown
    assert run.shown.splitlines()[-1] == "interrupted; nothing was written"
    assert database.query("SELECT old FROM people_safe") == [(1,)]
    assert (folders[0] / "people_safe.record.json").read_text() == "the old one"
    assert leftovers_in(database) == []


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_table_that_a_view_needs_is_not_replaced(database, nursery, folders):
    make_people(database.run)
    database.run("CREATE TABLE people_safe (old INTEGER); CREATE VIEW needy AS SELECT old FROM people_safe")
    status, shown = nursery.run(["anonymize", database.address, *RELEASE, "--overwrite"], folders[0])
    assert status == 2
    assert "other things in the database depend on the table" in shown
    assert database.query("SELECT old FROM needy") == []
    assert list(folders[0].iterdir()) == []


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_postgresql_shows_a_run_one_state_of_the_table(database, begun):
    run = begun("planned")
    database.run("DELETE FROM people WHERE age < 40; UPDATE people SET zip = '99999'")
    assert go_on(run) == 0, run.shown
    assert release_of(database)[0] == ROWS
    assert database.query("SELECT zip FROM people_safe WHERE zip LIKE '9%'") == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("DELETE FROM people WHERE age < 40", "somebody wrote to the table meanwhile"),
        ("UPDATE people SET zip = '99999' WHERE age < 60", "somebody wrote to the table meanwhile"),
        ("UPDATE people SET age = 99 WHERE age = 30", "lacks a value that occurs"),
    ],
)
@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_a_table_of_mariadb_that_changed_under_way_is_not_released(database, folders, begun, change, told):
    run = begun("planned")
    database.run(change)
    assert go_on(run) == 2
    assert told in run.shown
    assert release_of(database) is None
    assert list(folders[0].iterdir()) == []
    assert leftovers_in(database) == []
