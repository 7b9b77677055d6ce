"""Every generalization there is: valid or not, what it loses, and whom it leaves at which risk."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from celosia.api.planning import ExploredTable, explore_project
from celosia.server.work.kind import JobContext, JobKind, JobSummary, Parameters
from celosia.server.work.results import CandidateResult, CandidatesResult, LevelShape

if TYPE_CHECKING:
    import numpy as np

    from celosia.api.results import Exploration, Hierarchy

__all__ = ["KIND"]

Node = tuple[int, ...]
MOST = 5000
"""Candidates that are kept: the best of them, where there are more."""


class CandidatesParameters(Parameters):
    """How many to keep."""

    most: int = MOST


def work(task: JobContext[CandidatesParameters]) -> JobSummary:
    """Evaluate every node of the lattice."""
    name = task.parameters.table or next(iter(task.project.tables), None)
    table_explored = explore_project(task.project, name, progress=task.progress, ask=task.ask)
    plan, explored, rows = table_explored.plan, table_explored.nodes, table_explored.rows
    optimal, minimal = set(explored.best_nodes(plan.measure)), set(explored.minimal_nodes())
    front = _frontier(explored, plan.measure, rows)
    nodes = _ranked(explored, plan.measure, task.parameters.most, further=[*front, *minimal])
    best = _choose(explored, optimal)
    result: CandidatesResult = {
        "table": name,
        "columns": list(plan.quasi_identifiers),
        "heights": list(explored.lattice.heights),
        "hierarchies": dict(table_explored.reasons),
        "samples": {
            column: _samples(table_explored.hierarchies[column]) for column in plan.quasi_identifiers
        },
        "shapes": {column: _shapes(table_explored, column) for column in plan.quasi_identifiers},
        "measure": plan.measure,
        "models": [model.describe() for model in plan.models],
        "nodes": explored.lattice.size,
        "valid": int(explored.is_valid.sum()),
        "rows": rows,
        "best": None if best is None else list(best),
        "frontier": [list(node) for node in front],
        "candidates": [_candidate(explored, node, rows, optimal, minimal) for node in nodes],
    }
    task.keep(result)
    return {"nodes": explored.lattice.size, "valid": int(explored.is_valid.sum())}


def _ranked(explored: "Exploration", measure: str, most: int, *, further: Iterable[Node] = ()) -> list[Node]:
    """Valid nodes first, those that lose least before others; ``further`` are kept however much they lose."""
    import numpy as np

    values, shape = explored.measures[measure].ravel(), explored.is_valid.shape
    order = np.lexsort((values, ~explored.is_valid.ravel()))
    is_kept = np.zeros(len(order), bool)
    is_kept[order[:most]] = True
    is_kept[[np.ravel_multi_index(node, shape) for node in further]] = True
    return [_node(place, shape) for place in order[is_kept[order]]]


def _frontier(explored: "Exploration", measure: str, rows: int) -> list[Node]:
    """Valid nodes that no other beats: none has less risk without losing more. From the least risk on."""
    import numpy as np

    places = np.flatnonzero(explored.is_valid.ravel())
    left = rows - explored.suppressed.ravel()[places]
    # All rows suppressed risk nothing, and are no release: they are no choice.
    places, left = places[left > 0], left[left > 0]
    risks = explored.classes.ravel()[places] / left
    values = explored.measures[measure].ravel()[places]
    order = np.lexsort((values, risks))
    lowest = np.minimum.accumulate(np.concatenate(([np.inf], values[order])))[:-1]
    return [_node(place, explored.is_valid.shape) for place in places[order[values[order] < lowest]]]


def _node(place: "np.int64", shape: tuple[int, ...]) -> Node:
    import numpy as np

    return tuple(int(level) for level in np.unravel_index(place, shape))


def _choose(explored: "Exploration", optimal: Iterable[Node]) -> Node | None:
    """Of nodes that lose equally little, the one that a search takes: it suppresses least, then comes first."""
    return min(optimal, key=lambda node: (int(explored.suppressed[node]), node), default=None)


def _candidate(
    explored: "Exploration", node: tuple[int, ...], rows: int, optimal: set[Node], minimal: set[Node]
) -> CandidateResult:
    suppressed, classes = int(explored.suppressed[node]), int(explored.classes[node])
    left = rows - suppressed
    return {
        "node": list(node),
        "valid": bool(explored.is_valid[node]),
        "optimal": node in optimal,
        "minimal": node in minimal,
        "suppressed": suppressed,
        "classes": classes,
        # The risk of the average person is one over the size of her class, averaged over people.
        "risk": classes / left if left else 0.0,
        "measures": {name: float(values[node]) for name, values in explored.measures.items()},
    }


def _samples(hierarchy: "Hierarchy") -> list[str]:
    """A label of every level, of the value in the middle: the first and the last are often odd ones.

    The value itself is left out: whoever may see solutions may not always see the table.
    """
    rows = hierarchy.rows()
    return ["", *rows[len(rows) // 2][1:]] if rows else []


def _shapes(explored: ExploredTable, column: str) -> list[LevelShape]:
    """What the labels of every level above the values look like."""
    return [{"kind": shape.kind, "size": shape.size} for shape in explored.shapes(column)]


KIND = JobKind("candidates", work, CandidatesParameters)
