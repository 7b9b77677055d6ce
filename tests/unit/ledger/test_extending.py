"""New rows for an earlier release: added where they hide among each other, held back where they do not."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from celosia.errors import CelosiaError, ReleaseError
from celosia.ledger.extending import extend_release
from celosia.ledger.ledger import open_ledger
from celosia.mask.keys import new_key, parse_key
from celosia.project import make_project
from celosia.run import run_project

AGES = [[str(n), f"{n // 10 * 10}s", "*"] for n in range(20, 80)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CELOSIA_KEY", new_key())
    lines = "\n".join(";".join(row) for row in AGES)
    (tmp_path / "age.csv").write_text(lines + "\n")
    return tmp_path


def people(ages: list[int], *, first: int = 0) -> pl.DataFrame:
    drawn = np.random.default_rng(1)
    return pl.DataFrame(
        {
            "id": [f"p{first + n}" for n in range(len(ages))],
            "age": ages,
            "ward": drawn.choice(["a", "b"], len(ages)),
        }
    )


def release(folder: Path, frame: pl.DataFrame, ward: str = "common", **technique: Any) -> Path:
    frame.write_csv(folder / "people.csv")
    project = make_project(
        name="clinic",
        ledger={"file": str(folder / "clinic.ledger"), "person": "id"},
        models=[{"model": "k-anonymity", "k": 3}],
        technique=technique or {"name": "full-domain", "node": (1,)},
        tables={
            "people": {
                "source": str(folder / "people.csv"),
                "destination": str(folder / "one.csv"),
                "columns": {
                    "id": "identifier",
                    "age": {"role": "quasi-identifier", "hierarchy": str(folder / "age.csv")},
                    "ward": ward,
                },
            }
        },
    )
    run_project(project)
    return folder / "one.record.json"


def add(folder: Path, record: Path, frame: pl.DataFrame, out: str = "two.csv", **more: Any) -> Any:
    frame.write_csv(folder / "new.csv")
    return extend_release(record, str(folder / "new.csv"), folder / out, **more)


OLD = people([21, 22, 23, 24, 31, 32, 33, 34])


def test_new_rows_go_into_the_classes_they_fit(folder: Path) -> None:
    found = add(folder, release(folder, OLD), people([25, 26, 27, 35], first=50))
    assert (found.added, found.waiting, found.new_classes) == (3, 1, 0)
    ages = pl.read_csv(folder / "two.csv").get_column("age").value_counts().rows()
    assert sorted(ages) == [("20s", 7), ("30s", 4)]


def test_rows_of_a_class_that_was_not_there_make_one_of_their_own_once_there_are_enough(folder: Path) -> None:
    found = add(folder, release(folder, OLD), people([51, 52, 53, 61, 62], first=50))
    assert (found.added, found.waiting, found.new_classes) == (3, 2, 1)


def test_rows_that_wait_are_added_with_others(folder: Path) -> None:
    record = release(folder, OLD)
    first = add(folder, record, people([25, 26, 27, 35], first=50), waiting=folder / "waiting.csv")
    assert (folder / "waiting.csv").stat().st_mode & 0o077 == 0
    held = pl.read_csv(folder / "waiting.csv")
    assert held.get_column("id").to_list() == ["p53"]
    more = pl.concat([held, people([36, 37], first=80)])
    second = add(folder, folder / "two.record.json", more, "three.csv")
    assert (first.waiting, second.added, second.rows) == (1, 3, 14)


def test_the_ledger_knows_who_was_added(folder: Path) -> None:
    found = add(folder, release(folder, OLD), people([25, 26, 27, 35], first=50))
    key = parse_key(os.environ["CELOSIA_KEY"], location="test")
    book = open_ledger(folder / "clinic.ledger", key=key)
    one, two = book.entries
    members = book.members(two)
    assert members is not None
    assert len(members.people) == 11
    assert two.body["extends"] == one.number
    assert found.check.assessment.k == 3


def test_the_ledger_knows_the_values_that_came_with_those_who_were_added(folder: Path) -> None:
    frame = OLD.with_columns(ward=pl.lit("a"))
    record = release(folder, frame, ward="sensitive")
    add(folder, record, people([25, 26, 27], first=50).with_columns(ward=pl.Series(["b", "c", "d"])))
    key = parse_key(os.environ["CELOSIA_KEY"], location="test")
    book = open_ledger(folder / "clinic.ledger", key=key)
    one, two = (book.members(entry) for entry in book.entries)
    assert one is not None
    assert two is not None
    assert np.bincount(one.values["ward"][0]).tolist() == [1, 1]
    assert sorted(np.bincount(two.values["ward"][0]).tolist()) == [1, 4]


def test_people_who_are_in_it_already_are_left_out(folder: Path) -> None:
    new = pl.concat([OLD.head(2), people([25, 26, 27], first=50)])
    found = add(folder, release(folder, OLD), new)
    assert (found.added, found.already) == (3, 2)


def test_rows_of_a_local_recoding_go_where_its_labels_allow_them(folder: Path) -> None:
    record = release(folder, OLD, name="mondrian")
    found = add(folder, record, people([22, 22, 23, 32, 70], first=50))
    assert (found.added, found.waiting) == (3, 2)


def test_where_nothing_can_be_added_nothing_is_written(folder: Path) -> None:
    record = release(folder, OLD)
    with pytest.raises(ReleaseError, match="none of 2 new rows can be added"):
        add(folder, record, people([25, 35], first=50))
    assert not (folder / "two.csv").exists()


def test_another_table_is_told(folder: Path) -> None:
    record = release(folder, OLD)
    with pytest.raises(CelosiaError, match="age"):
        add(folder, record, OLD.drop("age"))


def test_what_is_no_record_is_told(folder: Path) -> None:
    (folder / "x.json").write_text("{}")
    with pytest.raises(CelosiaError, match="no record of a release"):
        add(folder, folder / "x.json", OLD)


def test_without_a_key_of_people_it_is_told_what_new_rows_may_reveal(folder: Path) -> None:
    record = release(folder, OLD)
    book = open_ledger(folder / "clinic.ledger", key=parse_key(os.environ["CELOSIA_KEY"], location="test"))
    book.forget(book.entries[0])
    found = add(folder, record, people([25, 26, 27], first=50))
    assert found.check.way == "nothing"
    assert "not recorded" in found.check.unknown[0]
