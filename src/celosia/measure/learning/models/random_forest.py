"""A random forest."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["RandomForest"]


class RandomForest(LearningModel):
    """Many trees, each grown on rows drawn with replacement and on few columns at every question; they vote.

    L. Breiman: Random forests. Machine Learning 45(1), 2001.
    """

    name: ClassVar[str] = "random-forest"
    # It draws rows, so that a combination that many share must be there as often as they are.
    takes_weights: ClassVar[bool] = False

    trees: int = Field(default=50, ge=1, description="how many trees")
    leaf_rows: int = Field(default=3, ge=1, description="fewest rows in a leaf")
    depth: int | None = Field(
        default=None, ge=1, description="most questions in a row; any number unless given"
    )

    def classifier(self, seed: int) -> Estimator:
        """A forest of classes."""
        from sklearn.ensemble import RandomForestClassifier

        classifier: Estimator = RandomForestClassifier(
            n_estimators=self.trees, min_samples_leaf=self.leaf_rows, max_depth=self.depth, random_state=seed
        )
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """A forest of means; a third of the columns is looked at for each question, as its author proposes."""
        from sklearn.ensemble import RandomForestRegressor

        regressor: Regressor = RandomForestRegressor(
            n_estimators=self.trees,
            min_samples_leaf=self.leaf_rows,
            max_depth=self.depth,
            max_features=1 / 3,
            random_state=seed,
        )
        return regressor
