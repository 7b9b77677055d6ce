"""Releases are written as their source is: commas, dates, encodings, also in what a technique makes."""

import json
import re

import pytest

import celosia
from celosia.api.opening import first_rows, opened_table
from celosia.api.requests import TableSource
from celosia.api.sampling import sample_table, write_sample
from celosia.errors import TableError
from celosia.server.work.release import _first

ROLES = {
    "quasi_identifiers": ["fecha_nacimiento", "coste"],
    "sensitive": ["diagnostico"],
    "k": 5,
    "seed": 1,
}


@pytest.fixture
def discharges(tmp_path):
    """What a Spanish hospital keeps, in Windows-1252 with decimal commas and the day first."""
    path = tmp_path / "altas.csv"
    frame = sample_table(300, seed=2, language="es").select("fecha_nacimiento", "coste", "diagnostico")
    write_sample(frame, path, language="es", encoding="cp1252")
    return path


def lines(path):
    return path.read_bytes().decode("cp1252").splitlines()


def test_ranges_are_written_in_the_form_of_the_source(discharges, tmp_path):
    release = celosia.anonymize(discharges, out=tmp_path / "safe.csv", technique="mondrian", **ROLES)
    header, *rows = lines(tmp_path / "safe.csv")
    assert header == "fecha_nacimiento;coste;diagnostico"
    day, money = r"\d\d/\d\d/\d{4}", r"\d+,\d{1,2}"
    shape = re.compile(rf"(\[{day} - {day}\]|{day});(\[{money}-{money}\]|{money});.+")
    assert all(shape.fullmatch(row) for row in rows)
    assert release.verification.passed
    for row in rows:
        low, high = (text[6:] + text[3:5] + text[:2] for text in re.findall(day, row)[:2])
        assert low <= high


def test_numbers_that_are_made_have_commas_too(discharges, tmp_path):
    celosia.anonymize(discharges, out=tmp_path / "safe.csv", technique="mondrian", represent="mean", **ROLES)
    rows = [row.split(";") for row in lines(tmp_path / "safe.csv")[1:]]
    assert all(re.fullmatch(r"\d\d/\d\d/\d{4}", row[0]) for row in rows)
    assert any("," in row[1] for row in rows)
    assert not any("." in row[1] for row in rows)


def test_the_record_says_how_the_source_was_read(discharges, tmp_path):
    release = celosia.anonymize(discharges, out=tmp_path / "safe.csv", technique="mondrian", **ROLES)
    reading = json.loads((tmp_path / "safe.record.json").read_text())["reading"]
    assert reading["encoding"] == "cp1252"
    assert reading["separator"] == ";"
    assert reading["decimal"] == ","
    assert reading["columns"] == {"fecha_nacimiento": "%d/%m/%Y", "coste": "1234,5"}
    assert release.record["reading"] == reading


def test_a_project_may_have_its_release_written_in_another_way(discharges, tmp_path):
    columns = {
        "fecha_nacimiento": {"role": "quasi-identifier"},
        "coste": {"role": "sensitive"},
        "diagnostico": {"role": "identifier"},
    }
    destination = {
        "path": str(tmp_path / "safe.csv"),
        "decimal": ".",
        "date_format": "%m/%d/%Y",
        "encoding": "utf-8",
    }
    table = {"source": str(discharges), "destination": destination, "columns": columns}
    models = [{"model": "k-anonymity", "k": 5}]
    celosia.run_project({"tables": {"altas": table}, "models": models, "technique": "mondrian"})
    rows = (tmp_path / "safe.csv").read_text("utf-8").splitlines()[1:]
    assert all(re.search(r";\d+\.\d\d$", row) for row in rows)
    months = [int(month) for row in rows for month in re.findall(r"(\d\d)/\d\d/\d{4}", row)]
    assert max(months) <= 12


