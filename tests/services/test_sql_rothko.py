"""Tables of databases cut where they lie: the same cuts as in memory, and no row leaves before its part is known."""

import datetime
import math
import tempfile
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st
from same_cuts import same_counts

import celosia
from celosia.errors import HierarchyError, NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, KAnonymity
from celosia.recode import parts_plan
from celosia.recode.cuts import CutAxis, CutTree
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.mondrian import CutRules
from celosia.recode.rothko import MemoryNeed, plan_parts
from celosia.recode.splitters import open_splitter
from celosia.release.verify import verify
from celosia.tables import open_table
from celosia.tables.sql.open import open_sql_table
from celosia.tables.sql.splitting import SqlEngine
from celosia.tables.table import no_progress
from celosia.types import ColumnType

RANDOM = settings(
    max_examples=4,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # to look for a smaller failure takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=3) | st.sampled_from(
    ["a", "A", "ab", "a ", "b'", 'c"', "\\", "%s", "ñ", "Ñ", "?", "", "😀", "\uffff"]
)
REALS = st.floats(allow_nan=False) | st.sampled_from([0.0, -0.0, 1.5, 5e-324, 1.7e308, -1.7e308])
COLUMNS = [
    ("n", ColumnType.INTEGER, "BIGINT", st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)),
    ("r", ColumnType.REAL, "DOUBLE PRECISION", REALS),
    ("t", ColumnType.TEXT, "TEXT", TEXTS),
    ("h", ColumnType.TEXT, "VARCHAR(9)", st.sampled_from(["x", "y", "z", "w", "X", "?"])),
    ("b", ColumnType.BOOLEAN, "BOOLEAN", st.booleans()),
    ("c", ColumnType.DECIMAL, "NUMERIC(9, 2)", st.integers(-(10**6), 10**6).map(lambda cents: cents / 100)),
    ("d", ColumnType.DATE, "DATE", st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))),
    ("m", ColumnType.DATETIME, "TIMESTAMP", st.datetimes(datetime.datetime(1000, 1, 1))),
    ("s_text", None, "TEXT", TEXTS),
    ("s_real", None, "DOUBLE PRECISION", REALS),
    ("s_date", None, "DATE", st.dates(datetime.date(1999, 12, 30), datetime.date(2000, 1, 2))),
]
"""The name, the type (None: sensitive), the type in the database, and the values."""
TREE = Hierarchy.from_rows("h", [("z", "B", "*"), ("x", "A", "*"), ("w", "B", "*"), ("y", "A", "*")])


