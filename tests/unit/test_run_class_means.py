"""Numbers that show the mean of their class: as part of the recoding, in every kind of table, and verified."""

import sqlite3
from collections import defaultdict
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError, ReleaseError
from celosia.recode import class_means

STAYS = pl.DataFrame(
    {
        "who": [f"p{n // 2}" for n in range(80)],
        "age": [20 + n * 7 % 40 for n in range(80)],
        "sex": ["f", "m"] * 40,
        "cost": [round(100 + n * 7.25, 2) for n in range(79)] + [None],
    }
)
ASKED: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "identifiers": ["who"],
    "common": ["cost"],
    "mask": {"cost": "microaggregate"},
    "k": 5,
}


def costs_by_class(frame: pl.DataFrame) -> dict[Any, list[float]]:
    found = defaultdict(list)
    for age, sex, cost in frame.select("age", "sex", "cost").rows():
        found[age, sex].append(cost)
    return found


@pytest.mark.parametrize("technique", ["full-domain", "mondrian", "local"])
def test_every_class_shows_one_number_and_the_total_stays(technique: str) -> None:
    release = celosia.anonymize(STAYS, **ASKED, technique=technique)
    classes = costs_by_class(release.table)
    assert all(len(set(costs)) == 1 and len(costs) >= 5 for costs in classes.values())
    before = STAYS["cost"].sum() + release.table["cost"].max()  # the missing one shows a mean, too
    assert release.table["cost"].sum() == pytest.approx(before, abs=STAYS["cost"].max())
    assert release.verdict.is_protected
    assert release.table["cost"].dtype == STAYS["cost"].dtype


def test_the_mean_is_that_of_the_rows_of_the_class() -> None:
    people = pl.DataFrame({"age": [30] * 5 + [50] * 5, "cost": [1, 2, 3, 4, 6, 10, 10, 10, 10, 11]})
    release = celosia.anonymize(people, quasi_identifiers=["age"], common=["cost"], mask=ASKED["mask"], k=5)
    assert sorted(set(release.table.rows())) == [("30", 3), ("50", 10)] or sorted(
        set(release.table.rows())
    ) == [(30, 3), (50, 10)]


def test_rows_that_are_left_out_are_no_part_of_the_means() -> None:
    people = pl.DataFrame({"age": ["a"] * 9 + ["b"], "cost": [10] * 9 + [99_999]})
    release = celosia.anonymize(
        people, quasi_identifiers=["age"], common=["cost"], mask=ASKED["mask"], k=5, suppression=0.2
    )
    assert release.table["cost"].to_list() == [10] * 9
    assert (release.written.source, release.written.suppressed) == (10, 1)


def test_files_and_databases_show_means_like_frames(tmp_path: Path) -> None:
    STAYS.write_csv(tmp_path / "stays.csv")
    with sqlite3.connect(tmp_path / "clinic.db") as database:
        database.execute("CREATE TABLE stays (who TEXT, age INTEGER, sex TEXT, cost REAL)")
        database.executemany("INSERT INTO stays VALUES (?, ?, ?, ?)", STAYS.rows())
    expected = sorted(celosia.anonymize(STAYS, **ASKED).table["cost"].to_list())
    celosia.anonymize(tmp_path / "stays.csv", **ASKED, out=tmp_path / "safe.csv")
    assert sorted(pl.read_csv(tmp_path / "safe.csv")["cost"].to_list()) == expected
    place = f"sqlite:///{tmp_path}/clinic.db"
    celosia.anonymize(place, **ASKED, table="stays", out=tmp_path / "there.csv")
    assert sorted(pl.read_csv(tmp_path / "there.csv")["cost"].to_list()) == expected


def test_people_with_several_rows_are_protected_by_means() -> None:
    release = celosia.anonymize(STAYS, **ASKED, person="who")
    assert all(len(set(costs)) == 1 for costs in costs_by_class(release.table).values())
    assert release.verdict.is_protected


def test_a_class_that_shows_several_numbers_is_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(class_means.ClassMeansPass, "__call__", lambda self, batch: (batch, None))
    with pytest.raises(ReleaseError, match="more than one value"):
        celosia.anonymize(STAYS, **ASKED)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"quasi_identifiers": ["sex", "cost"], "common": ["age"]}, "makes or leaves the classes"),
        ({"mask": {"cost": "microaggregate+round:to=10"}}, "not the last operation"),
        ({"mask": {"who": "microaggregate"}, "identifiers": [], "common": ["who", "cost"]}, "no numbers"),
        (
            {
                "common": [],
                "sensitive": ["cost"],
                "models": [celosia.DistinctLDiversity(column="cost", l=2)],
            },
            "their mean is one",
        ),
    ],
)
def test_what_cannot_show_a_mean_is_refused_with_a_reason(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(CelosiaError, match=message):
        celosia.anonymize(STAYS, **{**ASKED, **changes})


def test_a_light_release_has_no_classes() -> None:
    with pytest.raises(CelosiaError, match="a light release has no classes"):
        celosia.mask_columns(STAYS.select("cost"), {"cost": "microaggregate"}, common=["cost"])


def test_an_exposed_number_is_offered_the_mean_of_its_class() -> None:
    asked = {**ASKED, "mask": {}}
    (cost,) = celosia.anonymize(STAYS, **asked).verdict.exposed
    assert any("--mask cost=microaggregate" in remedy for remedy in cost.remedies)
