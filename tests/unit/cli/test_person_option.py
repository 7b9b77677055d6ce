"""``--person``: people who have several rows, from the profile to the verification."""

import json
import random
import shlex

import polars as pl
import pytest


@pytest.fixture
def visits(tmp_path):
    chance = random.Random(7)
    rows = 120
    frame = pl.DataFrame(
        {
            "patient_id": [f"P{chance.randrange(40)}" for _ in range(rows)],
            "age": [chance.randint(20, 60) for _ in range(rows)],
            "town": [chance.choice(["Lugo", "Vigo", "Soria"]) for _ in range(rows)],
            "ill": [chance.choice(["flu", "asthma"]) for _ in range(rows)],
        }
    )
    path = tmp_path / "visits.csv"
    frame.write_csv(path)
    return path


ROLES = ("--qi", "age,town", "--sensitive", "ill", "--person", "patient_id")


def test_the_profile_says_how_many_rows_are_of_people_with_several(celosia, visits):
    answer = celosia("profile", visits)
    assert "rows are of people with several, by 'patient_id'" in answer.out
    commands = [line.strip() for line in answer.out.splitlines() if line.startswith("  celosia ")]
    assert commands
    assert all("--person patient_id" in line for line in commands)
    assert celosia("profile", visits, "--json").document["person"]["column"] == "patient_id"


@pytest.mark.parametrize("technique", ["mondrian", "local", "full-domain"])
def test_a_release_counts_people_and_says_how(celosia, visits, safe, technique):
    answer = celosia("anonymize", visits, *ROLES, "-k", "3", "--technique", technique, "--out", safe)
    assert (answer.status, answer.err) == (0, "")
    told = "people are compared by all their rows"
    if technique != "full-domain":
        told = (
            "different people are counted in every class; full-domain also compares people by all their rows"
        )
    assert told in " ".join(answer.out.split())
    assert "unique people" in answer.out
    assert "patient_id" not in pl.read_csv(safe, infer_schema=False).columns
    record = json.loads(safe.with_suffix(".record.json").read_text(encoding="utf-8"))
    assert record["people"]["compared"] is (technique == "full-domain")
    assert record["risk"]["after"]["k"] >= 3


def test_every_node_that_explore_lists_can_be_applied_and_the_best_is_that_of_a_release(
    celosia, visits, safe
):
    asked = (visits, *ROLES, "-k", "3", "--suppression", "20%")
    found = celosia("explore", *asked, "--json").document["candidates"]
    assert found
    for number, candidate in enumerate(found):
        node = ",".join(map(str, candidate["node"]))
        out = safe.with_stem(f"safe{number}")
        answer = celosia("anonymize", *asked, "--node", node, "--out", out, "--json")
        assert answer.status == 0
        assert answer.document["rows"]["suppressed"] == candidate["suppressed"]
        assert answer.document["measures"]["loss"] == pytest.approx(candidate["measures"]["loss"])
    best = celosia("anonymize", *asked, "--technique", "full-domain", "--out", safe, "--json").document
    assert best["measures"]["loss"] == pytest.approx(found[0]["measures"]["loss"])


def test_balance_counts_people_and_its_command_makes_the_release_that_it_told_of(celosia, visits, safe):
    asked = ("balance", visits, *ROLES, "--ks", "2,3", "--tolerance", "100%", "--rule", "sound")
    document = celosia(*asked, "--json").document
    words = shlex.split(document["command"])
    assert words[words.index("--person") + 1] == "patient_id"
    words[words.index("--out") + 1] = str(safe)
    release = celosia(*words[1:], "--json").document
    told = document["points"][-1] if isinstance(document["points"], list) else document["points"]["3"]
    assert release["risk"]["after"]["rows"] == told["rows"]["after"]
    assert release["risk"]["before"]["uniques"] == told["singled_out"]["before"]


def test_verify_counts_people_not_rows(celosia, tmp_path):
    path = tmp_path / "safe.csv"
    path.write_text("who,town\na,Lugo\na,Lugo\nA,Lugo\nb,Vigo\nc,Vigo\n", encoding="utf-8")
    assert celosia("verify", path, "--qi", "town", "-k", "2").status == 0
    answer = celosia("verify", path, "--qi", "town", "-k", "2", "--person", "who")
    assert answer.status == 1
    assert "different people by 'who' in every class: asked 2, reached 1; 1 class violates it" in answer.out
    assert "5 rows in 2 classes, the smallest of 1 person" in answer.out


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--person", "nobody"), "'nobody', which tells people apart, does not exist"),
        (
            ("--person", "age", "--identifier", "patient_id"),
            "'age' tells people apart and has a role of its own in the promises",
        ),
        (("--person", "patient_id", "--technique", "mondrian", "--relaxed"), "relaxed parts them"),
        (
            ("--person", "patient_id", "--search", "datafly", "--model", "average-risk:risk=0.2"),
            "average-risk is about rows, and people are counted here",
        ),
    ],
)
def test_what_cannot_be_is_said_in_one_sentence(celosia, visits, safe, more, words):
    answer = celosia("anonymize", visits, "--qi", "age,town", "-k", "3", *more, "--out", safe)
    assert answer.status == 2
    assert words in " ".join(answer.err.split())
    assert not safe.exists()
