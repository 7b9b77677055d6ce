"""``celosia run`` carries out projects, and ``anonymize --save-project`` writes one to carry out."""

import json
import os
import signal
import subprocess
import sys

import polars as pl
import pytest
import typer

from celosia.cli import completion as shell
from celosia.cli.interrupt import interruptible, report_interrupt
from celosia.cli.projects import report_if_all_released, with_records
from celosia.project import load_project

VISITS = "visit,name,ward\n1,Ana,A\n2,Ana,B\n3,Eva,A\n4,Luis,C\n"
KEY = "00112233445566778899aabbccddeeff" * 2
COMPLETE = """version: 2
models: [{model: k-anonymity, k: 2}]
tables:
  people:
    source: people.csv
    destination: safe.csv
    columns: {name: identifier, age: quasi-identifier, sex: quasi-identifier, zip: common, disease: sensitive}
"""
LIGHT = """version: 2
kind: light
keys: {clinic: {environment: CLINIC_KEY}}
tables:
  people:
    source: people.csv
    destination: people_safe.csv
    columns: {name: {role: identifier, operation: {name: pseudonymize, key: clinic}},
      age: common, sex: common, zip: common}
  visits:
    source: visits.csv
    destination: visits_safe.csv
    columns: {visit: identifier}
repeated_attributes: [[people.name, visits.name]]
"""


@pytest.fixture
def complete(people):
    path = people.with_name("complete.yaml")
    path.write_text(COMPLETE, encoding="utf-8")
    return path


@pytest.fixture
def light(people, monkeypatch):
    monkeypatch.setenv("CLINIC_KEY", KEY)
    people.with_name("visits.csv").write_text(VISITS, encoding="utf-8")
    path = people.with_name("light.yaml")
    path.write_text(LIGHT, encoding="utf-8")
    return path


def test_a_project_is_carried_out_and_its_evidence_shown(celosia, complete):
    answer = celosia("run", complete)
    assert (answer.status, answer.err) == (0, "")
    assert "k-anonymity: asked 2, reached" in answer.out
    safe = pl.read_csv(complete.with_name("safe.csv"), infer_schema=False)
    assert "name" not in safe.columns
    assert safe.group_by("age", "sex").len()["len"].min() >= 2
    assert complete.with_name("safe.record.json").exists()


def test_all_tables_are_released_and_can_still_be_joined(celosia, light):
    answer = celosia("run", light)
    assert (answer.status, answer.err) == (0, "")
    names = [line for line in answer.out.splitlines() if line in ("people", "visits")]
    assert names == ["people", "visits"]
    people, visits = (pl.read_csv(light.with_name(f"{name}_safe.csv")) for name in names)
    assert people.height == 8
    assert visits.columns == ["name", "ward"]
    assert visits.join(people, on="name").height == 4
    assert "Ana" not in people["name"].to_list()


def test_programs_get_the_record_of_every_table(celosia, light):
    document = celosia("run", light, "--json").document
    assert list(document) == ["people", "visits"]
    assert document["visits"] == json.loads(light.with_name("visits_safe.record.json").read_text())


def test_the_table_of_this_year_takes_the_place_of_last_years(celosia, complete):
    complete.with_name("new.csv").write_text("name,age,sex,zip,disease\nAda,20,f,1,x\nBea,20,f,2,y\n")
    answer = celosia("run", complete, "--source", complete.with_name("new.csv"), "--json")
    assert answer.status == 0
    assert answer.document["people"]["source"]["path"] == str(complete.with_name("new.csv"))
    assert pl.read_csv(complete.with_name("safe.csv")).height == 2


def test_one_of_several_tables_can_come_from_elsewhere(celosia, light, tmp_path):
    other = tmp_path / "others.csv"
    other.write_text("visit,name,ward\n9,Eva,Z\n")
    assert celosia("run", light, "--source", f"visits={other}").status == 0
    assert pl.read_csv(tmp_path / "visits_safe.csv")["ward"].to_list() == ["Z"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--source", "new.csv"], "'new.csv' is no table of the project"),
        (["--source", "visit=new.csv"], "did you mean 'visits'?"),
        (["--source", "visits=a.csv", "--source", "visits=b.csv"], "'visits' is given 2 sources"),
        (["--source", "visits=nowhere.csv"], "nowhere.csv: this file does not exist"),
        (["--source", "visits=postgresql://ana:secret@host/db"], "an address with a password in it"),
        (["--source-table", "visits=a"], "tables are named in databases, spreadsheets and archives"),
    ],
)
def test_a_source_that_cannot_be_meant_is_told(celosia, light, arguments, told):
    answer = celosia("run", light, *arguments)
    assert (answer.status, answer.out) == (2, "")
    assert told in answer.err
    assert "secret" not in answer.err
    assert not list(light.parent.glob("*_safe*"))


