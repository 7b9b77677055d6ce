"""Runs that are killed or come at the same time, recipients who share nothing, and releases of all kinds together."""

import os
import threading
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from celosia.errors import ReleaseError
from celosia.ledger import chain
from celosia.ledger.assessment import assess_release
from celosia.ledger.chain import append_link, head_path, read_chain
from celosia.ledger.check import LedgerCheck
from celosia.ledger.copies import copy_release
from celosia.ledger.foreign import import_release
from celosia.ledger.history import release_history
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.ledger.members import Members
from celosia.ledger.run_ledger import RunLedger
from celosia.mask.keys import SecretKey, new_key, parse_key
from celosia.project import make_project
from celosia.run import run_project
from celosia.tables import open_table

LEVELS = {name: [["0", "*"], ["1", "*"]] for name in "abc"}


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> SecretKey:
    text = new_key()
    monkeypatch.setenv("CELOSIA_KEY", text)
    return parse_key(text, location="test")


def people(rows: int = 16) -> pl.DataFrame:
    """Two columns cut them into quarters, the third tells them from each other only with both."""
    numbers = range(rows)
    return pl.DataFrame(
        {
            "id": [f"p{n}" for n in numbers],
            "a": [str(n // 2 % 2) for n in numbers],
            "b": [str(n % 2) for n in numbers],
            "c": [str((n // 2 + n) % 2 if n != 0 else 1) for n in numbers],
        }
    )


def release(folder: Path, out: str, *, shown: str, k: int = 4, **ledger: Any) -> Any:
    place = folder / "people.csv"
    if not place.exists():
        people().write_csv(place)
    columns = {name: {"role": "quasi-identifier", "hierarchy": LEVELS[name]} for name in shown}
    project = make_project(
        name="clinic",
        ledger={"file": str(folder / "clinic.ledger"), "person": "id", **ledger},
        models=[{"model": "k-anonymity", "k": k}],
        technique={"name": "full-domain", "node": [0] * len(shown)},
        tables={
            "people": {
                "source": str(place),
                "destination": str(folder / out),
                "unlisted": "drop",
                "columns": {"id": "identifier", **columns},
            }
        },
    )
    return run_project(project)["people"]


def entries(folder: Path, key: SecretKey) -> list[int]:
    return [one.number for one in open_ledger(folder / "clinic.ledger", key=key, begin=False).entries]


def test_a_run_that_is_killed_before_the_head_knows_its_line_stops_nobody(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path, "one.csv", shown="a")
    head = head_path(tmp_path / "clinic.ledger").read_bytes()
    release(tmp_path, "two.csv", shown="a")
    head_path(tmp_path / "clinic.ledger").write_bytes(head)  # as if killed in between
    assert not read_chain(tmp_path / "clinic.ledger").passed
    release(tmp_path, "three.csv", shown="a")
    assert entries(tmp_path, key) == [2, 3, 4]


def test_a_run_that_is_killed_while_it_writes_its_line_stops_nobody(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", shown="a")
    with (tmp_path / "clinic.ledger").open("ab") as file:
        file.write(b'{"body":{"at"')
    release(tmp_path, "two.csv", shown="a")
    assert entries(tmp_path, key) == [2, 3]


@pytest.mark.parametrize("left", [0, 5, 40])
def test_a_run_that_is_killed_while_it_begins_a_ledger_stops_nobody(
    tmp_path: Path, key: SecretKey, left: int
) -> None:
    path = tmp_path / "clinic.ledger"
    append_link(path, {"kind": "ledger"})
    head_path(path).unlink()
    os.truncate(path, left)
    release(tmp_path, "one.csv", shown="a")
    assert entries(tmp_path, key) == [2]


def test_a_file_that_is_no_ledger_is_left_as_it_is(tmp_path: Path, key: SecretKey) -> None:
    (tmp_path / "clinic.ledger").write_text("notes")
    with pytest.raises(ReleaseError, match="no ledger"):
        release(tmp_path, "one.csv", shown="a")
    assert (tmp_path / "clinic.ledger").read_text() == "notes"


def test_an_emptied_ledger_whose_head_is_there_is_not_begun_anew(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", shown="a")
    (tmp_path / "clinic.ledger").write_bytes(b"")
    with pytest.raises(ReleaseError, match="2 of 2 entries are missing"):
        release(tmp_path, "two.csv", shown="b")


def test_two_who_begin_a_ledger_at_once_do_not_write_two_beginnings(tmp_path: Path, key: SecretKey) -> None:
    one, two = (open_ledger(tmp_path / "clinic.ledger", key=key) for _ in range(2))
    one.record({"release": {}})
    with pytest.raises(ReleaseError, match="begun there meanwhile"):
        two.record({"release": {}})
    assert [link.body["kind"] for link in one.chain().links] == ["ledger", "release"]


def test_who_reads_while_somebody_appends_waits_until_the_head_knows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.ledger"
    append_link(path, {"kind": "ledger"})
    found: list[bool] = []
    write_head = chain._write_head

    def slowly(*given: Any) -> None:
        reader = threading.Thread(target=lambda: found.append(read_chain(path).passed))
        reader.start()
        reader.join(0.05)
        write_head(*given)
        readers.append(reader)

    readers: list[threading.Thread] = []
    monkeypatch.setattr(chain, "_write_head", slowly)
    append_link(path, {"kind": "release"})
    readers[0].join()
    assert found == [True]


def meanwhile(monkeypatch: pytest.MonkeyPatch, do: Any) -> None:
    """Something else that happens after a run was checked and before it is recorded, once."""
    written = RunLedger._check_written
    left = [do]

    def check(self: RunLedger, made: Any) -> None:
        written(self, made)
        if left:
            left.pop()()

    monkeypatch.setattr(RunLedger, "_check_written", check)


def test_two_runs_at_once_are_checked_against_each_other(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    release(tmp_path, "first.csv", shown="a")
    meanwhile(monkeypatch, lambda: release(tmp_path, "other.csv", shown="b"))
    with pytest.raises(ReleaseError, match="2 earlier releases it would break"):
        release(tmp_path, "two.csv", shown="c", k=3)
    assert entries(tmp_path, key) == [2, 3]
    assert not (tmp_path / "two.csv").exists()


def test_two_runs_at_once_that_break_nothing_are_both_recorded(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, lambda: release(tmp_path, "other.csv", shown="a"))
    (tmp_path / "clinic.ledger").touch()
    open_ledger(tmp_path / "clinic.ledger", key=key, project="clinic").record(
        {"release": {"digest": None, "place": ""}, "roles": {}, "recipient": ""}
    )
    made = release(tmp_path, "two.csv", shown="b")
    assert entries(tmp_path, key) == [2, 3, 4]
    assert made.record["ledger"]["checks"][0]["against"] == [3]


def test_what_two_could_only_see_together_is_no_excuse_for_what_one_of_them_sees(
    tmp_path: Path, key: SecretKey
) -> None:
    release(tmp_path, "a.csv", shown="ab", recipient="city", together="same")
    release(tmp_path, "b.csv", shown="c", recipient="press", together="same")
    with pytest.raises(ReleaseError, match="would break its promise"):
        release(tmp_path, "all.csv", shown="c", together="same")
    assert entries(tmp_path, key) == [2, 3]


def test_releases_with_and_without_a_key_are_joined_all_together(tmp_path: Path, key: SecretKey) -> None:
    """Any two of them leave four, all three fewer."""
    release(tmp_path, "one.csv", shown="a")
    elsewhere = tmp_path / "elsewhere.csv"
    people().select("b").sample(fraction=1, shuffle=True, seed=1).write_csv(elsewhere)
    book: Ledger = open_ledger(tmp_path / "clinic.ledger", key=key)
    import_release(book, open_table(elsewhere), path=elsewhere, roles={"b": "quasi-identifier"})
    with pytest.raises(ReleaseError, match="2 earlier releases it would break"):
        release(tmp_path, "two.csv", shown="c", k=3)
    made = release(tmp_path, "two.csv", shown="c", k=3, broken="record")
    [check] = made.record["ledger"]["checks"]
    assert (check["against"], check["k"]) == ([2, 3], 1)


def test_a_copy_is_checked_against_what_its_recipient_has(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", shown="ab", recipient="city", together="same")
    release(tmp_path, "two.csv", shown="c", recipient="press", together="same")
    book = open_ledger(tmp_path / "clinic.ledger", key=key)
    with pytest.raises(ReleaseError, match="together with what press has it would break"):
        copy_release(book, book.entries[0], tmp_path / "copy.csv", recipient="press", rate=0)
    made = copy_release(book, book.entries[0], tmp_path / "copy.csv", recipient="lab", rate=0)
    assert made.recipient == "lab"


def test_the_k_of_all_is_not_told_where_somebody_was_never_recorded(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", shown="a")
    release(tmp_path, "two.csv", shown="a")
    release(tmp_path, "three.csv", shown="a")
    book = open_ledger(tmp_path / "clinic.ledger", key=key)
    book.forget(book.entries[1])
    assert [one["k of all so far"] for one in release_history(book)] == [8, None, None]


def test_light_releases_that_keep_the_order_are_joined_row_by_row_whatever_their_key(
    tmp_path: Path, key: SecretKey
) -> None:
    frame = people(60).with_columns(a=pl.Series([str(n * 7 % 60) for n in range(60)]))
    frame.write_csv(tmp_path / "people.csv")

    def light(out: str, order: str) -> Any:
        table = {
            "source": str(tmp_path / "people.csv"),
            "destination": str(tmp_path / out),
            "order": order,
            "unlisted": "drop",
            "columns": {"id": "identifier", "a": "quasi-identifier", "b": "common"},
        }
        ledger = {"file": str(tmp_path / "clinic.ledger"), "person": "id"}
        return run_project(make_project(name="clinic", kind="light", ledger=ledger, tables={"people": table}))

    light("one.csv", "kept")
    with pytest.raises(ReleaseError, match="rows lie in the order of release 2") as error:
        light("two.csv", "kept")
    assert "shuffled" in error.value.remedy
    light("two.csv", "random")


def test_labels_that_nobody_understands_are_told(tmp_path: Path, key: SecretKey) -> None:
    elsewhere = tmp_path / "elsewhere.csv"
    people().select(a=pl.col("a").replace_strict({"0": "few", "1": "many"})).write_csv(elsewhere)
    book = open_ledger(tmp_path / "clinic.ledger", key=key, project="clinic")
    import_release(book, open_table(elsewhere), path=elsewhere, roles={"a": "quasi-identifier"})
    made = release(tmp_path, "one.csv", shown="a")
    [check] = made.record["ledger"]["checks"]
    assert (check["way"], check["against"]) == ("nothing", [])
    told = " ".join(check["unknown"])
    assert "what some labels of a stand for is not known here" in told
    assert "few" not in told


def test_other_columns_of_earlier_releases_are_understood_by_their_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People without a key: the new release knows nothing of the hierarchy of the earlier one."""
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    towns = [(f"t{n}", "north" if n < 3 else "south", "*") for n in range(6)]
    (tmp_path / "towns.csv").write_text("".join(";".join(row) + "\n" for row in towns))
    lines = [f"p{n},t{n % 6},{'m' if n < 12 or n == 21 else 'f'}" for n in range(24)]
    (tmp_path / "people.csv").write_text("\n".join(["id,town,sex", *lines]) + "\n")

    def show(column: str, **how: Any) -> Any:
        table = {
            "source": str(tmp_path / "people.csv"),
            "destination": str(tmp_path / f"{column}.csv"),
            "unlisted": "drop",
            "columns": {"id": "identifier", column: {"role": "quasi-identifier", **how}},
        }
        technique = {"name": "full-domain", "node": [len(how)]}
        project = make_project(
            name="clinic",
            ledger=str(tmp_path / "clinic.ledger"),
            models=[{"model": "k-anonymity", "k": 6}],
            technique=technique,
            tables={"people": table},
        )
        return run_project(project)["people"]

    show("town", hierarchy=str(tmp_path / "towns.csv"))
    with pytest.raises(ReleaseError, match="5 people in 1 group hide among fewer than 6"):
        show("sex")


def test_all_classes_that_break_are_counted_though_few_are_shown() -> None:
    who = np.arange(100, dtype=np.uint64)
    labels = pl.DataFrame({"age": [str(n) for n in range(50)]})
    first = Members(who, np.zeros(100, np.int32), 1, np.zeros(1, np.uint64))
    last = Members(who, (who // 2).astype(np.int32), 50, np.zeros(50, np.uint64), shown=labels)
    told = list(LedgerCheck("key", (2,), assess_release([first], last, k=3)).sentences())
    assert told[1].endswith("age 4 (2) and 45 more")
