"""Mondrian: cut the rows in two, and each part again, as long as both sides keep enough rows.

Rows are physically moved, so that every part is one stretch of the arrays and is read in order. A row is a combination
of codes with a weight, the number of people who have it; codes count up in the order of their column, so that a cut is
a code: up to it goes left. The tree of cuts is written down in order of creation, parents before children.
"""

from typing import Any

import numba
import numpy as np
import numpy.typing as npt

__all__ = [
    "DEVIATION",
    "GAIN",
    "LOSS",
    "MEDIAN",
    "SAME",
    "SPAN",
    "add_child",
    "grow",
    "share_of",
    "sort_by_code",
]

inner = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For loops that only other loops call: they need no way in from Python, which takes time to compile."""

LOSS, MEDIAN, GAIN = 0, 1, 2
SPAN, DEVIATION = 0, 1
CAREFUL, MANY, CAREFUL_OF_MANY = 512, 200_000, 64
"""In parts of up to 512 points the shares of all columns are looked at on both sides of every cut; in spaces of many
points only in parts of up to 64, which takes much less time and loses hardly more."""
MEDIANS = 62
"""This bit of the columns that may not be cut says that cuts are to be at medians."""
LISTED = 4096
"""Powers of numbers below this are worked out once."""
BINS = 128
"""Where a column has more different codes than twice this, the cuts that are looked at lie between so many bins."""
FEW = 48
"""So few combinations are sorted instead."""
SAME = 1e-9
"""Widths this close are the same; the column that comes first is cut."""


@inner
def share_of(low: int, high: int, c: int, starts: Any, places: Any, ups: Any, shares: Any) -> float:
    """What part of column ``c`` a class from code ``low`` to code ``high`` covers: 0 for one value."""
    if low == high:
        return 0.0
    start, size = starts[c], starts[c + 1] - starts[c]
    height = ups[c, 0]
    if height == 0:
        return float(places[start + high] - places[start + low])
    place = ups[c, 1]
    for _ in range(height):
        if shares[1, place + low] == shares[1, place + high]:
            return float(shares[0, place + low])
        place += size
    return 1.0


@inner
def sort_by_code(rows: Any, count: int, codes: Any, c: int) -> None:
    """Put some rows into the order of their codes in a column.

    Shell's sort with the gaps of Knuth: the parts are small, and the library's sort takes seconds to compile.
    """
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            row, place = rows[i], i
            code = codes[row, c]
            while place >= gap and codes[rows[place - gap], c] > code:
                rows[place] = rows[place - gap]
                place -= gap
            rows[place] = row
        gap //= 3


@inner
def _group(
    codes: Any, weights: Any, start: int, end: int, c: int, low: int, high: int, places_rows: bool, work: Any
) -> int:
    """The distinct codes of a column in a part, ascending, as ``values`` and ``rows``; if asked every row's place."""
    values, rows, place, seen, order = work
    size, span = end - start, high - low + 1
    if span <= 4 * size + 64:
        for v in range(span):
            seen[v] = 0
        for x in range(start, end):
            seen[codes[x, c] - low] += weights[x]
        found = 0
        for v in range(span):
            if seen[v] > 0:
                values[found], rows[found] = v + low, seen[v]
                seen[v] = found
                found += 1
        if places_rows:
            for x in range(start, end):
                place[x - start] = seen[codes[x, c] - low]
        return found
    for i in range(size):
        order[i] = start + i
    sort_by_code(order, size, codes, c)
    found = -1
    for i in range(size):
        x = order[i]
        if found < 0 or values[found] != codes[x, c]:
            found += 1
            values[found], rows[found] = codes[x, c], 0
        rows[found] += weights[x]
        place[x - start] = found
    return found + 1


@inner
def _bin(
    codes: Any, weights: Any, start: int, end: int, c: int, low: int, high: int, places_rows: bool, work: Any
) -> int:
    """As ``_group``, but many different codes are put into ``BINS`` bins; ``values`` are their largest codes."""
    values, rows, place, _, order = work
    size, span = end - start, high - low + 1
    if span <= 2 * BINS or size <= FEW:
        return int(_group(codes, weights, start, end, c, low, high, places_rows, work))
    for b in range(BINS):
        values[b], rows[b] = -1, 0
    scale = BINS / span
    for x in range(start, end):
        b = int((codes[x, c] - low) * scale)
        values[b] = max(values[b], codes[x, c])
        rows[b] += weights[x]
        place[x - start] = b
    found = 0
    for b in range(BINS):
        if rows[b] > 0:
            values[found], rows[found], order[b] = values[b], rows[b], found
            found += 1
    if places_rows:
        for x in range(size):
            place[x] = order[place[x]]
    return found


