"""``hierarchy propose --target``: intervals of numbers that tell most about other columns."""

import numpy as np
import polars as pl
import pytest

import celosia as package


@pytest.fixture
def workers(tmp_path):
    random = np.random.default_rng(3)
    ages = random.integers(18, 80, 400)
    frame = pl.DataFrame(
        {
            "age": [None, *ages[1:].tolist()],
            "sex": random.choice(["f", "m"], 400),
            "retired": np.where(ages >= 63, "yes", "no"),
            "paid": np.where(ages < 30, "low", "high"),
        }
    )
    path = tmp_path / "workers.csv"
    frame.write_csv(path)
    return path


def test_a_number_is_cut_where_the_target_changes(celosia, workers):
    answer = celosia("hierarchy", "propose", workers, "--column", "age,sex", "--target", "retired", "--json")
    age, sex = answer.document
    assert age["reason"] == "intervals that tell most about retired"
    assert age["labels"][1:] == [8, 4, 2, 1]
    assert {row[3] for row in age["rows"] if int(row[0]) < 63}.isdisjoint(
        row[3] for row in age["rows"] if int(row[0]) >= 63
    )
    (plain,) = celosia("hierarchy", "propose", workers, "--column", "sex", "--json").document
    assert sex == plain


@pytest.mark.parametrize("targets", [["retired"], ["retired", "paid"]])
def test_the_proposal_is_the_one_of_top_down_specialization(celosia, workers, targets):
    (proposed,) = celosia(
        "hierarchy", "propose", workers, "--column", "age", "--target", ",".join(targets), "--json"
    ).document
    release = package.anonymize(
        pl.read_csv(workers),
        quasi_identifiers=["age"],
        sensitive=targets,
        common="sex",
        k=5,
        technique="top-down",
    )
    assert [tuple(row) for row in proposed["rows"]] == release.plan.hierarchies["age"].rows()


def test_a_target_says_nothing_about_itself_and_must_exist(celosia, workers):
    told = celosia("hierarchy", "propose", workers, "--column", "age", "--target", "age", "--json").document
    assert told[0]["reason"] == "ages: grouped as they are known"
    answer = celosia("hierarchy", "propose", workers, "--target", "retird")
    assert answer.status == 2
    assert "'retired'" in answer.err