def literal(value, scheme: str) -> str:
    """A value as a database writes it."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and math.isinf(value):
        sign = "-" if value < 0 else ""
        return f"{sign}9e999" if scheme == "sqlite" else f"CAST('{sign}Infinity' AS DOUBLE PRECISION)"
    if isinstance(value, int | float):
        return repr(value)
    text = str(value).replace("'", "''")
    return "'" + (text.replace("\\", "\\\\") if scheme == "mariadb" else text) + "'"


def fill(database, types: dict[str, str], rows) -> None:
    """A table `people` with these rows and no others."""
    spelled = (
        {"TIMESTAMP": "DATETIME(6)", "NUMERIC(9, 2)": "DECIMAL(9, 2)"} if database.scheme == "mariadb" else {}
    )
    fields = ", ".join(f"{name} {spelled.get(kind, kind)}" for name, kind in types.items())
    database.run("DROP TABLE IF EXISTS people")
    database.run(f"CREATE TABLE people ({fields})")
    values = ", ".join(f"({', '.join(literal(value, database.scheme) for value in row)})" for row in rows)
    database.run(f"INSERT INTO people VALUES {values}")


def usable(database):
    """Columns that the database can hold and compare as such; numbers that it has."""
    left_out = {"sqlite": "cdm", "mariadb": "b"}.get(database.scheme, "")
    return [column for column in COLUMNS if column[0] not in left_out]


def held(values, database):
    return (
        values.filter(lambda value: value not in (math.inf, -math.inf))
        if database.scheme == "mariadb"
        else values
    )


@RANDOM
@given(data=st.data())
def test_a_database_tells_of_its_parts_what_our_engine_tells_of_a_copy(database, data):
    columns = usable(database)
    count = data.draw(st.integers(1, 10), label="rows")
    rows = [
        data.draw(st.tuples(*(st.none() | held(one[3], database) for one in columns))) for _ in range(count)
    ]
    fill(database, {name: kind for name, _, kind, _ in columns}, rows)
    with closing(open_sql_table(database.address, "people")) as table:
        frame = pl.concat(table.scan())
        how = {
            "markers": table.options.missing,
            "missing": data.draw(st.sampled_from(MissingPolicy)),
            "unknown": UnknownPolicy.SUPPRESS,
        }
        lines = tuple(
            CutAxis(name, kind, TREE if name == "h" else None, **how) for name, kind, _, _ in columns if kind
        )
        is_filled, line = data.draw(st.booleans(), label="filled"), data.draw(st.integers(0, len(lines) - 1))
        same_in_both(table, frame, cuts_of(data, frame, lines), line, is_filled)


def cuts_of(data, frame: pl.DataFrame, lines) -> CutTree:
    """Cuts at values that the rows have."""
    cuts = CutTree(lines)
    for _ in range(data.draw(st.integers(0, 5), label="cuts")):
        line = data.draw(st.integers(0, len(lines) - 1))
        places = lines[line].read(frame.get_column(lines[line].name)).drop_nulls().to_list()
        if places:
            part = data.draw(st.integers(0, cuts.count - 1))
            cuts = cuts.divide({part: (line, data.draw(st.sampled_from(places)))})
    return cuts


def same_in_both(table, frame: pl.DataFrame, cuts: CutTree, line: int, is_filled: bool) -> None:
    lines = cuts.lines
    sensitive = tuple(name for name in frame.columns if name.startswith("s_"))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        how = {"private": Path(folder), "memory": 1 << 27, "progress": no_progress}
        one, total = stack.enter_context(open_splitter(table, lines, sensitive, **how))
        assert isinstance(one.engine, SqlEngine)
        assert total == frame.height
        assert list(Path(folder).iterdir()) == []
        other, _ = stack.enter_context(open_splitter(open_table(frame), lines, sensitive, **how))
        mode = other.mode(line)
        assert one.mode(line) == mode
        if is_filled and mode is not None:
            one, other = one.fill({line: mode}), other.fill({line: mode})
        same_counts(one, other, cuts, line, len(sensitive))


PEOPLE = {"age": "INTEGER", "pay": "DOUBLE PRECISION", "city": "VARCHAR(9)", "ill": "VARCHAR(9)"}
TYPES = {"age": ColumnType.INTEGER, "pay": ColumnType.REAL, "city": ColumnType.TEXT}
CITY = Hierarchy(column="city", labels=TREE.labels, codes=TREE.codes)


def people(rows: int, seed: int, gaps: float = 0.1) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": random.integers(0, 60, rows),
            "pay": random.lognormal(3, 2, rows).round(2),
            "city": random.choice(["x", "y", "z", "w"], rows),
            "ill": random.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    return frame.with_columns(
        pl.when(pl.Series(random.random(rows) < gaps)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )


@RANDOM
@given(
    rows=st.integers(30, 120),
    seed=st.integers(0, 2**32),
    missing=st.sampled_from(MissingPolicy),
    has_tree=st.booleans(),
    models=st.sampled_from(
        [(KAnonymity(k=2),), (KAnonymity(k=3), DistinctLDiversity(column="ill", l=2))],
    ),
)
def test_a_database_is_cut_as_a_frame_is(database, rows, seed, missing, has_tree, models):
    frame = people(rows, seed)
    fill(database, PEOPLE, frame.rows())

    def plan(table):
        with tempfile.TemporaryDirectory() as folder:
            return plan_parts(
                table,
                quasi_identifiers=list(TYPES),
                types=TYPES,
                hierarchies={"city": CITY} if has_tree else {},
                rules=CutRules(models=models),
                budget=25,
                folder=Path(folder),
                missing=missing,
                need=int,
            )

    with closing(open_sql_table(database.address, "people")) as table:
        try:
            expected = plan(open_table(frame))
        except NoSolutionError:
            with pytest.raises(NoSolutionError):
                plan(table)
            return
        assume(expected is not None)
        table.database.fetched = 0
        parts = plan(table)
        assert parts.cuts.nodes == expected.cuts.nodes
        assert (parts.rows, parts.excluded, parts.values) == (
            expected.rows,
            expected.excluded,
            expected.values,
        )
        assert dict(zip(*map(list, parts.sizes), strict=True)) == dict(
            zip(*map(list, expected.sizes), strict=True)
        )
        assert np.bincount(parts.number(frame)).sum() == rows


def test_values_that_a_hierarchy_does_not_know_are_named(database, tmp_path):
    fill(
        database,
        PEOPLE,
        [(1, 1.0, "x", "a"), (2, 2.0, "nowhere", "a"), (3, 3.0, "?", "a"), (4, 4.0, "X", "b")],
    )
    with (
        closing(open_sql_table(database.address, "people")) as table,
        pytest.raises(HierarchyError, match="does not cover 'X', 'nowhere';"),
    ):
        plan_parts(
            table,
            quasi_identifiers=["city"],
            types=TYPES,
            hierarchies={"city": CITY},
            rules=CutRules(models=(KAnonymity(k=2),)),
            budget=2,
            folder=tmp_path,
            need=int,
        )
    assert [path for path in tmp_path.iterdir() if path.name.startswith(".celosia")] == []


def test_a_column_that_the_database_would_read_otherwise_is_copied(database, tmp_path):
    fill(database, {"code": "VARCHAR(9)", "ill": "VARCHAR(9)"}, [(f" {i}", "a") for i in range(40)])
    line = CutAxis("code", ColumnType.INTEGER, markers=("",))
    with (
        closing(open_sql_table(database.address, "people")) as table,
        open_splitter(table, (line,), ("ill",), private=tmp_path, memory=1 << 27, progress=no_progress) as (
            splitter,
            total,
        ),
    ):
        assert not isinstance(splitter.engine, SqlEngine)
        assert (total, splitter.extremes(CutTree((line,))).select("first_0", "last_0").row(0)) == (
            40,
            (0, 39),
        )


def test_an_engine_that_would_need_our_memory_is_not_asked(database, tmp_path):
    fill(database, PEOPLE, people(200, 1).rows())
    line = CutAxis("age", ColumnType.INTEGER)
    with (
        closing(open_sql_table(database.address, "people")) as table,
        open_splitter(table, (line,), (), private=tmp_path, memory=5000, progress=no_progress) as (
            splitter,
            _,
        ),
    ):
        assert isinstance(splitter.engine, SqlEngine) == (database.scheme != "sqlite")


@pytest.fixture
def heavy_rows(monkeypatch):
    """Rows that are thought to take a megabyte each, so that few of them fit."""
    monkeypatch.setattr(MemoryNeed, "ROW", 1_000_000)
    monkeypatch.setattr(parts_plan, "SURELY_FITS", 1_000_000)


def released(database, folder: Path, technique: str, **options):
    return celosia.anonymize(
        database.address,
        table="people",
        quasi_identifiers=["age", "pay", "city"],
        sensitive=["ill"],
        hierarchies={"city": CITY},
        k=5,
        technique=technique,
        memory=700_000_000,
        **options,
    )


@pytest.mark.usefixtures("heavy_rows")
@pytest.mark.parametrize("technique", ["mondrian", "clustering"])
def test_a_table_in_parts_is_released_whole_and_k_anonymous_into_its_database(
    database, tmp_path, monkeypatch, technique
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    frame = people(500, 7, gaps=0.0)
    fill(database, PEOPLE, frame.rows())
    diverse = DistinctLDiversity(column="ill", l=2)
    release = released(database, tmp_path, technique, out_table="safe", overwrite=True, models=[diverse])
    assert release.plan.details["parts"] > 1
    assert release.verification.passed
    classes = database.query("SELECT COUNT(*), COUNT(DISTINCT ill) FROM safe GROUP BY age, pay, city")
    assert min(rows for rows, _ in classes) >= 5
    assert min(values for _, values in classes) >= 2
    ills = database.query("SELECT ill FROM safe ORDER BY ill")
    assert [row[0] for row in ills] == frame.get_column("ill").sort().to_list()
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.usefixtures("heavy_rows")
@pytest.mark.parametrize("technique", ["mondrian", "clustering"])
def test_a_table_in_parts_is_released_whole_and_k_anonymous_into_a_file(database, tmp_path, technique):
    frame = people(500, 8)
    fill(database, PEOPLE, frame.rows())
    before = sorted(path.name for path in tmp_path.iterdir())
    release = released(database, tmp_path, technique, out=tmp_path / "safe.parquet", missing="drop")
    assert release.plan.details["parts"] > 1
    safe = pl.read_parquet(tmp_path / "safe.parquet")
    stay = frame.drop_nulls(["age", "pay", "city"])
    assert safe.group_by("age", "pay", "city").len().get_column("len").min() >= 5
    assert safe.get_column("ill").sort().to_list() == stay.get_column("ill").sort().to_list()
    assert release.written.excluded == frame.height - stay.height
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*before, "safe.parquet", "safe.record.json"]
    )


def test_the_classes_of_a_release_are_counted_where_it_is(database):
    frame = people(300, 3).with_columns(pl.col("age") // 30, pl.lit(1.5).alias("pay"))
    fill(database, PEOPLE, frame.rows())
    asked = {"quasi_identifiers": ["age", "pay", "city"], "models": [KAnonymity(k=2)]}
    expected = verify(open_table(frame, missing=()), **asked)
    with closing(open_table(database.address, table="people", missing=())) as table:
        table.database.fetched = 0
        assert verify(table, **asked) == expected
        assert table.database.fetched < expected.classes
        asked["models"] = [KAnonymity(k=2), DistinctLDiversity(column="ill", l=2)]
        assert verify(table, **asked) == verify(open_table(frame, missing=()), **asked)
