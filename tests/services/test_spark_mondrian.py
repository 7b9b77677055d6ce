"""Mondrian on a cluster: the same cuts and the same release as on one machine, and nothing is left of the work."""

import datetime
import decimal
import math
import operator
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pyspark.sql import functions as sf
from same_cuts import same_counts

import celosia
from celosia.errors import HierarchyError, NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, KAnonymity, TCloseness
from celosia.recode import parts_plan
from celosia.recode.cuts import CutAxis, CutTree
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.mondrian import CutRules
from celosia.recode.rothko import MemoryNeed, plan_parts
from celosia.recode.splitters import open_splitter
from celosia.tables import open_table
from celosia.tables.spark import parts as cluster_parts
from celosia.tables.spark.open import open_spark_table
from celosia.tables.spark.parts import recoded_in_parts, worker_memory
from celosia.tables.table import no_progress
from celosia.types import ColumnType

RANDOM = settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to look for a smaller failure takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=3) | st.sampled_from(
    ["a", "A", "ab", "a ", "b'", 'c"', "\\", "%s", "ñ", "?", "", "😀", "\uffff"]
)
REALS = st.floats() | st.sampled_from([0.0, -0.0, 1.5, 5e-324, 1.7e308, -1.7e308, math.nan, math.inf])
TIMES = st.datetimes(datetime.datetime(1000, 1, 1), datetime.datetime(9999, 1, 1))
COLUMNS = [
    ("n", ColumnType.INTEGER, pl.Int64, st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)),
    ("i", ColumnType.INTEGER, pl.Int16, st.integers(-3, 3)),
    ("r", ColumnType.REAL, pl.Float64, REALS),
    ("t", ColumnType.TEXT, pl.String, TEXTS),
    ("b", ColumnType.BOOLEAN, pl.Boolean, st.booleans()),
    (
        "c",
        ColumnType.DECIMAL,
        pl.Decimal(9, 2),
        st.integers(-(10**6), 10**6).map(lambda cents: decimal.Decimal(cents) / 100),
    ),
    ("d", ColumnType.DATE, pl.Date, st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))),
    ("z", ColumnType.DATETIME, pl.Datetime("us", "UTC"), TIMES),
    ("s_text", None, pl.String, TEXTS),
    ("s_date", None, pl.Date, st.dates(datetime.date(1999, 12, 30), datetime.date(2000, 1, 2))),
]
"""The name, the type (None: sensitive), the type in the frame, and the values: Spark reads all of them itself."""
BY_NAME = operator.itemgetter(0)
ODD = [
    ("h", ColumnType.TEXT, pl.String, st.sampled_from(["x", "y", "z", "w", "X", "?"])),
    ("m", ColumnType.DATETIME, pl.Datetime("us"), TIMES),
    ("w", ColumnType.INTEGER, pl.String, st.integers(-3, 3).map(lambda number: f" {number}")),
    ("s_real", None, pl.Float64, REALS),
]
"""Columns that Spark leaves to us."""
TREE = Hierarchy.from_rows("h", [("z", "B", "*"), ("x", "A", "*"), ("w", "B", "*"), ("y", "A", "*")])


def on_spark(spark: Any, frame: pl.DataFrame) -> Any:
    """A frame as Spark has it, on two machines at least."""
    return spark.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest())).repartition(2)


def traces(spark: Any) -> set[str]:
    """Frames that Spark keeps, which it may let go of once nobody knows them, and views of ours."""
    views = {row.viewName for row in spark.sql("SHOW VIEWS LIKE 'celosia*'").collect()}
    return views | {f"kept {number}" for number in spark.sparkContext._jsc.getPersistentRDDs()}


@RANDOM
@given(data=st.data())
def test_spark_tells_of_its_parts_what_our_engine_tells_of_a_copy(spark, data):
    # Few columns at a time: Spark compiles each query, and it takes long over many.
    columns = data.draw(st.lists(st.sampled_from(COLUMNS[:-2]), min_size=3, max_size=3, unique_by=BY_NAME))
    columns.append(data.draw(st.sampled_from(COLUMNS[-2:])))
    if data.draw(st.booleans(), label="read by us"):
        columns += [data.draw(st.sampled_from(ODD[:-1])), ODD[-1]]
    count = data.draw(st.integers(1, 8), label="rows")
    frame = pl.DataFrame(
        [
            pl.Series(name, data.draw(st.lists(st.none() | values, min_size=count, max_size=count)), dtype)
            for name, _, dtype, values in columns
        ]
    )
    table = open_spark_table(on_spark(spark, frame))
    how = {
        "markers": table.options.missing,
        "missing": data.draw(st.sampled_from(MissingPolicy)),
        "unknown": UnknownPolicy.SUPPRESS,
    }
    lines = tuple(
        CutAxis(name, kind, TREE if name == "h" else None, **how) for name, kind, _, _ in columns if kind
    )
    line = data.draw(st.integers(0, len(lines) - 1), label="line")
    same_in_both(table, frame, cuts_of(data, frame, lines), line)


