"""Mondrian with cuts at the smallest value that leaves enough rows on both sides: peeling, in n log n.

Such a cut takes a few rows off the lower end, so the tree is nearly as deep as the table is long, and going over all
rows of a part at every cut would take the square of their number. Here the points of a part lie, per column, in
ascending order of their codes, with the rows of every group of equal codes and sums for the standard deviation. A cut
takes the smaller side out: its points are no longer the part's, and are passed over when somebody comes along; only
their groups are told at once. The larger side stays as it is. A point moves at most log2(n) times, and one that moves
into a part that cannot be cut again is put into no order at all: most are of this kind.

The smaller side is always cut before the larger one, so that parts lie on a stack: one that begins where the last one
ends, with at most half its points.
"""

import numpy as np
import numpy.typing as npt

from .arrays import Axes, Codes, Integers
from .compiler import inner, outer
from .parts import DEVIATION, SAME, SPAN, add_child, share_of

__all__ = ["DEVIATION", "SPAN", "peel"]

Owners = npt.NDArray[np.uint8]
"""By point: where on the stack the part lies that it is in."""
Groups = tuple[Codes, Integers, Codes]
"""By column and place of a group what is known of it, and its rows; by point and column the place of its group."""
PeelRoom = tuple[Codes, Owners, Groups, Integers, Integers, Integers, Integers, Integers]

MADE_WITH = "16a70c385b9c"
"""Digest of ``parts.py`` and ``compiler.py``.

Numba keeps what it compiled as long as this very file stays the same.
"""
SLOTS = 66
"""Parts on the stack: each has at most half the points of the one below."""
FEW = 64
CODE_BITS, DIGIT_BITS = 32, 8
DIGITS = 1 << DIGIT_BITS
HEAD, TAIL = 0, 1
CODE, SIZE, END, NEXT, BEFORE = 0, 1, 2, 3, 4
"""What is known of a group, which goes by the place of its first point: its code, how many points are still there,
where its places end, and the groups after and before it, -1 for none."""


@inner
def _sort(keys: Integers, count: int, highest: int, tally: Integers) -> int:
    """Sort keys, each a code above ``CODE_BITS`` bits that say whose it is; returns in which of the two rows they lie.

    Few by Shell's sort with the gaps of Knuth, many by dealing them out digit by digit: the library's sort takes
    seconds to compile.
    """
    row = 0
    if count <= FEW:
        gap = 13 if count > 40 else 4 if count > 12 else 1
        while gap > 0:
            for i in range(gap, count):
                key, place = keys[0, i], i
                while place >= gap and keys[0, place - gap] > key:
                    keys[0, place] = keys[0, place - gap]
                    place -= gap
                keys[0, place] = key
            gap //= 3
        return row
    shift = CODE_BITS
    while highest > 0:
        for digit in range(DIGITS):
            tally[digit] = 0
        for i in range(count):
            tally[(keys[row, i] >> shift) & (DIGITS - 1)] += 1
        place = 0
        for digit in range(DIGITS):
            tally[digit], place = place, place + tally[digit]
        for i in range(count):
            digit = (keys[row, i] >> shift) & (DIGITS - 1)
            keys[1 - row, tally[digit]] = keys[row, i]
            tally[digit] += 1
        row, shift, highest = 1 - row, shift + DIGIT_BITS, highest >> DIGIT_BITS
    return row


@inner
def _group(
    c: int,
    start: int,
    end: int,
    slot: int,
    codes: Codes,
    weights: Integers,
    sorted_: Codes,
    groups: Groups,
    ends: Integers,
) -> None:
    """Groups of the points of a new part, which lie in order between two places of a column."""
    info, rows, group_of = groups
    last = -1
    for place in range(start, end):
        point = sorted_[c, place]
        code = codes[point, c]
        if last < 0 or info[c, last, CODE] != code:
            info[c, place, CODE], info[c, place, SIZE], rows[c, place] = code, 0, 0
            info[c, place, NEXT], info[c, place, BEFORE] = -1, last
            if last < 0:
                ends[slot, HEAD, c] = place
            else:
                info[c, last, NEXT], info[c, last, END] = place, place
            last = place
        group_of[point, c] = last
        info[c, last, SIZE] += 1
        rows[c, last] += weights[point]
    info[c, last, END] = end
    ends[slot, TAIL, c] = last


