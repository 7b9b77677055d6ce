"""Inference with models: an attacker trains on the whole release what is sensitive, and asks about people she knows.

What the models say of people who are not in the release is what anybody could learn from such a table about anybody;
only what they say better of its own people is disclosed by it.
"""

from collections.abc import Callable, Iterable, Iterator

from celosia.machine import usable_cores
from celosia.measure.learning.evaluation import (
    WHOLE,
    ModelEvaluation,
    compare_evaluations,
    evaluate_models,
    find_evaluation,
)
from celosia.measure.learning.utility import MEASURED_MODELS, main_values
from celosia.measure.release_measure import (
    MeasureCost,
    MeasuredValue,
    MeasureFamily,
    NotMeasurableError,
    ReleaseMeasure,
)
from celosia.measure.subject import MeasureSubject
from celosia.say import say

__all__ = ["MEASURES", "known_columns"]


def known_columns(subject: MeasureSubject, target: str) -> tuple[str, ...]:
    """What the attacker knows of people: as declared, else the quasi-identifiers, else all but what is sensitive."""
    shared = [name for name in subject.shared_columns if name != target]
    for known in (tuple(subject.attacker.knows), subject.quasi_identifiers):
        present = tuple(name for name in known if name in shared)
        if present:
            return present
    present = tuple(name for name in shared if name not in subject.sensitive)
    if not present:
        raise NotMeasurableError(say("the release shows no column that an attacker knows"))
    return present


def _attack(
    answer: Callable[[ModelEvaluation, ModelEvaluation | None], MeasuredValue],
) -> Callable[[MeasureSubject], Iterable[MeasuredValue]]:
    def compute(subject: MeasureSubject) -> Iterator[MeasuredValue]:
        if not subject.sensitive:
            raise NotMeasurableError(say("no sensitive column was declared"))
        for column in subject.sensitive:
            try:
                for model in MEASURED_MODELS:
                    yield answer(*_attacked(subject, column, model))
            except NotMeasurableError as reason:
                yield MeasuredValue(None, about=column, why_not=reason.why)

    return compute


def _attacked(
    subject: MeasureSubject, column: str, model: str
) -> tuple[ModelEvaluation, ModelEvaluation | None]:
    """The attack on people of the release, and on others: the control group, or people left out where rows align."""
    if column not in subject.release.columns():
        raise NotMeasurableError(say("the release has no column {column!r}", column=column))
    evaluations = evaluate_models(
        subject,
        [model],
        [column],
        predictors=known_columns(subject, column),
        jobs=usable_cores(),
        against_original=False,
    )
    members = find_evaluation(evaluations, WHOLE, "members")
    assert members is not None
    others = find_evaluation(evaluations, WHOLE, "control") or find_evaluation(
        evaluations, "release", "original"
    )
    return members, others


def _reported(
    metric: str, for_numbers: str = "r2"
) -> Callable[[ModelEvaluation, ModelEvaluation | None], MeasuredValue]:
    """The attack on members by one metric, with everything else in the details."""

    def answer(members: ModelEvaluation, others: ModelEvaluation | None) -> MeasuredValue:
        name = metric if members.task == "classification" else for_numbers
        if name not in members.scores:
            raise NotMeasurableError(say("{target!r} is a number and has no classes", target=members.target))
        score = members.scores[name]
        details = {
            "target": members.target,
            "model": members.model,
            "metric": name,
            "members": main_values(members),
            "others": None if others is None else main_values(others),
            "notes": list(members.notes),
        }
        about = say("{target} by {model}", target=members.target, model=members.model)
        return MeasuredValue(score.value, interval=score.interval, about=about, details=details)

    return answer


def _disclosed(members: ModelEvaluation, others: ModelEvaluation | None) -> MeasuredValue:
    if others is None:
        raise NotMeasurableError(
            say(
                "there is nobody to compare with: no control group was given, and the rows of the "
                "tables are not aligned"
            )
        )
    difference = compare_evaluations(members, others)
    details = {
        "target": members.target,
        "model": members.model,
        "metric": "accuracy" if members.task == "classification" else "r2",
        "compared_with": "control"
        if others.tested_on == "control"
        else say("people left out of the training"),
        "is_noise": difference.is_noise,
        "p_value": difference.p_value,
        "members": members.main.value,
        "others": others.main.value,
        "notes": list(members.notes),
    }
    about = say("{target} by {model}", target=members.target, model=members.model)
    return MeasuredValue(difference.value, interval=difference.interval, about=about, details=details)


_REFERENCE = "Kifer, Attacks on privacy and deFinetti's theorem, SIGMOD 2009"

MEASURES = (
    ReleaseMeasure(
        name="model-inference",
        family=MeasureFamily.ATTACK,
        meaning=say(
            "accuracy beyond the most frequent value (R2 for numbers) of models that guess what is sensitive"
        ),
        reference=_REFERENCE,
        better="lower",
        low=float("-inf"),
        cost=MeasureCost.MODELS,
        compute=_attack(_reported("advantage")),
    ),
    ReleaseMeasure(
        name="model-inference-balanced",
        family=MeasureFamily.ATTACK,
        meaning=say("share of people guessed right by models, every sensitive value counting the same"),
        reference="Brodersen et al., The balanced accuracy and its posterior distribution, ICPR 2010",
        better="lower",
        cost=MeasureCost.MODELS,
        compute=_attack(_reported("balanced_accuracy", for_numbers="")),
    ),
    ReleaseMeasure(
        name="model-inference-auc",
        family=MeasureFamily.ATTACK,
        meaning=say(
            "how well models rank people by the chance of a sensitive value: 0.5 is by chance, 1 perfectly"
        ),
        reference="Provost and Domingos, Tree induction for probability-based ranking, Machine Learning 52, 2003",
        better="lower",
        cost=MeasureCost.MODELS,
        compute=_attack(_reported("auc", for_numbers="")),
    ),
    ReleaseMeasure(
        name="model-disclosure",
        family=MeasureFamily.ATTACK,
        meaning=say("how much better models guess what is sensitive of people in the release than of others"),
        reference="Yeom et al., Privacy risk in machine learning, IEEE CSF 2018",
        better="lower",
        low=float("-inf"),
        high=float("inf"),
        cost=MeasureCost.MODELS,
        compute=_attack(_disclosed),
    ),
)
