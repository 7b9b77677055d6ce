"""CSV and TXT in all their dialects: values are the text that was written."""

import polars as pl
import pytest

from celosia.tables import FileDestination, Recoding, open_table


def rows(table):
    return [tuple(value for value in row) for batch in table.scan() for row in batch.rows()]


@pytest.mark.parametrize(
    ("text", "separator"),
    [
        ("a,b\n1,2\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a|b\n1|2\n", "|"),
        ("a, b\n1, 2\n", ", "),
        ('a,b\n"x, y",2\n', ","),
        ("a,b,c\n1,2,3\n4,5\n", ","),
    ],
)
def test_the_separator_is_found(save, text, separator):
    table = open_table(save("people.csv", text))
    assert table.reader.separator == separator


def test_a_file_with_one_column_is_read_whole(save):
    assert rows(open_table(save("people.csv", "remark\nhello, world\n\nbye\n"))) == [
        ("hello, world",),
        (None,),
        ("bye",),
    ]


def test_separators_may_have_several_characters_also_within_quotes(save):
    table = open_table(save("people.txt", 'a<->b\n1<->"x<->y"\n"q""r"<->-\n'), separator="<->")
    assert rows(table) == [("1", "x<->y"), ('q"r', "-")]


def test_a_separator_outside_ascii_works(save):
    assert rows(open_table(save("people.txt", "a·b\n1·2\n"), separator="·")) == [("1", "2")]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-16-le", "utf-32", "cp037"]
)
def test_other_encodings_are_read_and_written_back(save, tmp_path, encoding):
    table = open_table(
        save("people.csv", "ciudad,año\nAlcalá,1990\nLeón,1991\n", encoding), encoding=encoding
    )
    assert table.reader.names == ("ciudad", "año")
    assert rows(table) == [("Alcalá", "1990"), ("León", "1991")]
    assert table.count_by(["ciudad"]).values[0].to_list() == ["Alcalá", "León"]
    table.write(Recoding(), tmp_path / "safe.csv")
    lines = (tmp_path / "safe.csv").read_bytes().decode(encoding).splitlines()
    assert sorted(lines) == ["Alcalá,1990", "León,1991", "ciudad,año"]


def test_utf8_needs_no_word_about_its_mark(save):
    table = open_table(save("people.csv", "age,sex\n1,f\n", "utf-8-sig"))
    assert table.reader.names == ("age", "sex")
    assert table.count_by(["age"]).rows == 1
    headless = open_table(save("rows.csv", "1,f\n2,m\n", "utf-8-sig"), header=False)
    assert headless.count_by(["column_1"]).values[0].to_list() == [1, 2]


def test_without_a_header_columns_are_numbered(save):
    table = open_table(save("people.csv", "39, State-gov\n50, Private\n\n"), header=False)
    assert table.reader.names == ("column_1", "column_2")
    assert rows(table) == [("39", "State-gov"), ("50", "Private")]
    assert table.count_by(["column_2"]).rows == 2


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_may_end_as_on_any_system(save, end):
    table = open_table(save("people.csv", end.join(["a,b", "1,2", '"3",4', ""])))
    assert rows(table) == [("1", "2"), ("3", "4")]
    assert table.count_by(["b"]).values[0].to_list() == [2, 4]


def test_blank_lines_are_no_rows(save):
    table = open_table(save("people.csv", "\n\na,b\n1,2\n\n3,4\n\n\n"))
    assert rows(table) == [("1", "2"), ("3", "4")]
    assert table.count_by(["a"]).rows == 2


def test_quoted_fields_hold_separators_quotes_and_line_ends(save):
    table = open_table(save("people.csv", 'a,b\n"x,\ny","he said ""no"""\n"",2\n'))
    assert rows(table)[0] == ("x,\ny", 'he said "no"')
    assert table.count_by(["a"]).values[0].to_list() == ["x,\ny", None]


def test_a_quote_within_a_field_is_a_character(save):
    table = open_table(save("pipes.csv", 'size,n\n5" pipe,1\n6" pipe,2\n7 in,3\n'))
    assert rows(table) == [('5" pipe', "1"), ('6" pipe', "2"), ("7 in", "3")]
    assert table.count_by(["size"]).rows == 3
    table = open_table(save("pipes.txt", 'size||n\n5" pipe||1\n"6||7"||2\n'), separator="||")
    assert rows(table) == [('5" pipe', "1"), ("6||7", "2")]


def test_a_file_larger_than_a_block_is_read_whole(save, monkeypatch):
    monkeypatch.setattr("celosia.tables.records.BLOCK", 64)
    monkeypatch.setattr("celosia.tables.records._utf8.__kwdefaults__", {"size": 64})
    lines = [f'{i},"note {i}\nwith ""quotes"", and á"' if i % 3 else f"{i},plain" for i in range(500)]
    table = open_table(save("people.csv", "id,note\n" + "\n".join(lines)))
    assert [row[0] for row in rows(table)] == [str(i) for i in range(500)]
    assert table.count_by(["id"]).rows == 500


