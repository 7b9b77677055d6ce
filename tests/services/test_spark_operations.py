"""Operations on tables of Spark: what they do to tables in memory, done where the rows are."""

import logging
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, ProjectError, ReleaseError, TableError
from celosia.mask import make_operation
from celosia.mask.masking import mask_table
from celosia.mask.registry import operations
from celosia.project import make_project
from celosia.release import finish
from celosia.release.masked import count_written, verify_masked
from celosia.release.verify import Finding
from celosia.tables import open_table
from celosia.tables.spark import shuffle

ROWS = 120
SECRET = "a3f1c95e77d20b4896ee5d1c03fa82b7640d9be1a85cf37212d4e6907bc8153f"
PEOPLE = pl.DataFrame(
    {
        "who": [f"p{i % 40}" for i in range(ROWS)],
        "name": [("Ana Pérez", "Eva Gil", "LEO PAZ")[i % 3] for i in range(ROWS)],
        "email": [f"a{i}@b.es" for i in range(ROWS)],
        "phone": [f"+34 600 111 {i:03d}" for i in range(ROWS)],
        "card": [f"{12345678 + i}" for i in range(ROWS)],
        "age": [None if i % 17 == 0 else 20 + i % 60 for i in range(ROWS)],
        "paid": [i * 1.37 for i in range(ROWS)],
        "zip": [f"{28000 + i % 90}" for i in range(ROWS)],
        "town": [("Soria", "Lugo", None, "Vigo")[i % 4] for i in range(ROWS)],
        "seen": [date(2024, 1, 1 + i % 28) for i in range(ROWS)],
        "code": [("J45.1", "J45.2", "C50")[i % 3] for i in range(ROWS)],
        "ward": [("north", "south", "NA")[i % 3] for i in range(ROWS)],
        "notes": [f"Avisar a {('Ana Gil', 'Luis Rey')[i % 2]} al 6{i:08d}, p{i % 40}." for i in range(ROWS)],
        "kept": list(range(ROWS)),
    }
)
CHAINS: dict[str, Any] = {
    "who": "pseudonymize",
    "name": "fake",
    "email": {"name": "hash", "salt": "default"},
    "phone": {"name": "mask-characters", "keep_last": 2},
    "card": "preserve-format",
    "age": [{"name": "code", "top": 70}, {"name": "bin", "width": 10}],
    "paid": {"name": "round", "to": 10},
    "zip": [{"name": "truncate", "first": 3}, "encrypt"],
    "town": {
        "name": "substitute",
        "pairs": {"Soria": "N"},
        "default": "S",
        "missing": "replace",
        "replacement": "?",
    },
    "seen": {"name": "shift-dates"},
    "code": {"name": "generalize", "level": 1, "hierarchy": "chapters"},
    "ward": {"name": "suppress", "where": "age > 60", "missing": "drop"},
    "notes": {"name": "redact", "tags": "table", "columns": ["who"]},
    "kept": "keep",
}
ON_ROWS = [{"name": "drop-rows", "where": "age > 75"}, {"name": "sample", "share": 0.7, "by": "who"}]


def light(**fields: Any) -> Any:
    """A project of all operations there are but the one that gives another order each time."""
    table = {
        "columns": {name: {"operation": chain} for name, chain in CHAINS.items()},
        "rows": ON_ROWS,
        "person": "who",
    }
    chapters = {"J": ["J45.1", "J45.2"], "C": ["C50"]}
    return make_project(
        kind="light", seed=3, hierarchies={"chapters": chapters}, tables={"people": {**table, **fields}}
    )


def rows_of(frame: pl.DataFrame) -> Counter[Any]:
    return Counter(frame.rows())


def collected(frame: Any) -> pl.DataFrame:
    return pl.DataFrame(pl.from_arrow(frame.toArrow()))


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CELOSIA_KEY", SECRET)


