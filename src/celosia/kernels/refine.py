"""Refinement of classes: rows move, change places or push each other on, classes are dissolved and divided.

Whatever is done lowers what all rows pay together and leaves every class enough rows and enough different values. What
further privacy models ask is judged outside: then every class takes part in one change at most before it is, and each
change is written down so that it can be undone.
"""

from typing import Any

import numba
import numpy as np

from celosia.kernels.class_state import FREE, LOOKED, add, is_diverse, refresh, remove
from celosia.kernels.compiler import inner
from celosia.kernels.joins import copy_join, cost_of, cost_with, distance, widen

__all__ = ["begin", "make_log", "pass_over_classes", "pass_over_rows", "total", "undo"]

MADE_WITH = "e631683c3549"
"""Digest of ``class_state.py``, ``joins.py`` and ``parts.py``: Numba keeps what it compiled as long as this very file
stays the same."""
WORTH = 1e-9
"""A change that gains less is none: it may be rounding."""
MOST_SWAPS = 48
"""Rows of a class with which a row is tried to change places."""
MOST_NEAR = 64
"""Classes near a row that are looked at."""
STAY, MOVE, SWAP, CHAIN = 0, 1, 2, 3


def make_log(size: int, *, is_careful: bool) -> Any:
    """Where changes are written down, as (change, row, class before), and which classes wait to be judged."""
    return (
        np.zeros((2 * size if is_careful else 0, 3), np.int64),
        np.zeros(2, np.int64),
        np.zeros(size + 1, np.bool_),
        np.zeros(size, np.bool_),
    )


@numba.njit(cache=True, nogil=True)
def begin(points: Any, axes: Any, state: Any) -> float:
    """Work out all classes; returns what all rows pay together."""
    found = 0.0
    for own in range(state[10][FREE]):
        refresh(own, points, axes, state)
        found += state[6][own] * state[7][own]
    return found


@numba.njit(cache=True, nogil=True)
def total(state: Any) -> float:
    """What all rows pay together."""
    found = 0.0
    for own in range(state[10][FREE]):
        found += state[6][own] * state[7][own]
    return found


@inner
def _record(row: int, before: int, log: Any, state: Any) -> None:
    """Write down that a row has left a class for the one it is in now; both wait until they are judged."""
    entries, count, waits, _ = log
    if len(entries):
        entries[count[0], 0], entries[count[0], 1], entries[count[0], 2] = count[1], row, before
        count[0] += 1
        waits[before] = waits[state[0][row]] = True


@inner
def _shift(row: int, own: int, weights: Any, state: Any) -> None:
    """Move a row into a class; neither class is worked out anew."""
    remove(row, weights, state)
    add(row, own, weights, state)


@inner
def _near_classes(row: int, lists: Any, log: Any, state: Any, found: Any) -> int:
    """The classes of the rows near a row, without its own and those that wait."""
    class_of, count = state[0], 0
    for i in range(lists.shape[1]):
        other = lists[row, i]
        if other < 0:
            break
        own = class_of[other]
        if own == class_of[row] or log[2][own] or count == MOST_NEAR:
            continue
        is_new = True
        for j in range(count):
            is_new &= found[j] != own
        if is_new:
            found[count] = own
            count += 1
    return count


@inner
def _cheapest(
    row: int, other: int, points: Any, weights: Any, lists: Any, axes: Any, log: Any, state: Any
) -> tuple[float, int]:
    """What the cheapest class near a row, neither its own nor ``other``, would pay more with it in."""
    class_of, rows, costs, joins = state[0], state[6], state[7], state[8]
    best, chosen = np.inf, -1
    for i in range(lists.shape[1]):
        neighbour = lists[row, i]
        if neighbour < 0:
            break
        own = class_of[neighbour]
        if own in (class_of[row], other, chosen) or log[2][own]:
            continue
        before = rows[own] * costs[own]
        after = rows[own] + weights[row]
        raised = after * cost_with(joins[own], points[row], axes, (best + before) / after) - before
        if raised < best:
            best, chosen = raised, own
    return best, chosen