def test_what_changed_in_the_table_is_told(celosia, complete):
    text = COMPLETE.replace("    columns:", "    unlisted: drop\n    columns:").replace("zip: common, ", "")
    complete.write_text(text.replace("disease: sensitive", "disease: sensitive, ward: common"))
    answer = celosia("run", complete)
    assert answer.status == 0
    assert "Note: column 'ward' is gone" in answer.out
    assert "Note: column 'zip' is not in the project, and left out" in answer.out


def test_a_weak_choice_is_told(celosia, complete):
    complete.write_text(
        "version: 2\nkind: light\ntables:\n  people:\n    source: people.csv\n    destination: safe.csv\n"
        "    unlisted: drop\n    columns: {sex: {operation: hash}}\n"
    )
    answer = celosia("run", complete)
    assert answer.status == 0
    assert "Note: 'sex', hash: " in answer.out


def test_nothing_is_replaced_unless_allowed(celosia, complete):
    assert celosia("run", complete).status == 0
    answer = celosia("run", complete)
    assert answer.status == 2
    assert "exists already" in answer.err
    assert celosia("run", complete, "--overwrite").status == 0


def test_the_second_table_in_the_way_stops_the_first_too(celosia, light):
    light.with_name("visits_safe.csv").write_text("mine")
    answer = celosia("run", light)
    assert answer.status == 2
    assert not light.with_name("people_safe.csv").exists()
    assert light.with_name("visits_safe.csv").read_text() == "mine"


@pytest.mark.parametrize("as_json", [[], ["--json"]])
def test_a_mistake_in_the_project_is_a_sentence(celosia, complete, as_json):
    complete.write_text(COMPLETE.replace("k: 2", "k: two"))
    answer = celosia("run", complete, *as_json)
    assert (answer.status, answer.out) == (2, "")
    assert "line 2, models[0].k" in answer.err


def test_a_project_without_destination_is_told_before_anything_is_counted(celosia, complete):
    complete.write_text(
        COMPLETE.replace("    destination: safe.csv\n", "").replace("people.csv", "nowhere.csv")
    )
    answer = celosia("run", complete)
    assert answer.status == 2
    assert "table people: no destination was given" in answer.err


