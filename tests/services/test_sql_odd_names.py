"""Tables, schemas and columns may be called anything that their database allows."""

from typing import Any

import polars as pl
import pytest

import celosia
from celosia.tables import Recoding, open_table
from celosia.tables.sql.open import list_tables, new_table, open_sql_table

NAMES = [
    "select",
    'a"b',
    "a'b",
    "a`b",
    "años",
    "with  spaces",
    "per%cent",
    "per%%cent",
    "%s",
    ":colon",
    "semi;colon",
    "dot.dot",
    "back\\slash",
    "Mixed",
    "MIXED",
    "👩‍👩‍👧",
    "r",
    "c0",
    "rows",
    "value",
    "*",
    "x" * 63,
    "ñ" * 31,
]


def allowed(scheme: str) -> list[str]:
    """Only PostgreSQL tells columns apart by case, and MariaDB has no names with characters beyond 16 bits."""
    left_out = set() if scheme == "postgresql" else {"MIXED"}
    if scheme == "mariadb":
        left_out |= {name for name in NAMES if max(name) > "\uffff"}
    return [name for name in NAMES if name not in left_out]


def quoted(name: str, scheme: str) -> str:
    mark = "`" if scheme == "mariadb" else '"'
    return mark + name.replace(mark, 2 * mark) + mark


def as_given(name: str) -> str:
    """As a person writes the name of a table."""
    return '"' + name.replace('"', '""') + '"'


def fill(database: Any, table: str, names: list[str]) -> None:
    fields = ", ".join(f"{quoted(name, database.scheme)} VARCHAR(20)" for name in names)
    rows = ", ".join(f"({', '.join(repr(f'{i % 2} {j}') for j in range(len(names)))})" for i in range(12))
    database.run(f"CREATE TABLE {table} ({fields})")
    database.run(f"INSERT INTO {table} VALUES {rows}")


def read(table: Any) -> pl.DataFrame:
    return pl.concat(list(table.scan()))


def test_columns_may_be_called_anything(database):
    names = allowed(database.scheme)
    fill(database, "t", names)
    table = open_sql_table(database.address, "t", writes=True)
    assert table.columns() == tuple(names)
    assert len(table.count_by(names)) == 2
    labels = {name: {f"0 {i}": "zero", f"1 {i}": f"one {name}"} for i, name in enumerate(names)}
    suppressed = pl.DataFrame({name: ["zero"] for name in names})
    target = new_table(None, "safe", source=table)
    recoding = Recoding(unified=tuple(names), maps=labels, suppressed=suppressed)
    assert table.write(recoding, target).suppressed == 6
    safe = read(target.open())
    assert safe.columns == names
    assert set(safe.rows()) == {tuple(f"one {name}" for name in names)}
    target.publish()
    table.close()


@pytest.mark.parametrize("start", range(4))
def test_a_table_of_any_name_is_anonymized_into_one_of_any_name(database, start, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    there: set[str] = set()
    for name in allowed(database.scheme)[start::4]:
        there |= anonymized(database, name)
        assert {found.name for found in list_tables(database.address)} == there


def anonymized(database: Any, name: str) -> set[str]:
    fill(database, quoted(name, database.scheme), [name, "other"])
    made = name[:-1] + "2" if len(name) > 40 else f"{name}2"
    release = celosia.anonymize(
        database.address,
        table=as_given(name),
        out_table=as_given(made),
        k=2,
        quasi_identifiers=[name],
        common=["other"],
        where=f"{quoted(name, database.scheme)} <> 'nothing'",
    )
    assert release.written.written == 12
    safe = open_table(database.address, table=as_given(made))
    assert safe.columns() == (name, "other")
    assert safe.count() == 12
    safe.close()
    return {name, made}


@pytest.mark.parametrize("database", ["postgresql", "duckdb"], indirect=True)
def test_a_schema_may_be_called_anything(database):
    there: list[tuple[str, str]] = []
    for name in ("select", 'a"b', "a.b", "per%cent", "años y más", "👩"):
        copied_in_schema(database, name)
        there += [(name, name), (name, "safe")]
        assert sorted((found.schema, found.name) for found in list_tables(database.address)) == sorted(there)


def copied_in_schema(database: Any, name: str) -> None:
    database.run(f"CREATE SCHEMA {quoted(name, database.scheme)}")
    fill(database, f"{quoted(name, database.scheme)}.{quoted(name, database.scheme)}", ["a", "b"])
    place = f"{as_given(name)}.{as_given(name)}"
    table = open_sql_table(database.address, place, writes=True)
    assert len(table.count_by(["a", "b"])) == 2
    target = new_table(None, f'{as_given(name)}."safe"', source=table)
    table.write(Recoding(), target)
    target.publish()
    table.close()


@pytest.mark.parametrize("database", ["postgresql", "mariadb"], indirect=True)
def test_tables_whose_names_differ_by_case_are_two(database):
    fill(database, quoted("people", database.scheme), ["a"])
    fill(database, quoted("People", database.scheme), ["b"])
    for name, column in {"people": "a", "People": "b"}.items():
        table = open_sql_table(database.address, name)
        assert table.columns() == (column,)
        table.close()
