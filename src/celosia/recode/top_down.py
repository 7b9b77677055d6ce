"""Top-down specialization: from the most general node down, one column at a time, while the privacy models hold.

Of all steps that leave a valid node the one with the best score is made, until there is none. Every value of a column
goes one level down at once. A step that brings nothing is still made while it is valid: it costs no privacy that was
promised, and may be the way to one that does bring something. Of steps that are equally good, the one of the column
that stands first is made; so equal tables always give equal nodes.

B. C. M. Fung, K. Wang, P. S. Yu: Top-down specialization for information and privacy preservation. ICDE 2005.
X. Zhang, L. T. Yang, C. Liu, J. Chen: A scalable two-phase top-down specialization approach for data anonymization
using MapReduce on cloud. TPDS 25(2), 2014.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from celosia.recode.evaluate import Evaluator
from celosia.recode.gains import rounded
from celosia.recode.lattice import Node
from celosia.recode.scores import Benefits, StepScore
from celosia.say import say
from celosia.tables.table import Progress, no_progress

__all__ = ["Looking", "NodeState", "SpecializationStep", "TopDown", "look_with", "top_down"]


@dataclass(frozen=True)
class NodeState:
    """What a node is like: whether it is valid, and the rows of the smallest class that it releases."""

    is_valid: bool
    smallest: int


Looking = Callable[[Node], NodeState]
"""Looks at a node; it may take a pass over a whole table."""


@dataclass(frozen=True)
class SpecializationStep:
    """A column that went down to a level, what that brought, its score and the smallest class it left."""

    column: int
    level: int
    benefit: float
    score: float
    smallest: int


@dataclass(frozen=True)
class TopDown:
    """The node that was reached, and how: the steps from ``start``, after looking at ``checks`` nodes.

    ``is_valid`` is False where not even the start is valid; then it is the node.
    """

    start: Node
    node: Node
    smallest: int
    steps: tuple[SpecializationStep, ...]
    checks: int
    is_valid: bool = True


def top_down(
    start: Node,
    benefits: Benefits,
    look: Looking,
    score: StepScore,
    *,
    is_monotone: bool = False,
    progress: Progress = no_progress,
) -> TopDown:
    """Go down from ``start`` as far as ``look`` allows, by the best ``score`` each time.

    ``benefits[column][level]`` is what a step down from a level brings. The privacy that it loses is what the smallest
    class shrinks by, and nothing where the smallest is suppressed and a larger one takes its place. ``is_monotone``
    says that nothing below an invalid node is valid: a column that cannot go down then never can, and is not looked at
    again.

    >>> def two_rows_at_least(node):
    ...     smallest = {(1, 1): 4, (0, 1): 2, (1, 0): 3, (0, 0): 1}[node]
    ...     return NodeState(smallest >= 2, smallest)
    >>> from celosia.recode.scores import get_score
    >>> found = top_down((1, 1), [[0.0, 0.6], [0.0, 0.5]], two_rows_at_least, get_score("gain-per-privacy"))
    >>> found.node, found.steps[0].score
    ((1, 0), 0.25)
    """
    first = look(start)
    if not first.is_valid:
        return TopDown(start, start, first.smallest, (), 1, is_valid=False)
    node, smallest, checks = start, first.smallest, 1
    steps: list[SpecializationStep] = []
    closed: set[int] = set()
    while True:
        best: SpecializationStep | None = None
        for bound, column in _candidates(node, benefits, score, closed):
            # All that follow have a lower bound, or the same one and stand further back.
            if best is not None and (-bound, column) > (-best.score, best.column):
                break
            below = _down(node, column)
            seen = look(below)
            checks += 1
            if not seen.is_valid:
                if is_monotone:
                    closed.add(column)
                continue
            benefit = benefits[column][node[column]]
            worth = rounded(score.worth(benefit, max(0, smallest - seen.smallest)))
            if best is None or (-worth, column) < (-best.score, best.column):
                best = SpecializationStep(column, below[column], benefit, worth, seen.smallest)
        if best is None:
            progress(say("specializing"), 1.0)
            return TopDown(start, node, smallest, tuple(steps), checks)
        steps.append(best)
        node, smallest = _down(node, best.column), best.smallest
        progress(say("specializing"), 1.0 - sum(node) / max(1, sum(start)))


def look_with(evaluator: Evaluator) -> Looking:
    """Looks at nodes as an evaluator does, in memory or on a cluster."""
    return lambda node: NodeState(*evaluator.look(node))


def _candidates(
    node: Node, benefits: Benefits, score: StepScore, closed: set[int]
) -> Iterator[tuple[float, int]]:
    """The most that each step can be worth, best first, and its column."""
    bounds = [
        (rounded(score.worth(benefits[column][level], 0)), column)
        for column, level in enumerate(node)
        if level > 0 and column not in closed
    ]
    yield from sorted(bounds, key=lambda one: (-one[0], one[1]))


def _down(node: Node, column: int) -> Node:
    return (*node[:column], node[column] - 1, *node[column + 1 :])
