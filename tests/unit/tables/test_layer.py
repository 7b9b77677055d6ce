"""A table seen through a layer answers every verb as a table of its own would that holds what comes through."""

import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from celosia.errors import CelosiaError, ProjectError
from celosia.mask import make_operation
from celosia.mask.masking import mask_table
from celosia.tables import FileTable, FrameTable, Recoding, open_table, write_frame
from celosia.tables.exclude_people import ExcludePeople
from celosia.tables.layer import LayeredTable, apply_layer
from celosia.tables.recoding_layer import RecodingLayer
from celosia.tables.table import Assignment, Counts
from celosia.types import ColumnType

KINDS = ["rows.csv", "rows.parquet", "rows.json", "rows.xlsx", "polars", "pandas", "lazy"]
SCHEMA = {"who": pl.String, "n": pl.Int64, "text": pl.String, "gone": pl.String}

rows = st.tuples(
    st.sampled_from(["ana", "eva", "leo"]),
    st.one_of(st.none(), st.integers(-20, 20)),
    st.one_of(st.none(), st.sampled_from(["abc", "abd", "b", "xyz"])),
    st.sampled_from(["x", "y"]),
)


def opened(kind, folder, given_rows):
    frame = pl.DataFrame(given_rows, schema=SCHEMA, orient="row")
    if "." in kind:
        write_frame(frame, Path(folder) / kind)
        return open_table(Path(folder) / kind)
    return open_table(
        {
            "polars": lambda: frame,
            "pandas": lambda: frame.to_pandas(use_pyarrow_extension_array=True),
            "lazy": frame.lazy,
        }[kind]()
    )


def text(value):
    if value is None or value == "":
        return None
    return (
        str(int(value)) if isinstance(value, float) else str(value)
    )  # a workbook has but one kind of number


def as_texts(rows):
    return Counter(tuple(map(text, row)) for row in rows.elements())


def counted(table, columns):
    """The rows of a table by the values that they show, counted by itself."""
    counts = table.count_by(columns)
    values = [
        distinct.gather(codes).to_list() for distinct, codes in zip(counts.values, counts.codes, strict=True)
    ]
    return Counter(dict(zip(zip(*values, strict=True), counts.counts.tolist(), strict=True)))


def scanned(table, columns):
    """The same by the texts of the values, counted from its batches: a file of text holds nothing else."""
    batches = list(table.scan(columns))
    for batch in batches:
        assert batch.columns == list(columns)
    return Counter(tuple(map(text, row)) for batch in batches for row in batch.iter_rows())


def written(table, folder):
    """The same, counted from what it writes."""
    names = list(table.columns())
    if isinstance(table, FrameTable):
        frame, told = table.recode(Recoding(), seed=1)
        return Counter(counted(open_table(frame), names)), told
    place = Path(folder) / f"safe{table.path.suffix}"
    place.unlink(missing_ok=True)
    told = table.write(Recoding(), place, seed=1)
    return Counter(counted(open_table(place), names)), told


def assert_shows(table, names, expected, folder):
    """That every verb tells of the same rows, whichever columns are asked for."""
    assert table.columns() == names
    assert tuple(column.name for column in table.schema()) == names
    wanted = Counter(expected)
    assert counted(table, list(names)) == wanted
    assert scanned(table, names) == as_texts(wanted)
    for place, name in enumerate(names):
        one = Counter((row[place],) for row in expected)
        assert counted(table, [name]) == one
        assert scanned(table, [name]) == as_texts(one)
    backwards = names[::-1]
    assert scanned(table, backwards) == as_texts(Counter(row[::-1] for row in expected))
    if expected or "." not in str(getattr(table, "path", "")):
        after, told = written(table, folder)
        assert after == wanted
        assert told.source == told.written == len(expected)


