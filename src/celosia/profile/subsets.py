"""The smallest subset of columns with many distinct combinations, without looking at all 2^n subsets.

Adding a column never lowers the distinct count d, and d(A and B) <= d(A) * d(B): what is known of one set bounds
all others, its subsets most of all. Sets are tried by size; a set that fails is first grown as far as it still
fails, so that one count rules out many.
"""

from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from celosia.profile.distinct import Columns, DistinctCombinations
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["search"]

CANDIDATES = 500_000
"""More sets of one size than this are not listed; the answer is then not proven."""

SAMPLE = 32_768
"""Combinations that the greedy start looks at."""


def search(
    distinct: DistinctCombinations, threshold: int, *, limit: int, progress: Progress = no_progress
) -> tuple[Columns, bool, bool]:
    """The best set; whether smaller ones are excluded; whether it is also proven best of its size."""
    greedy = greedy_set(distinct, threshold)
    forced: Columns | None = None
    for size in range(fewest_columns(distinct, threshold), len(greedy) + 1):
        if forced is None and size > 2:  # not worth its counts while there are only pairs to try
            forced = indispensable(distinct, threshold)
        candidates = list_candidates(len(distinct.sizes), size, forced or ())
        if candidates is None:
            return greedy, False, False
        level = SubsetLevel(distinct, candidates, greedy if size == len(greedy) else None, threshold - 1)
        finished = level.run(limit, progress=progress)
        if level.best is not None:
            return level.best, True, finished
        if not finished:
            return greedy, False, False
    raise AssertionError("the greedy set reaches the threshold, so its own size cannot come out empty")


def greedy_set(distinct: DistinctCombinations, threshold: int) -> Columns:
    """A set that reaches ``threshold`` and loses it when any column is left out; not always the smallest.

    Grown by the column that adds most on a sample, then thinned out, the least telling column first.
    """
    columns = range(len(distinct.sizes))
    rows = min(SAMPLE, distinct.maximum)
    chosen: Columns = ()
    while len(chosen) < len(columns) and (
        not chosen or distinct.at_most(chosen, goal=threshold - 1) < threshold
    ):
        grown = [joined(chosen, column) for column in columns if column not in chosen]
        chosen = max(grown, key=lambda some: (distinct.count(some, rows), distinct.sizes[list(some)].sum()))
    for column in sorted(chosen, key=lambda column: int(distinct.sizes[column])):
        rest = tuple(other for other in chosen if other != column)
        if rest and distinct.at_most(rest, goal=threshold - 1) >= threshold:
            chosen = rest
    return chosen


def fewest_columns(distinct: DistinctCombinations, threshold: int) -> int:
    """No set with fewer columns than this can reach ``threshold``: the product of its sizes is too small."""
    products = np.cumprod(np.sort(distinct.sizes)[::-1], dtype=np.float64)
    return int(np.argmax(products >= threshold)) + 1


def indispensable(distinct: DistinctCombinations, threshold: int) -> Columns:
    """Columns without which not even all the others reach ``threshold``."""
    columns = range(len(distinct.sizes))
    others = {column: tuple(other for other in columns if other != column) for column in columns}
    return tuple(c for c in columns if distinct.at_most(others[c], goal=threshold - 1) < threshold)


def list_candidates(width: int, size: int, forced: Columns) -> npt.NDArray[np.int64] | None:
    """All sets of ``size`` out of ``width`` columns that hold the forced ones, one per row, in column order.

    None if there are too many to list.

    >>> list_candidates(3, 2, (1,)).tolist()
    [[0, 1], [1, 2]]
    """
    if size < len(forced):
        return np.empty((0, size), np.int64)
    free = [column for column in range(width) if column not in forced]
    if comb(len(free), size - len(forced)) > CANDIDATES:
        return None
    chosen = sorted(tuple(sorted((*forced, *some))) for some in combinations(free, size - len(forced)))
    return np.array(chosen, np.int64).reshape(-1, size)


