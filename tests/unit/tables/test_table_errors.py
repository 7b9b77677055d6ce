"""What a user reads who made a mistake: one sentence that says what, where and what to do."""

import polars as pl
import pytest

from celosia.errors import ReleaseError, TableError
from celosia.tables import Recoding, open_table, read_types, write_frame


def message(path, **options):
    with pytest.raises(TableError) as caught:
        list(open_table(path, **options).scan())
    text = str(caught.value)
    assert "\n" not in text
    return text.replace(str(getattr(path, "parent", "")) + "/", "")


def test_a_file_that_does_not_exist(tmp_path):
    assert message(tmp_path / "people.csv") == "people.csv: this file does not exist; check the path"


def test_a_folder(tmp_path):
    (tmp_path / "people").mkdir()
    assert message(tmp_path / "people").startswith("people: there is no table in this folder; give the path")


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.xlsx", "a.json", "a.ndjson", "a.arff"])
def test_an_empty_file(save, name):
    assert message(save(name, "")) == f"{name}: the file is empty; check that it was saved"


@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.ndjson", "a.arff"])
def test_a_file_of_blank_lines(save, name):
    assert (
        message(save(name, "\n \n\n".replace(" ", "")))
        == f"{name}: the file is empty; check that it was saved"
    )


def test_a_header_and_no_rows(save, tmp_path):
    assert message(save("a.csv", "age,sex\n")).startswith("a.csv: the file has a header but no rows")
    assert message(save("b.csv", "age,sex")).startswith("b.csv: the file has a header but no rows")
    write_frame(pl.DataFrame({"age": []}, schema={"age": pl.Int64}), tmp_path / "a.parquet")
    assert message(tmp_path / "a.parquet").startswith("a.parquet: the file has columns but no rows")
    write_frame(pl.DataFrame({"age": []}, schema={"age": pl.Int64}), tmp_path / "a.xlsx")
    assert message(tmp_path / "a.xlsx").startswith("a.xlsx: the sheet has a header but no rows")
    assert message(save("a.json", "[]")).startswith("a.json: the file has no rows")
    assert message(save("a.arff", "@relation r\n@attribute a numeric\n@data\n")).startswith(
        "a.arff: the file has a header"
    )


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("a,b,c\n1,2,3\n4,5\n", 3, "2 fields"),
        ("a,b,c\n1,2,3,4\n4,5,6\n", 2, "4 fields"),
        ('a,b,c\n1,"x\ny",3\n\n7\n', 5, "1 field"),
        ("a,b,c\n1,2\n4,5,6,7\n", 2, "2 fields"),
        ('a,b,c\n5" x,2,3\n4,5\n', 3, "2 fields"),
    ],
)
def test_rows_of_another_width(save, text, line, found):
    expected = (
        f"people.csv: line {line} has {found} instead of 3; mend the line, or name the separator of the file"
    )
    path = save("people.csv", text)
    assert message(path) == expected
    with pytest.raises(TableError, match=f"line {line} has {found} instead of 3"):
        open_table(path).count_by(["a"])
    with pytest.raises(TableError, match=f"line {line} has {found} instead of 3"):
        open_table(path).schema()


def test_a_ragged_row_far_down_is_still_named(save, monkeypatch):
    monkeypatch.setattr("celosia.tables.records._utf8.__kwdefaults__", {"size": 100})
    path = save("people.csv", "a,b\n" + "1,2\n" * 1000 + "3\n" + "1,2\n" * 50)
    assert "line 1002 has 1 field instead of 2" in message(path)


def test_repeated_and_empty_names(save):
    assert "the column name 'age' stands twice (columns 1 and 3)" in message(
        save("a.csv", "age,sex,age\n1,f,2\n")
    )
    assert "column 2 has no name" in message(save("a.csv", "age,,sex\n1,f,2\n"))
    arff = "@relation r\n@attribute a numeric\n@attribute a numeric\n@data\n1,2\n"
    assert "the column name 'a' stands twice" in message(save("a.arff", arff))


def test_repeated_names_in_a_sheet(tmp_path):
    import xlsxwriter

    book = xlsxwriter.Workbook(tmp_path / "a.xlsx")
    sheet = book.add_worksheet()
    sheet.write_row(0, 0, ["age", "age"])
    sheet.write_row(1, 0, [1, 2])
    book.close()
    assert "the column name 'age' stands twice" in message(tmp_path / "a.xlsx")


@pytest.mark.parametrize("name", ["people.csv", "people.json", "people.arff"])
def test_the_wrong_encoding(save, name):
    text = message(save(name, "año\nx\n", "latin-1"), encoding="utf-8")
    assert (
        text
        == f"{name}: byte 0xf1 in line 1 is not utf-8; name the encoding of the file, for example --encoding latin-1"
    )


def test_the_wrong_encoding_names_the_line(save, monkeypatch):
    monkeypatch.setattr("celosia.tables.records._utf8.__kwdefaults__", {"size": 16})
    path = save("people.csv", b"a,b\n" + b"1,\xc3\xa1\n" * 40 + b"1,\xe1\n")
    assert "byte 0xe1 in line 42 is not utf-8" in message(path)


def test_utf16_is_recognized(save):
    text = message(save("people.csv", "a,b\n1,2\n", "utf-16"), encoding="utf-8")
    assert text.endswith("for example --encoding utf-16")


