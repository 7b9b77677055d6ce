"""Optimal search: the best nodes of the lattice for a utility measure, proven, without looking at most of them.

Every node carries a floor under its value. Three facts raise the floors:

- the value of a cell measure without suppression is a sum over columns, known for all nodes beforehand;
- rows suppressed at a node are suppressed at every less general one, and there they lose at least as much, so what
  suppression adds to the value at a node is added at least to all nodes below it; if the limit is passed at a node it
  is passed at all of them;
- class measures state their own floors over more and less general nodes.

The node with the largest number of less general nodes is looked at first: it closes the most. When it is valid, the
search descends greedily from it to improve the best value. A node whose floor reaches the best value is closed; when
none is open the best is proven.
"""

import time
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from celosia.measure.utility import CellMeasure, Measure
from celosia.recode.anytime import anytime_search
from celosia.recode.evaluate import Evaluator, NodeEvaluation
from celosia.recode.lattice import Lattice, Node
from celosia.recode.result import Candidate, SearchResult
from celosia.say import join_texts, say
from celosia.tables.table import Progress, no_progress

__all__ = ["optimal_search"]

LARGEST_LATTICE = 8_000_000  # nodes for which floors are kept in memory
ROUNDING = 1e-12  # floors and values are sums of rounded numbers: closer than this they count as equal


def optimal_search(
    evaluator: Evaluator,
    measure: Measure,
    *,
    best: int = 1,
    seconds: float | None = None,
    work: int | None = None,
    seed: int = 0,
    progress: Progress = no_progress,
) -> SearchResult:
    """The ``best`` nodes by ``measure``; within ``seconds`` or as much ``work`` as given, then perhaps not proven."""
    if evaluator.lattice.size > LARGEST_LATTICE:
        return anytime_search(
            evaluator, measure, best=best, seconds=seconds, work=work, seed=seed, progress=progress
        )
    return _Search(evaluator, measure, best).run(seconds, work, progress)


