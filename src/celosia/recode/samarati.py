"""Samarati's search: the lowest height at which a valid node exists, by halving the heights.

It rests on monotonicity: where a height has a valid node, every greater height has one too.

P. Samarati: Protecting respondents' identities in microdata release. TKDE 2001.
"""

import time
from collections.abc import Iterator

from celosia.errors import ProjectError
from celosia.measure.utility import Measure
from celosia.recode.evaluate import Evaluator, NodeEvaluation
from celosia.recode.lattice import Node, require_small
from celosia.recode.result import Candidate, SearchResult
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["check_samarati", "samarati"]


def check_samarati(evaluator: Evaluator) -> None:
    """Raise if the search cannot be led by what is asked for."""
    if not evaluator.is_monotone:
        never = any(not model.union_monotone for model in evaluator.models)
        raise ProjectError(
            say(
                "Samarati's search needs monotone models, and {reason}",
                reason=evaluator.not_monotone,
            )
            if never
            else say("Samarati's search needs monotone models, and these are not with suppression"),
            where="search",
            remedy=say("use --search optimal") if never else say("use --search optimal, or --suppression 0"),
        )
    require_small(evaluator.lattice, "samarati")


def samarati(evaluator: Evaluator, measure: Measure, *, progress: Progress = no_progress) -> SearchResult:
    """All valid nodes of the lowest height that has any, best by ``measure`` first."""
    check_samarati(evaluator)
    started = time.perf_counter()
    before = evaluator.checks
    low, high = 0, sum(evaluator.lattice.heights)
    found = _valid_at(evaluator, high)
    while found and low < high:
        progress(say("searching"), 1 - (high - low) / max(1, sum(evaluator.lattice.heights)))
        middle = (low + high) // 2
        if at_middle := _valid_at(evaluator, middle):
            found, high = at_middle, middle
        else:
            low = middle + 1
    progress(say("searching"), 1.0)
    found.sort(key=lambda one: (one.values[measure.name], one.node))
    return SearchResult(
        search="samarati",
        measure=measure.name,
        candidates=tuple(Candidate.of(one) for one in found),
        is_proven=measure.name == "height" and evaluator.has_equal_weights,
        checks=evaluator.checks - before,
        nodes=evaluator.lattice.size,
        seconds=time.perf_counter() - started,
        note=say("the lowest height with a valid node is {height}", height=high),
    )


def _valid_at(evaluator: Evaluator, height: int) -> list[NodeEvaluation]:
    return [
        one
        for node in _nodes_at(evaluator.lattice.heights, height)
        if (one := evaluator.check(node)).is_valid
    ]


def _nodes_at(heights: Node, total: int) -> Iterator[Node]:
    """All nodes whose levels add up to ``total``.

    >>> list(_nodes_at((1, 2), 2))
    [(0, 2), (1, 1)]
    """
    if not heights:
        if total == 0:
            yield ()
        return
    for level in range(max(0, total - sum(heights[1:])), min(heights[0], total) + 1):
        for rest in _nodes_at(heights[1:], total - level):
            yield (level, *rest)
