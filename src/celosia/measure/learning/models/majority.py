"""The most frequent class, or the mean: what can be said without looking at anything."""

from typing import Any, ClassVar

from celosia.measure.learning.model import LearningModel

__all__ = ["Majority"]


class Majority(LearningModel):
    """Predict the most frequent class, or the mean of a number, whatever the other columns say (ZeroR).

    What a model gets right beyond this one it has learnt.

    R. C. Holte: Very simple classification rules perform well on most commonly used datasets. Machine Learning 11,
    1993.
    """

    name: ClassVar[str] = "majority"

    def classifier(self, seed: int) -> Any:
        """The share of every class, for everybody."""
        from sklearn.dummy import DummyClassifier

        return DummyClassifier(strategy="prior")

    def regressor(self, seed: int) -> Any:
        """The mean, for everybody."""
        from sklearn.dummy import DummyRegressor

        return DummyRegressor(strategy="mean")
