"""Random tables and recodings: what is done in a database is what is done in memory."""

from collections import Counter
from dataclasses import replace
from itertools import count
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from celosia.tables import Recoding, open_table
from celosia.tables.sql.dialect import DatabaseTable
from celosia.tables.sql.open import new_table, open_sql_table
from celosia.tables.writing import write_rows

TEXTS = ["x", "X", "x ", "José", "jose", "", "?", "NA", "31", "031", "100%", "it's", "a\\b", "👩", "true"]
WHOLE = [0, 7, 31, -31, 2**53 + 1]
REAL = [0.0, 1.0, 0.5, 1e-7, -2.5]
COLUMNS = {
    "town": (st.sampled_from(TEXTS), pl.String()),
    "age": (st.sampled_from(WHOLE), pl.Int64()),
    "paid": (st.sampled_from(REAL), pl.Float64()),
    "select": (st.sampled_from(TEXTS), pl.String()),
}
KEPT = "i"
"""A column that tells rows apart and that no recoding touches."""
# What maps and the like may also hold: values that do not occur, and the other zero.
OTHERS = {
    "town": ["0", "unknown", " x"],
    "age": [8, -(2**63), 2**63 - 1, 2**53],
    "paid": [-0.0, 1.25, 1e300, -1e-7],
    "select": ["7", "unknown", "x  "],
}
# What may stand in classes to be suppressed: texts that no value of some columns can have.
ODD_TEXTS = [
    *TEXTS,
    "0",
    "7",
    "007",
    "+7",
    "7.0",
    "1.0",
    "1",
    "0.5",
    ".5",
    "1e-7",
    "9" * 30,
    "-0.0",
    "unknown",
]


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    rows = draw(st.integers(0, 12))
    columns = {
        name: pl.Series(draw(st.lists(st.none() | values, min_size=rows, max_size=rows)), dtype=dtype)
        for name, (values, dtype) in COLUMNS.items()
    }
    return pl.DataFrame({KEPT: pl.int_range(rows, eager=True), **columns})


@st.composite
def recodings(draw: st.DrawFn, frame: pl.DataFrame) -> Recoding:
    """Any recoding; a map has a label for every value that occurs, and for some that do not."""
    counted = {name: open_table(frame).count_by([name]) for name in COLUMNS}
    occurring = {name: counts.values[0].to_list() for name, counts in counted.items()}
    dropped = draw(st.sets(st.sampled_from([*COLUMNS]), max_size=1))
    names = sorted({*COLUMNS} - dropped)
    some = st.sets(st.sampled_from(names), max_size=2)
    filled = {
        name: draw(st.sampled_from(known))
        for name in sorted(draw(some))
        if (known := [value for value in occurring[name] if value is not None])
    }
    labels = st.none() | st.sampled_from(["a", "A", "a ", "b%"])
    maps = {
        name: {
            value: draw(labels)
            for value in [
                *occurring[name],
                *draw(st.lists(st.sampled_from(OTHERS[name]), max_size=4)),
                filled.get(name),
            ]
        }
        for name in sorted(draw(some))
    }
    values = {name: st.sampled_from([*occurring[name], None, *OTHERS[name]]) for name in names}
    excluded = {name: tuple(draw(st.lists(values[name], max_size=2))) for name in sorted(draw(some))}
    texts = {name: st.sampled_from([*counted[name].texts[0], None, *ODD_TEXTS]) for name in names}
    columns = sorted(draw(some))
    shown = {
        name: st.sampled_from([*maps[name].values()]) if maps.get(name) else texts[name] for name in columns
    }
    size = draw(st.integers(1, 4)) if columns else 0
    suppressed = pl.DataFrame(
        {name: draw(st.lists(shown[name], min_size=size, max_size=size)) for name in columns},
        schema=dict.fromkeys(columns, pl.String),
    )
    return Recoding(
        dropped=tuple(dropped),
        unified=tuple(sorted({*draw(some), *maps, *filled})),
        quasi_identifiers=tuple(sorted(draw(some))),
        filled=filled,
        excluded=excluded,
        maps=maps,
        suppressed=suppressed,
    )


