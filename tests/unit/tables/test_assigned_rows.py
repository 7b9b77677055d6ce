"""A local recoding at work: every row finds its class, in as many batches as there are, and shows what it shows."""

from collections import Counter
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import partial
from zoneinfo import ZoneInfo

import numpy as np
import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import FrameTable, Recoding, assigner, open_table, records, write_frame
from celosia.tables.assigner import Assigner
from celosia.tables.formats import parquet
from celosia.tables.recoder import Recoder
from celosia.tables.table import Assignment

PEOPLE = pl.DataFrame({"age": [31, 35, 31, 47, 31, None], "sex": ["f", "f", "f", "m", "f", "?"]})


def assign(frame, entries, released, columns=None, **more):
    """A recoding: ``entries`` are (values of a combination, class, rows)."""
    counts = open_table(frame).count_by(columns or frame.columns)
    values = [column.to_list() for column in counts.values]
    combinations = [
        tuple(column[code] for column, code in zip(values, codes, strict=True))
        for codes in zip(*counts.codes, strict=True)
    ]
    placed = sorted((combinations.index(values), number, rows) for values, number, rows in entries)
    owners, classes, rows = (np.array(column, np.int64) for column in zip(*placed, strict=True))
    local = Assignment(counts, owners, classes, rows, pl.DataFrame(released))
    return Recoding(assignment=local, **more)


def whole():
    entries = [((31, "f"), 0, 3), ((35, "f"), 0, 1), ((47, "m"), 1, 1), ((None, None), 1, 1)]
    return assign(PEOPLE, entries, {"age": ["[31-35]", "*"], "sex": ["f", None]})


def split():
    entries = [
        ((31, "f"), 0, 2),
        ((31, "f"), 1, 1),
        ((35, "f"), 1, 1),
        ((47, "m"), 2, 1),
        ((None, None), 2, 1),
    ]
    return assign(PEOPLE, entries, {"age": ["31", "[31-35]", "*"]})


def classes_of(recoding, frame, *, batch=None, missing=("?",)):
    one = Assigner(recoding, missing=missing)
    parts = frame.iter_slices(batch or frame.height)
    return np.concatenate([one.classes(part) for part in parts]).tolist()


def test_every_row_finds_the_class_of_its_combination():
    assert classes_of(whole(), PEOPLE) == [0, 0, 0, 1, 0, 1]


def test_what_the_classes_show_replaces_what_the_rows_have():
    recoder = Recoder(whole(), ("age", "sex"), missing=("?",))
    frame = recoder.apply(PEOPLE).frame
    assert frame["age"].to_list() == ["[31-35]", "[31-35]", "[31-35]", "*", "[31-35]", "*"]
    assert frame["sex"].to_list() == ["f", "f", "f", None, "f", None]


@pytest.mark.parametrize("batch", [1, 2, 3, 6])
def test_rows_of_one_combination_go_to_several_classes_as_promised_in_any_batches(batch):
    found = classes_of(split(), PEOPLE, batch=batch)
    assert Counter(found) == {0: 2, 1: 2, 2: 2}
    assert [found[place] for place in (1, 3, 5)] == [1, 2, 2]


def test_a_combination_that_is_left_out_does_not_make_a_split_one_whole():
    """As many entries as combinations: one has two of them, another none."""
    frame = pl.DataFrame({"x": [1, 1, 1, 2, None]})
    entries = [((1,), 0, 2), ((1,), 1, 1), ((2,), 1, 1)]
    recoding = assign(frame, entries, {"x": ["1", "[1-2]"]}, excluded={"x": (None,)})
    assert not recoding.assignment.is_whole
    released, written = open_table(frame).recode(recoding)
    assert Counter(released["x"]) == {"1": 2, "[1-2]": 2}
    assert (written.written, written.excluded) == (4, 1)


def test_missing_values_that_are_filled_in_need_no_combination_to_join():
    """The only row with a missing value is not otherwise like any that has one."""
    frame = pl.DataFrame({"x": ["a", "a", None], "y": [1, 1, 2]})
    entries = [(("a", 1), 0, 2), ((None, 2), 0, 1)]
    recoding = assign(frame, entries, {"y": ["[1-2]"], "x": ["a"]}, filled={"x": "a"})
    released, _ = open_table(frame).recode(recoding)
    assert released["x"].to_list() == ["a"] * 3


