"""Values that a database counts as one and a reader can tell apart: they leave in one form, or the proof fails."""

from collections import Counter
from typing import Any

import pytest

import celosia
from celosia.privacy import KAnonymity
from celosia.release.counting import InDatabase
from celosia.release.verify import Verification, verify
from celosia.tables.format import Options
from celosia.tables.sql.open import open_sql_table

ZEROS = "-0e0", "0e0"
# The type of a column, two ways to write one value of it, another value, and how the sharpest reader sees a value.
CASES = [
    ("postgresql", "numeric", "1.10", "1.1", "2", "x::text"),
    ("postgresql", "price", "1.10", "1.1", "2", "x::text"),
    ("postgresql", "bpchar", "'a '", "'a'", "'b'", "concat(x, '|')"),
    ("postgresql", "real", "'-0'::real", "'0'::real", "2", "x::text"),
    ("postgresql", "double precision", "'-0'::float8", "'0'::float8", "2", "x::text"),
    ("sqlite", "", "1", "'1'", "'2'", "typeof(x) || quote(x)"),
    ("sqlite", "", "1", "1.0", "2.5", "typeof(x) || quote(x)"),
    ("duckdb", "DOUBLE", *ZEROS, "2", "CAST(x AS VARCHAR)"),
    ("duckdb", "FLOAT", *ZEROS, "2", "CAST(x AS VARCHAR)"),
    # The server has one zero only, but character sets with two sequences of bytes for one character.
    ("mariadb", "VARCHAR(9) CHARACTER SET cp932", "_cp932 0x8790", "_cp932 0x81E0", "'b'", "HEX(x)"),
]


def cases_of(*schemes: str) -> Any:
    chosen = [case for case in CASES if case[0] in schemes]
    return pytest.mark.parametrize(
        ("database", "native", "one", "same", "other", "reader"),
        chosen,
        ids=[f"{scheme}-{native or 'untyped'}-{one}" for scheme, native, one, *_ in chosen],
        indirect=["database"],
    )


every_kind = cases_of("postgresql", "sqlite", "duckdb", "mariadb")


def fill(database: Any, native: str, values: list[str]) -> None:
    """A table of one quasi-identifier and a number."""
    if native == "price":
        database.run("CREATE DOMAIN price AS numeric CHECK (value > 1)")
    database.run(f"CREATE TABLE people (x {native}, n INTEGER)")
    for number, value in enumerate(values):
        database.run(f"INSERT INTO people VALUES ({value}, {number})")


def seen(database: Any, table: str, reader: str) -> Counter[Any]:
    """How often each value stands there for the sharpest reader."""
    return Counter(row[0] for row in database.query(f"SELECT {reader} FROM {table}"))


def release(database: Any, **options: Any) -> None:
    celosia.anonymize(
        database.address,
        table="people",
        quasi_identifiers=["x"],
        k=5,
        out_table="safe",
        **options,
    )


def proof(database: Any, table: str, k: int = 5) -> tuple[Verification, dict[int, int]]:
    """What a verification finds, and the sizes it saw."""
    found = open_sql_table(database.address, table, options=Options(missing=()))
    try:
        sizes, times = InDatabase(found, ("x",)).sizes()
        result = verify(found, quasi_identifiers=["x"], models=[KAnonymity(k=k)])
    finally:
        found.close()
    return result, dict(zip(sizes.tolist(), times.tolist(), strict=True))


@every_kind
def test_a_value_that_is_kept_leaves_as_it_was_counted(database, native, one, same, other, reader):
    fill(database, native, [one] * 3 + [same] * 2 + [other] * 5)
    release(database)
    assert sorted(seen(database, "safe", reader).values()) == [5, 5]
    result, sizes = proof(database, "safe")
    assert result.passed
    assert sizes == {5: 2}


@every_kind
def test_and_where_missing_values_are_filled_in(database, native, one, same, other, reader):
    """The most frequent value, in whichever form, stands for what is missing."""
    fill(database, native, [one] * 3 + [same] * 3 + ["NULL"] * 2 + [other] * 5)
    release(database, missing="mode")
    assert sorted(seen(database, "safe", reader).values()) == [5, 8]


@every_kind
def test_and_where_missing_values_stay(database, native, one, same, other, reader):
    fill(database, native, [one] * 3 + [same] * 2 + ["NULL"] * 5 + [other] * 5)
    release(database)
    assert sorted(seen(database, "safe", reader).values()) == [5, 5, 5]


@every_kind
def test_a_column_that_is_kept_keeps_its_type(database, native, one, same, other, reader):
    fill(database, native, [one] * 3 + [same] * 2 + [other] * 5)
    before = type_of(database, "people")
    release(database)
    assert type_of(database, "safe") == before


def type_of(database: Any, name: str) -> str:
    found = open_sql_table(database.address, name)
    try:
        return found.field("x").native
    finally:
        found.close()


@every_kind
def test_a_proof_sees_what_the_sharpest_reader_sees(database, native, one, same, other, reader):
    fill(database, native, [one] * 3 + [same] * 2 + [other] * 5)
    assert sorted(seen(database, "people", reader).values()) == [2, 3, 5]
    result, sizes = proof(database, "people")
    assert sizes == {2: 1, 3: 1, 5: 1}
    assert not result.passed
    assert result.smallest == 2


@every_kind
def test_a_proof_fails_where_classes_fall_apart_however_large(database, native, one, same, other, reader):
    """Models of sensitive values look at classes by value: they say nothing of those that a reader sees."""
    fill(database, native, [one] * 3 + [same] * 2 + [other] * 5)
    result, _ = proof(database, "people", k=2)
    assert [finding.text for finding in result.findings if not finding.passed] == [
        "'x' holds one value in several forms, and readers tell them apart"
    ]


@pytest.mark.parametrize(
    ("database", "native", "values"),
    [
        ("postgresql", "text", ["'a'", "'a '", "'A'"]),
        ("postgresql", "character(3)", ["'a'", "'ab'", "'A'"]),
        ("postgresql", "numeric(6, 2)", ["1.1", "1.11", "-1.1"]),
        ("sqlite", "TEXT", ["'a'", "'a '", "'A'"]),
        ("sqlite", "INTEGER", ["1", "2", "-1"]),
        ("duckdb", "DECIMAL(6, 2)", ["1.1", "1.11", "-1.1"]),
        ("mariadb", "VARCHAR(9) CHARACTER SET cp932", ["'a'", "'a '", "'A'"]),
        ("mariadb", "DOUBLE", ["1.1", "1.11", "-1.1"]),
    ],
    indirect=["database"],
)
def test_values_that_are_several_are_no_spellings_of_one(database, native, values):
    fill(database, native, [value for value in values for _ in range(5)])
    before = seen(database, "people", "x")
    release(database)
    assert seen(database, "safe", "x") == before
    assert proof(database, "safe")[0].passed
    assert proof(database, "people")[0].passed
