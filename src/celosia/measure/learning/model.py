"""What every model that is trained on a table is, and where its library comes from."""

from abc import ABC
from collections.abc import Callable
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from celosia.measure.release_measure import NotMeasurableError
from celosia.say import say

__all__ = ["Estimator", "LearningModel", "Regressor", "check_installed"]


class Estimator(Protocol):
    """What learns from rows with their targets, by the rules of scikit-learn.

    Once it has learnt, a classifier has ``predict_proba``, with its columns for the ``classes_``, or else ``predict``.
    """

    @property
    def fit(self) -> Callable[..., object]:
        """Learn from features and targets; the model says what else it takes."""
        ...


class Regressor(Estimator, Protocol):
    """An estimator of numbers."""

    @property
    def predict(self) -> Callable[[npt.NDArray[np.float64]], npt.NDArray[np.float64]]:
        """The number of every row."""
        ...


class LearningModel(BaseModel, ABC):
    """A model that predicts a column from others; a module of ``models/`` with a subclass that has a ``name`` adds one.

    Its fields are its parameters. ``classifier`` and ``regressor`` give an estimator of scikit-learn, not yet trained;
    one that has no ``predict_proba`` is taken to be sure of what it predicts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    name: ClassVar[str]
    takes_weights: ClassVar[bool] = True
    """Whether 7 equal rows may be given as one with the weight 7 and mean the same; else they are given as 7."""
    takes_layout: ClassVar[bool] = False
    """Whether training tells it, as ``layout``, which features are numbers, which are shares, and of which columns."""

    scale: bool = Field(
        default=False,
        description="whether numbers get mean 0 and deviation 1, as the rows trained on have them",
    )

    def classifier(self, seed: int) -> Estimator:
        """An estimator for categories."""
        raise NotMeasurableError(say("{name} predicts no categories", name=self.name))

    def regressor(self, seed: int) -> Regressor:
        """An estimator for numbers."""
        raise NotMeasurableError(say("{name} predicts no numbers", name=self.name))


def check_installed() -> None:
    """Say what to install where the library of the models is missing."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise NotMeasurableError(
            say('scikit-learn, which trains the models, is not installed: pip install "celosia[learning]"')
        ) from None
