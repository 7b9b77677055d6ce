"""Every type of every kind of database: counted, recoded and streamed as the same values of a frame are."""

import datetime as dt
from collections import Counter
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from celosia.errors import TableError
from celosia.tables import Recoding, open_table
from celosia.tables.sql.open import new_table, open_sql_table
from celosia.tables.writing import write_rows
from celosia.types import ColumnType

WIDE = [-(2**63), 2**63 - 1, 2**53 + 1, 2**53, 0]
REALS = [1e-7, -0.0, 0.0, 1e300, 0.1, 1 / 3, -1.5, 1e16, 123456789.125]
TEXTS = [
    "",
    "?",
    "NA",
    " ",
    "x",
    "x ",
    " x",
    "X",
    "it's",
    '"quoted"',
    "back\\slash",
    "\\.",
    "\\N",
    "100%",
    "%s %(x)s",
    ":colon",
    "::int",
    "a,b;c\td",
    "two\nlines",
    "two\r\nlines",
    "José",
    "jose",
    "Jose\u0301",
    "👩‍👩‍👧",
    "مرحبا",
    "NULL",
    "; DROP TABLE t; --",
    "long " * 600 + "end",
    "long " * 600 + "End",
]
DAYS = [dt.date(1999, 12, 31), dt.date(2000, 2, 29), dt.date(1, 1, 1), dt.date(9999, 12, 31)]
TIMES = [
    dt.datetime(2024, 5, 1, 10, 30),
    dt.datetime(2024, 5, 1, 10, 30, 0, 1),
    dt.datetime(2024, 5, 1, 10, 30, 0, 500_000),
    dt.datetime(1980, 10, 25, 1, 30, 59),
]
ZONED = [time.replace(tzinfo=dt.UTC) for time in TIMES]
NUMBERS = [Decimal("1.50"), Decimal("-0.01"), Decimal("12345678.90"), Decimal("0.00")]


@dataclass(frozen=True)
class Case:
    """A type of a database, values, and what a frame would hold; ``sql`` are the values where they are not as usual."""

    native: str
    values: list[Any]
    dtype: pl.DataType
    sql: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.native