class _Search:
    """The open nodes, their floors, and the best nodes so far."""

    def __init__(self, evaluator: Evaluator, measure: Measure, best: int) -> None:
        self.evaluator = evaluator
        self.measure = measure
        self.lattice: Lattice = evaluator.lattice
        self.wanted = best
        self.found: list[NodeEvaluation] = []
        self.seen: dict[Node, NodeEvaluation] = {}
        self.is_monotone = evaluator.is_monotone
        self.suppression_grows = all(model.class_monotone for model in evaluator.models)
        shape = self.lattice.shape
        self.base = evaluator.base(measure) if isinstance(measure, CellMeasure) else np.zeros(shape)
        self.floor = np.full(shape, np.inf)
        allowed = self.lattice.up_set(self.lattice.bottom)
        self.floor[allowed] = self.base[allowed] if isinstance(measure, CellMeasure) else -np.inf

    @property
    def threshold(self) -> float:
        """What a node must stay under to be worth looking at."""
        if len(self.found) < self.wanted:
            return np.inf
        worst = self.found[-1].values[self.measure.name]
        return worst - ROUNDING * max(1.0, abs(worst))

    def run(self, seconds: float | None, work: int | None, progress: Progress) -> SearchResult:
        started = time.perf_counter()
        before = self.evaluator.checks
        most = None if work is None else self.evaluator.work + work
        is_proven = True
        self.look(self.lattice.top)
        self.descend(self.lattice.top)
        for node, share in self.open_nodes():
            if seconds is not None and time.perf_counter() - started > seconds:
                is_proven = False
                break
            if most is not None and self.evaluator.work > most:
                is_proven = False
                break
            progress(say("searching"), share)
            if self.look(node).is_valid:
                self.descend(node)
        self.settle()
        progress(say("searching"), 1.0)
        note = ""
        if not is_proven and seconds is not None:
            note = say("stopped after {seconds:g} s: a better node may exist", seconds=seconds)
        if not self.is_monotone:
            why = say("{reason}, so fewer nodes could be ruled out", reason=self.evaluator.not_monotone)
            note = join_texts("; ", filter(None, [note, why]))
        return SearchResult(
            search="optimal",
            measure=self.measure.name,
            candidates=tuple(Candidate.of(one) for one in self.found),
            is_proven=is_proven,
            checks=self.evaluator.checks - before,
            nodes=self.lattice.size,
            seconds=time.perf_counter() - started,
            note=note,
        )

    def open_nodes(self) -> Iterator[tuple[Node, float]]:
        """Nodes still open, those with the most nodes below first; class measures are closed from below as well.

        A closed node never opens again, so each order is walked once.
        """
        flat = self.floor.reshape(-1)
        downward = np.argsort(-_volumes(self.lattice), kind="stable")
        orders = [downward]
        if not isinstance(self.measure, CellMeasure):
            orders.append(downward[::-1])
        places = [0] * len(orders)
        while True:
            for number, order in enumerate(orders):
                place = _next_open(flat, order, places[number], self.threshold)
                if place is None:
                    return
                places[number] = place
                node = np.unravel_index(order[place], self.lattice.shape)
                yield tuple(int(level) for level in node), place / len(order)

    def look(self, node: Node) -> NodeEvaluation:
        """Evaluate a node and raise the floors it has something to say about."""
        one = self.seen[node] = self.evaluator.check(node)
        below = self.lattice.down_set(node)
        over_limit = one.tally.doomed > self.evaluator.allowed
        if over_limit or (not one.is_valid and self.is_monotone):
            self.floor[below] = np.inf
        elif isinstance(self.measure, CellMeasure):
            penalty = one.penalties[self.measure.name]
            if self.suppression_grows and penalty > 0:
                np.maximum(self.floor[below], self.base[below] + penalty, out=self.floor[below])
        else:
            above = self.lattice.up_set(node)
            np.maximum(self.floor[below], self.measure.floor_below(one.tally), out=self.floor[below])
            np.maximum(self.floor[above], self.measure.floor_above(one.tally), out=self.floor[above])
        self.floor[node] = np.inf
        if one.is_valid:
            self.keep(one)
        return one

    def keep(self, one: NodeEvaluation) -> None:
        """Put a valid node among the best ones if it belongs there."""
        self.found.append(one)
        self.found.sort(key=self.rank)
        del self.found[self.wanted :]

    def rank(self, one: NodeEvaluation) -> tuple[float, int, Node]:
        """By value; of equally good nodes, the one that suppresses fewer rows."""
        return one.values[self.measure.name], one.tally.suppressed, one.node

    def descend(self, node: Node) -> None:
        """Go down from a valid node by the best valid neighbour until none is open."""
        while True:
            valid = [
                one
                for below in self.lattice.below(node)
                if self.floor[below] < self.threshold and (one := self.look(below)).is_valid
            ]
            if not valid:
                return
            node = min(valid, key=self.rank).node

    def settle(self) -> None:
        """Among equally good nodes prefer a less general one: from the best go down while nothing is lost."""
        name = self.measure.name
        while self.found:
            best = self.found[0]
            same = best.values[name] + ROUNDING * max(1.0, abs(best.values[name]))
            tied = [
                one
                for below in self.lattice.below(best.node)
                if (one := self.seen.get(below) or self.evaluator.check(below)).is_valid
                and one.values[name] <= same
                and one.tally.suppressed <= best.tally.suppressed
            ]
            if not tied:
                return
            others = [one for one in self.found if one.node != tied[0].node]
            self.found = [tied[0], *others][: self.wanted]


def _volumes(lattice: Lattice) -> npt.NDArray[np.float64]:
    """Per node, flat: how many nodes are less general or equal."""
    volumes = np.ones(1)
    for levels in lattice.shape:
        volumes = np.multiply.outer(volumes, np.arange(1.0, levels + 1)).reshape(-1)
    return volumes


def _next_open(
    floor: npt.NDArray[np.float64], order: npt.NDArray[np.int64], start: int, threshold: float
) -> int | None:
    """The first place at or after ``start`` whose node is open."""
    step = 256
    while start < len(order):
        is_open = floor[order[start : start + step]] < threshold
        first = int(np.argmax(is_open))
        if is_open[first]:
            return start + first
        start += step
        step *= 2
    return None