def cuts_of(data, frame: pl.DataFrame, lines) -> CutTree:
    """Cuts at values that the rows have."""
    cuts = CutTree(lines)
    for _ in range(data.draw(st.integers(0, 4), label="cuts")):
        line = data.draw(st.integers(0, len(lines) - 1))
        places = lines[line].read(frame.get_column(lines[line].name)).drop_nulls().to_list()
        if places:
            part = data.draw(st.integers(0, cuts.count - 1))
            cuts = cuts.divide({part: (line, data.draw(st.sampled_from(places)))})
    return cuts


def same_in_both(table, frame: pl.DataFrame, cuts: CutTree, line: int) -> None:
    sensitive = tuple(name for name in frame.columns if name.startswith("s_"))
    before = traces(table.spark)
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        how = {"private": Path(folder), "memory": 1 << 27, "progress": no_progress}
        one, total = stack.enter_context(open_splitter(table, cuts.lines, sensitive, **how))
        assert total == frame.height
        other, _ = stack.enter_context(open_splitter(open_table(frame), cuts.lines, sensitive, **how))
        mode = other.mode(line)
        assert one.mode(line) == mode
        if mode is not None:
            one, other = one.fill({line: mode}), other.fill({line: mode})
        same_counts(one, other, cuts, line, len(sensitive))
        assert not traces(table.spark) <= before
    assert traces(table.spark) <= before


QUASI_IDENTIFIERS = ["age", "pay", "born", "city"]
CITY = Hierarchy(column="city", labels=TREE.labels, codes=TREE.codes)


