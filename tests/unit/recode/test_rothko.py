"""Rothko: parts that fit, that satisfy the models, and that leave nothing behind."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from celosia.errors import HierarchyError, NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, KAnonymity, TCloseness
from celosia.recode.cuts import CutAxis
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.mondrian import CutRules, Split
from celosia.recode.part_finder import PartFinder
from celosia.recode.rothko import MemoryNeed, TableParts, plan_parts, published_levels, published_memory
from celosia.recode.space import build_space
from celosia.tables import open_table, write_frame
from celosia.tables.duckdb_engine import open_duck, stage
from celosia.tables.table import no_progress
from celosia.types import ColumnType

REAL, INTEGER, TEXT = ColumnType.REAL, ColumnType.INTEGER, ColumnType.TEXT


def plan(
    frame_or_path, folder: Path, types: dict[str, ColumnType], *, rows: int = 100, **more
) -> TableParts | None:
    """Parts of at most some rows."""
    return plan_parts(
        open_table(frame_or_path),
        quasi_identifiers=list(types),
        types=types,
        hierarchies=more.pop("hierarchies", {}),
        rules=more.pop("rules", CutRules(models=(KAnonymity(k=5),))),
        budget=rows,
        folder=folder,
        need=int,
        **more,
    )


@pytest.fixture
def numbers() -> pl.DataFrame:
    random = np.random.default_rng(5)
    return pl.DataFrame(
        {"a": random.normal(0, 1, 3000), "b": random.exponential(1e6, 3000), "s": random.integers(0, 4, 3000)}
    )


# Table 10 of the thesis: records, weight in GB, estimate in GB.
@pytest.mark.parametrize(
    ("records", "weight", "estimate"),
    [
        (8_000_000, 0.0460, 1.056),
        (35_000_000, 0.2014, 5.048),
        (60_000_000, 0.3453, 8.922),
        (86_000_000, 0.4950, 13.046),
        (15_000_000, 0.0863, 2.058),
        (41_000_000, 0.2360, 5.967),
        (65_600_000, 0.3775, 9.804),
        (92_000_000, 0.5295, 14.008),
    ],
)
def test_the_published_estimate_gives_the_published_table(records, weight, estimate):
    assert published_memory(records * 5.755e-9, records, 2) == pytest.approx(estimate, abs=0.002)
    assert records * 5.755e-9 == pytest.approx(weight, abs=0.0001)


def test_the_published_levels_are_those_of_a_tree_cut_in_the_middle():
    assert published_levels(8, 2) == 3


def test_a_table_that_fits_is_not_cut(numbers, tmp_path):
    assert plan(numbers, tmp_path, {"a": REAL, "b": REAL}, rows=3000) is None


def test_many_rows_with_few_combinations_fit_too(tmp_path):
    frame = pl.DataFrame({"a": np.arange(50_000) % 40})
    assert plan(frame, tmp_path, {"a": INTEGER}, rows=100) is None


@pytest.mark.parametrize("kind", ["frame", "csv", "parquet"])
def test_parts_are_even_whatever_the_split_inside_them(numbers, tmp_path, kind):
    source = numbers if kind == "frame" else tmp_path / f"people.{kind}"
    if kind != "frame":
        write_frame(numbers, source)
    rules = CutRules(models=(KAnonymity(k=2),), split=Split.DISTRIBUTION)
    parts = plan(source, tmp_path, {"a": REAL, "b": REAL}, rules=rules)
    assert parts is not None
    assert sum(parts.rows) == 3000
    assert parts.needed == parts.rows
    assert max(parts.rows) <= 100
    assert min(parts.rows) >= 30
    assert np.bincount(parts.number(numbers)).tolist() == list(parts.rows)
    assert {cut.line for cut in parts.cuts.nodes} == {0, 1}


def test_a_file_is_cut_alike_in_place_and_copied(numbers, tmp_path):
    path = tmp_path / "people.parquet"
    write_frame(numbers, path)
    cuts = [plan(source, tmp_path, {"a": REAL, "b": REAL}).cuts for source in (numbers, path)]
    assert cuts[0].nodes == cuts[1].nodes


def test_a_heavy_value_and_a_far_one_do_not_make_cuts_uneven(tmp_path):
    random = np.random.default_rng(3)
    values = np.concatenate([[1e300, -1e300, np.inf, -np.inf], np.zeros(500), random.random(1496) * 1e-9])
    frame = pl.DataFrame({"a": values, "b": np.arange(2000)})
    parts = plan(frame, tmp_path, {"a": REAL, "b": INTEGER}, rows=600)
    assert parts is not None
    assert max(parts.rows) <= 600
    assert parts.cuts.nodes[0].line == 0
    assert min(parts.rows) > 100


def test_integers_as_large_as_they_get_are_cut_exactly(tmp_path):
    low = -(2**63)
    frame = pl.DataFrame({"a": [low + i for i in range(50)] + [2**63 - 1 - i for i in range(50)]})
    parts = plan(frame, tmp_path, {"a": INTEGER}, rows=30)
    assert sorted(parts.rows) == [25, 25, 25, 25]


def test_texts_are_cut_by_their_first_letters_that_differ(tmp_path):
    names = [f"same beginning of all ({'ñ' * (i % 3)}{i:04d})" for i in range(900)]
    parts = plan(pl.DataFrame({"name": names}), tmp_path, {"name": TEXT}, rows=150)
    assert sum(parts.rows) == 900
    assert min(parts.rows) > 40


def test_missing_and_infinite_values_are_parted_off_at_last(tmp_path):
    frame = pl.DataFrame({"q0": [7.0] * 80 + [np.inf] * 30 + [None] * 60, "q1": [None] * 170})
    stage([frame.cast(pl.Float64)], tmp_path / "rows")
    dtypes = [pl.Float64(), pl.Float64()]
    with open_duck(tmp_path / "rows", ["q0", "q1"], dtypes, [], folder=tmp_path, memory=1 << 27) as duck:
        parting = PartFinder(
            duck, (CutAxis("a", REAL), CutAxis("b", REAL)), [], CutRules(models=(KAnonymity(k=5),))
        )
        assert parting.run(lambda part: parting.rows[part] > 50, no_progress) == [0]
    assert [(cut.line, cut.bound) for cut in parting.cuts.nodes] == [(0, 7.0), (0, np.inf)]
    assert parting.rows == [80, 30, 60]


def test_every_part_satisfies_every_model(numbers, tmp_path):
    frame = numbers.with_columns(s=(pl.col("a") > 0.2).cast(pl.Int64) + (pl.col("a") > 1.5))
    models = (KAnonymity(k=4), TCloseness(column="s", t=0.3))
    parts = plan(frame, tmp_path, {"a": REAL, "b": REAL}, rows=400, rules=CutRules(models=models))
    assert {cut.line for cut in parts.cuts.nodes} == {1}  # cut in a, a part would tell s
    whole = frame.get_column("s").value_counts(normalize=True, name="share").sort("s").get_column("share")
    for _, part in frame.with_columns(part=parts.number(frame)).group_by("part"):
        shares = np.bincount(part.get_column("s"), minlength=3) / part.height
        assert np.abs(shares - whole.to_numpy()).sum() / 2 <= 0.3
    assert parts.values == {"s": ("0", "1", "2")}
    assert (
        parts.rules.wholes["s"].tolist() == frame.get_column("s").value_counts().sort("s")["count"].to_list()
    )


def test_the_sensitive_values_of_a_part_are_numbered_as_in_the_whole(numbers, tmp_path):
    rules = CutRules(models=(KAnonymity(k=2), DistinctLDiversity(column="s", l=2)))
    parts = plan(numbers, tmp_path, {"a": REAL, "b": REAL}, rules=rules)
    counts = open_table(numbers.filter(pl.col("s") > 1).head(50)).count_by(list(parts.columns))
    space = build_space(counts, quasi_identifiers=["a", "b"], types={"a": REAL, "b": REAL}, hierarchies={})
    codes, values = parts.widen(space).sensitive["s"]
    assert values == ("0", "1", "2", "3")
    assert set(codes.tolist()) == {2, 3}


def test_missing_values_take_the_most_frequent_value_of_the_whole_table(tmp_path):
    frame = pl.DataFrame({"a": [None] * 50 + [3] * 40 + list(range(10, 210)), "b": list(range(290))})
    parts = plan(frame, tmp_path, {"a": INTEGER, "b": INTEGER}, missing=MissingPolicy.MODE)
    assert parts.filled == {"a": 3}
    assert parts.prepare(frame).get_column("a").head(50).to_list() == [3] * 50
    assert np.bincount(parts.number(frame)).tolist() == list(parts.rows)


def test_rows_that_leave_the_release_count_for_memory_but_for_no_model(tmp_path):
    frame = pl.DataFrame({"a": [None] * 300 + list(range(300)), "b": ["x", "y", "?"] * 200})
    cities = Hierarchy.from_rows("b", [("x", "*"), ("z", "*")])
    parts = plan(
        frame,
        tmp_path,
        {"a": INTEGER, "b": TEXT},
        rows=60,
        hierarchies={"b": cities},
        missing=MissingPolicy.DROP,
        unknown=UnknownPolicy.SUPPRESS,
    )
    assert (sum(parts.rows), parts.excluded) == (100, 500)
    assert max(parts.needed) <= 60
    assert np.bincount(parts.number(frame)).max() <= 60 + 10


def test_values_that_a_hierarchy_does_not_know_are_named(tmp_path):
    cities = Hierarchy.from_rows("b", [("x", "*"), ("y", "*")])
    frame = pl.DataFrame({"b": ["x", "nowhere"] * 200, "a": range(400)})
    with pytest.raises(HierarchyError, match="nowhere"):
        plan(frame, tmp_path, {"b": TEXT, "a": INTEGER}, hierarchies={"b": cities})
    assert list(tmp_path.iterdir()) == []


def test_rows_that_no_cut_can_part_are_an_error_that_says_how_much_memory_they_need(tmp_path):
    frame = pl.DataFrame({"a": [1] * 400 + [2] * 300, "b": range(700), "s": ["u"] * 699 + ["v"]})
    rules = CutRules(models=(KAnonymity(k=2), DistinctLDiversity(column="s", l=2)))
    megabyte = 1 << 20
    with pytest.raises(NoSolutionError, match=r"700 rows that no cut.*735 MB.*104 MB.*allow 735 MB or more"):
        plan_parts(
            open_table(frame),
            quasi_identifiers=["a", "b"],
            types={"a": INTEGER, "b": INTEGER},
            hierarchies={},
            rules=rules,
            budget=100 * megabyte,
            folder=tmp_path,
            need=lambda rows: rows * megabyte,
        )
    assert list(tmp_path.iterdir()) == []


def test_a_budget_under_what_the_libraries_take_is_an_error_at_once(numbers, tmp_path):
    with pytest.raises(NoSolutionError, match=r"parts of 5 rows take up to 368 MB of memory, and 10 MB are"):
        plan_parts(
            open_table(numbers),
            quasi_identifiers=["a", "b"],
            types={"a": REAL, "b": REAL},
            hierarchies={},
            rules=CutRules(models=(KAnonymity(k=5),)),
            budget=10 << 20,
            folder=tmp_path,
        )


def test_what_is_asked_for_allows_for_the_share_that_parts_may_take():
    need = MemoryNeed(columns=2)
    frame = pl.DataFrame({"a": np.arange(2_000_000) % 2, "b": np.arange(2_000_000)})
    rules = CutRules(models=(KAnonymity(k=1_500_000),))
    with pytest.raises(NoSolutionError) as error:
        plan_parts(
            open_table(frame),
            quasi_identifiers=["a", "b"],
            types={"a": INTEGER, "b": INTEGER},
            hierarchies={},
            rules=rules,
            budget=500 << 20,
            share=0.5,
            folder=Path(),
        )
    wanted = (need.bytes(1_500_000) - MemoryNeed.FIXED) * 2 + MemoryNeed.FIXED
    assert f"allow {-(-wanted // 10**6)} MB" in str(error.value)


def test_models_that_the_whole_table_fails_are_named(numbers, tmp_path):
    rules = CutRules(models=(DistinctLDiversity(column="s", l=9),))
    with pytest.raises(NoSolutionError, match="even one class"):
        plan(numbers, tmp_path, {"a": REAL, "b": REAL}, rules=rules)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_nothing_is_left_behind_when_planning_is_interrupted(numbers, tmp_path, kind):
    path = tmp_path / f"people.{kind}"
    write_frame(numbers, path)
    seen = []

    def interrupt(stage, share):
        seen.append(sorted(one.name for one in tmp_path.iterdir()))
        if stage == "cutting into parts" and share > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plan(path, tmp_path, {"a": REAL, "b": REAL}, progress=interrupt, rows=1200)
    assert any(name.startswith(".celosia-") for name in seen[-1])
    assert list(tmp_path.iterdir()) == [path]


def test_a_private_folder_is_for_its_owner_alone(numbers, tmp_path):
    modes = []

    def look(stage, share):
        modes.extend(one.stat().st_mode & 0o777 for one in tmp_path.glob(".celosia-*"))

    plan(numbers, tmp_path, {"a": REAL, "b": REAL}, progress=look)
    assert set(modes) == {0o700}


PEAK = """
import re, sys
from pathlib import Path
import numpy as np, polars as pl

