"""Mondrian with cuts at the smallest value that leaves enough rows on both sides: peeling, in n log n.

Such a cut takes a few rows off the lower end, so the tree is nearly as deep as the table is long, and going over all
rows of a part at every cut would take the square of their number. Here the rows of a part are linked, per column, in
groups of equal codes in ascending order, with sums for the standard deviation. A cut moves the smaller side out, row by
row, and links it anew; the larger side stays as it is. A row moves at most log2(n) times.
"""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Axes, Codes, Integers
from celosia.kernels.parts import DEVIATION, SAME, add_child, inner, share_of, sort_by_code

__all__ = ["peel"]

Groups = tuple[Codes, Integers, Codes, Codes, Codes, Codes]
"""By group, which is points with one code of a column: code, rows, size, first point, next and previous group."""
Links = tuple[Codes, Codes, Codes]
"""By point and column: the points after and before it in its group, and the group."""
Part = tuple[Integers, Integers]
"""``ends[HEAD or TAIL, column]``, the first and last group of a part, and sums over its points by column."""
PeelRoom = tuple[Groups, Links, Integers, Integers, Integers, Integers, Integers, Integers]

MADE_WITH = "08cdd7d8c53c"
"""Digest of ``parts.py``: Numba keeps what it compiled as long as this very file stays the same."""
HEAD, TAIL = 0, 1
SLOTS = 130
"""Parts that wait: the smaller side is cut first, so they are at most log2(n), and twice that is plenty."""


@inner
def _link(
    points: Integers,
    count: int,
    c: int,
    codes: Codes,
    weights: Integers,
    groups: Groups,
    links: Links,
    free: Integers,
    ends: Integers,
) -> None:
    """Put points, which are in ascending order of their codes, into new groups of a column."""
    group_code, group_rows, group_size, group_first, group_next, group_prev = groups
    after, before, group_of = links
    last = -1
    for i in range(count):
        point = points[i]
        if last < 0 or group_code[last] != codes[point, c]:
            free[0] -= 1
            new = free[free[0]]
            group_code[new], group_rows[new], group_size[new] = codes[point, c], 0, 0
            group_first[new], group_next[new], group_prev[new] = -1, -1, last
            if last < 0:
                ends[HEAD, c] = new
            else:
                group_next[last] = new
            last = new
        first = group_first[last]
        after[point, c], before[point, c], group_of[point, c] = first, -1, last
        if first >= 0:
            before[first, c] = point
        group_first[last] = point
        group_rows[last] += weights[point]
        group_size[last] += 1
    ends[TAIL, c] = last


@inner
def _unlink(
    point: int, c: int, weight: int, groups: Groups, links: Links, free: Integers, ends: Integers
) -> None:
    """Take a point out of its group, and the group out of its part once it is empty."""
    _, group_rows, group_size, group_first, group_next, group_prev = groups
    after, before, group_of = links
    group, ahead, behind = group_of[point, c], before[point, c], after[point, c]
    if ahead >= 0:
        after[ahead, c] = behind
    else:
        group_first[group] = behind
    if behind >= 0:
        before[behind, c] = ahead
    group_rows[group] -= weight
    group_size[group] -= 1
    if group_size[group] > 0:
        return
    previous, following = group_prev[group], group_next[group]
    if previous >= 0:
        group_next[previous] = following
    else:
        ends[HEAD, c] = following
    if following >= 0:
        group_prev[following] = previous
    else:
        ends[TAIL, c] = previous
    free[free[0]] = group
    free[0] += 1


