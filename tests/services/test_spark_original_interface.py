"""Programs that were written for SparkTPTDS: its classes on Spark, with its documents and its published examples."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from celosia.errors import HierarchyError, ProjectError, ReleaseError
from celosia.sparktptds import AnonymizationMethod, DataPreprocess, LevelCut, Test, TwoPhaseTDS
from celosia.tables.spark.session import find_session

ROWS = [
    *((20, 12500, "Diabetes"), (24, 12700, "Infección"), (26, 12600, "Infección"), (29, 12900, "Cáncer")),
    *((45, 11100, "Diabetes"), (40, 11300, "Cáncer"), (50, 11500, "Cáncer")),
    *((30, 11800, "Diabetes"), (35, 11700, "Cáncer"), (39, 11200, "Infección")),
]


def tree(value: str, *children: Any) -> dict[str, Any]:
    return {
        "value": value,
        "children": [one if isinstance(one, dict) else {"value": one} for one in children],
    }


TREES = {
    "Edad": tree(
        "[20-50]",
        tree("[20-29]", "20", "24", "26", "29"),
        tree("[30-39]", "30", "35", "39"),
        tree("[40-50]", "40", "45", "50"),
    ),
    "Postal": tree(
        "1****",
        tree("11***", "11100", "11300", "11500", "11800", "11700", "11200"),
        tree("12***", "12500", "12700", "12600", "12900"),
    ),
}
SAFE = sorted(
    [("[20-29]", "12***")] * 4 + [("[40-50]", "11***")] * 3 + [("[30-39]", "11***")] * 3,
)
JOB = {
    "attributes_to_remove": ["Nombre"],
    "sensitive_attributes": ["Diagnóstico"],
    "categorical_attributes": ["Edad", "Postal"],
    "continous_attributes": [],
    "dataset_missing_values": True,
    "save_anonymization_result": False,
    "result_file_name": "tds_anonymization",
    "partitions": 1,
}


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    names = [f"nombre {number}" for number in range(10)]
    frame = pl.DataFrame(ROWS, schema=["Edad", "Postal", "Diagnóstico"], orient="row")
    path = tmp_path / "patients.json"
    frame.with_columns(Nombre=pl.Series(names)).write_ndjson(path)
    frame.with_columns(Nombre=pl.Series(names)).write_csv(path.with_suffix(".csv"))
    return path


def pairs(frame: Any) -> list[tuple[str, str]]:
    return sorted((row["Edad"], row["Postal"]) for row in frame.collect())


def test_the_worked_example_comes_back_as_a_frame_in_the_session_that_is_given(
    spark: Any, patients: Path
) -> None:
    own = spark.newSession()
    data = DataPreprocess({**JOB, "file_path": str(patients)}, json.dumps(TREES), own)
    method = TwoPhaseTDS(data, 3, 3)
    found = method.two_phase_tds()
    assert found.sparkSession is own
    assert find_session() is spark
    assert sorted(found.columns) == ["Diagnóstico", "Edad", "Postal"]
    assert pairs(found) == SAFE
    assert {name: cut.level for name, cut in method.al.items()} == {"Edad": 1, "Postal": 1}
    assert method.al["Postal"].labels == {"11***", "12***"}
    assert method.al_0["Edad"].labels == {"[20-50]"}
    assert method.release is not None
    first, second = method.release.plan.details["partitions"][0], method.release.plan.details["steps"]
    assert (first["rows"], first["node"], second) == (10, {"Edad": 1, "Postal": 1}, [])

    original = spark.read.json(str(patients))
    for tried in (TwoPhaseTDS(data, 11, 11).two_phase_tds, Test(found, 11, original, {}, {}).check):
        with pytest.raises(ProjectError, match="k = 11 is more than the 10 rows"):
            tried()
    Test(found, 3, original, method.al, method.al_0).check()
    with pytest.raises(ReleaseError, match="k-anonymity: asked 4, reached 3; 2 classes violate it"):
        Test(found, 4, original, method.al, method.al_0).check_after()
    higher = {**method.al, "Edad": LevelCut(method.al["Edad"].hierarchy, 2)}
    with pytest.raises(ReleaseError, match="there are 9 rows of 10") as error:
        Test(found.limit(9), 2, original, higher, method.al_0).check_after()
    assert "3 different values of 'Edad' are not on level 2 of its hierarchy" in str(error.value)


def test_a_result_is_saved_beside_its_table_with_k_and_the_day_and_never_over_another(
    spark: Any, patients: Path
) -> None:
    table = patients.with_suffix(".csv")
    job = {**JOB, "file_path": f"file://{table}", "save_anonymization_result": True, "partitions": 4}
    # No partition has 11 rows, so all stay at the root; the whole is specialized from there, age first.
    method = TwoPhaseTDS(DataPreprocess(job, TREES), 3, 11)
    before = date.today()
    with pytest.warns(UserWarning, match="k = 11 in the partitions is more than the rows of 4 of 4"):
        place = method.two_phase_tds()
    names = {f"file://{table.parent}/tds_anonymization_k3_{day}.csv" for day in (before, date.today())}
    assert place in names
    assert method.release is not None
    steps = method.release.plan.details["steps"]
    assert [step["column"] for step in steps] == ["Edad", "Postal"]
    assert steps[0]["score"] == pytest.approx(0.02750, abs=1e-5)
    assert pairs(spark.read.csv(place, header=True)) == SAFE
    assert (table.parent / f"{place.rpartition('/')[2].removesuffix('.csv')}.record.json").exists()
    if before == date.today():
        with pytest.raises(ReleaseError, match="exists already"):
            method.two_phase_tds()


class BestNode(AnonymizationMethod):
    """Another technique under the same interface."""

    def technique(self) -> dict[str, Any]:
        return {"name": "full-domain"}


def test_tables_of_hive_and_other_techniques_go_the_same_way(spark: Any, patients: Path) -> None:
    spark.sql("CREATE DATABASE hospital")
    try:
        spark.read.json(str(patients)).write.saveAsTable("hospital.patients")
        job = {**JOB, "file_path": "hive:hospital.patients", "save_anonymization_result": True}
        method = BestNode(DataPreprocess(job, TREES), 3)
        place = method.anonymize()
        assert place.startswith("hive:hospital.tds_anonymization_k3_")
        assert pairs(spark.table(place.removeprefix("hive:"))) == SAFE
        assert {name: cut.level for name, cut in method.al.items()} == {"Edad": 1, "Postal": 1}
    finally:
        spark.sql("DROP DATABASE hospital CASCADE")


COLUMNS = [
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation"),
    *("relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country"),
    "class",
]
MISSPELT = {"Outlying-US": "Outlying-US(Guam-USVI-etc)", "Trinidad&Tobago": "Trinadad&Tobago"}


def test_adult_by_its_published_documents(spark: Any, shared: Path, tmp_path: Path) -> None:
    rows = pl.read_csv(
        shared / "data" / "adult_uci" / "adult-train.csv",
        has_header=False,
        new_columns=COLUMNS,
        infer_schema=False,
    )
    rows.with_columns(pl.all().str.strip_chars()).drop_nulls("class").write_csv(tmp_path / "adult.csv")
    job = {
        "attributes_to_remove": ["fnlwgt", "education-num", "capital-gain", "capital-loss"],
        "sensitive_attributes": ["class"],
        "categorical_attributes": [
            *("workclass", "education", "marital-status", "occupation", "relationship", "race", "sex"),
            "native-country",
        ],
        "continous_attributes": ["age", "hours-per-week"],
        "dataset_missing_values": True,
        "save_anonymization_result": False,
        "result_file_name": "tds_anonymization",
        "partitions": 3,
        "file_path": str(tmp_path / "adult.csv"),
    }
    published = shared / "data" / "adult_taxonomies_sparktptds.json"
    with pytest.raises(HierarchyError) as error:
        TwoPhaseTDS(DataPreprocess(job, published, spark), 500, 550).two_phase_tds()
    assert all(repr(value) in str(error.value) for value in MISSPELT.values())

    text = published.read_text()
    for wrong, right in MISSPELT.items():
        text = text.replace(f'"{wrong}"', f'"{right}"')
    method = TwoPhaseTDS(DataPreprocess(json.dumps(job), text, spark), 500, 550)
    found = method.two_phase_tds()
    classes = [row["count"] for row in found.groupBy(*method.al).count().collect()]
    assert (sum(classes), min(classes) >= 500) == (32561, True)
    assert {name: cut.hierarchy.height for name, cut in method.al.items() if cut.hierarchy.height == 4} == {
        "age": 4,
        "hours-per-week": 4,
    }
    assert sum(cut.level / cut.hierarchy.height for cut in method.al.values()) <= 8.92
    assert {"fnlwgt", "capital-gain"}.isdisjoint(found.columns)
