"""Promises to whoever knows only some columns: their texts, their errors, and patients of a paper."""

import sqlite3

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, ProjectError
from celosia.privacy import (
    DistinctLDiversity,
    KAnonymity,
    KMAnonymity,
    LKCPrivacy,
    NamedAttacker,
    TCloseness,
    limit_known,
    parse_attacker,
)
from celosia.project import Project
from celosia.recode.task import RecodingTask
from celosia.release.verify import verify
from celosia.tables import open_table

COLUMNS = ["job", "sex", "age"]
# After N. Mohammed and others, KDD 2009, tables 1 and 2: patients, and the same generalized for L = 2, K = 2, C = 50 %.
PATIENTS = [
    ("Janitor", "M", "34", "Transgender"),
    ("Doctor", "M", "58", "Plastic"),
    ("Mover", "M", "34", "Transgender"),
    ("Lawyer", "M", "24", "Vascular"),
    ("Mover", "M", "58", "Urology"),
    ("Janitor", "M", "44", "Plastic"),
    ("Doctor", "M", "24", "Urology"),
    ("Lawyer", "F", "58", "Plastic"),
    ("Doctor", "F", "44", "Vascular"),
    ("Carpenter", "F", "63", "Vascular"),
    ("Technician", "F", "63", "Plastic"),
]
JOBS = {
    **dict.fromkeys(["Janitor", "Mover"], "Non-Technical"),
    **dict.fromkeys(["Doctor", "Lawyer"], "Professional"),
    **dict.fromkeys(["Carpenter", "Technician"], "Technical"),
}


def band(age: str) -> str:
    return "[1-30)" if int(age) < 30 else "[30-60)" if int(age) < 60 else "[60-99)"


def frame(rows):
    return pl.DataFrame(rows, schema=[*COLUMNS, "surgery"], orient="row")


def findings(rows, *models):
    return celosia.verify(frame(rows), quasi_identifiers=COLUMNS, models=models).findings


GENERALIZED = [(JOBS[job], sex, band(age), surgery) for job, sex, age, surgery in PATIENTS]
LKC = LKCPrivacy(known=2, k=2, confidence=0.5, column="surgery", value="Transgender")


def test_the_generalized_patients_keep_what_the_paper_says_and_the_raw_ones_do_not():
    assert findings(GENERALIZED, LKC)[0].passed
    raw = findings(PATIENTS, LKC)[0]
    assert not raw.passed
    assert raw.reached == 1
    assert "by job, age" in raw.text


def test_the_paper_guards_one_value_and_another_has_two_thirds_of_a_group():
    every_value = LKCPrivacy(known=2, k=2, confidence=0.5, column="surgery")
    found = findings(GENERALIZED, every_value)[0]
    assert not found.passed  # two of three professionals from 30 to 60 have plastic surgery
    assert findings(GENERALIZED, every_value.model_copy(update={"confidence": 0.67}))[0].passed


def test_whoever_knows_all_three_columns_finds_fewer_than_whoever_knows_two():
    two, three = findings(GENERALIZED, KMAnonymity(k=2, known=2), KMAnonymity(k=2, known=3))
    assert (two.passed, two.reached) == (True, 2)
    assert (three.passed, three.reached) == (False, 1)  # one professional man from 30 to 60
    assert three.text.endswith("by job, sex, age 1 row is in a group smaller than 2, 1 alone")


def test_as_many_as_all_columns_is_k_anonymity():
    for known in (3, 9):
        every, at_once = findings(PATIENTS, KMAnonymity(k=2, known=known), KAnonymity(k=2))[::-1]
        assert (every.reached, every.passed) == (at_once.reached, at_once.passed)


def test_values_are_counted_in_the_groups_of_an_attacker_and_not_in_classes():
    asked = NamedAttacker(who="neighbour", knows=["sex"], k=3, l=4, column="surgery")
    assert findings(PATIENTS, asked)[0].passed is False  # women had two kinds of surgery
    assert findings(PATIENTS, asked.model_copy(update={"l": 2}))[0].passed


