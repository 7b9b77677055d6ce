"""Files of SPSS, Stata and SAS: what values mean and the codes of missing ones survive a release."""

import datetime
import sys

import polars as pl
import pyreadstat
import pytest

import celosia
from celosia.errors import TableError
from celosia.tables import Recoding, open_table, write_frame
from celosia.tables.formats import statistics

MEANINGS = {1.0: "Hombre", 2.0: "Mujer", 9.0: "No contesta"}


@pytest.fixture
def survey(tmp_path):
    """A file of SPSS with labels, a code and a range of missing values, a date and a time."""
    frame = pl.DataFrame(
        {
            "sexo": [1.0, 2.0, 9.0, None],
            "edad": [31.0, 98.0, 99.0, 4.0],
            "peso": [70.5, 1.0, None, 2.0],
            "nombre": ["Ana", "", "ZZ", "Ñu"],
            "alta": [datetime.date(2020, 1, 2), None, datetime.date(1500, 1, 1), datetime.date(2020, 1, 3)],
            "visto": [datetime.datetime(2020, 1, 2, 3, 4, 5), None, None, datetime.datetime(2021, 1, 1)],
            "hora": [datetime.time(3, 4, 5), None, None, datetime.time(1, 1, 1)],
        }
    )
    path = tmp_path / "encuesta.sav"
    pyreadstat.write_sav(
        frame,
        path,
        column_labels={"sexo": "Sexo de la persona"},
        variable_value_labels={"sexo": {**MEANINGS, 3.0: "Otro"}},
        missing_ranges={"sexo": [9], "edad": [{"lo": 97, "hi": 99}], "nombre": ["ZZ"]},
        variable_measure={"sexo": "nominal"},
    )
    return path


def test_codes_of_missing_values_are_missing_and_types_are_those_of_the_file(survey):
    table = open_table(survey)
    assert {column.name: column.type.value for column in table.schema()} == {
        "sexo": "integer",
        "edad": "integer",
        "peso": "real",
        "nombre": "text",
        "alta": "date",
        "visto": "datetime",
        "hora": "text",
    }
    assert table.count_by(["edad"]).values[0].to_list() == [4, 31, None]
    assert table.count_by(["sexo"]).values[0].to_list() == [1, 2, None]


@pytest.mark.parametrize("name", ["safe.sav", "safe.zsav"])
def test_a_file_of_spss_comes_back_with_all_that_it_said(survey, tmp_path, name):
    open_table(survey).write(Recoding(keeps_order=True), tmp_path / name)
    before, said = pyreadstat.read_sav(survey, user_missing=True, output_format="polars")
    after, says = pyreadstat.read_sav(tmp_path / name, user_missing=True, output_format="polars")
    assert after.equals(before)
    assert says.missing_ranges == said.missing_ranges
    assert says.column_labels == said.column_labels
    assert says.variable_measure["sexo"] == "nominal"
    # A meaning that no row has left tells of rows that are gone.
    assert says.variable_value_labels == {"sexo": MEANINGS}


def test_meanings_of_values_that_left_do_not_leave(survey, tmp_path):
    recoding = Recoding(keeps_order=True, excluded={"sexo": (2,)})
    open_table(survey).write(recoding, tmp_path / "safe.sav")
    _, says = pyreadstat.read_sav(tmp_path / "safe.sav", user_missing=True)
    assert 2.0 not in says.variable_value_labels["sexo"]


@pytest.mark.parametrize("name", ["safe.csv", "safe.parquet"])
def test_in_other_files_a_missing_value_is_just_missing(survey, tmp_path, name):
    open_table(survey).write(Recoding(keeps_order=True), tmp_path / name)
    table = open_table(tmp_path / name)
    assert [column.type.value for column in table.schema()][:4] == ["integer", "integer", "real", "text"]
    assert table.count_by(["edad"]).values[0].to_list() == [4, 31, None]


