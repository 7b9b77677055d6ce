"""Top-down and two-phase specialization from the command line."""

import json

import polars as pl
import pytest
from typer.testing import CliRunner

from celosia.cli.app import app

ROLES = ["--qi", "age,sex", "--sensitive", "ill"]


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    rows = 240
    pl.DataFrame(
        {
            "age": [20 + i % 40 for i in range(rows)],
            "sex": ["f" if i % 3 else "m" for i in range(rows)],
            "ill": ["yes" if i % 40 > 25 else "no" for i in range(rows)],
            "ward": [f"w{i % 4}" for i in range(rows)],
        }
    ).write_csv(path)
    return path


def run(people, *words):
    out = people.with_name("safe.csv")
    answer = CliRunner().invoke(
        app, ["anonymize", str(people), *ROLES, "-k", "5", "--out", str(out), "--overwrite", *words]
    )
    record = out.with_name("safe.record.json")
    return answer, json.loads(record.read_text()) if answer.exit_code == 0 else None


def test_two_phases_with_partitions_and_their_k(people):
    answer, record = run(people, "--technique", "two-phase", "--partitions", "5", "--k-partition", "10")
    assert answer.exit_code == 0, answer.output
    assert len(record["partitions"]) == 5
    assert record["project"]["technique"]["k_partition"] == 10
    assert record["verification"]["passed"]
    assert "sum-of-heights" in answer.output


def test_a_warning_about_small_partitions_is_shown(people):
    answer, _ = run(people, "--technique", "two-phase", "--partitions", "20", "--k-partition", "100")
    assert "k = 100 in the partitions is more than the rows of 20 of 20" in " ".join(answer.output.split())


def test_the_score_the_target_and_the_intervals_can_be_chosen(people):
    answer, record = run(
        people, "--technique", "top-down", "--score", "gain", "--target", "ill,ward", "--numbers", "proposed"
    )
    assert answer.exit_code == 0, answer.output
    assert (record["score"], record["target"]) == ("gain", ["ill", "ward"])
    assert "tell most" not in answer.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--technique", "two-phase", "--k-partition", "3"], "give 5 or more"),
        (["--technique", "top-down", "--partitions", "3"], "use technique two-phase"),
        (["--technique", "top-down", "--score", "luck"], "'luck'"),
        (["--technique", "top-down", "--target", "wards"], "'wards'"),
        (["--technique", "two-phase", "--partitions", "0"], "greater than or equal to 1"),
        (["--technique", "mondrian", "--split", "gain", "--target", "ill,ward"], "valid string"),
    ],
)
def test_a_mistake_is_a_sentence_and_nothing_is_written(people, words, said):
    answer, _ = run(people, *words)
    assert answer.exit_code == 2
    assert said in " ".join(answer.output.split())
    assert not people.with_name("safe.csv").exists()