def test_text_survives_a_round_trip_unchanged(save, tmp_path):
    lines = ["007,1.10,12345678901234567890,?,2020-01-01", "08,2.50,1,NA,x", "10,,0,,TRUE"]
    table = open_table(save("people.csv", "\n".join(["zip,paid,big,mark,other", *lines, ""])))
    table.write(Recoding(), tmp_path / "safe.csv")
    assert sorted((tmp_path / "safe.csv").read_text().splitlines()[1:]) == sorted(lines)


def test_the_destination_may_ask_for_another_dialect(save, tmp_path):
    table = open_table(save("people.csv", "a;b\ná;2\n"))
    table.write(Recoding(), tmp_path / "same.csv")
    assert (tmp_path / "same.csv").read_text() == "a;b\ná;2\n"
    table.write(Recoding(), tmp_path / "safe.tsv")
    assert (tmp_path / "safe.tsv").read_text() == "a\tb\ná\t2\n"
    table.write(
        Recoding(), FileDestination(tmp_path / "safe.txt", separator="||", encoding="latin-1", header=False)
    )
    assert (tmp_path / "safe.txt").read_bytes() == "á||2\n".encode("latin-1")
    table.write(Recoding(), FileDestination(tmp_path / "safe", format="csv"))
    assert (tmp_path / "safe").read_text() == "a;b\ná;2\n"


def test_markers_of_missing_values_are_told_by_the_user(save):
    path = save("people.csv", "sex\nf\nNA\n-\n\nf\n")
    assert open_table(path).count_by(["sex"]).values[0].to_list() == ["-", "f", None]
    assert open_table(path, missing=("-",)).count_by(["sex"]).values[0].to_list() == ["", "NA", "f", None]
    assert open_table(path, missing="-").count_by(["sex"]).counts.tolist() == [1, 1, 2, 1]
    assert open_table(path, missing=()).count_by(["sex"]).values[0].to_list() == ["", "-", "NA", "f"]


def test_a_missing_label_is_written_as_the_first_marker_and_others_stay_as_they_are(save, tmp_path):
    table = open_table(save("people.csv", "sex,town\nf,?\n?,NA\n,x\n"), missing=("?", "NA", ""))
    table.write(Recoding(maps={"sex": {"f": "*", None: None}}), tmp_path / "safe.csv")
    assert sorted((tmp_path / "safe.csv").read_text().splitlines()[1:]) == ["*,?", "?,NA", "?,x"]


def test_an_empty_field_stays_empty_whatever_the_first_marker(save, tmp_path):
    table = open_table(save("people.csv", "sex,town\nf,\nm,?\n"), missing=("?", ""))
    table.write(Recoding(), tmp_path / "safe.csv")
    assert sorted((tmp_path / "safe.csv").read_text().splitlines()[1:]) == ["f,", "m,?"]


def test_fields_are_quoted_where_needed_only(save, tmp_path):
    table = open_table(save("people.csv", 'a,b\n"x,y",plain\n"say ""hi""",z\n'))
    table.write(Recoding(), tmp_path / "safe.csv")
    assert sorted((tmp_path / "safe.csv").read_text().splitlines()[1:]) == ['"say ""hi""",z', '"x,y",plain']


@pytest.mark.parametrize(
    ("path", "options", "expected"),
    [
        ("adult_uci/adult-train.csv", {"header": False}, (32561, 15)),
        ("adult_arx/adult.csv", {}, (30162, 9)),
        ("medical/wdbc.data", {"header": False}, (569, 32)),
        ("medical/pima-indians-diabetes.csv", {"header": False}, (768, 9)),
    ],
)
def test_published_files_are_read_as_they_are(path, options, expected, shared):
    table = open_table(shared / "data" / path, **options)
    frame = pl.concat(list(table.scan()))
    assert frame.shape == expected
    assert table.count_by(table.reader.names[:1]).rows == expected[0]
    assert not frame.to_series(1).cast(pl.String).str.starts_with(" ").any()


def test_a_value_that_begins_like_the_mark_of_a_file_keeps_its_beginning(tmp_path):
    path = tmp_path / "people.csv"
    path.write_bytes("town,n\n\ufeffa,1\n\ufeffa,2\n".encode())
    table = open_table(path)
    assert pl.concat(table.scan())["town"].to_list() == ["\ufeffa", "\ufeffa"]
    assert table.count_by(["town"]).counts.tolist() == [2]


def test_a_file_is_sniffed_once_however_often_it_is_opened(save, monkeypatch):
    sniffed = []
    monkeypatch.setattr("celosia.tables.dialect.sniff_separator", lambda text: sniffed.append(text) or ";")
    monkeypatch.setattr("celosia.tables.formats.delimited.CLOCK_TICK", 0)
    path = save("people.csv", "age;sex\n31;f\n")
    assert [open_table(path).columns() for _ in range(3)] == [("age", "sex")] * 3
    assert len(sniffed) == 1


def test_a_file_that_changes_is_looked_at_again(save):
    path = save("people.csv", "age;sex\n31;f\n")
    assert open_table(path).columns() == ("age", "sex")
    path.write_text("age,zip\n31,2\n")
    assert open_table(path).columns() == ("age", "zip")
    path.unlink()
    path.write_text("age|day\n31|2\n")
    assert open_table(path).columns() == ("age", "day")
