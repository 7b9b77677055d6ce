"""``celosia check`` finds before a run what would stop it, and what should be thought over."""

import os

import pytest

HEAD = """version: 2
{goals}
tables:
  people:
    source: people.csv
    destination: safe.csv
"""
KEY = "00112233445566778899aabbccddeeff" * 2
COMPLETE = HEAD.format(goals="models: [{model: k-anonymity, k: 2}]")
REST = "age: common, sex: common, zip: common"
LIGHT = HEAD.format(goals="kind: light")
ROLES = "    columns: {name: identifier, age: quasi-identifier, sex: quasi-identifier, zip: common, disease: common}\n"


@pytest.fixture
def check(celosia, people):
    """Check a project; what is said, and that nothing was written."""

    def call(text, *arguments):
        path = people.with_name("p.yaml")
        path.write_text(text, encoding="utf-8")
        before = sorted(os.listdir(people.parent))
        answer = celosia("check", path, *arguments)
        assert answer.err == ""
        assert sorted(os.listdir(people.parent)) == before
        return answer

    return call


def said(answer, kind):
    return [
        line.removeprefix(f"{kind}: ") for line in answer.out.splitlines() if line.startswith(f"{kind}: ")
    ]


def test_a_project_that_runs_passes(check, celosia, people):
    answer = check(COMPLETE + ROLES)
    assert answer.status == 0
    assert answer.out.endswith("p.yaml: nothing was found that would stop it\n")
    assert celosia("run", people.with_name("p.yaml")).status == 0


def test_all_mistakes_in_the_document_are_told_with_field_and_line(check):
    answer = check(COMPLETE + "    colums: {}\n    columns: {age: quasi, zip: {operation: {name: rund}}}\n")
    assert answer.status == 2
    told = said(answer, "mistake")
    assert ["line 7, tables.people.colums" in told[0], "did you mean 'columns'?" in told[0]] == [True, True]
    assert "line 8, tables.people.columns.age" in told[1]
    assert "there is no operation 'rund'; did you mean 'round'?" in told[2]
    assert answer.out.endswith("p.yaml: 3 mistakes, it would not run\n")


def test_programs_get_the_remarks(check):
    answer = check(COMPLETE.replace("people.csv", "nowhere.csv"), "--json")
    assert answer.status == 2
    assert answer.document["passes"] is False
    [remark] = answer.document["remarks"]
    assert (remark["kind"], remark["table"], remark["what"]) == (
        "mistake",
        "people",
        "this file does not exist",
    )


def test_a_column_that_is_gone_is_a_mistake_unless_unlisted_ones_are_dropped(check):
    roles = ROLES.replace("age:", "years: common, agge: common, age:")
    answer = check(COMPLETE + roles)
    assert answer.status == 2
    told = said(answer, "mistake")
    assert ["column 'years' does not exist, nor do 1 more; " in told[0], len(told)] == [True, 2]
    assert told[1].endswith("column 'agge' does not exist; did you mean 'age'?")
    answer = check(COMPLETE + "    unlisted: drop\n" + roles)
    assert answer.status == 0
    assert said(answer, "warning") == ["people: column 'years' is gone", "people: column 'agge' is gone"]


@pytest.mark.parametrize(
    ("policy", "kind", "status"), [("common", "note", 0), ("drop", "warning", 0), ("stop", "mistake", 2)]
)
def test_a_column_that_is_not_listed_is_told(check, policy, kind, status):
    roles = ROLES.replace(", disease: common", "")
    answer = check(COMPLETE + f"    unlisted: {policy}\n" + roles)
    assert answer.status == status
    [told] = said(answer, kind)
    words = "is not in the project; list it" if policy == "stop" else "is not listed in the project"
    assert f"column 'disease' {words}" in told


def test_a_column_that_is_something_else_is_told(check):
    roles = ROLES.replace("zip: common", "zip: {role: common, type: date}")
    answer = check(
        COMPLETE + roles.replace("disease: common", "disease: {role: common, type: text, length: 3}")
    )
    assert answer.status == 0
    assert said(answer, "warning") == [
        "people: column 'zip' is text, and was date",
        "people: column 'disease' holds texts of up to 6 characters, and had 3",
    ]


def test_a_column_that_is_still_the_same_is_not_told(check):
    kinds = "disease: {role: common, type: text, length: 6}"
    assert said(check(COMPLETE + ROLES.replace("disease: common", kinds)), "warning") == []