@inner
def _leave(point: int, c: int, slot: int, weight: int, groups: Groups, ends: Integers) -> None:
    """Tell a point's group that it is gone, and those beside the group once it is empty."""
    info, rows, group_of = groups
    group = group_of[point, c]
    rows[c, group] -= weight
    info[c, group, SIZE] -= 1
    if info[c, group, SIZE] > 0:
        return
    before, following = info[c, group, BEFORE], info[c, group, NEXT]
    if before >= 0:
        info[c, before, NEXT] = following
    else:
        ends[slot, HEAD, c] = following
    if following >= 0:
        info[c, following, BEFORE] = before
    else:
        ends[slot, TAIL, c] = before


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
    info, rows = groups[0], groups[1]
    starts, places, ups, shares = axes
    tried = banned
    while total >= 2 * least:
        chosen, widest = -1, -1.0  # a column whose values lie too close to have a width is cut last
        for c in range(ends.shape[1]):
            low, high = info[c, ends[HEAD, c], CODE], info[c, ends[TAIL, c], CODE]
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
        while rows_left + rows[chosen, group] < least:
            rows_left += rows[chosen, group]
            group = info[chosen, group, NEXT]
        if total - rows_left - rows[chosen, group] >= least:
            return chosen, group
        tried |= 1 << chosen
    return -1, -1


@inner
def _count_low(c: int, group: int, head: int, groups: Groups) -> tuple[int, int]:
    """Points and rows from the first group to ``group``."""
    info, rows = groups[0], groups[1]
    current = head
    points, people = info[c, current, SIZE], rows[c, current]
    while current != group:
        current = info[c, current, NEXT]
        points += info[c, current, SIZE]
        people += rows[c, current]
    return points, people


@inner
def _take_out(
    c: int,
    slot: int,
    group: int,
    takes_low: bool,
    top: int,
    ends: Integers,
    groups: Groups,
    sorted_: Codes,
    owner: Owners,
) -> int:
    """List the points of one side of a cut after ``group`` at the top of the first column; returns where they end."""
    info, end = groups[0], top
    current = ends[slot, HEAD, c] if takes_low else info[c, group, NEXT]
    while current >= 0:
        for place in range(current, info[c, current, END]):
            point = sorted_[c, place]
            if owner[point] == slot:
                sorted_[0, end] = point
                end += 1
        if takes_low and current == group:
            break
        current = info[c, current, NEXT]
    return end


@inner
def _move_out(
    start: int,
    end: int,
    old: int,
    new: int,
    codes: Codes,
    weights: Integers,
    sorted_: Codes,
    owner: Owners,
    groups: Groups,
    ends: Integers,
    sums: Integers,
    spots: Integers,
    starts: Integers,
) -> None:
    """Take the points between two places out of one part and into the next."""
    width = codes.shape[1]
    for c in range(width):
        sums[new, 0, c] = sums[new, 1, c] = 0
    for place in range(start, end):
        point = sorted_[0, place]
        owner[point] = new
        for c in range(width):
            _leave(point, c, old, weights[point], groups, ends)
            spot = spots[starts[c] + codes[point, c]]
            sums[new, 0, c] += weights[point] * spot
            sums[new, 1, c] += weights[point] * spot * spot
    for c in range(width):
        sums[old, 0, c] -= sums[new, 0, c]
        sums[old, 1, c] -= sums[new, 1, c]


@inner
def _order_part(
    start: int,
    end: int,
    slot: int,
    codes: Codes,
    weights: Integers,
    sorted_: Codes,
    groups: Groups,
    ends: Integers,
    keys: Integers,
    tally: Integers,
) -> None:
    """Put the points of a part, which are listed in the first column, into the order of every column."""
    for place in range(start, end):
        for c in range(1, codes.shape[1]):
            sorted_[c, place] = sorted_[0, place]
    for c in range(codes.shape[1]):
        highest = 0
        for place in range(start, end):
            point = sorted_[c, place]
            code = int(codes[point, c])
            keys[0, place - start] = (code << CODE_BITS) | int(point)
            highest = max(highest, code)
        row = _sort(keys, end - start, highest, tally)
        for place in range(start, end):
            sorted_[c, place] = keys[row, place - start] & ((1 << CODE_BITS) - 1)
        _group(c, start, end, slot, codes, weights, sorted_, groups, ends)


@inner
def _order_all(
    codes: Codes,
    weights: Integers,
    sorted_: Codes,
    groups: Groups,
    ends: Integers,
    sums: Integers,
    spots: Integers,
    starts: Integers,
    keys: Integers,
) -> None:
    """All points as the first part: dealt out by their codes, which count up from zero.

    What is told of groups is found point by point as they come; in the order of a column they lie anywhere in memory.
    """
    info, rows, group_of = groups
    size, width = codes.shape
    for c in range(width):
        span = starts[c + 1] - starts[c]
        first, people = keys[0], keys[1]
        for code in range(span):
            first[code] = people[code] = 0
        for point in range(size):
            code = codes[point, c]
            first[code] += 1
            people[code] += weights[point]
        place, last = 0, -1
        for code in range(span):
            count, first[code] = first[code], place
            if count == 0:
                continue
            info[c, place, CODE], info[c, place, SIZE], info[c, place, END] = code, count, place + count
            info[c, place, NEXT], info[c, place, BEFORE], rows[c, place] = -1, last, people[code]
            if last < 0:
                ends[0, HEAD, c] = place
            else:
                info[c, last, NEXT] = place
            spot = spots[starts[c] + code]
            sums[0, 0, c] += people[code] * spot
            sums[0, 1, c] += people[code] * spot * spot
            last, people[code] = place, place
            place += count
        ends[0, TAIL, c] = last
        for point in range(size):
            code = codes[point, c]
            group_of[point, c] = people[code]
            sorted_[c, first[code]] = point
            first[code] += 1