UUIDS = ["00000000-0000-0000-0000-000000000001", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"]
SHORT = ["ab", "abc", "Ab"]
CASES: dict[str, list[Case]] = {
    "postgresql": [
        Case("smallint", [-32768, 32767, 7], pl.Int64()),
        Case("integer", [-(2**31), 2**31 - 1, 7], pl.Int64()),
        Case("bigint", WIDE, pl.Int64()),
        Case("real", [0.1, 16777217.0, 1e-7], pl.Float32()),
        Case("double precision", REALS, pl.Float64()),
        Case(
            "double precision",
            [float("nan"), float("inf"), float("-inf"), 1.0],
            pl.Float64(),
            ("'NaN'", "'inf'", "'-inf'", "1"),
        ),
        Case("numeric(10, 2)", NUMBERS, pl.Decimal(38, 2)),
        Case("numeric(40, 2)", ["1.5", "-0.01", "0"], pl.String(), ("1.50", "-0.01", "0.00")),
        Case("numeric", ["1.5", "100", "0.0000001"], pl.String(), ("1.500", "100", "0.0000001")),
        Case("boolean", [True, False], pl.Boolean()),
        Case("date", DAYS, pl.Date()),
        Case("timestamp", TIMES, pl.Datetime("us")),
        Case("timestamp(0)", [TIMES[0], TIMES[3]], pl.Datetime("us")),
        Case("timestamptz", ZONED, pl.Datetime("us", "UTC")),
        Case("text", TEXTS, pl.String()),
        Case("varchar(4000)", TEXTS, pl.String()),
        Case("char(5)", SHORT, pl.String()),
        Case("uuid", UUIDS, pl.String()),
        Case("inet", ["10.0.0.1/32", "10.0.0.0/8"], pl.String()),
        Case("time", ["10:30:00", "10:30:00.5"], pl.String()),
        Case("mood", ["sad", "ok %"], pl.String()),
        Case("age", [1, 99], pl.Int64()),
        Case(
            "text COLLATE loose",
            SHORT,
            pl.String(),
        ),
        Case("citext", SHORT, pl.String()),
    ],
    "mariadb": [
        Case("tinyint", [-128, 127], pl.Int64()),
        Case("smallint unsigned", [0, 65535], pl.Int64()),
        Case("mediumint", [-(2**23), 2**23 - 1], pl.Int64()),
        Case("int unsigned", [0, 2**32 - 1], pl.Int64()),
        Case("bigint", WIDE, pl.Int64()),
        Case("bigint unsigned", [0, 2**64 - 1, 2**63], pl.UInt64()),
        Case("boolean", [1, 0], pl.Int64()),  # an integer there, and it may be 2
        Case("year", [1999, 2024], pl.Int64()),
        Case("float", [0.1, 16777217.0, 1e-7], pl.Float32()),
        Case("double", REALS, pl.Float64()),
        Case("decimal(10, 2)", NUMBERS, pl.Decimal(38, 2)),
        Case("decimal(50, 2)", ["1.5", "-0.01", "0", "100"], pl.String(), ("1.50", "-0.01", "0.00", "100")),
        Case("date", DAYS[:2], pl.Date()),
        Case("datetime(6)", TIMES, pl.Datetime("us")),
        Case("datetime", [TIMES[0], TIMES[3]], pl.Datetime("us")),
        Case("timestamp(6) NULL", TIMES, pl.Datetime("us")),
        Case("longtext", TEXTS, pl.String()),
        Case("varchar(4000)", TEXTS, pl.String()),
        Case("varchar(4000) COLLATE utf8mb4_unicode_ci", TEXTS, pl.String()),
        Case("varchar(40) CHARACTER SET latin1", ["José", "jose", "jose "], pl.String()),
        Case("char(5)", SHORT, pl.String()),
        Case("enum('ok %', 'sad', 'never')", ["ok %", "sad"], pl.String()),
        Case("set('a', 'b')", ["a", "a,b", ""], pl.String()),
        Case("uuid", UUIDS, pl.String()),
        Case("inet6", ["::1", "fe80::1"], pl.String()),
        Case("time", ["10:30:00", "-01:00:00"], pl.String()),
    ],
    "sqlite": [
        Case("INTEGER", WIDE, pl.Int64()),
        Case("REAL", REALS, pl.Float64()),
        Case("REAL", [float("inf"), float("-inf"), 2.0], pl.Float64(), ("9e999", "-9e999", "2")),
        Case("NUMERIC", [1.5, 2.0, 2.0**53], pl.Float64(), ("1.5", "2", "9007199254740992")),
        Case("BOOLEAN", [True, False], pl.Boolean()),
        Case("TEXT", TEXTS, pl.String()),
        Case("VARCHAR(5)", TEXTS, pl.String()),
        Case("TEXT COLLATE NOCASE", TEXTS, pl.String()),
        Case("TEXT COLLATE RTRIM", TEXTS, pl.String()),
        Case("", ["a", "1", "1.5"], pl.String(), ("'a'", "1", "1.5")),
        Case("INTEGER", ["a", "1"], pl.String(), ("'a'", "1")),
    ],
    "duckdb": [
        Case("TINYINT", [-128, 127], pl.Int64()),
        Case("UINTEGER", [0, 2**32 - 1], pl.Int64()),
        Case("BIGINT", WIDE, pl.Int64()),
        Case("UBIGINT", [0, 2**64 - 1, 2**63], pl.UInt64()),
        Case("FLOAT", [0.1, 16777217.0, 1e-7], pl.Float32()),
        Case("DOUBLE", REALS, pl.Float64()),
        Case(
            "DOUBLE",
            [float("nan"), float("inf"), float("-inf"), 1.0],
            pl.Float64(),
            ("'NaN'", "'inf'", "'-inf'", "1"),
        ),
        Case("DECIMAL(10, 2)", NUMBERS, pl.Decimal(38, 2)),
        Case("BOOLEAN", [True, False], pl.Boolean()),
        Case("DATE", DAYS, pl.Date()),
        Case("TIMESTAMP", TIMES, pl.Datetime("us")),
        Case("TIMESTAMPTZ", ZONED, pl.Datetime("us", "UTC")),
        Case("VARCHAR", TEXTS, pl.String()),
        Case("VARCHAR COLLATE NOCASE", TEXTS, pl.String()),
        Case("ENUM('ok %', 'sad', 'never')", ["ok %", "sad"], pl.String()),
        Case("UUID", UUIDS, pl.String()),
    ],
}
# Decimals of any length arrive as texts.
DECIMALS = ("numeric", "numeric(40, 2)", "decimal(50, 2)")
BEFORE = {
    "postgresql": "CREATE TYPE mood AS ENUM ('ok %', 'sad', 'never'); "
    "CREATE DOMAIN age AS smallint CHECK (value BETWEEN 0 AND 120); "
    "CREATE COLLATION loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)"
}
ROWS = len(TEXTS) + 2


def written(value: Any, scheme: str) -> str:
    """A value as SQL."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str | dt.date):
        text = str(value).replace("'", "''")
        return "'" + (text.replace("\\", "\\\\") if scheme == "mariadb" else text) + "'"
    if isinstance(value, float):
        return f"CAST({value!r} AS DOUBLE)" if scheme == "duckdb" else repr(value)
    return str(value)


def column(values: list[Any]) -> list[Any]:
    """Values over and over, and a missing one at the end: as many as there are rows."""
    return [values[i % len(values)] for i in range(ROWS - 1)] + [None]


@pytest.fixture
def cases(database: Any) -> list[Case]:
    """The types of the database, each of them a column of table t."""
    known = CASES[database.scheme]
    if database.scheme in BEFORE:
        database.run(BEFORE[database.scheme])
        has_citext = database.query("SELECT 1 FROM pg_available_extensions WHERE name = 'citext'")
        known = [case for case in known if case.native != "citext" or has_citext]
        database.run("CREATE EXTENSION citext" if has_citext else "SELECT 1")
    fields = ", ".join(f"c{i} {case.native}" for i, case in enumerate(known))
    database.run(f"CREATE TABLE t (i INTEGER, {fields})")
    literals = [case.sql or tuple(written(value, database.scheme) for value in case.values) for case in known]
    columns = [["NULL" if text is None else text for text in column(list(texts))] for texts in literals]
    rows = [", ".join([str(i), *row]) for i, row in enumerate(zip(*columns, strict=True))]
    database.run(f"INSERT INTO t VALUES {', '.join(f'({row})' for row in rows)}")
    return known


def in_memory(cases: list[Case]) -> Any:
    columns = [pl.Series(f"c{i}", column(case.values), dtype=case.dtype) for i, case in enumerate(cases)]
    return open_table(pl.DataFrame([pl.int_range(ROWS, eager=True).alias("i"), *columns]))


def counted(table: Any, cases: list[Case]) -> dict[str, tuple[Any, ...]]:
    found = {}
    for i, case in enumerate(cases):
        counts = table.count_by([f"c{i}"])
        found[f"c{i} {case.native}"] = (
            table.schema()[f"c{i}"].type,
            counts.values[0].to_list(),
            counts.texts[0].to_list(),
            counts.codes[0].tolist(),
            counts.counts.tolist(),
        )
    return found


def by_text(table: Any, cases: list[Case]) -> dict[str, dict[str | None, int]]:
    """For every column, how many rows have the values of each text."""
    counted = {f"c{i} {case.native}": table.count_by([f"c{i}"]) for i, case in enumerate(cases)}
    return {
        name: dict(zip(counts.texts[0].to_list(), counts.rows_of(0).tolist(), strict=True))
        for name, counts in counted.items()
    }


def as_decimals(counts: dict[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """Decimals of any length are texts in a frame."""
    return {
        name: (ColumnType.DECIMAL, *found[1:]) if name.partition(" ")[2] in DECIMALS else found
        for name, found in counts.items()
    }


def read(table: Any) -> pl.DataFrame:
    return pl.concat(list(table.scan()))


def as_rows(frame: pl.DataFrame) -> Counter[tuple[Any, ...]]:
    return Counter(frame.select(pl.all().cast(pl.String)).rows())


def test_values_are_counted_as_in_a_frame(database, cases):
    table = open_sql_table(database.address, "t")
    assert counted(table, cases) == as_decimals(counted(in_memory(cases), cases))
    table.close()


def test_values_are_recoded_as_in_a_frame(database, cases):
    frame = in_memory(cases)
    names = [f"c{i}" for i in range(len(cases))]
    maps = {
        name: {
            value: None if value is None else f"label {place}"
            for place, value in enumerate(frame.count_by([name]).values[0].to_list())
        }
        for name in names
    }
    gone = {
        name: tuple(value for value, label in labels.items() if label == "label 1")
        for name, labels in maps.items()
    }
    table = open_sql_table(database.address, "t", writes=True)
    alone = [Recoding(excluded={name: gone[name]}, maps={name: maps[name]}) for name in names]
    for i, recoding in enumerate([Recoding(maps=maps), *alone]):
        recoding = replace(recoding, dropped=tuple({*names} - {*recoding.maps}))  # noqa: PLW2901 - the same, smaller
        target = new_table(None, f"safe{i}", source=table)
        done = table.write(recoding, target)
        expected, planned = frame.recode(recoding)
        assert (recoding.excluded, done) == (recoding.excluded, planned)
        assert as_rows(read(target.open())) == as_rows(expected)
        target.publish()
    table.close()


def test_values_that_stay_are_the_same_whether_pushed_down_or_streamed(database, cases):
    table = open_sql_table(database.address, "t", writes=True)
    for name, write in {"pushed": type(table).write, "streamed": write_rows}.items():
        target = new_table(None, name, source=table)
        write(table, Recoding(), target)
        again = target.open(missing=table.options.missing)
        assert again.native_types() == table.native_types()
        assert_frame_equal(read(again).sort("i"), read(table).sort("i"))
        assert counted(again, cases) == counted(table, cases)
        target.publish()
    table.close()


def test_values_can_be_filled_in_and_columns_keep_their_types(database, cases):
    table = open_sql_table(database.address, "t", writes=True)
    filled = {}
    for i in range(len(cases)):
        known = table.count_by([f"c{i}"]).values[0].drop_nulls().to_list()
        filled[f"c{i}"] = known[-1]
    target = new_table(None, "safe", source=table)
    table.write(Recoding(filled=filled), target)
    expected, _ = in_memory(cases).recode(Recoding(filled=filled))
    made = target.open()
    # In memory a column that is filled in is one of texts.
    assert by_text(made, cases) == by_text(open_table(expected), cases)
    kept, before = counted(made, cases), counted(table, cases)
    assert [found[0] for found in kept.values()] == [found[0] for found in before.values()]
    for name, found in kept.items():
        assert found[1] == [value for value in before[name][1] if value is not None]
    target.withdraw()
    table.close()


DATES = {"DATE": ["2024-05-01", "1999-12-31"], "DATETIME": ["2024-05-01 10:30:00", "2024-05-01T10:30:00.5"]}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("native", DATES)
def test_dates_of_sqlite_are_texts_that_stay_as_they_are(database, native):
    first, second = DATES[native]
    database.run(f"CREATE TABLE t (i INTEGER, c {native})")
    database.run(f"INSERT INTO t VALUES (1, '{first}'), (2, '{second}'), (3, NULL)")
    table = open_sql_table(database.address, "t")
    assert str(table.schema()["c"].type) == native.lower()
    assert table.count_by(["c"]).values[0].to_list() == [*sorted(DATES[native]), None]
    table.close()
    database.run("INSERT INTO t VALUES (9, '2023-02-30')")
    table = open_sql_table(database.address, "t")
    assert table.schema()["c"].type is ColumnType.TEXT
    table.close()


EMPTY = {"INTEGER": ColumnType.INTEGER, "DATE": ColumnType.DATE, "VARCHAR(9)": ColumnType.TEXT}


def test_an_empty_column_is_what_it_was_declared_as(database):
    database.run(f"CREATE TABLE t ({', '.join(f'c{i} {native}' for i, native in enumerate(EMPTY))})")
    table = open_sql_table(database.address, "t")
    assert [column.type for column in table.schema()] == list(EMPTY.values())
    table.close()


ODD = {
    "postgresql": [
        ("json", "'{\"a\": [1,  2]}'"),
        ("jsonb", "'{}'"),
        ("integer[]", "'{1,NULL,3}'"),
        ("text[]", "ARRAY['a,b', 'c\"d', 'NULL']"),
        ("bytea", "'\\x00ff27'"),
        ("point", "'(1.5,2)'"),
        ("int4range", "'[1,5)'"),
        ("bit(4)", "B'1010'"),
        ("xml", "'<a>&amp;</a>'"),
    ],
    "mariadb": [
        ("blob", "X'00FF27'"),
        ("varbinary(9)", "X'00FF27'"),
        ("bit(12)", "b'101000000001'"),
        ("point", "ST_GeomFromText('POINT(0.1 2)', 4326)"),
        ("polygon", "ST_GeomFromText('POLYGON((0 0, 1 0, 1 1, 0 0))')"),
    ],
    "sqlite": [("BLOB", "X'00FF27'"), ("TEXT", "X'00FF27'")],
    "duckdb": [
        ("BLOB", "'\\x00\\xFF\\x27'::BLOB"),
        ("INTEGER[]", "[1, NULL, 3]"),
        ("VARCHAR[]", "['a,b', 'c\"d']"),
        ("STRUCT(a INTEGER, b VARCHAR)", "{'a': 1, 'b': 'x'}"),
        ("MAP(VARCHAR, INTEGER)", "MAP {'k': 1}"),
        ("JSON", "'{\"a\": [1,  2]}'"),
        ("HUGEINT", "170141183460469231731687303715884105727"),
        ("TIME", "'10:30:00.5'"),
        ("INTERVAL", "INTERVAL '1 month 2 days'"),
    ],
}
odd_types = pytest.mark.parametrize(
    ("database", "native", "literal"),
    [(scheme, *case) for scheme, cases in ODD.items() for case in cases],
    indirect=["database"],
)


def fill_odd(database: Any, native: str, literal: str) -> None:
    database.run(f"CREATE TABLE t (i INTEGER, c {native})")
    database.run(f"INSERT INTO t VALUES (1, {literal}), (2, NULL), (3, {literal})")


@odd_types
def test_what_is_not_plain_passes_through_and_is_a_text_in_a_file(database, native, literal, tmp_path):
    fill_odd(database, native, literal)
    table = open_sql_table(database.address, "t", writes=True)
    assert table.schema()["c"].type is ColumnType.OTHER
    for name, write in {"pushed": type(table).write, "streamed": write_rows}.items():
        target = new_table(None, name, source=table)
        write(table, Recoding(), target)
        target.publish()
    table.write(Recoding(), tmp_path / "safe.csv")
    table.close()
    shown = {"postgresql": "pg_typeof(c)", "sqlite": "typeof(c)", "duckdb": "typeof(c)"}.get(
        database.scheme, "c"
    )
    before, *after = (
        (
            database.query(f"SELECT * FROM {name} ORDER BY i"),
            database.query(f"SELECT {shown} FROM {name} WHERE i = 1"),
        )
        for name in ("t", "pushed", "streamed")
    )
    assert after == [before, before]
    values = read(open_table(tmp_path / "safe.csv")).sort("i").get_column("c").to_list()
    assert values[0] == values[2] != ""
    assert values[1] in (None, "")


@odd_types
def test_what_is_not_plain_cannot_be_generalized(database, native, literal):
    fill_odd(database, native, literal)
    table = open_sql_table(database.address, "t", writes=True)
    target = new_table(None, "safe", source=table)
    with pytest.raises(TableError, match=r"column 'c' holds values of type .* which cannot be generalized"):
        table.count_by(["c"])
    with pytest.raises(TableError, match="cannot be generalized"):
        table.write(Recoding(maps={"c": {"x": "y"}}), target)
    target.withdraw()
    table.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("is_streamed", [False, True])
def test_a_column_of_sqlite_may_hold_values_of_every_class(database, is_streamed):
    database.run("CREATE TABLE t (i INTEGER, c)")
    database.run(
        "INSERT INTO t VALUES (1, X'00FF'), (2, 'it''s'), (3, 4), (4, 0.5), (5, NULL), (6, 'X''00''')"
    )
    table = open_sql_table(database.address, "t", writes=True)
    target = new_table(None, "safe", source=table)
    (write_rows if is_streamed else type(table).write)(table, Recoding(), target)
    target.publish()
    table.close()
    asked = "SELECT i, c, typeof(c) FROM {} ORDER BY i"
    assert database.query(asked.format("safe")) == database.query(asked.format("t"))


@pytest.mark.parametrize(
    ("database", "native", "literal"),
    [
        ("postgresql", "date", "'infinity'"),
        ("postgresql", "timestamp", "'-infinity'"),
        ("postgresql", "date", "'0044-03-15 BC'"),
        ("mariadb", "date", "'0000-00-00'"),
    ],
    indirect=["database"],
)
def test_a_value_that_has_no_counterpart_is_named_by_its_column(database, native, literal):
    database.run(f"CREATE TABLE t (c {native})")
    database.run(f"INSERT INTO t VALUES ({literal})")
    table = open_sql_table(database.address, "t")
    with pytest.raises(TableError, match=r"column 'c0?' holds values that cannot be read as"):
        table.count_by(["c"])
    table.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_row_of_many_megabytes_is_read(database):
    database.run("CREATE TABLE t (i INTEGER, c TEXT)")
    database.run("INSERT INTO t SELECT i, repeat('\"x\n', 1000000) || i FROM generate_series(1, 3) s(i)")
    table = open_sql_table(database.address, "t")
    assert [len(value) for value in read(table).get_column("c")] == [3_000_001] * 3
    table.close()


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_type_that_the_other_database_lacks_becomes_text(database, postgresql, tmp_path):
    database.run("CREATE TYPE mood AS ENUM ('well', 'ill')")
    database.run("CREATE TABLE people AS SELECT 'ill'::mood AS how, 31 AS age FROM generate_series(1, 3)")
    other = postgresql.new_database()
    table = open_sql_table(database.address, "people")
    target = new_table(other, "people")
    table.write(Recoding(), target)
    target.publish()
    assert target.database.ask("SELECT DISTINCT how, age FROM people") == [("ill", 31)]
    target.database.close()
    table.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_truth_values_of_sqlite_are_0_and_1_and_nothing_else(database):
    database.run("CREATE TABLE t (a BOOLEAN, b BOOLEAN)")
    database.run("INSERT INTO t VALUES (0, 0), (1, 1), (NULL, 2)")
    table = open_sql_table(database.address, "t")
    assert [column.type for column in table.schema()] == [ColumnType.BOOLEAN, ColumnType.INTEGER]
    assert table.count_by(["b"]).values[0].to_list() == [0, 1, 2]
    table.close()


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("is_streamed", [False, True])
def test_whole_numbers_of_sqlite_that_no_real_number_is_are_never_taken_for_one(database, is_streamed):
    database.run("CREATE TABLE t (i INTEGER, c NUMERIC)")
    database.run(f"INSERT INTO t VALUES (1, {2**53}), (2, {2**53 + 1}), (3, 0.5), (4, 0.1 + 0.2)")
    table = open_sql_table(database.address, "t", writes=True)
    with pytest.raises(TableError, match="cannot be generalized"):
        table.count_by(["c"])
    target = new_table(None, "safe", source=table)
    (write_rows if is_streamed else type(table).write)(table, Recoding(), target)
    target.publish()
    table.close()
    asked = "SELECT i, c, typeof(c) FROM {} ORDER BY i"
    assert database.query(asked.format("safe")) == database.query(asked.format("t"))


DECLARED = {
    "VARCHAR(5)": "VARCHAR(5)",
    "DECIMAL(10, 2)": "DECIMAL(10, 2)",
    "UNSIGNED BIG INT": "UNSIGNED BIG INT",
    "INT DEFAULT 7": "INTEGER",
    "INT, x TEXT": "INTEGER",
    "INT AS (1)": "INTEGER",
    "int unique": "INTEGER",
    "8INT": "INTEGER",
}


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.parametrize("declared", DECLARED)
def test_only_a_plain_type_of_sqlite_is_declared_again(database, declared):
    database.run(f'CREATE TABLE t (c "{declared}")')
    database.run("INSERT INTO t VALUES (1), (1)")
    table = open_sql_table(database.address, "t", writes=True)
    target = new_table(None, "safe", source=table)
    assert table.write(Recoding(), target).written == 2
    target.publish()
    table.close()
    assert [row[1:3] for row in database.query("PRAGMA table_xinfo(safe)")] == [("c", DECLARED[declared])]
