"""A decision tree."""

from typing import ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["DecisionTree"]


class DecisionTree(LearningModel):
    """Split the rows by the question that separates the target best, and each part again (CART).

    A leaf holds at least a share of the rows: a tree that goes down to single rows learns them by heart.

    L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and regression trees. Wadsworth, 1984.
    """

    name: ClassVar[str] = "decision-tree"

    leaf: float = Field(
        default=0.002, ge=0, le=0.5, description="smallest share of the rows that a leaf holds"
    )
    depth: int | None = Field(
        default=None, ge=1, description="most questions in a row; any number unless given"
    )

    def classifier(self, seed: int) -> Estimator:
        """A tree of classes."""
        from sklearn.tree import DecisionTreeClassifier

        classifier: Estimator = DecisionTreeClassifier(
            min_weight_fraction_leaf=self.leaf, max_depth=self.depth, random_state=seed
        )
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """A tree of means."""
        from sklearn.tree import DecisionTreeRegressor

        regressor: Regressor = DecisionTreeRegressor(
            min_weight_fraction_leaf=self.leaf, max_depth=self.depth, random_state=seed
        )
        return regressor
