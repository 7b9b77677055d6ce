"""Rules and the columns outside the promise: free text and what singles people out is never met."""

import polars as pl
import pytest

from celosia.measure.release_measure import MeasuredValue
from celosia.measure.rules import check_rules
from celosia.measure.subject import MeasureSubject

GOOD = {"k": [MeasuredValue(20)], "uniques": [MeasuredValue(0)], "linkage": [MeasuredValue(0.0)]}
SAFE = pl.DataFrame({"age": ["[30-39]", "[40-49]"] * 20, "grade": ["a", "a", "b", "b"] * 10})
NOTES = [f"She came with her brother Luis Gómez today, call 6123456{n}" for n in range(10, 50)]


def outcomes(release: pl.DataFrame, name: str, **known: object) -> dict[str, str]:
    subject = MeasureSubject.of(None, release, quasi_identifiers=["age"], **known)
    (result,) = check_rules(subject, GOOD, names=[name])
    return {one.rule: one.outcome.value for one in result.findings}


def test_nobody_singled_out_meets_the_rule() -> None:
    assert outcomes(SAFE, "gdpr")["singling-out"] == "met"


def test_a_column_by_which_people_are_alone_does_not_meet_it() -> None:
    release = SAFE.with_columns(cost=pl.Series(range(40)))
    assert outcomes(release, "gdpr")["singling-out"] == "not met"


def test_an_accepted_column_is_for_a_person_to_judge() -> None:
    release = SAFE.with_columns(cost=pl.Series(range(40)))
    assert outcomes(release, "gdpr", accepted=["cost"])["singling-out"] == "needs a person"


@pytest.mark.parametrize("rule", ["names", "telephones"])
def test_what_is_found_inside_free_text_breaks_a_rule(rule: str) -> None:
    release = SAFE.with_columns(note=pl.Series(NOTES))
    assert outcomes(release, "hipaa")[rule] == "not met"


def test_free_text_is_never_met_even_if_nothing_is_found_inside() -> None:
    plain = [f"it was found that the {n} was not as it had been said before" for n in range(40)]
    found = outcomes(SAFE.with_columns(note=pl.Series(plain)), "hipaa")
    words = [name for name in found if name not in ("biometrics", "photographs")]
    assert all(found[name] != "met" for name in words)


def test_free_text_keeps_a_release_from_being_without_identifiers() -> None:
    release = SAFE.with_columns(diagnosis=pl.Series(NOTES))
    assert outcomes(release, "gdpr")["identifiers"] == "not met"
