"""What others know, said on the command line and in a project."""

import json

import pytest


@pytest.fixture
def people(tmp_path):
    lines = ["age,sex,zip,ill"] + [
        f"{20 + number % 37},{'fm'[number % 2]},280{number % 19:02d},{'abc'[number % 3]}"
        for number in range(300)
    ]
    (tmp_path / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    return tmp_path


ROLES = ("--qi", "age,sex,zip", "--sensitive", "ill")


def test_a_release_for_whoever_knows_two_columns_is_verified_by_the_same_words(celosia, people):
    words = [*ROLES, "-k", "5", "-l", "2", "--known", "2"]
    made = celosia("anonymize", people / "people.csv", *words, "--out", people / "safe.csv")
    assert made.status == 0
    assert "km-anonymity, whoever knows up to 2 quasi-identifiers: asked 5" in made.out
    assert "it is assumed that nobody knows more than 2 quasi-identifiers of a person" in made.out
    assert celosia("verify", people / "safe.csv", *words).status == 0
    record = json.loads((people / "safe.record.json").read_text(encoding="utf-8"))
    assert {"model": "km-anonymity", "column": "ill", "k": 5, "l": 2, "known": 2} in record["project"][
        "models"
    ]
    assert record["verdict"]["assumed"]


def test_verify_names_the_columns_by_which_most_people_are_found(celosia, people):
    found = celosia("verify", people / "people.csv", *ROLES, "-k", "5", "--known", "2")
    assert found.status == 1
    assert (
        "BROKEN: km-anonymity, whoever knows up to 2 quasi-identifiers: asked 5, reached 1; by age, zip"
        in found.out
    )


def test_several_attackers_have_a_k_of_their_own(celosia, people):
    attackers = ["--attacker", "neighbour: age, sex; k=4", "--attacker", "insurer: zip; k=10; l=3"]
    made = celosia(
        "anonymize",
        people / "people.csv",
        *ROLES,
        *attackers,
        "--technique",
        "local",
        "--out",
        people / "safe.csv",
    )
    assert made.status == 0
    assert "attacker neighbour, who knows age, sex: asked 4" in made.out
    assert "attacker insurer, who knows zip: asked 10" in made.out


def test_the_report_says_what_each_attacker_finds(celosia, people):
    attackers = ["--attacker", "neighbour: age, sex; k=4", "--attacker", "insurer: zip; k=10"]
    words = [*ROLES, *attackers, "--technique", "full-domain"]
    assert celosia("anonymize", people / "people.csv", *words, "--out", people / "safe.csv").status == 0
    made = celosia("report", people / "safe.record.json", "--out", people / "report.html")
    assert made.status == 0, made.err
    page = (people / "report.html").read_text(encoding="utf-8")
    assert (
        "neighbour, who knows age, sex and no more, cannot narrow anybody down to fewer than 4 rows" in page
    )
    assert "insurer, who knows zip and no more, cannot narrow anybody down to fewer than 10 rows" in page


def test_the_attackers_of_a_project_are_measured(celosia, people):
    (people / "project.yaml").write_text(
        """
version: 2
tables:
  people:
    source: people.csv
    destination: safe.csv
    columns: {age: quasi-identifier, sex: quasi-identifier, zip: quasi-identifier, ill: sensitive}
models:
  - {model: attacker, who: neighbour, knows: [age, sex], k: 4}
""",
        encoding="utf-8",
    )
    assert celosia("run", people / "project.yaml").status == 0
    measured = celosia("measure", "--project", people / "project.yaml", "--measures", "known-columns")
    assert measured.status == 0, measured.err
    assert "neighbour: age, sex" in measured.out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--known", "2"], "--known: it limits what is known for a k, and none is given; ask for -k 5, too"),
        (
            ["-k", "5", "-t", "0.2", "--known", "2"],
            "t-closeness is about those who know all quasi-identifiers",
        ),
        (["--attacker", "neighbour: ill; k=5"], "neighbour knows 'ill', which is not a quasi-identifier"),
        (["--attacker", "neighbour"], "'neighbour' is not understood"),
    ],
)
def test_what_is_not_understood_is_told(celosia, people, words, told):
    made = celosia("anonymize", people / "people.csv", *ROLES, *words, "--out", people / "safe.csv")
    assert made.status == 2
    assert told in made.err
    assert not (people / "safe.csv").exists()