def test_an_encoding_that_does_not_exist(save):
    assert "the encoding 'latin-99' is not known; try utf-8" in message(
        save("a.csv", "a\n1\n"), encoding="latin-99"
    )
    assert "the encoding 'hex' is not known" in message(save("a.csv", "a\n1\n"), encoding="hex")


def test_an_unknown_ending_or_format(save):
    assert message(save("people.doc", "x")).startswith(
        "people.doc: files that end in '.doc' are not known; name the format"
    )
    assert message(save("people", "x")).startswith("people: a file without an ending is not known")
    assert "the format 'spss' is not known; choose one of: arff, arrow, csv" in message(
        save("a.csv", "a\n1\n"), format="spss"
    )


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.json", '{"a": 1}', "this is not an array of objects"),
        ("a.json", "[1, 2]", "this is not a JSON file"),
        ("a.json", '[{"a": 1}', "this is not a JSON file"),
        ("a.ndjson", '{"a": 1}\nx\n', "this is not an NDJSON file"),
        ("a.parquet", "a,b\n1,2\n", "this is not a Parquet file"),
        ("a.parquet", "PAR1junkPAR1", "this is not a Parquet file"),
        ("a.xlsx", "a,b\n1,2\n", "this is not a workbook"),
        ("a.arff", "a,b\n1,2\n", "line 1 is not understood: 'a,b'"),
        ("a.arff", "@relation r\n@attribute a numeric\n", "it has no @data line"),
        ("a.arff", "@relation r\n@attribute a complex\n@data\n1\n", "line 2 is not understood"),
        ("a.arff", "@relation r\n@attribute a numeric\n@data\n1,2\n", "line 4 has 2 fields instead of 1"),
        ("a.arff", "@relation r\n@attribute a numeric\n@data\n{0 1}\n", "line 4 is a sparse row"),
        ("a.arff", "@relation r\n@attribute a string\n@data\n'x\n", "the quotes in line 4 do not pair"),
    ],
)
def test_files_that_are_not_what_they_say(save, name, content, expected):
    assert expected in message(save(name, content))


def test_a_separator_that_cannot_be(save):
    for separator in ("", '"', "\n", '|"|'):
        assert "cannot separate fields" in message(save("a.csv", "a\n1\n"), separator=separator)


def test_an_object_that_is_no_table():
    with pytest.raises(TableError, match="an object of type list is not a table"):
        open_table([1, 2])


def test_types_of_columns_that_do_not_exist(save):
    assert "column 'agee' does not exist; did you mean 'age'" in message(
        save("a.csv", "age\n1\n"), types={"agee": "text"}
    )
    assert "column 'age' cannot have the type 'shape'; choose one of: text" in message(
        save("a.csv", "age\n1\n"), types={"age": "shape"}
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("age,int\n", "this is not a types file"),
        ("name,type\nage,shape\n", "column 'age' cannot have the type 'shape'"),
        ("name,type,length\nage,text,x\n", "'x' in line 2 is not a length"),
    ],
)
def test_a_types_file_that_is_none(save, content, expected):
    with pytest.raises(TableError, match=expected):
        read_types(save("types.csv", content))
    with pytest.raises(TableError, match="the types cannot be read"):
        read_types(save("types.csv", "").with_name("none.csv"))


def test_destinations_that_cannot_be(save, tmp_path):
    table = open_table(save("people.csv", "age\n1\n"))
    with pytest.raises(TableError, match="this is a folder"):
        table.write(Recoding(), tmp_path)
    with pytest.raises(TableError, match="this file exists already; remove it or choose another name"):
        table.write(Recoding(), table.path)
    assert table.path.read_text() == "age\n1\n"
    with pytest.raises(TableError, match=r"the file cannot be written \(No such file or directory\)"):
        table.write(Recoding(), tmp_path / "none" / "safe.csv")
    with pytest.raises(TableError, match="not known"):
        table.write(Recoding(), tmp_path / "safe.doc")
    with pytest.raises(TableError, match="is not a place to write to"):
        table.write(Recoding(), 42)
    with pytest.raises(TableError, match=r"call recode\(\) for a frame"):
        open_table(pl.DataFrame({"a": [1]})).write(Recoding(), None)


def test_a_character_that_the_encoding_lacks(save, tmp_path):
    table = open_table(save("people.csv", "age\n70\n", "latin-1"), encoding="latin-1")
    with pytest.raises(TableError, match="'≥' cannot be written in latin-1; choose utf-8 for the output"):
        table.write(Recoding(maps={"age": {70: "≥ 70"}}), tmp_path / "safe.csv")
    assert not (tmp_path / "safe.csv").exists()


def test_nested_values_have_no_place_in_a_text_file(tmp_path):
    table = open_table(pl.DataFrame({"age": [1], "visits": [[1, 2]]}))
    with pytest.raises(TableError, match="column 'visits' holds list values, which have no text"):
        table.write(Recoding(), tmp_path / "safe.csv")
    with pytest.raises(TableError, match="column 'visits' holds list values"):
        table.count_by(["visits"])
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing(save, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("celosia.tables.delimited_sink.DelimitedSink.append", full)
    with pytest.raises(ReleaseError, match="No space left on device"):
        open_table(save("people.csv", "age\n1\n")).write(Recoding(), tmp_path / "safe.csv")
    assert not (tmp_path / "safe.csv").exists()