class SubsetLevel:
    """The search among all sets of one size: ``bounds[candidate]`` is never below its distinct count.

    ``candidates`` stand in column order, so the earlier of two with equal counts wins.
    """

    def __init__(
        self,
        distinct: DistinctCombinations,
        candidates: npt.NDArray[np.int64],
        known: Columns | None,
        excluded: int,
    ) -> None:
        self.distinct = distinct
        self.candidates = candidates
        self.order = np.arange(len(candidates))
        self.products = distinct.sizes[candidates].prod(axis=1, dtype=np.float64)
        self.bounds = np.minimum(self.products, distinct.maximum)
        self.best: Columns | None = None
        self.reached = excluded
        self.best_order = -1
        if known is not None:
            self.accept(known)
        for columns, bound in list(distinct.bounds.items()):
            if tells_something(distinct, columns, bound, of_size=candidates.shape[1], reached=excluded):
                self.learn(columns, bound)
                self.prune()
        self.prune()

    def run(self, limit: int, *, progress: Progress) -> bool:
        """Try candidates, the most promising first; true when none is left, false at the limit."""
        progress(say("propose quasi-identifiers"), min(1.0, self.distinct.work / max(1, limit)))
        while len(self.candidates):
            if self.distinct.work > limit:
                return False
            progress(say("propose quasi-identifiers"), self.distinct.work / max(1, limit))
            highest = self.bounds == self.bounds.max()
            promising = int(np.argmax(np.where(highest, self.products, 0)))
            columns: Columns = tuple(self.candidates[promising].tolist())
            # One that stands before the best wins with an equal count, so only fewer rule it out.
            goal = self.reached - int(self.order[promising] < self.best_order)
            bound = self.distinct.at_most(columns, goal=goal)
            if columns in self.distinct.exact:
                self.accept(columns)
            self.learn(columns, bound)
            if bound <= goal:
                self.learn(*self.grow(columns, bound, goal))
            self.prune()
        return True

    def accept(self, columns: Columns) -> None:
        """Keep ``columns`` if they are better than the best so far."""
        count = self.distinct.distinct(columns)
        place = int(self.order[(self.candidates == columns).all(axis=1)][0])
        if count > self.reached or (count == self.reached and place < self.best_order):
            self.best, self.reached, self.best_order = columns, count, place

    def grow(self, columns: Columns, bound: int, goal: int) -> tuple[Columns, int]:
        """Add columns, the least telling first, while it is cheap to show that the set is no better."""
        failures = 0
        for column in np.argsort(self.distinct.sizes, kind="stable").tolist():
            if column in columns or failures == 2:
                continue
            grown = joined(columns, column)
            grown_bound = self.distinct.at_most(grown, goal=goal, share=1 / 4)
            if grown_bound <= goal:
                columns, bound = grown, grown_bound
            else:
                failures += 1
        return columns, bound

    def learn(self, columns: Columns, bound: int) -> None:
        """Lower every bound by d(S) <= d(columns) * the sizes of the columns of S that are not among them."""
        self.distinct.work += self.candidates.size // 4
        sizes = self.distinct.sizes.astype(np.float64)
        sizes[list(columns)] = 1
        np.minimum(self.bounds, bound * sizes[self.candidates].prod(axis=1), out=self.bounds)

    def prune(self) -> None:
        """Drop the candidates that cannot be better than the best so far."""
        better = self.bounds > self.reached
        tie_first = (self.bounds == self.reached) & (self.order < self.best_order)
        alive = better | tie_first
        self.candidates, self.order = self.candidates[alive], self.order[alive]
        self.products, self.bounds = self.products[alive], self.bounds[alive]


def tells_something(
    distinct: DistinctCombinations, columns: Columns, bound: int, *, of_size: int, reached: int
) -> bool:
    """Whether a bound from smaller sizes can rule out sets ``of_size`` columns."""
    if len(columns) >= of_size:
        return bound <= reached
    return bound < min(distinct.maximum, float(distinct.sizes[list(columns)].prod(dtype=np.float64)))


def joined(columns: Columns, column: int) -> Columns:
    """``columns`` with one more, ascending."""
    return tuple(sorted((*columns, column)))
