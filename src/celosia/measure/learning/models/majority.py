"""The most frequent class, or the mean: what can be said without looking at anything."""

from typing import ClassVar

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["Majority"]


class Majority(LearningModel):
    """Predict the most frequent class, or the mean of a number, whatever the other columns say (ZeroR).

    What a model gets right beyond this one it has learnt.

    R. C. Holte: Very simple classification rules perform well on most commonly used datasets. Machine Learning 11,
    1993.
    """

    name: ClassVar[str] = "majority"

    def classifier(self, seed: int) -> Estimator:
        """The share of every class, for everybody."""
        from sklearn.dummy import DummyClassifier

        classifier: Estimator = DummyClassifier(strategy="prior")
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """The mean, for everybody."""
        from sklearn.dummy import DummyRegressor

        regressor: Regressor = DummyRegressor(strategy="mean")
        return regressor
