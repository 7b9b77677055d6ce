"""Treatments of large tables and of tables in databases: what is told of them is what brute force counts."""

from collections import Counter
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import celosia
from celosia.mask.parsing import parse_operations
from celosia.measure.exposure import measure_exposure
from celosia.profile import large_treatments
from celosia.profile.large_treatments import NumberGrid, find_treatments_by_grid
from celosia.release import expose
from celosia.tables import open_table
from celosia.tables.sql.open import open_sql_table


def left_by(values: list[float | None], operation: str, k: int) -> int:
    """Rows in groups under k after an operation, done by the product and counted here."""
    name = operation.partition(":")[0]
    assert name in ("round", "code", "bin")
    frame = pl.DataFrame({"x": values}, schema={"x": pl.Float64})
    masks = {"x": list(parse_operations(operation))}
    released = celosia.mask_columns(frame, masks, common=["x"]).table["x"].to_list()
    return sum(count for count in Counter(released).values() if count < k)


@given(
    st.lists(st.one_of(st.none(), st.integers(0, 400_000).map(lambda n: n / 100)), min_size=60, max_size=200)
)
def test_what_a_grid_says_of_a_treatment_is_what_it_leaves(values: list[float | None]) -> None:
    table = open_table(pl.DataFrame({"x": values}, schema={"x": pl.Float64}), missing=())
    found = find_treatments_by_grid(table, ["x"], k=5)["x"]
    if found.operation != "drop":
        assert found.small == left_by(values, found.operation, 5)


def test_a_grid_grows_with_the_numbers_and_loses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_treatments, "MOST_CELLS", 50)
    grid = NumberGrid()
    for first in (0, 1_000, -70_000):
        grid.add(pl.Series([float(first + n) for n in range(100)]))
    assert (int(grid.counts.sum()), len(grid.counts) <= 50) == (300, True)


def test_a_large_table_is_offered_a_treatment_that_suffices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expose, "MOST_PEOPLE", 1_000)
    costs = [n * 7919 % 100_003 / 100 for n in range(3_000)]
    table = open_table(pl.DataFrame({"cost": costs}), missing=())
    exposure = measure_exposure(table, quasi_identifiers=[], k=5)
    found = expose.treat_exposed(table, exposure)["cost"]
    assert left_by(costs, found.operation, 5) == found.small == 0


def test_numbers_are_rounded_inside_a_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sqlite3

    costs = [Decimal(n * 7919 % 10_007) / 4 for n in range(500)]
    with sqlite3.connect(tmp_path / "clinic.db") as database:
        database.execute("CREATE TABLE stays (cost REAL)")
        database.executemany("INSERT INTO stays VALUES (?)", [(float(cost),) for cost in costs])
    table = open_sql_table(f"sqlite:///{tmp_path}/clinic.db", "stays")
    for verb in ("scan", "count_by"):
        monkeypatch.setattr(type(table), verb, lambda *_, **__: pytest.fail("values left the database"))
    try:
        found = expose.treat_exposed(table, measure_exposure(table, quasi_identifiers=[], k=5))["cost"]
    finally:
        table.close()
    step = Decimal(found.operation.removeprefix("round:to="))
    groups = Counter((cost / step).quantize(Decimal(1), ROUND_HALF_UP) for cost in costs)
    assert found.small == sum(count for count in groups.values() if count < 5) == 0
