"""Classes that change row by row: who is in which, what each covers, and what it would cover without any of its rows.

``state`` is, per row, its class, the next and the previous row of it, the join and the cost of the class without that
row; per class its first row, its rows (people), its cost per row, its join, and when it was last changed.
"""

from typing import Any

import numpy as np

from celosia.kernels.compiler import inner
from celosia.kernels.joins import copy_join, cost_of, widen

__all__ = ["CLOCK", "FREE", "LOOKED", "add", "is_diverse", "make_state", "refresh", "remove"]

CLOCK, FREE, LOOKED = 0, 1, 2
"""Places among the counters: what was changed so far, the classes that were ever begun, and up to which of them empty
ones were looked for."""


def make_state(points: Any, classes: Any, weights: Any) -> Any:
    """The state in which some classes are; :func:`refresh` has to be called for each of them."""
    size, width = points.shape[0], points.shape[1]
    count = int(classes.max(initial=-1)) + 1
    order = np.argsort(classes, kind="stable")
    first = np.ones(size, np.bool_)
    first[1:] = classes[order][1:] != classes[order][:-1]
    head = np.full(size + 1, -1, np.int64)
    following, previous = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    head[classes[order][first]] = order[first]
    following[order[:-1][~first[1:]]] = order[1:][~first[1:]]
    previous[order[1:][~first[1:]]] = order[:-1][~first[1:]]
    rows = np.zeros(size + 1, np.int64)
    rows[:count] = np.bincount(classes, weights=weights, minlength=count)
    return (
        classes.astype(np.int64).copy(),
        following,
        previous,
        np.empty((size, width, 2), np.int32),
        np.zeros(size),
        head,
        rows,
        np.zeros(size + 1),
        np.empty((size + 1, width, 2), np.int32),
        np.zeros(size + 1, np.int64),
        np.array([1, count, 0], np.int64),
    )


@inner
def refresh(own: int, points: Any, axes: Any, state: Any) -> None:
    """Work out what a class covers and costs, as it is and without each of its rows.

    Up the list of rows, each gets the join of those before it; down again, those behind it join in.
    """
    _, following, previous, without, cost_without, head, rows, costs, joins, changed, counters = state
    counters[CLOCK] += 1
    changed[own] = counters[CLOCK]
    row = head[own]
    if row < 0:
        rows[own], costs[own] = 0, 0.0
        return
    join = joins[own]
    copy_join(join, points[row])
    last = row
    row = following[row]
    while row >= 0:
        copy_join(without[row], join)
        widen(join, points[row], axes)
        last = row
        row = following[row]
    costs[own] = cost_of(join, axes)
    first = head[own]
    if last == first:
        copy_join(without[first], points[first])
        cost_without[first] = 0.0
        return
    # What is behind a row is kept in the place of the first one, whose own turn is last.
    behind = without[first]
    copy_join(behind, points[last])
    cost_without[last] = cost_of(without[last], axes)
    row = previous[last]
    while row != first:
        widen(without[row], behind, axes)
        cost_without[row] = cost_of(without[row], axes)
        widen(behind, points[row], axes)
        row = previous[row]
    cost_without[first] = cost_of(behind, axes)


@inner
def remove(row: int, weights: Any, state: Any) -> None:
    """Take a row out of its class; what is known of the class is no longer true."""
    class_of, following, previous, head, rows = state[0], state[1], state[2], state[5], state[6]
    own = class_of[row]
    if previous[row] >= 0:
        following[previous[row]] = following[row]
    else:
        head[own] = following[row]
    if following[row] >= 0:
        previous[following[row]] = previous[row]
    rows[own] -= weights[row]
    class_of[row] = -1


@inner
def add(row: int, own: int, weights: Any, state: Any) -> None:
    """Put a row that is in no class into one."""
    class_of, following, previous, head, rows = state[0], state[1], state[2], state[5], state[6]
    following[row], previous[row] = head[own], -1
    if head[own] >= 0:
        previous[head[own]] = row
    head[own] = row
    rows[own] += weights[row]
    class_of[row] = own


@inner
def is_diverse(own: int, leaving: int, coming: int, values: Any, wanted: Any, seen: Any, state: Any) -> bool:
    """Whether a class has enough different values once a row has left and another has come; -1 stands for none."""
    starts, codes = values
    following, head = state[1], state[5]
    for j in range(len(wanted)):
        seen[0] += 1
        stamp, have, row = seen[0], 0, head[own]
        if coming >= 0:
            for i in range(starts[j, coming], starts[j, coming + 1]):
                if seen[1 + codes[i]] != stamp:
                    seen[1 + codes[i]] = stamp
                    have += 1
        while row >= 0 and have < wanted[j]:
            if row != leaving:
                for i in range(starts[j, row], starts[j, row + 1]):
                    if seen[1 + codes[i]] != stamp:
                        seen[1 + codes[i]] = stamp
                        have += 1
            row = following[row]
        if have < wanted[j]:
            return False
    return True
