"""Random tables in parts: the engine and we agree on every row, and what is recoded part by part keeps its promises."""

import datetime
import gc
import math
import tempfile
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from celosia.errors import NoSolutionError
from celosia.hierarchies import Hierarchy
from celosia.privacy import DistinctLDiversity, KAnonymity, TCloseness
from celosia.recode.cuts import CutAxis, CutTree
from celosia.recode.domain import MissingPolicy, UnknownPolicy
from celosia.recode.local import local_recoding
from celosia.recode.mondrian import CutRules, Split, mondrian
from celosia.recode.rothko import plan_parts
from celosia.recode.space import build_space
from celosia.tables import open_table, write_frame
from celosia.tables.duckdb_engine import open_duck, place_sql, stage
from celosia.tables.parted_table import parted_rows
from celosia.tables.recoder import Recoder
from celosia.types import ColumnType

VALUES = {
    "n": (ColumnType.INTEGER, pl.Int64, st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3)),
    "r": (ColumnType.REAL, pl.Float64, st.floats(width=64) | st.sampled_from([0.0, -0.0, 1.5, -math.inf])),
    "t": (
        ColumnType.TEXT,
        pl.String,
        st.text(max_size=3) | st.sampled_from(["a", "ab", "b'", 'c"', "ñ", "?"]),
    ),
    "d": (ColumnType.DATE, pl.Date, st.dates(datetime.date(1, 1, 1), datetime.date(9999, 12, 31))),
    "m": (ColumnType.DATETIME, pl.Datetime("us"), st.datetimes(datetime.datetime(1600, 1, 1))),
    "h": (ColumnType.TEXT, pl.String, st.sampled_from(["x", "y", "z", "w"])),
}
TREE = Hierarchy.from_rows("h", [("z", "B", "*"), ("x", "A", "*"), ("w", "B", "*"), ("y", "A", "*")])
MARKERS = ("", "?", "NA")