def half_up(number):
    return None if number is None else int(np.copysign((abs(number) + 5) // 10 * 10, number))


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5, deadline=None)
@given(given_rows=st.lists(rows, min_size=1, max_size=12))
def test_operations_seen_through(kind, given_rows):
    with tempfile.TemporaryDirectory() as folder:
        table = mask_table(
            opened(kind, folder, given_rows),
            {
                "n": [make_operation("round", to=10)],
                "text": [make_operation("truncate", first=1, missing="drop")],
                "gone": [make_operation("suppress")],
            },
            rows=(make_operation("drop-rows", where="who = 'eva' and n > 0"),),
        )
        expected = [
            (who, half_up(n), word[0])
            for who, n, word, _ in given_rows
            if word is not None and not (who == "eva" and n is not None and n > 0)
        ]
        assert_shows(table, ("who", "n", "text"), expected, folder)
        if any(n is not None for _, n, _ in expected):
            assert table.schema()["n"].type is ColumnType.INTEGER or kind == "rows.xlsx"


LABELS = {"abc": "a*", "abd": "a*", "b": "b", "xyz": "*", None: None}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=5, deadline=None)
@given(given_rows=st.lists(rows, min_size=1, max_size=12))
def test_a_recoding_seen_through(kind, given_rows):
    recoding = Recoding(
        dropped=("gone",),
        unified=("text",),
        excluded={"n": (None,)},
        maps={"text": LABELS},
        suppressed=pl.DataFrame({"text": ["b", None]}, schema={"text": pl.String}),
    )
    with tempfile.TemporaryDirectory() as folder:
        source = opened(kind, folder, given_rows)
        table = apply_layer(source, RecodingLayer(source, recoding))
        expected = [
            (who, n, LABELS[word])
            for who, n, word, _ in given_rows
            if n is not None and LABELS[word] not in ("b", None)
        ]
        assert_shows(table, ("who", "n", "text"), expected, folder)


@pytest.mark.parametrize("kind", ["rows.csv", "rows.parquet", "polars"])
@settings(max_examples=6, deadline=None)
@given(
    given_rows=st.lists(rows, min_size=1, max_size=12),
    people=st.sets(st.sampled_from(["ana", "eva", "nobody"])),
)
def test_people_left_out_of_what_operations_and_recodings_leave(kind, given_rows, people):
    """Layers over layers: each works on what the one below lets through."""
    with tempfile.TemporaryDirectory() as folder:
        first = mask_table(opened(kind, folder, given_rows), {"text": [make_operation("truncate", first=1)]})
        labels = {"a": "vowel", "b": "other", "x": "other", None: None}
        second = apply_layer(first, RecodingLayer(first, Recoding(maps={"text": labels})))
        names = pl.Series(sorted(people), dtype=pl.String)
        table = apply_layer(second, ExcludePeople(second, "who", names))
        expected = [
            (who, n, labels[word and word[0]], gone) for who, n, word, gone in given_rows if who not in people
        ]
        assert_shows(table, ("who", "n", "text", "gone"), expected, folder)


@pytest.mark.parametrize("kind", ["rows.csv", "rows.parquet", "polars", "pandas"])
def test_a_local_recoding_seen_through(kind, tmp_path):
    given_rows = [
        ("ana", 1, "abc", "x"),
        ("eva", 1, "abc", "x"),
        ("leo", 2, "abd", "y"),
        ("ana", 3, "b", "y"),
    ]
    combinations = Counts(
        ("n",), (pl.Series([1, 2, 3]),), (np.arange(3, dtype=np.int32),), np.array([2, 1, 1])
    )
    assignment = Assignment(
        combinations,
        owners=np.arange(3),
        classes=np.array([0, 0, -1]),
        rows=np.array([2, 1, 1]),
        released=pl.DataFrame({"n": ["1 or 2"]}),
    )
    source = opened(kind, tmp_path, given_rows)
    table = apply_layer(source, RecodingLayer(source, Recoding(assignment=assignment)))
    expected = [(who, "1 or 2", word, gone) for who, n, word, gone in given_rows if n < 3]
    assert_shows(table, ("who", "n", "text", "gone"), expected, tmp_path)


def test_a_recoding_in_parts_cannot_be_seen_through(tmp_path):
    source = opened("rows.csv", tmp_path, [("ana", 1, "b", "x")])
    with pytest.raises(ProjectError, match="can only be the last of a chain"):
        RecodingLayer(source, Recoding(parts=object()))