def test_missing_values_may_be_filled_in_before_combinations_are_counted():
    filled = pl.DataFrame({"x": ["a", "a", "b"], "y": [1, 1, 2]})
    entries = [(("a", 1), 0, 2), (("b", 2), 1, 1)]
    recoding = assign(filled, entries, {"x": ["a", "b"]}, filled={"x": "a"})
    frame = pl.DataFrame({"x": ["a", None, "b"], "y": [1, 1, 2]})
    assert classes_of(recoding, frame) == [0, 0, 1]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (Decimal("0E-10"), pl.Decimal(38, 10)),
        (Decimal("2.5"), pl.Decimal(4, 1)),
        (2**100, pl.Int128),
        (0.0, pl.Float64),
        (False, pl.Boolean),
        (date(2020, 1, 1), pl.Date),
        (datetime(2020, 1, 1, 12, tzinfo=UTC), pl.Datetime("us", "Europe/Madrid")),
    ],
)
def test_values_of_every_type_may_be_filled_in_before_combinations_are_counted(value, dtype):
    frame = pl.DataFrame({"x": pl.Series([value, None], dtype=dtype)})
    counted = frame.select(pl.col("x").fill_null(strategy="forward"))
    own = counted["x"][0]
    recoding = assign(counted, [((own,), 0, 2)], {"x": ["x"]}, filled={"x": own})
    assert classes_of(recoding, frame) == [0, 0]


def test_rows_of_class_minus_one_stay_behind():
    frame = pl.DataFrame({"x": [1, 1, 2]})
    recoding = assign(frame, [((1,), 0, 2), ((2,), -1, 1)], {"x": ["1"]})
    released, written = open_table(frame).recode(recoding)
    assert released["x"].to_list() == ["1", "1"]
    assert (written.written, written.suppressed) == (2, 1)


@pytest.mark.parametrize("changed", [[31, 99], [None, 31], [47, 31]])
def test_rows_that_were_not_counted_are_noticed(changed):
    frame = pl.DataFrame({"x": [31, 31], "y": [1, 2]})
    recoding = assign(frame, [((31, 1), 0, 1), ((31, 2), 0, 1)], {"x": ["31"]})
    with pytest.raises(TableError, match="changed while"):
        classes_of(recoding, frame.with_columns(x=pl.Series(changed)))


def test_more_rows_than_were_promised_are_noticed():
    with pytest.raises(TableError, match="changed while"):
        classes_of(split(), pl.concat([PEOPLE, PEOPLE]))
    with pytest.raises(TableError, match="changed while"):
        classes_of(split(), pl.concat([PEOPLE, PEOPLE]), batch=6)


def test_combinations_too_many_for_one_number_are_looked_up_by_joining(monkeypatch):
    expected = classes_of(split(), PEOPLE)
    monkeypatch.setattr(assigner, "_LARGEST_KEY", 1)
    assert classes_of(split(), PEOPLE) == expected
    with pytest.raises(TableError, match="changed while"):
        classes_of(split(), PEOPLE.with_columns(sex=pl.lit("f")))


def test_a_batch_without_rows_has_no_classes():
    for recoding in (whole(), split()):
        assert Assigner(recoding, missing=()).classes(PEOPLE.clear()).tolist() == []


# --- types
# -----------------------------------------------------------------------------------------------------------------

MADRID = ZoneInfo("Europe/Madrid")


