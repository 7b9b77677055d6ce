"""Hierarchies as nested trees, ``{"value": label, "children": [...]}``, with a column's values as leaves."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from celosia.errors import HierarchyError
from celosia.hierarchies.encoding import MOST_LEVELS
from celosia.say import say

__all__ = ["build_tree", "tree_paths"]


def tree_paths(tree: Any, *, where: str) -> Iterator[tuple[str, ...]]:
    """The path from every leaf of a tree to its root.

    >>> list(tree_paths({"value": "*", "children": [{"value": "F"}, {"value": 0}]}, where="sex"))
    [('F', '*'), ('0', '*')]
    """
    # A stack of our own: nesting is bounded by our message, not by Python's recursion limit.
    waiting: list[tuple[Any, tuple[str, ...]]] = [(tree, ())]
    while waiting:
        node, above = waiting.pop()
        path = (_label(node, above, where), *above)
        if len(path) > MOST_LEVELS:
            raise HierarchyError(
                say(
                    "the tree is more than {most} levels deep at {label!r}",
                    most=MOST_LEVELS,
                    label=path[0],
                ),
                where=where,
                remedy=say("does a label stand below itself?"),
            )
        children = node.get("children") or ()
        if not isinstance(children, Sequence) or isinstance(children, str):
            raise HierarchyError(
                say("the children of {label!r} are no list", label=path[0]),
                where=where,
                remedy=say('write "children": [ ... ]'),
            )
        if not children:
            yield path
        waiting.extend((child, path) for child in reversed(children))


def _label(node: Any, above: tuple[str, ...], where: str) -> str:
    value = node.get("value") if isinstance(node, Mapping) else None
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise HierarchyError(
        say('a node under {label!r} has no "value"', label=above[0])
        if above
        else say('a node at the root has no "value"'),
        where=where,
        remedy=say('write {{"value": label, "children": [ ... ]}}'),
    )


def build_tree(rows: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The tree of equally long paths with one root; a value that only repeats itself becomes one leaf.

    >>> build_tree([("Single", "Single", "*"), ("Married", "Family", "*")])
    {'value': '*', 'children': [{'value': 'Single'},
                                {'value': 'Family', 'children': [{'value': 'Married'}]}]}
    """
    root: dict[str, Any] = {"value": rows[0][-1]}
    nodes: dict[tuple[int, str], dict[str, Any]] = {(len(rows[0]) - 1, rows[0][-1]): root}
    members = Counter((level, label) for path in rows for level, label in enumerate(path))
    repeats = [_repeats(path, members) for path in rows]
    # Where every value repeats itself, that level is meant: taking it away would change the height.
    spare = min(repeats)
    for path, repeated in zip(rows, repeats, strict=True):
        parent = root
        for level in range(len(path) - 2, repeated - spare - 1, -1):
            node = nodes.get((level, path[level]))
            if node is None:
                node = nodes[level, path[level]] = {"value": path[level]}
                parent.setdefault("children", []).append(node)
            parent = node
    return root


def _repeats(path: Sequence[str], members: Mapping[tuple[int, str], int]) -> int:
    """How many labels from level 1 up only repeat the value and hold nothing else, the root not counted."""
    repeated = 0
    while repeated + 2 < len(path) and path[repeated + 1] == path[0] and members[repeated + 1, path[0]] == 1:
        repeated += 1
    return repeated
