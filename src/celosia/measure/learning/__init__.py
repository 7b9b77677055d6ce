"""Models trained on a release: what it is still good for, and what it betrays."""

from celosia.measure.learning.evaluation import (
    ModelEvaluation,
    compare_evaluations,
    evaluate_models,
    find_evaluation,
)
from celosia.measure.learning.model import LearningModel
from celosia.measure.learning.registry import learning_models, make_model

__all__ = [
    "LearningModel",
    "ModelEvaluation",
    "compare_evaluations",
    "evaluate_models",
    "find_evaluation",
    "learning_models",
    "make_model",
]