def test_kinds_of_missing_values_of_stata_survive(tmp_path):
    mixed = pl.Series([1.0, 2.0, "a", "z", None] * 2, dtype=pl.Object)
    frame = pl.DataFrame({"sexo": mixed, "peso": [1.5] * 10, "id": range(10)})
    pyreadstat.write_dta(
        frame,
        tmp_path / "a.dta",
        variable_value_labels={"sexo": {1: "H", 2: "M", "a": "NC"}},
        missing_user_values={"sexo": ["a", "z"]},
    )
    table = open_table(tmp_path / "a.dta")
    assert table.count_by(["sexo"]).values[0].to_list() == [1, 2, None]
    table.write(Recoding(keeps_order=True), tmp_path / "safe.dta")
    after, says = pyreadstat.read_dta(tmp_path / "safe.dta", user_missing=True, output_format="dict")
    assert after["sexo"] == [1.0, 2.0, "a", "z", None] * 2
    assert says.variable_value_labels == {"sexo": {1: "H", 2: "M", "a": "NC"}}


def test_a_transport_file_of_sas_is_read_and_written(tmp_path):
    frame = pl.DataFrame({"edad": [31, 47, None], "nombre": ["Ana", "Eva", "Ñu"]})
    write_frame(frame, tmp_path / "a.xpt")
    table = open_table(tmp_path / "a.xpt")
    assert table.count_by(["edad"]).values[0].to_list() == [31, 47, None]
    assert pl.concat(list(table.scan(["nombre"])))["nombre"].to_list() == ["Ana", "Eva", "Ñu"]


def test_a_release_of_a_survey_is_verified_and_keeps_what_it_may(tmp_path):
    rows = 60
    frame = pl.DataFrame(
        {
            "edad": [float(30 + row % 3) if row % 10 else 99.0 for row in range(rows)],
            "sexo": [float(1 + row % 2) for row in range(rows)],
            "fuma": [float((0, 1, 8)[row % 3]) for row in range(rows)],
        }
    )
    pyreadstat.write_sav(
        frame,
        tmp_path / "a.sav",
        variable_value_labels={"fuma": {0: "no", 1: "sí", 8: "NC"}, "sexo": {1: "h", 2: "m"}},
        missing_ranges={"edad": [99], "fuma": [8]},
    )
    celosia.anonymize(
        tmp_path / "a.sav",
        out=tmp_path / "safe.sav",
        quasi_identifiers=["edad", "sexo"],
        sensitive=["fuma"],
        k=5,
        suppression=0.2,
    )
    after, says = pyreadstat.read_sav(tmp_path / "safe.sav", user_missing=True, output_format="polars")
    assert set(after["fuma"]) == {0.0, 1.0, 8.0}
    assert says.variable_value_labels["fuma"] == {0.0: "no", 1.0: "sí", 8.0: "NC"}
    assert says.missing_ranges["fuma"] == [{"lo": 8.0, "hi": 8.0}]


def test_rows_are_read_some_at_a_time(survey, monkeypatch):
    whole = pl.concat(list(open_table(survey).scan()))
    monkeypatch.setattr(statistics, "_ROWS", 3)
    table = open_table(survey)
    assert pl.concat(list(table.scan())).equals(whole)
    assert "<98>" in table.options.missing


def test_what_cannot_be_read_or_written_is_said(tmp_path, monkeypatch):
    (tmp_path / "a.sav").write_text("age\n1\n")
    with pytest.raises(TableError, match="this is not a file of the kind sav") as caught:
        open_table(tmp_path / "a.sav")
    assert "\n" not in str(caught.value)
    with pytest.raises(TableError, match="the table cannot be written as sav"):
        write_frame(pl.DataFrame({"with space": [1]}), tmp_path / "b.sav")
    with pytest.raises(
        TableError, match="files in the format sas7bdat are read here, and not written; choose one of"
    ):
        write_frame(pl.DataFrame({"a": [1]}), tmp_path / "b.sas7bdat")
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(TableError, match=r'install it: pip install "celosia\[statistics\]"'):
        open_table(tmp_path / "a.sav")
