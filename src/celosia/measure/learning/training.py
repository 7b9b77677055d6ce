"""One model trained on some rows, and asked about others."""

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from celosia.measure.learning.features import Preparation
from celosia.measure.learning.metrics import classification_metrics, confusion_table, regression_metrics
from celosia.measure.learning.model import Estimator, LearningModel, Regressor
from celosia.measure.learning.problem import LearningProblem, LearningTable

__all__ = ["ModelTestScores", "TrainedModel", "score_model", "train_model"]

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TrainedModel:
    """A model that has learnt: how features are prepared for it, its estimator, and how often each class was seen."""

    preparation: Preparation
    estimator: Estimator | None
    classes: Integers
    rows: int


@dataclass(frozen=True)
class ModelTestScores:
    """What a model scored on some rows: over all of them and by class; ``confusion[true, predicted]`` counts them."""

    metrics: dict[str, float]
    classes: list[dict[str, float]]
    rows: int
    confusion: Floats | None = None


def train_model(
    model: LearningModel, problem: LearningProblem, side: LearningTable, rows: Integers, *, seed: int
) -> TrainedModel:
    """Train ``model`` on ``rows[combination]`` rows of a table."""
    used = rows > 0
    features, targets, weights = side.features[used], side.targets[used], rows[used].astype(np.float64)
    preparation = Preparation.of(features, weights, problem.kinds, scale=model.scale)
    features = preparation.apply(features)
    sizes = np.zeros(0, np.int64)
    if problem.classes is not None:
        targets = targets.astype(np.int64)
        sizes = np.bincount(targets, weights, len(problem.classes)).astype(np.int64)
    if not model.takes_weights:
        often = rows[used]
        features, targets, weights = (np.repeat(part, often, axis=0) for part in (features, targets, weights))
    estimator: Estimator | None = None  # where there is one class, there is nothing to learn
    if problem.classes is None or np.count_nonzero(sizes) > 1:
        estimator = model.regressor(seed) if problem.classes is None else model.classifier(seed)
        further: dict[str, object] = {"sample_weight": weights} if model.takes_weights else {}
        if model.takes_layout:
            further["layout"] = problem.layout
        estimator.fit(features, targets, **further)
    return TrainedModel(preparation, estimator, sizes, int(rows.sum()))


def score_model(
    trained: TrainedModel,
    problem: LearningProblem,
    side: LearningTable,
    rows: Integers,
    *,
    as_released: bool = False,
) -> ModelTestScores:
    """How well a trained model predicts ``rows[combination]`` rows of a table, ``as_released`` or as they are."""
    used = rows > 0
    features = (side.as_released if as_released else side.features)[used]
    targets, weights = side.targets[used], rows[used].astype(np.float64)
    features = trained.preparation.apply(features)
    if problem.classes is None:
        regressor = cast(Regressor, trained.estimator)
        metrics = regression_metrics(targets, regressor.predict(features), weights)
        return ModelTestScores(metrics, [], int(rows.sum()))
    majority = int(np.argmax(trained.classes))
    chances = _chances(trained, features, majority)
    truth = targets.astype(np.int64)
    whole, by_class = classification_metrics(truth, chances, weights, majority=majority)
    return ModelTestScores(whole, by_class, int(rows.sum()), confusion_table(truth, chances, weights))


def _chances(trained: TrainedModel, features: Floats, majority: int) -> Floats:
    """``chances[row, class]``; classes that were not in the rows trained on have none."""
    chances, estimator = np.zeros((len(features), len(trained.classes))), cast(Any, trained.estimator)
    if estimator is None:
        chances[:, majority] = 1.0
    elif hasattr(estimator, "predict_proba"):  # of some of scikit-learn's it depends on their parameters
        chances[:, estimator.classes_] = estimator.predict_proba(features)
    else:
        chances[np.arange(len(features)), estimator.predict(features)] = 1.0
    return chances