def test_warnings_fail_if_they_are_to(check):
    text = COMPLETE + "    unlisted: drop\n" + ROLES.replace(", zip: common", "")
    assert check(text).status == 0
    assert check(text, "--strict").status == 2
    assert (
        check(COMPLETE + ROLES.replace(", disease: common", ""), "--strict").status == 0
    )  # a note is no warning


def test_identifiers_that_are_not_declared_are_told(check):
    answer = check(LIGHT + "    columns: {age: common}\n")
    assert answer.status == 2
    [told] = said(answer, "mistake")
    assert "3 columns are not declared and would tell people apart: 'name': the name says 'name'" in told
    assert "; 'sex': the name says 'sex'; 'zip': the name says 'zip', a postcode" in told
    assert check(LIGHT + "    unlisted: drop\n    columns: {age: common}\n").status == 0


def test_a_key_that_cannot_be_found_is_told_once(check, monkeypatch):
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    columns = "    columns: {name: {operation: pseudonymize}, zip: {operation: pseudonymize}, age: common,\n"
    columns += "      sex: common}\n"
    answer = check(LIGHT + columns)
    assert answer.status == 2
    [told] = said(answer, "mistake")
    assert "CELOSIA_KEY: it is not set" in told
    monkeypatch.setenv("CELOSIA_KEY", KEY)
    assert check(LIGHT + columns).status == 0


@pytest.mark.parametrize(
    ("operation", "told"),
    [
        ("{name: round, to: 10}", "people, column 'disease', "),
        ("{name: suppress, where: agee > 3}", "column 'agee' does not exist"),
        ("{name: generalize, hierarchy: nowhere.csv, level: 1}", "nowhere.csv"),
        ("{name: truncate, first: 2, missing: refuse}", "misses 1 values"),
    ],
)
def test_an_operation_that_does_not_fit_its_column_is_told(check, people, operation, told):
    people.write_text(people.read_text(encoding="utf-8") + "Noa,50,f,08005,?\n", encoding="utf-8")
    answer = check(
        LIGHT + f"    columns: {{name: identifier, {REST}, disease: {{operation: {operation}}}}}\n"
    )
    assert answer.status == 2
    [mistake] = said(answer, "mistake")
    assert told in mistake
    assert "asthma" not in mistake


def test_a_rule_for_rows_that_cannot_be_applied_is_told(check):
    answer = check(
        LIGHT + "    rows: [{name: drop-rows, where: agee > 80}]\n    columns: {name: identifier}\n"
    )
    assert answer.status == 2
    assert "column 'agee' does not exist; did you mean 'age'?" in said(answer, "mistake")[0]


def test_a_weak_choice_is_told_with_its_reason(check):
    answer = check(
        LIGHT + "    columns: {name: identifier, age: common, zip: common, sex: {operation: hash}}\n"
    )
    assert answer.status == 0
    assert "people: 'sex', hash: " in said(answer, "warning")[0]


@pytest.mark.parametrize(
    ("hierarchy", "goals", "status", "told"),
    [
        ("nowhere.csv", "", 2, "column 'sex', "),
        ("[[f, '*']]", "", 2, "the hierarchy of 'sex' does not know all values of the column"),
        ("[[f, '*']]", "    unknown: suppress\n", 0, "the hierarchy of 'sex' does not know all values"),
        ("[[f, a], [m, b]]", "", 2, "the last level has 2 labels"),
    ],
)
def test_a_hierarchy_that_does_not_fit_is_told(check, hierarchy, goals, status, told):
    roles = ROLES.replace("sex: quasi-identifier", f"sex: {{role: quasi-identifier, hierarchy: {hierarchy}}}")
    answer = check(COMPLETE + goals + roles)
    assert answer.status == status
    [remark] = said(answer, "warning" if status == 0 else "mistake")
    assert told in remark


def test_a_hierarchy_that_a_light_release_does_not_need_is_told(check):
    roles = ROLES.replace("sex: quasi-identifier", "sex: {role: quasi-identifier, hierarchy: nowhere.csv}")
    answer = check(LIGHT + roles)
    assert answer.status == 0
    assert "column 'sex', " in said(answer, "warning")[0]


def test_goals_that_a_light_release_would_ignore_are_a_mistake(check):
    answer = check(LIGHT + "    models: [{model: k-anonymity, k: 2}]\n" + ROLES)
    assert answer.status == 2
    assert "a light release does not look at models" in said(answer, "mistake")[0]


