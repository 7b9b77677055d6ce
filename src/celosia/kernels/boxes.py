"""Cuts of small parts, led by what all columns cover on both sides of every cut.

The points of a part are listed once per column in the order of their codes; a cut parts every list in two, and the
sides go on with theirs. So nothing is sorted again, and the lowest and the highest code of a column are the ends of its
list. Two sweeps over a list, up and down, tell what the points on either side of every cut cover.
"""

import numpy as np

from .arrays import Axes, Codes, Flags, Floats, Integers, Points
from .compiler import inner
from .parts import BINS, FEW, add_child, share_of

__all__ = ["cut_by_boxes", "finish_by_boxes", "make_box_room"]

BoxRoom = tuple[Points, Integers, Floats, Integers, Floats, Floats, Points, Flags, Floats]
"""Arrays that are made once and used for every part; see ``make_box_room``."""

LANES = 4
"""Columns that a sweep follows at once: as many as a register holds."""
LISTED = 4096
"""Powers of numbers below this are worked out once."""


def make_box_room(size: int, width: int) -> BoxRoom:
    """Space to work in for parts of up to ``size`` points."""
    blocks = -(-width // LANES)
    powers: Floats = np.arange(LISTED + 1, dtype=np.float64) ** (1.0 - 1.0 / width)
    powers[LISTED] = 1.0 - 1.0 / width
    return (
        np.empty(
            (width + 1, size), np.uint16
        ),  # per column that varies its list of points; the last in their order
        np.empty(width, np.int64),  # the columns that vary
        np.zeros((blocks, size, LANES)),  # the places of every point in them
        np.empty((3, size), np.int64),  # cuts: last place of the list on the left, rows there, a stack
        np.empty((2, size)),  # what the left and the right side of every cut cover
        np.empty((2, size, LANES)),  # lowest and highest places
        np.empty(size, np.uint16),
        np.empty(size, np.bool_),
        powers,
    )


@inner
def _list_points(codes: Codes, start: int, end: int, axes: Axes, room: BoxRoom) -> int:
    """List the points of a part by every column in which they vary; returns how many columns that are."""
    lists, varied, spots, keys = room[0], room[1], room[2], room[3][2]
    starts, places, ups = axes[0], axes[1], axes[2]
    size, count = end - start, 0
    for c in range(codes.shape[0]):
        column = codes[c, start:end]
        varies = False
        for x in range(size):
            varies |= column[x] != column[0]
        if not varies:
            continue
        points, page, lane = lists[count], spots[count // LANES], count % LANES
        own = places[starts[c] : starts[c + 1]]
        for x in range(size):
            keys[x] = np.int64(column[x]) << 16 | x
            page[x, lane] = column[x] if ups[c, 0] > 0 else own[column[x]]
        _sort_points(keys[:size], points)
        varied[count] = c
        count += 1
    for x in range(size):
        lists[-1, x] = x
    for lane in range(count, len(spots) * LANES):
        for x in range(size):
            spots[lane // LANES, x, lane % LANES] = 0.0
    return count


@inner
def _sort_points(keys: Integers, points: Points) -> None:
    """The places of some different numbers in ascending order.

    For each it counts the smaller ones, which takes no branches and goes on in several lanes of a register at once: of
    so few that is the fastest way.
    """
    for x in range(len(keys)):
        key, smaller = keys[x], 0
        for y in range(len(keys)):
            smaller += keys[y] < key
        points[smaller] = x


@inner
def _find_cuts(
    column: Codes,
    weights: Integers,
    points: Points,
    first: int,
    last: int,
    total: int,
    least: int,
    cuts: Integers,
) -> int:
    """Where a list can be cut: the place of the last point on the left, and the rows up to it."""
    cut_count = rows = 0
    here = column[points[first]]
    for i in range(first, last - 1):
        rows += weights[points[i]]
        there = column[points[i + 1]]
        cuts[0, cut_count], cuts[1, cut_count] = i, rows
        # Without branches, which nobody could foresee: a cut that is none is written over by the next.
        cut_count += (here != there) & (rows >= least) & (total - rows >= least)
        here = there
    low, span = column[points[first]], here - column[points[first]] + 1
    if span <= 2 * BINS or last - first <= FEW:
        return cut_count
    scale, kept = BINS / span, 0
    for cut in range(cut_count):
        i = cuts[0, cut]
        here, there = column[points[i]], column[points[i + 1]]
        if int((here - low) * scale) != int((there - low) * scale):
            cuts[0, kept], cuts[1, kept] = i, cuts[1, cut]
            kept += 1
    return kept


@inner
def _sweep(
    points: Points,
    base: int,
    step: int,
    page: Floats,
    ends: Integers,
    count: int,
    lows: Floats,
    highs: Floats,
) -> None:
    """``lows[cut]`` and ``highs[cut]``: extremes of the points up to every cut, or with a ``step`` of -1 beyond it.

    The four columns are written out: so they stay in registers.
    """
    a = b = c = d = np.inf
    e = f = g = h = -np.inf
    i = base
    for turn in range(count):
        cut = turn if step > 0 else count - 1 - turn
        end = ends[cut] + 1 if step > 0 else ends[cut]
        while i != end:
            x = points[i]
            p, q, r, s = page[x, 0], page[x, 1], page[x, 2], page[x, 3]
            a, b, c, d = min(a, p), min(b, q), min(c, r), min(d, s)
            e, f, g, h = max(e, p), max(f, q), max(g, r), max(h, s)
            i += step
        lows[cut, 0], lows[cut, 1], lows[cut, 2], lows[cut, 3] = a, b, c, d
        highs[cut, 0], highs[cut, 1], highs[cut, 2], highs[cut, 3] = e, f, g, h


@inner
def _add_shares(
    cut_count: int, block: int, count: int, varied: Integers, axes: Axes, boxes: Floats, sums: Floats
) -> None:
    """Add what the columns of a block cover, one after the other: so equal cuts cost exactly the same."""
    starts, places, ups, shares = axes
    lows, highs = boxes[0], boxes[1]
    for lane in range(min(LANES, count - block * LANES)):
        c = varied[block * LANES + lane]
        if ups[c, 0] == 0:
            for cut in range(cut_count):
                sums[cut] += highs[cut, lane] - lows[cut, lane]
        else:
            for cut in range(cut_count):
                low, high = int(lows[cut, lane]), int(highs[cut, lane])
                sums[cut] += share_of(low, high, c, starts, places, ups, shares)


@inner
def _power(rows: int, powers: Floats) -> float:
    """``rows`` to the power that ``powers`` lists for small numbers, its last entry being the power itself."""
    if rows < len(powers) - 1:
        return float(powers[rows])
    return float(rows ** powers[-1])


@inner
def _choose_cut(
    codes: Codes,
    weights: Integers,
    part: tuple[int, int],
    first: int,
    last: int,
    total: int,
    least: int,
    banned: int,
    count: int,
    axes: Axes,
    room: BoxRoom,
) -> tuple[int, int]:
    """The cut after which the loss to be expected is lowest: the number of its list, the place of its last point.

    A part of n rows that covers the share s of the columns will, cut on and on down to k rows, lose about
    s (k / n)^(1 / d): each of log2(n / k) further cuts halves one of d columns. So what two sides will lose
    together is in proportion to n1^(1 - 1/d) s1 + n2^(1 - 1/d) s2.
    """
    lists, varied, spots, cuts, sums, boxes, _, _, powers = room
    best, best_list, best_place = np.inf, -1, -1
    for number in range(count):
        c, points = varied[number], lists[number]
        if (banned >> c) & 1:
            continue
        cut_count = _find_cuts(codes[c, part[0] : part[1]], weights, points, first, last, total, least, cuts)
        if cut_count == 0:
            continue
        for side in range(2):
            for cut in range(cut_count):
                sums[side, cut] = 0.0
            for block in range(-(-count // LANES)):
                base, step = (first, 1) if side == 0 else (last - 1, -1)
                _sweep(points, base, step, spots[block], cuts[0], cut_count, boxes[0], boxes[1])
                _add_shares(cut_count, block, count, varied, axes, boxes, sums[side])
        for cut in range(cut_count):
            rows = cuts[1, cut]
            cost = _power(rows, powers) * sums[0, cut] + _power(total - rows, powers) * sums[1, cut]
            if cost < best:
                best, best_list, best_place = cost, number, cuts[0, cut]
    return best_list, best_place


@inner
def _choose_any_cut(
    codes: Codes,
    weights: Integers,
    part: tuple[int, int],
    first: int,
    last: int,
    total: int,
    least: int,
    banned: int,
    count: int,
    room: BoxRoom,
) -> tuple[int, int]:
    """The most even cut between any two codes: where bins were too coarse to find any."""
    lists, varied = room[0], room[1]
    best, best_list, best_place = least - 1, -1, -1
    for number in range(count):
        column, points = codes[varied[number], part[0] : part[1]], lists[number]
        if (banned >> varied[number]) & 1:
            continue
        rows = 0
        for i in range(first, last - 1):
            rows += weights[points[i]]
            even = min(rows, total - rows)
            if even > best and column[points[i]] != column[points[i + 1]]:
                best, best_list, best_place = even, number, i
    return best_list, best_place


@inner
def _part_lists(first: int, last: int, number: int, place: int, count: int, room: BoxRoom) -> None:
    """Bring the points up to ``place`` of one list to the front of all others, everything else in its order."""
    lists, spare, goes_left = room[0], room[6], room[7]
    for i in range(first, last):
        goes_left[lists[number, i]] = i <= place
    for other in range(count + 1):
        if other == number:
            continue
        points = lists[other] if other < count else lists[-1]
        here, there = first, 0
        for i in range(first, last):
            point = points[i]
            points[here] = spare[there] = point
            is_left = goes_left[point]
            here += is_left
            there += not is_left
        for i in range(there):
            points[here + i] = spare[i]


@inner
def finish_by_boxes(
    codes: Codes,
    weights: Integers,
    order: Integers,
    nodes: Integers,
    node: int,
    node_count: int,
    least: int,
    axes: Axes,
    room: BoxRoom,
) -> int:
    """Cut a small part on and on; returns the number of nodes there are then. Of the rows, only ``order`` is moved."""
    start, end = nodes[node, 0], nodes[node, 1]
    part, weights = (start, end), weights[start:end]
    count = _list_points(codes, start, end, axes, room)
    lists, stack = room[0], room[3][2]
    stack[0], waiting = node, 1
    while waiting:
        waiting -= 1
        node = stack[waiting]
        first, last, total, banned = (
            nodes[node, 0] - start,
            nodes[node, 1] - start,
            nodes[node, 2],
            nodes[node, 5],
        )
        if total < 2 * least or last - first < 2:
            continue
        number, place = _choose_cut(
            codes, weights, part, first, last, total, least, banned, count, axes, room
        )
        if number < 0 and last - first > FEW:
            number, place = _choose_any_cut(
                codes, weights, part, first, last, total, least, banned, count, room
            )
        if number < 0:
            continue
        rows = 0
        for i in range(first, place + 1):
            rows += weights[lists[number, i]]
        _part_lists(first, last, number, place, count, room)
        nodes[node, 3], nodes[node, 4] = node_count, room[1][number]
        add_child(nodes, node_count, start + first, start + place + 1, rows)
        add_child(nodes, node_count + 1, start + place + 1, start + last, total - rows)
        stack[waiting], stack[waiting + 1] = node_count + 1, node_count
        waiting += 2
        node_count += 2
    _reorder(order[start:end], lists[-1], stack)
    return node_count


@inner
def _reorder(order: Integers, points: Points, spare: Integers) -> None:
    for i in range(len(order)):
        spare[i] = order[i]
    for i in range(len(order)):
        order[i] = spare[points[i]]


@inner
def cut_by_boxes(
    codes: Codes,
    weights: Integers,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    axes: Axes,
    room: BoxRoom,
) -> tuple[int, int]:
    """The column in which a small part is best cut, and the last code on the left; -1 where it cannot be."""
    weights = weights[start:end]
    count = _list_points(codes, start, end, axes, room)
    number, place = _choose_cut(
        codes, weights, (start, end), np.int64(0), end - start, total, least, banned, count, axes, room
    )
    if number < 0:
        return -1, -1
    c = room[1][number]
    return c, codes[c, start + room[0][number, place]]