def test_promises_are_limited_to_few_columns_with_their_l():
    diverse = [DistinctLDiversity(column="ill", l=2), DistinctLDiversity(column="work", l=3)]
    assert limit_known([KAnonymity(k=5), *diverse], 2) == [
        KMAnonymity(k=5, known=2, l=2, column="ill"),
        KMAnonymity(k=5, known=2, l=3, column="work"),
    ]
    neighbour = NamedAttacker(who="neighbour", knows=["age"], k=7)
    assert limit_known([KAnonymity(k=5), neighbour], 2) == [KMAnonymity(k=5, known=2), neighbour]


@pytest.mark.parametrize(
    ("models", "known", "told"),
    [
        ([KAnonymity(k=5)], 0, "0 is no number of columns"),
        ([TCloseness(column="ill", t=0.2)], 2, "none is given"),
        ([KAnonymity(k=5), TCloseness(column="ill", t=0.2)], 2, "t-closeness is about those who know all"),
    ],
)
def test_what_cannot_be_limited_is_told(models, known, told):
    with pytest.raises(ProjectError, match=told):
        limit_known(models, known)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("neighbour", "is not understood"),
        ("neighbour: ; k=5", "is not understood"),
        ("neighbour: age; k", "is not understood"),
        ("neighbour: age", "k is not given"),
        ("neighbour: age; k=one", "k: "),
        ("neighbour: age; k=1", "k: "),
        (": age; k=5", "who: "),
        ("neighbour: age; k=5; t=0.2", "an attacker has no parameter 't'"),
        ("neighbour: age; k=5; l=2", "which sensitive column"),
    ],
)
def test_an_attacker_that_is_not_understood_is_told_with_an_example(text, told):
    with pytest.raises(ProjectError, match=told) as error:
        parse_attacker(text, ["ill", "work"])
    assert error.value.where == f"--attacker {text!r}"


def test_l_and_its_column_go_together():
    with pytest.raises(ValueError, match="go together"):
        NamedAttacker(who="neighbour", knows=["age"], k=2, l=2)


def test_an_attacker_who_knows_another_column_is_a_mistake():
    with pytest.raises(CelosiaError, match="neighbour knows 'surgery', which is not a quasi-identifier"):
        celosia.anonymize(
            frame(PATIENTS),
            quasi_identifiers=COLUMNS,
            sensitive="surgery",
            attackers="neighbour: surgery; k=2",
        )


def release(**promises):
    people = pl.DataFrame(
        {
            "age": [20 + number % 40 for number in range(400)],
            "sex": ["fm"[number % 2] for number in range(400)],
            "zip": [f"280{number % 23:02d}" for number in range(400)],
            "job": [["cook", "nurse", "clerk"][number % 3] for number in range(400)],
        }
    )
    quasi = ["age", "sex", "zip", "job"]
    return celosia.anonymize(people, quasi_identifiers=quasi, seed=1, **promises)


@pytest.mark.parametrize("technique", ["full-domain", "local", "mondrian", "top-down", "auto"])
def test_every_technique_keeps_the_promise(technique):
    for promises in ({"k": 5, "known": 2}, {"attackers": ["a: age, sex; k=4", "b: sex, zip; k=8"]}):
        made = release(technique=technique, **promises)
        assert made.verification.passed
        columns = [["age", "sex"], ["sex", "zip"]]
        sizes = [made.table.group_by(known).len()["len"].min() for known in columns]
        assert sizes[0] >= 4
        assert sizes[1] >= 5


def test_the_verdict_says_what_is_assumed():
    verdict = release(k=5, known=2, technique="local").verdict
    assert verdict.is_protected
    assert verdict.sentence.endswith(
        "it is assumed that nobody knows more than 2 quasi-identifiers of a person"
    )
    assert verdict.to_dict()["assumed"] == ["nobody knows more than 2 quasi-identifiers of a person"]
    assert release(k=5, technique="local").verdict.assumed == ()