@inner
def _extremes(codes: Any, start: int, end: int, low: Any, high: Any) -> None:
    width = codes.shape[1]
    for c in range(width):
        low[c] = high[c] = codes[start, c]
    for x in range(start + 1, end):
        for c in range(width):
            value = codes[x, c]
            low[c] = min(low[c], value)
            high[c] = max(high[c], value)


@inner
def _boxes(size: int, groups: int, place: Any, spots: Any, left: Any, right: Any) -> None:
    """``left[group]`` and ``right[group]``: extremes of all columns up to and from that group on."""
    width = spots.shape[1]
    for g in range(groups):
        for c in range(width):
            left[g, 0, c], left[g, 1, c] = np.inf, -np.inf
    for x in range(size):
        g = place[x]
        for c in range(width):
            left[g, 0, c] = min(left[g, 0, c], spots[x, c])
            left[g, 1, c] = max(left[g, 1, c], spots[x, c])
    for c in range(width):
        right[groups - 1, 0, c] = left[groups - 1, 0, c]
        right[groups - 1, 1, c] = left[groups - 1, 1, c]
    for g in range(groups - 2, -1, -1):
        for c in range(width):
            right[g, 0, c] = min(right[g + 1, 0, c], left[g, 0, c])
            right[g, 1, c] = max(right[g + 1, 1, c], left[g, 1, c])
    for g in range(1, groups):
        for c in range(width):
            left[g, 0, c] = min(left[g - 1, 0, c], left[g, 0, c])
            left[g, 1, c] = max(left[g - 1, 1, c], left[g, 1, c])


@inner
def _box_share(box: Any, varied: Any, count: int, axes: Any) -> float:
    """The shares of the columns that vary, added up, of a box of places (of codes where there is a hierarchy)."""
    starts, places, ups, shares = axes
    total = 0.0
    for i in range(count):
        c = varied[i]
        if ups[c, 0] == 0:
            total += box[1, c] - box[0, c]
        else:
            total += share_of(int(box[0, c]), int(box[1, c]), c, starts, places, ups, shares)
    return total


@inner
def _power(rows: int, powers: Any) -> float:
    """``rows`` to the power that ``powers`` lists for small numbers, its last entry being the power itself."""
    if rows < len(powers) - 1:
        return float(powers[rows])
    return float(rows ** powers[-1])


@inner
def _cut_by_boxes(
    codes: Any,
    weights: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Any,
    high: Any,
    axes: Any,
    work: Any,
    boxes: Any,
) -> tuple[int, int]:
    """The cut after which the loss to be expected is lowest.

    A part of n rows that covers the share s of the columns will, cut on and on down to k rows, lose about
    s (k / n)^(1 / d): each of log2(n / k) further cuts halves one of d columns. So what two sides will lose
    together is in proportion to n1^(1 - 1/d) s1 + n2^(1 - 1/d) s2.
    """
    values, rows, place = work[0], work[1], work[2]
    spots, lefts, rights, varied, powers = boxes
    best, best_column, best_code = np.inf, -1, -1
    count = 0
    for c in range(codes.shape[1]):
        if low[c] < high[c]:
            varied[count] = c
            count += 1
            for x in range(start, end):
                is_tree = axes[2][c, 0] > 0
                spots[x - start, c] = codes[x, c] if is_tree else axes[1][axes[0][c] + codes[x, c]]
    for i in range(count):
        c = varied[i]
        if (banned >> c) & 1:
            continue
        groups = _bin(codes, weights, start, end, c, low[c], high[c], True, work)
        _boxes(end - start, groups, place, spots, lefts, rights)
        rows_left = 0
        for g in range(groups - 1):
            rows_left += rows[g]
            if min(rows_left, total - rows_left) >= least:
                left = _box_share(lefts[g], varied, count, axes)
                right = _box_share(rights[g + 1], varied, count, axes)
                cost = _power(rows_left, powers) * left + _power(total - rows_left, powers) * right
                if cost < best:
                    best, best_column, best_code = cost, c, values[g]
    return best_column, best_code


