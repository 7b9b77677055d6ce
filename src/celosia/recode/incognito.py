"""Incognito: every valid node, found by way of all subsets of the quasi-identifiers.

If a table satisfies a model on a set of columns, it does so on every subset of them. So the subsets are looked at by
growing size, and a node is a candidate only if all its projections to one column less were valid (the join and prune
steps of the paper, here one intersection of arrays per subset). Within a subset nodes are visited by growing height:
all generalizations of a valid node are marked valid without being looked at. Frequency sets are rolled up.

K. LeFevre, D. DeWitt, R. Ramakrishnan: Incognito: efficient full-domain k-anonymity. SIGMOD 2005.

With suppression some models are not monotone, and a few never are (``Evaluator.is_monotone``). Then neither pruning is
sound; every node is looked at, except those below a node that more rows than allowed can never leave, and the result
says so.
"""

import time
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from celosia.measure.utility import Measure
from celosia.recode.evaluate import Evaluator
from celosia.recode.lattice import Lattice, Node, require_small
from celosia.recode.result import Candidate, SearchResult
from celosia.say import join_texts, say
from celosia.tables.table import Progress, no_progress

__all__ = ["IncognitoResult", "incognito", "incognito_search"]

Subset = tuple[int, ...]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class IncognitoResult:
    """All valid nodes, in lexicographic order; ``checks`` frequency sets were looked at over all subsets."""

    nodes: tuple[Node, ...]
    checks: int
    is_monotone: bool
    seconds: float
    note: str = ""

    @property
    def minimal(self) -> tuple[Node, ...]:
        """Valid nodes that generalize no other valid node."""
        array = np.array(self.nodes).reshape(len(self.nodes), -1)
        smaller = (array[:, None, :] >= array[None, :, :]).all(axis=2).sum(axis=1) if len(array) else []
        return tuple(node for node, count in zip(self.nodes, smaller, strict=True) if count == 1)


def incognito(evaluator: Evaluator, *, progress: Progress = no_progress) -> IncognitoResult:
    """Every node of the lattice that satisfies the models within the suppression limit."""
    require_small(evaluator.lattice, "incognito")
    started = time.perf_counter()
    before = evaluator.checks
    if evaluator.is_monotone:
        valid, note = _over_subsets(evaluator, progress), ""
    else:
        valid = _one_by_one(evaluator, progress)
        note = say("{reason}, so every node was looked at", reason=evaluator.not_monotone)
    progress(say("searching"), 1.0)
    return IncognitoResult(
        nodes=tuple(tuple(int(level) for level in node) for node in np.argwhere(valid)),
        checks=evaluator.checks - before,
        is_monotone=evaluator.is_monotone,
        seconds=time.perf_counter() - started,
        note=note,
    )


def incognito_search(
    evaluator: Evaluator, measure: Measure, *, best: int = 1, progress: Progress = no_progress
) -> SearchResult:
    """The ``best`` of all valid nodes by ``measure``, once Incognito has found them all."""
    found = incognito(evaluator, progress=progress)
    valid = [evaluator.check(node) for node in found.nodes]
    valid.sort(key=lambda one: (one.values[measure.name], sum(one.node), one.node))
    return SearchResult(
        search="incognito",
        measure=measure.name,
        candidates=tuple(Candidate.of(one) for one in valid[:best]),
        is_proven=True,
        checks=found.checks,
        nodes=evaluator.lattice.size,
        seconds=found.seconds,
        note=join_texts("; ", filter(None, [say("{count} nodes are valid", count=len(valid)), found.note])),
    )


def _over_subsets(evaluator: Evaluator, progress: Progress) -> Flags:
    columns = range(len(evaluator.domain.columns))
    done, total = 0, 2 ** len(columns)
    survivors: dict[Subset, Flags] = {(): np.array(True)}
    for size in range(1, len(columns) + 1):
        larger: dict[Subset, Flags] = {}
        for subset in combinations(columns, size):
            larger[subset] = _search_subset(evaluator, subset, survivors)
            done += 1
            progress(say("searching"), done / total)
        survivors = larger
    return survivors[tuple(columns)]


def _search_subset(evaluator: Evaluator, subset: Subset, survivors: dict[Subset, Flags]) -> Flags:
    """Valid nodes over the columns of ``subset``."""
    lattice = Lattice(tuple(evaluator.domain.heights[column] for column in subset))
    candidates = np.ones(lattice.shape, bool)
    for place in range(len(subset)):
        smaller = survivors[subset[:place] + subset[place + 1 :]]
        candidates &= np.expand_dims(smaller, place)
    valid = np.zeros(lattice.shape, bool)
    nodes = np.argwhere(candidates)
    for levels in nodes[np.argsort(nodes.sum(axis=1), kind="stable")].tolist():
        node = tuple(levels)
        if not valid[node] and evaluator.satisfies(_within(evaluator, subset, node)):
            valid[lattice.up_set(node)] = True
    return valid


def _within(evaluator: Evaluator, subset: Subset, node: Node) -> tuple[int | None, ...]:
    """A node over a subset as a node over all columns, None where a column is left out."""
    levels: list[int | None] = [None] * len(evaluator.domain.columns)
    for column, level in zip(subset, node, strict=True):
        levels[column] = level
    return tuple(levels)


def _one_by_one(evaluator: Evaluator, progress: Progress) -> Flags:
    lattice = evaluator.lattice
    valid = np.zeros(lattice.shape, bool)
    hopeless = np.zeros(lattice.shape, bool)
    nodes = np.argwhere(~valid)
    by_height = nodes[np.argsort(-nodes.sum(axis=1), kind="stable")].tolist()
    for number, levels in enumerate(by_height):
        node = tuple(levels)
        if hopeless[node]:
            continue
        one = evaluator.check(node)
        valid[node] = one.is_valid
        if one.tally.doomed > evaluator.allowed:
            hopeless[lattice.down_set(node)] = True
        progress(say("searching"), number / len(by_height))
    return valid
