"""Models trained on releases whose worth is known."""

import json
import sys

import numpy as np
import polars as pl
import pytest

from celosia.errors import ProjectError
from celosia.hierarchies import Hierarchy
from celosia.measure.learning import compare_evaluations, evaluate_models, find_evaluation, make_model, people
from celosia.measure.learning.evaluation import ModelEvaluation
from celosia.measure.release_measure import NotMeasurableError
from celosia.measure.subject import MeasureSubject

TREE = make_model("decision-tree", depth=3)
FOREST = make_model("random-forest", trees=4)
BOOSTING = make_model("gradient-boosting", trees=4)
ALL = [TREE, FOREST, BOOSTING, make_model("logistic-regression"), make_model("majority")]


def table(rows: int = 240, seed: int = 3) -> pl.DataFrame:
    """People whose job follows from their age but for some noise, and whose pay follows from both."""
    random = np.random.default_rng(seed)
    age = random.integers(20, 70, rows)
    is_cook = (age > 45) ^ (random.random(rows) < 0.1)
    pay = age * 10.0 + is_cook * 50 + random.normal(0, 5, rows)
    sex = random.choice(["f", "m"], rows)
    return pl.DataFrame(
        {"id": np.arange(rows), "age": age, "sex": sex, "job": np.where(is_cook, "cook", "nurse"), "pay": pay}
    )


PEOPLE = table()
HIDDEN = PEOPLE.with_columns(age=pl.lit("*"), sex=pl.lit("*"), pay=pl.lit("*"))


def evaluated(release: pl.DataFrame, models=(TREE,), target: str = "job", *, folds: int = 3, **known):
    subject = MeasureSubject.of(PEOPLE, release, targets=[target], **{"key": "id"} | known)
    return evaluate_models(subject, models, folds=folds)


def found(evaluations: tuple[ModelEvaluation, ...], trained_on: str, tested_on: str) -> ModelEvaluation:
    one = find_evaluation(evaluations, trained_on, tested_on)
    assert one is not None
    return one


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.name)
@pytest.mark.parametrize("target", ["job", "pay"])
@pytest.mark.parametrize("known", [{"key": "id"}, {"key": None, "same_order": True}, {"key": None}])
def test_a_release_of_the_original_itself_loses_nothing(model, target, known) -> None:
    if known == {"key": None}:
        columns = ["age", "sex", "job", "pay"]
        subject = MeasureSubject.of(PEOPLE.select(columns), PEOPLE.select(columns), targets=[target])
        evaluations, held_out = evaluate_models(subject, [model], folds=3), "seen"
    else:
        evaluations, held_out = evaluated(PEOPLE, [model], target, **known), "original"
    difference = compare_evaluations(
        found(evaluations, "original", held_out), found(evaluations, "release", held_out)
    )
    assert difference.value == 0
    assert difference.is_noise


def test_models_learn_what_there_is_to_learn() -> None:
    evaluations = evaluated(
        PEOPLE.with_columns(age=pl.format("[{}-{}]", pl.col("age"), pl.col("age") + 1)), ALL
    )
    by_model = {
        one.model: one.scores
        for one in evaluations
        if (one.trained_on, one.tested_on) == ("release", "original")
    }
    assert by_model["majority"]["advantage"].value == 0
    assert all(scores["advantage"].value > 0.2 for name, scores in by_model.items() if name != "majority")
    assert all(scores["auc"].value > 0.8 for name, scores in by_model.items() if name != "majority")


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.name)
def test_where_everything_is_hidden_models_say_what_is_most_frequent(model) -> None:
    for tested_on in ("release", "original"):
        one = found(evaluated(HIDDEN, [model]), "release", tested_on)
        assert one.scores["advantage"].value == pytest.approx(0, abs=1e-12)
        assert one.scores["balanced_accuracy"].value == 0.5


def test_a_shuffled_target_cannot_be_predicted() -> None:
    shuffled = PEOPLE.with_columns(job=pl.col("job").shuffle(seed=1), pay=pl.lit("*"))
    one = found(evaluated(shuffled, [make_model("decision-tree", leaf=0.2)]), "release", "original")
    assert abs(one.scores["advantage"].value) < 0.15
    assert abs(one.scores["auc"].value - 0.5) < 0.15


