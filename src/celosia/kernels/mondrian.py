"""Mondrian: cut the rows in two, and each part again, as long as both sides keep enough rows.

Rows are physically moved, so that every part is one stretch of the arrays and is read in order. A row is a combination
of codes with a weight, the number of people who have it; codes count up in the order of their column, so that a cut is
a code: up to it goes left. Codes lie column by column, because nearly every loop goes along one. The tree of cuts is
written down in order of creation, parents before children.
"""

import math

import numpy as np
import numpy.typing as npt

from .arrays import Axes, Codes, Floats, Indexes, Integers
from .boxes import BoxRoom, cut_by_boxes, finish_by_boxes, make_box_room
from .compiler import inner, outer
from .parts import (
    BINS,
    DEVIATION,
    FEW,
    MEDIANS,
    SAME,
    SPAN,
    add_child,
    share_of,
    sort_by_code,
)

__all__ = ["DEVIATION", "GAIN", "LOSS", "MEDIAN", "SPAN", "UP_TO_MEDIAN", "grow"]

GroupWork = tuple[Integers, Integers, Integers, Integers, Integers]
"""``values`` and ``rows`` of the codes of a part, the ``place`` of every row, and room to count and to sort."""
TargetCounts = tuple[Floats, Floats, Floats]
"""Rows by code and target, and those on the left and in all."""
GrowRoom = tuple[Integers, Integers, Floats, GroupWork, BoxRoom, TargetCounts]
"""Lowest and highest codes and widths of a part, and room for each way of cutting."""
SpareRows = tuple[Indexes, Indexes, Integers]
"""Rows that go left and right, and values on their way."""

MADE_WITH = "5a7fb016b52f"
"""Digest of ``boxes.py``, ``parts.py`` and ``compiler.py``.

Numba keeps what it compiled as long as this very file stays the same.
"""
LOSS, MEDIAN, GAIN, UP_TO_MEDIAN = 0, 1, 2, 3
CAREFUL, MANY, CAREFUL_OF_MANY = 512, 200_000, 64
"""In parts of up to 512 points the shares of all columns are looked at on both sides of every cut; in spaces of many
points only in parts of up to 64, which takes much less time and loses hardly more."""


@inner
def _group(column: Codes, weights: Integers, low: int, high: int, places_rows: bool, work: GroupWork) -> int:
    """The distinct codes of a column in a part, ascending, as ``values`` and ``rows``; if asked every row's place."""
    values, rows, place, seen, order = work
    size, span = len(column), high - low + 1
    if span <= 4 * size + 64:
        for v in range(span):
            seen[v] = 0
        for x in range(size):
            seen[column[x] - low] += weights[x]
        groups = 0
        for v in range(span):
            if seen[v] > 0:
                values[groups], rows[groups] = v + low, seen[v]
                seen[v] = groups
                groups += 1
        if places_rows:
            for x in range(size):
                place[x] = seen[column[x] - low]
        return groups
    for x in range(size):
        order[x] = x
    sort_by_code(order, size, column)
    groups = -1
    for i in range(size):
        x = order[i]
        if groups < 0 or values[groups] != column[x]:
            groups += 1
            values[groups], rows[groups] = column[x], 0
        rows[groups] += weights[x]
        place[x] = groups
    return groups + 1


@inner
def _bin(column: Codes, weights: Integers, low: int, high: int, work: GroupWork) -> int:
    """As ``_group``, but many different codes are put into ``BINS`` bins; ``values`` are their largest codes."""
    values, rows = work[0], work[1]
    size, span = len(column), high - low + 1
    if span <= 2 * BINS or size <= FEW:
        return int(_group(column, weights, low, high, False, work))
    for b in range(BINS):
        values[b], rows[b] = -1, 0
    scale = BINS / span
    for x in range(size):
        code = column[x]
        own = np.uint64((code - low) * scale)  # unsigned: nothing is counted from the end
        if code > values[own]:  # noqa: PLR1730  nearly never, and what is not written need not be waited for
            values[own] = code
        rows[own] += weights[x]
    bins = 0
    for b in range(BINS):
        if rows[b] > 0:
            values[bins], rows[bins] = values[b], rows[b]
            bins += 1
    return bins