@pytest.mark.parametrize(
    ("dtype", "own", "seen"),
    [
        (pl.UInt8, 200, 200),
        (pl.Int32, -5, -5),
        (pl.Float32, 0.5, 0.5),
        (pl.Decimal(10, 2), 1.25, 1.25),
        (pl.Boolean, True, True),
        (pl.Date, date(2024, 5, 1), date(2024, 5, 1)),
        (pl.Datetime("ms"), datetime(2024, 5, 1, 10), datetime(2024, 5, 1, 10)),
        (
            pl.Datetime("us", "Europe/Madrid"),
            datetime(2024, 5, 1, 10, tzinfo=UTC),
            datetime(2024, 5, 1, 12, tzinfo=MADRID),
        ),
        (pl.String, 7, 7),
        (pl.String, "label", "label"),
        (pl.Int64, "[1-2]", "[1-2]"),
    ],
)
def test_released_values_are_held_in_the_type_of_their_column(dtype, own, seen):
    frame = pl.DataFrame({"x": ["a", "b"]})
    recoding = assign(frame, [(("a",), 0, 1), (("b",), 1, 1)], {"x": [own, None]})
    held = Assigner(recoding, missing=(), dtypes={"x": dtype}).released["x"]
    assert held.to_list() == [seen, None]
    if dtype != pl.String and not isinstance(own, str):
        assert held.dtype == dtype


def test_where_the_destination_has_no_null_a_missing_value_is_its_marker():
    frame = pl.DataFrame({"x": ["a", "b"]})
    entries = [(("a",), 0, 1), (("b",), 1, 1)]
    for own, text in [(5, "5"), (date(2024, 5, 1), "2024-05-01"), ("label", "label")]:
        recoding = assign(frame, entries, {"x": [own, None]})
        held = Assigner(recoding, missing=(), marker="?", dtypes={"x": pl.String()}).released["x"]
        assert held.cast(pl.String).to_list() == [text, "?"]


def test_more_labels_than_are_worth_a_dictionary_are_plain_text(monkeypatch, tmp_path):
    monkeypatch.setattr(assigner, "_MOST_LABELS", 1)
    table = open_table(PEOPLE, missing=("?",))
    assert Assigner(whole(), missing=("?",)).released["age"].dtype == pl.String
    released, _ = table.recode(whole())
    assert released["age"].dtype == pl.String
    for name in ("safe.csv", "safe.parquet", "safe.json", "safe.xlsx"):
        assert table.write(whole(), tmp_path / name).written == 6


# --- files in batches
# ------------------------------------------------------------------------------------------------------


@pytest.fixture
def small_batches(monkeypatch):
    """Files are read a thousand rows at a time, or so."""
    monkeypatch.setattr(parquet, "_BATCH_BYTES", 1)
    monkeypatch.setattr(parquet, "_GROUP_BYTES", 1)
    monkeypatch.setattr(records, "_utf8", partial(records._utf8, size=8192))


@pytest.mark.parametrize("name", ["people.csv", "people.parquet"])
def test_a_file_in_several_batches_keeps_the_promised_sizes(name, tmp_path, small_batches):
    frame = pl.DataFrame({"x": [1, 2, 3, 1] * 2000, "n": range(8000)})
    write_frame(frame, tmp_path / name)
    table = open_table(tmp_path / name)
    entries = [((1,), 0, 2500), ((1,), 1, 1500), ((2,), 1, 2000), ((3,), 2, 2000)]
    recoding = assign(frame, entries, {"x": ["one", "one or two", "three"]}, columns=["x"])
    table.write(recoding, tmp_path / "safe.parquet")
    released = pl.read_parquet(tmp_path / "safe.parquet")
    assert len(list(table.scan())) > 1
    assert Counter(released["x"]) == {"one": 2500, "one or two": 3500, "three": 2000}
    original = dict(frame.select("n", "x").rows())
    allowed = {"one": {1}, "one or two": {1, 2}, "three": {3}}
    assert all(original[n] in allowed[x] for x, n in released.select("x", "n").iter_rows())


def test_a_frame_written_in_batches_keeps_the_promised_sizes(tmp_path, monkeypatch):
    frame = pl.DataFrame({"x": [1, 2] * 500})
    recoding = assign(frame, [((1,), 0, 300), ((1,), 1, 200), ((2,), 1, 500)], {"x": ["1", "[1-2]"]})
    table = open_table(frame)
    assert isinstance(table, FrameTable)
    monkeypatch.setattr(
        type(table.reader), "batches", lambda self, columns=None: frame.select(columns or "x").iter_slices(7)
    )
    table.write(recoding, tmp_path / "safe.csv")
    assert Counter(pl.read_csv(tmp_path / "safe.csv")["x"]) == {"1": 300, "[1-2]": 700}
