"""Frames that come back from Spark: what was verified, whatever becomes of their source, the cache or an executor."""

import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from pyspark.sql import functions as sf
from spark_parts import TOGETHER, Cluster, environment_of_a_driver, settings_of_a_driver

import celosia
from celosia.errors import CelosiaError, ReleaseError, TableError
from celosia.release import finish
from celosia.release.verify import Finding
from celosia.tables.spark.checkpoints import reads_the_same
from celosia.tables.spark.errors import spark_errors_explained

ROWS = 400
PATIENCE = 150
QUASI_IDENTIFIERS = ["age", "sex"]
HOW: dict[str, Any] = {"quasi_identifiers": QUASI_IDENTIFIERS, "common": ["number"], "k": 5}


def by_chance(spark: Any, ages: int = 60) -> Any:
    """People whose ages are others at every read, and who come in another order."""

    def in_any_order(batches: Any) -> Any:
        for batch in batches:
            yield batch.take(random.sample(range(batch.num_rows), batch.num_rows))

    # Spark is not told that the function gives something else each time.
    draw = sf.udf(lambda _number: random.randrange(ages), "int")
    rows = spark.range(ROWS, numPartitions=3).select(
        sf.col("id").alias("number"),
        draw("id").alias("age"),
        sf.expr("IF(rand() < 0.5, 'f', 'm')").alias("sex"),
    )
    return rows.mapInArrow(in_any_order, rows.schema)


def rows_of(frame: Any) -> Counter[Any]:
    return Counter(map(tuple, frame.collect()))


def check_frame(frame: Any, was: Counter[Any]) -> None:
    """The same rows by every way that Spark has to them, and as many people in each class as were promised."""
    assert rows_of(frame) == was
    assert Counter(pl.DataFrame(pl.from_arrow(frame.toArrow())).rows()) == was
    classes = {tuple(row)[:2]: row[2] for row in frame.groupBy(*QUASI_IDENTIFIERS).count().collect()}
    names = frame.columns
    places = [names.index(name) for name in QUASI_IDENTIFIERS]
    assert classes == Counter(tuple(row[place] for place in places) for row in was.elements())
    assert min(classes.values()) >= 5


def test_a_frame_of_rows_that_differ_at_every_read_is_what_was_verified(spark: Any) -> None:
    source = by_chance(spark)
    assert rows_of(source) != rows_of(source)
    release = celosia.anonymize(source, **HOW)
    was = rows_of(release.table)
    assert sum(was.values()) == release.verification.rows
    assert len(release.table.groupBy(*QUASI_IDENTIFIERS).count().collect()) == release.verification.classes
    check_frame(release.table, was)
    spark.catalog.clearCache()
    check_frame(release.table, was)


@pytest.mark.parametrize("chain", [{"paid": "shuffle"}, {"paid": "keep"}])
def test_what_operations_made_of_rows_that_differ_at_every_read_stays(spark: Any, chain: Any) -> None:
    source = by_chance(spark).withColumnRenamed("age", "paid")
    release = celosia.mask_columns(source, chain, common=["number", "sex"])
    was = rows_of(release.table)
    assert sum(was.values()) == ROWS
    spark.catalog.clearCache()
    assert rows_of(release.table) == was
    assert rows_of(release.table.select("*")) == was  # by a plan of its own


def people(first: int) -> pl.DataFrame:
    """So many people, ten of each age."""
    numbers = range(first, first + ROWS)
    return pl.DataFrame(
        {"number": numbers, "age": [i % 40 for i in numbers], "sex": ["fm"[i % 2] for i in numbers]}
    )