def test_what_a_layer_does_not_touch_keeps_its_type_and_what_it_touches_has_that_of_its_values(tmp_path):
    frame = pl.DataFrame({"zip": ["028", "029"], "paid": [1.5, 2.5], "day": ["2024-01-31", "2024-02-01"]})
    write_frame(frame, tmp_path / "rows.csv")
    masked = mask_table(open_table(tmp_path / "rows.csv"), {"paid": [make_operation("round", to=1)]})
    found = {column.name: column.type for column in masked.schema()}
    assert found == {"zip": ColumnType.TEXT, "paid": ColumnType.INTEGER, "day": ColumnType.DATE}


@pytest.mark.parametrize("dtype", [pl.Enum(["low", "high"]), pl.Categorical()])
@pytest.mark.parametrize("kind", ["polars", "rows.parquet"])
def test_categories_that_a_recoding_does_not_touch_stay_categories(tmp_path, kind, dtype):
    frame = pl.DataFrame({"n": [1, 2, 2], "pay": pl.Series(["low", "high", None], dtype=dtype)})
    if kind == "rows.parquet":
        frame.write_parquet(tmp_path / kind)
    source = open_table(frame if kind == "polars" else tmp_path / kind)
    table = apply_layer(source, RecodingLayer(source, Recoding(maps={"n": {1: "[1-2]", 2: "[1-2]"}})))
    dtypes = dict(zip(table.reader.names, table.reader.dtypes, strict=True))
    assert [batch.schema["pay"] for batch in table.scan()] == [dtypes["pay"]]
    assert dtypes["pay"] == source.reader.dtypes[1]
    assert counted(table, ["n", "pay"]) == {("[1-2]", "low"): 1, ("[1-2]", "high"): 1, ("[1-2]", None): 1}


def test_a_file_seen_through_a_layer_stays_a_file_and_says_that_it_is_not_as_it_lies_there(tmp_path):
    source = opened("rows.parquet", tmp_path, [("ana", 1, "b", "x")])
    masked = mask_table(source, {"n": [make_operation("round", to=10)]})
    assert isinstance(masked, FileTable)
    assert source.is_plain
    assert not masked.is_plain


@pytest.mark.parametrize("kind", ["rows.csv", "polars"])
def test_a_column_that_is_not_there_is_named(kind, tmp_path):
    source = opened(kind, tmp_path, [("ana", 1, "b", "x")])
    masked = mask_table(source, {"gone": [make_operation("suppress")]})
    for verb in (masked.count_by, lambda columns: list(masked.scan(columns))):
        with pytest.raises(CelosiaError, match="column 'gone' does not exist"):
            verb(["gone"])
    with pytest.raises(CelosiaError, match="column 'nothing' does not exist"):
        mask_table(source, {"nothing": [make_operation("suppress")]})


def test_a_table_of_a_database_is_counted_there_where_the_layer_changes_nothing(tmp_path):
    import sqlite3

    with sqlite3.connect(tmp_path / "people.db") as database:
        database.execute("create table people (who text, n integer)")
        database.executemany("insert into people values (?, ?)", [("ana", 14), ("eva", 16), ("ana", 15)])
    database.close()
    source = open_table(f"sqlite:///{tmp_path / 'people.db'}", table=("people",))
    try:
        table = mask_table(source, {"n": [make_operation("round", to=10)]})
        assert isinstance(table, LayeredTable)
        assert counted(table, ["n"]) == {(10,): 1, (20,): 2}
        assert counted(table, ["who"]) == {("ana",): 2, ("eva",): 1}
        assert scanned(table, ("n", "who")) == {("10", "ana"): 1, ("20", "ana"): 1, ("20", "eva"): 1}
        without = apply_layer(table, ExcludePeople(table, "who", pl.Series(["ana"])))
        assert counted(without, ["who"]) == {("eva",): 1}
        place = tmp_path / "safe.csv"
        assert without.write(Recoding(), place, seed=1).written == 1
        assert counted(open_table(place), ["who", "n"]) == {("eva", 20): 1}
    finally:
        source.close()
