"""What every table in a database promises, as tables in files and in memory do, and what only one there can."""

import os
from collections import Counter
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, TableError
from celosia.tables import Recoding, Table, open_table
from celosia.tables.format import FileLayout
from celosia.tables.sql import open as door
from celosia.tables.sql.open import new_table, open_sql_table
from celosia.tables.writing import write_rows
from celosia.types import Column, ColumnType, Schema

ROWS = 60
REFUSED = r"the database refused|the filter is no condition"


def people() -> pl.DataFrame:
    """Sorted, with a column whose name means something to SQL, and several ways to miss a value."""
    return pl.DataFrame(
        {
            "id": [f"row-{i:02d}" for i in range(ROWS)],
            "age": [None if i % 20 == 0 else 20 + i // 10 for i in range(ROWS)],
            "order": [("f", "m", "F", "m ", "?", None)[i % 6] for i in range(ROWS)],
            "town": [("Málaga", "Malaga", 'the "Ex"', "100%", "a:b", "", "NA")[i % 7] for i in range(ROWS)],
        }
    )


def load(database: Any, frame: pl.DataFrame, name: str = "people") -> None:
    """Import a frame as it is, markers of missing values too."""
    target = new_table(database.address, name)
    open_table(frame).write(Recoding(), target)
    target.publish()
    target.database.close()


@pytest.fixture
def table(database: Any) -> Any:
    load(database, people())
    found = open_sql_table(database.address, "people", writes=True)
    yield found
    found.close()


def as_text(frame: pl.DataFrame) -> Counter[tuple[Any, ...]]:
    return Counter(frame.select(pl.all().cast(pl.String)).rows())


def read(table: Any) -> pl.DataFrame:
    return pl.concat(list(table.scan()))


def counted(table: Any, columns: list[str]) -> tuple[Any, ...]:
    counts = table.count_by(columns)
    values = [series.to_list() for series in counts.values]
    return values, [codes.tolist() for codes in counts.codes], counts.counts.tolist()


def test_it_answers_the_verbs_of_a_table(table):
    assert isinstance(table, Table)
    assert [(c.name, c.type) for c in table.schema()] == [
        (c.name, c.type) for c in open_table(people()).schema()
    ]


def test_counts_are_those_of_a_frame_in_the_same_order(table):
    for columns in (["town"], ["order", "age"], ["town", "order", "age", "id"], []):
        assert counted(table, columns) == counted(open_table(people()), columns)


def test_an_import_keeps_every_value(table):
    assert as_text(read(table)) == as_text(people())


def test_rows_leave_in_another_order(table):
    target = new_table(None, "safe", source=table)
    table.write(Recoding(), target)
    order = read(target.open()).get_column("id").to_list()
    assert order != sorted(order)
    assert sorted(order) == people()["id"].to_list()
    target.withdraw()


def test_counting_a_column_that_does_not_exist_or_twice_is_refused(table):
    for columns in (["lenn"], ["age", "age"]):
        with pytest.raises(TableError, match=r"column '\w+' (does not exist|is named twice)"):
            table.count_by(columns)


def test_a_column_that_does_not_exist_is_named_with_the_nearest(table):
    for recoding in (
        Recoding(dropped=("agee",)),
        Recoding(unified=("agee",)),
        Recoding(maps={"agee": {}}),
        Recoding(filled={"agee": "x"}),
        Recoding(excluded={"agee": ("x",)}),
        Recoding(suppressed=pl.DataFrame({"agee": ["x"]})),
    ):
        target = new_table(None, "safe", source=table)
        with pytest.raises(TableError, match="column 'agee' does not exist; did you mean 'age'"):
            table.write(recoding, target)
        target.withdraw()


AGES = dict.fromkeys(range(20, 26), "*")


@pytest.mark.parametrize("labels", [{**AGES}, {**dict(list(AGES.items())[1:]), None: None}])
def test_a_value_that_the_map_lacks_is_never_released(table, labels):
    target = new_table(None, "safe", source=table)
    with pytest.raises(TableError, match="the recoding of column 'age' lacks"):
        table.write(Recoding(maps={"age": labels}), target)
    target.withdraw()


def test_a_fill_that_the_column_cannot_hold_is_refused(table):
    target = new_table(None, "safe", source=table)
    with pytest.raises(TableError, match="missing values of column 'age' is no integer"):
        table.write(Recoding(filled={"age": "unknown"}), target)
    target.withdraw()


def test_a_marker_may_be_a_number(database):
    load(database, pl.DataFrame({"age": [31, 99, 99, None], "name": ["a", "b", "c", "d"]}))
    table = open_table(database.address, table="people", missing=("99",), writes=True)
    assert counted(table, ["age"]) == ([[31, None]], [[0, 1]], [1, 3])
    target = new_table(None, "safe", source=table)
    done = table.write(Recoding(maps={"age": {31: "x", None: "y"}}), target)
    assert done.suppressed == 0
    assert Counter(read(target.open()).get_column("age").to_list()) == {"x": 1, "y": 3}
    target.withdraw()
    table.close()


def test_an_empty_table_is_counted_recoded_and_exported(database, tmp_path):
    database.run("CREATE TABLE people (age INTEGER, town VARCHAR(9))")
    table = open_sql_table(database.address, "people", writes=True)
    assert table.count_by([]).counts.tolist() == [0]
    assert len(table.count_by(["age", "town"])) == 0
    for name, write in {"pushed": type(table).write, "streamed": write_rows}.items():
        target = new_table(None, name, source=table)
        done = write(table, Recoding(maps={"town": {}}), target)
        assert (done.source, done.written) == (0, 0)
        assert target.open().columns() == ("age", "town")
        target.publish()
    table.write(Recoding(), tmp_path / "safe.csv")
    assert (tmp_path / "safe.csv").read_text().split() == ["age,town"]
    table.close()


def test_a_view_and_several_tables_are_tables(database):
    load(database, people())
    load(database, people(), "others")
    quote = "`" if database.scheme == "mariadb" else '"'
    database.run(f"CREATE VIEW grown AS SELECT id, age, {quote}order{quote} FROM people WHERE age > 22")
    view = open_sql_table(database.address, "grown")
    rows = people().filter(pl.col("age") > 22)
    assert counted(view, ["order", "age"]) == counted(open_table(rows), ["order", "age"])
    view.close()
    both = open_sql_table(database.address, ["people", "others"], where="age > 22", writes=True)
    assert both.count() == 2 * rows.height
    assert counted(both, ["town"]) == counted(open_table(pl.concat([rows, rows])), ["town"])
    target = new_table(None, "safe", source=both)
    assert both.write(Recoding(), target).written == 2 * rows.height
    target.withdraw()
    both.close()


FILTERS = {
    "town LIKE '%%alaga%'": lambda row: "alaga" in (row["town"] or ""),
    "town LIKE '100\\%'": lambda row: row["town"] == "100%",
    "town = 'a:b' AND id <> ':id'": lambda row: row["town"] == "a:b",
    "town = 'the \"Ex\"'": lambda row: row["town"] == 'the "Ex"',
    "age IN (21, 22) OR town = 'it''s'": lambda row: row["age"] in (21, 22),
}


def test_a_condition_chooses_rows(database):
    load(database, people())
    for condition in FILTERS:
        escape = " ESCAPE '\\'" if "\\" in condition and database.scheme in ("sqlite", "duckdb") else ""
        chooses_rows(database, condition + escape)


def chooses_rows(database: Any, condition: str) -> None:
    table = open_sql_table(database.address, "people", where=condition, writes=True)
    wanted = FILTERS[condition.partition(" ESCAPE")[0]]
    rows = [row["id"] for row in people().to_dicts() if wanted(row)]
    assert rows
    assert sorted(read(table).get_column("id").to_list()) == rows
    assert table.count_by(["town"]).rows == table.count() == len(rows)
    target = new_table(None, "safe", source=table)
    assert table.write(Recoding(), target).written == len(rows)
    target.withdraw()
    table.close()


@pytest.mark.parametrize("database", ["postgresql", "duckdb"], indirect=True)
def test_a_condition_may_cast_with_colons(database):
    load(database, people())
    table = open_sql_table(database.address, "people", where="substr(id, 5)::int < 10 and '%s' <> ':x'")
    assert table.count() == 10
    table.close()


NO_CONDITIONS = [
    "age >",
    "nothing = 1",
    "age > 1; DROP TABLE people",
    "1 = 1) AS r; DROP TABLE people; --",
    "1 = 1) r; DELETE FROM people; SELECT 1 FROM (SELECT 1 WHERE (1 = 1",
    "",
    "'",
    "age > 1 /*",
]


def test_what_is_no_condition_is_refused_and_does_nothing(database):
    load(database, people())
    for condition in NO_CONDITIONS:
        with pytest.raises(TableError, match=REFUSED):
            open_sql_table(database.address, "people", where=condition, writes=True)
        assert database.query("SELECT COUNT(*) FROM people") == [(ROWS,)]


def test_rows_travel_from_file_to_database_to_file(database, tmp_path):
    source = tmp_path / "people.csv"
    source.write_text(
        'age,born,paid,name\n31,1990-01-02,1.5,Ana\n?,,NA,"it\'s, ""x"""\n47,2000-02-29,1e-7,José\n'
    )
    target = new_table(database.address, "people")
    done = open_table(source).write(Recoding(), target)
    target.publish()
    target.database.close()
    table = open_table(database.address, table="people")
    assert [str(column.type) for column in table.schema()] == ["integer", "date", "real", "text"]
    table.write(Recoding(), tmp_path / "again.csv")
    table.close()
    again, first = open_table(tmp_path / "again.csv"), open_table(source)
    assert done.written == 3
    for name in first.columns():
        assert counted(again, [name]) == counted(first, [name])


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
def test_a_zero_byte_is_refused_where_texts_cannot_hold_it_and_not_shown(database):
    with pytest.raises(CelosiaError, match="the database refused a value") as raised:
        load(database, pl.DataFrame({"name": ["secret\0"]}))
    assert "secret" not in str(raised.value)


# SQLite takes a text for a number without complaint.
@pytest.mark.parametrize("database", ["postgresql", "mariadb", "duckdb"], indirect=True)
def test_an_error_of_the_database_shows_no_value(database):
    load(database, people())
    table = open_sql_table(database.address, "people", writes=True)
    target = new_table(None, "safe", source=table)
    made = target.create(FileLayout(Schema((Column("age", ColumnType.INTEGER),))))
    with pytest.raises(TableError, match="the database refused a value") as raised:
        made.append(pl.DataFrame({"age": ["row-01"]}))
    assert "row-" not in str(raised.value)
    if database.scheme == "mariadb":  # a cast in a query warns of the value, a strict one refuses it
        with pytest.raises(TableError, match="the database refused a value") as raised:
            table.database.run("CREATE TABLE numbers AS SELECT CAST(id AS INTEGER) AS age FROM people")
        assert "row-" not in str(raised.value)
    target.withdraw()
    table.close()


def test_no_row_crosses_the_connection_in_a_global_recoding(database, monkeypatch):
    rows = 3000
    frame = pl.DataFrame(
        {
            "name": [f"person {i}" for i in range(rows)],
            "age": [20 + i % 10 for i in range(rows)],
            "town": [("A", "B", None)[i % 3] for i in range(rows)],
            "ill": [("x", "y")[i % 7 == 0] for i in range(rows)],
        }
    )
    load(database, frame)
    opened = []

    def watched(*given: Any, **how: Any) -> Any:
        opened.append(connect(*given, **how))
        return opened[-1]

    connect = door.open_database
    monkeypatch.setattr(door, "open_database", watched)
    release = celosia.anonymize(
        database.address,
        table="people",
        out_table="safe",
        k=5,
        quasi_identifiers=["age", "town"],
        sensitive=["ill"],
        identifiers=["name"],
    )
    assert release.written.source == rows
    combinations = frame.select("age", "town", "ill").n_unique()
    assert combinations < 100
    # Counted before and after, some catalogues and single numbers: far fewer than rows.
    assert 0 < sum(one.fetched for one in opened) < 6 * combinations + 200 < rows
    assert database.query("SELECT COUNT(*) FROM safe") == [(release.written.written,)]


@pytest.mark.parametrize(("first", "second"), [("INTEGER", "VARCHAR(9)"), ("INTEGER", "DATE")])
def test_tables_named_together_have_the_same_types(database, first, second):
    database.run(f"CREATE TABLE a (i INTEGER, c {first})")
    database.run(f"CREATE TABLE b (i INTEGER, c {second})")
    with pytest.raises(TableError, match="have different columns, by name or by type") as caught:
        open_sql_table(database.address, ["a", "b"])
    assert "view" in caught.value.remedy


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_tables_of_sqlite_named_together_hold_the_same_types(database):
    database.run("CREATE TABLE a (c INTEGER)")
    database.run("CREATE TABLE b (c INTEGER)")
    database.run("INSERT INTO a VALUES (31)")
    database.run("INSERT INTO b VALUES ('unknown')")
    with pytest.raises(TableError, match="by type"):
        open_sql_table(database.address, ["a", "b"])


@pytest.mark.parametrize("database", ["sqlite", "duckdb"], indirect=True)
def test_a_release_stays_in_its_file_however_its_path_is_written(database, tmp_path, monkeypatch):
    load(database, people().select("age", "order"))
    path = database.address.partition("///")[2]
    monkeypatch.chdir(tmp_path)
    celosia.anonymize(
        database.address,
        table="people",
        quasi_identifiers=["age"],
        k=2,
        out=f"{database.scheme}:///{os.path.relpath(path)}",
        out_table="safe",
    )
    assert database.query("SELECT COUNT(*) FROM safe") == [(ROWS,)]
