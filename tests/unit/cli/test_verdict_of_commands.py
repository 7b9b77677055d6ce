"""The verdict on the command line: after a release, of a table that somebody calls one, and what was accepted."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

PEOPLE = pl.DataFrame(
    {
        "age": [30 + n % 2 for n in range(40)],
        "cost": [n * 7 for n in range(40)],
        "illness": ["flu", "cold"] * 20,
    }
)


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "people.csv"
    PEOPLE.write_csv(path)
    return path


def test_a_release_ends_with_its_verdict(celosia: Any, table: Path) -> None:
    run = celosia(
        "anonymize",
        table,
        "--qi",
        "age",
        "--sensitive",
        "illness",
        "--common",
        "cost",
        "-k",
        5,
        "--out",
        "safe.csv",
    )
    assert "protected as far as declared" in run.out
    assert "cost: by its values 40 of 40 people are alone" in run.out
    assert "--accept cost=WHY" in run.out
    record = json.loads(Path("safe.record.json").read_text())
    assert record["verdict"]["kind"] == "protected-as-declared"
    assert record["exposure"]["columns"]["cost"]["alone"] == 40


def test_an_accepted_column_is_told_and_kept_in_the_project(celosia: Any, table: Path) -> None:
    run = celosia(
        *("anonymize", table, "--qi", "age", "--sensitive", "illness", "--accept", "cost=known to = nobody"),
        *("-k", 5, "--out", "safe.csv", "--save-project", "project.yaml"),
    )
    assert "1 column accepted" in run.out
    assert "known to = nobody" in Path("project.yaml").read_text()


def test_verify_tells_the_verdict_and_fails_only_where_a_promise_does(celosia: Any, table: Path) -> None:
    run = celosia("verify", table, "--qi", "age", "--sensitive", "illness", "-k", 5)
    assert run.status == 0
    assert "protected as far as declared" in run.out
    run = celosia(
        "verify", table, "--qi", "age", "--sensitive", "illness", "-k", 5, "--accept", "cost=nobody", "--json"
    )
    assert json.loads(run.out)["verdict"]["kind"] == "protected"
    assert celosia("verify", table, "--qi", "age,cost", "-k", 5).status == 1


def test_a_reason_is_asked_for(celosia: Any, table: Path) -> None:
    run = celosia("verify", table, "--qi", "age", "-k", 5, "--accept", "cost")
    assert run.status == 2
    assert "--accept" in run.err
