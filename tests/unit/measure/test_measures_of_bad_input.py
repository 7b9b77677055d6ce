"""Tables and wishes that a measure cannot do much with: it says why, and the others are computed."""

import warnings

import polars as pl
import pytest

from celosia import measure_release
from celosia.errors import ProjectError
from celosia.measure.learning import evaluate_models, make_model
from celosia.measure.registry import release_measures
from celosia.measure.subject import MeasureSubject

PEOPLE = pl.DataFrame({"age": [31, 38, 47, 52] * 5, "job": ["cook", "nurse", "cook", "smith"] * 5})


def answers(subject: MeasureSubject, name: str):
    return release_measures()[name].answers(subject)


def test_tables_without_rows_and_without_numbers_have_no_propensity_score_or_one() -> None:
    for original, release in ((PEOPLE.clear(), PEOPLE), (PEOPLE, PEOPLE.clear())):
        (found,) = answers(MeasureSubject.of(original, release), "propensity")
        assert found.why_not == "a table without rows cannot be told from another"
    jobs = PEOPLE.select("job")
    assert answers(MeasureSubject.of(jobs, jobs), "propensity")[0].value == pytest.approx(0, abs=1e-9)
    missing = PEOPLE.with_columns(pl.lit(None, pl.String).alias("age"), pl.lit(None, pl.String).alias("job"))
    (found,) = answers(MeasureSubject.of(missing, missing), "propensity")
    assert found.why_not == "all rows of both tables are the same"


def test_a_column_that_makes_classes_and_is_sensitive_too_has_one_value_in_each() -> None:
    subject = MeasureSubject.of(PEOPLE, PEOPLE, quasi_identifiers=["age", "job"], sensitive=["job"])
    assert [one.value for one in answers(subject, "distinct-l")] == [1]
    assert [one.value for one in answers(subject, "homogeneity")] == [1]
    assert [one.value for one in answers(subject, "k")] == [5]


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ({"attacker": {"people": 0}}, "attacker.people: it should be greater than 0, not 0"),
        ({"attacker": {"knows": {"age": {"within": -1}}}}, "attacker.knows.age.within: it should be"),
        ({"population": {"fraction": 2}}, "population.fraction: it should be"),
        ({"seed": -1}, "seed: it should be greater than or equal to 0, not -1"),
    ],
)
def test_wishes_that_make_no_sense_are_refused_by_the_name_of_their_field(wish, said) -> None:
    with pytest.raises(ProjectError) as refused:
        measure_release(PEOPLE, PEOPLE, quasi_identifiers=["age"], measures=["k"], **wish)
    assert str(refused.value).startswith(said)


def test_models_trained_side_by_side_leave_the_filters_of_warnings_as_they_were() -> None:
    subject = MeasureSubject.of(PEOPLE, PEOPLE, targets=["job"])
    evaluate_models(subject, ["majority"], folds=2)  # imports add filters of their own
    before = list(warnings.filters), warnings.showwarning
    evaluate_models(subject, [make_model("random-forest", trees=50)], folds=5, jobs=2)
    assert (list(warnings.filters), warnings.showwarning) == before


def test_a_control_group_without_a_column_hinders_only_attacks_that_compare_with_it() -> None:
    subject = MeasureSubject.of(
        PEOPLE, PEOPLE, quasi_identifiers=["age"], sensitive=["job"], control=PEOPLE.select("job")
    )
    assert answers(subject, "linkage-expected")[0].value == pytest.approx(0.2)
    assert answers(subject, "inference")[0].why_not == "the control has no column 'age'"