def test_other_formats_have_values_of_their_own(discharges, tmp_path):
    import polars as pl

    celosia.anonymize(
        discharges, out=tmp_path / "safe.parquet", technique="mondrian", represent="mean", **ROLES
    )
    kinds = pl.read_parquet(tmp_path / "safe.parquet").schema
    assert kinds["fecha_nacimiento"] == pl.Date
    assert kinds["coste"].is_numeric()


def test_a_release_is_measured_as_if_it_were_plain(discharges, tmp_path):
    plain = tmp_path / "plain.csv"
    frame = sample_table(300, seed=2, language="es").select("fecha_nacimiento", "coste", "diagnostico")
    write_sample(frame, plain)
    found = []
    for source in (discharges, plain):
        out = tmp_path / f"{source.stem}_safe.csv"
        celosia.anonymize(source, out=out, technique="mondrian", **ROLES)
        names = ROLES["quasi_identifiers"]
        measures = ["loss", "variation", "linkage", "query-error"]
        results = celosia.measure_release(source, out, quasi_identifiers=names, measures=measures)
        found.append([[(one.about, one.value) for one in results[name].answers] for name in measures])
    assert found[0] == found[1]
    assert 0 < found[0][0][0][1] < 1


def test_hierarchies_may_be_written_as_the_source_is(tmp_path):
    source = tmp_path / "people.csv"
    source.write_text("paid;ill\n" + "1.500,50;flu\n2.500,00;gout\n" * 3)
    levels = [("1.500,50", "[1.000-2.000]", "*"), ("2.500,00", "[2.000-3.000]", "*")]
    celosia.anonymize(
        source,
        out=tmp_path / "safe.csv",
        quasi_identifiers=["paid"],
        sensitive=["ill"],
        hierarchies={"paid": levels},
        node=[1],
        k=3,
    )
    assert set((tmp_path / "safe.csv").read_text().splitlines()) == {
        "paid;ill",
        "[1.000-2.000];flu",
        "[2.000-3.000];gout",
    }


def test_dates_that_may_be_read_in_two_ways_stop_a_release(tmp_path):
    source = tmp_path / "people.csv"
    source.write_text("born;ill\n" + "01/02/2020;flu\n03/04/2020;gout\n" * 3)
    asked = {"quasi_identifiers": ["born"], "sensitive": ["ill"], "k": 2}
    with pytest.raises(TableError, match="say which: --date-format day-first"):
        celosia.anonymize(source, out=tmp_path / "safe.csv", **asked)
    celosia.anonymize(source, out=tmp_path / "safe.csv", date_format="day-first", **asked)
    assert "01/02/2020;flu" in (tmp_path / "safe.csv").read_text()
    assert not celosia.anonymize(
        source, out=tmp_path / "as_text.csv", types={"born": "text"}, **asked
    ).record["reading"]["columns"]


@pytest.mark.parametrize(("formulas", "cells"), [("keep", {"=1+1", "a"}), ("escape", {"'=1+1", "a"})])
def test_cells_that_a_spreadsheet_would_compute_are_told_or_escaped(tmp_path, formulas, cells):
    source = tmp_path / "people.csv"
    source.write_text("age;note\n" + "30;=1+1\n30;a\n" * 3)
    release = celosia.anonymize(
        source,
        out=tmp_path / "safe.csv",
        quasi_identifiers=["age"],
        common=["note"],
        k=2,
        formulas=formulas,
    )
    rows = (tmp_path / "safe.csv").read_text().splitlines()[1:]
    assert {row.split(";")[1] for row in rows} == cells
    told = [text for text in release.record["weaknesses"] if "formulas" in text]
    assert bool(told) == (formulas == "keep")


def test_the_pages_show_the_first_rows_as_they_are_written(discharges):
    with opened_table(TableSource(discharges)) as table:
        shown = first_rows(table, 1).rows[0]
    assert shown == tuple(lines(discharges)[1].split(";"))
    assert _first(discharges)["rows"][0] == shown
