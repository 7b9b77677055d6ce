"""``celosia anonymize`` and what it says."""

import json
import os
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

ROLES = ["--qi", "age,sex,zip", "--sensitive", "disease", "--identifier", "name"]
FULL_DOMAIN = ["--technique", "full-domain"]


def test_the_release_holds_no_identifier_and_every_class_has_k_rows(celosia, people, safe):
    answer = celosia("anonymize", people, *ROLES, "-k", "2", "--out", safe)
    assert (answer.status, answer.err) == (0, "")
    released = pl.read_csv(safe, infer_schema=False)
    assert released.columns == ["age", "sex", "zip", "disease"]
    assert released.group_by("age", "sex", "zip").len()["len"].min() >= 2
    assert released.height == 8


def test_the_evidence_is_printed(celosia, people, safe):
    told = celosia("anonymize", people, *ROLES, "-k", "2", *FULL_DOMAIN, "--out", safe).out
    lines = [line.split() for line in told.splitlines()]
    assert ["smallest", "class", "(k)", "1", "2"] in lines
    assert ["unique", "rows", "8", "0"] in lines
    assert ["highest", "risk", "100", "%", "50", "%"] in lines
    assert ["released", "8", "100", "%"] in lines
    assert "k-anonymity: asked 2, reached 2; 0 classes violate it" in told
    assert "proven" in told
    assert "nodes looked at" in told
    assert str(safe) in told
    assert str(safe.with_name("safe.record.json")) in told
    assert " becomes " in told
    assert "names a postcode: its digits are masked" in told


def test_every_measure_is_shown_with_its_meaning(celosia, people, safe):
    from celosia.measure.utility import utility_measures

    told = celosia("anonymize", people, *ROLES, "-k", "2", *FULL_DOMAIN, "--out", safe).out
    for measure in utility_measures().values():
        assert measure.meaning in told


def test_with_json_the_record_is_printed_as_it_is_saved(celosia, people, safe):
    answer = celosia("anonymize", people, *ROLES, "-k", "2", "--out", safe, "--json")
    saved = json.loads(safe.with_name("safe.record.json").read_text(encoding="utf-8"))
    assert answer.document == saved
    assert saved["verification"]["passed"] is True


def test_the_same_seed_gives_the_same_release(celosia, people, tmp_path):
    first, second = tmp_path / "a.csv", tmp_path / "b.csv"
    for out in (first, second):
        assert celosia("anonymize", people, *ROLES, "-k", "2", "--seed", "5", "--out", out).status == 0
    assert first.read_bytes() == second.read_bytes()


def test_suppression_may_be_given_in_per_cent(celosia, people, tmp_path):
    first = celosia(
        "anonymize", people, *ROLES, "-k", "3", "--suppression", "25%", "--out", tmp_path / "a.csv", "--json"
    )
    second = celosia(
        "anonymize", people, *ROLES, "-k", "3", "--suppression", "0.25", "--out", tmp_path / "b.csv", "--json"
    )
    assert first.document["project"]["suppression"] == second.document["project"]["suppression"] == 0.25
    assert first.document["rows"]["suppressed"] == second.document["rows"]["suppressed"] <= 2


def test_a_node_can_be_picked(celosia, people, safe):
    top = celosia("explore", people, *ROLES, "-k", "2", "--json").document
    node = ",".join(map(str, top["heights"]))
    answer = celosia("anonymize", people, *ROLES, "-k", "2", "--node", node, "--out", safe)
    assert "picked by hand" in answer.out
    assert pl.read_csv(safe)["age"].unique().to_list() == ["*"]


def test_hierarchies_come_from_a_folder_and_single_files_come_first(celosia, people, safe, tmp_path):
    folder = tmp_path / "levels"
    folder.mkdir()
    (folder / "the_sex.csv").write_text("f;person\nm;person\n", encoding="utf-8")
    (folder / "age.csv").write_text("no hierarchy", encoding="utf-8")
    ages = tmp_path / "a=b.csv"
    ages.write_text("\n".join(f"{age};{age // 10 * 10}s;*" for age in range(30, 50)), encoding="utf-8")
    files = ["--hierarchies", folder, "--hierarchy", f"age={ages}"]
    told = celosia("anonymize", people, *ROLES, "-k", "4", *files, *FULL_DOMAIN, "--out", safe).out
    assert f"file: {folder / 'the_sex.csv'}" in told
    assert f"file: {ages}" in told
    assert "proposed: 'zip' names a postcode" in told
    assert set(pl.read_csv(safe)["age"]) <= {"30s", "40s", "*"}


def test_weights_turn_the_choice(celosia, tmp_path):
    table = tmp_path / "square.csv"
    table.write_text("sex,town\nf,x\nm,x\nf,y\nm,y\n", encoding="utf-8")

    def node(weight: str) -> dict[str, int]:
        out = tmp_path / f"{weight}.csv"
        arguments = ["--qi", "sex,town", "-k", "2", "--weight", f"sex={weight}", "--out", out, "--json"]
        return celosia("anonymize", table, *arguments).document["node"]

    assert node("2") == {"sex": 0, "town": 1}
    assert node("0.5") == {"sex": 1, "town": 0}


