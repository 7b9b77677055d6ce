"""Projects of several tables with operations, from databases and into them: nothing is lost, and nothing is left."""

import hashlib
import json
import random
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from traces import leftovers_in, wait_until_the_server_let_go

from celosia.check import check_project
from celosia.errors import CelosiaError, ProjectError, ReleaseError, TableError
from celosia.mask import weaknesses
from celosia.project import Project, make_project
from celosia.release.open_source import opened_table
from celosia.run import run_project
from celosia.tables import open_table
from celosia.tables.sql import open as door
from celosia.tables.sql.new_table import NewTable
from celosia.tables.sql.open import describe_table

PEOPLE, VISITS = 240, 500
KEY = hashlib.sha256(b"a key of the tests").hexdigest()
SHUFFLED = {"operation": "shuffle"}
ONE_OF_EACH = pytest.mark.parametrize("database", ["postgresql", "sqlite"], indirect=True)
"""A server and a file, where all kinds of database take the same way."""
FILES = pytest.mark.parametrize("database", ["sqlite", "duckdb"], indirect=True)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELOSIA_KEY", KEY)


def rows_of_people() -> list[tuple[Any, ...]]:
    chance = random.Random(5)
    return [
        (
            1000 + i,
            f"Name {i}",
            f"{chance.randint(1950, 1959)}-0{chance.randint(1, 2)}-15",
            None if i % 9 == 0 else f"{chance.randint(100, 999)}.{chance.randint(10, 99)}",
            chance.choice("fm"),
            chance.choice(["Lugo", "Soria", None]),
        )
        for i in range(PEOPLE)
    ]


def rows_of_visits() -> list[tuple[Any, ...]]:
    chance = random.Random(6)
    return [
        (1000 + chance.randrange(PEOPLE), chance.randint(2015, 2018), chance.choice("abcd"), chance.random())
        for _ in range(VISITS)
    ]


def insert(database: Any, table: str, rows: list[tuple[Any, ...]]) -> None:
    texts = [
        ", ".join(
            "NULL" if value is None else f"'{value}'" if isinstance(value, str) else repr(value)
            for value in row
        )
        for row in rows
    ]
    database.run(f"INSERT INTO {table} VALUES {', '.join(f'({text})' for text in texts)}")


@pytest.fixture
def clinic(database: Any) -> Any:
    """People and their visits, with columns of many types."""
    database.run(
        "CREATE TABLE people "
        "(id INTEGER, name VARCHAR(40), born DATE, paid DECIMAL(10, 2), sex CHAR(1), town VARCHAR(9))"
    )
    database.run("CREATE TABLE visits (patient INTEGER, year INTEGER, ill VARCHAR(3), cost DOUBLE PRECISION)")
    insert(database, "people", rows_of_people())
    insert(database, "visits", rows_of_visits())
    return database


def light(
    address: str,
    out: str | None = None,
    *,
    columns: dict[str, Any] | None = None,
    places: dict[str, Any] | None = None,
    records: Path | None = None,
    **more: Any,
) -> Project:
    """Names are gone, keys are pseudonyms; ``columns`` of any table and ``places`` as in visits.source come besides."""
    besides = columns or {}
    tables = {}
    for name, known in {
        "people": {
            "id": {"operation": "pseudonymize"},
            "name": "identifier",
            **dict.fromkeys(["born", "paid", "sex", "town"], "common"),
        },
        "visits": {"year": "common", "ill": "sensitive", "cost": "common"},
    }.items():
        destination = {} if out is None else {"path": out}
        if records is not None:
            destination["record"] = str(records / f"{name}.record.json")
        tables[name] = {
            "source": {"path": address, "table": name},
            "destination": {**destination, "table": f"{name}_safe"},
            "columns": {**known, **besides.get(name, {})},
            **more,
        }
    for place, where in (places or {}).items():
        name, _, end = place.partition(".")
        tables[name][end] = where
    return make_project(kind="light", tables=tables, repeated_attributes=[["people.id", "visits.patient"]])


