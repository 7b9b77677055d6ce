"""Columns that nobody declared: which of them must not leave without a word, and what is said of them."""

import random
import sqlite3
from datetime import date, datetime, timedelta

import polars as pl
import pytest

import celosia
from celosia.errors import ProjectError
from celosia.profile.undeclared import find_undeclared
from celosia.release.undeclared import undeclared_error
from celosia.tables import open_table

ROWS = 600


def stays(**more):
    draw = random.Random(3)
    kinds = [draw.choice("xyz") for _ in range(ROWS)]
    return pl.DataFrame({"age": [draw.randint(20, 80) for _ in range(ROWS)], "kind": kinds, **more})


def found(frame, k=5):
    names = [name for name in frame.columns if name != "age"]
    return {one.name: one for one in find_undeclared(open_table(frame), names, k=k)}


def codes(frame, name="x"):
    return [reason.code for reason in found(frame)[name].reasons]


def test_a_column_of_few_values_may_leave_undeclared():
    assert found(stays()) == {}


def test_a_number_that_singles_people_out_is_counted_and_a_treatment_worked_out():
    draw = random.Random(1)
    column = found(stays(x=[round(draw.lognormvariate(7, 1), 2) for _ in range(ROWS)]))["x"]
    assert column.reasons[-1].facts == {"rows": ROWS, "small": ROWS, "alone": column.sizes.alone, "k": 5}
    assert column.treatment.operation.startswith("round:to=")
    assert column.treatment.small == 0


def test_in_a_table_of_fewer_than_20_rows_differing_values_mean_nothing():
    frame = stays(x=[i * 37 % 101 for i in range(ROWS)])
    assert found(frame.head(19)) == {}
    assert "x" in found(frame.head(20))


def test_one_row_in_a_hundred_is_tolerated():
    assert found(stays(x=["rare"] * 6 + ["common"] * 594)) == {}
    assert found(stays(x=["rare"] * 4 + ["common"] * 596)) == {}
    assert codes(stays(x=["rare"] * 4 + ["odd"] * 4 + ["common"] * 592)) == ["singles-out"]


@pytest.mark.parametrize("name", ["Ciudad", "zip 2", "Antigüedad", "depto"])
def test_a_name_of_something_others_know_stops(name):
    assert name in found(stays(**{name: ["a", "b"] * (ROWS // 2)}))


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (["Lugo", "Cali", "Madrid"] * 200, "places"),
        ([20 + i * 7 % 60 for i in range(ROWS)], "ages"),
        ([date(2024, 1, 1 + i % 5) for i in range(ROWS)], "date"),
        ([f"0{i % 30 + 1000}"[:5] for i in range(ROWS)], "postcodes"),
    ],
)
def test_values_that_others_know_stop(values, code):
    assert code in codes(stays(x=values))


def test_free_text_stops():
    texts = [f"patient {i * 13 % 601} says that she fell on her way home" for i in range(ROWS)]
    assert codes(stays(x=texts))[0] == "free-text"


@pytest.mark.parametrize(
    "values",
    [
        list(range(1, ROWS + 1)),
        [ROWS - i for i in range(ROWS)],
        [datetime(2024, 1, 1) + timedelta(minutes=7 * i) for i in range(ROWS)],
        [f"2024-01-01 {i // 60:02d}:{i % 60:02d}" for i in range(ROWS)],
    ],
)
def test_a_column_that_follows_the_order_of_the_rows_stops_and_is_not_to_be_rounded(values):
    column = found(stays(x=values))["x"]
    assert "follows-rows" in [reason.code for reason in column.reasons]
    assert column.treatment is None


def test_a_table_sorted_by_a_column_of_few_values_does_not_follow_the_rows():
    assert found(stays(x=sorted(["red", "green", "blue"] * 200))) == {}


def test_values_that_cannot_be_compared_are_not_let_through():
    assert codes(stays(x=[[i] for i in range(ROWS)])) == ["not-looked-at"]


def test_a_column_that_is_all_missing_may_leave():
    assert found(stays(x=pl.Series([None] * ROWS, dtype=pl.String))) == {}


def test_odd_names_are_columns_like_others():
    assert set(found(stays(**{"^a$": [i * 37 % 601 for i in range(ROWS)], "a b": ["a"] * ROWS}))) == {"^a$"}


def test_one_error_names_every_column_and_the_choices():
    frame = stays(**{"Coste (€)": [i * 37 % 601 * 10 for i in range(ROWS)], "row": list(range(ROWS))})
    with pytest.raises(ProjectError) as raised:
        celosia.anonymize(frame, quasi_identifiers=["age"], k=5)
    error = raised.value
    assert error.what.startswith(
        "2 columns are not declared and would tell people apart: 'Coste (€)': 600 of 600"
    )
    assert "'row': its values rise from row to row" in error.what
    assert "--mask 'Coste (€)=round:to=" in error.remedy
    for choice in ("--qi", "--sensitive", "--identifier", "--accept", "--common"):
        assert choice in error.remedy


def test_the_k_of_the_promise_is_the_k_of_the_count():
    frame = stays(x=[f"v{i % 100}" for i in range(ROWS)])  # six rows each
    celosia.anonymize(frame, quasi_identifiers=["age"], k=6)
    with pytest.raises(ProjectError, match="fewer than 7 share"):
        celosia.anonymize(frame, quasi_identifiers=["age"], k=7)


def test_a_declared_column_leaves_whatever_it_is():
    frame = stays(cost=[i * 37 % 601 for i in range(ROWS)])
    for how in ({"common": ["cost"]}, {"sensitive": ["cost"]}, {"identifiers": ["cost"]}):
        celosia.anonymize(frame, quasi_identifiers=["age"], k=5, **how)


def test_files_and_databases_say_what_frames_say(tmp_path):
    draw = random.Random(5)
    frame = stays(cost=[draw.randint(1000, 90000) for _ in range(ROWS)], town=["Lugo", "Vigo"] * (ROWS // 2))
    frame.write_csv(tmp_path / "stays.csv")
    frame.write_parquet(tmp_path / "stays.parquet")
    with sqlite3.connect(tmp_path / "stays.db") as database:
        database.execute("create table stays (age integer, kind text, cost integer, town text)")
        database.executemany("insert into stays values (?, ?, ?, ?)", frame.rows())
    sources = [(frame, {}), (tmp_path / "stays.csv", {}), (tmp_path / "stays.parquet", {})]
    sources.append((f"sqlite:///{tmp_path}/stays.db", {"table": "stays"}))
    said = []
    for source, how in sources:
        table = open_table(source, **how)
        columns = find_undeclared(table, ["kind", "cost", "town"], k=5)
        said.append(undeclared_error(columns, location="").what)
    assert said[0].startswith("2 columns are not declared")
    assert len(set(said)) == 1