@inner
def _choose(
    total: int,
    least: int,
    banned: int,
    kind: int,
    ends: Integers,
    sums: Integers,
    spots: Integers,
    axes: Axes,
    groups: Groups,
) -> tuple[int, int]:
    """The widest column that can be cut, and the last group of the lower side; -1 if there is none."""
    group_code, group_rows, _, _, group_next, _ = groups
    starts, places, ups, shares = axes
    width = ends.shape[1]
    tried = banned
    while total >= 2 * least:
        chosen, widest = -1, -1.0  # a column whose values lie too close to have a width is cut last
        for c in range(width):
            low, high = group_code[ends[HEAD, c]], group_code[ends[TAIL, c]]
            if (tried >> c) & 1 or low == high:
                continue
            wide = share_of(low, high, c, starts, places, ups, shares)
            if kind == DEVIATION:
                smallest = spots[starts[c] + low]
                extent = spots[starts[c] + high] - smallest
                mean = (sums[0, c] - smallest * total) / total
                square = (sums[1, c] - 2 * smallest * sums[0, c] + smallest * smallest * total) / total
                wide = extent / np.sqrt(square - mean * mean) if square > mean * mean else 0.0
            if wide > widest * (1 + SAME):
                chosen, widest = c, wide
        if chosen < 0:
            break
        group, rows_left = ends[HEAD, chosen], 0
        while rows_left + group_rows[group] < least:
            rows_left += group_rows[group]
            group = group_next[group]
        rows_left += group_rows[group]
        if total - rows_left >= least:
            return chosen, group
        tried |= 1 << chosen
    return -1, -1


@inner
def _take_out(
    c: int,
    group: int,
    low_size: int,
    size: int,
    ends: Integers,
    groups: Groups,
    links: Links,
    points: Integers,
) -> int:
    """List the points of the smaller side of a cut after ``group``."""
    _, _, _, group_first, group_next, _ = groups
    after, _, _ = links
    count = 0
    takes_low = 2 * low_size <= size
    current = ends[HEAD, c] if takes_low else group_next[group]
    while current >= 0:
        point = group_first[current]
        while point >= 0:
            points[count] = point
            count += 1
            point = after[point, c]
        if takes_low and current == group:
            break
        current = group_next[current]
    return count


@inner
def _finish(
    node: int, ends: Integers, groups: Groups, links: Links, free: Integers, leaf_of: Integers
) -> None:
    """Make a part a leaf: say so of its points, and give its groups back."""
    for c in range(ends.shape[1]):
        group = ends[HEAD, c]
        while group >= 0:
            point = groups[3][group] if c == 0 else -1
            while point >= 0:
                leaf_of[point] = node
                point = links[0][point, 0]
            free[free[0]] = group
            free[0] += 1
            group = groups[4][group]


@inner
def _count_low(group: int, head: int, groups: Groups) -> tuple[int, int]:
    """Points and rows from the first group to ``group``."""
    points, rows, current = groups[2][head], groups[1][head], head
    while current != group:
        current = groups[4][current]
        points += groups[2][current]
        rows += groups[1][current]
    return points, rows


@inner
def _move_out(
    points: Integers,
    count: int,
    codes: Codes,
    weights: Integers,
    groups: Groups,
    links: Links,
    free: Integers,
    spots: Integers,
    starts: Integers,
    old: Part,
    new: Part,
) -> None:
    """Take points out of a part and make them one of their own; a part is its ends and its sums."""
    width = codes.shape[1]
    for c in range(width):
        new[1][0, c] = new[1][1, c] = 0
    for i in range(count):
        point = points[i]
        for c in range(width):
            _unlink(point, c, weights[point], groups, links, free, old[0])
            spot = spots[starts[c] + codes[point, c]]
            new[1][0, c] += weights[point] * spot
            new[1][1, c] += weights[point] * spot * spot
    for c in range(width):
        old[1][0, c] -= new[1][0, c]
        old[1][1, c] -= new[1][1, c]
        sort_by_code(points, count, codes[:, c])
        _link(points, count, c, codes, weights, groups, links, free, new[0])


@inner
def _link_all(
    codes: Codes,
    weights: Integers,
    orders: Integers,
    spots: Integers,
    starts: Integers,
    groups: Groups,
    links: Links,
    free: Integers,
    part: Part,
) -> None:
    """All points as one part."""
    ends, sums = part
    for c in range(codes.shape[1]):
        _link(orders[c], codes.shape[0], c, codes, weights, groups, links, free, ends)
        for x in range(codes.shape[0]):
            spot = spots[starts[c] + codes[x, c]]
            sums[0, c] += weights[x] * spot
            sums[1, c] += weights[x] * spot * spot


