"""Types are inferred from all values, can be overridden, and never cost a character."""

import datetime
from decimal import Decimal

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, open_table, read_types, write_frame, write_types
from celosia.types import Column, ColumnType


@pytest.mark.parametrize(
    ("values", "type"),
    [
        (["1", "-20", "0"], "integer"),
        (["12345678901234567890123456789012345678901234567890"], "integer"),
        (["007", "1"], "text"),
        (["1.5", "2.25"], "real"),
        (["31", "33.6", "?"], "real"),
        (["1e5", "-.5"], "real"),
        (["1.10", "20.05"], "decimal"),
        (["1.10", "20.5"], "real"),
        (["true", "false"], "boolean"),
        (["TRUE", "False"], "boolean"),
        (["0", "1"], "integer"),
        (["2024-02-29", "NA"], "date"),
        (["2023-02-29"], "text"),
        (["2024-02-29T10:00:00", "2024-02-29T10:00:01.5"], "datetime"),
        (["2024-02-29 10:00", "2024-02-29 10:00:00+02:00"], "datetime"),
        (["a", "1"], "text"),
        (["?", "NA"], "text"),
        (["١٢"], "text"),
        (["1\n"], "text"),
    ],
)
def test_the_type_is_that_of_every_value(save, values, type):
    table = open_table(save("a.csv", "\n".join(["x,y", *(f'"{value}",z' for value in values)])))
    assert table.schema()["x"].type == type


def test_one_value_at_the_end_of_a_large_file_decides(save, monkeypatch):
    monkeypatch.setattr("celosia.tables.records._utf8.__kwdefaults__", {"size": 1000})
    path = save("a.csv", "x\n" + "1\n" * 5000 + "many\n")
    assert open_table(path).schema()["x"].type == ColumnType.TEXT
    assert open_table(path, missing=("many",)).schema()["x"].type == ColumnType.INTEGER


def test_text_has_the_length_of_its_longest_value(save):
    schema = open_table(save("a.csv", "x,y\nañil,1\nz,2\n")).schema()
    assert schema["x"] == Column("x", ColumnType.TEXT, 4)
    assert schema["y"] == Column("y", ColumnType.INTEGER)


def test_types_are_overridden_by_hand_and_from_a_file(save, tmp_path):
    path = save("a.csv", "zip,age\n10001,31\n10002,47\n")
    assert open_table(path).schema()["zip"].type == ColumnType.INTEGER
    assert open_table(path, types={"zip": "text"}).schema()["zip"].type == ColumnType.TEXT
    types = save("types.csv", "name,type,length\nzip,text,5\n")
    table = open_table(path, types=read_types(types))
    assert table.schema()["zip"] == Column("zip", ColumnType.TEXT, 5)
    assert table.schema()["age"].type == ColumnType.INTEGER
    write_types(table.schema(), tmp_path / "saved.csv")
    assert (tmp_path / "saved.csv").read_text() == "name,type,length\nzip,text,5\nage,integer,\n"
    assert read_types(tmp_path / "saved.csv") == table.schema()


def test_a_frame_and_a_typed_file_have_types_of_their_own(tmp_path):
    frame = pl.DataFrame(
        {"a": [1], "b": ["x"], "c": [Decimal("1.10")], "d": [[1]], "e": [datetime.date(2024, 1, 1)]}
    )
    frame.write_parquet(tmp_path / "a.parquet")
    expected = ["integer", "text", "decimal", "other", "date"]
    assert [column.type for column in open_table(frame).schema()] == expected
    assert [column.type for column in open_table(tmp_path / "a.parquet").schema()] == expected
    assert open_table(frame, types={"a": "text"}).schema()["a"].type == ColumnType.TEXT