@inner
def _extremes(codes: Codes, start: int, end: int, low: Integers, high: Integers) -> None:
    for c in range(codes.shape[0]):
        column = codes[c, start:end]
        lowest = highest = column[0]
        for x in range(len(column)):
            lowest = min(lowest, column[x])
            highest = max(highest, column[x])
        low[c], high[c] = lowest, highest


@inner
def _cut_by_shares(
    codes: Codes,
    weights: Integers,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Integers,
    high: Integers,
    column_shares: Floats,
    axes: Axes,
    work: GroupWork,
) -> tuple[int, int]:
    """The cut that lowers n1 s1 + n2 s2 most, the shares s of other columns taken as they are: for large parts."""
    starts, places, ups, shares = axes
    values, rows = work[0], work[1]
    best, best_column, best_code = np.inf, -1, -1
    everything = 0.0
    for c in range(len(column_shares)):
        everything += column_shares[c]
    for c in range(codes.shape[0]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _bin(codes[c, start:end], weights[start:end], low[c], high[c], work)
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
    codes: Codes,
    weights: Integers,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Integers,
    high: Integers,
    work: GroupWork,
) -> tuple[int, int]:
    """Any cut that leaves enough rows, the most even one: where bins were too coarse to find any."""
    values, rows = work[0], work[1]
    best, best_column, best_code = least - 1, -1, -1
    for c in range(codes.shape[0]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _group(codes[c, start:end], weights[start:end], low[c], high[c], False, work)
        rows_left = 0
        for g in range(groups - 1):
            rows_left += rows[g]
            even = min(rows_left, total - rows_left)
            if even > best:
                best, best_column, best_code = even, c, values[g]
    return best_column, best_code


@inner
def _cut_by_median(
    codes: Codes,
    weights: Integers,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Integers,
    high: Integers,
    widths: Floats,
    is_relaxed: bool,
    is_even: bool,
    work: GroupWork,
) -> tuple[int, int]:
    """The median of the widest column that can be cut there; up to the median goes left, or half of the rows.

    Where it ``is_even``, the median goes to the side that makes both more alike: of a column in which it is the last
    value, as with the country of most people, nothing would be on the right.
    """
    values, rows = work[0], work[1]
    tried = banned
    while True:
        c, widest = -1, -1.0  # a column whose values lie too close to have a width is cut last
        for other in range(codes.shape[0]):
            if not (tried >> other) & 1 and low[other] < high[other] and widths[other] > widest * (1 + SAME):
                c, widest = other, widths[other]
        if c < 0:
            return -1, -1
        _group(codes[c, start:end], weights[start:end], low[c], high[c], False, work)
        rows_left, g = rows[0], 0
        while 2 * rows_left < total:
            g += 1
            rows_left += rows[g]
        if is_relaxed:
            return c, values[g]
        before = rows_left - rows[g]
        if is_even and min(before, total - before) > min(rows_left, total - rows_left):
            g, rows_left = g - 1, before
        if min(rows_left, total - rows_left) >= least:
            return c, values[g]
        tried |= 1 << c


@inner
def _count_targets(
    weights: Integers, targets: Codes, start: int, end: int, groups: int, place: Integers, counts: Floats
) -> None:
    """``counts[group, target]`` of the rows between two."""
    for g in range(groups):
        for t in range(counts.shape[1]):
            counts[g, t] = 0
    for x in range(start, end):
        counts[place[x - start], targets[x]] += weights[x]


@inner
def _gain(on_left: Floats, whole: Floats, rows_left: int, total: int) -> float:
    """The information gain of a cut, less what is the same for every cut of a part.

    That is the sum of x log x over the targets of both sides, less n log n of each side.
    """
    gain = -rows_left * math.log(rows_left) - (total - rows_left) * math.log(total - rows_left)
    for t in range(len(whole)):
        if on_left[t] > 0:
            gain += on_left[t] * math.log(on_left[t])
        if whole[t] > on_left[t]:
            gain += (whole[t] - on_left[t]) * math.log(whole[t] - on_left[t])
    return float(gain)


@inner
def _cut_by_gain(
    codes: Codes,
    weights: Integers,
    targets: Codes,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    low: Integers,
    high: Integers,
    target_counts: TargetCounts,
    work: GroupWork,
) -> tuple[int, int]:
    """The cut that tells most about the target: the highest information gain; of equal ones, the most even."""
    values, rows, place = work[0], work[1], work[2]
    counts, on_left, whole = target_counts
    classes = counts.shape[1]
    best, best_even, best_column, best_code = -np.inf, 0, -1, -1
    for t in range(classes):
        whole[t] = 0
    for x in range(start, end):
        whole[targets[x]] += weights[x]
    for c in range(codes.shape[0]):
        if low[c] == high[c] or (banned >> c) & 1:
            continue
        groups = _group(codes[c, start:end], weights[start:end], low[c], high[c], True, work)
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
    codes: Codes,
    weights: Integers,
    start: int,
    end: int,
    low: Integers,
    high: Integers,
    axes: Axes,
    kind: int,
    widths: Floats,
) -> None:
    """How wide each column is here: its share, or its range in standard deviations of these rows."""
    starts, places, ups, shares = axes
    for c in range(codes.shape[0]):
        widths[c] = share_of(low[c], high[c], c, starts, places, ups, shares)
        if kind != DEVIATION or widths[c] == 0:
            continue
        rows = mean = squares = 0.0
        for x in range(start, end):
            value = places[starts[c] + codes[c, x]]
            rows += weights[x]
            step = value - mean
            mean += step * weights[x] / rows
            squares += weights[x] * step * (value - mean)
        extent = places[starts[c] + high[c]] - places[starts[c] + low[c]]
        widths[c] = extent / np.sqrt(squares / rows) if squares > 0 else 0.0