def test_a_quasi_identifier_that_no_attacker_knows_is_exposed():
    made = release(attackers=["neighbour: sex, job; k=5"], technique="full-domain")
    assert made.table["age"].n_unique() == 40  # nobody is said to know it: it stays as it is
    assert {column.column for column in made.verdict.exposed} == {"age", "zip"}
    assert not made.verdict.is_protected


def test_k_for_all_columns_beside_an_attacker_leaves_nothing_to_be_assumed():
    made = release(k=2, attackers=["neighbour: age; k=10"], technique="local")
    assert made.verdict.assumed == ()
    assert made.table["age"].value_counts()["count"].min() >= 10


def test_people_with_several_rows_are_refused():
    people = pl.DataFrame({"who": [1, 1, 2, 3, 4, 4], "age": [30, 31, 30, 31, 30, 31]})
    for technique in ("full-domain", "mondrian"):
        with pytest.raises(CelosiaError, match="is about rows, and people are"):
            celosia.anonymize(
                people, quasi_identifiers=["age"], person="who", k=2, known=1, technique=technique
            )


def test_a_chain_is_refused():
    columns = {"age": "quasi-identifier", "sex": "quasi-identifier"}
    plan = Project(
        tables={"people": {"source": "people.csv", "columns": columns}},
        models=[{"model": "km-anonymity", "k": 2, "known": 1}],
        technique=[{"name": "full-domain", "columns": ["age"]}, {"name": "mondrian"}],
    ).plan()
    people = open_table(pl.DataFrame({"age": [30, 31], "sex": ["f", "m"]}))
    with pytest.raises(ProjectError, match="a chain recodes them one after the other"):
        plan.technique.check(RecodingTask(people, ("age", "sex"), plan.models))


def test_what_few_columns_tell_is_measured():
    measured = celosia.measure_release(
        frame(PATIENTS),
        frame(GENERALIZED),
        quasi_identifiers=COLUMNS,
        measures=["known-columns"],
        threshold=2,
    )
    answers = measured["known-columns"].answers
    assert [answer.about for answer in answers] == ["any 1 column", "any 2 columns", "any 3 columns"]
    assert [answer.value for answer in answers] == [0, 0, pytest.approx(1 / 11)]
    assert answers[-1].details["alone"] == 1


def test_groups_are_the_same_counted_at_once_out_of_memory_or_in_a_database(tmp_path):
    asked = [
        KMAnonymity(k=2, known=2, l=2, column="surgery"),
        NamedAttacker(who="neighbour", knows=["sex"], k=5),
        LKC,
    ]
    frame(PATIENTS).write_csv(tmp_path / "patients.csv")
    connection = sqlite3.connect(tmp_path / "patients.db")
    connection.execute("CREATE TABLE patients (job TEXT, sex TEXT, age TEXT, surgery TEXT)")
    connection.executemany("INSERT INTO patients VALUES (?, ?, ?, ?)", PATIENTS)
    connection.commit()
    connection.close()
    here = findings(PATIENTS, *asked)
    table = open_table(tmp_path / "patients.csv")
    found = verify(table, quasi_identifiers=COLUMNS, models=asked, memory=1 << 27, folder=tmp_path).findings
    address = f"sqlite:///{tmp_path / 'patients.db'}"
    there = celosia.verify(address, table="patients", quasi_identifiers=COLUMNS, models=asked).findings
    assert [one.text for one in found] == [one.text for one in there] == [one.text for one in here]
    assert [one.passed for one in here] == [False, False, False]


def test_people_are_counted_in_groups_of_a_release_with_several_rows_each():
    visits = pl.DataFrame({"who": ["a", "a", "a", "b", "c"], "age": [30, 30, 30, 40, 40], "sex": ["f"] * 5})
    asked = [KMAnonymity(k=2, known=1)]
    found = celosia.verify(visits, quasi_identifiers=["age", "sex"], models=asked, person="who").findings
    assert [one.passed for one in found if one.name == "km-anonymity"] == [False]  # three rows, one person