@inner
def _name_leaf(
    node: int,
    slot: int,
    ends: Integers,
    groups: Groups,
    sorted_: Codes,
    owner: Owners,
    leaf_of: Integers,
) -> None:
    """Say of the points of a part which leaf they are in."""
    info = groups[0]
    group = ends[slot, HEAD, 0]
    while group >= 0:
        for place in range(group, info[0, group, END]):
            point = sorted_[0, place]
            if owner[point] == slot:
                leaf_of[point] = node
        group = info[0, group, NEXT]


@outer
def _peel(
    codes: Codes,
    weights: Integers,
    least: int,
    kind: int,
    spots: Integers,
    axes: Axes,
    nodes: Integers,
    leaf_of: Integers,
    order: Integers,
    room: PeelRoom,
) -> int:
    starts = axes[0]
    sorted_, owner, groups, ends, sums, keys, tally, waiting = room
    _order_all(codes, weights, sorted_, groups, ends, sums, spots, starts, keys)
    stack, found = 1, 1
    waiting[0, 0], waiting[0, 1] = 0, len(codes)
    while stack:
        slot = stack - 1
        node, top = waiting[slot, 0], waiting[slot, 1]
        start, end, total = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        c, group = _choose(total, least, nodes[node, 5], kind, ends[slot], sums[slot], spots, axes, groups)
        if c < 0:
            _name_leaf(node, slot, ends, groups, sorted_, owner, leaf_of)
            stack -= 1
            continue
        low, low_rows = _count_low(c, group, ends[slot, HEAD, c], groups)
        takes_low = 2 * low <= end - start
        last = _take_out(c, slot, group, takes_low, top, ends, groups, sorted_, owner)
        _move_out(
            top,
            last,
            slot,
            slot + 1,
            codes,
            weights,
            sorted_,
            owner,
            groups,
            ends,
            sums,
            spots,
            starts,
        )
        nodes[node, 3], nodes[node, 4] = found, c
        add_child(nodes, found, start, start + low, low_rows)
        add_child(nodes, found + 1, start + low, end, total - low_rows)
        small = found if takes_low else found + 1
        waiting[slot, 0] = found + 1 if takes_low else found
        found += 2
        if nodes[small, 2] < 2 * least:
            for place in range(top, last):
                leaf_of[sorted_[0, place]] = small
        else:
            _order_part(top, last, slot + 1, codes, weights, sorted_, groups, ends, keys, tally)
            waiting[stack, 0], waiting[stack, 1] = small, last
            stack += 1
    # Points in the order of their leaves: each stands behind those of its leaf that came before.
    for node in range(found):
        keys[0, node] = nodes[node, 0]
    for point in range(len(codes)):
        leaf = leaf_of[point]
        order[keys[0, leaf]] = point
        keys[0, leaf] += 1
    return found


def _make_room(size: int, width: int, *, nodes: int, span: int) -> PeelRoom:
    """Room for the points of all parts on the stack, which are fewer than twice as many as there are points."""
    places = 2 * size
    groups = (
        np.empty((width, places, 5), np.int32),
        np.empty((width, places), np.int64),
        np.empty((size, width), np.int32),
    )
    return (
        np.empty((width, places), np.int32),
        np.zeros(size, np.uint8),
        groups,
        np.empty((SLOTS, 2, width), np.int64),
        np.zeros((SLOTS, 2, width), np.int64),
        np.empty((2, max(size, nodes, span)), np.int64),
        np.empty(DIGITS, np.int64),
        np.empty((SLOTS, 2), np.int64),  # node, and where its points end
    )


def peel(
    codes: Codes,
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
    leaf_of, order = np.empty(len(codes), np.int64), np.empty(len(codes), np.int64)
    span = int(np.diff(axes[0]).max(initial=0))
    room = _make_room(*codes.shape, nodes=len(nodes), span=span)
    found = _peel(codes, weights, least, width, spots, axes, nodes, leaf_of, order, room)
    return nodes[:found].copy(), order