def test_a_frame_stays_what_it_is_when_somebody_writes_to_its_source(spark: Any, tmp_path: Path) -> None:
    path, more = (
        f"file://{tmp_path}/people.parquet",
        spark.createDataFrame(people(7 * ROWS + 3).to_arrow()).limit(7),
    )
    spark.createDataFrame(people(0).to_arrow()).write.parquet(path)
    spark.sql("CREATE DATABASE written_to")
    try:
        spark.read.parquet(path).write.saveAsTable("written_to.people")
        sources = [spark.read.parquet(path), spark.table("written_to.people")]
        releases = [celosia.anonymize(source, **HOW) for source in sources]
        before = [rows_of(release.table) for release in releases]
        more.write.mode("append").parquet(path)
        more.createOrReplaceTempView("more_people")
        spark.sql("INSERT INTO written_to.people SELECT * FROM more_people")
        assert [spark.read.parquet(path).count(), spark.table("written_to.people").count()] == [ROWS + 7] * 2
        for release, was in zip(releases, before, strict=True):
            check_frame(release.table, was)
    finally:
        spark.sql("DROP VIEW IF EXISTS more_people")
        spark.sql("DROP DATABASE written_to CASCADE")


def test_what_is_planned_from_rows_that_differ_at_every_read_is_made_of_the_same(
    spark: Any, tmp_path: Path
) -> None:
    # Of so many ages hardly any comes again at a second read.
    source = by_chance(spark, ages=1_000_000)
    for place in ("safe.parquet", "texts.csv"):
        release = celosia.anonymize(source, out=f"file://{tmp_path}/{place}", **HOW)
        assert release.verification.passed
        assert release.written.written == ROWS


def test_rows_that_a_condition_draws_are_drawn_once(spark: Any, tmp_path: Path) -> None:
    path = f"file://{tmp_path}/people.parquet"
    spark.createDataFrame(people(0).to_arrow()).write.parquet(path)
    # Another function at each row and each read, that Spark may not take for the same.
    where = "reflect('java.lang.Math', 'random') < 0.5"
    release = celosia.anonymize(path, where=where, out=f"file://{tmp_path}/safe.parquet", **HOW)
    assert 0 < release.written.written < ROWS
    assert release.written.source == release.written.written + release.written.suppressed


def test_frames_that_read_the_same_each_time_are_told_from_those_that_may_not(
    spark: Any, tmp_path: Path
) -> None:
    path = f"file://{tmp_path}/people.parquet"
    spark.createDataFrame(people(0).to_arrow()).write.parquet(path)
    table = spark.read.parquet(path)
    same = [
        table,
        table.where("age > 3").select("age", sf.upper("sex")),
        table.unionByName(table),
        spark.range(9),
        by_chance(spark).localCheckpoint(),
    ]
    assert [reads_the_same(frame) for frame in same] == [True] * len(same)
    others = [
        table.withColumn("drawn", sf.rand()),
        table.withColumn("drawn", sf.udf(lambda age: age, "int")("age")),
        table.mapInArrow(lambda batches: batches, table.schema),
        table.limit(3),
        table.sample(0.5),
        table.join(table.select("number"), "number"),
        table.repartition(3),
        table.orderBy("age"),
        table.groupBy("sex").agg(sf.avg("age")),
        table.dropDuplicates(["age"]),
        table.where("age > (SELECT avg(id) FROM range(9))"),
        spark.createDataFrame(spark.sparkContext.parallelize([(1,)]), "age int"),
        by_chance(spark).localCheckpoint(eager=False),
        by_chance(spark).cache(),
    ]
    assert [reads_the_same(frame) for frame in others] == [False] * len(others)
    others[-1].unpersist()


def test_a_source_that_was_read_once_is_let_go_of(spark: Any, tmp_path: Path) -> None:
    before = kept_by(spark)
    celosia.anonymize(by_chance(spark), out=f"file://{tmp_path}/safe.parquet", **HOW)
    with pytest.raises(CelosiaError):
        celosia.anonymize(by_chance(spark), quasi_identifiers=["nobody"], k=5)
    assert kept_by(spark) <= before


def kept_by(spark: Any) -> set[int]:
    return set(spark.sparkContext._jsc.getPersistentRDDs())