@inner
def _cut_by_shares(
    codes: Any,
    weights: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Any,
    high: Any,
    column_shares: Any,
    axes: Any,
    work: Any,
) -> tuple[int, int]:
    """The cut that lowers n1 s1 + n2 s2 most, the shares s of other columns taken as they are: for large parts."""
    starts, places, ups, shares = axes
    values, rows = work[0], work[1]
    best, best_column, best_code = np.inf, -1, -1
    everything = 0.0
    for c in range(len(column_shares)):
        everything += column_shares[c]
    for c in range(codes.shape[1]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _bin(codes, weights, start, end, c, low[c], high[c], False, work)
        others = everything - column_shares[c]
        rows_left = 0
        for g in range(groups - 1):
            rows_left += rows[g]
            if min(rows_left, total - rows_left) >= least:
                left = others + share_of(low[c], values[g], c, starts, places, ups, shares)
                right = others + share_of(values[g] + 1, high[c], c, starts, places, ups, shares)
                cost = rows_left * left + (total - rows_left) * right
                if cost < best:
                    best, best_column, best_code = cost, c, values[g]
    return best_column, best_code


@inner
def _cut_anywhere(
    codes: Any,
    weights: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Any,
    high: Any,
    work: Any,
) -> tuple[int, int]:
    """Any cut that leaves enough rows, the most even one: where bins were too coarse to find any."""
    values, rows = work[0], work[1]
    best, best_column, best_code = least - 1, -1, -1
    for c in range(codes.shape[1]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _group(codes, weights, start, end, c, low[c], high[c], False, work)
        rows_left = 0
        for g in range(groups - 1):
            rows_left += rows[g]
            even = min(rows_left, total - rows_left)
            if even > best:
                best, best_column, best_code = even, c, values[g]
    return best_column, best_code


@inner
def _cut_by_median(
    codes: Any,
    weights: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Any,
    high: Any,
    widths: Any,
    is_relaxed: bool,
    work: Any,
) -> tuple[int, int]:
    """The median of the widest column that can be cut there; up to the median goes left, or half of the rows."""
    values, rows = work[0], work[1]
    tried = banned
    while True:
        c, widest = -1, -1.0  # a column whose values lie too close to have a width is cut last
        for other in range(codes.shape[1]):
            if not (tried >> other) & 1 and low[other] < high[other] and widths[other] > widest * (1 + SAME):
                c, widest = other, widths[other]
        if c < 0:
            return -1, -1
        groups = _group(codes, weights, start, end, c, low[c], high[c], False, work)
        rows_left, g = rows[0], 0
        while 2 * rows_left < total:
            g += 1
            rows_left += rows[g]
        if is_relaxed or (g < groups - 1 and rows_left >= least and total - rows_left >= least):
            return c, values[g]
        tried |= 1 << c


@inner
def _count_targets(
    weights: Any, targets: Any, start: int, end: int, groups: int, place: Any, counts: Any
) -> None:
    """``counts[group, target]`` of the rows between two."""
    for g in range(groups):
        for t in range(counts.shape[1]):
            counts[g, t] = 0
    for x in range(start, end):
        counts[place[x - start], targets[x]] += weights[x]


@inner
def _gain(on_left: Any, whole: Any, rows_left: int, total: int) -> float:
    """The information gain of a cut, less what is the same for every cut of a part.

    That is the sum of x log x over the targets of both sides, less n log n of each side.
    """
    gain = -rows_left * np.log(rows_left) - (total - rows_left) * np.log(total - rows_left)
    for t in range(len(whole)):
        if on_left[t] > 0:
            gain += on_left[t] * np.log(on_left[t])
        if whole[t] > on_left[t]:
            gain += (whole[t] - on_left[t]) * np.log(whole[t] - on_left[t])
    return float(gain)


@inner
def _cut_by_gain(
    codes: Any,
    weights: Any,
    targets: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Any,
    high: Any,
    counts: Any,
    work: Any,
) -> tuple[int, int]:
    """The cut that tells most about the target: the highest information gain; of equal ones, the most even."""
    values, rows, place = work[0], work[1], work[2]
    classes = counts.shape[1]
    best, best_even, best_column, best_code = -np.inf, 0, -1, -1
    on_left, whole = np.zeros(classes), np.zeros(classes)
    for x in range(start, end):
        whole[targets[x]] += weights[x]
    for c in range(codes.shape[1]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _group(codes, weights, start, end, c, low[c], high[c], True, work)
        _count_targets(weights, targets, start, end, groups, place, counts)
        for t in range(classes):
            on_left[t] = 0
        rows_left = 0
        for g in range(groups - 1):
            rows_left += rows[g]
            for t in range(classes):
                on_left[t] += counts[g, t]
            if rows_left < least:
                continue
            if total - rows_left < least:
                break
            gain = _gain(on_left, whole, rows_left, total)
            even = min(rows_left, total - rows_left)
            margin = SAME * total
            if gain > best + margin or (gain > best - margin and even > best_even):
                best, best_even, best_column, best_code = gain, even, c, values[g]
    return best_column, best_code


@inner
def _widths(
    codes: Any, weights: Any, start: int, end: int, low: Any, high: Any, axes: Any, kind: int, widths: Any
) -> None:
    """How wide each column is here: its share, or its range in standard deviations of these rows."""
    starts, places, ups, shares = axes
    for c in range(codes.shape[1]):
        widths[c] = share_of(low[c], high[c], c, starts, places, ups, shares)
        if kind != DEVIATION or widths[c] == 0:
            continue
        rows = mean = squares = 0.0
        for x in range(start, end):
            value = places[starts[c] + codes[x, c]]
            rows += weights[x]
            step = value - mean
            mean += step * weights[x] / rows
            squares += weights[x] * step * (value - mean)
        extent = places[starts[c] + high[c]] - places[starts[c] + low[c]]
        widths[c] = extent / np.sqrt(squares / rows) if squares > 0 else 0.0


@inner
def _part(
    codes: Any,
    weights: Any,
    targets: Any,
    order: Any,
    start: int,
    end: int,
    c: int,
    code: int,
    equal: int,
    spare: Any,
) -> int:
    """Move the rows up to ``code`` to the front, all in their order; returns where the others begin.

    Of those that have the code itself, the first ``equal`` go there.
    """
    spare_codes, spare_weights, spare_targets, spare_order = spare
    width = codes.shape[1]
    here, there = start, 0
    for x in range(start, end):
        goes_left = codes[x, c] < code
        if codes[x, c] == code and equal > 0:
            goes_left = True
            equal -= 1
        if goes_left:
            for other in range(width):
                codes[here, other] = codes[x, other]
            weights[here], targets[here], order[here] = weights[x], targets[x], order[x]
            here += 1
        else:
            for other in range(width):
                spare_codes[there, other] = codes[x, other]
            spare_weights[there], spare_targets[there] = weights[x], targets[x]
            spare_order[there] = order[x]
            there += 1
    for x in range(there):
        for other in range(width):
            codes[here + x, other] = spare_codes[x, other]
        weights[here + x], targets[here + x] = spare_weights[x], spare_targets[x]
        order[here + x] = spare_order[x]
    return here


@inner
def _choose(
    codes: Any,
    weights: Any,
    targets: Any,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    split: int,
    kind: int,
    is_relaxed: bool,
    axes: Any,
    room: Any,
) -> tuple[int, int, int]:
    """The column to cut, the last code that goes left, and how many rows that have it do; a column -1 for none."""
    low, high, widths, work, boxes, counts = room
    c, code, equal = -1, -1, end - start
    if (banned >> MEDIANS) & 1:
        split = MEDIAN
    _extremes(codes, start, end, low, high)
    _widths(codes, weights, start, end, low, high, axes, kind, widths)
    if split == GAIN:
        c, code = _cut_by_gain(
            codes, weights, targets, start, end, total, least, banned, low, high, counts, work
        )
    elif split == LOSS:
        if end - start <= len(boxes[0]):
            c, code = _cut_by_boxes(
                codes, weights, start, end, total, least, banned, low, high, axes, work, boxes
            )
        else:
            c, code = _cut_by_shares(
                codes, weights, start, end, total, least, banned, low, high, widths, axes, work
            )
        if c < 0:
            c, code = _cut_anywhere(codes, weights, start, end, total, least, banned, low, high, work)
    if split == MEDIAN or (c < 0 and is_relaxed):
        c, code = _cut_by_median(
            codes, weights, start, end, total, least, banned, low, high, widths, is_relaxed, work
        )
        if c >= 0 and is_relaxed:
            equal = total // 2
            for x in range(start, end):
                equal -= codes[x, c] < code
    return c, code, equal


@numba.njit(cache=True, nogil=True)
def _grow(
    codes: Any,
    weights: Any,
    targets: Any,
    order: Any,
    nodes: Any,
    found: int,
    limit: int,
    least: int,
    split: int,
    kind: int,
    is_relaxed: bool,
    axes: Any,
    room: Any,
    spare: Any,
) -> int:
    """Cut the nodes given, then what comes of them, until nothing can be cut or there are ``limit`` nodes."""
    node = 0
    while node < found and found + 2 <= limit:
        start, end, total = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        if total >= 2 * least and end - start > 1 and nodes[node, 3] < 0:
            c, code, equal = _choose(
                codes,
                weights,
                targets,
                start,
                end,
                total,
                least,
                nodes[node, 5],
                split,
                kind,
                is_relaxed,
                axes,
                room,
            )
            if c >= 0:
                middle = _part(codes, weights, targets, order, start, end, c, code, equal, spare)
                rows_left = 0
                for x in range(start, middle):
                    rows_left += weights[x]
                nodes[node, 3], nodes[node, 4] = found, c
                add_child(nodes, found, start, middle, rows_left)
                add_child(nodes, found + 1, middle, end, total - rows_left)
                found += 2
        node += 1
    return found


@inner
def add_child(nodes: Any, number: int, start: int, end: int, rows: int) -> None:
    """Write down a part that is not cut yet."""
    nodes[number, 0], nodes[number, 1], nodes[number, 2] = start, end, rows
    nodes[number, 3], nodes[number, 4], nodes[number, 5] = -1, -1, 0


Integers = npt.NDArray[np.int64]
Axes = tuple[Integers, npt.NDArray[np.float64], Integers, npt.NDArray[np.float64]]


def _make_room(
    codes: npt.NDArray[np.int32], nodes: Integers, split: int, starts: Integers, classes: int
) -> Any:
    """Space to work in, enough for the largest of the nodes."""
    points, width = codes.shape
    largest = max(BINS, int((nodes[:, 1] - nodes[:, 0]).max(initial=0)))
    span = max(1, int(np.diff(starts).max(initial=1)))
    work = (
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(largest, np.int64),
        np.empty(min(span, 4 * largest + 64), np.int64),
        np.empty(largest, np.int64),
    )
    careful = CAREFUL if points <= MANY else CAREFUL_OF_MANY
    size = min(largest, careful) if split == LOSS else 1
    groups = max(size, BINS)
    powers = np.arange(LISTED + 1) ** (1.0 - 1.0 / width)
    powers[LISTED] = 1.0 - 1.0 / width
    boxes = (
        np.zeros((size, width)),
        np.empty((groups, 2, width)),
        np.empty((groups, 2, width)),
        np.empty(width, np.int64),
        powers,
    )
    counts = np.empty((largest if split == GAIN else 1, classes))
    spare = (
        np.empty((largest, width), np.int32),
        np.empty(largest, np.int64),
        np.empty(largest, np.int32),
        np.empty(largest, np.int64),
    )
    return (np.empty(width, np.int64), np.empty(width, np.int64), np.empty(width), work, boxes, counts), spare


def grow(
    codes: npt.NDArray[np.int32],
    weights: Integers,
    targets: npt.NDArray[np.int32],
    order: Integers,
    nodes: Integers,
    *,
    least: int,
    split: int,
    width: int,
    is_relaxed: bool,
    axes: Axes,
    classes: int,
    limit: int | None = None,
) -> Integers:
    """Cut the leaves among ``nodes`` on and on; returns all nodes, those given first.

    ``codes[row]``, ``weights[row]``, ``targets[row]`` (below ``classes``) and ``order[row]`` are moved in place.
    ``nodes[node]`` is (first row, row after the last, people, first child or -1, column cut or -1, columns that may
    not be cut here as bits); the second child follows the first. ``axes`` are, as :mod:`celosia.recode.space` makes
    them: where each column begins in the tables, the place of every code, (height, start) of each hierarchy, and
    the share and the number of every code's label at each level.
    """
    open_nodes = nodes[nodes[:, 3] < 0]
    most = int((open_nodes[:, 2] // max(1, least)).sum() if len(open_nodes) else 0)
    room = min(most, int((open_nodes[:, 1] - open_nodes[:, 0]).sum()))
    whole = np.empty((len(nodes) + 2 * room, nodes.shape[1]), np.int64)
    whole[: len(nodes)] = nodes
    most_nodes = len(whole) if limit is None else min(limit, len(whole))
    room, spare = _make_room(codes, open_nodes, split, axes[0], classes)
    found = _grow(
        codes,
        weights,
        targets,
        order,
        whole,
        len(nodes),
        most_nodes,
        least,
        split,
        width,
        is_relaxed,
        axes,
        room,
        spare,
    )
    return whole[:found].copy()