def test_text_gets_types_in_a_typed_file_where_nothing_is_lost(save, tmp_path):
    huge, times = "1" + "0" * 40, "2024-01-31,2024-01-31T10:00:00,2024-01-31 10:00:00.500"
    lines = [
        "zip,age,big,huge,paid,rate,mixed,flag,loud,day,at,late,town",
        f"007,31,12345678901234567890,{huge},1.10,1.5,1.10,true,TRUE,{times},?",
        f"10,?,1,2,2.00,31,1.1,false,FALSE,{times},x",
    ]
    path = save("a.csv", "\n".join(lines))
    open_table(path).write(Recoding(), tmp_path / "a.parquet")
    frame = pl.read_parquet(tmp_path / "a.parquet")
    assert dict(frame.schema) == {
        "zip": pl.String,
        "age": pl.Int64,
        "big": pl.Decimal(38, 0),
        "huge": pl.String,
        "paid": pl.Decimal(38, 2),
        "rate": pl.Float64,
        "mixed": pl.String,
        "flag": pl.Boolean,
        "loud": pl.String,
        "day": pl.Date,
        "at": pl.Datetime("us"),
        "late": pl.Datetime("us"),
        "town": pl.String,
    }
    assert sorted(frame["zip"]) == ["007", "10"]
    assert frame.filter(pl.col("zip") == "007").row(0)[1:5] == (
        31,
        12345678901234567890,
        "1" + "0" * 40,
        Decimal("1.10"),
    )
    assert frame["age"].null_count() == frame["town"].null_count() == 1


def test_a_declared_type_rules_in_a_typed_file_unless_it_would_lose_something(save, tmp_path):
    path = save("a.csv", "zip,code\n10001,007\n10002,010\n")
    open_table(path, types={"zip": "text", "code": "integer"}).write(Recoding(), tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").dtypes == [pl.String, pl.String]


def test_text_gets_types_in_json_and_sheets_too(save, tmp_path):
    path = save("a.csv", "zip,age,paid,big,flag\n007,31,1.10,12345678901234567890,true\n007,?,2.20,1,false\n")
    table = open_table(path)
    table.write(Recoding(), tmp_path / "a.ndjson", seed=1)
    lines = sorted((tmp_path / "a.ndjson").read_text().splitlines(), reverse=True)
    assert '{"zip":"007","age":31,"paid":"1.10","big":"12345678901234567890","flag":true}' in lines
    table.write(Recoding(), tmp_path / "a.xlsx")
    frame = pl.concat(list(open_table(tmp_path / "a.xlsx").scan()))
    assert frame.dtypes == [pl.String, pl.Int64, pl.String, pl.String, pl.Boolean]
    assert sorted(frame["big"]) == ["1", "12345678901234567890"]
    assert sorted(frame["paid"]) == ["1.10", "2.20"]


def test_a_declared_type_that_the_values_do_not_have_is_a_mistake(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("sex,age\nf,31\nm,32\n")
    assert open_table(path, types={"age": "real"}).schema()["age"].type is ColumnType.REAL
    with pytest.raises(TableError, match=r"'sex' is declared integer, and line 2 has 'f'; declare it text"):
        open_table(path, types={"sex": "integer"}).schema()


def test_dates_in_a_sheet_are_dates_again(tmp_path):
    frame = pl.DataFrame({"seen": [datetime.date(2024, 1, 2), None], "n": [1, 2]})
    write_frame(frame, tmp_path / "people.xlsx")
    assert [column.type for column in open_table(tmp_path / "people.xlsx").schema()] == ["date", "integer"]


@pytest.mark.parametrize("header", [True, False])
def test_zeros_of_a_sheet_are_one_value_among_texts_too(tmp_path, header):
    import xlsxwriter

    columns = {"mixed": [-0.0, 0.0, "low"], "texts": ["-0", "0", "low"], "numbers": [-0.0, 0.0, 1.5]}
    book = xlsxwriter.Workbook(tmp_path / "a.xlsx")
    sheet = book.add_worksheet()
    for place, (name, values) in enumerate(columns.items()):
        for row, value in enumerate([name, *values] if header else values):
            write = sheet.write_string if isinstance(value, str) else sheet.write_number
            write(row, place, value)
    book.close()
    table = open_table(tmp_path / "a.xlsx", header=header)
    found = [table.count_by([name]).values[0].to_list() for name in table.columns()]
    assert found == [["0", "low"], ["-0", "0", "low"], [0.0, 1.5]]