def test_with_a_checkpoint_directory_a_frame_lies_in_files_that_are_private_and_do_not_stay(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with checkpoints_in(spark, tmp_path):
        release = celosia.anonymize(by_chance(spark), **HOW)
        check_frame(release.table, rows_of(release.table))
        (folder,) = tmp_path.iterdir()
        assert folder.stat().st_mode & 0o777 == 0o700
        files = list(folder.glob("rdd-*"))
        assert len(files) == 1  # of the release; what was read once of the source lies with the executors
        broken = Finding("operation keep", "sex", 0, 1, 0, False, "1 different value of 'sex' not kept")
        monkeypatch.setattr(finish, "verify_masked", lambda *_, **__: (broken,))
        with pytest.raises(ReleaseError, match="withdrawn: 1 different value of 'sex' not kept"):
            celosia.mask_columns(by_chance(spark), {"sex": "keep"}, common=["age", "number"])
        assert list(folder.glob("rdd-*")) == files


@contextmanager
def checkpoints_in(spark: Any, folder: Path) -> Iterator[None]:
    """A session has a checkpoint directory; other tests share the session, and there is no call that takes it away."""
    context = spark.sparkContext._jsc.sc()
    before = context.getCheckpointDir()
    spark.sparkContext.setCheckpointDir(str(folder))
    try:
        yield
    finally:
        getattr(context, "checkpointDir_$eq")(before)


def test_rows_that_were_lost_are_told_and_not_computed_again(spark: Any) -> None:
    release = celosia.anonymize(by_chance(spark), **HOW)
    rows: Any = release.table._jdf.queryExecution().analyzed().rdd()
    rows.unpersist(True)  # as if all executors that had them were gone
    with (
        pytest.raises(TableError, match="the cluster lost the executors that kept some of the rows"),
        spark_errors_explained(""),
    ):
        release.table.collect()


PROGRAM = """
import json, random, sys
from collections import Counter
import celosia
from pyspark.sql import functions as sf
from celosia.errors import TableError
from celosia.tables.spark.session import opened_session
from celosia.tables.spark.errors import spark_errors_explained

def rows(frame):
    return Counter(map(tuple, frame.collect()))

def say(what):
    print(json.dumps(what), flush=True)
    sys.stdin.readline()

master, settings, folder = json.loads(sys.argv[1])
with opened_session(master, settings) as spark:
    draw = sf.udf(lambda _number: random.randrange(60), "int")
    people = spark.range(400, numPartitions=4).select(draw("id").alias("age"), sf.lit("f").alias("sex"))
    assert rows(people) != rows(people)
    kept = celosia.mask_columns(people, {"age": "keep"}, common=["sex"]).table
    spark.sparkContext.setCheckpointDir(folder)
    filed = celosia.mask_columns(people, {"age": "keep"}, common=["sex"]).table
    before = rows(kept), rows(filed)
    say("handed over")
    say([rows(kept) == before[0], rows(filed) == before[1]])
    try:
        with spark_errors_explained("kept"):
            rows(kept)
        lost = "nothing"
    except TableError as error:
        lost = error.what
    say([lost, rows(filed) == before[1]])
"""


@pytest.mark.exhaustive
def test_frames_outlive_an_executor_and_are_never_computed_again_when_all_are_lost(
    cluster: Cluster, tmp_path: Path
) -> None:
    given = [cluster.master, settings_of_a_driver(cluster) | TOGETHER, str(tmp_path)]
    command = [sys.executable, "-c", PROGRAM, json.dumps(given)]
    with subprocess.Popen(
        command,
        env=environment_of_a_driver(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        try:
            answers = []
            for lose in (lambda: cluster.kill_worker(1), lambda: lose_the_other(cluster), lambda: None):
                answers.append(json.loads(program.stdout.readline()))
                lose()
                program.stdin.write("\n")
                program.stdin.flush()
            assert program.wait(timeout=PATIENCE) == 0
        finally:
            program.kill()
    assert answers == [
        "handed over",
        [True, True],
        ["the cluster lost the executors that kept some of the rows", True],
    ]


def lose_the_other(cluster: Cluster) -> None:
    """Both workers are others than those that had the rows."""
    cluster.kill_worker(2)
    cluster.have_both_workers()