def _make_room(size: int, width: int) -> PeelRoom:
    """Room for every group and part that there can be."""
    pool = size * width
    codes, first, following, previous, sizes = (np.empty(pool, np.int32) for _ in range(5))
    groups = codes, np.empty(pool, np.int64), sizes, first, following, previous
    after, before, group_of = (np.empty((size, width), np.int32) for _ in range(3))
    free = np.arange(-1, pool, dtype=np.int64)
    free[0] = pool + 1  # the first entry says how many there are
    ends = np.empty((SLOTS, 2, width), np.int64)
    sums = np.zeros((SLOTS, 2, width), np.int64)
    waiting = np.zeros((SLOTS, 2), np.int64)  # node, slot
    unused = np.arange(SLOTS - 1, -1, -1, dtype=np.int64)
    return groups, (after, before, group_of), free, ends, sums, np.empty(size, np.int64), waiting, unused


@numba.njit(cache=True, nogil=True)
def _peel(
    codes: Codes,
    weights: Integers,
    orders: Integers,
    least: int,
    kind: int,
    spots: Integers,
    axes: Axes,
    nodes: Integers,
    leaf_of: Integers,
    room: PeelRoom,
) -> int:
    starts = axes[0]
    groups, links, free, ends, sums, points, waiting, unused = room
    _link_all(codes, weights, orders, spots, starts, groups, links, free, (ends[0], sums[0]))
    stack, spare, node_count = 1, SLOTS - 1, 1  # slot 0 is taken
    while stack:
        stack -= 1
        node, slot = waiting[stack]
        start, end, total = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        c, group = _choose(total, least, nodes[node, 5], kind, ends[slot], sums[slot], spots, axes, groups)
        if c < 0:
            _finish(node, ends[slot], groups, links, free, leaf_of)
            unused[spare] = slot
            spare += 1
            continue
        low, low_rows = _count_low(group, ends[slot, HEAD, c], groups)
        count = _take_out(c, group, low, end - start, ends[slot], groups, links, points)
        spare -= 1
        new = unused[spare]
        _move_out(
            points,
            count,
            codes,
            weights,
            groups,
            links,
            free,
            spots,
            starts,
            (ends[slot], sums[slot]),
            (ends[new], sums[new]),
        )
        nodes[node, 3], nodes[node, 4] = node_count, c
        add_child(nodes, node_count, start, start + low, low_rows)
        add_child(nodes, node_count + 1, start + low, end, total - low_rows)
        is_low_new = 2 * low <= end - start
        waiting[stack, 0], waiting[stack, 1] = node_count + (1 if is_low_new else 0), slot
        waiting[stack + 1, 0], waiting[stack + 1, 1] = node_count + (0 if is_low_new else 1), new
        stack += 2
        node_count += 2
    return node_count


def peel(
    codes: npt.NDArray[np.int32],
    weights: Integers,
    *,
    least: int,
    width: int,
    spots: Integers,
    axes: Axes,
    banned: int = 0,
) -> tuple[Integers, Integers]:
    """All nodes, as :func:`celosia.kernels.mondrian.grow` writes them down, and the order of the points in them.

    ``spots`` are whole numbers in proportion to the places of the codes, so that their sums are exact; columns in
    ``banned``, as bits, are not cut first.
    """
    leaves = min(len(codes), int(weights.sum()) // max(1, least))
    nodes = np.empty((2 * leaves + 1, 6), np.int64)
    nodes[0] = 0, len(codes), weights.sum(), -1, -1, banned
    leaf_of = np.empty(len(codes), np.int64)
    orders = np.stack([np.argsort(codes[:, c], kind="stable") for c in range(codes.shape[1])])
    node_count = _peel(
        codes, weights, orders, least, width, spots, axes, nodes, leaf_of, _make_room(*codes.shape)
    )
    order = np.argsort(nodes[leaf_of, 0], kind="stable")
    return nodes[:node_count].copy(), order