def test_hierarchies_are_looked_at_even_where_a_key_is_missing(check, monkeypatch):
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    roles = ROLES.replace("name: identifier", "name: {operation: pseudonymize}")
    roles = roles.replace("sex: quasi-identifier", "sex: {role: quasi-identifier, hierarchy: [[f, '*']]}")
    told = said(check(COMPLETE + roles), "mistake")
    assert ["CELOSIA_KEY" in told[0], "does not know all values" in told[1], len(told)] == [True, True, 2]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("k: 2", "k: 9"), "k = 9 is more than the 8 rows"),
        (("models: [{model: k-anonymity, k: 2}]", "models: []"), "no privacy model is asked for"),
        (("models:", "measure: lost\nmodels:"), "'lost'"),
        (("quasi-identifier", "common"), "no quasi-identifier is declared"),
        (("destination: safe.csv", "destination: nowhere/safe.csv"), "nowhere does not exist"),
        (("destination: safe.csv", "destination: {}"), "no destination was given"),
        (("source: people.csv", "person: nobody\n    source: people.csv"), "'nobody'"),
    ],
)
def test_what_else_stops_a_run_is_told(check, celosia, people, change, told):
    answer = check((COMPLETE + ROLES).replace(*change))
    assert answer.status == 2
    assert any(told in line for line in said(answer, "mistake"))
    assert celosia("run", people.with_name("p.yaml")).status == 2


def test_a_release_that_is_there_already_is_told(check, celosia, people):
    assert check(COMPLETE + ROLES).status == 0
    assert celosia("run", people.with_name("p.yaml")).status == 0
    [told] = said(check(COMPLETE + ROLES), "warning")
    assert "safe.csv exists already" in told


@pytest.mark.parametrize(("names", "warned"), [("Ana\nZoe\n", False), ("ANA\nZoe\n", True), ("?\n", False)])
def test_repeated_attributes_that_have_nothing_in_common_are_told(check, people, names, warned):
    people.with_name("visits.csv").write_text("name\n" + names)
    visits = "  visits: {source: visits.csv, destination: visits_safe.csv, columns: {name: identifier}}\n"
    groups = "repeated_attributes: [[people.name, visits.name]]\n"
    answer = check(
        LIGHT + "    columns: {name: identifier, age: common, sex: common, zip: common}\n" + visits + groups
    )
    assert answer.status == 0
    told = said(answer, "warning")
    assert ["people.name and visits.name are said to be the same attribute" in line for line in told] == [
        True
    ] * warned


KEPT = ROLES.replace("age: quasi-identifier", "age: {role: quasi-identifier, keep_type: true}")


@pytest.mark.parametrize(
    ("goals", "columns", "told"),
    [
        ("technique: mondrian\nsuppression: 0.1", ROLES, "people, suppression: mondrian suppresses no rows"),
        ("technique: mondrian\nmeasure: precision", ROLES, "people, measure: mondrian is led by its split"),
        (
            "technique: local\nmeasure: class-size",
            ROLES,
            "people, measure: local recoding cannot be led",
        ),
        ("technique: full-domain", KEPT, "people, keep_type: full-domain shows labels of hierarchies"),
        ("technique: local", KEPT, "people, keep_type: local shows labels of hierarchies"),
        ("technique: [full-domain, mondrian]", KEPT, "people, keep_type: full-domain shows labels"),
        ("technique: [mondrian, full-domain]", KEPT, "people, keep_type: full-domain shows labels"),
        ("technique: distribution-mondrian", ROLES, "column 'sex' is text, and distribution-mondrian is for"),
        (
            "technique: [{name: mondrian, columns: [ag]}, full-domain]",
            ROLES,
            "people, technique mondrian, columns: 'ag' is not a quasi-identifier; did you mean 'age'?",
        ),
    ],
)
def test_what_a_technique_does_not_do_is_told_as_a_run_would(check, celosia, people, goals, columns, told):
    text = HEAD.format(goals=f"models: [{{model: k-anonymity, k: 2}}]\n{goals}") + columns
    answer = check(text)
    assert answer.status == 2
    [mistake] = said(answer, "mistake")
    assert told in mistake
    stopped = celosia("run", people.with_name("p.yaml"))
    assert stopped.status == 2
    assert mistake.removeprefix("people, ") in " ".join(stopped.err.split())


