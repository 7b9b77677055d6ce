"""Gradient boosting."""

from typing import Any, ClassVar

from pydantic import Field

from celosia.measure.learning.model import Estimator, LearningModel, Regressor

__all__ = ["GradientBoosting"]


class GradientBoosting(LearningModel):
    """Small trees one after the other, each of what the ones before get wrong; numbers are cut into 255 bins first.

    J. H. Friedman: Greedy function approximation: a gradient boosting machine. Annals of Statistics 29(5), 2001.
    G. Ke et al.: LightGBM: a highly efficient gradient boosting decision tree. NIPS 2017.
    """

    name: ClassVar[str] = "gradient-boosting"
    # Fewest rows of a leaf and bins are counted in rows given, not in their weights.
    takes_weights: ClassVar[bool] = False

    trees: int = Field(default=50, ge=1, description="how many trees, for every class")
    rate: float = Field(default=0.2, gt=0, le=1, description="how much of what is wrong each tree corrects")
    leaves: int = Field(default=15, ge=2, description="most leaves of a tree")
    leaf_rows: int = Field(default=20, ge=1, description="fewest rows in a leaf")

    def classifier(self, seed: int) -> Estimator:
        """Boosted odds of classes."""
        from sklearn.ensemble import HistGradientBoostingClassifier

        classifier: Estimator = HistGradientBoostingClassifier(**self._chosen(seed))
        return classifier

    def regressor(self, seed: int) -> Regressor:
        """Boosted means."""
        from sklearn.ensemble import HistGradientBoostingRegressor

        regressor: Regressor = HistGradientBoostingRegressor(**self._chosen(seed))
        return regressor

    def _chosen(self, seed: int) -> dict[str, Any]:
        return {
            "max_iter": self.trees,
            "learning_rate": self.rate,
            "max_leaf_nodes": self.leaves,
            "min_samples_leaf": self.leaf_rows,
            "early_stopping": False,
            "random_state": seed,
        }
