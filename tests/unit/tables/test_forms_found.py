"""How columns of text files write numbers and dates: found out from all rows, asked about where it is open."""

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import open_table
from celosia.tables.reading_told import reading_of
from celosia.tables.table import Recoding
from celosia.types import ColumnType


def column(save, texts, **how):
    """The table of one column between two others, so that no separator is mistaken."""
    rows = "".join(f"a;{text};b\n" for text in texts)
    return open_table(save("people.csv", f"first;x;last\n{rows}"), separator=";", **how)


def values(table):
    return pl.concat(list(table.scan(["x"]))).to_series().to_list()


@pytest.mark.parametrize(
    ("texts", "type", "plain"),
    [
        (["3.500,25", "21,0"], "real", ["3500.25", "21.0"]),
        (["3.500,25", "21,00"], "decimal", ["3500.25", "21.00"]),
        (["1,234.50", "0.25"], "decimal", ["1234.50", "0.25"]),
        (["1.234.567", "12"], "integer", ["1234567", "12"]),
        (["1 234,5", "7,25"], "real", ["1234.5", "7.25"]),
        (["1'234.5", "7.25"], "real", ["1234.5", "7.25"]),
        (["1.234,50 €", "-7,00 €"], "decimal", ["1234.50", "-7.00"]),
        (["$ 1,234.50", "$ 7.00"], "decimal", ["1234.50", "7.00"]),
        (["21 %", "5,5 %"], "real", ["21", "5.5"]),
        (["13/02/2020", "01/02/2020"], "date", ["2020-02-13", "2020-02-01"]),
        (["02/13/2020", "02/01/2020"], "date", ["2020-02-13", "2020-02-01"]),
        (["13.2.2020", "1.12.2020"], "date", ["2020-02-13", "2020-12-01"]),
        (["2020/02/13"], "date", ["2020-02-13"]),
        (["13-02-72", "01-02-29"], "date", ["1972-02-13", "2029-02-01"]),
        (["13/02/2020 9:30", "14/02/2020 10:05"], "datetime", ["2020-02-13T09:30", "2020-02-14T10:05"]),
        (["912 345 678", "600 111 222"], "text", ["912 345 678", "600 111 222"]),
        (["+34 600 111 222", "+1 555 010 999"], "text", ["+34 600 111 222", "+1 555 010 999"]),
        (["+34.600.111.222", "+34.600.111.223"], "text", ["+34.600.111.222", "+34.600.111.223"]),
        (["+1 234,5", "-7 000"], "real", ["+1234.5", "-7000"]),
        (["12.345.678", "87.654.321"], "text", ["12.345.678", "87.654.321"]),
        (["1.234", "2.500"], "decimal", ["1.234", "2.500"]),
        (["30/02/2020", "13/02/2020"], "text", ["30/02/2020", "13/02/2020"]),
        (["10,5", "10.5"], "text", ["10,5", "10.5"]),
    ],
)
def test_values_are_read_as_the_column_writes_them(save, tmp_path, texts, type, plain):
    table = column(save, texts)
    assert (table.schema()["x"].type.value, values(table)) == (type, plain)
    table.write(Recoding(keeps_order=True), tmp_path / "copy.csv")
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "people.csv").read_bytes()


def test_the_last_row_decides(save, monkeypatch):
    monkeypatch.setattr("celosia.tables.records._utf8.__kwdefaults__", {"size": 1000})
    table = column(save, ["21"] * 3000 + ["3,5"])
    assert values(table)[-1] == "3.5"
    table = column(save, ["01/02/2020"] * 3000 + ["13/02/2020"])
    assert values(table)[0] == "2020-02-01"


def test_what_one_column_shows_holds_for_one_that_leaves_it_open(save):
    text = "day;seen;paid;price\n13/02/2020;01/02/2020;1,5;1.234\n"
    table = open_table(save("people.csv", text))
    rows = pl.concat(list(table.scan())).row(0)
    assert rows == ("2020-02-13", "2020-02-01", "1.5", "1234")


@pytest.mark.parametrize("text", ["01/02/2020", "1,234"])
def test_what_is_open_is_asked_about_and_not_guessed(save, text):
    table = column(save, [text])
    (doubt,) = reading_of(table).doubts
    assert table.schema()["x"].type is ColumnType.TEXT
    assert doubt.is_open
    assert f"({text!r} in line 2)" in doubt.what


def test_what_is_the_same_either_way_is_not_asked_about(save):
    assert values(column(save, ["01/01/2020", "02/02/2020"])) == ["2020-01-01", "2020-02-02"]
    assert values(column(save, ["21 %", "5 %"])) == ["21", "5"]


