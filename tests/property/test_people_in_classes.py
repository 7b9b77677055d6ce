"""People with several rows, counted in every class: each technique on random tables, against counting by hand."""

import gc
import random
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import NoSolutionError
from celosia.project import make_project
from celosia.recode import parts_plan
from celosia.recode.rothko import MemoryNeed
from celosia.recode.techniques import make_technique
from celosia.run import run_project

TECHNIQUES = {
    "mondrian": ("mondrian", {}),
    "mondrian by medians": ("mondrian", {"split": "median"}),
    "distribution-mondrian": ("distribution-mondrian", {}),
    "clustering": ("clustering", {}),
    "local": ("local", {}),
    "top-down": ("top-down", {}),
    "two-phase": ("two-phase", {}),
    "datafly": ("full-domain", {"search": "datafly"}),
    "incognito": ("full-domain", {"search": "incognito"}),
    "samarati": ("full-domain", {"search": "samarati"}),
}
QUASI = ["age", "height"]


def visits(seed: int, *, rows: int = 60, gaps: float = 0.1) -> pl.DataFrame:
    """Rows of few people, some of whom have many; names in several spellings; every row has a number of its own."""
    chance = random.Random(seed)
    people = [f"p{number}" for number in range(chance.randint(5, 25))]
    who = [chance.choice(people[: 1 + int(len(people) * chance.random())]) for _ in range(rows)]
    return pl.DataFrame(
        {
            "who": [chance.choice([name, name.upper(), f" {name}"]) for name in who],
            "age": [None if chance.random() < gaps else chance.randint(20, 60) for _ in range(rows)],
            "height": [chance.randint(150, 160) for _ in range(rows)],
            "ill": [chance.choice(["flu", "asthma", "gout"]) for _ in range(rows)],
            "row": list(range(rows)),
        }
    )


def project_of(name: str, k: int, **table: Any) -> Any:
    technique, parameters = TECHNIQUES[name]
    columns = {**dict.fromkeys(QUASI, "quasi-identifier"), "ill": "sensitive", "row": "common"}
    return make_project(
        models=[{"model": "k-anonymity", "k": k}],
        technique=make_technique(technique, **parameters),
        suppression=0.0 if "mondrian" in name or name == "clustering" else 0.3,
        seed=1,
        tables={"visits": {"person": "who", "columns": columns, **table}},
    )


def people_of(name: str) -> str:
    return name.strip().lower()


def smallest_class(original: pl.DataFrame, released: pl.DataFrame) -> int:
    """The fewest people of a class, each row found again by its number."""
    owners = dict(zip(original["row"], map(people_of, original["who"]), strict=True))
    classes: dict[tuple[Any, ...], set[str]] = {}
    for row in released.iter_rows(named=True):
        classes.setdefault(tuple(row[name] for name in QUASI), set()).add(owners[row["row"]])
    return min(map(len, classes.values()))


@pytest.mark.parametrize("name", list(TECHNIQUES))
@settings(max_examples=12)
@given(seed=st.integers(0, 10_000), k=st.integers(2, 4))
def test_every_class_has_k_different_people_and_every_row_is_accounted_for(name, seed, k):
    original = visits(seed)
    try:
        release = run_project(project_of(name, k), sources={"visits": original})["visits"]
    except NoSolutionError:
        return  # some tables have fewer people than that
    reached = smallest_class(original, release.table)
    assert reached >= k
    assert release.risk_after.k == reached
    assert release.verification.findings[0].reached == reached
    assert "who" not in release.table.columns
    written = release.written
    assert written.source == written.written + written.suppressed + written.excluded == original.height
    assert release.table.height == written.written


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000))
def test_the_risk_before_is_that_of_people_in_the_classes_of_the_original(seed):
    original = visits(seed)
    try:
        release = run_project(project_of("mondrian", 2), sources={"visits": original})["visits"]
    except NoSolutionError:
        return
    by_class = original.with_columns(pl.col("who").str.strip_chars().str.to_lowercase())
    sizes = by_class.group_by(QUASI).agg(pl.col("who").n_unique())["who"]
    assert release.risk_before.k == sizes.min()
    assert release.risk_before.uniques == (sizes == 1).sum()
    assert release.risk_before.rows == sizes.sum()


@pytest.fixture
def little_to_collect():
    """Memory is collected before every part: not all that other tests have loaded, which takes most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.usefixtures("little_to_collect")
@pytest.mark.parametrize(
    ("name", "ending"), [("mondrian", "csv"), ("distribution-mondrian", "parquet"), ("clustering", "parquet")]
)
def test_a_table_that_is_recoded_part_by_part_has_k_people_in_every_class(
    tmp_path, monkeypatch, name, ending
):
    monkeypatch.setattr(MemoryNeed, "ROW", 1_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)
    original = visits(3, rows=900, gaps=0.0)
    path, out = tmp_path / f"visits.{ending}", tmp_path / f"safe.{ending}"
    (original.write_csv if ending == "csv" else original.write_parquet)(path)
    project = project_of(name, 3, source=str(path), destination=str(out))
    technique = make_technique(project.technique.name, memory=700_000_000)
    release = run_project(project.model_copy(update={"technique": technique}))["visits"]
    assert release.technique_plan.details["parts"] > 1
    table = pl.read_csv(out, infer_schema=False) if ending == "csv" else pl.read_parquet(out)
    table = table.with_columns(pl.col("row").cast(pl.Int64))
    assert "who" not in table.columns
    assert table.height == original.height
    assert smallest_class(original, table) == release.risk_after.k >= 3
    squares = (table.group_by(QUASI).len()["len"].cast(pl.Int64) ** 2).sum()
    assert (
        release.record["measures"]["discernibility"] == squares
    )  # parts were counted once, though written twice
    assert sorted(item.name for item in tmp_path.iterdir()) == sorted(
        [path.name, out.name, "safe.record.json"]
    )
