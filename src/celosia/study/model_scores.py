"""What a model learnt from one release, as a study keeps it: its scores, and enough to compare it with another."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from celosia.measure.learning import ModelEvaluation
from celosia.measure.learning.scores import Difference, MetricScore, paired_difference
from celosia.measure.release_measure import Interval

__all__ = ["ModelScores", "find_model_scores"]

Scores = Mapping[str, tuple[float | None, Interval | None]]


@dataclass(frozen=True)
class ModelScores:
    """One model, trained and tested in one way: every metric with its interval, and the main one fold by fold.

    ``classes`` has the metrics of every class; ``confusion[true][predicted]`` the rows of all folds.
    """

    model: str
    target: str
    trained_on: str
    tested_on: str
    main: str
    scores: Scores
    folds: tuple[float | None, ...]
    tested_rows: tuple[int, ...]
    factor: float
    classes: Mapping[str, Scores] = field(default_factory=dict)
    confusion: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, evaluation: ModelEvaluation) -> "ModelScores":
        """What is kept of an evaluation."""
        main = "accuracy" if evaluation.task == "classification" else "r2"
        return cls(
            evaluation.model,
            evaluation.target,
            evaluation.trained_on,
            evaluation.tested_on,
            main,
            _scores(evaluation.scores),
            evaluation.scores[main].folds,
            evaluation.tested_rows,
            evaluation.factor,
            {name: _scores(scores) for name, scores in evaluation.classes.items()},
            evaluation.confusion,
        )

    @property
    def value(self) -> float | None:
        """The accuracy of the model, or its R2 where it predicts numbers."""
        return self.scores[self.main][0]

    @property
    def interval(self) -> Interval | None:
        """The interval of its accuracy or R2."""
        return self.scores[self.main][1]

    @property
    def beyond_guessing(self) -> tuple[float | None, Interval | None]:
        """The accuracy of the model beyond that of naming the most frequent value; of numbers its R2, which is that."""
        return self.scores.get("advantage", self.scores[self.main])

    def beyond(self, other: "ModelScores") -> Difference:
        """How much it scores above another that was tested on the same folds, and whether that is noise.

        >>> one = ModelScores("tree", "job", "release", "control", "accuracy", {}, (0.8, 0.9), (10, 10), 0.6)
        >>> one.beyond(one).is_noise
        True
        """
        factor = max(self.factor, other.factor)
        return paired_difference(self.folds, other.folds, self.tested_rows, factor=factor)

    def to_dict(self) -> dict[str, object]:
        """The scores as a document that JSON takes."""
        return {
            "model": self.model,
            "target": self.target,
            "trained_on": self.trained_on,
            "tested_on": self.tested_on,
            "main": self.main,
            "scores": _written(self.scores),
            "folds": list(self.folds),
            "tested_rows": list(self.tested_rows),
            "factor": self.factor,
            "classes": {name: _written(scores) for name, scores in self.classes.items()},
            "confusion": [list(row) for row in self.confusion],
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "ModelScores":
        """From a document, as the cache keeps it."""
        read = {
            "scores": _read(document["scores"]),
            "folds": tuple(document["folds"]),
            "tested_rows": tuple(document["tested_rows"]),
            "classes": {name: _read(scores) for name, scores in document.get("classes", {}).items()},
            "confusion": tuple(tuple(row) for row in document.get("confusion", ())),
        }
        return cls(**{**document, **read})


def _scores(metrics: Mapping[str, MetricScore]) -> Scores:
    return {name: (score.value, score.interval) for name, score in metrics.items()}


def _written(scores: Scores) -> dict[str, object]:
    return {
        name: {"value": value, "interval": None if interval is None else list(interval)}
        for name, (value, interval) in scores.items()
    }


def _read(document: Mapping[str, Any]) -> Scores:
    return {
        name: (score["value"], None if score["interval"] is None else tuple(score["interval"]))
        for name, score in document.items()
    }


def find_model_scores(
    all_scores: Iterable[ModelScores], *, model: str, target: str, trained_on: str, tested_on: str
) -> ModelScores | None:
    """The one that was trained and tested so."""
    asked = (model, target, trained_on, tested_on)
    return next(
        (
            scores
            for scores in all_scores
            if (scores.model, scores.target, scores.trained_on, scores.tested_on) == asked
        ),
        None,
    )
