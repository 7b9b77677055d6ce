"""Values drawn from people who are alike, as a tree sorts them."""

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from celosia.errors import ProjectError
from celosia.perturb.perturbation import CATEGORIES
from celosia.perturb.values import Matrix, codes_of, numbers_of
from celosia.say import say
from celosia.types import ColumnType
from celosia.values.text import column_type

__all__ = ["draw_donors", "features_of", "is_category"]

Rows = npt.NDArray[np.int64]


def features_of(frame: pl.DataFrame, columns: Sequence[str], types: Mapping[str, ColumnType]) -> Matrix:
    """``features[row, column]`` for a tree: numbers and dates as numbers, categories as codes, NaN where missing."""
    features = np.empty((frame.height, len(columns)))
    for place, name in enumerate(columns):
        if is_category(frame, name, types):
            codes = codes_of(frame[name])[0].astype(float)
            features[:, place] = np.where(codes < 0, np.nan, codes)
        else:
            features[:, place] = numbers_of(frame, [name])[:, 0]
    return features


def is_category(frame: pl.DataFrame, name: str, types: Mapping[str, ColumnType]) -> bool:
    """Whether the values of a column have no order that matters."""
    return types.get(name, column_type(frame.schema[name])) in CATEGORIES


def draw_donors(
    known: Matrix, target: Matrix, asked: Matrix, *, is_category: bool, least: int, rng: np.random.Generator
) -> Rows:
    """``donors[i]``: for every row of ``asked`` a row of ``known`` that ends in the same leaf of a tree.

    The tree is grown to tell ``target[row]`` from ``known[row, column]``, with at least so many rows in a leaf. Without
    columns to tell it from, every row may be the donor.
    """
    if known.shape[1] == 0 or len(known) < 2 * least:
        return rng.integers(0, len(known), len(asked))
    tree = _tree(is_category, least, int(rng.integers(1 << 31)))
    is_missing = np.isnan(target)
    if is_category:
        filled = np.where(is_missing, -1, target).astype(np.int64)
    else:
        filled = np.where(is_missing, np.mean(target[~is_missing]) if (~is_missing).any() else 0.0, target)
    tree.fit(known, filled)
    leaves, wanted = tree.apply(known), tree.apply(asked)
    order = np.argsort(leaves, kind="stable")
    starts = np.searchsorted(leaves[order], wanted, side="left")
    ends = np.searchsorted(leaves[order], wanted, side="right")
    return np.asarray(order[starts + (rng.random(len(asked)) * (ends - starts)).astype(np.int64)])


class LeafTree(Protocol):
    """A tree of scikit-learn's kind: it learns from rows, and says in which leaf a row ends."""

    def fit(self, features: Matrix, target: npt.NDArray[np.generic]) -> object:
        """Learn from rows."""

    def apply(self, features: Matrix) -> npt.NDArray[np.int64]:
        """The leaf of every row."""


def _tree(is_category: bool, least: int, seed: int) -> LeafTree:
    try:
        from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    except ImportError:
        raise ProjectError(
            say("scikit-learn is not installed"),
            where="technique",
            remedy=say('pip install "celosia[learning]"'),
        ) from None
    kind = DecisionTreeClassifier if is_category else DecisionTreeRegressor
    tree: LeafTree = kind(min_samples_leaf=least, random_state=seed)
    return tree
