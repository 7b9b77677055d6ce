"""Every generalization there is: valid or not, what it loses, and whom it leaves at which risk."""

from typing import TYPE_CHECKING, Any

from celosia.server.work.kind import Kind, Parameters, Work

if TYPE_CHECKING:
    from celosia.recode.explore import Exploration

__all__ = ["KIND"]

MOST = 5000
"""Candidates that are kept: the best of them, where there are more."""


class Asked(Parameters):
    """How many to keep."""

    most: int = MOST


def work(task: Work) -> dict[str, Any]:
    """Evaluate every node of the lattice."""
    from celosia import run

    name = task.parameters.table or next(iter(task.project.tables), None)
    plan = task.project.plan(name)
    with run.prepared(task.project, name=name, progress=task.progress, ask=task.ask) as prepared:
        explored = run.explore_task(prepared)
        rows, heights = prepared.counts.rows, explored.lattice.heights
        reasons = dict(prepared.reasons)
        labels = {column: _samples(prepared.hierarchies[column]) for column in plan.quasi_identifiers}
    nodes = _ranked(explored, plan.measure, task.parameters.most)
    optimal, minimal = set(explored.best_nodes(plan.measure)), set(explored.minimal_nodes())
    task.keep(
        {
            "columns": list(plan.quasi_identifiers),
            "heights": list(heights),
            "hierarchies": reasons,
            "samples": labels,
            "measure": plan.measure,
            "models": [model.describe() for model in plan.models],
            "nodes": explored.lattice.size,
            "valid": int(explored.is_valid.sum()),
            "rows": rows,
            "candidates": [_candidate(explored, node, rows, optimal, minimal) for node in nodes],
        }
    )
    return {"nodes": explored.lattice.size, "valid": int(explored.is_valid.sum())}


def _ranked(explored: "Exploration", measure: str, most: int) -> list[tuple[int, ...]]:
    """Valid nodes first, those that lose least before others."""
    import numpy as np

    values = explored.measures[measure].ravel()
    order = np.lexsort((values, ~explored.is_valid.ravel()))[:most]
    return [
        tuple(int(level) for level in np.unravel_index(place, explored.is_valid.shape)) for place in order
    ]


def _candidate(
    explored: "Exploration", node: tuple[int, ...], rows: int, optimal: set[Any], minimal: set[Any]
) -> dict[str, Any]:
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


def _samples(hierarchy: Any) -> list[str]:
    """A label of every level, of the first value."""
    found = hierarchy.rows()
    return list(found[0]) if found else []


KIND = Kind("candidates", work, Asked)