@pytest.fixture(autouse=True, scope="module")
def little_to_collect():
    """Memory is collected before every part: not all that other tests have loaded, which takes most of the time."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@st.composite
def frames(draw, *, most=12):
    """Rows with a column of every type, here and there missing."""
    rows = draw(st.integers(1, most))
    return pl.DataFrame(
        [
            pl.Series(name, draw(st.lists(st.none() | values, min_size=rows, max_size=rows)), dtype=dtype)
            for name, (_, dtype, values) in VALUES.items()
        ]
    )


@st.composite
def cut_frames(draw):
    """Rows and cuts at values that they have, or at any other."""
    frame = draw(frames())
    lines = tuple(
        CutAxis(name, kind, TREE if name == "h" else None, markers=MARKERS)
        for name, (kind, _, _) in VALUES.items()
    )
    cuts = CutTree(lines)
    for _ in range(draw(st.integers(1, 6))):
        line = draw(st.integers(0, len(lines) - 1))
        places = lines[line].read(frame.get_column(lines[line].name)).drop_nulls().to_list()
        assume(places)
        cuts = cuts.divide({draw(st.integers(0, cuts.count - 1)): (line, draw(st.sampled_from(places)))})
    return frame, cuts


def numbers_of_the_engine(cuts: CutTree, frame: pl.DataFrame, places, parameters, folder: Path) -> list[int]:
    stage([frame], folder / "rows.parquet")
    dtypes = [line.dtype for line in cuts.lines]
    with open_duck(
        folder / "rows.parquet", places, dtypes, ["row"], parameters=parameters, folder=folder, memory=1 << 27
    ) as duck:
        found = duck.values(cuts, 0)
    return found.sort("value").get_column("part").to_list()


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cut_frames())
def test_rows_have_the_same_part_in_memory_in_the_engine_and_by_hand(made):
    frame, cuts = made
    numbers = cuts.number(frame).tolist()
    copied = pl.DataFrame(
        [line.read(frame.get_column(line.name)).alias(f"q{i}") for i, line in enumerate(cuts.lines)]
    ).with_row_index("row")
    with tempfile.TemporaryDirectory() as folder:
        places = [f"q{i}" for i in range(len(cuts.lines))]
        assert numbers_of_the_engine(cuts, copied, places, [], Path(folder)) == numbers
    assert [by_hand(cuts, row) for row in copied.drop("row").rows()] == numbers


def by_hand(cuts: CutTree, places: tuple) -> int:
    side = 0
    while side >= 0:
        cut = cuts.nodes[side]
        place = places[cut.line]
        side = cut.low if place is not None and place <= cut.bound else cut.high
    return ~side


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cut_frames())
def test_a_parquet_file_is_read_in_place_as_we_read_it(made):
    frame, cuts = made
    plain = CutTree(tuple(line for line in cuts.lines if line.hierarchy is None), ())
    for cut in cuts.nodes:
        if cuts.lines[cut.line].hierarchy is None:
            plain = plain.divide({plain.count - 1: (cut.line, cut.bound)})
    read = [place_sql(line.name, frame.schema[line.name], line.type, MARKERS) for line in plain.lines]
    parameters = [text for _, texts in read for text in texts]
    with tempfile.TemporaryDirectory() as folder:
        found = numbers_of_the_engine(
            plain, frame.with_row_index("row"), [place for place, _ in read], parameters, Path(folder)
        )
    assert found == plain.number(frame).tolist()


@st.composite
def people(draw):
    """Up to 120 rows that repeat themselves, with a sensitive column."""
    rows = draw(st.integers(8, 120))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    age = random.integers(0, draw(st.integers(1, 60)), rows)
    pay = np.round(random.lognormal(3, 2, rows), draw(st.integers(0, 2)))
    frame = pl.DataFrame(
        {
            "age": age,
            "pay": pay,
            "city": random.choice(["x", "y", "z", "w"], rows),
            "name": random.choice(["ana", "bea", "carlos", "ñoño", "z'z"], rows),
            "ill": random.choice(["a", "b", "c"], rows, p=[0.6, 0.3, 0.1]),
        }
    )
    gaps = draw(st.sampled_from([0.0, 0.1, 0.6]))
    return frame.with_columns(
        pl.when(pl.Series(random.random(rows) < gaps)).then(None).otherwise(pl.col(name)).alias(name)
        for name in frame.columns
    )


MODELS = st.sampled_from(
    [
        (KAnonymity(k=2),),
        (KAnonymity(k=5),),
        (KAnonymity(k=2), DistinctLDiversity(column="ill", l=2)),
        (KAnonymity(k=3), TCloseness(column="ill", t=0.5)),
    ]
)
TYPES = {
    "age": ColumnType.INTEGER,
    "pay": ColumnType.REAL,
    "city": ColumnType.TEXT,
    "name": ColumnType.TEXT,
}
CITY = Hierarchy(column="city", labels=TREE.labels, codes=TREE.codes)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    people(),
    MODELS,
    st.sampled_from(list(MissingPolicy)),
    st.sampled_from(["frame", "csv", "parquet"]),
    st.booleans(),
    st.sampled_from(list(Split)[:3]),
    st.integers(12, 40),
)
def test_a_table_recoded_by_parts_satisfies_the_models_and_has_every_row_once(
    frame, models, missing, kind, has_tree, split, budget
):
    names = list(TYPES)
    hierarchies = {"city": CITY} if has_tree else {}
    rules = CutRules(models=models, split=split)
    how = {"types": TYPES, "hierarchies": hierarchies, "missing": missing, "unknown": UnknownPolicy.ERROR}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        source = frame.with_row_index("row")
        if kind != "frame":
            write_frame(source, folder / f"people.{kind}")
        table = open_table(source if kind == "frame" else folder / f"people.{kind}")
        before = sorted(folder.iterdir())
        try:
            parts = plan_parts(
                table, quasi_identifiers=names, rules=rules, budget=budget, folder=folder, need=int, **how
            )
        except NoSolutionError:
            event("cannot be cut")
            return
        finally:
            assert sorted(folder.iterdir()) == before
        if parts is None:
            event("fits")
            return
        event(f"{min(parts.count, 4)} parts or more")
        assert all(need <= budget for need in parts.needed)

        def recode(part, rules):
            counts = open_table(part).count_by(list(parts.columns))
            space = parts.widen(build_space(counts, quasi_identifiers=names, **how))
            partition = mondrian(space, rules)
            assert sum(partition.rows) in parts.rows
            numbers = pl.Series([str(number) for number in range(len(partition))])
            return local_recoding(partition, counts, pl.DataFrame(dict.fromkeys(names, numbers)))

        released, left_out = [], 0
        with parted_rows(
            table.reader, table.columns(), parts.recoded_by(recode), folder=folder, memory=2000
        ) as rows:
            for number, (recoding, some) in enumerate(rows):
                recoder = Recoder(recoding, table.columns(), missing=MARKERS)
                for one in some:
                    done = recoder.apply(one)
                    left_out += done.excluded
                    kept = np.ones(one.height, bool) if done.kept is None else done.kept
                    # As text: the files hold some columns as text and some not.
                    shown = done.frame.filter(pl.Series(kept)).cast(pl.String)
                    released.append(shown.with_columns(pl.lit(number).alias("part")))
        assert sorted(folder.iterdir()) == before
    whole = pl.concat(released)
    is_gone = frame.select(pl.any_horizontal(pl.col(names).is_null())).to_series()
    expected = source.filter(~is_gone) if missing is MissingPolicy.DROP else source
    assert left_out == parts.excluded == source.height - expected.height
    assert sorted(whole.get_column("row").cast(int).to_list()) == expected.get_column("row").to_list()
    check_models(whole, models)


def check_models(whole: pl.DataFrame, models) -> None:
    classes = whole.with_columns(pl.col("ill").fill_null("")).group_by("part", "age")
    every = whole.get_column("ill").fill_null("").value_counts(normalize=True, name="share")
    shares = dict(every.rows())
    for group in classes.agg(pl.col("ill")).get_column("ill").to_list():
        for model in models:
            if isinstance(model, KAnonymity):
                assert len(group) >= model.k
            elif isinstance(model, DistinctLDiversity):
                assert len(set(group)) >= model.l
            else:
                distance = sum(
                    abs(group.count(value) / len(group) - share) for value, share in shares.items()
                )
                assert distance / 2 <= model.t + 1e-9
