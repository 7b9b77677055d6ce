"""A linear support vector machine, as LIBLINEAR trains it."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["LibLinear"]


class LibLinear(LearningModel):
    """A linear machine with squared hinge loss and squared weights (LIBLINEAR, L2-regularized L2-loss SVC).

    It is solved in the primal, which converges on columns of very different ranges too; the dual, which Weka's
    wrapper takes, stops there before it is done and answers by chance. Numbers are taken as they are unless scaled.

    R.-E. Fan et al.: LIBLINEAR: a library for large linear classification. JMLR 9, 2008.
    """

    name: ClassVar[str] = "liblinear"

    cost: float = Field(default=1.0, gt=0, description="what rows on the wrong side of the margin cost")
    rounds: int = Field(default=10_000, ge=1, description="most rounds of improving the weights")

    def classifier(self, seed: int) -> Estimator:
        """Classes, one against the rest."""
        from sklearn.svm import LinearSVC

        classifier: Estimator = LinearSVC(C=self.cost, dual=False, max_iter=self.rounds, random_state=seed)
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """Numbers."""
        from sklearn.svm import LinearSVR

        regressor: Regressor = LinearSVR(
            C=self.cost,
            loss="squared_epsilon_insensitive",
            dual=False,
            max_iter=self.rounds,
            random_state=seed,
        )
        return regressor
