"""Hybrid tables: within groups of similar people values are made up, and what the groups add up to stays."""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import numpy.typing as npt
import polars as pl
from pydantic import Field

from celosia.perturb.groups import GROUPED, standardize
from celosia.perturb.perturbation import Perturbation
from celosia.perturb.values import Matrix, blank, numbers_of, put_numbers
from celosia.say import say
from celosia.types import ColumnType

__all__ = ["Hybrid"]


class Hybrid(Perturbation):
    """A hybrid table: groups of k or more similar rows, each turned about its mean by chance.

    Groups are those of MDAV. A group gets new rows with the same means and covariances: its rows are mixed by a random
    orthogonal matrix that leaves their mean alone. Small groups stay close to the original; one group of all rows is
    fully synthetic. Where a whole group has the same value, it keeps it. What is left of the table as a whole are
    exactly its means and covariances.

    J. Domingo-Ferrer, Ú. González-Nicolás: Hybrid microdata using microaggregation. Information Sciences 180(15), 2010;
    D. Ting, S. E. Fienberg, M. Trottini: Random orthogonal matrix masking methodology for microdata release.
    International Journal of Information and Computer Security 2(1), 2008.

    >>> frame = pl.DataFrame({"a": [1.0, 2.0, 6.0], "b": [2.0, 9.0, 4.0]})
    >>> made = Hybrid(k=3).perturb(frame, types={}, rng=np.random.default_rng(1))
    >>> np.allclose(np.cov(made.to_numpy().T), np.cov(frame.to_numpy().T)), made["a"].mean()
    (True, 3.0)
    """

    name: ClassVar[str] = "hybrid"
    keeps: ClassVar[str] = say(
        "means, variances and covariances of columns of reals without missing values, exactly"
    )
    missing: ClassVar[str] = GROUPED

    k: int = Field(default=10, ge=3, description="rows that every group has at least")

    def perturb(
        self, frame: pl.DataFrame, *, types: Mapping[str, ColumnType], rng: np.random.Generator
    ) -> pl.DataFrame:
        """The table with values made up in groups."""
        from celosia.kernels.mdav import mdav_groups

        columns = self.choose(frame, types)
        if not columns or not frame.height:
            return frame
        numbers = numbers_of(frame, columns)
        there = ~np.isnan(numbers)
        groups = mdav_groups(standardize(numbers), self.k)
        present = np.zeros((groups.max() + 1, len(columns)), np.int64)
        np.add.at(present, groups, there)
        fresh = put_numbers(frame, columns, np.where(there, _turn(numbers, groups, rng), np.nan))
        too_few = there & (present[groups] < self.k)
        return fresh.with_columns(blank(fresh[name], too_few[:, place]) for place, name in enumerate(columns))


def _turn(numbers: Matrix, groups: npt.NDArray[np.int64], rng: np.random.Generator) -> Matrix:
    """Every group turned about its mean; groups of the same size at once."""
    turned = np.empty_like(numbers)
    sizes = np.bincount(groups)
    order = np.argsort(groups, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    for size in np.unique(sizes):
        rows = order[starts[sizes == size][:, None] + np.arange(size)]  # rows[group, member]
        members = numbers[rows]
        there = ~np.isnan(members)
        means = np.where(there, members, 0).sum(axis=1, keepdims=True) / np.maximum(
            there.sum(axis=1, keepdims=True), 1
        )
        gaps = np.where(there, members - means, 0)
        turned[rows] = means + _turns(len(rows), int(size), rng) @ gaps
    return turned


def _turns(count: int, size: int, rng: np.random.Generator) -> Matrix:
    """Random orthogonal matrices that leave a column of ones alone, all equally likely."""
    if size == 1:
        return np.ones((count, 1, 1))
    plane = np.linalg.qr(np.column_stack([np.ones(size), np.eye(size)[:, 1:]]))[0][:, 1:]
    turns, lengths = np.linalg.qr(rng.standard_normal((count, size - 1, size - 1)))
    # Without this the factorization would prefer some turns: Mezzadri 2007.
    turns = turns * np.sign(np.diagonal(lengths, axis1=1, axis2=2))[:, None, :]
    return np.asarray(plane @ turns @ plane.T)
