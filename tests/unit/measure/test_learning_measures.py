"""What measures by models say of a release."""

import json

import numpy as np
import polars as pl
import pytest

from celosia.measure.attacks.attacker import Attacker, Knowledge
from celosia.measure.learning import inference, utility
from celosia.measure.learning.inference import known_columns
from celosia.measure.learning.propensity import propensity, propensity_of
from celosia.measure.learning.scores import paired_difference, variance_factor
from celosia.measure.registry import release_measures
from celosia.measure.release_measure import MeasureCost, MeasuredValue
from celosia.measure.subject import MeasureSubject

NAMES = [
    "model-quality-on-release",
    "model-quality-on-original",
    "model-quality-lost",
    "model-inference",
    "model-inference-balanced",
    "model-inference-auc",
    "model-disclosure",
    "propensity",
    "propensity-ratio",
]


@pytest.fixture(autouse=True)
def few_models(monkeypatch) -> None:
    for module in (utility, inference):
        monkeypatch.setattr(module, "MEASURED_MODELS", ("decision-tree", "logistic-regression"))


def table(rows: int = 200, seed: int = 3) -> pl.DataFrame:
    random = np.random.default_rng(seed)
    age = random.integers(20, 70, rows)
    ill = np.where((age > 45) ^ (random.random(rows) < 0.1), "flu", "none")
    frame = {"id": np.arange(rows), "age": age, "sex": random.choice(["f", "m"], rows), "ill": ill}
    return pl.DataFrame(frame).with_columns(pay=pl.col("age") * 3 + pl.Series(random.integers(0, 9, rows)))


