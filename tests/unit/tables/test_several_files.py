"""Several files as one table: by a list, a pattern or a folder, with what folders say of the rows in them."""

import gzip

import polars as pl
import pytest

import celosia
from celosia.errors import TableError
from celosia.tables import Recoding, open_table, write_frame
from celosia.tables.file_list import plain_name


def frame(table):
    return pl.concat(list(table.scan()))


@pytest.fixture
def months(tmp_path):
    (tmp_path / "jan.csv").write_text("town;age\nLeón;31\nVigo;47\n")
    (tmp_path / "feb.csv").write_text("age,town\n50,Lugo\n")
    (tmp_path / "mar.csv.gz").write_bytes(gzip.compress("town|age\nÁvila|7\n".encode()))
    return tmp_path


ALL = [("Lugo", "50"), ("León", "31"), ("Vigo", "47"), ("Ávila", "7")]


@pytest.mark.parametrize("place", ["*.csv*", "{feb,jan}.csv", "[fjm]*"])
def test_all_files_that_fit_a_pattern_are_one_table(months, place):
    table = open_table(str(months / place))
    found = frame(table).select("town", "age").rows()
    assert found == (ALL[:3] if place.startswith("{") else ALL)
    assert table.name == str(months / place)


def test_a_list_of_files_is_one_table_and_so_is_a_folder(months):
    listed = open_table([months / "jan.csv", str(months / "feb.csv")])
    assert frame(listed).rows() == [("León", "31"), ("Vigo", "47"), ("Lugo", "50")]
    assert frame(open_table(months)).select("town", "age").rows() == ALL


def test_columns_are_inferred_counted_and_written_over_all_files(months, tmp_path):
    table = open_table(str(months / "*.csv*"))
    assert [(column.name, column.type.value) for column in table.schema()] == [
        ("age", "integer"),
        ("town", "text"),
    ]
    assert table.count_by(["age"]).values[0].to_list() == [7, 31, 47, 50]
    written = table.write(Recoding(keeps_order=True), tmp_path / "safe.parquet")
    assert written.written == 4
    assert pl.read_parquet(tmp_path / "safe.parquet")["age"].to_list() == [50, 31, 47, 7]


def test_a_path_with_brackets_that_exists_is_that_file(tmp_path):
    (tmp_path / "people[1].csv").write_text("age\n31\n")
    (tmp_path / "people1.csv").write_text("age\n47\n")
    assert frame(open_table(tmp_path / "people[1].csv")).rows() == [("31",)]


def test_a_changed_file_is_noticed_whichever_it_is(months):
    table = open_table(str(months / "*.csv"))
    counts = table.count_by(["age"])
    assert table.is_as_counted(counts)
    (months / "feb.csv").write_text("age,town\n51,Lugo\n")
    assert not table.is_as_counted(counts)


def partitioned(folder):
    rows = pl.DataFrame(
        {"age": [31, 47, 50, 7], "year": [2023, 2023, 2024, 2024], "town": ["a b", "ñ", None, "ñ"]}
    )
    for (year, town), part in rows.group_by(["year", "town"]):
        place = folder / f"year={year}" / f"town={'__HIVE_DEFAULT_PARTITION__' if town is None else town}"
        place.mkdir(parents=True)
        part.select(pl.col("age").cast(pl.Int32 if year == 2023 else pl.Int64)).write_parquet(
            place / "part-0.parquet"
        )
    (folder / "_SUCCESS").touch()
    (folder / ".part-0.parquet.crc").write_bytes(b"x")
    return rows


def test_a_folder_partitioned_as_hive_does_it_has_its_folders_as_columns(tmp_path):
    rows = partitioned(tmp_path / "visits")
    table = open_table(tmp_path / "visits")
    found = frame(table)
    assert found.schema == {"age": pl.Int64, "year": pl.Int64, "town": pl.String}
    assert sorted(found.rows(), key=str) == sorted(rows.rows(), key=str)
    assert table.count_by(["year"]).rows_of(0).tolist() == [2, 2]
    assert table.count_by(["town", "age"]).rows == 4
    assert sorted(frame(open_table(f"{tmp_path}/visits/year=2024/**/*.parquet"))["age"]) == [7, 50]


