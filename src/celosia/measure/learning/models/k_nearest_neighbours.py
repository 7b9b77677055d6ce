"""The k nearest neighbours."""

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["KNearestNeighbours"]

Floats = npt.NDArray[np.float64]


class KNearestNeighbours(LearningModel):
    """Predict what most of the nearest rows have that were learnt, or the mean of their numbers.

    Distances are Euclidean, so numbers are brought to one scale first unless that is refused.

    T. Cover, P. Hart: Nearest neighbor pattern classification. IEEE Transactions on Information Theory 13(1), 1967.
    """

    name: ClassVar[str] = "k-nearest-neighbours"
    # Neighbours are counted in rows.
    takes_weights: ClassVar[bool] = False

    scale: bool = Field(
        default=True,
        description="whether numbers get mean 0 and deviation 1, as the rows trained on have them",
    )
    neighbours: int = Field(default=5, ge=1, description="how many rows have a say")
    by_distance: bool = Field(default=False, description="whether nearer rows have more of a say")

    def classifier(self, seed: int) -> Estimator:
        """A vote of the neighbours."""
        from sklearn.neighbors import KNeighborsClassifier

        return _Neighbours(KNeighborsClassifier(self.neighbours, weights=self._weights))

    def regressor(self, seed: int) -> Regressor:
        """A mean of the neighbours."""
        from sklearn.neighbors import KNeighborsRegressor

        return _Neighbours(KNeighborsRegressor(self.neighbours, weights=self._weights))

    @property
    def _weights(self) -> str:
        return "distance" if self.by_distance else "uniform"


class _Neighbours:
    """Where fewer rows were learnt than are to be asked, all are."""

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, features: Floats, targets: npt.NDArray[np.generic]) -> None:
        self.estimator.n_neighbors = min(self.estimator.n_neighbors, len(features))
        self.estimator.fit(features, targets)
        self.classes_ = getattr(self.estimator, "classes_", None)
        self.predict = self.estimator.predict
        if self.classes_ is not None:
            self.predict_proba = self.estimator.predict_proba