@inner
def _try_row(
    row: int,
    points: Any,
    weights: Any,
    lists: Any,
    axes: Any,
    least: int,
    values: Any,
    wanted: Any,
    log: Any,
    state: Any,
    slack: float,
    room: Any,
) -> float:
    """Do what lowers the loss most for one row: move it, let it change places, or push another on; what was gained."""
    class_of, following, _, without, cost_without, head, rows, costs, joins, _, _ = state
    near, seen, outlets = room
    own, weight = class_of[row], weights[row]
    here = rows[own] * costs[own]
    left = rows[own] - weight
    if costs[own] <= WORTH or left == 0:
        return 0.0
    alone = left * cost_without[row]
    can_leave = left >= least and is_diverse(own, row, -1, values, wanted, seen, state)
    best, action, target, partner, further = slack - WORTH, STAY, -1, -1, -1
    for i in range(_near_classes(row, lists, log, state, near)):
        there = near[i]
        before = rows[there] * costs[there]
        if can_leave:
            after = rows[there] + weight
            limit = (best - alone + here + before) / after
            gain = after * cost_with(joins[there], points[row], axes, limit) - before + alone - here
            if gain < best:
                best, action, target = gain, MOVE, there
        other, count = head[there], 0
        while other >= 0 and count < MOST_SWAPS:
            count += 1
            mine, theirs = left + weights[other], rows[there] - weights[other] + weight
            floor = before + here + best
            # Neither class can cost less than it does without the row that leaves it.
            if theirs >= least and theirs * cost_without[other] + left * cost_without[row] < floor:
                limit = (floor - left * cost_without[row]) / theirs
                new = theirs * cost_with(without[other], points[row], axes, limit)
                if mine >= least and new + mine * cost_without[row] < floor:
                    gain = mine * cost_with(without[row], points[other], axes, (floor - new) / mine)
                    gain += new - before - here
                    if (
                        gain < best
                        and is_diverse(own, row, other, values, wanted, seen, state)
                        and is_diverse(there, other, row, values, wanted, seen, state)
                    ):
                        best, action, target, partner = gain, SWAP, there, other
                if can_leave and new + alone + outlets[other] - before - here < best:
                    raised, beyond = _cheapest(other, own, points, weights, lists, axes, log, state)
                    outlets[other] = raised
                    gain = new + alone + raised - before - here
                    if gain < best and is_diverse(there, other, row, values, wanted, seen, state):
                        best, action, target, partner, further = gain, CHAIN, there, other, beyond
            other = following[other]
    if action != STAY:
        _change(row, action, target, partner, further, points, weights, axes, log, state)
        return -best
    return 0.0


@inner
def _change(
    row: int,
    action: int,
    target: int,
    partner: int,
    further: int,
    points: Any,
    weights: Any,
    axes: Any,
    log: Any,
    state: Any,
) -> None:
    """Move a row to another class and, but for a mere move, a row from there to its own class or further on."""
    own = state[0][row]
    _shift(row, target, weights, state)
    _record(row, own, log, state)
    if action != MOVE:
        _shift(partner, own if action == SWAP else further, weights, state)
        _record(partner, target, log, state)
    if action == CHAIN:
        refresh(further, points, axes, state)
    refresh(own, points, axes, state)
    refresh(target, points, axes, state)
    log[1][1] += 1


