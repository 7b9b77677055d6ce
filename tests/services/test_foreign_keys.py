"""Foreign keys are found where a database declares them, and propose attributes that tables share."""

import pytest

from celosia.errors import TableError
from celosia.profile.repeated import propose_repeated
from celosia.tables import close_table, open_table
from celosia.tables.sql.keys import foreign_keys

PEOPLE = "CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER)"
TOWNS = "CREATE TABLE towns (country VARCHAR(2), code INTEGER, PRIMARY KEY (country, code))"
VISITS = (
    "CREATE TABLE visits (nr INTEGER PRIMARY KEY, who INTEGER, land VARCHAR(2), town INTEGER, "
    "FOREIGN KEY (who) REFERENCES people (id), "
    "FOREIGN KEY (land, town) REFERENCES towns (country, code))"
)


@pytest.fixture
def clinic(database):
    for statement in (PEOPLE, TOWNS, VISITS):
        database.run(statement)
    return database


def test_foreign_keys_are_found_column_by_column(clinic):
    assert sorted(foreign_keys(clinic.address, ["people", "visits", "towns"])) == [
        ("visits.land", "towns.country"),
        ("visits.town", "towns.code"),
        ("visits.who", "people.id"),
    ]


def test_keys_of_tables_that_were_not_named_are_left_out(clinic):
    assert foreign_keys(clinic.address, ["visits", "people"]) == [("visits.who", "people.id")]
    assert foreign_keys(clinic.address, ["people", "towns"]) == []


def test_a_table_may_refer_to_itself(database):
    database.run("CREATE TABLE staff (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES staff (id))")
    if database.scheme == "mariadb":  # older servers pass over a reference that stands beside its column
        database.run("ALTER TABLE staff ADD FOREIGN KEY (boss) REFERENCES staff (id)")
    assert foreign_keys(database.address, ["staff"]) == [("staff.boss", "staff.id")]


def test_a_table_is_called_as_it_was_named(clinic):
    schema = {"postgresql": "public", "sqlite": "main", "duckdb": "main"}.get(
        clinic.scheme, clinic.address.rpartition("/")[2]
    )
    found = foreign_keys(clinic.address, [f"{schema}.visits", "people"])
    assert found == [(f"{schema}.visits.who", "people.id")]


def test_names_with_points_quotes_and_marks_are_no_trouble(database):
    mark = "`" if database.scheme == "mariadb" else '"'
    parent, child, key = (f"{mark}{name}{mark}" for name in ("the people", "100% of visits", "person's id"))
    database.run(f"CREATE TABLE {parent} (id INTEGER PRIMARY KEY)")
    database.run(f"CREATE TABLE {child} ({key} INTEGER, FOREIGN KEY ({key}) REFERENCES {parent} (id))")
    found = foreign_keys(database.address, ["the people", "100% of visits"])
    assert found == [("100% of visits.person's id", "the people.id")]


def test_a_table_that_does_not_exist_is_named(clinic):
    with pytest.raises(TableError, match="there is no table 'visit'"):
        foreign_keys(clinic.address, ["people", "visit"])


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_key_that_names_no_column_refers_to_the_primary_key_whatever_letters_it_is_written_in(database):
    database.run('CREATE TABLE People ("Id" INTEGER PRIMARY KEY)')
    database.run("CREATE TABLE towns (country TEXT, code INTEGER, PRIMARY KEY (country, code))")
    database.run(
        "CREATE TABLE visits (who INTEGER REFERENCES PEOPLE, land TEXT, town INTEGER, "
        "FOREIGN KEY (land, town) REFERENCES towns)"
    )
    assert foreign_keys(database.address, ["People", "visits", "towns"]) == [
        ("visits.who", "People.Id"),
        ("visits.land", "towns.country"),
        ("visits.town", "towns.code"),
    ]


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_keys_between_schemas_are_found(database):
    database.run("CREATE SCHEMA clinic")
    database.run("CREATE TABLE people (id INTEGER PRIMARY KEY)")
    database.run("CREATE TABLE clinic.people (id INTEGER PRIMARY KEY REFERENCES public.people (id))")
    assert foreign_keys(database.address, ["people", "clinic.people"]) == [("clinic.people.id", "people.id")]


def test_declared_keys_propose_what_values_and_names_would_not(clinic):
    clinic.run("INSERT INTO people VALUES (1, 30), (2, 40), (3, 50)")
    clinic.run("INSERT INTO visits (nr, who) VALUES (101, 1), (102, 1), (103, 3)")
    keys = foreign_keys(clinic.address, ["people", "visits"])
    tables = {name: open_table(clinic.address, table=name) for name in ("people", "visits")}
    try:
        assert propose_repeated(tables) == []
        [found] = propose_repeated(tables, declared=keys)
    finally:
        for table in tables.values():
            close_table(table)
    assert found.places == ("people.id", "visits.who")
    assert found.reason == (
        "visits.who is declared to refer to people.id, and 100 % of the values of visits.who are in people.id"
    )