PEOPLE = table()
BLURRED = PEOPLE.with_columns(
    age=pl.format("[{}-{}]", pl.col("age") // 10 * 10, pl.col("age") // 10 * 10 + 9), sex=pl.lit("*")
)


def subject(release: pl.DataFrame = BLURRED, **known) -> MeasureSubject:
    roles = {
        "quasi_identifiers": ["age", "sex"],
        "sensitive": ["ill"],
        "targets": ["ill", "pay"],
        "key": "id",
    }
    return MeasureSubject.of(PEOPLE, release, **roles | known)


def answers(name: str, asked: MeasureSubject) -> tuple[MeasuredValue, ...]:
    return release_measures()[name].answers(asked)


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_is_within_its_range_and_json(name: str) -> None:
    measure = release_measures()[name]
    assert measure.cost is MeasureCost.MODELS
    found = measure.answers(subject())
    assert found
    for one in found:
        assert one.value is not None, one.why_not
        assert measure.low <= one.value <= measure.high
        assert one.interval is None or one.interval[0] <= one.value <= one.interval[1]
        json.dumps(one.details, allow_nan=False)


def test_there_is_an_answer_for_every_target_and_model() -> None:
    found = answers("model-quality-on-original", subject())
    assert [one.about for one in found] == [
        f"{target} by {model}"
        for target in ("ill", "pay")
        for model in ("decision-tree", "logistic-regression")
    ]
    assert [one.details["metric"] for one in found] == ["accuracy", "accuracy", "r2", "r2"]


def test_what_is_lost_is_told_from_noise() -> None:
    asked = [("id", "age", "sex", "ill")]
    same = [answers("model-quality-lost", subject(PEOPLE.select(*asked), targets=["ill"]))]
    assert all(one.value == 0 and one.details["is_noise"] for found in same for one in found)
    hidden = PEOPLE.with_columns(age=pl.lit("*"), sex=pl.lit("*"), pay=pl.lit("*"))
    lost = answers("model-quality-lost", subject(hidden, targets=["ill"]))
    assert all(one.value > 0.2 and not one.details["is_noise"] for one in lost)


def test_one_target_that_cannot_be_learnt_does_not_hide_the_others() -> None:
    found = answers("model-quality-on-release", subject(BLURRED.with_columns(ill=pl.lit("*"))))
    assert [(one.about, one.value is None) for one in found] == [
        ("ill", True),
        ("pay by decision-tree", False),
        ("pay by logistic-regression", False),
    ]


@pytest.mark.parametrize(
    ("name", "known", "why"),
    [
        (
            "model-quality-lost",
            {"targets": []},
            "no target was declared: a column that somebody wants to predict",
        ),
        ("model-inference", {"sensitive": []}, "no sensitive column was declared"),
    ],
)
def test_what_is_not_declared_is_said(name: str, known: dict[str, object], why: str) -> None:
    assert [one.why_not for one in answers(name, subject(**known))] == [why]


def test_the_original_is_needed() -> None:
    alone = MeasureSubject.of(None, BLURRED, quasi_identifiers=["age"], sensitive=["ill"], targets=["ill"])
    for name in NAMES:
        assert {one.why_not for one in answers(name, alone)} == {"the original table was not given"}


def test_models_guess_what_is_sensitive_beyond_the_most_frequent_value() -> None:
    for one in answers("model-inference", subject()):
        assert one.value > 0.2
        assert set(one.details["members"]["classes"]) == {"flu", "none"}


def test_what_is_true_of_everybody_is_no_disclosure() -> None:
    for known in ({"control": table(150, seed=8)}, {}):
        for one in answers("model-disclosure", subject(**known)):
            assert one.details["compared_with"] == ("control" if known else "people left out of the training")
            assert one.details["is_noise"]
            assert abs(one.value) < 0.1


def test_without_anybody_to_compare_with_disclosure_is_not_measured() -> None:
    (one,) = answers("model-disclosure", subject(key=None))
    assert one.why_not.startswith("there is nobody to compare with")


def test_an_attacker_uses_what_she_knows() -> None:
    assert known_columns(subject(), "ill") == ("age", "sex")
    assert known_columns(subject(attacker=Attacker({"pay": Knowledge()})), "ill") == ("pay",)
    assert known_columns(subject(quasi_identifiers=[]), "ill") == ("age", "sex", "pay")


def test_nobody_tells_a_table_from_itself_but_from_a_shifted_one() -> None:
    same, shifted = (
        propensity(MeasureSubject.of(PEOPLE, release, key="id"))
        for release in (PEOPLE, PEOPLE.with_columns(pl.col("age") + 40))
    )
    assert same.pmse < 1e-9
    assert shifted.pmse > 0.2
    assert shifted.ratio > 20


def test_the_expected_propensity_is_that_of_a_table_drawn_from_the_original() -> None:
    random = np.random.default_rng(1)
    found = []
    for _ in range(100):
        features = random.normal(size=(200, 3))
        features = np.column_stack((features, features[:, 0]))  # says nothing new, so that it is no parameter
        drawn = features[random.integers(0, 200, 200)]
        both = np.concatenate((features, drawn))
        found.append(propensity_of(both, np.arange(400) >= 200, np.ones(400)))
    assert {one.parameters for one in found} == {3}
    ratios = np.array([one.ratio for one in found])
    # Three parameters: a chi-squared of 3 degrees over 3, of deviation 0.82; the mean of 100 deviates by 0.08.
    assert abs(ratios.mean() - 1) < 0.25
    assert abs(ratios.std() - found[0].deviation / found[0].expected) < 0.25


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    # Scores that share what they were trained on: each the truth, an error of all of them, and one of its own. As
    # Nadeau and Bengio have it, the correlation is test rows over all rows.
    random, held, runs, folds = np.random.default_rng(2), 0, 400, 10
    for _ in range(runs):
        shared = random.normal(0, np.sqrt(0.1))
        scores = shared + random.normal(0, np.sqrt(0.9), folds)
        factor = variance_factor(folds, 100, 900)
        held += paired_difference(scores.tolist(), [0.0] * folds, [100] * folds, factor=factor).is_noise
    assert 0.92 < held / runs < 0.98
