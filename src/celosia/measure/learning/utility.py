"""What a release is still good for: models trained on it, beside the same models trained on the original."""

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Any

from celosia.machine import usable_cores
from celosia.measure.learning.evaluation import (
    ModelEvaluation,
    compare_evaluations,
    evaluate_models,
    find_evaluation,
)
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURED_MODELS", "MEASURES", "main_values", "targets_of"]

MEASURED_MODELS = ("decision-tree", "random-forest", "logistic-regression", "gradient-boosting")
"""The models that measures train, with the parameters that these have unless given."""

HELD_OUT = ("original", "control", "seen")
"""Whom a model trained on the release is asked about, the best that there is first."""


def targets_of(subject: MeasureSubject) -> tuple[str, ...]:
    """The columns that somebody wants to predict."""
    if not subject.targets:
        raise NotMeasurableError(say("no target was declared: a column that somebody wants to predict"))
    return subject.targets


def main_values(evaluation: ModelEvaluation) -> dict[str, object]:
    """The metrics of an evaluation without those of single folds, as details take them."""

    def plain(scores: Any) -> dict[str, object]:
        return {name: {"value": score.value, "interval": score.interval} for name, score in scores.items()}

    return {
        "trained_on": evaluation.trained_on,
        "tested_on": evaluation.tested_on,
        "rows": sum(evaluation.tested_rows) // evaluation.repeats,
        "metrics": plain(evaluation.scores),
        "classes": {name: plain(scores) for name, scores in evaluation.classes.items()},
    }


def _by_target(
    answer: Callable[[tuple[ModelEvaluation, ...]], MeasuredValue],
) -> Callable[[MeasureSubject], Iterable[MeasuredValue]]:
    """A measure that answers for every target and model, or says why it cannot for a target."""

    def compute(subject: MeasureSubject) -> Iterator[MeasuredValue]:
        for target in targets_of(subject):
            try:
                for model in MEASURED_MODELS:
                    yield answer(evaluate_models(subject, [model], [target], jobs=usable_cores()))
            except NotMeasurableError as reason:
                yield MeasuredValue(None, about=target, why_not=reason.why)

    return compute


def _asked_about_people(evaluations: tuple[ModelEvaluation, ...], trained_on: str) -> ModelEvaluation:
    """The evaluation by the people who are held out, where that can be."""
    asked = (find_evaluation(evaluations, trained_on, tested_on) for tested_on in HELD_OUT)
    # Trained on the original, a model is always tested on its own folds too; the people asked about are those that
    # the model of the release was asked about.
    of_release = next(
        evaluation
        for evaluation in (find_evaluation(evaluations, "release", name) for name in HELD_OUT)
        if evaluation
    )
    return next(
        evaluation
        for evaluation in asked
        if evaluation is not None and evaluation.tested_on == of_release.tested_on
    )


def _measured(evaluation: ModelEvaluation) -> MeasuredValue:
    details = {
        "target": evaluation.target,
        "model": evaluation.model,
        "metric": "accuracy" if evaluation.task == "classification" else "r2",
        **main_values(evaluation),
        "notes": list(evaluation.notes),
    }
    score = evaluation.main
    return MeasuredValue(
        score.value,
        interval=score.interval,
        about=say("{target} by {model}", target=evaluation.target, model=evaluation.model),
        details=details,
    )


def _on_release(evaluations: tuple[ModelEvaluation, ...]) -> MeasuredValue:
    evaluation = find_evaluation(evaluations, "release", "release")
    assert evaluation is not None
    return _measured(evaluation)


def _on_original(evaluations: tuple[ModelEvaluation, ...]) -> MeasuredValue:
    return _measured(_asked_about_people(evaluations, "release"))


def _lost(evaluations: tuple[ModelEvaluation, ...]) -> MeasuredValue:
    after, before = (_asked_about_people(evaluations, trained_on) for trained_on in ("release", "original"))
    difference = compare_evaluations(before, after)
    details = {
        "target": after.target,
        "model": after.model,
        "metric": "accuracy" if after.task == "classification" else "r2",
        "is_noise": difference.is_noise,
        "p_value": difference.p_value,
        "tested_on": after.tested_on,
        "before": before.main.value,
        "after": after.main.value,
        "notes": list(after.notes),
    }
    return MeasuredValue(
        difference.value,
        interval=difference.interval,
        about=say("{target} by {model}", target=after.target, model=after.model),
        details=details,
    )


_CROSS_VALIDATION = "Nadeau and Bengio, Inference for the generalization error, Machine Learning 52, 2003"

MEASURES = (
    ReleaseMeasure(
        name="model-quality-on-release",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "accuracy (R2 for numbers) of models trained on the release, on rows of it that they have not seen"
        ),
        reference=_CROSS_VALIDATION,
        better="higher",
        low=-inf,
        cost=MeasureCost.MODELS,
        compute=_by_target(_on_release),
    ),
    ReleaseMeasure(
        name="model-quality-on-original",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "accuracy (R2 for numbers) of models trained on the release, on people as the original has them"
        ),
        reference=_CROSS_VALIDATION,
        better="higher",
        low=-inf,
        cost=MeasureCost.MODELS,
        compute=_by_target(_on_original),
    ),
    ReleaseMeasure(
        name="model-quality-lost",
        family=MeasureFamily.UTILITY,
        meaning=say(
            "how much better the same models predict when they are trained on the original; noise if it says so"
        ),
        reference=_CROSS_VALIDATION,
        better="lower",
        low=-inf,
        high=inf,
        cost=MeasureCost.MODELS,
        compute=_by_target(_lost),
    ),
)
