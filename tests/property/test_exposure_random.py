"""Exposure against brute force: groups counted one by one in plain Python, on random tables of all types."""

import math
from collections import Counter, defaultdict
from datetime import date, datetime
from decimal import Decimal
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from celosia.measure.exposure import Exposure, measure_exposure
from celosia.tables import hashed_rows, open_table

NAMES = ("age", "cost", "^a$", "*", "len", "", 'a "b"', "código, postal", "set", "person")
VALUES = {
    pl.String: ["Lugo", "lugo", " Lugo", "", "?", "NA", None, "ñ"],
    pl.Int64: [0, 1, -1, 2**62, None],
    pl.Float64: [0.0, 1.5, -1.5, math.inf, None, math.nan, -0.0],
    pl.Boolean: [True, False, None],
    pl.Date: [date(2024, 1, 1), date(1960, 2, 29), None],
    pl.Datetime("us"): [datetime(2024, 1, 1, 10), datetime(2024, 1, 1, 10, 0, 1), None],
    pl.Decimal(10, 2): [Decimal("1.10"), Decimal("2.00"), None],
    pl.Binary: [b"", b"a", None],
    pl.List(pl.Int64): [[], [1], [1, 2], [2, 1], None],
    pl.Null: [None],
}


@st.composite
def tables(draw: st.DrawFn) -> pl.DataFrame:
    """A few rows of a few columns."""
    rows = draw(st.integers(0, 12))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=5, unique=True))
    columns = []
    for name in names:
        dtype = draw(st.sampled_from(list(VALUES)))
        some = st.sampled_from(VALUES[dtype])
        values = draw(st.lists(some, min_size=rows, max_size=rows))
        columns.append(pl.Series(values, dtype=dtype, strict=False).alias(name))
    return pl.DataFrame(columns)


def plain(value: object) -> object:
    """A value as it is counted: what is no number is missing, zero has no sign."""
    if isinstance(value, float):
        return None if math.isnan(value) else value + 0.0
    return tuple(value) if isinstance(value, list) else value


def brute_force(frame: pl.DataFrame, columns: tuple[str, ...], k: int) -> tuple[int, int, int]:
    """Groups, people who are alone, people in groups smaller than k."""
    places = [frame.columns.index(name) for name in columns]
    sizes = Counter(tuple(plain(row[place]) for place in places) for row in frame.rows()).values()
    return len(sizes), sum(n == 1 for n in sizes), sum(n for n in sizes if n < k)


def expect(frame: pl.DataFrame, found: Exposure, quasi: list[str], guarded: list[str], k: int) -> None:
    """Compare all that is told with brute force."""
    others = [name for name in frame.columns if name not in quasi]
    assert [one.column for one in found.columns] == others
    assert found.people == frame.height
    for one in found.columns:
        assert (one.distinct, one.alone, one.small) == brute_force(frame, (one.column,), k)
        with_quasi = brute_force(frame, (*quasi, one.column), k)[1:]
        assert (one.alone_with, one.small_with) == with_quasi
        assert one.is_guarded == (one.column in guarded)
    for some in found.together:
        assert (some.alone, some.small) == brute_force(frame, some.columns, k)[1:]
        assert not set(some.columns) & set(guarded)


@given(tables(), st.integers(2, 5), st.data())
def test_exposure_is_what_brute_force_counts(frame: pl.DataFrame, k: int, data: st.DataObject) -> None:
    quasi = data.draw(st.lists(st.sampled_from(frame.columns), max_size=2, unique=True))
    rest = [name for name in frame.columns if name not in quasi]
    guarded = data.draw(st.lists(st.sampled_from(rest), max_size=1)) if rest else []
    found = measure_exposure(open_table(frame, missing=()), quasi_identifiers=quasi, guarded=guarded, k=k)
    expect(frame, found, quasi, guarded, k)


@given(tables(), st.integers(2, 4), st.data())
def test_where_nothing_is_told_together_no_set_of_columns_singles_anybody_out(
    frame: pl.DataFrame, k: int, data: st.DataObject
) -> None:
    quasi = data.draw(st.lists(st.sampled_from(frame.columns), max_size=2, unique=True))
    found = measure_exposure(open_table(frame, missing=()), quasi_identifiers=quasi, k=k)
    others = [name for name in frame.columns if name not in quasi]
    is_clean = not found.together and not any(one.is_exposed for one in found.columns)
    for size in range(1, len(frame.columns) + 1):
        for columns in combinations(frame.columns, size):
            if is_clean and set(columns) & set(others):
                assert brute_force(frame, columns, k)[2] == 0


@given(tables(), st.integers(2, 4), st.lists(st.sampled_from("abcd"), min_size=12, max_size=12))
def test_groups_are_made_of_people_where_they_are_told_apart(
    frame: pl.DataFrame, k: int, who: list[str]
) -> None:
    people = frame.rename({"person": "somebody"}, strict=False).with_columns(
        pl.Series("person", who[: frame.height], dtype=pl.String)
    )
    found = measure_exposure(open_table(people, missing=()), quasi_identifiers=[], k=k, person="person")
    assert found.people == len(set(who[: frame.height]))
    for one in found.columns:
        groups = defaultdict(set)
        for value, person in zip(people[one.column].to_list(), who, strict=False):
            groups[plain(value)].add(person)
        assert one.alone == len({p for group in groups.values() if len(group) == 1 for p in group})
        assert one.small == len({p for group in groups.values() if len(group) < k for p in group})


def test_numbers_that_do_not_fit_in_memory_are_counted_from_a_private_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.DataFrame({"age": [n % 40 for n in range(30_000)], "cost": [n // 2 for n in range(30_000)]})
    frame.write_csv(tmp_path / "people.csv")
    monkeypatch.setattr(hashed_rows, "AT_ONCE", 1_000)
    table = open_table(tmp_path / "people.csv", missing=())
    found = measure_exposure(table, quasi_identifiers=["age"], k=3, memory=1_000, folder=tmp_path)
    expect(frame, found, ["age"], [], 3)
    assert [path.name for path in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("ending", ["csv", "parquet", "json"])
def test_a_file_is_counted_as_its_frame(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(
        {"age": [30, 30, 31], "city": ["Lugo", "lugo", "lugo"], "paid": ["1.10", "1.1", "1.1"]}
    )
    path = tmp_path / f"people.{ending}"
    {"csv": frame.write_csv, "parquet": frame.write_parquet, "json": frame.write_json}[ending](path)
    found = measure_exposure(open_table(path, missing=()), quasi_identifiers=["age"], k=2)
    expect(frame, found, ["age"], [], 2)


def test_a_thousand_columns_are_all_counted_and_only_some_are_tried_together() -> None:
    rows = {f"c{n}": [n % 2, 0, 1, n % 3] for n in range(1_000)}
    frame = pl.DataFrame(rows)
    found = measure_exposure(open_table(frame, missing=()), quasi_identifiers=["c0"], k=2)
    assert len(found.columns) == 999
    assert found["c5"].distinct == brute_force(frame, ("c5",), 2)[0]
    assert len(found.together) <= 5


def test_one_row_is_alone_by_every_column_even_by_one_without_values() -> None:
    frame = pl.DataFrame({"age": [30], "note": pl.Series([None], dtype=pl.String), "bits": [b"x"]})
    found = measure_exposure(open_table(frame, missing=()), quasi_identifiers=["age"], k=2)
    assert [(one.column, one.alone) for one in found.columns] == [("note", 1), ("bits", 1)]