def test_what_is_said_is_taken(save):
    assert values(column(save, ["01/02/2020"], date_format="day-first")) == ["2020-02-01"]
    assert values(column(save, ["01/02/2020"], date_format="month-first")) == ["2020-01-02"]
    assert values(column(save, ["01/02/2020"], date_format="%m/%d/%Y")) == ["2020-01-02"]
    assert values(column(save, ["1,234"], decimal=",")) == ["1.234"]
    assert values(column(save, ["1,234"], decimal=".")) == ["1234"]
    assert values(column(save, ["912 345 678"], thousands=" ")) == ["912345678"]
    assert values(column(save, ["1,234"], types={"x": "integer"})) == ["1234"]
    assert values(column(save, ["3.500,25"], types={"x": "text"})) == ["3.500,25"]


def test_contradictions_are_named_with_their_lines(save):
    (doubt,) = reading_of(column(save, ["03/04/2020", "13/02/2020", "02/13/2020"])).doubts
    assert "line 4" in doubt.what
    assert "line 3" in doubt.what
    with pytest.raises(TableError, match="line 3 has 'unknown'"):
        column(save, ["1,5", "unknown", "2,5"], types={"x": "real"}).schema()
    with pytest.raises(TableError, match=r"--date-format day-first"):
        column(save, ["01/02/2020"], types={"x": "date"}).schema()


def test_numbers_with_a_word_among_them_are_text_and_it_is_said(save):
    (doubt,) = reading_of(column(save, ["1,5", "2,5", "3,5", "4,5", "5,5", "many"])).doubts
    assert "looks like numbers" in doubt.what
    assert "'many'" in doubt.what


def test_usual_marks_of_missing_values_are_found(save):
    table = column(save, ["1,5", "N/A", "s/d", "-"])
    assert table.schema()["x"].type is ColumnType.REAL
    assert {"N/A", "s/d", "-"} < set(table.options.missing)
    words = column(save, ["yes", "N/A", "-"])
    assert "N/A" in words.options.missing
    assert "-" not in words.options.missing
    assert column(save, ["1,5", "N/A"], missing=("?",)).schema()["x"].type is ColumnType.TEXT


def test_a_number_that_means_a_missing_value_stays_as_it_is(save, tmp_path):
    table = column(save, ["1,5", "99,9"], missing=("99,9",))
    assert table.count_by(["x"]).values[0].to_list() == [1.5, None]
    table.write(Recoding(keeps_order=True), tmp_path / "copy.csv")
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "people.csv").read_bytes()


@pytest.mark.parametrize("words", [("sí", "no"), ("Sí", "No"), ("1", "0"), ("V", "F"), ("true", "false")])
def test_two_words_are_true_and_false_where_that_is_declared(save, tmp_path, words):
    table = column(save, [*words, "?"], types={"x": "boolean"})
    assert table.count_by(["x"]).values[0].to_list() == [False, True, None]
    table.write(Recoding(keeps_order=True), tmp_path / "copy.csv")
    assert (tmp_path / "copy.csv").read_bytes() == (tmp_path / "people.csv").read_bytes()


@pytest.mark.parametrize(
    ("text", "header"),
    [
        ("39;Private\n50;Private\n", False),
        ("age;work\n50;Private\n", True),
        ("id;2019;2020\n1;5;6\n", True),
        ("01/02/1990;Lugo\n03/04/1991;Vigo\n", False),
        ("Lugo;Vigo\nSoria;Cádiz\n", True),
    ],
)
def test_whether_there_is_a_header_is_found_out(save, text, header):
    assert open_table(save("people.csv", text)).options.header is header


@pytest.mark.parametrize(
    ("encoding", "found"),
    [
        ("utf-8", "utf-8"),
        ("utf-8-sig", "utf-8"),
        ("utf-16", "utf-16-le"),
        ("utf-16-be", "utf-16-be"),
        ("cp1252", "cp1252"),
        ("latin-1", "cp1252"),
        ("cp850", "cp850"),
        ("mac-roman", "mac-roman"),
    ],
)
def test_the_encoding_is_found_wherever_the_first_letter_with_an_accent_stands(tmp_path, encoding, found):
    path = tmp_path / "people.csv"
    path.write_bytes(("ciudad;edad\n" + "Lugo;30\n" * 40_000 + "Cádiz, España;31\n").encode(encoding))
    table = open_table(path)
    assert table.options.encoding == found
    assert pl.concat(list(table.scan())).row(-1) == ("Cádiz, España", "31")
