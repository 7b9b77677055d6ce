"""Risk measures on bad input: what can be computed is, of all else it is said why not."""

import sqlite3
from contextlib import closing

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.measure.registry import release_measures
from celosia.measure.release_measure import MeasuredValue, NotMeasurableError
from celosia.measure.results import measure_subject
from celosia.measure.risk.rows import row_risks
from celosia.measure.subject import MeasureSubject, Population
from celosia.tables import open_table

RELEASE = pl.DataFrame(
    {
        "age": ["[30-39]", "[30-39]", "[40-49]", "[40-49]"],
        "disease": ["flu", "gout", "flu", "flu"],
        "paid": [10, 20, 10, 30],
        "weight": [5.0, 5.0, 10.0, 10.0],
    }
)
BEFORE = RELEASE.with_columns(pl.Series("age", [31, 38, 47, 49]))
BY_COLUMN = [
    *("distinct-l", "entropy-l", "recursive-l", "recursive-c", "t-equal", "t-ordered", "t-hierarchical"),
    *("alpha", "beta-likeness", "delta-disclosure", "skewness", "homogeneity"),
]
OF_POPULATION = [
    *("journalist-highest", "journalist-mean", "journalist-above", "individual-highest", "individual-mean"),
    *("population-uniques-pitman", "population-uniques-zayatz", "population-uniques-negative-binomial"),
]

RISKS = [
    *(
        "k",
        "average-class",
        "uniques",
        "singled-out",
        "prosecutor-highest",
        "prosecutor-mean",
        "prosecutor-above",
    ),
    *("marketer", "k-map", "presence", *BY_COLUMN, *OF_POPULATION),
]


def subject_of(release: pl.DataFrame = RELEASE, **known) -> MeasureSubject:
    known = {"quasi_identifiers": ["age"], "sensitive": ["disease", "paid"]} | known
    return MeasureSubject.of(known.pop("original", BEFORE), release, **known)


def answers(name: str, subject: MeasureSubject) -> tuple[MeasuredValue, ...]:
    return release_measures()[name].answers(subject)


@pytest.mark.parametrize("name", RISKS)
def test_every_answer_lies_in_the_range_of_its_measure(name: str) -> None:
    measure = release_measures()[name]
    for population in (Population(fraction=0.2), Population(table=open_table(BEFORE))):
        for answer in measure.answers(subject_of(population=population)):
            assert (answer.value is None) != (answer.why_not is None)
            if answer.value is not None:
                assert measure.low <= answer.value <= measure.high


@pytest.mark.parametrize("name", RISKS)
@pytest.mark.parametrize(
    "release",
    [RELEASE.clear(), RELEASE.drop("age"), RELEASE.clear().select("weight")],
    ids=["no rows", "no age", "both"],
)
def test_a_release_without_rows_or_quasi_identifiers_has_no_risk_to_measure(
    name: str, release: pl.DataFrame
) -> None:
    for population in (Population(), Population(fraction=0.5), Population(table=open_table(BEFORE))):
        found = answers(name, subject_of(release, population=population))
        assert all(one.value is None and one.why_not for one in found)


@pytest.mark.parametrize("name", BY_COLUMN)
def test_without_a_sensitive_column_nothing_is_disclosed_about_it(name: str) -> None:
    assert answers(name, subject_of(sensitive=[])) == (
        MeasuredValue(None, why_not="no sensitive column was declared"),
    )


@pytest.mark.parametrize("name", BY_COLUMN)
def test_a_sensitive_column_that_is_not_released_is_told_apart(name: str) -> None:
    first, second = answers(name, subject_of(RELEASE.drop("disease")))
    assert (first.about, first.why_not) == ("disease", "the release does not show it")
    assert second.about == "paid"
    assert second.value is not None or second.why_not


def test_missing_values_everywhere_are_one_class_with_one_value() -> None:
    empty = RELEASE.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in ("age", "disease"))
    subject = subject_of(empty, sensitive=["disease"])
    assert answers("k", subject)[0].value == 4
    assert answers("k", subject)[0].details["smallest"] == [{"rows": 4, "labels": {"age": None}}]
    assert answers("homogeneity", subject)[0].value == 1.0
    assert answers("t-equal", subject)[0].value == 0.0
    # Cells are empty that were not: they may be anybody's.
    assert answers("singled-out", subject)[0].value == 0.0


def test_a_class_with_one_value_has_no_recursive_c() -> None:
    subject = subject_of(sensitive=["disease"])
    assert (
        answers("recursive-c", subject)[0].why_not == "a class has only one value, which no c makes diverse"
    )
    assert answers("distinct-l", subject)[0].value == 1
    assert answers("homogeneity", subject)[0].value == 0.5


def test_a_distance_needs_its_order_or_its_hierarchy() -> None:
    disease, paid = answers("t-ordered", subject_of())
    assert disease.why_not == "its values are neither numbers nor dates, so that they have no order"
    assert paid.value == pytest.approx(0.125)
    assert [one.why_not for one in answers("t-hierarchical", subject_of())] == ["it has no hierarchy"] * 2


