"""What a release is called: protected, protected as far as declared, and what keeps it from being the former."""

from datetime import date
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import celosia
from celosia.errors import CelosiaError
from celosia.measure.exposure import measure_exposure
from celosia.project import Acceptance, load_project, make_project, save_project
from celosia.release.verdict import VerdictKind, judge
from celosia.tables import open_table

PEOPLE = pl.DataFrame(
    {
        "age": [30 + n % 5 for n in range(40)],
        "cost": [100.0 + n for n in range(40)],
        "illness": [("flu", "cold")[n % 2] for n in range(40)],
    }
)


def project(**columns: Any) -> Any:
    told = {"age": "quasi-identifier", "illness": "sensitive", **columns}
    return make_project(models=[{"model": "k-anonymity", "k": 4}], tables={"people": {"columns": told}})


def release(**columns: Any) -> Any:
    return celosia.run_project(project(**columns), sources={"people": PEOPLE})["people"]


def test_a_release_whose_other_columns_single_nobody_out_is_protected():
    found = release(cost="identifier")
    assert found.verdict.kind is VerdictKind.PROTECTED
    assert found.verdict.sentence == (
        "protected: the promises hold, and no column that leaves singles anybody out"
    )


def test_a_column_that_singles_people_out_is_named_with_its_counts_and_remedies():
    found = release(cost="common")
    assert found.verdict.kind is VerdictKind.AS_DECLARED
    (cost,) = found.verdict.exposed
    assert (cost.column, cost.alone, cost.small) == ("cost", 40, 40)
    assert any("--accept cost=WHY" in text for text in cost.remedies)


def test_a_sensitive_column_that_singles_people_out_by_itself_is_named_too():
    assert [one.column for one in release(cost="sensitive").verdict.exposed] == ["cost"]


def test_an_accepted_column_no_longer_stands_against_a_release():
    accepted = {"by": "Ana Gil", "on": "2026-11-18", "why": "only the hospital knows it"}
    found = release(cost={"role": "common", "accepted": accepted})
    assert found.verdict.is_protected
    assert found.verdict.sentence.endswith("; 1 column accepted")
    assert found.record["verdict"]["accepted"] == [{"column": "cost", **accepted}]
    assert found.exposure["cost"].alone == 40


def test_an_accepted_column_need_not_be_declared_otherwise():
    assert release(cost={"accepted": "nobody knows it"}).verdict.is_protected


