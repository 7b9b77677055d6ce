"""Counts of a table that are had only with noise, and only while a budget lasts: the one door to the rows.

OpenDP keeps the budget. Its privacy filter (Rogers, Roth, Ullman, Vadhan, 2016) lets every question depend on all
answers before it, also in how much it spends, and refuses the first that would overdraw. Two tables are neighbours if
one has one row more than the other. What OpenDP is told of the questions stands here: one row changes the counts of a
margin by 1 in one cell, and a score by no more than its weight.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, pi, prod, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from celosia.perturb.fitting import NoisyMargin
from celosia.perturb.junction import Columns
from celosia.perturb.private import gaussian_scale, opendp

__all__ = ["UNIT", "Candidate", "PrivateCounts", "count_cells"]

Cells = npt.NDArray[np.integer]
Counts = npt.NDArray[np.int64]

UNIT = 64
"""Scores are whole numbers of 64ths of a row, so that computers compare them without a rounding error."""
LEAST_VARIANCE = 0.01
"""What a budget without end leaves; a variance of nothing could not be divided by."""
SLACK = 1 - 1e-9
"""A part of the budget that is never spent: sums of parts are rounded up by OpenDP."""


@dataclass(frozen=True)
class Candidate:
    """A margin that may be measured next: what a model says of it, in units, and what it weighs.

    ``penalty``, in units, is what is taken off its distance: what noise alone would make of it.
    """

    columns: Columns
    expected: Counts
    penalty: int
    weight: int

    def score(self, counts: Counts) -> int:
        """How far the counts are from what the model says; one row more or less moves it by the weight at most.

        >>> far = Candidate((0,), np.array([0, 64]), penalty=10, weight=2)
        >>> [far.score(np.array(counts)) // UNIT for counts in ([2, 1], [3, 1])]
        [3, 5]
        """
        gap = int(np.abs(UNIT * counts.ravel() - self.expected.ravel()).sum())
        return self.weight * (gap - self.penalty)


class PrivateCounts:
    """The rows of a table, ``cells[row, column]``, behind a budget.

    Without delta the budget is a pure epsilon and noise is Laplace's; with it, the budget is the concentrated one that
    gives epsilon and delta, and noise is Gauss's; whole numbers in both cases. With a generator in the place of
    OpenDP's secret source everything is the same and can be repeated, which is for tests alone.

    >>> cells = np.array([[0, 1], [1, 1], [1, 0]])
    >>> door = PrivateCounts(cells, [2, 2], epsilon=100, delta=None, rng=None)
    >>> door.measure((0,), 60).counts.tolist(), round(door.spent)
    ([1.0, 2.0], 60)
    """

    def __init__(
        self,
        cells: Cells,
        sizes: Sequence[int],
        *,
        epsilon: float,
        delta: float | None,
        rng: np.random.Generator | None,
    ) -> None:
        self.sizes = tuple(sizes)
        self.is_pure = delta is None
        # What Gauss's noise may lose under (epsilon, delta) is what all questions together may lose.
        whole = epsilon if delta is None else 1 / (2 * gaussian_scale(epsilon, delta, 1) ** 2)
        self.budget = whole * SLACK
        self._rng, self._known = rng, dict[Columns, Counts]()
        self._dp = opendp()
        self._dp.enable_features(
            "honest-but-curious"
        )  # it takes our word for what a row changes: the maps below
        self._measure = self._dp.max_divergence() if self.is_pure else self._dp.zero_concentrated_divergence()
        self._space = (
            self._dp.user_domain("cells", lambda cells: cells.ndim == 2),
            self._dp.symmetric_distance(),
        )
        odometer = self._dp.c.make_fully_adaptive_composition(*self._space, self._measure)
        self.filter = self._dp.c.make_privacy_filter(odometer, d_in=1, d_out=whole)
        self._cells = np.asarray(cells)
        self._answers = self.filter(self._cells)

    @property
    def spent(self) -> float:
        """What the answers so far cost."""
        return float(self._answers.privacy_loss(1))

    @property
    def left(self) -> float:
        """What is left to be spent."""
        return max(0.0, self.budget - self.spent)

    def noise_of(self, cost: float) -> tuple[float, float]:
        """The variance and the mean distance from 0 of noise that costs so much.

        >>> door = PrivateCounts(np.zeros((1, 1), int), [1], epsilon=1, delta=None, rng=None)
        >>> [round(number) for number in door.noise_of(0.01)]
        [20000, 100]
        """
        if not self.is_pure:
            return max(LEAST_VARIANCE, 1 / (2 * cost)), 1 / sqrt(pi * cost)
        ratio = exp(-cost)  # of the chance of one whole number to that of the one before it
        return max(LEAST_VARIANCE, 2 * ratio / (1 - ratio) ** 2), 2 * ratio / (1 - ratio**2)

    def measure(self, columns: Columns, cost: float) -> NoisyMargin:
        """The counts of some columns, with noise for a part of the budget."""
        dp = self._dp
        to = dp.l1_distance(T="i64") if self.is_pure else dp.l2_distance(T="f64")
        scale = 1 / cost if self.is_pure else 1 / sqrt(2 * cost)
        then = dp.m.then_laplace(scale=scale) if self.is_pure else dp.m.then_gaussian(scale=scale)
        # One row more is 1 more in one cell, whichever way distances are measured.
        question = self._question(lambda cells: self._count(cells, columns).ravel(), to, 1) >> then

        def repeatable(rng: np.random.Generator, cells: Cells) -> object:
            counts = self._count(cells, columns).ravel()
            if self.is_pure:  # of two geometric numbers the difference is Laplace noise on whole numbers
                ends = rng.geometric(-np.expm1(-cost), (2, counts.size))
                return (counts + ends[0] - ends[1]).tolist()
            return np.rint(counts + rng.normal(0, scale, counts.size)).astype(np.int64).tolist()

        noisy = self._ask(question, repeatable)
        shape = [self.sizes[column] for column in columns]
        return NoisyMargin(columns, np.array(noisy, np.float64).reshape(shape), self.noise_of(cost)[0])

    def choose(self, candidates: Sequence[Candidate], cost: float) -> int:
        """The place of a candidate whose score is the largest or nearly so, for a part of the budget."""
        dp = self._dp
        reach = UNIT * max(candidate.weight for candidate in candidates)
        scale = 2 * reach / cost if self.is_pure else reach / sqrt(2 * cost)

        def scores(cells: Cells) -> Counts:
            return np.array(
                [candidate.score(self._count(cells, candidate.columns)) for candidate in candidates], np.int64
            )

        question = self._question(scores, dp.linf_distance(T="i64"), reach)
        question = question >> dp.m.then_noisy_max(self._measure, scale=scale)

        def repeatable(rng: np.random.Generator, cells: Cells) -> int:
            noise = rng.exponential if self.is_pure else (lambda size, count: rng.gumbel(0, size, count))
            return int(np.argmax(scores(cells) + noise(scale, len(candidates))))

        return int(self._ask(question, repeatable))

    def _question(self, function: Callable[[Cells], Counts], metric: Any, reach: int) -> Any:
        """Whole numbers about the rows, of which one row moves so much."""
        dp = self._dp
        unit = reach if self.is_pure or metric == dp.linf_distance(T="i64") else float(reach)
        return dp.t.make_user_transformation(
            *self._space,
            dp.vector_domain(dp.atom_domain(T="i64")),
            metric,
            lambda cells: function(cells).tolist(),
            lambda rows: rows * unit,
        )

    def _ask(self, question: Any, repeatable: Callable[[np.random.Generator, Cells], object]) -> Any:
        rng = self._rng
        if rng is not None:
            question = self._dp.m.make_user_measurement(
                *self._space, self._measure, lambda cells: repeatable(rng, cells), question.map
            )
        return self._answers(question)

    def _count(self, cells: Cells, columns: Columns) -> Counts:
        if columns not in self._known:
            self._known[columns] = count_cells(cells, columns, self.sizes)
        return self._known[columns]


def count_cells(cells: Cells, columns: Columns, sizes: Sequence[int]) -> Counts:
    """How many rows there are in every cell of some columns.

    >>> count_cells(np.array([[0, 1], [1, 1], [1, 1]]), (0, 1), [2, 2]).tolist()
    [[0, 1], [0, 2]]
    """
    shape = [sizes[column] for column in columns]
    keys = np.zeros(len(cells), np.int64)
    for column in columns:
        keys *= sizes[column]
        keys += cells[:, column]
    return np.bincount(keys, minlength=prod(shape)).reshape(shape)