def test_folders_written_by_another_engine_are_read_as_it_reads_them(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    partitioned(tmp_path / "visits")
    theirs = duckdb.read_parquet(f"{tmp_path}/visits/**/*.parquet", hive_partitioning=True)
    ours = frame(open_table(tmp_path / "visits")).select(pl.col("age"), pl.col("year"), pl.col("town"))
    assert sorted(theirs.project("age, year, town").fetchall(), key=str) == sorted(ours.rows(), key=str)


def test_files_that_do_not_belong_together_are_named(months):
    (months / "apr.csv").write_text("town,years\nLugo,3\n")
    with pytest.raises(TableError) as caught:
        open_table([months / "jan.csv", months / "apr.csv"])
    assert str(caught.value) == (
        f"{months}/apr.csv: column 'age' of {months}/jan.csv is not in this file; "
        "files of one table have the same columns: leave this one out, or mend it"
    )
    write_frame(pl.DataFrame({"town": ["x"], "age": [1]}), months / "may.parquet")
    with pytest.raises(TableError, match=r"may.parquet: this file is parquet, and .*jan.csv is csv"):
        open_table([months / "jan.csv", months / "may.parquet"])
    write_frame(pl.DataFrame({"town": ["x"], "age": ["1"]}), months / "jun.parquet")
    with pytest.raises(
        TableError, match=r"jun.parquet: column 'age' holds String here and Int64 in .*may.parquet"
    ):
        open_table([months / "may.parquet", months / "jun.parquet"])
    with pytest.raises(TableError, match="no file fits this pattern"):
        open_table(str(months / "*.xyz"))


def test_a_sheet_is_chosen_by_its_name_and_several_are_one_table(tmp_path):
    xlsxwriter = pytest.importorskip("xlsxwriter")
    path = tmp_path / "people.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, ages in (("enero", [31, 47]), ("febrero", [50])):
            sheet = book.add_worksheet(name)
            sheet.write_column(0, 0, ["age", *ages])
    assert frame(open_table(path))["age"].to_list() == [31, 47]
    assert frame(open_table(path, table="febrero"))["age"].to_list() == [50]
    assert frame(open_table(path, table=["enero", "febrero"]))["age"].to_list() == [31, 47, 50]
    with pytest.raises(
        TableError, match="there is no sheet 'marzo' in the workbook; choose one of: enero, febrero"
    ):
        open_table(path, table="marzo")
    write_frame(pl.DataFrame({"age": [1]}), tmp_path / "a.csv")
    with pytest.raises(TableError, match="tables are named in databases, spreadsheets and archives"):
        open_table(tmp_path / "a.csv", table="x")


def test_a_table_in_several_files_is_released_from_python(months, tmp_path):
    rows = "town,age\n" + "León,31\n" * 5
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text(rows)
    for source in ([tmp_path / "a.csv", tmp_path / "b.csv"], str(tmp_path / "{a,b}.csv")):
        release = celosia.anonymize(
            source, out=tmp_path / "safe.csv", quasi_identifiers=["town", "age"], k=10, overwrite=True
        )
        assert len(open_table(tmp_path / "safe.csv").count_by(["town"]).counts) == 1
        assert release.written.written == 10


def test_names_of_tables_come_from_their_places():
    places = [
        "a/people.csv",
        "a/people.csv.gz",
        "visits/*.csv",
        "visits/**/*.parquet",
        "s3://b/c/x.parquet",
        "visits/",
    ]
    assert [plain_name(place) for place in places] == ["people", "people", "visits", "visits", "x", "visits"]


def test_texts_in_an_open_spreadsheet_come_back_as_they_were(tmp_path):
    texts = ["  two  spaces  ", "a\nb", "\n", "<&>\"'", "ñ", " ", "a\n b "]
    write_frame(pl.DataFrame({"note": texts}), tmp_path / "a.ods")
    assert frame(open_table(tmp_path / "a.ods"))["note"].to_list() == texts
    with pytest.raises(TableError, match="holds tabs or control characters"):
        write_frame(pl.DataFrame({"note": ["a\tb"]}), tmp_path / "b.ods")


def test_types_of_an_arrow_file_stay(tmp_path):
    rows = pl.DataFrame({"when": ["2024-01-02"], "kind": ["a"], "paid": [1.5]}).with_columns(
        pl.col("when").str.to_date(), pl.col("kind").cast(pl.Categorical)
    )
    for name in ("a.feather", "b.arrow"):
        rows.write_ipc(tmp_path / name, compression="lz4")
        table = open_table(tmp_path / name)
        assert [column.type.value for column in table.schema()] == ["date", "text", "real"]
        table.write(Recoding(), tmp_path / f"safe_{name}")
        assert pl.read_ipc(tmp_path / f"safe_{name}").schema == {
            "when": pl.Date,
            "kind": pl.String,
            "paid": pl.Float64,
        }
    rows.write_ipc_stream(tmp_path / "c.arrows")
    assert frame(open_table(tmp_path / "c.arrows")).height == 1


def test_texts_that_contradict_each_other_in_two_files_are_told_with_their_lines(tmp_path):
    (tmp_path / "a.csv").write_text("paid;age\n3.500,25;1\n1.200,00;2\n")
    (tmp_path / "b.csv").write_text("age,paid\n3,21.50\n")
    profile = celosia.profile_table(str(tmp_path / "*.csv"))
    told = str(profile.reading.doubts[0].what)
    assert "'21.50'" in told
    assert "None" not in told