folder, budget, rows = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
from celosia.privacy import KAnonymity
from celosia.recode.local import local_recoding
from celosia.recode.mondrian import CutRules, mondrian
from celosia.recode.rothko import plan_parts
from celosia.recode.space import build_space
from celosia.tables import open_table
from celosia.tables.parted_table import parted_rows
from celosia.tables.duckdb_engine import open_duck, stage
from celosia.tables.table import no_progress
from celosia.types import ColumnType

table = open_table(folder / "people.parquet")
names = list(table.columns())
how = {"quasi_identifiers": names, "types": dict.fromkeys(names, ColumnType.REAL), "hierarchies": {}}
parts = plan_parts(table, rules=CutRules(models=(KAnonymity(k=5),)), budget=budget, folder=folder, **how)

def recode(part, rules):
    counts = open_table(part).count_by(names)
    partition = mondrian(parts.widen(build_space(counts, **how)), rules)
    shown = pl.Series([str(number) for number in range(len(partition))])
    return local_recoding(partition, counts, pl.DataFrame(dict.fromkeys(names, shown)))

seen = 0
with parted_rows(table.reader, names, parts.recoded_by(recode), folder=folder, memory=budget // 8) as found:
    for recoding, frames in found:
        seen += sum(frame.height for frame in frames)
        del recoding, frames
        if seen > rows // 3:  # two parts: the second finds room only where the first was
            break
try:
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) << 10
except OSError:
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(parts.count, seen, peak, max(parts.needed))
"""


def test_planning_and_recoding_stay_within_the_budget(tmp_path):
    random = np.random.default_rng(9)
    rows, budget = 1_100_000, 650 << 20
    frame = pl.DataFrame({name: random.random(rows) for name in "abcd"})
    frame.write_parquet(tmp_path / "people.parquet")
    del frame
    done = subprocess.run(
        [sys.executable, "-c", PEAK, str(tmp_path), str(budget), str(rows)],
        capture_output=True,
        text=True,
        check=True,
    )
    count, seen, peak, needed = map(int, done.stdout.split())
    assert MemoryNeed(columns=4).bytes(rows) > 2 * budget
    assert count == 4
    assert seen > rows // 3
    assert needed <= budget
    assert peak < budget
    assert [one.name for one in tmp_path.iterdir()] == ["people.parquet"]
