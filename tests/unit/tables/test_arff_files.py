"""ARFF, the format of Weka, in and out."""

import polars as pl
import pytest

from celosia.errors import TableError
from celosia.tables import Recoding, open_table
from celosia.types import ColumnType

ARFF = """% a comment
@RELATION 'people of the town'

@ATTRIBUTE age NUMERIC
@attribute 'marital status' {single, 'married once', "it's"}
@attribute name string
@attribute born date "yyyy-MM-dd"
@attribute code {007,010}

@DATA
% another comment
31, single, 'O\\'Hara', 1990-01-01, 007
?, 'married once', "a,b", ?, 010

47.5,"it's",'?',2000-12-31,007 % with a remark
"""


def test_rows_are_text_without_quotes_and_with_missing_values(save):
    table = open_table(save("people.arff", ARFF))
    assert table.reader.names == ("age", "marital status", "name", "born", "code")
    assert pl.concat(list(table.scan())).rows() == [
        ("31", "single", "O'Hara", "1990-01-01", "007"),
        (None, "married once", "a,b", None, "010"),
        ("47.5", "it's", "?", "2000-12-31", "007"),
    ]


def test_nominal_attributes_are_text_and_numeric_ones_are_inferred(save):
    schema = open_table(save("people.arff", ARFF)).schema()
    assert [column.type for column in schema] == ["real", "text", "text", "date", "text"]
    assert (
        open_table(save("n.arff", "@relation r\n@attribute a {1,2}\n@data\n1\n2\n")).schema()["a"].type
        == ColumnType.TEXT
    )


def test_what_is_written_declares_its_attributes(save, tmp_path):
    table = open_table(save("people.csv", "age,sex,note\n31,f,it's\n?,m,a b\n"))
    table.write(Recoding(maps={"sex": {"f": "any one", "m": "any one"}}), tmp_path / "safe.arff", seed=1)
    text = (tmp_path / "safe.arff").read_text()
    header, data = text.split("@data\n")
    assert "@attribute age numeric\n@attribute sex {'any one'}\n@attribute note {'a b','it\\'s'}\n" in header
    assert sorted(data.splitlines()) == ["31,'any one','it\\'s'", "?,'any one','a b'"]


def test_many_distinct_texts_become_a_string_attribute(tmp_path):
    table = open_table(pl.DataFrame({"name": [f"n{i}" for i in range(2000)]}))
    table.write(Recoding(), tmp_path / "safe.arff")
    assert "@attribute name string" in (tmp_path / "safe.arff").read_text()


def test_a_type_declared_by_hand_does_not_make_text_a_number(save, tmp_path):
    table = open_table(save("a.csv", "x,y\nabc,1\n"), types={"x": "integer"})
    with pytest.raises(TableError, match="'x' is declared integer"):
        table.write(Recoding(), tmp_path / "safe.arff")
    assert not (tmp_path / "safe.arff").exists()


def test_arff_to_csv_writes_missing_values_as_the_first_marker(save, tmp_path):
    table = open_table(save("people.arff", ARFF), missing=("NA",))
    table.write(Recoding(), tmp_path / "safe.csv")
    assert 'NA,married once,"a,b",NA,010' in (tmp_path / "safe.csv").read_text()


@pytest.mark.parametrize(
    ("name", "rows", "columns"),
    [
        ("diabetes.arff", 768, 9),
        ("diabetes_392.arff", 392, 9),
        ("heart_297_numeric.arff", 297, 14),
        ("wdbc_550.arff", 550, 31),
    ],
)
def test_published_files_are_read_as_they_are(name, rows, columns, shared, tmp_path):
    table = open_table(shared / "data" / "medical" / name)
    whole = pl.concat(list(table.scan()))
    assert whole.shape == (rows, columns)
    table.write(Recoding(), tmp_path / "safe.arff")
    safe = pl.concat(list(open_table(tmp_path / "safe.arff").scan()))
    assert safe.sort(pl.all()).equals(whole.sort(pl.all()))