def test_numbers_are_predicted_from_intervals() -> None:
    release = PEOPLE.with_columns(
        pl.format("[{}-{}]", pl.col(name) // 5 * 5, pl.col(name) // 5 * 5 + 4) for name in ("age", "pay")
    )
    one = found(evaluated(release, target="pay"), "release", "original")
    assert one.task == "regression"
    assert one.main.value > 0.9
    assert set(one.scores) == {"r2", "mean_absolute_error", "root_mean_squared_error"}


def test_people_who_were_suppressed_are_still_asked_about() -> None:
    kept = PEOPLE.filter(pl.col("age") > 25)
    one = found(evaluated(kept), "release", "original")
    assert sum(one.tested_rows) == len(PEOPLE)
    assert one.trained_rows == pytest.approx(len(kept) * 2 / 3, abs=2)


def test_a_control_group_is_asked_where_rows_are_not_aligned() -> None:
    columns = ["age", "sex", "job", "pay"]
    subject = MeasureSubject.of(
        PEOPLE.select(columns), PEOPLE.select(columns), targets=["job"], control=table(90, seed=9)
    )
    evaluations = evaluate_models(subject, [TREE], folds=3)
    asked = {(one.trained_on, one.tested_on) for one in evaluations}
    assert {("release", "control"), ("original", "control"), ("whole release", "control")} <= asked
    assert ("release", "seen") not in asked
    assert evaluations[0].notes == ()


def test_without_control_or_alignment_it_is_said_who_is_asked() -> None:
    columns = ["age", "sex", "job", "pay"]
    subject = MeasureSubject.of(PEOPLE.select(columns), PEOPLE.select(columns), targets=["job"])
    (note,) = evaluate_models(subject, [TREE], folds=3)[0].notes
    assert note.endswith("models are asked about people in the release")


def test_a_tree_that_learns_rows_by_heart_knows_members_better() -> None:
    noise = PEOPLE.with_columns(job=pl.col("job").shuffle(seed=1))
    subject = MeasureSubject.of(noise, noise, targets=["job"], key="id")
    evaluations = evaluate_models(subject, [make_model("decision-tree", leaf=0)], folds=3)
    members, others = (
        found(evaluations, "whole release", "members"),
        found(evaluations, "release", "original"),
    )
    assert members.main.value == 1.0
    difference = compare_evaluations(members, others)
    assert difference.value > 0.3
    assert not difference.is_noise


def test_the_seed_decides_and_jobs_do_not() -> None:
    def scores(seed: int, jobs: int = 1) -> list[object]:
        subject = MeasureSubject.of(
            PEOPLE, HIDDEN.with_columns(PEOPLE["pay"]), targets=["job"], key="id", seed=seed
        )
        answers = evaluate_models(subject, [FOREST, BOOSTING], folds=2, repeats=2, jobs=jobs)
        return [one.as_json() for one in answers]

    first = scores(5)
    assert first == scores(5, jobs=3)
    assert first != scores(6)
    assert len(first[0]["tested_rows"]) == 4
    json.dumps(first, allow_nan=False)


def test_what_was_asked_once_is_not_trained_again(monkeypatch) -> None:
    subject = MeasureSubject.of(PEOPLE, PEOPLE, targets=["job"], key="id")
    first = evaluate_models(subject, [TREE], folds=2)
    monkeypatch.setattr("celosia.measure.learning.evaluation.train_model", None)
    assert evaluate_models(subject, [TREE], folds=2) == first


def test_progress_is_told() -> None:
    told: list[float] = []
    subject = MeasureSubject.of(
        PEOPLE, PEOPLE, targets=["job"], key="id", progress=lambda stage, share: told.append(share)
    )
    evaluate_models(subject, [TREE], folds=2)
    assert told == sorted(told)
    assert (told[0], told[-1]) == (0.0, 1.0)


def test_scaling_changes_what_a_penalty_does() -> None:
    models = [make_model("logistic-regression", scale=scale, penalty=100.0) for scale in (True, False)]
    values = {
        found(evaluated(PEOPLE.drop("sex"), [model]), "release", "release").scores["auc"].folds
        for model in models
    }
    assert len(values) == 2


def test_of_very_many_rows_some_are_drawn(monkeypatch) -> None:
    monkeypatch.setattr(people, "MOST_ROWS", 100)
    for known in ({"key": "id"}, {"key": None}):
        one = found(evaluated(PEOPLE, **known), "release", "release")
        assert sum(one.tested_rows) == 100
        assert any("100 drawn at random" in note for note in one.notes)


@pytest.mark.parametrize(
    ("release", "why"),
    [
        (PEOPLE.with_columns(job=pl.lit("*")), "no row of the release shows a single value of 'job'"),
        (PEOPLE.with_columns(job=pl.lit("cook")), "all rows of the release have the same value of 'job'"),
        (PEOPLE.drop("job"), "the release has no column 'job'"),
        (
            PEOPLE.with_columns(
                job=pl.when(pl.col("id") < 2).then(pl.lit("nurse")).otherwise(pl.lit("cook"))
            ),
            "the release has only 2 rows with one of the values of 'job', fewer than the 3 folds: give fewer folds, "
            "or pool rare values",
        ),
        (
            PEOPLE.with_columns(id=-1 - pl.col("id")),
            "no value of 'id' is in both tables: their rows cannot be aligned",
        ),
        (PEOPLE.select("id", "job"), "there is no column from which 'job' could be predicted"),
    ],
)
def test_what_cannot_be_learnt_is_said(release: pl.DataFrame, why: str) -> None:
    with pytest.raises(NotMeasurableError) as told:
        evaluated(release)
    assert str(told.value) == why


def test_tables_of_different_length_are_not_row_by_row_the_same() -> None:
    with pytest.raises(NotMeasurableError, match="240 and 239 rows"):
        evaluated(PEOPLE.head(239), key=None, same_order=True)


def test_missing_values_are_no_obstacle() -> None:
    holes = [pl.when(pl.col("id") % 7 == place).then(None).otherwise(pl.col(name)).alias(name)
             for place, name in enumerate(["age", "sex", "job", "pay"])]  # fmt: skip
    gappy = PEOPLE.with_columns(holes)
    subject = MeasureSubject.of(
        gappy, gappy.with_columns(sex=pl.lit(None, pl.String)), targets=["job"], key="id"
    )
    one = found(evaluate_models(subject, ALL, folds=2), "release", "original")
    assert one.main.value > 0.7
    assert any("rows of the release show no single value of the target" in note for note in one.notes)


def test_fewer_than_two_folds_are_a_mistake() -> None:
    with pytest.raises(ProjectError, match="2 folds or more"):
        evaluated(PEOPLE, folds=1)


def test_what_to_install_is_said(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(NotMeasurableError, match=r'pip install "celosia\[learning\]"'):
        evaluated(PEOPLE)


@pytest.mark.parametrize("model", [TREE, FOREST, BOOSTING], ids=lambda model: model.name)
def test_people_are_looked_up_by_the_labels_that_the_release_shows_of_them(model) -> None:
    cities = ["Soria", "León", "Burgos", "Lugo", "Vigo", "Orense"] * 20
    region = ["Castilla" if city in cities[:3] else "Galicia" for city in cities]
    jobs = pl.Series("job", ["cook" if one == "Castilla" else "nurse" for one in region])
    rows = [(city, one, "*") for city, one in zip(cities[:6], region[:6], strict=True)]
    subject = MeasureSubject.of(
        pl.DataFrame({"city": cities, "job": jobs}),
        pl.DataFrame({"city": region, "job": jobs}),
        targets=["job"],
        hierarchies={"city": Hierarchy.from_rows("city", rows)},
        same_order=True,
    )
    evaluations = evaluate_models(subject, [model], folds=3)
    for trained_on, tested_on in (("whole release", "members"), ("release", "original")):
        assert found(evaluations, trained_on, tested_on).main.value == 1.0
