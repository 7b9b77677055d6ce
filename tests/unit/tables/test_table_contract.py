"""What every kind of table promises, whatever it is made of."""

from collections import Counter
from typing import Any

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, Table

ROWS = 300


def people() -> pl.DataFrame:
    """Sorted, with columns whose names mean something to engines, and a missing sex in every tenth row."""
    return pl.DataFrame(
        {
            "index": [f"row-{i:03d}" for i in range(ROWS)],
            "len": [20 + i // 10 for i in range(ROWS)],
            "count": [None if i % 10 == 0 else ("f", "m")[i % 2] for i in range(ROWS)],
            "literal": [("Málaga", "Alcalá, Henares", 'the "Ex"')[i % 3] for i in range(ROWS)],
            "^rows$": [("a", "b")[i % 2] for i in range(ROWS)],
            "*": [("x", "y", "z")[i // 2 % 3] for i in range(ROWS)],
        }
    )


def as_text(frame: pl.DataFrame) -> list[tuple[Any, ...]]:
    return frame.select(pl.all().cast(pl.String)).rows()


def combinations(counts: Any, distinct: Any = None) -> Counter[tuple[Any, ...]]:
    """The combinations by their values, or by other names of those."""
    columns = [
        values.gather(pl.Series(codes)).to_list()
        for values, codes in zip(distinct or counts.values, counts.codes, strict=True)
    ]
    found: Counter[tuple[Any, ...]] = Counter()
    for *combination, rows in zip(*columns, counts.counts.tolist(), strict=True):
        assert tuple(combination) not in found, "a combination stands twice"
        found[tuple(combination)] = rows
    return found


def test_it_answers_the_verbs_of_a_table(kind):
    table = kind.open(people())
    assert isinstance(table, Table)
    assert table.schema().names == tuple(people().columns)


@pytest.mark.parametrize(
    "columns", [["len"], ["count", "literal"], ["*", "^rows$", "index"], ["len", "count", "*"]]
)
def test_counts_are_those_of_the_rows(kind, columns):
    rows = people().select(pl.nth(people().columns.index(c)) for c in columns)
    counts = kind.open(people()).count_by(columns)
    assert combinations(counts) == Counter(rows.rows())
    assert combinations(counts, counts.texts) == Counter(as_text(rows))
    assert counts.rows == ROWS
    assert counts.columns == tuple(columns)


def test_distinct_values_come_in_the_order_of_their_type_with_a_missing_one_last(kind):
    frame = pl.DataFrame({"n": [100, 20, None, 3, 100], "t": ["b", "a", "b", None, "a"]})
    counts = kind.open(frame).count_by(["n", "t"])
    assert [values.to_list() for values in counts.values] == [[3, 20, 100, None], ["a", "b", None]]
    # In pandas a column of integers with a missing one holds real numbers.
    numbers = ["3.0", "20.0", "100.0"] if kind.name == "pandas" else ["3", "20", "100"]
    assert [texts.to_list() for texts in counts.texts] == [[*numbers, None], ["a", "b", None]]
    assert counts.values[0].dtype.is_float() if kind.name == "pandas" else counts.values[0].dtype.is_integer()


def test_numbers_kept_as_text_are_numbers_in_a_file_of_text_only(kind):
    """A file of text has no other way to write a number; elsewhere somebody chose to have texts."""
    counts = kind.open(pl.DataFrame({"code": ["100", "20", "3", "20"]})).count_by(["code"])
    is_typed = not kind.name.startswith(("csv", "txt", "tsv"))
    assert counts.values[0].to_list() == (["100", "20", "3"] if is_typed else [3, 20, 100])
    assert counts.texts[0].to_list() == (["100", "20", "3"] if is_typed else ["3", "20", "100"])
    assert sorted(counts.rows_of(0)) == [1, 1, 2]


def test_counting_no_column_counts_the_rows(kind):
    assert kind.open(people()).count_by([]).counts.tolist() == [ROWS]


def test_a_scan_gives_all_rows_in_order(kind):
    frame = pl.concat(list(kind.open(people()).scan(["index", "*"])))
    assert as_text(frame) == list(zip(people()["index"], people().to_series(5), strict=True))


def test_an_empty_recoding_keeps_every_row_and_value(kind):
    table = kind.open(people())
    frame, written = kind.recode(table, Recoding())
    assert Counter(as_text(frame)) == Counter(as_text(people()))
    assert frame.columns == people().columns
    assert (written.source, written.written) == (ROWS, ROWS)


def test_sorted_rows_leave_in_another_order(kind):
    table = kind.open(people())
    frame, _ = kind.recode(table, Recoding())
    order = frame["index"].cast(pl.String).to_list()
    assert order != sorted(order)
    assert sorted(order) == people()["index"].to_list()


def test_a_seed_repeats_the_order_and_no_seed_does_not(kind):
    table = kind.open(people())
    first, second, free = (
        kind.recode(table, Recoding(), seed)[0]["index"].to_list() for seed in (5, 5, None)
    )
    assert first == second != free


def test_the_recoding_is_applied_in_its_order(kind):
    ages = {age: f"[{age // 10 * 10}, {age // 10 * 10 + 10})" for age in range(20, 50)}
    recoding = Recoding(
        dropped=("index",),
        filled={"count": "f"},
        excluded={"literal": ("Málaga",)},
        maps={"len": ages, "count": {"f": "person", "m": "man"}},
        suppressed=pl.DataFrame({"len": ["[20, 30)"], "count": ["man"]}),
    )
    frame, written = kind.recode(kind.open(people()), recoding)
    expected = [
        (ages[age], "person" if sex in (None, "f") else "man", town, rows, star)
        for _, age, sex, town, rows, star in people().rows()
        if town != "Málaga"
    ]
    left = [row for row in expected if row[:2] != ("[20, 30)", "man")]
    assert Counter(as_text(frame)) == Counter(left)
    assert written.excluded == 100
    assert written.suppressed == len(expected) - len(left) > 0
    assert written.written == len(left)


def test_a_missing_value_of_a_quasi_identifier_is_a_value_of_its_own(kind):
    table = kind.open(people())
    labels = {"f": "*", "m": "*", None: None}
    missing = pl.DataFrame({"count": [None], "len": ["20"]}, schema={"count": pl.String, "len": pl.String})
    frame, written = kind.recode(table, Recoding(maps={"count": labels}, suppressed=missing))
    assert frame["count"].null_count() == 29
    assert written.suppressed == 1
    _, written = kind.recode(table, Recoding(excluded={"count": (None,)}))
    assert written.excluded == 30


def test_all_rows_may_be_left_out(kind):
    recoding = Recoding(excluded={"*": ("x", "y", "z")})
    if kind.name in ("polars", "polars lazy", "pandas", "pyarrow", "duckdb"):
        frame, written = kind.recode(kind.open(people()), recoding)
        assert frame.height == 0
        assert frame.columns == people().columns
    else:
        table = kind.open(people())
        path = table.path.with_name(f"safe{table.path.suffix}")
        written = table.write(recoding, path)
        assert path.exists()
    assert (written.written, written.excluded) == (0, ROWS)


def test_a_value_that_the_map_lacks_is_never_released(kind):
    with pytest.raises(TableError, match="the recoding of column 'count' lacks a missing value"):
        kind.recode(kind.open(people()), Recoding(maps={"count": {"f": "*", "m": "*"}}))


@pytest.mark.parametrize(
    "recoding",
    [
        Recoding(dropped=("lenn",)),
        Recoding(maps={"lenn": {}}),
        Recoding(filled={"lenn": "x"}),
        Recoding(excluded={"lenn": ("x",)}),
        Recoding(suppressed=pl.DataFrame({"lenn": ["x"]})),
    ],
)
def test_a_column_that_does_not_exist_is_named_with_the_nearest(kind, recoding):
    with pytest.raises(TableError, match="column 'lenn' does not exist; did you mean 'len'"):
        kind.recode(kind.open(people()), recoding)


def test_counting_a_column_that_does_not_exist_or_twice_is_refused(kind):
    table = kind.open(people())
    with pytest.raises(TableError, match="did you mean 'len'"):
        table.count_by(["lenn"])
    with pytest.raises(TableError, match="column 'len' is named twice"):
        table.count_by(["len", "len"])
    with pytest.raises(TableError, match="did you mean 'len'"):
        table.scan(["lenn"])


def test_the_source_is_left_as_it_was(kind):
    table = kind.open(people())
    before = table.path.read_bytes() if hasattr(table, "path") else as_text(pl.concat(list(table.scan())))
    kind.recode(table, Recoding(dropped=("index",), maps={"len": dict.fromkeys(range(20, 50), "*")}))
    after = table.path.read_bytes() if hasattr(table, "path") else as_text(pl.concat(list(table.scan())))
    assert before == after


def test_progress_is_told_and_ends_at_one(kind):
    told: list[tuple[str, float]] = []
    table = kind.open(people())
    table.count_by(["len"], progress=lambda stage, share: told.append((stage, share)))
    assert told[-1] == ("counting rows", 1.0)
    assert all(0 <= share <= 1 for _, share in told)
