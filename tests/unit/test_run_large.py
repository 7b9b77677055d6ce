"""Tables that do not fit in the memory allowed: recoded part by part, with the same promises as any other."""

import gc
import os
import subprocess
import sys

import numpy as np
import polars as pl
import pytest
from scipy.stats import ks_2samp, wasserstein_distance

import celosia
from celosia.errors import CelosiaError
from celosia.recode import parts_plan
from celosia.recode.rothko import MemoryNeed

ALLOWED = 700_000_000
ROWS = 600


@pytest.fixture(autouse=True, scope="module")
def little_to_collect():
    """Memory is collected before every part: not all that other tests have loaded, which takes most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(autouse=True)
def heavy_rows(monkeypatch):
    """Rows that are thought to take a megabyte each, so that few of them fit."""
    monkeypatch.setattr(MemoryNeed, "ROW", 1_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)


def people(rows=ROWS, seed=1):
    random = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(rows)],
            "age": random.integers(18, 90, rows),
            "income": random.lognormal(10, 1, rows).round(2),
            "town": random.choice(["Soria", "Lugo", "Ávila", "Teruel"], rows),
            "ill": random.choice(["flu", "gout", "asthma"], rows),
        }
    )


def released(tmp_path, frame=None, *, source="people.parquet", out="safe.parquet", **options):
    frame = people() if frame is None else frame
    if source.endswith(".csv"):
        frame.write_csv(tmp_path / source)
    else:
        frame.write_parquet(tmp_path / source)
    settings = {"k": 5, "technique": "mondrian", "represent": "mode", "memory": ALLOWED, **options}
    return celosia.anonymize(
        tmp_path / source,
        quasi_identifiers=["age", "income", "town"],
        sensitive=["ill"],
        identifiers=["name"],
        out=tmp_path / out,
        **settings,
    )


@pytest.mark.parametrize(
    ("source", "out"), [("p.parquet", "s.parquet"), ("p.csv", "s.csv"), ("p.csv", "s.parquet")]
)
@pytest.mark.parametrize("split", ["loss", "distribution"])
def test_a_table_in_parts_is_released_whole_and_k_anonymous(tmp_path, source, out, split):
    release = released(tmp_path, source=source, out=out, split=split)
    assert release.plan.details["parts"] > 2
    assert release.verification.passed
    table = pl.read_parquet(tmp_path / out) if out.endswith("parquet") else pl.read_csv(tmp_path / out)
    assert table.height == ROWS
    assert "name" not in table.columns
    assert table.group_by("age", "income", "town").len()["len"].min() >= 5
    assert table["ill"].value_counts().sort("ill").equals(people()["ill"].value_counts().sort("ill"))


def test_numbers_stay_numbers_of_their_type_in_every_part(tmp_path):
    frame = people().with_columns(pl.col("age").cast(pl.UInt8), pl.col("income").cast(pl.Float32))
    released(tmp_path, frame)
    schema = pl.read_parquet_schema(tmp_path / "safe.parquet")
    assert schema["age"] == pl.UInt8
    assert schema["income"] == pl.Float32


@pytest.mark.parametrize(
    "model",
    [
        celosia.DistinctLDiversity(column="ill", l=3),
        celosia.EntropyLDiversity(column="ill", l=2),
        celosia.RecursiveCLDiversity(column="ill", c=3, l=2),
        celosia.TCloseness(column="ill", t=0.3),
        celosia.TCloseness(column="ill", t=0.3, distance="ordered", order=("gout", "flu", "asthma")),
    ],
)
def test_every_model_holds_over_the_parts_together(tmp_path, model):
    release = released(tmp_path, models=[model])
    assert release.plan.details["parts"] > 1
    again = celosia.verify(
        tmp_path / "safe.parquet", quasi_identifiers=["age", "income", "town"], k=5, models=[model]
    )
    assert again.passed
    outside = {finding.name: finding.reached for finding in release.verification.findings}
    inside = {finding.name: finding.reached for finding in again.findings}
    assert {name: outside[name] for name in inside} == pytest.approx(inside)
    assert release.verification.risk == again.risk


def test_the_risk_before_is_that_of_the_whole_table(tmp_path):
    frame = people().with_columns((pl.col("income") / 10_000).floor())
    release = released(tmp_path, frame)
    classes = frame.group_by("age", "income", "town").len()["len"]
    assert release.risk_before.uniques == (classes == 1).sum()
    assert release.risk_before.classes == len(classes)


def test_what_it_cost_is_known_when_all_parts_are_done(tmp_path):
    inside = released(tmp_path, out="a.parquet", memory=None).plan
    parts = released(tmp_path, out="b.parquet").plan
    assert inside.classes is not None
    assert parts.classes is None
    assert set(parts.measures) == set(inside.measures)
    assert 0 < parts.measures["loss"] < 2 * inside.measures["loss"]


def test_missing_values_are_left_out_or_filled_over_all_parts(tmp_path):
    frame = people().with_columns(town=pl.when(pl.int_range(pl.len()) % 10 == 0).then(None).otherwise("town"))
    dropped = released(tmp_path, frame, out="a.parquet", missing="drop")
    assert dropped.written.excluded == ROWS // 10
    filled = released(tmp_path, frame, out="b.parquet", missing="mode")
    assert filled.written.written == ROWS
    assert pl.read_parquet(tmp_path / "b.parquet")["town"].null_count() == 0


def test_nothing_is_left_beside_the_release(tmp_path):
    released(tmp_path)
    assert sorted(os.listdir(tmp_path)) == ["people.parquet", "safe.parquet", "safe.record.json"]


def test_too_little_memory_is_said_with_what_would_do(tmp_path):
    with pytest.raises(CelosiaError, match=r"of memory, and .* allowed; allow .* with --memory"):
        released(tmp_path, k=400)
    assert os.listdir(tmp_path) == ["people.parquet"]


def test_a_part_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def broken(*_, **__):
        raise MemoryError

    monkeypatch.setattr(parts_plan, "local_recoding", broken)
    with pytest.raises(MemoryError):
        released(tmp_path)
    assert os.listdir(tmp_path) == ["people.parquet"]


def test_less_memory_than_any_run_takes_is_refused(tmp_path):
    with pytest.raises(CelosiaError, match="allow 700 MB or more"):
        released(tmp_path, memory=100_000_000)


def test_a_limit_without_a_file_to_write_is_refused():
    with pytest.raises(CelosiaError, match="there is none to write to"):
        celosia.anonymize(
            people(),
            quasi_identifiers=["age"],
            identifiers=["name"],
            k=5,
            technique="mondrian",
            memory=ALLOWED,
        )


def test_truth_values_are_filled_over_all_parts(tmp_path):
    frame = people().with_columns(
        town=pl.when(pl.int_range(pl.len()) % 3 == 0).then(None).otherwise(pl.col("age") > 60)
    )
    released(tmp_path, frame, missing="mode", keep_type=["town"])
    assert pl.read_parquet(tmp_path / "safe.parquet")["town"].null_count() == 0


def test_ranges_are_written_alike_in_every_part(tmp_path):
    frame = people().with_columns(income=pl.col("income") - 20_000)
    released(tmp_path, frame, represent="range")
    labels = pl.read_parquet(tmp_path / "safe.parquet")["income"]
    assert labels.filter(labels.str.starts_with("[")).str.contains(" - ").all()


def test_a_wide_table_is_written_within_the_memory_allowed(tmp_path):
    program = """