def tables_in(database: Any) -> set[str]:
    asked = {
        "postgresql": "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
        "mariadb": "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()",
        "sqlite": "SELECT name FROM sqlite_master",
        "duckdb": "SELECT table_name FROM duckdb_tables()",
    }
    return {name for (name,) in database.query(asked[database.scheme])}


def nothing_is_left(database: Any, *more: str) -> bool:
    wait_until_the_server_let_go(database)
    return tables_in(database) == {"people", "visits", *more} and leftovers_in(database) == []


def natives(address: str, table: str) -> dict[str, str]:
    return {column.name: column.native for column in describe_table(address, table)[1]}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The connections that are made, as they are made."""
    made: list[Any] = []
    connect = door.open_database

    def watched(*given: Any, **how: Any) -> Any:
        made.append(connect(*given, **how))
        return made[-1]

    monkeypatch.setattr(door, "open_database", watched)
    return made


# Light projects


def test_two_tables_released_lightly_in_their_database_still_join(clinic):
    releases = run_project(light(clinic.address))
    assert [release.written.written for release in releases.values()] == [PEOPLE, VISITS]
    join = "SELECT v.year, v.ill, p.sex FROM visits{0} v JOIN people{0} p ON p.id = v.patient"
    assert Counter(clinic.query(join.format("_safe"))) == Counter(clinic.query(join.format("")))
    assert not {id for (id,) in clinic.query("SELECT id FROM people_safe")} & {
        row[0] for row in rows_of_people()
    }
    before, after = natives(clinic.address, "people"), natives(clinic.address, "people_safe")
    assert list(after) == ["id", "born", "paid", "sex", "town"]
    assert {name: kind for name, kind in after.items() if name != "id"} == {
        name: before[name] for name in after if name != "id"
    }
    same = "SELECT born, paid, sex, town FROM people{}"
    assert Counter(clinic.query(same.format("_safe"))) == Counter(clinic.query(same.format("")))
    assert nothing_is_left(clinic, "people_safe", "visits_safe")


@ONE_OF_EACH
def test_rows_of_a_light_release_come_in_another_order(clinic):
    run_project(light(clinic.address))
    order = [cost for (cost,) in clinic.query("SELECT cost FROM visits_safe")]
    assert order != [row[3] for row in rows_of_visits()]
    assert sorted(order) == sorted(row[3] for row in rows_of_visits())


def test_an_order_that_is_to_be_kept_is_kept_inside_the_database_and_through_operations(clinic):
    run_project(light(clinic.address, order="kept"))
    assert [row[0] for row in clinic.query("SELECT cost FROM visits_safe")] == [
        row[3] for row in rows_of_visits()
    ]
    pushed = {
        "source": {"path": clinic.address, "table": "visits"},
        "destination": {"table": "pushed"},
        "columns": {"patient": "identifier", "cost": "common"},
        "order": "kept",
    }
    run_project(make_project(kind="light", tables={"visits": pushed}))
    assert [row[0] for row in clinic.query("SELECT cost FROM pushed")] == [row[3] for row in rows_of_visits()]


def test_what_needs_nothing_done_here_stays_in_the_database(clinic, opened):
    table = {
        "source": {"path": clinic.address, "table": "visits", "where": "year > 2015"},
        "destination": {"table": "safe"},
        "columns": {
            "patient": "identifier",
            "year": "common",
            "ill": {"role": "sensitive", "operation": "suppress"},
            "cost": "common",
        },
    }
    run_project(make_project(kind="light", tables={"visits": table}))
    assert list(natives(clinic.address, "safe")) == ["year", "cost"]
    opened.pop()
    kept = [row for row in rows_of_visits() if row[1] > 2015]
    assert clinic.query("SELECT COUNT(*) FROM safe") == [(len(kept),)]
    assert len(opened) == 1
    # Counted after it was made, by reading one column of the release; the source is not read.
    assert opened[0].fetched < len(kept) + 100


def test_a_light_project_goes_from_a_database_to_files_and_from_files_to_a_database(clinic, tmp_path):
    places = {f"{name}.destination": str(tmp_path / f"{name}.parquet") for name in ("people", "visits")}
    run_project(light(clinic.address, places=places))
    people, visits = (pl.read_parquet(tmp_path / f"{name}.parquet") for name in ("people", "visits"))
    assert (people.height, visits.height) == (PEOPLE, VISITS)
    assert visits.join(people, left_on="patient", right_on="id").height == VISITS
    assert people["paid"].null_count() == sum(row[3] is None for row in rows_of_people())
    project = make_project(
        kind="light",
        tables={
            name: {
                "source": str(tmp_path / f"{name}.parquet"),
                "destination": {"path": clinic.address, "table": f"{name}_back"},
                "columns": {column: {"operation": "pseudonymize"}, **dict.fromkeys(others, "common")},
            }
            for name, (column, *others) in {
                "people": ("id", "born", "paid", "sex", "town"),
                "visits": ("patient", "cost"),
            }.items()
        },
        repeated_attributes=[["people.id", "visits.patient"]],
    )
    run_project(project)
    joined = "SELECT COUNT(*) FROM visits_back v JOIN people_back p ON p.id = v.patient"
    assert clinic.query(joined) == [(VISITS,)]
    assert clinic.query("SELECT COUNT(*) FROM people_back WHERE paid IS NULL") == [
        (sum(row[3] is None for row in rows_of_people()),)
    ]


# Operations whose rows have to be read twice


def test_a_shuffled_column_has_the_values_that_it_had_and_misses_those_that_it_missed(clinic):
    run_project(light(clinic.address, columns={"people": {"born": SHUFFLED, "paid": SHUFFLED}}))
    for column in ("born", "paid"):
        before, after = (clinic.query(f"SELECT {column}, sex FROM people{end}") for end in ("", "_safe"))
        assert Counter(row[0] for row in after) == Counter(row[0] for row in before)
        assert Counter(after) != Counter(before)


@ONE_OF_EACH
def test_rows_are_dropped_and_drawn_as_they_are_in_files(clinic):
    rows = [{"name": "drop-rows", "where": "year = 2015"}, {"name": "sample", "share": 0.5, "by": "patient"}]
    table = {
        "source": {"path": clinic.address, "table": "visits"},
        "destination": {"table": "visits_safe"},
        "columns": {"patient": "common", "ill": "sensitive", "cost": SHUFFLED},
        "rows": rows,
    }
    release = run_project(make_project(kind="light", seed=3, tables={"visits": table}))["visits"]
    left = clinic.query("SELECT patient, year FROM visits_safe")
    whole = [(row[0], row[1]) for row in rows_of_visits() if row[1] != 2015]
    people = {patient for patient, _ in left}
    assert Counter(left) == Counter(row for row in whole if row[0] in people)
    assert 0.3 * len(whole) < len(left) < 0.7 * len(whole)
    assert release.dropped == VISITS - len(left)


@ONE_OF_EACH
def test_what_depends_on_the_order_of_rows_is_refused_where_they_are_read_twice(clinic):
    sample = [{"name": "sample", "share": 0.5}]
    table = {
        "source": {"path": clinic.address, "table": "visits"},
        "destination": {"table": "visits_safe"},
        "columns": {
            "patient": "identifier",
            "year": "quasi-identifier",
            "ill": "sensitive",
            "cost": "common",
        },
    }
    models = [{"model": "k-anonymity", "k": 2}]
    run_project(make_project(kind="light", tables={"visits": {**table, "rows": sample}}), overwrite=True)
    with pytest.raises(ProjectError, match=r"a sample by their numbers .* as in by: id"):
        run_project(make_project(models=models, tables={"visits": {**table, "rows": sample}}), overwrite=True)
    columns = {**table["columns"], "cost": SHUFFLED}
    with pytest.raises(ProjectError, match="a sample by their numbers"):
        run_project(
            make_project(kind="light", tables={"visits": {**table, "columns": columns, "rows": sample}})
        )
    columns = {**table["columns"], "year": {"role": "quasi-identifier", "operation": "shuffle"}}
    with pytest.raises(ProjectError, match="'year' is shuffled in another way"):
        run_project(
            make_project(models=models, tables={"visits": {**table, "columns": columns}}), overwrite=True
        )


# Complete projects


def complete(address: str | None, **how: Any) -> Project:
    """A star: whoever cannot hide is in neither table."""
    return make_project(
        models=[{"model": "k-anonymity", "k": 4}],
        suppression=0.5,
        tables={
            "people": {
                "source": {"path": address, "table": "people"},
                "destination": {"table": "people_safe"},
                "person": "id",
                "columns": {
                    "id": {"role": "identifier", "operation": "pseudonymize"},
                    "name": "identifier",
                    "born": {"role": "quasi-identifier", "operation": {"name": "truncate", "first": 4}},
                    "sex": "quasi-identifier",
                    "town": "common",
                    "paid": {"role": "common", "operation": {"name": "round", "to": 100}},
                },
            },
            "visits": {
                "source": {"path": address, "table": "visits"},
                "destination": {"table": "visits_safe"},
                "person": "patient",
                "columns": {"year": "quasi-identifier", "ill": "sensitive", "cost": "common"},
            },
        },
        repeated_attributes=[["people.id", "visits.patient"]],
        **how,
    )


def test_people_who_cannot_hide_are_gone_from_both_tables(clinic):
    releases = run_project(complete(clinic.address))
    assert all(release.verification.passed for release in releases.values())
    people = clinic.query("SELECT id, born, sex FROM people_safe")
    visits = clinic.query("SELECT patient, year FROM visits_safe")
    assert 0 < len(people) < PEOPLE
    had_visits = len({row[0] for row in rows_of_visits()})
    gone = {patient for patient, _ in visits} - {id for id, *_ in people}
    assert gone == set()
    seen: dict[str, set[Any]] = {id: set() for id, *_ in people}
    for patient, year in visits:
        seen[patient].add(year)
    classes = Counter((born, sex, frozenset(seen[id])) for id, born, sex in people)
    assert min(classes.values()) >= 4
    assert len({patient for patient, _ in visits}) <= had_visits
    assert nothing_is_left(clinic, "people_safe", "visits_safe")


def test_what_operations_do_not_touch_is_counted_in_the_database(clinic, opened):
    with opened_table(complete(clinic.address), "people") as job:
        before = opened[0].fetched
        assert job.table.count_by(["sex", "town"]).rows == PEOPLE
        assert opened[0].fetched - before <= 6
        before = opened[0].fetched
        assert job.table.count_by(["paid"]).rows == PEOPLE
        assert opened[0].fetched - before >= PEOPLE
        assert sorted(job.table.few_values("sex", 100)) == ["f", "m"]
        assert set(job.table.few_values("paid", PEOPLE)) <= {None, *range(100, 1100, 100)}


@ONE_OF_EACH
def test_only_the_first_rows_are_fetched_to_look_at_operations(clinic, opened, monkeypatch):
    monkeypatch.setattr(weaknesses, "SAMPLE", 50)
    columns = {"patient": {"operation": "hash"}, "ill": {"operation": "encrypt"}, "cost": "common"}
    source = {"path": clinic.address, "table": "visits"}
    project = make_project(kind="light", tables={"visits": {"source": source, "columns": columns}})
    with opened_table(project) as job:
        assert job.weaknesses
        assert opened[0].fetched < 200
        before = opened[0].fetched
        assert (
            list(job.undeclared()) == []
        )  # looks whether columns without a role are identifiers: at values, not at rows
        assert opened[0].fetched - before < 10


@ONE_OF_EACH
def test_all_tables_of_a_database_are_read_and_written_by_one_connection(clinic, opened):
    run_project(complete(clinic.address))
    assert len(opened) == 1


# Connections and secrets


@ONE_OF_EACH
def test_a_connection_is_named_and_no_secret_is_shown(clinic, tmp_path, monkeypatch):
    secret = "wrong-secret-7"
    tables = {
        "visits": {
            "source": {"connection": "clinic", "table": "visits"},
            "destination": {"connection": "clinic", "table": "safe", "record": str(tmp_path / "record.json")},
            "columns": {"patient": {"operation": "pseudonymize"}, "cost": "common"},
        }
    }
    project = make_project(kind="light", connections={"clinic": clinic.address}, tables=tables)
    record = json.dumps(run_project(project)["visits"].record)
    shown = record + (tmp_path / "record.json").read_text()
    assert clinic.query("SELECT COUNT(*) FROM safe") == [(VISITS,)]
    assert KEY not in shown
    if clinic.scheme in ("postgresql", "mariadb"):
        import os

        assert os.environ["CELOSIA_PASSWORD"] not in shown
        monkeypatch.setenv("CELOSIA_PASSWORD", secret)
        with pytest.raises(CelosiaError) as caught:
            run_project(project, overwrite=True)
        assert secret not in f"{caught.value} {caught.value.remedy}"


# All or nothing


def test_a_failure_in_the_second_table_leaves_nothing_of_the_first(clinic):
    clinic.run("INSERT INTO visits VALUES (1001, 2015, NULL, 0.5)")
    project = light(
        clinic.address, columns={"visits": {"ill": {"operation": {"name": "hash", "missing": "refuse"}}}}
    )
    with pytest.raises(TableError, match="column 'ill' misses 1 values"):
        run_project(project)
    assert nothing_is_left(clinic)


@pytest.mark.parametrize("before", [None, "an older record"])
def test_tables_that_cannot_last_leave_nothing_and_records_are_as_they_were(
    clinic, tmp_path, monkeypatch, before
):
    place = tmp_path / "records"
    place.mkdir()
    if before is not None:
        (place / "visits.record.json").write_text(before)

    def fail(*_: Any) -> None:
        raise ReleaseError("the disk is full")

    monkeypatch.setattr(NewTable, "_make_last", fail)
    with pytest.raises(ReleaseError, match="the disk is full"):
        run_project(light(clinic.address, records=place), overwrite=before is not None)
    assert nothing_is_left(clinic)
    left = {path.name: path.read_text() for path in place.iterdir()}
    assert left == ({} if before is None else {"visits.record.json": before})


def test_tables_that_exist_are_replaced_only_if_that_is_allowed_and_both_at_once(clinic, monkeypatch):
    clinic.run("CREATE TABLE visits_safe (old INTEGER)")
    with pytest.raises(ReleaseError, match=r"visits_safe exists already"):
        run_project(light(clinic.address))
    assert nothing_is_left(clinic, "visits_safe")
    clinic.run("CREATE TABLE people_safe (old INTEGER)")
    make_last = NewTable._make_last

    def fail(*_: Any) -> None:
        raise ReleaseError("the disk is full")

    monkeypatch.setattr(NewTable, "_make_last", fail)
    with pytest.raises(ReleaseError, match="the disk is full"):
        run_project(light(clinic.address), overwrite=True)
    assert list(natives(clinic.address, "people_safe")) == ["old"]
    monkeypatch.setattr(NewTable, "_make_last", make_last)
    run_project(light(clinic.address), overwrite=True)
    assert clinic.query("SELECT COUNT(*) FROM people_safe") == [(PEOPLE,)]
    assert clinic.query("SELECT COUNT(*) FROM visits_safe") == [(VISITS,)]
    assert nothing_is_left(clinic, "people_safe", "visits_safe")


def saved(project: Project, folder: Path) -> Path:
    path = folder / "project.yaml"
    path.write_text(yaml.safe_dump(project.model_dump(mode="json", exclude_unset=True)))
    return path


@pytest.mark.parametrize("point", ["masked", "record", "published", "committed"])
def test_a_run_that_is_killed_leaves_both_tables_or_neither(clinic, nursery, folders, point):
    place, temporary = folders
    arguments = ["run", saved(light(clinic.address, records=place), place)]
    settings = {"TMPDIR": str(temporary), "CELOSIA_KEY": KEY}
    status, shown = nursery.run(arguments, place, at=point, do="die", settings=settings)
    assert status == -signal.SIGKILL, shown
    wait_until_the_server_let_go(clinic)
    found = tables_in(clinic) - {"people", "visits"}
    assert found == ({"people_safe", "visits_safe"} if point == "committed" else set())
    if found:
        assert clinic.query("SELECT COUNT(*) FROM visits_safe") == [(VISITS,)]
        return
    status, shown = nursery.run(arguments, place, settings=settings)
    assert status == 0, shown
    assert nothing_is_left(clinic, "people_safe", "visits_safe")
    assert [path.name for path in temporary.iterdir() if path.name.startswith(".celosia")] == []


def test_a_run_that_is_interrupted_before_the_names_are_given_leaves_nothing(clinic, nursery, folders):
    place, temporary = folders
    arguments = ["run", saved(light(clinic.address, records=place), place)]
    settings = {"TMPDIR": str(temporary), "CELOSIA_KEY": KEY}
    run = nursery.start(arguments, place, at="record", do="stand", settings=settings)
    run.wait_until_it_stands()
    run.signal(signal.SIGINT)
    assert run.wait() == 130, run.shown
    assert nothing_is_left(clinic)
    assert [path.name for path in place.iterdir()] == ["project.yaml"]
    assert [path.name for path in temporary.iterdir() if path.name.startswith(".celosia")] == []


# Several tables, one file


@FILES
def test_one_file_has_one_connection_however_its_address_is_spelled(clinic, opened, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = Path(clinic.address.partition("///")[2]).name
    source = {"path": f"{clinic.scheme}:///./{name}", "table": "visits"}
    run_project(light(clinic.address, places={"visits.source": source}))
    assert len(opened) == 1
    assert nothing_is_left(clinic, "people_safe", "visits_safe")


@FILES
def test_two_tables_cannot_go_to_one_name_however_the_address_is_spelled(clinic, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = Path(clinic.address.partition("///")[2]).name
    project = light(
        clinic.address,
        places={"visits.destination": {"path": f"{clinic.scheme}:///{name}", "table": "people_safe"}},
    )
    with pytest.raises(ReleaseError, match=r"two tables of the project go to main\.people_safe"):
        run_project(project, overwrite=True)
    assert nothing_is_left(clinic)


@FILES
def test_one_table_may_leave_the_file_that_another_goes_back_to(clinic, tmp_path):
    """The first alone would only be read: then the file could not be opened again to be written."""
    run_project(light(clinic.address, places={"people.destination": str(tmp_path / "people.csv")}))
    assert clinic.query("SELECT COUNT(*) FROM visits_safe") == [(VISITS,)]
    assert open_table(tmp_path / "people.csv").count_by([]).rows == PEOPLE


@FILES
def test_two_tables_go_to_one_new_file(clinic, opened, tmp_path):
    out = f"{clinic.scheme}:///{tmp_path / 'safe.db'}"
    run_project(light(clinic.address, out))
    assert len(opened) == 2
    for name, rows in {"people_safe": PEOPLE, "visits_safe": VISITS}.items():
        table = open_table(out, table=name)
        assert table.count() == rows
        table.close()


@FILES
def test_a_new_file_is_gone_if_the_run_fails(clinic, tmp_path):
    project = light(
        clinic.address,
        f"{clinic.scheme}:///{tmp_path / 'safe.db'}",
        columns={"people": {"town": {"operation": {"name": "hash", "missing": "refuse"}}}},
    )
    with pytest.raises(TableError, match="column 'town' misses"):
        run_project(project)
    assert not (tmp_path / "safe.db").exists()


@ONE_OF_EACH
def test_a_table_that_cannot_be_opened_does_not_take_the_connection_of_the_others_along(clinic):
    source = {"path": clinic.address, "table": "visitz"}
    found = check_project(light(clinic.address, places={"visits.source": source}))
    assert [remark.what for remark in found if remark.kind == "mistake"] == ["there is no table 'visitz'"]