def test_intervals_have_the_order_of_their_numbers_not_of_their_letters() -> None:
    release = RELEASE.with_columns(pl.Series("paid", ["[100-199]", "[20-99]", "5", "[100-199]"]))
    as_numbers = RELEASE.with_columns(pl.Series("paid", [100, 20, 5, 100]))
    found = [
        answers("t-ordered", subject_of(one, sensitive=["paid"]))[0].value for one in (release, as_numbers)
    ]
    assert found[0] == pytest.approx(found[1])
    unread = RELEASE.with_columns(pl.Series("paid", ["[100-199]", "little", "5", "5"]))
    why = answers("t-ordered", subject_of(unread, sensitive=["paid"]))[0].why_not
    assert why == "the label 'little' is neither a number, a date nor an interval of them"


@pytest.mark.parametrize("name", OF_POPULATION)
def test_nothing_is_estimated_of_a_population_that_nobody_knows(name: str) -> None:
    (found,) = answers(name, subject_of())
    assert found.why_not is not None
    assert "nothing is known about the population" in found.why_not


def test_without_a_population_the_marketer_holds_a_list_of_the_people_released() -> None:
    (found,) = answers("marketer", subject_of())
    assert found.value == 0.5
    assert found.details["against"] == "the people released"


@pytest.mark.parametrize(
    ("population", "why"),
    [
        (Population(weight="disease"), "the weights in 'disease' are not all numbers above 0"),
        (Population(weight="nothing"), "the original has no column 'nothing'"),
        (Population(fraction=1.5), "a release cannot hold 1.5 of the population"),
        (Population(table=open_table(BEFORE.drop("age"))), "the table of the population has no column 'age'"),
        (Population(table=open_table(BEFORE.clear())), "the table of the population has no rows"),
    ],
)
def test_a_population_that_says_nothing_is_told_so(population: Population, why: str) -> None:
    assert answers("journalist-highest", subject_of(population=population))[0].why_not == why


def test_a_class_whose_people_the_population_lacks_has_its_own_rows_at_least() -> None:
    others = open_table(BEFORE.filter(pl.col("age") < 40))
    (found,) = answers("k-map", subject_of(population=Population(table=others)))
    assert found.value == 2
    assert found.details["classes_lacking_in_population"] == 1


def test_the_individual_risk_of_a_counted_population_is_the_journalists() -> None:
    counted = subject_of(population=Population(table=open_table(BEFORE)))
    assert "see the journalist's risk" in (answers("individual-mean", counted)[0].why_not or "")
    assert pl.concat(row_risks(counted))["population_risk"].to_list() == [0.5] * 4


def test_rows_have_no_risk_of_their_own_where_there_are_no_classes() -> None:
    with pytest.raises(NotMeasurableError, match="shows no quasi-identifier"):
        row_risks(subject_of(RELEASE.drop("age")))


def test_a_column_of_the_release_is_not_taken_for_a_risk() -> None:
    with pytest.raises(ProjectError, match="rename it"):
        row_risks(subject_of(RELEASE.with_columns(row_risk=0)))


def test_the_risk_of_rows_takes_texts_that_mean_missing_for_missing(tmp_path) -> None:
    file = tmp_path / "release.csv"
    file.write_text("age,job\n?,cook\n3*,cook\nNA,nurse\n")
    found = pl.concat(row_risks(MeasureSubject.of(None, file, quasi_identifiers=["age"])))
    assert found["class_rows"].to_list() == [2, 1, 2]


def test_what_is_told_of_the_original_names_none_of_its_values() -> None:
    found = measure_subject(subject_of(), [release_measures()[name] for name in ("k", "alpha")])
    assert all(not one.details for name in ("k", "alpha") for one in found[name].before)
    assert found["k"].answers[0].details["smallest"]


def test_measures_by_column_of_a_hierarchy_that_lacks_a_value_say_which() -> None:
    from celosia.hierarchies import Hierarchy

    partial = {"disease": Hierarchy.from_rows("disease", [("flu", "*")])}
    (found,) = answers("t-hierarchical", subject_of(sensitive=["disease"], hierarchies=partial))
    assert found.why_not is not None
    assert "'gout'" in found.why_not


def test_a_release_in_a_file_or_a_database_risks_what_it_does_in_memory(tmp_path) -> None:
    frame = RELEASE.with_columns(pl.Series("age", ["3*", None, "4*", "3*"]))
    file, base = tmp_path / "release.csv", tmp_path / "release.db"
    frame.write_csv(file)
    with closing(sqlite3.connect(base)) as connection, connection:
        connection.execute("create table release (age text, disease text, paid integer, weight real)")
        connection.executemany("insert into release values (?, ?, ?, ?)", frame.rows())
    known = {"original": None, "population": Population(weight="weight")}
    expected = {name: answers(name, subject_of(frame, **known)) for name in RISKS}
    for place in (file, open_table(f"sqlite:///{base}", table="release")):
        subject = subject_of(place, **known)
        assert {name: answers(name, subject) for name in RISKS} == expected
        assert sorted(pl.concat(row_risks(subject))["class_rows"].to_list()) == [1, 1, 2, 2]