@inner
def _part(
    codes: Codes,
    weights: Integers,
    targets: Codes,
    order: Integers,
    start: int,
    end: int,
    c: int,
    code: int,
    equal: int,
    spare: SpareRows,
) -> int:
    """Move the rows up to ``code`` to the front, all in their order; returns where the others begin.

    Of those that have the code itself, the first ``equal`` go there.
    """
    left, right, kept = spare
    column = codes[c, start:end]
    here = there = np.int64(0)  # a bare 0 has a type of its own, and loops would be compiled for it, too
    for x in range(len(column)):
        left[here] = right[there] = x
        goes_left = column[x] < code or (column[x] == code and equal > 0)
        equal -= column[x] == code
        here += goes_left
        there += not goes_left
    for other in range(codes.shape[0]):
        _move(codes[other, start:end], left, right, here, there, kept)
    _move(weights[start:end], left, right, here, there, kept)
    _move(order[start:end], left, right, here, there, kept)
    if len(targets) == len(order):
        _move(targets[start:end], left, right, here, there, kept)
    return int(start + here)


@inner
def _move(values: Codes, left: Indexes, right: Indexes, here: int, there: int, kept: Integers) -> None:
    """Bring values to the front and to the back, as two ascending lists of their places say."""
    for i in range(there):
        kept[i] = values[right[i]]
    for i in range(here):
        values[i] = values[left[i]]
    for i in range(there):
        values[here + i] = kept[i]


