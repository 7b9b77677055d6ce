"""One person and one value in every release, however each of them spells it and whatever its type."""

import json
from decimal import Decimal

import numpy as np
import polars as pl
import pytest

from celosia.errors import ReleaseError
from celosia.ledger import ledger as ledger_module
from celosia.ledger.join import join_members
from celosia.ledger.join_by_values import PublishedTable, people_by_values
from celosia.ledger.ledger import open_ledger
from celosia.ledger.members import Digests, Members, members_of
from celosia.mask.keys import SecretKey
from celosia.tables import open_table

DIGESTS = Digests(SecretKey(bytes(range(32))), "a ledger")


def members(who: list, dose: list) -> Members:
    frame = pl.DataFrame({"id": who, "age": ["3*"] * len(who), "dose": dose})
    counts = open_table(frame).count_by(["id", "age", "dose"])
    return members_of(counts, person="id", classes=["age"], sensitive=["dose"], digests=DIGESTS)


@pytest.mark.parametrize(
    ("some", "others"),
    [
        (["HIV", "flu"], ["hiv ", "FLU"]),
        (["1.10", "2"], [1.1, 2.0]),
        (["1.10", "2.00"], [Decimal("1.1"), Decimal("2.0")]),
        (["1", "n/a"], [1, None]),
    ],
)
def test_a_value_has_one_digest_in_all_releases(some, others) -> None:
    first, second = members(["a", "b"], some), members(["a", "b"], others)
    assert sorted(first.values["dose"][1].tolist()) == sorted(second.values["dose"][1].tolist())
    assert len(set(first.values["dose"][1].tolist())) == 2


def test_spellings_of_a_value_within_a_release_are_one_value_of_a_class_and_of_a_person() -> None:
    found = members(["a", "a", "a", "b"], ["HIV", "hiv", "Hiv", "flu"])
    assert len(found.values["dose"][1]) == 2
    own = found.own["dose"]
    assert sorted(own.counts.tolist()) == [1, 3]
    assert own.values == ("HIV", "flu")
    assert len(found.coded["dose"]) == 2


@pytest.mark.parametrize(
    ("some", "others"),
    [(["A1", "b2"], [" a1", "B2\u200b"]), (["007", "8"], [7, 8]), (["7", "8"], [7.0, 8.0])],
)
def test_a_person_is_recognized_in_another_release(some, others) -> None:
    first, second = members(some, ["x", "y"]), members(others, ["x", "y"])
    assert np.array_equal(first.people, second.people)
    assert len(join_members([first, second]).people) == 2


def test_people_with_long_numbers_stay_apart() -> None:
    assert len(members([12345678901234567, 12345678901234568], ["x", "y"]).people) == 2


def test_spellings_of_a_person_are_one_member_and_marks_of_a_missing_one_nobody() -> None:
    found = members(["A1", "a1 ", "N/A", None], ["x", "x", "x", "x"])
    assert len(found.people) == 1
    assert found.nameless == 2
    assert found.keys is not None
    assert found.keys.to_list() == ["a1"]


def test_people_known_by_their_values_are_those_that_were_recorded() -> None:
    recorded = members(["A1", "B2"], ["1.10", "2"])
    source = open_table(pl.DataFrame({"id": ["a1", "A1 ", "b2", "-"], "age": ["3*"] * 4}))
    shown = pl.DataFrame({"age": ["3*"] * 2, "dose": [1.1, 2.0]})
    [found], _ = people_by_values(
        source, [PublishedTable(open_table(shown), ("age",), ("dose",))], person="id", digests=DIGESTS
    )
    assert found is not None
    assert np.array_equal(found.people, recorded.people)
    assert set(found.values["dose"][1].tolist()) == set(recorded.values["dose"][1].tolist())


def test_a_ledger_with_digests_of_texts_is_told_apart(tmp_path, monkeypatch) -> None:
    path = tmp_path / "clinic.ledger"
    body = {"roles": {}, "release": {"place": "safe.csv", "digest": ""}}
    monkeypatch.setattr(ledger_module, "VERSION", 1)
    open_ledger(path, project="clinic").record(body)
    monkeypatch.undo()
    assert json.loads(path.read_text().splitlines()[0])["body"]["version"] == 1
    with pytest.raises(
        ReleaseError,
        match="this ledger has version 1; this system knows version 2: use the one that wrote it",
    ):
        open_ledger(path, project="clinic")
