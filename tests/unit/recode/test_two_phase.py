"""Two-phase top-down specialization: partitions, their k, what is said of them, and that runs repeat themselves."""

import numpy as np
import polars as pl
import pytest

import celosia
from celosia.errors import ProjectError
from celosia.privacy import DistinctLDiversity, KAnonymity
from celosia.recode.subject import SpecializationGoal
from celosia.recode.two_phase import part_aim

RANDOM = np.random.default_rng(11)
ROWS = 600
PEOPLE = pl.DataFrame(
    {
        "age": RANDOM.integers(18, 80, ROWS),
        "sex": RANDOM.choice(["f", "m"], ROWS),
        "town": RANDOM.choice(["Soria", "Lugo", "Cádiz", "Vigo"], ROWS, p=[0.5, 0.3, 0.15, 0.05]),
    }
).with_columns(ill=(pl.col("age") // 20 + pl.col("sex").eq("f").cast(pl.Int64)).cast(pl.String))


def released(**asked):
    settled = {"quasi_identifiers": ["age", "sex", "town"], "sensitive": ["ill"], "k": 5, "seed": 3}
    return celosia.anonymize(PEOPLE, **{"technique": "two-phase", **settled, **asked})


def test_the_record_tells_both_phases():
    record = released(partitions=4, k_partition=8).record
    assert len(record["partitions"]) == 4
    assert sum(part["rows"] for part in record["partitions"]) == ROWS
    for column, level in record["combined"].items():
        assert level == max(part["node"][column] for part in record["partitions"])
        assert record["node"][column] <= level
    made = sum(record["combined"].values()) - sum(record["node"].values())
    assert len(record["steps"]) == made


def test_a_run_repeats_itself_by_its_seed():
    once, again = released(partitions=5), released(partitions=5)
    assert once.record["partitions"] == again.record["partitions"]
    other = released(partitions=5, seed=4)
    assert other.record["partitions"] != once.record["partitions"]


def test_without_a_seed_the_same_rows_still_go_to_the_same_partitions():
    assert released(seed=None).record["partitions"] == released(seed=None).record["partitions"]


def test_one_partition_held_to_the_same_k_finds_what_top_down_finds():
    single = released(partitions=1, k_partition=5)
    assert single.plan.candidate.node == released(technique="top-down").plan.candidate.node
    assert single.record["steps"] == []


def test_the_whole_goes_on_where_its_own_k_allows_it():
    record = released(partitions=3, k_partition=50).record
    assert sum(record["node"].values()) < sum(record["combined"].values())


def test_partitions_are_held_to_twice_k_unless_another_k_is_given():
    aim = SpecializationGoal((KAnonymity(k=5), DistinctLDiversity(column="ill", l=2)))
    assert part_aim(aim, None).models == (KAnonymity(k=10), aim.models[1])
    assert part_aim(aim, 7).models == (KAnonymity(k=7), aim.models[1])
    assert part_aim(SpecializationGoal(aim.models[1:]), None).models == aim.models[1:]


def test_a_partition_with_fewer_rows_than_its_k_stays_at_the_root_and_the_note_says_so():
    release = released(partitions=10, k_partition=100)
    assert all(part["has too few rows"] for part in release.record["partitions"])
    smallest = min(part["rows"] for part in release.record["partitions"])
    for text in (release.plan.note, release.record["warning"]):
        assert "k = 100" in text
        assert f"10 of 10, the smallest {smallest}" in text
    assert release.record["combined"] == {"age": 4, "sex": 1, "town": 2}
    # All the work is then done by the second phase.
    assert release.record["node"] == released(technique="top-down").record["node"]


def test_nothing_is_said_where_all_partitions_are_large_enough():
    release = released(partitions=3)
    assert release.record["warning"] == ""
    assert "partitions" not in release.plan.note


def test_more_partitions_than_rows_leave_some_empty_and_still_release():
    release = released(partitions=2 * ROWS)
    assert release.verification.passed
    assert {part["rows"] for part in release.record["partitions"]} >= {0}


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"k_partition": 4}, ["k = 4", "k = 5", "5 or more"]),
        (
            {"k": None, "k_partition": 4, "models": [DistinctLDiversity(column="ill", l=2)]},
            ["k for the partitions", "leave it out"],
        ),
        ({"target": "town"}, ["'town'", "quasi-identifier"]),
    ],
)
def test_what_does_not_go_together_is_said(asked, words):
    with pytest.raises(ProjectError) as error:
        released(**asked)
    assert all(word in str(error.value) for word in words)


def test_models_other_than_k_anonymity_hold_for_the_whole():
    release = released(models=[DistinctLDiversity(column="ill", l=2)], partitions=3)
    diversity = release.table.group_by("age", "sex", "town").agg(pl.col("ill").n_unique())["ill"]
    assert diversity.min() >= 2
