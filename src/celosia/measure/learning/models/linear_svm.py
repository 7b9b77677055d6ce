"""A linear support vector machine trained by sequential minimal optimization."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["LinearSvm"]


class LinearSvm(LearningModel):
    """Separate the classes by the widest margin, with columns brought to the range from 0 to 1 first (as Weka's SMO).

    The ranges are those of the rows trained on. Several classes are told apart two by two. Training takes time that
    grows with the square of the rows.

    J. Platt: Fast training of support vector machines using sequential minimal optimization. In: Advances in kernel
    methods, MIT Press, 1998.
    """

    name: ClassVar[str] = "linear-svm"
    # Rows of one combination are bounded each for itself.
    takes_weights: ClassVar[bool] = False

    cost: float = Field(default=1.0, gt=0, description="what rows on the wrong side of the margin cost")

    def classifier(self, seed: int) -> Estimator:
        """Classes."""
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler
        from sklearn.svm import SVC

        classifier: Estimator = make_pipeline(
            MinMaxScaler(), SVC(C=self.cost, kernel="linear", random_state=seed)
        )
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """Numbers."""
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler
        from sklearn.svm import SVR

        regressor: Regressor = make_pipeline(MinMaxScaler(), SVR(C=self.cost, kernel="linear"))
        return regressor