def test_every_operation_does_what_it_does_in_memory_and_no_key_is_shown(
    spark: Any, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    named = [
        one if isinstance(one, str) else one["name"]
        for chain in CHAINS.values()
        for one in (chain if isinstance(chain, list) else [chain])
    ]
    others = {
        "shuffle",  # in another order each time
        "merge",  # refused on a cluster
        "microaggregate",  # done by the recoding, not by a mask
    }
    assert {*named, *(one["name"] for one in ON_ROWS), *others} == set(operations())
    source = spark.createDataFrame(PEOPLE.to_arrow()).repartition(3)
    with caplog.at_level(logging.DEBUG):
        there = celosia.run_project(light(), sources={"people": source})["people"]
    here = celosia.run_project(light(), sources={"people": PEOPLE})["people"]
    assert rows_of(collected(there.table)) == rows_of(here.table)
    assert (there.dropped, there.written) == (here.dropped, here.written)
    assert 0 < there.dropped < ROWS
    assert there.verification == here.verification
    there.table.explain(True)
    printed = capfd.readouterr()
    for told in (printed.out, printed.err, caplog.text, repr(there.record), repr(there)):
        assert SECRET not in told
        assert repr(bytes.fromhex(SECRET))[2:-1] not in told


def test_what_counts_a_column_first_is_refused_in_a_sentence(spark: Any) -> None:
    source = spark.createDataFrame(PEOPLE.to_arrow())
    with pytest.raises(
        ProjectError, match=r"merge counts column 'code' first, which the machines of a cluster cannot"
    ):
        celosia.mask_columns(source, {"code": "merge"}, common=PEOPLE.columns)


def test_texts_of_files_are_taken_for_what_they_are(spark: Any, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    PEOPLE.write_csv(path)
    out = {"source": f"file://{path}", "destination": f"file://{tmp_path}/safe.csv"}
    there = celosia.run_project(light(**out))["people"]
    celosia.run_project(light(source=str(path), destination=str(tmp_path / "here.csv")))
    parts = (tmp_path / "safe.csv").glob("part-*")
    lines = [line for part in parts for line in part.read_text().splitlines()[1:]]
    assert sorted(lines) == sorted((tmp_path / "here.csv").read_text().splitlines()[1:])
    assert there.written.written == len(lines)
    assert left_in(tmp_path) == ["here.csv", "here.record.json", "people.csv", "safe.csv", "safe.record.json"]


def test_rows_are_sampled_by_their_numbers_only_where_they_are_read_once(spark: Any) -> None:
    source = spark.range(4000).selectExpr("id", "id % 10 AS age").repartition(4)
    rows = [{"name": "sample", "share": 0.5}]
    release = celosia.mask_columns(source, {"age": "keep"}, rows=rows, common=["id"], seed=5)
    kept = collected(release.table)["id"]
    assert release.written.written + release.dropped == 4000
    assert kept.n_unique() == len(kept) == release.written.written
    assert 1850 < len(kept) < 2150
    project = make_project(
        models=[{"model": "k-anonymity", "k": 2}],
        tables={
            "people": {"columns": {"age": {"role": "quasi-identifier"}}, "rows": rows, "unlisted": "common"}
        },
    )
    with pytest.raises(
        ProjectError, match=r"a cluster hands over its rows in any order, so that a sample by"
    ):
        celosia.run_project(project, sources={"people": source})


STAFF = pl.DataFrame(
    {
        "id": list(range(800)),
        "part": [i // 200 for i in range(800)],
        "paid": [None if i % 9 == 0 else 1000 + i for i in range(800)],
        "town": [("Soria", "NA", None, "Vigo", "Lugo")[i % 5] for i in range(800)],
        "seen": [date(2024, 1 + i % 12, 1 + i % 28) for i in range(800)],
        "age": [None if i % 11 == 0 else 20 + i % 60 for i in range(800)],
        "ward": [("north", "south")[i % 2] for i in range(800)],
    }
)
SHUFFLED: dict[str, Any] = {
    "paid": "shuffle",
    "town": {"name": "shuffle", "missing": "replace", "replacement": "?"},
    "seen": [{"name": "truncate", "first": 7}, "shuffle", {"name": "suppress", "where": "paid > 1700"}],
    "age": [{"name": "round", "to": 10}, {"name": "code", "top": 60}],
    "ward": {"name": "suppress", "where": "paid > 1700", "missing": "drop"},
    "id": "keep",
}


def in_four_parts(spark: Any) -> Any:
    """The staff in the order of their numbers, a fourth of them in each part."""
    return spark.createDataFrame(STAFF.to_arrow()).repartitionByRange(4, "id").sortWithinPartitions("id")


def test_columns_are_shuffled_where_their_rows_are(spark: Any) -> None:
    rows = [{"name": "drop-rows", "where": "id >= 760"}]
    how: dict[str, Any] = {"rows": rows, "common": ["part"]}
    persisted = set(spark.sparkContext._jsc.getPersistentRDDs())
    first = celosia.mask_columns(in_four_parts(spark), SHUFFLED, seed=7, **how)
    # The release; one that nobody knows any more may go at any time.
    assert len(set(spark.sparkContext._jsc.getPersistentRDDs()) - persisted) == 1
    here = celosia.mask_columns(STAFF, SHUFFLED, seed=7, **how)
    assert (first.dropped, first.written) == (here.dropped, here.written) == (40, here.written)
    assert first.verification == here.verification
    found, expected = (one.sort("id") for one in (collected(first.table), here.table))
    assert found.schema == expected.schema
    others = ["id", "part", "age", "ward"]
    assert found.select(others).equals(expected.select(others))
    for column in ("paid", "town"):
        assert Counter(found[column]) == Counter(expected[column])
        assert found[column].is_null().equals(expected[column].is_null())
    # The condition looks at the row as the source has it, so that the same rows are suppressed whatever comes to them.
    assert found["seen"].eq_missing(found["seen"][-1]).equals(expected["seen"].eq_missing(found["seen"][-1]))
    assert set(found["seen"]) == set(expected["seen"])
    assert Counter(found["town"])["?"] == 304
    # Of 675 values about one stays in its row and a fourth in its part.
    paid = found.filter(pl.col("paid").is_not_null())
    assert (paid["paid"] - 1000 == paid["id"]).sum() < 8
    assert 120 < ((paid["paid"] - 1000) // 200 == paid["part"]).sum() < 220
    # The seed decides on the order of a column, whatever becomes of others.
    few = in_four_parts(spark).select("id", "paid", "part")
    again, other = (
        celosia.mask_columns(few, {"paid": "shuffle", "id": "keep"}, seed=seed, **how) for seed in (7, 8)
    )
    assert collected(again.table).sort("id")["paid"].equals(found["paid"], null_equal=True)
    moved = collected(other.table).sort("id")["paid"]
    assert Counter(moved) == Counter(found["paid"])
    assert (moved == found["paid"]).sum() < 8


def test_rows_of_files_are_sampled_dropped_and_shuffled(spark: Any, tmp_path: Path) -> None:
    STAFF.write_csv(tmp_path / "staff.csv", null_value="NA")
    chains = {"paid": {"name": "shuffle", "missing": "drop"}, "age": "shuffle", "id": "keep"}
    out = f"file://{tmp_path}/safe.csv"
    rows = [{"name": "sample", "share": 0.5}]
    release = celosia.mask_columns(
        f"file://{tmp_path}/staff.csv",
        chains,
        rows=rows,
        common=["part", "town", "seen", "ward"],
        out=out,
        seed=1,
    )
    found = pl.read_csv(f"{tmp_path}/safe.csv/part-*", null_values=["NA", ""]).join(
        STAFF, on="id", suffix="_was"
    )
    assert found.height == release.written.written
    assert 300 < found.height < 411
    assert release.dropped == 800 - found.height
    assert Counter(found["paid"]) == Counter(found["paid_was"])
    assert Counter(found["age"]) == Counter(found["age_was"])
    assert (found["paid"] == found["paid_was"]).sum() < 8
    assert found["age"].is_null().equals(found["age_was"].is_null())
    assert found["ward"].equals(found["ward_was"])


def test_what_was_shuffled_stays_so_that_models_can_be_promised_of_it(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = {
        "age": {"role": "quasi-identifier", "operation": "shuffle"},
        "ward": {"role": "quasi-identifier"},
        "paid": {"role": "sensitive", "operation": "shuffle"},
        "id": {"role": "identifier"},
    }
    project = make_project(
        models=[{"model": "k-anonymity", "k": 3}],
        seed=2,
        tables={"staff": {"columns": columns, "unlisted": "drop"}},
    )

    def in_any_order(batches: Any) -> Any:
        """Another one each time that they are read."""
        for batch in batches:
            yield batch.take(pl.Series(range(batch.num_rows)).shuffle().to_arrow())

    source = in_four_parts(spark)
    source = source.mapInArrow(in_any_order, source.schema)
    release = celosia.run_project(project, sources={"staff": source})["staff"]
    found = collected(release.table)
    assert min(Counter(found.select("age", "ward").rows()).values()) >= 3
    assert Counter(found["paid"]) == Counter(STAFF["paid"])
    table = mask_table(open_table(source), {"paid": [make_operation("shuffle")]})
    one, other = (pl.concat(table.scan(["id", "paid"])) for _ in range(2))
    assert one.sort("id").equals(other.sort("id"))
    table.close()
    monkeypatch.setattr(shuffle, "in_random_order", lambda frame, _seed: frame.limit(9))
    with pytest.raises(
        TableError, match=r"^the Spark frame: the table changed while a column was shuffled; run"
    ):
        celosia.mask_columns(source, {"paid": "shuffle", "id": "keep"}, common=STAFF.columns)


def test_what_operations_promise_is_looked_at_where_the_values_are(spark: Any) -> None:
    frame = pl.DataFrame({"paid": [1200, 990, 990, None, 7, 300], "town": ["a", "b", "?", None, "zz", "a"]})
    chains = {
        "paid": [make_operation("round", to=100)],
        "town": [make_operation("truncate", first=1, missing="replace", replacement="?")],
    }
    table = open_table(spark.createDataFrame(frame.to_arrow()).repartition(3))
    found = verify_masked(table, chains, dropped=["paid", "x"], missing=("?",))
    assert found == verify_masked(open_table(frame), chains, dropped=["paid", "x"], missing=("?",))
    assert [finding.reached for finding in found] == [1, 2, 1]
    assert count_written(table) == 6


def test_whatever_goes_wrong_nothing_is_left(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = spark.createDataFrame(PEOPLE.select("age", "town", "who").to_arrow()).repartition(2)
    places: list[Any] = [f"file://{tmp_path}/safe.parquet", None]
    persisted = set(spark.sparkContext._jsc.getPersistentRDDs())
    pairs = {"name": "substitute", "pairs": {"Soria": "N"}}
    wrong: list[tuple[type[CelosiaError], str, Any]] = [
        (TableError, "holds .* values that no pair speaks of", {"town": pairs}),
        (
            TableError,
            "'town' misses .* values, and the project refuses",
            {"town": {"name": "keep", "missing": "refuse"}},
        ),
    ]
    for place, (error, what, chains) in zip(places, wrong, strict=True):
        with pytest.raises(error, match=what):
            celosia.mask_columns(source, {**chains, "who": "pseudonymize"}, common="age", out=place)
    broken = Finding("operation keep", "town", 0, 1, 0, False, "1 different value of 'town' not kept")
    monkeypatch.setattr(finish, "verify_masked", lambda *_, **__: (broken,))
    for place in places:
        with pytest.raises(ReleaseError, match="withdrawn: 1 different value of 'town' not kept"):
            celosia.mask_columns(source, {"town": "keep", "who": "pseudonymize"}, common="age", out=place)
    assert left_in(tmp_path) == []
    assert set(spark.sparkContext._jsc.getPersistentRDDs()) <= persisted


def test_a_table_seen_through_operations_answers_as_in_memory(spark: Any) -> None:
    chains = {
        "age": [make_operation("round", to=10)],
        "town": [make_operation("truncate", first=1, missing="drop")],
    }
    rows = (make_operation("drop-rows", where="age > 75"),)
    here = mask_table(open_table(PEOPLE), chains, rows=rows)
    there = mask_table(open_table(spark.createDataFrame(PEOPLE.to_arrow())), chains, rows=rows)
    assert there.schema() == here.schema()
    for columns in (["age", "town"], ["zip"]):
        one, other = here.count_by(columns), there.count_by(columns)
        assert [values.to_list() for values in other.values] == [values.to_list() for values in one.values]
        assert other.counts.tolist() == one.counts.tolist()