@numba.njit(cache=True, nogil=True)
def pass_over_rows(
    points: Any,
    weights: Any,
    lists: Any,
    axes: Any,
    least: int,
    values: Any,
    wanted: Any,
    tried: Any,
    outlets: Any,
    slacks: Any,
    log: Any,
    state: Any,
) -> float:
    """Try every row whose class, or one near it, changed since it was last tried; returns what was gained.

    ``outlets[row]`` is what it took the last time to put a row elsewhere, 0 if nobody asked: a hint, never relied on.
    With ``slacks[row]``, all rows are tried, and what is best for one is done even if it costs so much.
    """
    codes = values[1]
    seen = np.zeros(2 + (codes.max() if len(codes) else 0), np.int64)
    room = np.empty(MOST_NEAR, np.int64), seen, outlets
    class_of, changed, clock = state[0], state[9], state[10]
    gained = 0.0
    for row in range(len(points)):
        if log[2][class_of[row]] or log[3][row]:
            continue
        latest = changed[class_of[row]]
        for i in range(lists.shape[1]):
            if lists[row, i] >= 0:
                latest = max(latest, changed[class_of[lists[row, i]]])
        slack = slacks[row] if len(slacks) else 0.0
        if latest < tried[row] and slack == 0.0:
            continue
        tried[row] = clock[0] + 1
        gained += _try_row(row, points, weights, lists, axes, least, values, wanted, log, state, slack, room)
    return gained


@inner
def _dissolve(
    own: int, points: Any, weights: Any, lists: Any, axes: Any, log: Any, state: Any, moved: Any
) -> float:
    """Let every row of a class join another, if that gains something; what was gained."""
    following, head, rows, costs = state[1], state[5], state[6], state[7]
    before, raised, row, count = rows[own] * costs[own], 0.0, head[own], 0
    while row >= 0 and raised < before:
        raised += _cheapest(row, -1, points, weights, lists, axes, log, state)[0]
        moved[count] = row
        count += 1
        row = following[row]
    if row >= 0 or raised >= before - WORTH:
        return 0.0
    # Rows that join one class pay for each other: what was added up above is only a hint.
    paid, gone = 0.0, 0
    while gone < count and paid < before - WORTH:
        more, there = _cheapest(moved[gone], -1, points, weights, lists, axes, log, state)
        if there < 0:
            break
        paid += more
        _shift(moved[gone], there, weights, state)
        refresh(there, points, axes, state)
        gone += 1
    is_done = gone == count and paid < before - WORTH
    for i in range(gone):
        there = state[0][moved[i]]
        if is_done:
            _record(moved[i], own, log, state)
        else:
            _shift(moved[i], own, weights, state)
            refresh(there, points, axes, state)
    refresh(own, points, axes, state)
    if is_done:
        log[1][1] += 1
    return before - paid if is_done else 0.0


@inner
def _farthest(row: int, own: int, points: Any, axes: Any, state: Any) -> int:
    """The row of a class that is farthest from a row."""
    following, other = state[1], state[5][own]
    most, chosen = -1.0, other
    while other >= 0:
        apart = distance(points[row], points[other], axes, np.inf)
        if apart > most:
            most, chosen = apart, other
        other = following[other]
    return int(chosen)


@inner
def _sort(members: Any, keys: Any, count: int) -> None:
    """Rows in the order of their keys, by Shell's sort."""
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            row, key, place = members[i], keys[i], i
            while place >= gap and keys[place - gap] > key:
                members[place], keys[place] = members[place - gap], keys[place - gap]
                place -= gap
            members[place], keys[place] = row, key
        gap //= 3


@inner
def _side_is_diverse(members: Any, first: int, last: int, values: Any, wanted: Any, seen: Any) -> bool:
    """Whether some of the listed rows have enough different values by themselves."""
    starts, codes = values
    for j in range(len(wanted)):
        seen[0] += 1
        have = 0
        for m in range(first, last):
            for i in range(starts[j, members[m]], starts[j, members[m] + 1]):
                if seen[1 + codes[i]] != seen[0]:
                    seen[1 + codes[i]] = seen[0]
                    have += 1
        if have < wanted[j]:
            return False
    return True


@inner
def _empty_class(log: Any, state: Any) -> int:
    """A class that has no rows, and that no change waiting to be judged has emptied."""
    head, counters = state[5], state[10]
    while counters[LOOKED] < counters[FREE]:
        own = counters[LOOKED]
        counters[LOOKED] += 1
        if head[own] < 0 and not log[2][own]:
            return int(own)
    counters[FREE] += 1
    counters[LOOKED] = counters[FREE]
    return int(counters[FREE] - 1)


