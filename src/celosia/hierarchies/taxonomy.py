"""Groups of groups of values, written down in code."""

from collections.abc import Iterable, Mapping
from typing import Any

from celosia.errors import HierarchyError
from celosia.hierarchies.building import ROOT, require_parameter
from celosia.hierarchies.hierarchy import Hierarchy
from celosia.hierarchies.trees import tree_paths
from celosia.say import say

__all__ = ["taxonomy"]


def taxonomy(column: str, groups: Mapping[str, Any], *, root: str = ROOT) -> Hierarchy:
    """From groups: each name stands for a list of values or for further groups; ``root`` is put on top.

    >>> places = {"Spain": {"Galicia": ["Lugo", "Vigo"], "Aragón": ["Teruel"]}, "Andorra": []}
    >>> for path in taxonomy("place", places).rows():
    ...     print(" < ".join(path))
    Lugo < Galicia < Spain < *
    Vigo < Galicia < Spain < *
    Teruel < Aragón < Spain < *
    Andorra < Andorra < Andorra < *
    """
    try:
        tree = {"value": root, "children": _nodes(column, groups)}
    except RecursionError:
        raise HierarchyError(
            say("a group holds itself"),
            where=say("hierarchy of {column!r}", column=column),
            remedy=say("write each group once"),
        ) from None
    require_parameter(
        column, bool(tree["children"]), what=say("there are no groups"), remedy=say("give at least one")
    )
    return _merging(
        Hierarchy.from_rows(column, tree_paths(tree, where=say("hierarchy of {column!r}", column=column)))
    )


def _nodes(column: str, groups: Any) -> list[dict[str, Any]]:
    if isinstance(groups, Mapping):
        return [{"value": name, "children": _nodes(column, inner)} for name, inner in groups.items()]
    if isinstance(groups, Iterable) and not isinstance(groups, str):
        return [{"value": value} for value in groups]
    raise HierarchyError(
        say("a group holds {content!r}", content=groups),
        where=say("hierarchy of {column!r}", column=column),
        remedy=say("a group is a list of values or a mapping of further groups"),
    )


def _merging(hierarchy: Hierarchy) -> Hierarchy:
    """Without the levels that merge nothing beyond the one below; the values and the root stay."""
    sizes = [len(labels) for labels in hierarchy.labels]
    kept = [level for level in range(1, hierarchy.height) if 1 < sizes[level] < sizes[level - 1]]
    if len(kept) == hierarchy.height - 1:
        return hierarchy
    rows = hierarchy.rows()
    return Hierarchy.from_rows(hierarchy.column, [tuple(path[i] for i in (0, *kept, -1)) for path in rows])
