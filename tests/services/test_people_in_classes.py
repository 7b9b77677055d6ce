"""At least k different people in every class, in databases and on Spark: as in a table in memory."""

import random
from typing import Any

import polars as pl
import pytest

from celosia.project import Project, make_project
from celosia.recode import parts_plan
from celosia.recode.rothko import MemoryNeed
from celosia.recode.techniques import make_technique
from celosia.run import run_project

ROWS, K = 240, 3
QUASI = ["age", "height"]
TECHNIQUES = ["mondrian", "distribution-mondrian", "local", "top-down", "two-phase", "datafly"]


def visits() -> pl.DataFrame:
    chance = random.Random(9)
    return pl.DataFrame(
        {
            "who": [f"{chance.choice('Pp')}{chance.randrange(50)}" for _ in range(ROWS)],
            "age": [chance.randint(20, 60) for _ in range(ROWS)],
            "height": [chance.randint(150, 160) for _ in range(ROWS)],
            "nr": list(range(ROWS)),
        }
    )


def project_of(name: str, *, memory: int | None = None, **table: Any) -> Project:
    technique = make_technique(name) if name != "datafly" else make_technique("full-domain", search="datafly")
    if memory is not None:
        technique = make_technique(name, memory=memory)
    columns = {**dict.fromkeys(QUASI, "quasi-identifier"), "nr": "common"}
    return make_project(
        models=[{"model": "k-anonymity", "k": K}],
        technique=technique,
        suppression=0.0 if "mondrian" in name else 0.3,
        seed=1,
        tables={"visits": {"person": "who", "columns": columns, **table}},
    )


def smallest(released: pl.DataFrame) -> int:
    owners = visits().select(pl.col("nr").cast(pl.Int64), pl.col("who").str.to_lowercase())
    joined = released.with_columns(pl.col("nr").cast(pl.Int64)).join(owners, on="nr")
    assert joined.height == released.height
    return int(joined.group_by(QUASI).agg(pl.col("who").n_unique())["who"].min())  # type: ignore[arg-type]


def filled(database: Any) -> Any:
    database.run("CREATE TABLE visits (who VARCHAR(9), age INTEGER, height INTEGER, nr INTEGER)")
    rows = ", ".join(f"('{row[0]}', {row[1]}, {row[2]}, {row[3]})" for row in visits().rows())
    database.run(f"INSERT INTO visits VALUES {rows}")
    return database


def released_in(database: Any) -> pl.DataFrame:
    rows = database.query("SELECT age, height, nr FROM safe")
    return pl.DataFrame([tuple(map(str, row)) for row in rows], schema=[*QUASI, "nr"], orient="row")


@pytest.mark.parametrize("name", ["mondrian", "top-down"])
def test_a_table_in_a_database_has_k_people_in_every_class(database, name):
    filled(database)
    places = {
        "source": {"path": database.address, "table": "visits"},
        "destination": {"table": "safe"},
    }
    release = run_project(project_of(name, **places))["visits"]
    here = run_project(project_of(name), sources={"visits": visits()})["visits"]
    assert smallest(released_in(database)) == release.risk_after.k >= K
    assert (release.risk_before, release.risk_after) == (here.risk_before, here.risk_after)
    assert release.record["people"] == here.record["people"]


@pytest.mark.parametrize("database", ["postgresql", "duckdb"], indirect=True)
def test_a_table_in_a_database_that_is_recoded_part_by_part_has_k_people_in_every_class(
    database, monkeypatch
):
    monkeypatch.setattr(MemoryNeed, "ROW", 4_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)
    filled(database)
    places = {
        "source": {"path": database.address, "table": "visits"},
        "destination": {"table": "safe"},
    }
    release = run_project(project_of("mondrian", memory=700_000_000, **places))["visits"]
    assert release.technique_plan.details["parts"] > 1
    assert smallest(released_in(database)) == release.risk_after.k >= K


@pytest.mark.parametrize("name", TECHNIQUES)
def test_a_table_of_spark_has_k_people_in_every_class(spark, name):
    frame = spark.createDataFrame(visits().to_arrow()).repartition(3)
    there = run_project(project_of(name), sources={"visits": frame})["visits"]
    here = run_project(project_of(name), sources={"visits": visits()})["visits"]
    released = pl.DataFrame(pl.from_arrow(there.table.toArrow()))
    assert "who" not in released.columns
    assert smallest(released) == there.risk_after.k >= K
    assert (there.risk_before, there.risk_after) == (here.risk_before, here.risk_after)


@pytest.mark.parametrize("name", ["mondrian", "top-down"])
def test_what_is_searched_on_the_cluster_has_k_people_in_every_class(spark, monkeypatch, name):
    monkeypatch.setattr("celosia.tables.spark.spark_table.SparkTable.most_here", lambda table, columns: 10)
    monkeypatch.setattr(parts_plan, "ROWS_WORTH_A_PART", 60)
    frame = spark.createDataFrame(visits().to_arrow()).repartition(3)
    release = run_project(project_of(name), sources={"visits": frame})["visits"]
    released = pl.DataFrame(pl.from_arrow(release.table.toArrow()))
    assert "searched on the cluster" in release.technique_plan.note or "parts" in release.record
    assert "who" not in released.columns
    assert released.height + release.written.suppressed == ROWS
    assert smallest(released) == release.risk_after.k >= K