@inner
def _divide(
    own: int,
    points: Any,
    weights: Any,
    axes: Any,
    least: int,
    values: Any,
    wanted: Any,
    log: Any,
    state: Any,
    room: Any,
) -> float:
    """Divide a class in two between the rows that are farthest apart, where it gains most; what was gained."""
    following, head, rows, costs = state[1], state[5], state[6], state[7]
    moved, keys, behind, seen, join = room
    one = _farthest(head[own], own, points, axes, state)
    other = _farthest(one, own, points, axes, state)
    row, count = head[own], 0
    while row >= 0:
        near = distance(points[row], points[one], axes, np.inf)
        moved[count], keys[count] = row, near - distance(points[row], points[other], axes, np.inf)
        count += 1
        row = following[row]
    _sort(moved, keys, count)
    copy_join(join, points[moved[count - 1]])
    for i in range(count - 1, 0, -1):
        widen(join, points[moved[i]], axes)
        behind[i] = cost_of(join, axes)
    copy_join(join, points[moved[0]])
    best, place, before = rows[own] * costs[own] - WORTH, 0, 0
    for i in range(1, count):
        widen(join, points[moved[i - 1]], axes)
        before += weights[moved[i - 1]]
        if before < least or rows[own] - before < least:
            continue
        cost = before * cost_of(join, axes) + (rows[own] - before) * behind[i]
        if (
            cost < best
            and _side_is_diverse(moved, 0, i, values, wanted, seen)
            and _side_is_diverse(moved, i, count, values, wanted, seen)
        ):
            best, place = cost, i
    if place == 0:
        return 0.0
    gained = rows[own] * costs[own] - best
    new = _empty_class(log, state)
    for i in range(place, count):
        _shift(moved[i], new, weights, state)
        _record(moved[i], own, log, state)
    refresh(own, points, axes, state)
    refresh(new, points, axes, state)
    log[1][1] += 1
    return float(gained)


@numba.njit(cache=True, nogil=True)
def pass_over_classes(
    points: Any,
    weights: Any,
    lists: Any,
    axes: Any,
    least: int,
    values: Any,
    wanted: Any,
    log: Any,
    state: Any,
) -> float:
    """Divide the classes that are large enough, dissolve those whose rows fare better elsewhere; what was gained."""
    size, codes = len(points), values[1]
    seen = np.zeros(2 + (codes.max() if len(codes) else 0), np.int64)
    moved = np.empty(size, np.int64)
    join = np.empty((points.shape[1], 2), np.int32)
    room = moved, np.empty(size), np.empty(size), seen, join
    rows, costs, counters = state[6], state[7], state[10]
    counters[LOOKED] = 0
    gained, own = 0.0, 0
    while own < counters[FREE]:
        if rows[own] == 0 or costs[own] <= WORTH or log[2][own]:
            own += 1
            continue
        gain = 0.0
        if rows[own] >= 2 * least and counters[FREE] < len(rows):
            gain = _divide(own, points, weights, axes, least, values, wanted, log, state, room)
        if gain == 0.0 and rows[own] < 2 * least:
            gain = _dissolve(own, points, weights, lists, axes, log, state, moved)
        gained += gain
        if gain == 0.0 or rows[own] < 2 * least:
            own += 1
    return gained


@numba.njit(cache=True, nogil=True)
def undo(changes: Any, points: Any, weights: Any, axes: Any, log: Any, state: Any) -> None:
    """Undo the changes that were refused, ``changes[change]``, in the order in which they were made, last first.

    Their rows are not tried again until somebody clears ``log[3]``.
    """
    entries, count, _, refused = log
    for e in range(count[0] - 1, -1, -1):
        if changes[entries[e, 0]]:
            row, there = entries[e, 1], state[0][entries[e, 1]]
            refused[row] = True
            remove(row, weights, state)
            add(row, entries[e, 2], weights, state)
            refresh(there, points, axes, state)
            refresh(entries[e, 2], points, axes, state)