def people(rows: int, seed: int, gaps: float = 0.1) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": random.integers(0, 60, rows, dtype=np.int32),
            "pay": random.lognormal(3, 2, rows).round(2),
            "born": pl.Series(random.integers(0, 9000, rows, dtype=np.int32)).cast(pl.Date),
            "city": random.choice(["x", "y", "z", "w"], rows),
            "ill": random.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    frame = frame.with_columns(
        pl.when(pl.Series(random.random(rows) < gaps)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )
    return frame.with_columns(pl.int_range(rows).alias("row"))


@pytest.fixture
def heavy_rows(monkeypatch):
    """Rows that are thought to take a megabyte each, so that few of them fit."""
    monkeypatch.setattr(MemoryNeed, "ROW", 1_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)


CASES = {
    "close": (
        "mondrian",
        {"missing": "mode", "represent": "median", "split": "gain", "target": "ill"},
        [TCloseness(column="ill", t=0.5), DistinctLDiversity(column="ill", l=2)],
    ),
    "published": ("distribution-mondrian", {"missing": "drop"}, []),
}


@pytest.mark.usefixtures("heavy_rows")
@pytest.mark.parametrize(("technique", "options", "models"), CASES.values(), ids=CASES)
def test_what_is_released_by_parts_on_a_cluster_is_what_one_machine_releases(
    spark, tmp_path, technique, options, models
):
    frame = people(500 if technique == "mondrian" else 350, 7)
    columns = QUASI_IDENTIFIERS[:2] if technique == "distribution-mondrian" else QUASI_IDENTIFIERS
    asked = {
        "quasi_identifiers": columns,
        "sensitive": ["ill"],
        "common": ["row", *(name for name in QUASI_IDENTIFIERS if name not in columns)],
        "hierarchies": {"city": CITY} if "city" in columns else {},
        "k": 5,
        "models": models,
        "technique": technique,
        "memory": 700_000_000,
        **options,
    }
    expected = celosia.anonymize(frame, out=tmp_path / "safe.parquet", **asked)
    before = traces(spark)
    release = celosia.anonymize(on_spark(spark, frame), **asked)
    safe = pl.DataFrame(pl.from_arrow(release.table.toArrow()))
    assert len(traces(spark) - before) == 1  # the release
    assert release.plan.details["parts"] == expected.plan.details["parts"] > 1
    assert release.verification.passed
    assert dict(release.plan.measures) == pytest.approx(dict(expected.plan.measures))
    assert release.written == expected.written
    other = pl.read_parquet(tmp_path / "safe.parquet")
    assert [as_plain(kind) for kind in safe.dtypes] == [as_plain(kind) for kind in other.dtypes]
    assert safe.sort("row").rows() == other.sort("row").rows()
    keeps_promises(safe, columns, models)


def as_plain(dtype: pl.DataType) -> pl.DataType:
    return pl.String() if dtype in (pl.Categorical, pl.Enum) else dtype


def keeps_promises(safe: pl.DataFrame, columns: list[str], models) -> None:
    ills = safe.get_column("ill").fill_null("")
    classes = safe.with_columns(ills).group_by(columns).agg("ill").get_column("ill").to_list()
    shares = dict(ills.value_counts(normalize=True, name="share").rows())
    for group in classes:
        assert len(group) >= 5
        for model in models:
            if isinstance(model, DistinctLDiversity):
                assert len(set(group)) >= model.l
            else:
                apart = sum(abs(group.count(value) / len(group) - share) for value, share in shares.items())
                assert apart / 2 <= model.t + 1e-9


@pytest.mark.usefixtures("heavy_rows")
def test_texts_of_a_file_are_cut_as_the_values_they_mean_and_other_columns_pass(spark, tmp_path):
    frame = people(380, 8, gaps=0.0)
    frame.write_csv(tmp_path / "people.csv")
    release = celosia.anonymize(
        f"file://{tmp_path}/people.csv",
        out=f"file://{tmp_path}/safe.parquet",
        quasi_identifiers=QUASI_IDENTIFIERS,
        identifiers=["row"],
        common=["ill"],
        k=5,
        technique="mondrian",
        represent="mode",
        memory=700_000_000,
    )
    assert release.plan.details["parts"] > 1
    assert "cut into" in release.plan.note
    safe = pl.read_parquet(tmp_path / "safe.parquet" / "*.parquet")
    assert dict(safe.schema) == {
        "age": pl.Int64(),
        "pay": pl.Float64(),
        "born": pl.Date(),
        "city": pl.String(),
        "ill": pl.String(),
    }
    assert safe.group_by(QUASI_IDENTIFIERS).len().get_column("len").min() >= 5
    assert safe.get_column("ill").sort().to_list() == frame.get_column("ill").sort().to_list()


@pytest.mark.usefixtures("heavy_rows")
@pytest.mark.parametrize(
    "technique",
    [{"technique": "mondrian", "relaxed": True}, {"technique": "clustering"}],
    ids=["relaxed", "near"],
)
def test_people_with_the_same_values_may_part_and_columns_of_any_kind_pass(spark, monkeypatch, technique):
    frame = people(300, 9, gaps=0.0).select("row", "ill", pl.col("age") // 20)
    source = on_spark(spark, frame).withColumns(
        {"map": sf.create_map("ill", "row"), "list": sf.array("row", "row")}
    )
    asked = {"quasi_identifiers": ["age"], "common": ["row", "ill", "map", "list"], "k": 5}
    release = celosia.anonymize(source, memory=700_000_000, **asked, **technique)
    assert release.verification.passed
    assert "people with the same values may part" in release.plan.note
    rows = release.table.collect()
    assert sorted(row["row"] for row in rows) == list(range(300))
    assert all(row["map"] == {row["ill"]: row["row"]} and row["list"] == [row["row"]] * 2 for row in rows)
    costs_once(source, release)
    are_recoded_alike(source, release, monkeypatch)


def costs_once(source, release) -> None:
    """A part that is recoded again, as after the loss of a machine, is not counted twice."""
    costs = dict(release.plan.measures)
    again = recoded_in_parts(open_spark_table(source), release.plan.recoding)
    assert again.count() == again.count() == release.verification.rows
    assert dict(release.plan.measures) == costs
    assert costs["loss"] == 0.0


def are_recoded_alike(source, release, monkeypatch) -> None:
    """However rows travel, each has the number of its place in the source, and lands in the class where it was."""
    table = open_spark_table(source)
    places = table.plain.withColumn("number", sf.rand(3)).select(table.place("row"), "number")
    expected = dict(map(tuple, places.collect()))
    ages = []
    for partitions in (1, 4):
        monkeypatch.setattr(cluster_parts, "PARTITIONS", partitions)
        rows = recoded_in_parts(table, release.plan.recoding, 3).collect()
        assert {row["row"]: row[-1] for row in rows} == expected
        ages.append({row["row"]: row["age"] for row in rows})
    assert ages[0] == ages[1]


def test_few_combinations_are_cut_on_the_driver_and_the_plan_says_so(spark):
    frame = people(200, 4, gaps=0.0).select("age", "ill")
    asked = {"quasi_identifiers": ["age"], "common": ["ill"], "k": 5, "technique": "mondrian"}
    release = celosia.anonymize(on_spark(spark, frame), **asked)
    assert "brought here" in release.plan.note
    expected = celosia.anonymize(frame, **asked)
    assert sorted(map(tuple, release.table.collect())) == sorted(expected.table.rows())


def test_what_cannot_be_cut_is_said_and_nothing_is_left(spark, tmp_path):
    table = open_spark_table(on_spark(spark, people(60, 5).with_columns(city=pl.lit("nowhere"))))
    before = traces(spark)
    asked = {
        "types": {"age": ColumnType.INTEGER, "city": ColumnType.TEXT},
        "rules": CutRules(models=(KAnonymity(k=20),)),
        "budget": 25,
        "folder": tmp_path,
        "need": int,
    }
    with pytest.raises(HierarchyError, match="does not cover 'nowhere';"):
        plan_parts(table, quasi_identifiers=["age", "city"], hierarchies={"city": CITY}, **asked)
    with pytest.raises(NoSolutionError, match="that no cut can part safely"):
        plan_parts(table, quasi_identifiers=["age", "city"], hierarchies={}, **asked)
    # That parts are wanted for the cores is no reason to refuse.
    asked["budget"] = 100
    parts = plan_parts(table, quasi_identifiers=["age"], hierarchies={}, wanted=9, **asked)
    assert parts.count in (2, 3)
    assert sum(parts.rows) == 60
    assert traces(spark) <= before
    assert list(tmp_path.iterdir()) == []


def test_a_worker_may_take_its_share_of_what_the_driver_has(spark):
    assert worker_memory(spark) == (1 << 30) // 2
