"""Search of lattices too large to hold: improves until the time is up, and says that nothing is proven.

An iterated local search. A first descent goes from the top to the best valid neighbour below until none is better. Then
any column may go to any level, up or down, in random order, and the first better node is taken, until no such move is
better; a few columns of the best node are put to random levels, and it begins again. Nodes already looked at rule out
others: what is less general than a node over the suppression limit is over it too, and suppression costs at least as
much there.
"""

import time

import numpy as np

from celosia.measure.utility import CellMeasure, Measure
from celosia.recode.evaluate import Evaluator, NodeEvaluation
from celosia.recode.lattice import Node
from celosia.recode.result import Candidate, SearchResult
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["DEFAULT_SECONDS", "anytime_search"]

DEFAULT_SECONDS = 30.0
KEYS_OF_A_TURN = 2_500  # a neighbour that is only thought of takes as long as grouping this many keys
REMEMBERED = 500  # nodes whose word about the nodes below them is kept


def anytime_search(
    evaluator: Evaluator,
    measure: Measure,
    *,
    best: int = 1,
    seconds: float | None = None,
    work: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> SearchResult:
    """The ``best`` nodes found within ``seconds`` (30 by default) or ``work``; ``is_proven`` is always False."""
    seconds = DEFAULT_SECONDS if seconds is None else seconds
    evaluator.sets.expect(
        int(seconds * 10_000_000) if work is None else work
    )  # it groups for as long as it may
    climb = _Climb(evaluator, measure, seconds, work, np.random.default_rng(seed), progress)
    before = evaluator.checks
    climb.run()
    found = sorted(
        climb.seen.values(), key=lambda one: (one.values[measure.name], one.tally.suppressed, one.node)
    )
    return SearchResult(
        search="anytime",
        measure=measure.name,
        candidates=tuple(Candidate.of(one) for one in found if one.is_valid)[:best],
        is_proven=False,
        checks=evaluator.checks - before,
        nodes=evaluator.lattice.size,
        seconds=time.perf_counter() - climb.started,
        note=say(
            "the lattice has {size:.3g} nodes; searched for {seconds:g} s, a better node may exist",
            size=evaluator.lattice.size,
            seconds=seconds,
        ),
    )


class _Climb:
    """What was seen so far, and the random walk over it."""

    def __init__(
        self,
        evaluator: Evaluator,
        measure: Measure,
        seconds: float,
        work: int | None,
        random: np.random.Generator,
        progress: Progress,
    ) -> None:
        self.evaluator = evaluator
        self.measure = measure
        self.lattice = evaluator.lattice
        self.seconds = seconds
        self.work = work
        self.worked_before = evaluator.work
        self.turns = 0
        self.started = time.perf_counter()
        self.random = random
        self.progress = progress
        self.seen: dict[Node, NodeEvaluation] = {}
        width = len(self.lattice.heights)
        self.nodes = np.zeros((REMEMBERED, width), np.int64)
        self.penalties = np.full(REMEMBERED, -np.inf)
        self.grows = all(model.class_monotone for model in evaluator.models)

    def run(self) -> None:
        current = self.improve(self.descend(self.look(self.lattice.top)))
        best = current
        while self.has_time():
            start = best if self.random.random() < 0.7 else current
            current = self.improve(self.look(self.shake(start.node)))
            if self.is_better(current, best):
                best = current

    def value(self, one: NodeEvaluation) -> float:
        return one.values[self.measure.name]

    def is_better(self, one: NodeEvaluation, other: NodeEvaluation) -> bool:
        return one.is_valid and (not other.is_valid or self.value(one) < self.value(other))

    def has_time(self) -> bool:
        if self.work is not None:
            self.turns += 1  # neighbours that were seen before take time, too
            share = (self.evaluator.work - self.worked_before + KEYS_OF_A_TURN * self.turns) / self.work
        else:
            share = (time.perf_counter() - self.started) / self.seconds if self.seconds > 0 else 1.0
        self.progress(say("searching"), min(1.0, share))
        return share < 1.0

    def look(self, node: Node) -> NodeEvaluation:
        found = self.seen.get(node)
        if found is None:
            found = self.seen[node] = self.evaluator.check(node)
            self.remember(found)
        return found

    def remember(self, one: NodeEvaluation) -> None:
        """Overwrite at random when full: any word kept is true, only less complete."""
        number = len(self.seen) - 1
        place = number if number < REMEMBERED else int(self.random.integers(REMEMBERED))
        over_limit = one.tally.doomed > self.evaluator.allowed
        self.nodes[place] = one.node
        if over_limit or (not one.is_valid and self.evaluator.is_monotone):
            self.penalties[place] = np.inf
        else:
            self.penalties[place] = one.penalties.get(self.measure.name, 0.0) if self.grows else -np.inf

    def floor(self, node: Node) -> float:
        """A value that the node cannot be better than."""
        over = np.all(self.nodes >= np.array(node), axis=1)
        penalty = max(0.0, float(np.max(self.penalties, where=over, initial=-np.inf)))
        if isinstance(self.measure, CellMeasure):
            return self.evaluator.base_at(self.measure, node) + penalty
        return np.inf if penalty == np.inf else -np.inf

    def descend(self, one: NodeEvaluation) -> NodeEvaluation:
        """The local optimum below a node."""
        while self.has_time():
            better = one
            for below in self.lattice.below(one.node):
                if below not in self.seen and self.floor(below) >= self.value(better):
                    continue
                other = self.look(below)
                if self.is_better(other, better):
                    better = other
                if not self.has_time():
                    break
            if better is one:
                return one
            one = better
        return one

    def improve(self, one: NodeEvaluation) -> NodeEvaluation:
        """The node from which no column can go to another level, up or down, and be better."""
        moves = [
            (column, level)
            for column, (floor, height) in enumerate(
                zip(self.lattice.bottom, self.lattice.heights, strict=True)
            )
            for level in range(floor, height + 1)
        ]
        tried = 0  # moves in a row that brought nothing
        order: list[int] = []
        while tried < len(moves) and self.has_time():
            order = order or self.random.permutation(len(moves)).tolist()
            column, level = moves[order.pop()]
            tried += 1
            node = (*one.node[:column], level, *one.node[column + 1 :])
            is_open = node in self.seen or not one.is_valid or self.floor(node) < self.value(one)
            if node != one.node and is_open and self.is_better(other := self.look(node), one):
                one, tried, order = other, 0, []
        return one

    def shake(self, node: Node) -> Node:
        """Put a few random columns to random levels."""
        levels = list(node)
        for _ in range(int(self.random.integers(2, 4 + len(levels) // 8))):
            column = int(self.random.integers(len(levels)))
            levels[column] = int(
                self.random.integers(self.lattice.bottom[column], self.lattice.heights[column] + 1)
            )
        return tuple(levels)
