"""Special uniques: the measures, worked through by hand."""

import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.measure.registry import choose_measures
from celosia.measure.release_measure import MeasuredValue, NotMeasurableError
from celosia.measure.risk.suda import Suda, dis_scores, sets_of, suda
from celosia.measure.subject import MeasureSubject, Population
from celosia.tables import open_table

# Ana alone has the job "judge": a unique of one column, worth (3 - 1)! = 2, and no larger set is minimal for her.
# Berta is told by (sex, town), nobody else being a woman of B, and by (town, job): worth 1 each.
# Carla and Dora are alike. Each of the men has a twin.
PEOPLE = pl.DataFrame(
    [
        ("f", "A", "judge"),
        ("f", "B", "nurse"),
        ("f", "A", "nurse"),
        ("f", "A", "nurse"),
        ("m", "A", "cook"),
        ("m", "A", "cook"),
        ("m", "B", "cook"),
        ("m", "B", "cook"),
    ],
    schema=["sex", "town", "job"],
    orient="row",
)
COLUMNS = PEOPLE.columns


def subject(release: pl.DataFrame = PEOPLE, **known: object) -> MeasureSubject:
    return MeasureSubject.of(known.pop("original", None), release, quasi_identifiers=release.columns, **known)


def answers(measured: MeasureSubject, name: str) -> tuple[MeasuredValue, ...]:
    (measure,) = choose_measures([name])
    return measure.answers(measured)


def found_in(frame: pl.DataFrame, **options: int) -> Suda:
    return suda(open_table(frame).count_by(frame.columns), **options)


def test_scores_of_a_table_worked_through_by_hand() -> None:
    found = found_in(PEOPLE)
    assert sorted(found.scores) == [0, 0, 0, 2, 2]  # five combinations
    assert found.special == 2
    assert found.found.sum(axis=0).tolist() == [0, 1, 2, 0]
    # 4 in all: 2 by job alone, 1 by sex and town, 1 by town and job
    assert found.contributions.tolist() == [0.25, 0.5, 0.75]


def test_a_largest_size_leaves_larger_uniques_out() -> None:
    found = found_in(PEOPLE, largest=1)
    assert (found.special, found.alone_scores.sum()) == (1, 2.0)


def test_the_measures_of_that_table() -> None:
    measured = subject(population=Population(fraction=0.1))
    (special,) = answers(measured, "suda-uniques")
    assert special.value == 2 / 8
    assert [one["uniques"] for one in special.details["by size"]] == [1, 2, 0]
    assert [one["rows whose smallest it is"] for one in special.details["by size"]] == [1, 1, 0]
    assert [answers(measured, name)[0].value for name in ("suda-score", "suda-score-highest")] == [0.5, 2.0]
    assert {one.about: one.value for one in answers(measured, "suda-contribution")} == {
        "sex": 0.25,
        "town": 0.5,
        "job": 0.75,
    }
    # Two uniques, three pairs: 2 x 0.1 / (2 x 0.1 + 6 x 0.9) = 1 / 28, and both rows have the same score.
    assert answers(measured, "dis-suda-highest")[0].value == pytest.approx(1 / 28)
    assert answers(measured, "dis-suda")[0].value == pytest.approx(2 / 28 / 8)


def test_details_show_no_value_of_the_table() -> None:
    shown = str([answers(subject(), name) for name in ("suda-uniques", "suda-contribution")])
    assert not any(value in shown for value in ("judge", "nurse", "cook"))


def test_a_missing_value_is_a_value_like_any_other() -> None:
    found = found_in(pl.DataFrame({"sex": ["f", "f", None], "town": ["A", "A", "A"]}))
    assert found.special == 1
    assert found.alone_scores.tolist() == [1.0]


def test_a_row_alone_in_the_table_is_told_by_every_column() -> None:
    found = found_in(PEOPLE.head(1))
    assert found.found[0].tolist() == [0, 3, 0, 0]
    assert found.scores.tolist() == [6.0]


def test_rows_that_all_have_a_twin_have_no_score() -> None:
    measured = subject(pl.concat([PEOPLE, PEOPLE]), population=Population(fraction=0.1))
    names = ("suda-uniques", "suda-score", "suda-score-highest", "dis-suda", "dis-suda-highest")
    assert [answers(measured, name)[0].value for name in names] == [0, 0, 0, 0, 0]
    assert answers(measured, "suda-contribution")[0].why_not == "no row has a minimal sample unique"


def test_without_a_fraction_of_the_population_there_is_no_dis_score() -> None:
    assert "fraction of the population" in str(answers(subject(), "dis-suda")[0].why_not)


def test_the_fraction_may_come_from_weights_or_from_the_population_itself() -> None:
    weighted = PEOPLE.with_columns(pl.lit(10).alias("weight"))
    everybody = open_table(pl.concat([PEOPLE] * 10))
    by_weight = subject(original=weighted, population=Population(weight="weight"))
    by_table = subject(population=Population(table=everybody))
    for measured in (by_weight, by_table):
        assert answers(measured, "dis-suda-highest")[0].value == pytest.approx(1 / 28)
    few = subject(population=Population(table=open_table(PEOPLE.head(3))))
    assert answers(few, "dis-suda")[0].why_not == "the population declared is smaller than the release"


@pytest.mark.parametrize("fraction", [0.0, 1.5])
def test_a_fraction_that_cannot_be_is_refused(fraction: float) -> None:
    with pytest.raises(ProjectError, match="give one above 0"):
        dis_scores(found_in(PEOPLE), fraction=fraction)


def test_a_table_that_is_its_own_population_betrays_every_unique() -> None:
    assert dis_scores(found_in(PEOPLE), fraction=1.0).max() == 1.0


def test_too_many_sets_of_columns_are_refused_and_the_measures_look_at_smaller_ones() -> None:
    wide = pl.DataFrame({f"c{place}": [place % 2, 1, 2, 2] for place in range(30)})
    with pytest.raises(ProjectError, match="30 columns have too many sets of up to 30"):
        found_in(wide)
    (special,) = answers(subject(wide), "suda-uniques")
    assert special.details["largest size looked at"] == 3
    assert special.value == 0.5
    assert found_in(wide, largest=2).found[:, 1].tolist() == [15, 15]  # the odd columns are 1 in both rows
    with pytest.raises(NotMeasurableError, match="fewer than 28 columns"):
        dis_scores(found_in(wide, largest=1), fraction=0.1)


@pytest.mark.parametrize(
    ("measured", "why"),
    [
        (MeasureSubject.of(None, PEOPLE), "the release shows no quasi-identifier"),
        (subject(PEOPLE.head(0)), "the release has no rows"),
    ],
)
def test_what_cannot_be_measured_says_why(measured: MeasureSubject, why: str) -> None:
    assert answers(measured, "suda-uniques")[0].why_not == why


def test_no_size_below_one() -> None:
    with pytest.raises(ProjectError, match="largest size of 1 or more"):
        found_in(PEOPLE, largest=0)
    assert sets_of(8, 8) == 255
