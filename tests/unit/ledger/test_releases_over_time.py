"""Releases one after the other: each is checked against those before it, and recorded."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError, ReleaseError
from celosia.ledger.ledger import Ledger, open_ledger
from celosia.mask.keys import SecretKey, new_key, parse_key
from celosia.project import make_project
from celosia.run import run_project

QUASI = {"age": [[str(n), f"{n // 10 * 10}s", "*"] for n in range(20, 60)], "sex": [["f", "*"], ["m", "*"]]}


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> SecretKey:
    text = new_key()
    monkeypatch.setenv("CELOSIA_KEY", text)
    return parse_key(text, location="test")


def people(rows: int = 120, *, first: int = 0) -> pl.DataFrame:
    drawn = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "id": [f"p{n}" for n in range(400)],
            "age": drawn.integers(20, 60, 400).astype(str),
            "sex": drawn.choice(["f", "m"], 400),
            "disease": drawn.choice(["flu", "gout", "rash", "none"], 400),
        }
    )
    return frame.slice(first, rows)


def few_men() -> pl.DataFrame:
    """People of whom one is a man in his thirties."""
    is_one = pl.col("age").is_between(pl.lit("30"), pl.lit("39")) & (pl.col("sex") == "m")
    others = people(120).filter(~is_one)
    return pl.concat([others, pl.DataFrame([("x", "33", "m", "flu")], schema=others.columns, orient="row")])


def project(
    folder: Path, out: str, *, node: tuple[int, ...] = (1, 1), ledger: Any = None, **more: Any
) -> Any:
    return make_project(
        name="clinic",
        ledger={"file": str(folder / "clinic.ledger"), "person": "id", **(ledger or {})},
        models=[{"model": "k-anonymity", "k": 3}],
        technique={"name": "full-domain", "node": node},
        tables={
            "people": {
                "source": str(folder / "people.csv"),
                "destination": str(folder / out),
                "columns": {
                    "id": "identifier",
                    "age": {"role": "quasi-identifier", "hierarchy": QUASI["age"]},
                    "sex": {"role": "quasi-identifier", "hierarchy": QUASI["sex"]},
                    "disease": "sensitive",
                },
            }
        },
        **more,
    )


def release(folder: Path, out: str, frame: pl.DataFrame | None = None, **more: Any) -> Any:
    (people() if frame is None else frame).write_csv(folder / "people.csv")
    return run_project(project(folder, out, **more))["people"]


def ledger(folder: Path, key: SecretKey | None) -> Ledger:
    return open_ledger(folder / "clinic.ledger", key=key, begin=False)


def test_every_release_is_recorded_with_what_an_auditor_asks(tmp_path: Path, key: SecretKey) -> None:
    made = release(tmp_path, "one.csv", ledger={"recipient": "university"})
    [entry] = ledger(tmp_path, key).entries
    assert entry.recipient == "university"
    assert entry.body["recoding"]["node"] == {"age": 1, "sex": 1}
    assert entry.body["roles"]["disease"] == "sensitive"
    assert entry.body["release"]["rows"] == 120
    assert entry.body["people"]["known"] == 120
    assert made.record["ledger"]["anchor"] == str(entry.anchor)


def test_no_value_of_the_table_stands_in_the_ledger(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv")
    kept = (tmp_path / "clinic.ledger").read_bytes()
    assert not any(text.encode() in kept for text in ("p17", "gout", "30s"))


def test_the_same_classes_again_break_nothing(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv")
    again = release(tmp_path, "two.csv")
    [check] = again.record["ledger"]["checks"]
    assert check["way"] == "key"
    assert check["passed"]
    assert check["k"] >= 3
    assert len(ledger(tmp_path, key).entries) == 2


def test_other_levels_that_cut_the_classes_are_refused_and_nothing_is_written(
    tmp_path: Path, key: SecretKey
) -> None:
    release(tmp_path, "one.csv", few_men(), node=(1, 1))
    with pytest.raises(
        ReleaseError, match=r"1 person .* hides among fewer than 3 .* classes cut those"
    ) as error:
        release(tmp_path, "two.csv", few_men(), node=(2, 0))
    assert "classes of the release before" in error.value.remedy
    assert "the classes concerned: age *, sex m (1)" in error.value.what
    assert not (tmp_path / "two.csv").exists()
    assert len(ledger(tmp_path, key).entries) == 1


def test_somebody_who_came_alone_is_refused(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", people(120))
    with pytest.raises(
        ReleaseError, match=r"1 person in 1 group hides among fewer than 3 .* who was not there before"
    ):
        release(tmp_path, "two.csv", people(121))


def test_somebody_who_left_alone_is_refused(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", people(120))
    with pytest.raises(ReleaseError, match="who is not in it any more"):
        release(tmp_path, "two.csv", people(119))


def test_rows_are_left_out_where_the_project_says_so(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", people(120))
    less = release(tmp_path, "two.csv", people(121), ledger={"broken": "suppress"})
    assert less.written.written == 120
    assert less.written.suppressed == 1
    assert less.record["ledger"]["checks"][0]["passed"]


def test_a_broken_promise_can_be_accepted_and_is_recorded(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", people(120))
    release(tmp_path, "two.csv", people(121), ledger={"broken": "record"})
    assert ledger(tmp_path, key).entries[1].body["checks"][0]["k"] == 1


def test_recipients_who_share_nothing_are_not_checked_against_each_other(
    tmp_path: Path, key: SecretKey
) -> None:
    release(tmp_path, "one.csv", people(120), ledger={"recipient": "a", "together": "same"})
    other = release(tmp_path, "two.csv", people(121), ledger={"recipient": "b", "together": "same"})
    assert other.record["ledger"]["checks"][0]["against"] == []
    with pytest.raises(ReleaseError, match=r"who .* not there before"):
        release(tmp_path, "three.csv", people(122), ledger={"recipient": "b", "together": ["a"]})


def test_without_a_key_of_people_they_are_looked_for_by_their_values(tmp_path: Path) -> None:
    release(tmp_path, "one.csv", ledger={"person": None})
    again = release(tmp_path, "two.csv", ledger={"person": None})
    nothing, check = again.record["ledger"]["checks"]
    assert nothing["way"] == "nothing"
    assert check["way"] == "values"
    assert check["passed"]
    assert any("not known who" in text for text in check["unknown"])


def test_without_a_key_other_levels_are_refused_all_the_same(tmp_path: Path) -> None:
    release(tmp_path, "one.csv", few_men(), node=(1, 1), ledger={"person": None})
    with pytest.raises(ReleaseError, match="classes cut those of earlier releases"):
        release(tmp_path, "two.csv", few_men(), node=(2, 0), ledger={"person": None})
    assert not (tmp_path / "two.csv").exists()


def test_people_need_a_key_to_be_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CELOSIA_KEY", raising=False)
    with pytest.raises(ProjectError, match="digests with a key, and there is none"):
        release(tmp_path, "one.csv")


def test_the_ledger_of_another_project_is_refused(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv")
    with pytest.raises(ProjectError, match="ledger of project 'clinic', not of 'school'"):
        run_project(project(tmp_path, "two.csv").model_copy(update={"name": "school"}))


def test_another_key_is_refused(tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch) -> None:
    release(tmp_path, "one.csv")
    monkeypatch.setenv("CELOSIA_KEY", new_key())
    with pytest.raises(ProjectError, match="was begun with the key"):
        release(tmp_path, "two.csv")


def test_other_people_are_wondered_at(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv", people(120))
    again = release(tmp_path, "two.csv", people(120, first=200), ledger={"broken": "record"})
    assert any(
        "nobody of it is in an earlier release" in text
        for text in again.record["ledger"]["checks"][0]["unknown"]
    )


def test_rows_without_a_key_are_told(tmp_path: Path, key: SecretKey) -> None:
    some = people(120).with_columns(pl.when(pl.col("id") == "p5").then(None).otherwise("id").alias("id"))
    release(tmp_path, "one.csv", some)
    again = release(tmp_path, "two.csv", some)
    assert any("1 rows have no key" in text for text in again.record["ledger"]["checks"][0]["unknown"])


def test_a_ledger_that_was_changed_stops_the_run(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv")
    path = tmp_path / "clinic.ledger"
    path.write_bytes(path.read_bytes().replace(b'"rows":120', b'"rows":121'))
    with pytest.raises(ReleaseError, match="not as it was written"):
        release(tmp_path, "two.csv")


def test_people_who_are_forgotten_are_looked_for_by_their_values(tmp_path: Path, key: SecretKey) -> None:
    release(tmp_path, "one.csv")
    book = ledger(tmp_path, key)
    assert book.forget(book.entries[0])
    assert list((tmp_path / "clinic.ledger.people").iterdir()) == []
    again = release(tmp_path, "two.csv")
    assert [check["way"] for check in again.record["ledger"]["checks"]] == ["values"]


def test_a_run_that_fails_after_recording_withdraws_its_entry(
    tmp_path: Path, key: SecretKey, monkeypatch: pytest.MonkeyPatch
) -> None:
    from celosia.release import publish

    def fail(*given: Any, **named: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(publish, "_move_both", fail)
    with pytest.raises(ReleaseError, match="No space left"):
        release(tmp_path, "one.csv")
    book = ledger(tmp_path, key)
    assert book.entries == ()
    assert [link.body["kind"] for link in book.chain().links] == ["ledger", "release", "withdrawn"]
