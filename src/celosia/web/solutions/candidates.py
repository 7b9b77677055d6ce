"""Candidates as a page shows them: which are drawn, where in the lattice, in which order, and what joins them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from celosia.server.work.results import CandidateResult

__all__ = [
    "Node",
    "drawn_candidates",
    "edges",
    "in_order",
    "is_same_task",
    "layout",
    "loss_band",
]

Node = tuple[int, ...]
DRAWN = 400
"""Nodes of a lattice that can still be told apart."""
WIDEST = 44
"""Nodes beside each other that still can."""
BANDS = 4
UNRELATED = ("name", "owner", "purpose", "study", "compare")
"""Fields of a document that change nothing in its solutions."""


def drawn_candidates(
    candidates: Sequence[CandidateResult], nodes: int, *, most: int = DRAWN
) -> list[CandidateResult]:
    """All nodes of a small lattice; of a large one the valid ones that lose least, which come first, of every rank.

    >>> found = [{"node": [0], "valid": False}, {"node": [1], "valid": True}]
    >>> len(drawn_candidates(found, 2)), len(drawn_candidates(found, 10_000))
    (2, 1)
    """
    ranks = Counter(sum(candidate["node"]) for candidate in candidates)
    if nodes <= most and len(candidates) >= nodes and max(ranks.values(), default=0) <= WIDEST:
        return list(candidates)
    shown: list[CandidateResult] = []
    taken: Counter[int] = Counter()
    for candidate in [candidate for candidate in candidates if candidate["valid"]] or candidates:
        rank = sum(candidate["node"])
        if taken[rank] < WIDEST and len(shown) < most:
            taken[rank] += 1
            shown.append(candidate)
    return shown


def layout(nodes: Iterable[Node]) -> dict[Node, tuple[float, float]]:
    """Where each node stands: across between 0 and 1, up by the sum of its levels.

    Within a rank nodes stand near the middle of those they come from, so that few lines cross.

    >>> layout([(0, 0), (0, 1), (1, 0), (1, 1)])
    {(0, 0): (0.5, 0), (0, 1): (0.25, 1), (1, 0): (0.75, 1), (1, 1): (0.5, 2)}
    """
    ranks: dict[int, list[Node]] = defaultdict(list)
    for node in nodes:
        ranks[sum(node)].append(node)
    places: dict[Node, tuple[float, float]] = {}
    for height in sorted(ranks):
        known = {
            node: [places[lower][0] for lower in _below(node) if lower in places] for node in ranks[height]
        }
        middle = {node: sum(across) / len(across) if across else 0.5 for node, across in known.items()}
        for number, node in enumerate(sorted(ranks[height], key=lambda node: (middle[node], node))):
            places[node] = ((number + 0.5) / len(ranks[height]), height)
    return places


def edges(nodes: Iterable[Node]) -> list[tuple[Node, Node]]:
    """Pairs of nodes that differ by one level of one column, the lower one first.

    >>> edges([(0, 0), (0, 1), (1, 1)])
    [((0, 0), (0, 1)), ((0, 1), (1, 1))]
    """
    ordered = sorted(nodes)
    known = set(ordered)
    return sorted((lower, node) for node in ordered for lower in _below(node) if lower in known)


def _below(node: Node) -> list[Node]:
    return [(*node[:place], level - 1, *node[place + 1 :]) for place, level in enumerate(node) if level > 0]


def loss_band(value: float, low: float, high: float) -> int:
    """Which of four bands a loss falls into, 0 the least.

    >>> [loss_band(value, 0.2, 0.6) for value in (0.2, 0.35, 0.6)], loss_band(1, 1, 1)
    ([0, 1, 3], 0)
    """
    if high <= low:
        return 0
    return min(BANDS - 1, max(0, int(BANDS * (value - low) / (high - low))))


def in_order(
    candidates: Iterable[CandidateResult], by: str, *, is_falling: bool = False
) -> list[CandidateResult]:
    """Candidates by a figure of theirs, by the level of a column (``level 2``), or by a measure (``measure loss``).

    >>> found = [{"node": [0, 1], "risk": 0.1}, {"node": [1, 0], "risk": 0.2}]
    >>> [each["node"] for each in in_order(found, "level 0", is_falling=True)]
    [[1, 0], [0, 1]]
    """
    kind, _, name = by.partition(" ")

    def key(candidate: CandidateResult) -> float:
        if kind == "level":
            return candidate["node"][int(name)]
        figures: Mapping[str, Any] = candidate["measures"] if kind == "measure" else candidate
        return float(figures[name if kind == "measure" else kind])

    return sorted(candidates, key=key, reverse=is_falling)


def is_same_task(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Whether two documents have the same solutions, whatever else changed.

    >>> is_same_task({"name": "A", "suppression": 0.1}, {"name": "B", "suppression": 0.1})
    True
    """
    return {key: value for key, value in first.items() if key not in UNRELATED} == {
        key: value for key, value in second.items() if key not in UNRELATED
    }