@pytest.mark.parametrize(
    "goals",
    [
        "technique: {name: mondrian, memory: 2000000000}",
        "technique: [{name: distribution-mondrian, columns: [age]}, full-domain]\nsuppression: 0.1",
    ],
)
def test_what_a_technique_does_passes(check, celosia, people, goals):
    text = HEAD.format(goals=f"models: [{{model: k-anonymity, k: 2}}]\n{goals}") + ROLES
    assert check(text).status == 0
    assert celosia("run", people.with_name("p.yaml")).status == 0


def test_a_destination_that_exists_is_told_with_the_option_that_a_run_needs(check, people):
    people.with_name("safe.csv").write_text("")
    answer = check(COMPLETE + ROLES)
    assert answer.status == 0
    assert (
        "safe.csv exists already; `celosia run` needs --overwrite to replace it" in said(answer, "warning")[0]
    )


def test_another_table_can_be_checked(check, people):
    people.with_name("new.csv").write_text("name,sex\nAna,f\n")
    answer = check(LIGHT + ROLES, "--source", people.with_name("new.csv"))
    assert answer.status == 2
    assert "column 'age' does not exist, nor do 2 more" in said(answer, "mistake")[0]


def test_a_project_that_is_not_there_is_told(celosia, tmp_path):
    answer = celosia("check", tmp_path / "nowhere.yaml")
    assert answer.status == 2
    assert "this file does not exist" in answer.out


SAME = "{name: substitute, pairs: {f: '1', m: '2'}, others: keep}"


def test_the_same_substitution_in_two_tables_passes_and_runs(check, celosia, people):
    people.with_name("visits.csv").write_text("name,sex\nAna,f\nZoe,m\n")
    columns = f"    columns: {{name: identifier, sex: {{operation: {SAME}}}}}\n"
    visits = "  visits:\n    source: visits.csv\n    destination: visits_safe.csv\n" + columns
    text = (
        LIGHT
        + columns.replace("{name", "{age: common, zip: common, name", 1)
        + visits
        + "repeated_attributes: [[people.sex, visits.sex]]\n"
    )
    assert check(text).status == 0
    assert celosia("run", people.with_name("p.yaml")).status == 0


def test_a_light_release_that_is_to_keep_a_type_is_refused_as_by_a_run(check, celosia, people):
    roles = ROLES.replace("age: quasi-identifier", "age: {role: quasi-identifier, keep_type: true}")
    answer = check(LIGHT + roles)
    assert answer.status == 2
    assert "a light release does not look at keep_type" in said(answer, "mistake")[0]
    assert celosia("run", people.with_name("p.yaml")).status == 2


def test_what_is_left_to_the_run_is_told_where_a_project_passes(check):
    assert "left to the run: whether a recoding keeps the promises" in check(COMPLETE + ROLES).out
    assert check(COMPLETE + ROLES, "--json").document["left_to_the_run"]
    assert "left to the run" not in check(COMPLETE.replace("k: 2", "k: 9") + ROLES).out


def test_an_operation_that_fails_in_a_late_row_is_found(check, celosia, people):
    rows = "".join(f"P{number},{20 + number % 50},f,08001,flu\n" for number in range(30_000))
    people.write_text("name,age,sex,zip,disease\n" + rows + "Noa,old,f,08001,flu\n", encoding="utf-8")
    answer = check(
        LIGHT
        + "    columns: {name: identifier, sex: common, zip: common, age: {operation: {name: round, to: 10}}}\n"
    )
    assert answer.status == 2
    assert celosia("run", people.with_name("p.yaml")).status == 2


def test_columns_that_are_drawn_anew_each_time_are_promised_nothing(check, celosia, people, monkeypatch):
    monkeypatch.setenv("CELOSIA_KEY", KEY)
    kept = "sex: {role: quasi-identifier, operation: {name: encrypt, mode: gcm}}"
    answer = check(COMPLETE + ROLES.replace("sex: quasi-identifier", kept))
    assert (
        "after encrypt the values of 'sex' are others each time they are read" in said(answer, "mistake")[0]
    )
    stopped = celosia("run", people.with_name("p.yaml"))
    assert (stopped.status, "are others each time" in stopped.err) == (2, True)


def test_a_new_database_is_not_created_by_a_look(check, celosia, people):
    text = (COMPLETE + ROLES).replace(
        "destination: safe.csv", "destination: {path: 'sqlite:///new.db', table: safe}"
    )
    assert check(text).status == 0
    text = text.replace("new.db", "nowhere/new.db")
    assert "its folder does not exist" in said(check(text), "mistake")[0]
