"""The commands on databases: list, import, export, erase, and every command that takes a table."""

import json
import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from programs import free_port

from celosia.cli.start import start
from celosia.errors import CelosiaError
from celosia.tables import open_table

PEOPLE = '''zip,age,paid,born,seen,ok,name
007,31,1.50,1990-01-02,2024-05-01 10:30:00,true,José
28001,?,20.25,2000-02-29,2024-05-01 10:31:00,false,"a,b"
28002,47,3.00,NA,NA,true,"say ""hi"""
08001,49,4.75,1955-12-31,1999-12-31 23:59:59,false,
'''

ONE_OF_EACH = pytest.mark.parametrize("database", ["postgresql", "sqlite"], indirect=True)
"""A server and a file, where all kinds of database take the same way."""


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def celosia(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Answer:
        capsys.readouterr()
        status = start([str(argument) for argument in arguments])
        return Answer(status, *capsys.readouterr())

    return call


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(PEOPLE, encoding="utf-8")
    return path


@pytest.fixture
def imported(database, celosia, people):
    """A database with the people in it."""
    done = celosia("import", people, "--out", database.address, "--out-table", "people", "--missing", "?,NA")
    assert done.status == 0, done.err
    return database


def tables_of(database, celosia) -> list[str]:
    return [each["name"] for each in celosia("tables", database.address, "--json").document]


def fails(answer: Answer, *words: str) -> None:
    """A sentence, not a traceback, and status 2."""
    assert answer.status == 2, answer.err
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    for word in words:
        assert word in answer.err
    assert answer.out == ""


# Tables


def test_tables_and_views_are_listed_with_their_columns(database, celosia):
    database.run("CREATE TABLE visits (id INT, name VARCHAR(20), paid DOUBLE PRECISION)")
    database.run("CREATE VIEW names AS SELECT name FROM visits")
    listed = celosia("tables", database.address, "--json").document
    assert [(each["name"], each["kind"], each["columns"]) for each in listed] == [
        ("names", "view", 1),
        ("visits", "table", 3),
    ]
    shown = celosia("tables", database.address)
    assert shown.status == 0
    assert "visits  table        3" in shown.out


def test_the_columns_of_a_table_are_shown_with_type_and_length(database, celosia):
    database.run("CREATE TABLE visits (id INT, name VARCHAR(20), born DATE)")
    found = celosia("tables", database.address, "--table", "visits", "--json").document[0]
    columns = {each["name"]: (each["type"], each["length"]) for each in found["columns"]}
    length = None if database.scheme == "duckdb" else 20  # it takes any length, whatever is declared
    assert columns["name"] == ("text", length)
    assert columns["born"] == ("date", None)
    assert "name" in celosia("tables", database.address, "--table", "visits").out


def test_an_empty_database_has_no_tables(database, celosia):
    assert celosia("tables", database.address, "--json").document == []
    assert "0 tables" in celosia("tables", database.address).out


WITH_A_TABLE = [
    ["tables", "{}", "--table", "peple"],
    ["profile", "{}", "--table", "peple"],
    ["export", "{}", "--table", "peple", "--out", "out.csv"],
    ["erase", "{}", "--table", "peple", "--yes"],
    ["verify", "{}", "--table", "peple", "--qi", "age", "-k", "2"],
    ["explore", "{}", "--table", "peple", "--qi", "age", "-k", "2"],
    ["balance", "{}", "--table", "peple", "--qi", "age"],
    ["anonymize", "{}", "--table", "peple", "--qi", "age", "-k", "2", "--out", "out.csv"],
]


@ONE_OF_EACH
def test_an_unknown_table_is_told_with_the_nearest_name(imported, celosia):
    for arguments in WITH_A_TABLE:
        answer = celosia(*(word.format(imported.address) for word in arguments))
        fails(answer, "there is no table 'peple'", "did you mean 'people'?")
        assert not Path("out.csv").exists()


# Import and export


def test_what_is_imported_comes_out_again_as_it_was(imported, celosia):
    done = celosia("export", imported.address, "--table", "people", "--out", "out.csv")
    assert done.status == 0
    assert "personal data" in done.err
    rows = pl.read_csv("out.csv", infer_schema=False)
    expected = pl.read_csv("people.csv", infer_schema=False, null_values=["?", "NA"])
    if imported.scheme == "mariadb":  # truth is a number there
        expected = expected.with_columns(pl.col("ok").replace({"true": "1", "false": "0"}))
    if imported.scheme == "sqlite":  # decimals are real numbers there, and times are texts
        expected = expected.with_columns(paid=pl.Series(["1.5", "20.25", "3.0", "4.75"]))
        rows = rows.with_columns(pl.col("seen").str.strip_suffix(".000000"))
    else:
        expected = expected.with_columns(pl.col("seen").str.replace(" ", "T"))
    assert rows.rows() == expected.rows()
    assert os.stat("out.csv").st_mode & 0o077 == 0


def test_types_and_lengths_are_proposed(imported, celosia):
    found = celosia("tables", imported.address, "--table", "people", "--json").document[0]
    types = {each["name"]: each["type"] for each in found["columns"]}
    whole = "integer" if imported.scheme == "mariadb" else "boolean"
    number = "real" if imported.scheme == "sqlite" else "decimal"
    assert types == {
        "zip": "text",
        "age": "integer",
        "paid": number,
        "born": "date",
        "seen": "datetime",
        "ok": whole,
        "name": "text",
    }
    if imported.scheme != "duckdb":
        assert {each["name"]: each["length"] for each in found["columns"]}["zip"] == 5


def test_saved_types_can_be_edited_and_used_again(database, celosia, people):
    done = celosia(
        "import", people, "--out", database.address, "--out-table", "one", "--save-types", "types.csv"
    )
    assert done.status == 0
    text = Path("types.csv").read_text()
    assert "zip,text,5" in text
    Path("types.csv").write_text(text.replace("zip,text,5", "zip,text,9").replace("age,integer", "age,text"))
    again = celosia(
        "import", people, "--out", database.address, "--out-table", "two", "--types", "types.csv", "--json"
    )
    columns = {each["name"]: each for each in again.document["columns"]}
    assert columns["zip"]["length"] == 9
    assert columns["age"]["type"] == "text"
    assert database.query("SELECT age FROM two WHERE zip = '08001'") == [("49",)]


def test_a_value_of_another_type_is_told_by_column_and_row(database, celosia, people):
    for option in ("zip=boolean", "name=integer", "name=date", "paid=integer", "seen=date"):
        answer = celosia(
            "import", people, "--out", database.address, "--out-table", "people", "--type", option,
            "--save-types", "types.csv",
        )  # fmt: skip
        fails(answer, f"column {option.partition('=')[0]!r} in row 1 ")
        assert not any(value in answer.err for value in ("José", "007", "1.50", "10:30"))
        assert not Path("types.csv").exists()
    assert tables_of(database, celosia) == []


def test_a_text_that_is_too_long_is_told_by_column_and_row(database, celosia, people):
    Path("types.csv").write_text("name,type,length\nzip,text,4\n")
    answer = celosia(
        "import", people, "--out", database.address, "--out-table", "people", "--types", "types.csv"
    )
    fails(answer, "column 'zip' in row 2 is not a text of at most 4 characters")
    assert "28001" not in answer.err
    assert tables_of(database, celosia) == []


def test_a_misfit_after_many_batches_leaves_nothing(database, celosia, tmp_path):
    rows = 100_000
    path = tmp_path / "many.csv"
    path.write_text("n\n" + "\n".join(map(str, range(rows))) + "\nlast\n")
    answer = celosia("import", path, "--out", database.address, "--out-table", "many", "--type", "n=integer")
    fails(answer, f"row {rows + 1:,}")
    assert tables_of(database, celosia) == []
    if database.scheme == "mariadb":
        assert database.query("SHOW DATABASES LIKE 'celosia%'") == []


def test_an_import_that_is_interrupted_leaves_nothing(database, celosia, people, monkeypatch):
    from celosia.cli.commands import import_

    @contextmanager
    def stop_when_rows_are_written():
        def stop(stage, share):
            assert stage == "writing rows"
            raise KeyboardInterrupt

        yield stop

    monkeypatch.setattr(import_, "progress_bar", stop_when_rows_are_written)
    answer = celosia(
        "import", people, "--out", database.address, "--out-table", "people", "--save-types", "types.csv"
    )
    assert (answer.status, answer.err) == (130, "interrupted; nothing was written\n")
    assert tables_of(database, celosia) == []
    assert [path.name for path in people.parent.iterdir() if path.suffix == ".csv"] == ["people.csv"]


def test_numbers_of_many_digits_are_kept_whole(database, celosia, tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("n,d\n12345678901234567890,1.1234567890123456\n1,22.1234567890123456\n")
    assert celosia("import", path, "--out", database.address, "--out-table", "t").status == 0
    assert celosia("export", database.address, "--table", "t", "--out", "out.csv").status == 0
    assert Path("out.csv").read_text() == path.read_text()


def test_a_typed_file_is_imported_with_its_types(database, celosia, tmp_path):
    path = tmp_path / "people.parquet"
    frame = pl.DataFrame({"age": [31, None], "town": ["Ávila", ""], "weight": [70.5, float("nan")]})
    frame.write_parquet(path)
    done = celosia("import", path, "--out", database.address, "--out-table", "people", "--json")
    assert [(each["type"], each["length"]) for each in done.document["columns"]] == [
        ("integer", None),
        ("text", 5),
        ("real", None),
    ]
    assert database.query("SELECT age, town, weight FROM people") == [(31, "Ávila", 70.5), (None, "", None)]


def test_a_table_is_replaced_only_if_that_is_allowed(imported, celosia, tmp_path):
    path = tmp_path / "other.csv"
    path.write_text("a\n1\n")
    into = ("import", path, "--out", imported.address, "--out-table", "people")
    fails(celosia(*into), "exists already")
    assert imported.query("SELECT COUNT(*) FROM people") == [(4,)]
    assert celosia(*into, "--overwrite").status == 0
    assert imported.query("SELECT a FROM people") == [(1,)]


def test_names_that_need_quotes_come_through(database, celosia, tmp_path):
    odd = "ñ" if database.scheme == "mariadb" else "ñ😀"  # names there have no letters beyond 16 bits
    names = ["select", 'a"b', "años", "with space", odd, "x" * 63, "100%", "a'b", "a:b"]
    path = tmp_path / "odd.csv"
    pl.DataFrame({name: ["v"] for name in names}).write_csv(path)
    table = f'"order by {odd}"'
    done = celosia("import", path, "--out", database.address, "--out-table", table)
    assert done.status == 0, done.err
    assert celosia("export", database.address, "--table", table, "--out", "out.csv").status == 0
    assert Path("out.csv").read_text() == path.read_text()


def test_rows_are_exported_by_condition_and_separator(imported, celosia):
    done = celosia(
        "export", imported.address, "--table", "people", "--where", "age > 40", "--separator", "|",
        "--out", "out.txt", "--json",
    )  # fmt: skip
    assert done.document == {"file": "out.txt", "rows": 2, "anonymized": False}
    lines = Path("out.txt").read_text().splitlines()
    assert lines[0] == "zip|age|paid|born|seen|ok|name"
    assert [line.split("|")[0] for line in lines[1:]] == ["28002", "08001"]


def test_rows_are_exported_in_every_format(imported, celosia):
    for name in ("out.parquet", "out.xlsx", "out.json", "out.arff", "out.tsv"):
        done = celosia("export", imported.address, "--table", "people", "--out", name)
        assert done.status == 0, done.err
        assert open_table(name).columns() == tuple(PEOPLE.splitlines()[0].split(","))


def test_an_empty_table_is_exported_as_its_header(database, celosia):
    database.run("CREATE TABLE nobody (age INT, name VARCHAR(20))")
    assert celosia("export", database.address, "--table", "nobody", "--out", "out.csv").status == 0
    assert Path("out.csv").read_text() == "age,name\n"


def test_an_export_that_fails_leaves_nothing(imported, celosia, tmp_path):
    before = sorted(tmp_path.iterdir())
    answer = celosia(
        "export", imported.address, "--table", "people", "--out", "out.csv", "--where", "nope > 1"
    )
    fails(answer)
    Path("taken.csv").write_text("mine")
    fails(celosia("export", imported.address, "--table", "people", "--out", "taken.csv"), "exists already")
    assert Path("taken.csv").read_text() == "mine"
    Path("taken.csv").unlink()
    assert sorted(tmp_path.iterdir()) == before


# Erase


def test_an_erased_table_is_gone(imported, celosia):
    done = celosia("erase", imported.address, "--table", "people", "--yes")
    assert done.status == 0, done.err
    assert "erased: " in done.out
    assert tables_of(imported, celosia) == []
    assert ("server" in done.out) == (imported.scheme in ("postgresql", "mariadb"))


@pytest.mark.parametrize("database", ["sqlite", "duckdb"], indirect=True)
def test_no_byte_of_an_erased_table_is_left_in_the_file(database, celosia, tmp_path):
    marker = "MarkerOfAPerson"
    path = tmp_path / "marked.csv"
    path.write_text("n,name\n" + "".join(f"{i},{marker}\n" for i in range(20_000)))
    other = tmp_path / "other.csv"
    other.write_text("n\n1\n")
    for file, table in ((path, "marked"), (other, "other")):
        assert celosia("import", file, "--out", database.address, "--out-table", table).status == 0
    database.run("CREATE VIEW seen AS SELECT n FROM other")
    place = Path(database.address.partition("///")[2])
    assert marker.encode() in place.read_bytes()
    mode = place.stat().st_mode
    done = celosia("erase", database.address, "--table", "marked", "--yes")
    assert (done.status, "note" in done.out) == (0, False), done.out + done.err
    for file in tmp_path.iterdir():
        assert file == path or marker.encode() not in file.read_bytes()
    assert place.stat().st_mode == mode
    assert tables_of(database, celosia) == ["other", "seen"]
    assert database.query("SELECT n FROM seen") == [(1,)]


@ONE_OF_EACH
def test_nothing_is_erased_without_a_word(imported, celosia, people):
    fails(celosia("erase", imported.address, "--table", "people"), "--yes")
    fails(celosia("erase", people), "--yes")
    assert tables_of(imported, celosia) == ["people"]
    assert people.exists()


@pytest.mark.parametrize(("answer", "status", "left"), [("y", 0, []), ("n", 2, ["people"])])
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_person_is_asked_before_a_table_is_erased(imported, celosia, answer, status, left):
    pexpect = pytest.importorskip("pexpect")
    command = ["-m", "celosia", "erase", imported.address, "--table", "people"]
    child = pexpect.spawn(sys.executable, command, encoding="utf-8", timeout=60)
    child.expect("Erase the table people of ")
    child.sendline(answer)
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == status
    assert tables_of(imported, celosia) == left


def test_a_view_is_not_erased_for_a_table(imported, celosia):
    imported.run("CREATE VIEW names AS SELECT name FROM people")
    fails(celosia("erase", imported.address, "--table", "names", "--yes"), "is a view")


def test_a_file_is_erased_with_what_its_database_keeps_beside(celosia, tmp_path):
    for name in ("x.db", "x.db-wal", "x.dbs"):
        (tmp_path / name).write_text("Ana, 31")
    done = celosia("erase", "x.db", "--yes", "--json")
    assert done.document["erased"] == ["x.db", "x.db-wal"]
    assert [path.name for path in tmp_path.iterdir()] == ["x.dbs"]


def test_a_link_or_nothing_is_not_erased(celosia, tmp_path):
    (tmp_path / "people.csv").write_text("Ana, 31")
    (tmp_path / "link.csv").symlink_to("people.csv")
    fails(celosia("erase", "link.csv", "--yes"), "this is a link")
    fails(celosia("erase", "nothing.csv", "--yes"), "does not exist")
    assert (tmp_path / "people.csv").read_text() == "Ana, 31"


def test_what_a_killed_run_left_in_a_folder_is_erased(celosia, tmp_path):
    left = tmp_path / ".celosia-left"
    left.mkdir()
    (left / ".lock").touch()
    (left / "rows").write_text("Ana, 31")
    (tmp_path / "mine.csv").write_text("kept")
    assert celosia("erase", tmp_path, "--json").document["erased"] == [str(left)]
    assert not left.exists()
    assert "nothing was left" in celosia("erase", tmp_path).out
    assert (tmp_path / "mine.csv").exists()


@pytest.mark.parametrize("database", ["mariadb"], indirect=True)
def test_what_a_killed_run_left_on_a_server_is_erased(database, celosia):
    database.run("CREATE DATABASE celosia_0123456789ab")
    database.run("CREATE TABLE celosia_0123456789ab.rows_ (name TEXT)")
    assert "celosia_0123456789ab" in celosia("erase", database.address, "--json").document["erased"]
    assert database.query("SHOW DATABASES LIKE 'celosia%'") == []


def test_a_folder_has_no_tables_to_erase(celosia, tmp_path):
    fails(celosia("erase", tmp_path, "--table", "people", "--yes"), "--table")


# Every command that takes a table


def test_every_command_takes_a_table_of_a_database(imported, celosia):
    source = (imported.address, "--table", "people")
    assert celosia("profile", *source, "--json").document["rows"] == 4
    advice = celosia("profile", *source).out
    assert f"celosia anonymize {imported.address}" in advice
    assert "--table people" in advice
    assert celosia("explore", *source, "--qi", "age,ok", "-k", "2", "--json").document["valid"] > 0
    assert celosia("balance", *source, "--qi", "age", "--ks", "2", "--json").status == 0
    assert celosia("verify", *source, "--qi", "ok", "-k", "2").status == 0
    assert celosia("verify", *source, "--qi", "age", "-k", "2").status == 1
    assert celosia("hierarchy", "propose", *source, "--column", "age", "--json").status == 0


@pytest.mark.parametrize("to", ["table", "file"])
def test_a_release_tells_where_it_went(imported, celosia, to):
    roles = ("--qi", "age,ok", "-k", "2", "--identifier", "name,zip", "--common", "born,seen,paid")
    where = ("--out-table", "safe") if to == "table" else ("--out", "safe.csv")
    done = celosia("anonymize", imported.address, "--table", "people", *roles, *where)
    assert done.status == 0, done.err
    written = done.out.partition("Written\n")[2]
    assert "safe" in written.splitlines()[0]
    assert written.splitlines()[1].split() == ["record", "safe.record.json"]
    assert Path("safe.record.json").exists()
    assert imported.address in written or to == "file"


@ONE_OF_EACH
def test_an_interrupt_after_a_release_tells_that_it_is_there(imported, celosia, monkeypatch):
    from celosia import run

    released = run.anonymize

    def release_and_stop(*arguments, **named):
        released(*arguments, **named)
        raise KeyboardInterrupt

    monkeypatch.setattr(run, "anonymize", release_and_stop)
    roles = ("--qi", "age,ok", "-k", "2", "--identifier", "name,zip", "--common", "born,seen,paid")
    done = celosia("anonymize", imported.address, "--table", "people", *roles, "--out-table", "safe")
    assert done.status == 130
    assert "safe.record.json was written before, and is complete; so is the table safe" in done.err


# What can go wrong


@pytest.fixture(params=["postgresql", "mariadb"])
def server(request, monkeypatch):
    found = request.getfixturevalue(request.param)
    monkeypatch.setenv("CELOSIA_PASSWORD", found.password)
    return found


SYSTEM = {"postgresql": "postgres", "mariadb": "mysql"}


def test_a_wrong_password_is_told(server, celosia, monkeypatch):
    monkeypatch.setenv("CELOSIA_PASSWORD", "wrong")
    fails(celosia("tables", server.address(SYSTEM[server.scheme])), "password", "CELOSIA_PASSWORD")


def test_a_wrong_password_of_the_destination_names_its_variable(server, celosia, people, monkeypatch):
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", "wrong")
    address = server.address(SYSTEM[server.scheme])
    answer = celosia("import", people, "--out", address, "--out-table", "people")
    fails(answer, "password", "CELOSIA_OUT_PASSWORD")


@pytest.mark.parametrize("scheme", ["postgresql", "mariadb"])
@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
def test_a_server_that_cannot_be_reached_is_told(celosia, scheme, host):
    fails(celosia("tables", f"{scheme}://ana@{host}:{free_port()}/clinic"), "cannot be reached")


def test_a_missing_database_is_told(server, celosia):
    fails(celosia("tables", server.address("nowhere")), "there is no such database")


def test_a_missing_grant_is_told(server, celosia, people, monkeypatch):
    name = server.new_database().rpartition("/")[2]
    server.run("CREATE TABLE people (age INT); INSERT INTO people VALUES (41)", name)
    grants = ["SELECT ON people"] if server.scheme == "postgresql" else [f"SELECT ON {name}.people"]
    server.run("CREATE TABLE secret (age INT); INSERT INTO secret VALUES (41)", name)
    server.new_user("reader", "reading", *grants, database=name)
    monkeypatch.setenv("CELOSIA_PASSWORD", "reading")
    monkeypatch.setenv("CELOSIA_OUT_PASSWORD", "reading")
    address = server.address(name, "reader")
    assert celosia("export", address, "--table", "people", "--out", "seen.csv").status == 0
    fails(celosia("export", address, "--table", "secret", "--out", "out.csv"))
    answer = celosia("import", people, "--out", address, "--out-table", "made")
    fails(answer, "may not", "grants")
    fails(celosia("erase", address, "--table", "people", "--yes"))
    assert not Path("out.csv").exists()
    server.drop_database(name)


def test_a_schema_that_does_not_exist_is_told(imported, celosia, people):
    answer = celosia("import", people, "--out", imported.address, "--out-table", "nowhere.people")
    fails(answer, "there is no schema 'nowhere'")
    release = ("--qi", "age", "-k", "2", "--identifier", "name,zip", "--common", "born,seen,paid,ok")
    answer = celosia(
        "anonymize", imported.address, "--table", "people", *release, "--out-table", "nowhere.safe"
    )
    fails(answer, "there is no schema 'nowhere'")
    assert not Path("safe.record.json").exists()


@pytest.mark.parametrize("database", ["sqlite", "duckdb"], indirect=True)
def test_a_file_that_is_no_database_is_told(database, celosia, tmp_path):
    (tmp_path / "text.db").write_text("no database at all, but long enough to be taken for one" * 100)
    for command in (["tables"], ["profile"], ["erase"]):
        fails(celosia(*command, f"{database.scheme}:///{tmp_path}/text.db", "--table", "t", *(
            ["--yes"] if command == ["erase"] else []
        )))  # fmt: skip
    fails(celosia("tables", f"{database.scheme}:///{tmp_path}/nothing.db"), "does not exist")
    assert not (tmp_path / "nothing.db").exists()


DRIVERS = {"postgresql": "psycopg", "mariadb": "pymysql"}


@pytest.mark.parametrize("scheme", DRIVERS)
def test_a_driver_that_is_not_installed_is_told(celosia, monkeypatch, scheme):
    monkeypatch.setitem(sys.modules, DRIVERS[scheme], None)
    fails(celosia("tables", f"{scheme}://h/d"), f"celosia[{scheme}]")
    fails(celosia("profile", f"{scheme}://h/d", "--table", "t"), f"celosia[{scheme}]")


def test_an_empty_table_is_told(database, celosia):
    database.run("CREATE TABLE nobody (age INT, sex VARCHAR(1))")
    commands = {
        "anonymize": ["--qi", "age", "-k", "2", "--out-table", "safe"],
        "explore": ["--qi", "age", "-k", "2"],
        "balance": ["--qi", "age"],
        "verify": ["--qi", "age", "-k", "2"],
        "profile": [],
    }
    for command, more in commands.items():
        answer = celosia(command, database.address, "--table", "nobody", *more)
        if command in ("verify", "profile"):  # nobody is in danger, and there are columns to show
            assert answer.status in (0, 1), answer.err
        else:
            fails(answer, "the table has no rows")
    assert tables_of(database, celosia) == ["nobody"]


def test_tables_and_files_are_not_mixed_up(celosia, people):
    release = ("--qi", "age", "-k", "2", "--identifier", "name,zip", "--common", "born,seen,paid,ok")
    fails(
        celosia("anonymize", people, *release, "--out", "safe.csv", "--out-table", "safe"),
        "this is not the address of a database",
    )
    fails(celosia("anonymize", people, *release, "--out-table", "safe"), "--out")
    fails(celosia("anonymize", people, *release, "--table", "people", "--out", "safe.csv"), "in databases")
    fails(celosia("profile", people, "--where", "age > 1"), "for databases")
    fails(celosia("tables", people), "is not the address of a database")
    fails(celosia("export", people, "--table", "t", "--out", "out.csv"), "is not the address of a database")
    fails(celosia("import", people, "--out", "x.csv", "--out-table", "t"), "is not the address of a database")
    fails(celosia("import", "sqlite:///x.db", "--out", "sqlite:///x.db", "--out-table", "t"), "no file")
    fails(celosia("profile", "oracle://ana@host/clinic"), "nothing here reads addresses of the kind 'oracle'")
    assert not any(
        Path(name).exists() for name in ("safe.csv", "safe.record.json", "x.csv", "out.csv", "x.db")
    )


def test_a_program_can_import_and_export(database, people, tmp_path):
    from celosia.api import export_table, import_table

    done = import_table(people, out=database.address, out_table="people", types={"age": "text"})
    assert (done.rows, done.schema["age"].type) == (4, "text")
    assert export_table(database.address, tmp_path / "out.csv", table="people") == 4
    with pytest.raises(CelosiaError, match="exists already"):
        export_table(database.address, tmp_path / "out.csv", table="people")


# Files of databases: what is left, and what comes into being


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_a_log_that_others_still_need_is_told(database, celosia, monkeypatch):
    import sqlite3
    from contextlib import closing

    monkeypatch.setattr("celosia.tables.sql.erase.WAIT", 0.0)
    with closing(sqlite3.connect(database.address.partition("///")[2], isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE people AS SELECT 'MarkerOfAPerson' AS name")
        other.execute("BEGIN")
        other.execute("SELECT * FROM people").fetchall()
        done = celosia("erase", database.address, "--table", "people", "--yes")
        assert done.status == 0, done.err
        assert "the log beside its file still holds rows until they let go" in done.out
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_the_journal_of_an_erased_table_is_overwritten(imported, celosia, monkeypatch):
    from celosia.tables.private import erase_file

    seen = []

    def look(path: Path) -> None:
        seen.append((path, path.stat().st_size > 0))
        erase_file(path)

    monkeypatch.setattr("celosia.tables.sql.erase.erase_file", look)
    assert celosia("erase", imported.address, "--table", "people", "--yes").status == 0
    journal = Path(imported.address.partition("///")[2] + "-journal")
    assert seen == [(journal.resolve(), True)]
    assert not journal.exists()


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_nothing_is_erased_from_a_file_that_does_not_exist(celosia, scheme, tmp_path):
    fails(celosia("erase", f"{scheme}:///typo.db"), "this file does not exist")
    fails(celosia("erase", f"{scheme}:///typo.db", "--table", "people", "--yes"), "this file does not exist")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("scheme", ["sqlite", "duckdb"])
def test_a_new_file_is_for_its_owner_alone_and_goes_if_nothing_was_put_into_it(celosia, scheme, people):
    to = ("--out", f"{scheme}:///new.db", "--out-table")
    release = ("--qi", "age", "--identifier", "name,zip", "--common", "born,seen,paid,ok")
    fails(celosia("import", people, *to, "people", "--type", "name=integer"))
    fails(celosia("anonymize", people, *release, "-k", "400", *to, "safe"))
    fails(celosia("import", people, *to, "nowhere.people"), "no schema")
    assert [path.name for path in people.parent.iterdir() if path.name.startswith("new.db")] == []
    assert celosia("import", people, *to, "people").status == 0
    assert Path("new.db").stat().st_mode & 0o777 == 0o600
    fails(celosia("import", people, *to, "people"), "exists already")
    assert Path("new.db").exists()
