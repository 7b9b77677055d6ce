"""The model that fits noisy counts best: shares that are consistent, at least 0, and as even as the counts allow.

R. McKenna, D. Sheldon, G. Miklau: Graphical-model based estimation and inference for differential privacy. ICML 2019.
Entropic mirror descent with a line search: the squared distance to the counts, each divided by the variance of its
noise, goes down along the factors of a junction tree. All of it is done to counts that are private already: a mistake
here would cost accuracy and no privacy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from celosia.perturb.junction import Columns, JunctionTree, Table, sum_to

__all__ = ["FittedModel", "NoisyMargin", "fit", "merge", "total_of"]

TOLERANCE = 1e-5
"""A descent ends when a step gains less than this part of the loss."""
ENOUGH = 0.8
"""It ends as well when the loss is this part of what noise alone makes it."""


@dataclass(frozen=True)
class NoisyMargin:
    """Counts of some columns with noise of a variance."""

    columns: Columns
    counts: Table
    variance: float


@dataclass(frozen=True)
class FittedModel:
    """Factors on a tree, the shares that they give, and how many rows there are."""

    tree: JunctionTree
    factors: Mapping[Columns, Table]
    shares: Sequence[Table]
    total: float

    def margin(self, columns: Columns) -> Table:
        """The shares of columns that are in one clique together."""
        home = self.tree.home(columns)
        assert home is not None, "no clique has these columns"
        return sum_to(self.shares[home], self.tree.cliques[home], columns)


def merge(margins: Sequence[NoisyMargin]) -> dict[Columns, NoisyMargin]:
    """What all measurements of the same columns say together, the more exact ones weighing more.

    >>> merge([NoisyMargin((0,), np.array([1.0]), 1.0), NoisyMargin((0,), np.array([4.0]), 2.0)])[0,].counts.tolist()
    [2.0]
    """
    merged: dict[Columns, NoisyMargin] = {}
    for margin in margins:
        before = merged.get(margin.columns)
        if before is not None:
            weights = 1 / before.variance, 1 / margin.variance
            counts = (weights[0] * before.counts + weights[1] * margin.counts) / sum(weights)
            merged[margin.columns] = NoisyMargin(margin.columns, counts, 1 / sum(weights))
        else:
            merged[margin.columns] = margin
    return merged


def total_of(margins: Sequence[NoisyMargin]) -> float:
    """How many rows noisy counts say there are, at least 1: a sum of many noisy cells weighs less than one of few.

    >>> total_of([NoisyMargin((0,), np.array([4.0, 4.0]), 1.0), NoisyMargin((1,), np.array([2.0]), 2.0)])
    5.0
    """
    weights = [1 / (margin.counts.size * margin.variance) for margin in margins]
    return max(1.0, float(np.average([margin.counts.sum() for margin in margins], weights=weights)))


def fit(
    margins: Sequence[NoisyMargin],
    sizes: Sequence[int],
    *,
    rounds: int,
    before: FittedModel | None = None,
) -> FittedModel:
    """The model nearest to noisy counts, from even shares on or from an earlier model, after so many steps at most.

    >>> made = fit([NoisyMargin((0,), np.array([30.0, 10.0]), 0.01)], [2, 2], rounds=100)
    >>> made.margin((0,)).round(2).tolist(), made.margin((1,)).tolist(), made.total
    ([0.75, 0.25], [0.5, 0.5], 40.0)
    """
    merged = merge(margins)
    total = total_of(margins)
    tree = JunctionTree.of(sizes, merged)
    factors = {columns: np.zeros_like(margin.counts) for columns, margin in merged.items()}
    if before is not None:
        factors |= before.factors
    model = FittedModel(tree, factors, tree.shares(factors), total)
    step = 1 / (total**2 * max(1 / margin.variance for margin in merged.values()))
    loss, slopes, shares = _loss(model, merged)
    # The truth itself is about this far from its noisy counts: whatever comes nearer has begun to fit the noise.
    enough = ENOUGH * sum(margin.counts.size for margin in merged.values()) / 2
    for _ in range(rounds):
        if loss <= enough:
            break
        for _ in range(30):
            moved = {columns: model.factors[columns] - step * slopes[columns] for columns in merged}
            tried = FittedModel(tree, moved, tree.shares(moved), total)
            next_loss, next_slopes, next_shares = _loss(tried, merged)
            promised = sum(float((slopes[c] * (shares[c] - next_shares[c])).sum()) for c in merged)
            if loss - next_loss >= 0.5 * promised:
                break
            step /= 2
        gain = loss - next_loss
        model, loss, slopes, shares = tried, next_loss, next_slopes, next_shares
        if gain <= TOLERANCE * loss:
            break
        step *= 1.5
    return model


def _loss(
    model: FittedModel, merged: Mapping[Columns, NoisyMargin]
) -> tuple[float, dict[Columns, Table], dict[Columns, Table]]:
    """Half the squared distance to the counts by its variance, its slope along every share, and the shares."""
    loss, slopes, shares = 0.0, {}, {}
    for columns, margin in merged.items():
        shares[columns] = model.margin(columns)
        gap = model.total * shares[columns] - margin.counts
        loss += float((gap**2).sum()) / margin.variance / 2
        slopes[columns] = gap * model.total / margin.variance
    return loss, slopes, shares
