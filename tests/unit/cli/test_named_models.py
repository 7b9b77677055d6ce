"""Privacy models by name on the command line, with a population beside the table."""

import json

import pytest


@pytest.fixture
def tables(tmp_path):
    """Half of the people of a sample, and all of them."""
    lines = ["age,sex,ill"] + [
        f"{20 + number % 30},{'fm'[number % 2]},{'abc'[number % 3]}" for number in range(240)
    ]
    (tmp_path / "everybody.csv").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "some.csv").write_text("\n".join(lines[:121]), encoding="utf-8")
    return tmp_path


def asked(tables, *models):
    named = [word for model in models for word in ("--model", model)]
    return ["--qi", "age,sex", "--sensitive", "ill", *named, "--population", tables / "everybody.csv"]


def test_a_release_by_named_models_can_be_verified_by_the_same_words(celosia, tables):
    words = asked(tables, "k-map:k=20", "beta-likeness:beta=2", "average-risk:risk=0.2")
    made = celosia("anonymize", tables / "some.csv", *words, "--out", tables / "safe.csv")
    assert made.status == 0
    assert "k-map: asked 20, reached" in made.out
    found = celosia("verify", tables / "safe.csv", *words)
    assert found.status == 0
    assert "kept: k-map: asked 20" in found.out
    assert "kept: average-risk: asked 0.2" in found.out
    broken = celosia("verify", tables / "some.csv", *asked(tables, "k-map:k=20"))
    assert broken.status == 1
    assert "BROKEN: k-map: asked 20, reached 8" in broken.out


def test_the_record_keeps_the_model_and_the_population(celosia, tables):
    words = [*asked(tables, "k-map:k=20", "population-uniqueness:share=0.1"), "--population-fraction", "50%"]
    assert celosia("anonymize", tables / "some.csv", *words, "--out", tables / "safe.csv").status == 0
    record = json.loads((tables / "safe.record.json").read_text(encoding="utf-8"))
    written = json.dumps(record)
    assert '"model": "k-map"' in written
    assert "everybody.csv" in written
    assert '"fraction": 0.5' in written


def test_candidates_are_listed_under_named_models(celosia, tables):
    found = celosia("explore", tables / "some.csv", *asked(tables, "delta-presence:high=0.6"))
    assert found.status == 0
    assert (
        "of the people of the population who fit a class, a share of at most 0.6 is in the table" in found.out
    )


def test_balancing_takes_models_of_single_classes_and_says_why_not_others(celosia, tables):
    how = [
        "balance",
        tables / "some.csv",
        "--ks",
        "2-3",
        "--qi",
        "age",
        "--sensitive",
        "ill",
        "--common",
        "sex",
    ]
    assert celosia(*how, "--model", "alpha-k-anonymity:alpha=0.9,k=2").status == 0
    refused = celosia(*how, "--model", "average-risk:risk=0.2")
    assert refused.status == 2
    assert "average-risk is about all classes together" in refused.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--model", "k-mop:k=3"], "there is no privacy model 'k-mop'; did you mean 'k-map'?"),
        (["--model", "k-map:k=3"], "k-map looks at the population, and none is named"),
        (["-k", "2", "--population-fraction", "0"], "a table that holds nobody of the population"),
        (["-k", "2", "--population-fraction", "2"], "'2' is not a share"),
    ],
)
def test_what_is_wrong_is_said(celosia, tables, words, message):
    found = celosia("anonymize", tables / "some.csv", "--qi", "age,sex", *words, "--out", tables / "safe.csv")
    assert found.status == 2
    assert message in found.err
    assert not (tables / "safe.csv").exists()