def test_two_columns_that_single_people_out_only_together_are_told():
    people = pl.DataFrame(
        {"age": [30] * 16, "a": [n % 4 for n in range(16)], "b": [n // 4 for n in range(16)]}
    )
    exposure = measure_exposure(open_table(people), quasi_identifiers=["age"], k=4)
    assert not any(one.is_exposed for one in exposure.columns)
    found = judge(passed=True, exposure=exposure)
    assert found.kind is VerdictKind.AS_DECLARED
    assert found.together[0].columns == ("a", "b")
    assert "'a', 'b'" in found.sentence


def test_a_column_that_could_not_be_looked_at_keeps_a_release_from_being_protected():
    people = pl.DataFrame({"age": [30] * 4, "what": pl.Series([object()] * 4, dtype=pl.Object)})
    exposure = measure_exposure(open_table(people), quasi_identifiers=["age"], k=4)
    found = judge(passed=True, exposure=exposure)
    assert found.kind is VerdictKind.AS_DECLARED
    assert found.exposed[0].column == "what"


def test_free_text_that_leaves_is_never_protected():
    people = open_table(pl.DataFrame({"age": [30] * 4, "note": ["came"] * 4}))
    exposure = measure_exposure(people, quasi_identifiers=["age"], k=4)
    found = judge(passed=True, exposure=exposure, free_texts={"note": "sentences"})
    assert [one.reason for one in found.exposed] == ["sentences"]


def test_notes_that_leave_are_looked_into_whatever_their_role():
    notes = [f"She came with her brother today, call 6123456{n}" for n in range(10, 50)]
    asked = project(note="sensitive", cost="identifier")
    found = celosia.run_project(asked, sources={"people": PEOPLE.with_columns(note=pl.Series(notes))})[
        "people"
    ]
    assert found.verdict.kind is VerdictKind.AS_DECLARED
    assert "telephone" in found.verdict.exposed[0].reason


def test_a_broken_promise_is_called_broken_whatever_the_columns_say():
    people = open_table(pl.DataFrame({"age": [30] * 4}))
    exposure = measure_exposure(people, quasi_identifiers=["age"], k=4)
    assert judge(passed=False, exposure=exposure).kind is VerdictKind.BROKEN


def test_a_light_release_says_that_it_promises_nothing_and_looks_at_every_column():
    found = celosia.mask_columns(PEOPLE, {"cost": {"name": "round", "to": 1000}}, common=["age"])
    assert [one.column for one in found.exposure.columns] == ["age", "cost", "illness"]
    assert "promised" in found.verdict.sentence


def test_several_rows_of_one_person_do_not_hide_her():
    visits = pl.DataFrame(
        {"who": [f"p{n // 4}" for n in range(32)], "age": [30] * 32, "ward": [n // 4 for n in range(32)]}
    )
    columns = {"who": "identifier", "age": "quasi-identifier", "ward": "common"}
    asked = make_project(
        models=[{"model": "k-anonymity", "k": 4}], tables={"visits": {"columns": columns, "person": "who"}}
    )
    found = celosia.run_project(asked, sources={"visits": visits})["visits"]
    assert found.exposure.people == 8
    assert found.exposure["ward"].alone == 8


def test_who_accepted_when_is_kept_when_a_project_is_saved(tmp_path: Path):
    written = project(cost={"role": "common", "accepted": {"why": "nobody knows it"}})
    save_project(written, tmp_path / "p.yaml")
    text = (tmp_path / "p.yaml").read_text()
    assert "by:" in text
    assert f"{date.today():%Y-%m-%d}" in text
    assert load_project(tmp_path / "p.yaml").plan().accepted == written.plan().accepted


def test_a_reason_is_needed_to_accept_a_column():
    with pytest.raises(CelosiaError, match="why"):
        project(cost={"role": "common", "accepted": {"by": "Ana Gil"}})


def test_an_acceptance_may_be_only_its_reason():
    assert Acceptance.model_validate("nobody knows it").why == "nobody knows it"


def judged(**asked: Any) -> Any:
    """A release of people whose age and illness are exact and frequent, and whose cost is left out."""
    people = PEOPLE.with_columns(
        illness=pl.Series([("flu", "cold", "gout", "cut")[n % 4] for n in range(40)])
    )
    asked = {"quasi_identifiers": ["age"], "identifiers": ["cost"], **asked}
    return celosia.anonymize(people, **asked).verdict


def test_the_word_sensitive_alone_protects_nobody():
    """Five people of an age have four illnesses: with the age, an illness finds one or two of them."""
    found = judged(sensitive=["illness"], k=4)
    assert found.kind is VerdictKind.AS_DECLARED
    (illness,) = found.exposed
    assert (illness.small, illness.small_with) == (0, 40)
    assert any("-l illness=2" in text for text in illness.remedies)


@pytest.mark.parametrize(
    "model",
    [
        celosia.DistinctLDiversity(column="illness", l=1),
        celosia.EntropyLDiversity(column="illness", l=1),
        celosia.RecursiveCLDiversity(column="illness", c=1.5, l=1),
        celosia.TCloseness(column="illness", t=1),
        celosia.AlphaKAnonymity(column="illness", alpha=1, k=2),
        celosia.AlphaKAnonymity(column="illness", alpha=0.5, k=2, value="flu"),
    ],
)
def test_a_model_that_promises_nothing_about_a_column_does_not_guard_it(model: Any):
    assert judged(sensitive=["illness"], k=4, models=[model]).kind is VerdictKind.AS_DECLARED


def test_a_guarded_column_is_within_the_promise_and_its_premise_is_told():
    found = judged(sensitive=["illness"], k=4, models=[celosia.DistinctLDiversity(column="illness", l=2)])
    assert found.kind is VerdictKind.PROTECTED
    assert "as long as nobody knows 'illness' beforehand" in found.sentence
    (illness,) = found.guarded
    assert (illness.column, illness.small) == ("illness", 40)


def test_a_guarded_column_whose_values_alone_single_people_out_is_exposed():
    diverse = celosia.DistinctLDiversity(column="cost", l=2)
    found = judged(sensitive=["illness", "cost"], identifiers=[], k=4, models=[diverse])
    assert "cost" in [one.column for one in found.exposed]


def test_quasi_identifiers_are_looked_at_where_no_model_says_how_large_classes_are():
    close = celosia.TCloseness(column="illness", t=0.99)
    people = pl.DataFrame({"age": [*range(40, 60), *[30] * 20], "illness": ["flu", "cold"] * 20})
    asked = {"quasi_identifiers": ["age"], "sensitive": ["illness"], "models": [close]}
    found = celosia.verify(people, **asked)
    assert found.passed
    assert (found.verdict.kind, found.verdict.together[0].columns) == (VerdictKind.AS_DECLARED, ("age",))
    assert celosia.verify(people[20:], **asked).verdict.is_protected


def test_notes_at_the_end_of_a_sorted_table_are_found():
    """Whoever sorts a table by its notes has the empty ones first."""
    notes = [""] * 30_000 + [f"She came with her brother today, call 6{n:08d}" for n in range(2_000)]
    people = pl.DataFrame({"age": [30] * 32_000, "note": notes})
    found = celosia.verify(people, quasi_identifiers=["age"], k=5)
    assert "telephone" in next(one.reason for one in found.verdict.exposed if one.column == "note")