def test_diversity_and_closeness_reach_the_release(celosia, people, safe):
    document = celosia(
        "anonymize",
        people,
        *ROLES,
        "-k",
        "2",
        "-l",
        "entropy:2",
        "-t",
        "disease=equal:0.5",
        "--out",
        safe,
        "--json",
    ).document
    names = [finding["name"] for finding in document["verification"]["findings"]]
    assert {"k-anonymity", "entropy-l-diversity", "t-closeness"} <= set(names)


@pytest.mark.parametrize("search", ["optimal", "datafly", "samarati"])
def test_each_search_can_be_asked_for(celosia, people, safe, search):
    document = celosia(
        "anonymize", people, *ROLES, "-k", "2", "--search", search, "--out", safe, "--json"
    ).document
    assert document["search"]["name"] == search


def test_rows_left_out_are_counted(celosia, tmp_path, safe):
    table = tmp_path / "gaps.csv"
    table.write_text("age,sex\n" + "30,f\n" * 4 + "?,f\n" * 3 + "-,m\n", encoding="utf-8")
    arguments = ["--qi", "age,sex", "-k", "2", "--missing", "?,-", "--missing-policy", "drop", "--out", safe]
    answer = celosia("anonymize", table, *arguments)
    lines = [line.split() for line in answer.out.splitlines()]
    assert ["released", "4", "50", "%"] in lines
    assert ["left", "out,", "with", "missing", "or", "unknown", "values", "4", "50", "%"] in lines


def test_reading_options_are_heard(celosia, tmp_path, safe):
    table = tmp_path / "gente.txt"
    table.write_bytes("30::niño\n30::niño\n31::niña\n31::niña\n".encode("latin-1"))
    arguments = ["--separator", "::", "--encoding", "latin-1", "--no-header", "-k", "2"]
    shown = celosia("profile", table, *arguments[:5], "--json").document
    first, second = (column["name"] for column in shown["columns"])
    answer = celosia("anonymize", table, *arguments, "--qi", f"{first},{second}", "--out", safe, "--json")
    assert answer.status == 0, answer.err
    assert answer.document["rows"]["written"] == 4


def test_a_column_with_a_comma_in_its_name_is_named_on_its_own(celosia, tmp_path, safe):
    table = tmp_path / "people.csv"
    table.write_text('age,"zip, code"\n30,1\n30,1\n', encoding="utf-8")
    answer = celosia(
        "anonymize", table, "--qi", "age", "--qi", "zip, code", "-k", "2", "--out", safe, "--json"
    )
    assert list(answer.document["node"]) == ["age", "zip, code"]


def test_types_can_be_declared(celosia, people, tmp_path):
    types = tmp_path / "types.csv"
    assert celosia("profile", people, "--save-types", types).status == 0
    types.write_text(types.read_text().replace("age,integer", "age,text"), encoding="utf-8")
    columns = celosia("profile", people, "--types", types, "--type", "zip=text", "--json").document["columns"]
    found = {column["name"]: column["type"] for column in columns}
    assert (found["age"], found["zip"]) == ("text", "text")


def test_an_existing_release_is_replaced_only_on_request(celosia, people, safe):
    safe.write_text("mine", encoding="utf-8")
    arguments = ["anonymize", people, *ROLES, "-k", "2", "--out", safe]
    answer = celosia(*arguments)
    assert (answer.status, safe.read_text(encoding="utf-8")) == (2, "mine")
    assert "--overwrite" in answer.err
    assert celosia(*arguments, "--overwrite").status == 0
    assert safe.read_text(encoding="utf-8") != "mine"


def test_a_small_job_loads_neither_kernels_nor_other_engines(people, safe):
    """Each of these costs a tenth of a second or more; a small CSV file needs none."""
    code = """
import sys
from celosia.cli.start import start
status = start(sys.argv[1:])
heavy = {"numba", "pyarrow", "pandas", "duckdb", "narwhals", "rich", "phonenumbers", "stdnum", "scipy"}
print(*sorted(heavy & set(sys.modules)), file=sys.stderr)
raise SystemExit(status)
"""
    arguments = ["anonymize", people, *ROLES, "-k", "2", *FULL_DOMAIN, "--out", safe]
    run = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stderr.strip()) == (0, "")


def test_python_m_celosia_is_celosia(people, safe):
    arguments = ["anonymize", people, *ROLES, "-k", "2", "--out", safe]
    run = subprocess.run(
        [sys.executable, "-m", "celosia", *arguments], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert sorted(os.listdir(safe.parent)) == ["people.csv", "safe.csv", "safe.record.json"]


def test_the_adult_table_gives_the_known_optimum(celosia, shared, tmp_path):
    folder: Path = shared / "data" / "adult_arx"
    columns = "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class"
    arguments = [
        "--qi",
        columns,
        "--hierarchies",
        folder,
        "-k",
        "5",
        "--out",
        tmp_path / "safe.csv",
        "--json",
    ]
    document = celosia("anonymize", folder / "adult.csv", *FULL_DOMAIN, *arguments).document
    assert document["search"]["nodes"] == 12_960
    assert document["search"]["proven"] is True
    assert document["risk"]["after"]["k"] >= 5
    assert document["rows"] == {
        "source": 30_162,
        "written": 30_162,
        "excluded": 0,
        "suppressed": 0,
        "dropped": 0,
    }
