"""Projects on tables of Spark: releases and evidence are those of the same tables in memory."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import ReleaseError
from celosia.privacy import DistinctLDiversity
from celosia.project import make_project
from celosia.release import finish
from celosia.release.verify import Verification
from celosia.tables import open_table
from celosia.tables.spark import summaries

ROWS = 300
SECRET = "a3f1c95e77d20b4896ee5d1c03fa82b7640d9be1a85cf37212d4e6907bc8153f"
QUASI = ["age", "sex", "zip"]


def people() -> pl.DataFrame:
    chance = random.Random(1)
    return pl.DataFrame(
        {
            "age": [chance.choice([None, *range(20, 60)]) for _ in range(ROWS)],
            "sex": [chance.choice("fm") for _ in range(ROWS)],
            "zip": [f"28{chance.randrange(40):03d}" for _ in range(ROWS)],
            "ill": [chance.choice(["flu", "asthma", "none"]) for _ in range(ROWS)],
            "paid": [round(1000 * chance.random(), 2) for _ in range(ROWS)],
        }
    )


def on_spark(spark: Any, frame: pl.DataFrame) -> Any:
    return spark.createDataFrame(frame.to_arrow()).repartition(3)


def rows_of(table: Any) -> Counter[Any]:
    frame = table if isinstance(table, pl.DataFrame) else pl.DataFrame(pl.from_arrow(table.toArrow()))
    return Counter(frame.rows())


def evidence(release: Any) -> dict[str, Any]:
    """The record without when it was made, how long it took and by which road."""
    timed = {"created", "seconds", "road", "note"}

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(one) for name, one in value.items() if name not in timed}
        return [plain(one) for one in value] if isinstance(value, list | tuple) else value

    return plain(release.record)  # type: ignore[no-any-return]


def assert_same(there: Any, here: Any) -> None:
    assert rows_of(there.table) == rows_of(here.table)
    assert (there.written, there.dropped) == (here.written, here.dropped)
    assert (there.risk_before, there.risk_after) == (here.risk_before, here.risk_after)
    assert there.comparison == here.comparison
    assert evidence(there) == evidence(here)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELOSIA_KEY", SECRET)


@pytest.mark.parametrize(
    "how",
    [
        {"technique": "full-domain", "suppression": 0.05},
        {"technique": "top-down"},
        {"technique": "mondrian", "models": [DistinctLDiversity(l=2, column="ill")]},
        {"technique": "local"},
    ],
    ids=lambda how: str(how["technique"]),
)
def test_a_release_and_its_evidence_are_those_of_a_table_in_memory(spark: Any, how: dict[str, Any]) -> None:
    given = {"quasi_identifiers": QUASI, "sensitive": ["ill"], "common": ["paid"], "k": 5, "seed": 1, **how}
    there = celosia.anonymize(on_spark(spark, people()), **given)
    assert_same(there, celosia.anonymize(people(), **given))


def test_auto_weighs_techniques_as_it_does_in_memory(spark: Any) -> None:
    given = {"quasi_identifiers": QUASI, "common": ["ill", "paid"], "k": 5, "seed": 1}
    there = celosia.anonymize(on_spark(spark, people()), **given)
    here = celosia.anonymize(people(), **given)
    weighed, expected = (evidence(release)["auto"] for release in (there, here))
    assert weighed == expected
    assert expected["technique"]["name"] == "clustering"
    assert 0 < expected["value"] < expected["others"][0]["value"]
    assert there.verification.passed


def test_operations_and_then_a_chain_of_techniques(spark: Any) -> None:
    project = make_project(
        seed=1,
        suppression=0.1,
        models=[{"model": "k-anonymity", "k": 4}],
        technique=[{"name": "full-domain", "columns": ["zip"]}, {"name": "mondrian"}],
        tables={
            "people": {
                "columns": {
                    **{name: {"role": "quasi-identifier"} for name in QUASI},
                    "age": {
                        "role": "quasi-identifier",
                        "operation": {"name": "code", "top": 50, "missing": "drop"},
                    },
                    "ill": {
                        "role": "sensitive",
                        "operation": {"name": "substitute", "pairs": {"flu": "x"}, "others": "keep"},
                    },
                    "paid": "common",
                },
                "rows": [{"name": "sample", "share": 0.9, "by": "paid"}],
                "unlisted": "common",
            }
        },
    )
    there = celosia.run_project(project, sources={"people": on_spark(spark, people())})["people"]
    here = celosia.run_project(project, sources={"people": people()})["people"]
    assert there.dropped > 0
    assert_same(there, here)


def clinic() -> dict[str, pl.DataFrame]:
    chance = random.Random(2)
    visits = pl.DataFrame(
        {
            "patient": [chance.randrange(60) for _ in range(150)],
            "year": [chance.randint(2015, 2018) for _ in range(150)],
            "ill": [chance.choice("abcd") for _ in range(150)],
        }
    )
    persons = pl.DataFrame(
        {
            "id": list(range(60)),
            "name": [f"Name {i}" for i in range(60)],
            "sex": [chance.choice("fm") for _ in range(60)],
        }
    )
    return {"persons": persons, "visits": visits}


def test_tables_that_are_joined_still_join_and_people_with_several_rows_are_counted_once(
    spark: Any, tmp_path: Path
) -> None:
    frames = clinic()
    for name, frame in frames.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")

    def joined(kind: str, source: str, out: str, **goals: Any) -> Any:
        role = {"role": "quasi-identifier"}
        places = {
            name: {"source": f"{source}{name}.parquet", "destination": f"{out}{name}.parquet"}
            for name in frames
        }
        known = {"id": {"operation": "pseudonymize"}, "name": {"role": "identifier"}, "sex": role}
        tables = {
            "persons": {**places["persons"], "columns": known, "person": "id"},
            "visits": {
                **places["visits"],
                "columns": {"year": role, "ill": {"role": "sensitive"}},
                "person": "patient",
            },
        }
        return make_project(
            kind=kind, seed=1, repeated_attributes=[["persons.id", "visits.patient"]], tables=tables, **goals
        )

    for number, (kind, goals) in enumerate(
        [("light", {}), ("complete", {"models": [{"model": "k-anonymity", "k": 3}], "suppression": 0.2})]
    ):
        here, there = tmp_path / f"here{number}", tmp_path / f"there{number}"
        here.mkdir()
        there.mkdir()
        local = celosia.run_project(joined(kind, f"{tmp_path}/", f"{here}/", **goals))
        releases = celosia.run_project(joined(kind, f"file://{tmp_path}/", f"file://{there}/", **goals))
        for name in frames:
            found = pl.read_parquet(there / f"{name}.parquet" / "part-*")
            wanted = pl.read_parquet(here / f"{name}.parquet")
            assert Counter(found.select(pl.all().cast(pl.String)).rows()) == Counter(
                wanted.select(pl.all().cast(pl.String)).rows()
            )
            assert releases[name].verification.findings == local[name].verification.findings
        assert sorted(path.name for path in there.iterdir()) == [
            "persons.parquet",
            "persons.record.json",
            "visits.parquet",
            "visits.record.json",
        ]
        assert json.loads((there / "visits.record.json").read_text())["verification"]


def test_tables_are_looked_at_as_in_memory_and_columns_of_many_values_stay_where_they_are(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = people().with_columns(
        pl.Series("id", [f"x{i}" if i % 50 else "NA" for i in range(ROWS)]),
        pl.Series("note", ["", "NA", "ok", None, "no"] * (ROWS // 5)),
    )
    source = on_spark(spark, frame)
    wanted = {**celosia.profile_table(frame).to_dict(), "table": "the Spark frame"}
    assert celosia.profile_table(source).to_dict() == wanted
    monkeypatch.setattr(summaries, "MOST", 30)
    monkeypatch.setattr(type(open_table(source)), "count_by", _only_few(type(open_table(source)).count_by))
    assert celosia.profile_table(source).to_dict() == wanted
    monkeypatch.undo()
    there, here = (celosia.verify(table, quasi_identifiers=["sex"], k=5) for table in (source, frame))
    assert (there.findings, there.risk, there.exposure.columns) == (
        here.findings,
        here.risk,
        here.exposure.columns,
    )
    assert there.verdict.kind == here.verdict.kind
    asked = {"quasi_identifiers": ["age", "sex"], "k": 5, "common": ["id"]}
    nodes = [celosia.explore(table, **asked).valid_nodes() for table in (source, frame)]
    assert nodes[0] == nodes[1] != []
    swept = [
        celosia.balance(table, quasi_identifiers=["age", "paid"], ks=(2, 5), common=["id"])
        for table in (source, frame)
    ]
    for k in (2, 5):
        assert swept[0].points[k].after == swept[1].points[k].after
        assert swept[0].points[k].column("age") == swept[1].points[k].column("age")


def _only_few(count_by: Any) -> Any:
    """Counting that brings no column of many values here."""

    def counted(table: Any, columns: Any, **how: Any) -> Any:
        found = count_by(table, columns, **how)
        assert len(found) <= 30
        return found

    return counted


def test_a_complete_release_that_is_not_what_was_promised_is_withdrawn(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = on_spark(spark, people())
    persisted = set(spark.sparkContext._jsc.getPersistentRDDs())
    verify = finish.verify

    def fail(*given: Any, **how: Any) -> Verification:
        found = verify(*given, **how)
        return Verification(False, found.rows, found.classes, found.smallest, found.risk, found.findings)

    monkeypatch.setattr(finish, "verify", fail)
    spark.sql("CREATE DATABASE withdrawn")
    try:
        for out in (f"file://{tmp_path}/safe.csv", "hive:withdrawn.safe", None):
            with pytest.raises(ReleaseError, match="failed its verification and was withdrawn"):
                celosia.anonymize(
                    source,
                    quasi_identifiers=QUASI,
                    common=["paid"],
                    k=3,
                    out=out,
                    record=_record(tmp_path, out),
                    seed=1,
                )
        assert spark.sql("SHOW TABLES IN withdrawn").isEmpty()
    finally:
        spark.sql("DROP DATABASE withdrawn CASCADE")
    assert list(tmp_path.iterdir()) == []
    assert set(spark.sparkContext._jsc.getPersistentRDDs()) <= persisted


def _record(folder: Path, out: str | None) -> str | None:
    return str(folder / "safe.json") if out is not None and out.startswith("hive") else None
