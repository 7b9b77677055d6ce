"""A support vector machine with a kernel, as LIBSVM trains it."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["LibSvm"]


class LibSvm(LearningModel):
    """Separate the classes by the widest margin, in the space of a radial kernel (LIBSVM, C-SVC; numbers: epsilon-SVR).

    Numbers are taken as they are unless scaled: where their ranges differ much, only the widest columns count, and
    often nothing is learnt. Training takes time that grows with the square of the rows.

    C.-C. Chang, C.-J. Lin: LIBSVM: a library for support vector machines. ACM TIST 2(3), 2011.
    """

    name: ClassVar[str] = "libsvm"
    # Rows of one combination are bounded each for itself.
    takes_weights: ClassVar[bool] = False

    cost: float = Field(default=1.0, gt=0, description="what rows on the wrong side of the margin cost")
    gamma: float | None = Field(
        default=None, gt=0, description="how near rows must be to matter; 1 over the features unless given"
    )

    def classifier(self, seed: int) -> Estimator:
        """Classes."""
        from sklearn.svm import SVC

        classifier: Estimator = SVC(C=self.cost, gamma=self._gamma, kernel="rbf", random_state=seed)
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """Numbers."""
        from sklearn.svm import SVR

        regressor: Regressor = SVR(C=self.cost, gamma=self._gamma, kernel="rbf")
        return regressor

    @property
    def _gamma(self) -> float | str:
        return "auto" if self.gamma is None else self.gamma