cases = tables().flatmap(lambda frame: st.tuples(st.just(frame), recodings(frame)))


def as_texts(frame: pl.DataFrame) -> Counter[tuple[str | None, ...]]:
    """Rows as texts: a column that is filled in is one of texts in memory, and keeps its type in a database."""
    return Counter(frame.select(pl.all().cast(pl.String)).rows())


MAKE = {
    "postgresql": "(i BIGINT, town TEXT, age BIGINT, paid DOUBLE PRECISION, {} TEXT)",
    "mariadb": "(i BIGINT, town LONGTEXT, age BIGINT, paid DOUBLE, {} VARCHAR(40))",
    "sqlite": "(i INTEGER, town TEXT COLLATE NOCASE, age INTEGER, paid REAL, {} TEXT)",
    "duckdb": "(i BIGINT, town TEXT, age BIGINT, paid DOUBLE, {} TEXT COLLATE NOCASE)",
}


@pytest.fixture
def recode(database: Any) -> Any:
    """Puts a frame into the database, recodes it there, and gives back what was made and what was told."""
    database.run("CREATE TABLE first (i INTEGER)")
    first = open_sql_table(database.address, "first", writes=True)
    connection, numbers = first.database, count()

    def run(frame: pl.DataFrame, recoding: Recoding, *, is_streamed: bool) -> tuple[pl.DataFrame, Any]:
        number = next(numbers)
        connection.run(f"CREATE TABLE t{number} {MAKE[database.scheme].format(connection.quote('select'))}")
        place = DatabaseTable(first.places[0].schema, f"t{number}")
        native = {
            column.name: column.native for column in connection.dialect.columns(connection, *names(place))
        }
        if frame.height:
            connection.dialect.append(connection, connection.quote(place.name), native, frame)
        fields = tuple(connection.dialect.columns(connection, *names(place)))
        table = replace(first, places=(place,), fields=fields)
        target = new_table(None, f"s{number}", source=table)
        done = (write_rows if is_streamed else type(table).write)(table, recoding, target)
        made = target.open()
        empty = pl.DataFrame(schema=dict.fromkeys(made.columns(), pl.String))
        rows = pl.concat([empty, *(frame.select(pl.all().cast(pl.String)) for frame in made.scan())])
        target.publish()
        return rows, done

    yield run
    first.close()


def names(place: DatabaseTable) -> tuple[str | None, str]:
    return place.schema, place.name


few = settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
ONE = pl.DataFrame(
    {"i": [0, 1], "town": ["031", None], "age": [31, None], "paid": [1.0, None], "select": ["x ", "x"]},
    schema={"i": pl.Int64, **{name: dtype for name, (_, dtype) in COLUMNS.items()}},
)


@few
@example(case=(ONE, Recoding(maps={"age": {31: "a", 32: "b", -31: "c", None: None}})))
@example(case=(ONE, Recoding(suppressed=pl.DataFrame({"age": [None]}, schema={"age": pl.String}))))
@example(case=(ONE, Recoding(maps={"age": {31: "a", None: None}}, suppressed=ONE.select(age=pl.lit("z")))))
@given(case=cases)
def test_rows_recoded_in_a_database_are_those_recoded_in_memory(recode, case):
    frame, recoding = case
    expected, planned = open_table(frame).recode(recoding)
    rows, done = recode(frame, recoding, is_streamed=False)
    assert done == planned
    assert as_texts(rows) == as_texts(expected)


@settings(few, max_examples=5)
@given(case=cases)
def test_rows_streamed_into_a_database_are_those_recoded_in_memory(recode, case):
    frame, recoding = case
    expected, planned = open_table(frame).recode(recoding)
    rows, done = recode(frame, recoding, is_streamed=True)
    assert done == planned
    assert as_texts(rows) == as_texts(expected)