import sys
import numpy as np
import polars as pl
import celosia
random = np.random.default_rng(1)
rows = 16_000
texts = {f"note {i}": pl.Series(random.integers(0, 1 << 40, rows)).cast(pl.String) + "x" * 300 for i in range(40)}
pl.DataFrame({"a": random.integers(0, 90, rows), "b": random.normal(size=rows), **texts}).write_csv(sys.argv[1])
del texts
celosia.anonymize(
    sys.argv[1], quasi_identifiers=["a", "b"], common=[f"note {i}" for i in range(40)], k=5, technique="mondrian",
    memory=1_000_000_000, out=sys.argv[2],
)
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "wide.csv"), str(tmp_path / "safe.csv")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(done.stdout) * 1024 < 1_000_000_000


@pytest.mark.parametrize(("source", "out"), [("p.parquet", "s.parquet"), ("p.csv", "s.csv")])
def test_a_table_in_parts_gets_the_distances_of_all_its_columns_that_keep_their_type(tmp_path, source, out):
    frame = people().with_columns(pl.when(pl.col("age") < 30).then(None).otherwise("income").alias("income"))
    release = released(tmp_path, frame, source=source, out=out)
    assert release.plan.details["parts"] > 2
    found = {column.column: column for column in release.comparison.columns}
    assert list(found) == ["age", "income"]
    shown = pl.read_parquet(tmp_path / out) if out.endswith("parquet") else pl.read_csv(tmp_path / out)
    for name, column in found.items():
        before, after = frame[name].drop_nulls().to_numpy(), shown[name].drop_nulls().to_numpy()
        assert column.distance == pytest.approx(ks_2samp(before, after).statistic, abs=1e-12)
        assert column.wasserstein == pytest.approx(wasserstein_distance(before, after), rel=1e-9)
        assert column.missing_before == frame[name].null_count() / frame.height
        assert column.missing_after == shown[name].null_count() / shown.height
    assert found["income"].missing_after > 0.1
    assert release.record["distributions"]["correlation_largest"] is not None
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".celosia")]
