"""The models that exist, by name."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from celosia.measure.learning.model import LearningModel
from celosia.registered import discover, make_registered

__all__ = ["choose_models", "learning_models", "make_model"]


@cache
def learning_models() -> Mapping[str, type[LearningModel]]:
    """Every model defined in a module of ``models/``, by name: adding the file is adding the model.

    >>> "decision-tree" in learning_models()
    True
    """
    return discover("celosia.measure.learning.models", Path(__file__).parent / "models", LearningModel)


def make_model(name: str, /, **parameters: object) -> LearningModel:
    """A model by its name, with its parameters.

    >>> make_model("random-forest", trees=20).trees
    20
    >>> make_model("random-florest")
    Traceback (most recent call last):
    ...
    celosia.errors.ProjectError: model: there is no model 'random-florest'; did you mean 'random-forest'?
    """
    model: LearningModel = make_registered(learning_models(), name, parameters, what="model")
    return model


def choose_models(chosen: Iterable[LearningModel | str]) -> tuple[LearningModel, ...]:
    """Models as they are, or by their names with the parameters that they have unless given.

    >>> [model.name for model in choose_models(["majority", make_model("decision-tree", leaf=0.1)])]
    ['majority', 'decision-tree']
    """
    return tuple(make_model(model) if isinstance(model, str) else model for model in chosen)