def test_paths_are_relative_to_the_project(celosia, complete, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert celosia("run", complete).status == 0
    assert complete.with_name("safe.csv").exists()


def test_a_release_to_a_database_has_its_record_beside_the_project(celosia, complete, tmp_path):
    address = f"sqlite:///{tmp_path}/safe.db"
    place = f"destination: {{path: '{address}', table: safe}}"
    complete.write_text(COMPLETE.replace("destination: safe.csv", place))
    assert celosia("run", complete).status == 0
    assert json.loads((tmp_path / "people.record.json").read_text())["destination"]["table"] == "safe"
    assert "safe" in celosia("tables", address).out


def test_the_table_of_a_database_can_be_another_one(celosia, complete, people, tmp_path):
    address = f"sqlite:///{tmp_path}/people.db"
    for name in ("y2025", "y2026"):
        assert celosia("import", people, "--out", address, "--out-table", name).status == 0
    complete.write_text(
        COMPLETE.replace("source: people.csv", f"source: {{path: '{address}', table: y2025}}")
    )
    answer = celosia("run", complete, "--source-table", "y2026", "--json")
    assert answer.document["people"]["source"]["table"] == ["y2026"]
    answer = celosia("run", complete, "--source", people, "--json", "--overwrite")
    assert "table" not in answer.document["people"]["source"]


SLOW_MOVE = """
import signal, sys
import celosia.release.publish as publish
moved, move = [], publish.move
def slow(source, target, **how):
    move(source, target, **how)
    moved.append(target)
    if len(moved) == int(sys.argv.pop()):
        signal.raise_signal(signal.SIGINT)
publish.move = slow
signal.signal(signal.SIGINT, signal.default_int_handler)
from celosia.cli import main
main()
"""


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_an_interrupt_leaves_none_of_several_releases(light, moves):
    run = subprocess.run(
        [sys.executable, "-c", SLOW_MOVE.replace("sys.argv.pop()", str(moves)), "run", "light.yaml"],
        cwd=light.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stderr, run.returncode) == ("interrupted; nothing was written\n", 128 + signal.SIGINT)
    assert sorted(os.listdir(light.parent)) == ["light.yaml", "people.csv", "visits.csv"]


def interrupted_after(project, path, capsys):
    """What an interrupt tells that comes when a file has been written."""
    with interruptible():
        try:
            with report_if_all_released(project):
                path.write_text("{}")
                raise KeyboardInterrupt
        except KeyboardInterrupt as stop:
            report_interrupt(stop)
    return capsys.readouterr().err


def test_an_interrupt_that_came_too_late_says_which_releases_are_there(light, capsys):
    path = light.with_name("visits_safe.csv")
    told = interrupted_after(load_project(light), path, capsys)
    assert told == f"interrupted; {path} was written before, and is complete\n"


def test_a_table_that_is_there_is_told_by_its_record(light, tmp_path, capsys):
    place = f"{{path: 'sqlite:///{tmp_path}/safe.db', table: visits}}"
    light.write_text(LIGHT.replace("destination: visits_safe.csv", f"destination: {place}"))
    project = with_records(load_project(light), tmp_path)
    told = interrupted_after(project, tmp_path / "visits.record.json", capsys)
    assert told.endswith("visits.record.json was written before, and is complete; so is the table visits\n")


def test_options_are_saved_as_a_project_that_does_the_same(celosia, people, safe, tmp_path):
    (tmp_path / "projects").mkdir()
    saved, sexes = tmp_path / "projects" / "people.yaml", tmp_path / "sexes.csv"
    sexes.write_text("f;*\nm;*\n")
    options = ["--qi", "age,sex", "--identifier", "name", "--common", "zip", "--sensitive", "disease"]
    options += ["-k", "2", "-l", "2", "--suppression", "25%", "--hierarchy", f"sex={sexes}", "--seed", "7"]
    answer = celosia("anonymize", people, *options, "--out", safe, "--save-project", saved)
    assert answer.status == 0
    first = safe.read_bytes()
    assert load_project(saved).plan().source.path == str(people)
    assert celosia("run", saved, "--overwrite").status == 0
    assert safe.read_bytes() == first


def test_saved_paths_are_seen_from_the_project(celosia, people, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "projects").mkdir()
    options = ["--qi", "sex", "--identifier", "name", "--common", "age,zip", "-k", "2", "--out", "safe.csv"]
    answer = celosia("anonymize", "people.csv", *options, "--save-project", "projects/p.yaml")
    assert answer.status == 0
    assert "../people.csv" in (tmp_path / "projects" / "p.yaml").read_text()
    assert celosia("run", "projects/p.yaml", "--overwrite").status == 0


def test_a_project_is_not_saved_over_another(celosia, people, safe, tmp_path):
    saved = tmp_path / "p.yaml"
    saved.write_text("mine")
    options = ["--qi", "sex", "--identifier", "name", "-k", "2", "--out", safe, "--save-project", saved]
    answer = celosia("anonymize", people, *options)
    assert answer.status == 2
    assert not safe.exists()
    assert saved.read_text() == "mine"


def test_a_project_is_not_saved_if_there_is_no_release(celosia, people, safe, tmp_path):
    options = ["--qi", "sex", "--identifier", "name", "-k", "9", "--out", safe]
    assert celosia("anonymize", people, *options, "--save-project", tmp_path / "p.yaml").status == 2
    assert not (tmp_path / "p.yaml").exists()


def test_the_shell_completes_tables_of_the_project_and_files(light, monkeypatch):
    monkeypatch.chdir(light.parent)
    context = typer.Context(typer.main.get_command(typer.Typer(callback=lambda: None)))
    context.params["project"] = light
    assert shell.project_tables(context, "vis") == ["visits="]
    assert shell.places(context, "vis") == ["visits=", "visits.csv"]
    assert shell.places(context, "visits=peo") == ["visits=people.csv"]
