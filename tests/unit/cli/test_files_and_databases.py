"""Files that go into a database and come out of one: values as they are, and files as they were asked for."""

import sqlite3
from pathlib import Path

import polars as pl
import pytest

from celosia.tables import copy as copying

pytest.importorskip("sqlalchemy")


@pytest.fixture
def clinic(tmp_path, monkeypatch, people, celosia):
    """A database with the people in it."""
    monkeypatch.chdir(tmp_path)
    assert celosia("import", people, "--out", "sqlite:///clinic.db", "--out-table", "people").status == 0
    return "sqlite:///clinic.db"


@pytest.mark.parametrize(
    ("more", "expected"),
    [((), ["NA", "?", None]), (("--missing", "NA"), [None, "?", None])],
)
def test_import_changes_no_value_unless_it_is_told_to(celosia, tmp_path, monkeypatch, more, expected):
    monkeypatch.chdir(tmp_path)
    Path("towns.csv").write_text("town,n\nNA,1\n?,2\n,3\n")
    answer = celosia("import", "towns.csv", "--out", "sqlite:///a.db", "--out-table", "towns", *more)
    assert answer.status == 0, answer.err
    connection = sqlite3.connect("a.db")
    found = [town for (town,) in connection.execute("SELECT town FROM towns ORDER BY n")]
    connection.close()
    assert found == expected


def test_separator_and_encoding_describe_the_release_of_a_database(celosia, clinic):
    how = ("--separator", ";", "--encoding", "latin-1", "--out", "safe.csv", "--seed", "1")
    roles = ("--qi", "age,sex", "--common", "name,zip", "-k", "2")
    answer = celosia("anonymize", clinic, "--table", "people", *roles, *how)
    assert answer.status == 0, answer.err
    text = Path("safe.csv").read_bytes()
    assert text.startswith(b"name;age;sex;zip;disease")
    assert "Iván;".encode("latin-1") in text


def test_a_release_of_a_database_to_json_is_in_utf_8(celosia, clinic):
    roles = ("--qi", "age,sex", "--common", "name,zip", "-k", "2")
    out = ("--encoding", "latin-1", "--out", "safe.json")
    answer = celosia("anonymize", clinic, "--table", "people", *roles, *out)
    assert answer.status == 0, answer.err
    assert "Iván" in pl.read_json("safe.json")["name"].to_list()


@pytest.mark.parametrize("how", [("--separator", ";"), ("--encoding", "latin-1")])
@pytest.mark.parametrize("out", ["all.parquet", "all.json"])
def test_export_refuses_what_the_format_has_not(celosia, clinic, how, out):
    answer = celosia("export", clinic, "--table", "people", "--out", out, *how)
    assert answer.status == 2
    assert f"has no {how[0][2:]} to choose" in answer.err
    assert not Path(out).exists()


def test_a_file_that_export_replaces_is_erased(celosia, clinic, monkeypatch):
    Path("all.csv").write_text("what was there before")
    seen = []
    move = copying.move

    def look(hidden, path, **options):
        move(hidden, path, **options)
        old = hidden.with_name("all.csv.old")
        # Its only name lies in the private folder, where everything is overwritten.
        seen.append((old.read_text(), old.stat().st_nlink))

    monkeypatch.setattr(copying, "move", look)
    answer = celosia("export", clinic, "--table", "people", "--out", "all.csv", "--overwrite")
    assert answer.status == 0, answer.err
    assert seen == [("what was there before", 1)]
    assert Path("all.csv").read_text().startswith("name,age")
    assert not list(Path().glob(".celosia-*"))
