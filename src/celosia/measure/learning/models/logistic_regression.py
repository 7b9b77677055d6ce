"""Logistic regression; for numbers, linear regression."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["LogisticRegression"]


class LogisticRegression(LearningModel):
    """Weigh every column and add up: the logarithm of the odds of a class, or the number itself (ridge regression).

    A small penalty on the weights keeps them finite where a column tells the target exactly.

    D. R. Cox: The regression analysis of binary sequences. Journal of the Royal Statistical Society B 20(2), 1958.
    A. E. Hoerl, R. W. Kennard: Ridge regression. Technometrics 12(1), 1970.
    """

    name: ClassVar[str] = "logistic-regression"

    scale: bool = Field(
        default=True,
        description="whether numbers get mean 0 and deviation 1, as the rows trained on have them",
    )
    penalty: float = Field(default=1.0, gt=0, description="how much large weights are punished")
    rounds: int = Field(default=2_000, ge=1, description="most rounds of improving the weights")

    def classifier(self, seed: int) -> Estimator:
        """Odds of classes."""
        from sklearn.linear_model import LogisticRegression

        classifier: Estimator = LogisticRegression(
            C=1 / self.penalty, max_iter=self.rounds, tol=1e-3, random_state=seed
        )
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """Numbers."""
        from sklearn.linear_model import Ridge

        regressor: Regressor = Ridge(alpha=self.penalty)
        return regressor
