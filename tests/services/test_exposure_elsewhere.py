"""Exposure of tables in databases and on Spark: counted there, and the same as of a frame."""

from typing import Any

import polars as pl
import pytest

from celosia.measure.exposure import measure_exposure
from celosia.tables import Recoding, open_table
from celosia.tables.format import Options
from celosia.tables.sql.open import new_table, open_sql_table

PEOPLE = pl.DataFrame(
    {
        "age": [f"{20 + n % 4 * 10}-{29 + n % 4 * 10}" for n in range(48)],
        "cost": [n % 12 * 1.5 for n in range(48)],
        "ward": [("A", "a", "b", None, "")[n % 5] for n in range(48)],
        "a.b *": [n % 3 for n in range(48)],
        "visit": [None if n % 7 else f"2024-01-{n % 28 + 1:02d}" for n in range(48)],
    }
)


def counted(table: Any) -> dict[str, Any]:
    found = measure_exposure(table, quasi_identifiers=["age"], guarded=["visit"], k=4)
    return found.to_dict()


def expected() -> dict[str, Any]:
    return counted(open_table(PEOPLE, missing=()))


def whole(document: dict[str, Any]) -> Any:
    """All columns at once: a frame tries all few columns, a table elsewhere only some of them."""
    return max(document["together"], key=lambda one: len(one["columns"]))


def load(database: Any, frame: pl.DataFrame) -> Any:
    target = new_table(database.address, "people")
    open_table(frame, missing=()).write(Recoding(), target)
    target.publish()
    target.database.close()
    return open_sql_table(database.address, "people", options=Options(missing=()))


def test_exposure_is_counted_inside_a_database(database: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = load(database, PEOPLE)
    try:
        # Rows that came here would be scanned or counted by value.
        for verb in ("scan", "count_by"):
            monkeypatch.setattr(type(table), verb, lambda *_, **__: pytest.fail("values left the database"))
        found = counted(table)
    finally:
        table.close()
    assert found["columns"] == expected()["columns"]
    assert whole(found)["small"] == whole(expected())["small"]


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_column_that_a_database_cannot_compare_is_named(database: Any) -> None:
    database.run("CREATE TABLE people (age int, extra json)")
    database.run("INSERT INTO people VALUES (1, '{}'), (1, '[2]')")
    table = open_sql_table(database.address, "people")
    try:
        found = measure_exposure(table, quasi_identifiers=["age"], k=2)
    finally:
        table.close()
    assert list(found.not_looked_at) == ["extra"]


def test_exposure_is_counted_on_a_cluster(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from celosia.tables.spark.spark_table import SparkTable

    frame = PEOPLE.with_columns(bits=pl.Series([[n % 2, n % 3] for n in range(48)]))
    plain = frame.with_columns(bits=pl.Series([f"{n % 2} {n % 3}" for n in range(48)]))
    table = open_table(spark.createDataFrame(frame.to_arrow()), missing=())
    monkeypatch.setattr(SparkTable, "scan", lambda *_, **__: pytest.fail("rows left the cluster"))
    found, known = counted(table), counted(open_table(plain, missing=()))
    assert found["columns"] == known["columns"]
    assert whole(found)["small"] == whole(known)["small"]