@inner
def _choose(
    codes: Codes,
    weights: Integers,
    targets: Codes,
    start: int,
    end: int,
    total: int,
    least: int,
    banned: int,
    split: int,
    kind: int,
    is_relaxed: bool,
    axes: Axes,
    room: GrowRoom,
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
        if end - start <= len(boxes[6]):
            c, code = cut_by_boxes(codes, weights, start, end, total, least, banned, axes, boxes)
        else:
            c, code = _cut_by_shares(
                codes, weights, start, end, total, least, banned, low, high, widths, axes, work
            )
        if c < 0:
            c, code = _cut_anywhere(codes, weights, start, end, total, least, banned, low, high, work)
    if split in (MEDIAN, UP_TO_MEDIAN) or (c < 0 and is_relaxed):
        is_even = split != UP_TO_MEDIAN
        c, code = _cut_by_median(
            codes, weights, start, end, total, least, banned, low, high, widths, is_relaxed, is_even, work
        )
        if c >= 0 and is_relaxed:
            equal = total // 2
            for x in range(start, end):
                equal -= codes[c, x] < code
    return c, code, equal


@outer
def _grow(
    codes: Codes,
    weights: Integers,
    targets: Codes,
    order: Integers,
    nodes: Integers,
    node_count: int,
    limit: int,
    is_limited: bool,
    least: int,
    split: int,
    kind: int,
    is_relaxed: bool,
    axes: Axes,
    room: GrowRoom,
    spare: SpareRows,
    waiting: Integers,
) -> int:
    """Cut the nodes given, then what comes of them, until nothing can be cut or there are ``limit`` nodes.

    With a limit the first come first, so that all grow alike, and small parts wait; without one the last do, whose rows
    were just looked at.
    """
    first = last = 0
    for node in range(node_count):
        if nodes[node, 3] < 0:
            waiting[last] = node
            last += 1
    boxes = room[4]
    while first < last and node_count + 2 <= limit:
        if is_limited:
            node = waiting[first]
            first += 1
        else:
            last -= 1
            node = waiting[last]
        start, end, total = nodes[node, 0], nodes[node, 1], nodes[node, 2]
        if total < 2 * least or end - start < 2:
            continue
        if (
            split == LOSS
            and not is_relaxed
            and end - start <= len(boxes[6])
            and not (nodes[node, 5] >> MEDIANS) & 1
        ):
            if not is_limited:
                node_count = finish_by_boxes(
                    codes, weights, order, nodes, node, node_count, least, axes, boxes
                )
            continue
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
        if c < 0:
            continue
        middle = _part(codes, weights, targets, order, start, end, c, code, equal, spare)
        rows_left = 0
        for x in range(start, middle):
            rows_left += weights[x]
        nodes[node, 3], nodes[node, 4] = node_count, c
        add_child(nodes, node_count, start, middle, rows_left)
        add_child(nodes, node_count + 1, middle, end, total - rows_left)
        waiting[last], waiting[last + 1] = node_count, node_count + 1
        last += 2
        node_count += 2
    return node_count


def _make_room(
    codes: npt.NDArray[np.int32], nodes: Integers, split: int, starts: Integers, classes: int
) -> tuple[GrowRoom, SpareRows]:
    """Space to work in, enough for the largest of the nodes."""
    width, points = codes.shape
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
    boxes = make_box_room(careful if split == LOSS else 1, width)
    counts = np.empty((largest if split == GAIN else 1, classes)), np.empty(classes), np.empty(classes)
    spare = np.empty(largest + 1, np.uint32), np.empty(largest + 1, np.uint32), np.empty(largest, np.int64)
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

    ``codes[column, row]``, ``weights[row]``, ``targets[row]`` (below ``classes``, or none) and ``order[row]`` are
    moved in place; without a limit only ``order`` is of use afterwards.
    ``nodes[node]`` is (first row, row after the last, people, first child or -1, column cut or -1, columns that may
    not be cut here as bits); the second child follows the first. ``axes`` are, as :mod:`celosia.recode.space` makes
    them: where each column begins in the tables, the place of every code, (height, start) of each hierarchy, and,
    the share and the number of every code's label at each level.
    """
    open_nodes = nodes[nodes[:, 3] < 0]
    most = int((open_nodes[:, 2] // max(1, least)).sum() if len(open_nodes) else 0)
    cuts = min(most, int((open_nodes[:, 1] - open_nodes[:, 0]).sum()))
    whole = np.empty((len(nodes) + 2 * cuts, nodes.shape[1]), np.int64)
    whole[: len(nodes)] = nodes
    most_nodes = len(whole) if limit is None else min(limit, len(whole))
    room, spare = _make_room(codes, open_nodes, split, axes[0], classes)
    node_count = _grow(
        codes,
        weights,
        targets,
        order,
        whole,
        len(nodes),
        most_nodes,
        limit is not None,
        least,
        split,
        width,
        is_relaxed,
        axes,
        room,
        spare,
        np.empty(len(whole), np.int64),
    )
    return whole[:node_count].copy()
