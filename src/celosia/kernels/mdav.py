"""MDAV: groups of rows that lie close together, the outermost rows first.

Every step asks three things of the rows that are left: which lies farthest from a point, which lies farthest from a
row, and which lie nearest to a row. Looking at all rows for each is quadratic; here they are in a tree of boxes, and a
box is opened only if something in it can be the answer. Bounds and distances are added up in the same order, and
rounding never reverses an order, so the answers, ties included, are those of looking at all rows: ``tests/property``
has that twin.
"""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Floats, Integers

__all__ = ["mdav_groups"]

Tree = tuple[Floats, Integers, Integers, Integers, Integers, Floats]
"""Points in the order of the tree, their rows and places, points left and bounds of every box, and its corners."""

inner = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)
"""For loops that only other loops call: they need no way in from Python, which takes time to compile."""

LEAF = 8
"""Rows of a box that is not divided further; 4 to 16 take about the same time."""
DEEP = 256
"""More boxes than ever wait to be opened: two for every time that a table can be halved."""


@numba.njit(cache=True, nogil=True)
def mdav_groups(points: Floats, k: int) -> npt.NDArray[np.int64]:
    """``groups[row]``: the number of the group of k to 2k - 1 rows that a row belongs to, in order of making.

    ``points[row, column]`` are comparable numbers without gaps. While 3k rows are left, the row farthest from their
    centroid and its k - 1 nearest make a group, and then the row farthest from that one and its k - 1 nearest.
    Of 2k to 3k - 1 rows the one farthest from the centroid and its nearest make a group, and what is left is the last.
    Of equally far rows the one that comes first in the table is taken.
    """
    rows, width = points.shape
    groups = np.full(rows, -1, np.int64)
    total = np.zeros(width)
    for i in range(rows):
        for c in range(width):
            total[c] += points[i, c]
    left, groups_made = rows, 0
    built = left
    tree = _build(points, groups, left)
    centre = np.empty(width)
    near_row, near_far = np.empty(k, np.int64), np.empty(k)
    while left >= 2 * k:
        if 2 * left < built:  # boxes of rows that are gone tell little
            built = left
            tree = _build(points, groups, left)
        for c in range(width):
            centre[c] = total[c] / left
        first = _farthest(tree, centre)
        is_pair = left >= 3 * k
        _nearest(tree, points, first, near_row, near_far)
        _take(tree, points, groups, near_row, total, groups_made)
        groups_made, left = groups_made + 1, left - k
        if is_pair:
            second = _farthest(tree, points[first])
            _nearest(tree, points, second, near_row, near_far)
            _take(tree, points, groups, near_row, total, groups_made)
            groups_made, left = groups_made + 1, left - k
    for i in range(rows):
        if groups[i] < 0:
            groups[i] = groups_made
    return groups


@inner
def _build(points: Floats, groups: Integers, left: int) -> Tree:
    """A tree of the rows that have no group: boxes halved along their widest column, down to a few rows.

    ``spots`` are the rows in the order of the tree, ``rows`` their numbers and ``places`` the way back. A box has its
    corners, the stretch of rows it was built of, how many of them are left, its parent and its first child.
    """
    width = points.shape[1]
    rows = np.empty(left, np.int64)
    node_count = 0
    for i in range(groups.shape[0]):
        if groups[i] < 0:
            rows[node_count] = i
            node_count += 1
    # Halves of more than LEAF rows have more than LEAF / 2, so that there are at most so many boxes.
    most = max(3, 4 * left // LEAF + 3)
    corners = np.empty((most, 2, width))
    boxes = np.empty((most, 5), np.int64)  # start, end, rows left, parent, first child
    boxes[0, 0], boxes[0, 1], boxes[0, 3] = 0, left, -1
    leaves = np.empty(left, np.int64)
    count, box = 1, 0
    while box < count:
        start, end = boxes[box, 0], boxes[box, 1]
        boxes[box, 2] = end - start
        widest, extent = 0, -1.0
        for c in range(width):
            low, high = np.inf, -np.inf
            for x in range(start, end):
                value = points[rows[x], c]
                low, high = min(low, value), max(high, value)
            corners[box, 0, c], corners[box, 1, c] = low, high
            if high - low > extent:
                widest, extent = c, high - low
        boxes[box, 4] = -1
        if end - start > LEAF and extent > 0:
            middle = (start + end) // 2
            _select(rows, points, widest, start, end - 1, middle)
            boxes[box, 4] = count
            for child in range(2):
                boxes[count + child, 0] = start if child == 0 else middle
                boxes[count + child, 1] = middle if child == 0 else end
                boxes[count + child, 3] = box
            count += 2
        else:
            for x in range(start, end):
                leaves[x] = box
        box += 1
    spots = np.empty((left, width))
    places = np.empty(groups.shape[0], np.int64)
    for x in range(left):
        places[rows[x]] = x
        for c in range(width):
            spots[x, c] = points[rows[x], c]
    return spots, rows, places, leaves, boxes, corners


@inner
def _select(rows: Integers, points: Floats, c: int, low: int, high: int, middle: int) -> None:
    """Put the rows around ``middle`` so that none before it has a larger value in a column than those after it."""
    while low < high:
        pivot = points[rows[(low + high) // 2], c]
        i, j = low, high
        while i <= j:
            while points[rows[i], c] < pivot:
                i += 1
            while points[rows[j], c] > pivot:
                j -= 1
            if i <= j:
                rows[i], rows[j] = rows[j], rows[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@inner
def _distance(spots: Floats, x: int, point: Floats) -> float:
    total = 0.0
    for c in range(spots.shape[1]):
        gap = spots[x, c] - point[c]
        total += gap * gap
    return total


@inner
def _reach(corners: Floats, box: int, point: Floats) -> float:
    """How far from a point something in a box may be at most."""
    total = 0.0
    for c in range(corners.shape[2]):
        gap = max(abs(corners[box, 0, c] - point[c]), abs(corners[box, 1, c] - point[c]))
        total += gap * gap
    return total


@inner
def _gap(corners: Floats, box: int, point: Floats) -> float:
    """How far from a point everything in a box is at least."""
    total = 0.0
    for c in range(corners.shape[2]):
        gap = max(corners[box, 0, c] - point[c], point[c] - corners[box, 1, c], 0.0)
        total += gap * gap
    return total


@inner
def _farthest(tree: Tree, point: Floats) -> int:
    """The row that lies farthest from a point; the first of several."""
    spots, rows, _, _, boxes, corners = tree
    waiting, bounds = np.empty(DEEP, np.int64), np.empty(DEEP)
    waiting[0], bounds[0] = 0, np.inf
    depth, best, farthest = 1, -1.0, -1
    while depth > 0:
        depth -= 1
        box = waiting[depth]
        if bounds[depth] < best:
            continue
        child = boxes[box, 4]
        if child < 0:
            for x in range(boxes[box, 0], boxes[box, 0] + boxes[box, 2]):
                far = _distance(spots, x, point)
                if far > best or (far == best and rows[x] < farthest):
                    best, farthest = far, rows[x]
            continue
        reach, other_reach = _reach(corners, child, point), _reach(corners, child + 1, point)
        swapped = reach > other_reach  # the one that reaches farther is opened first, so it waits on top
        for step in range(2):
            second = (step == 0) == swapped
            bound = other_reach if second else reach
            kid = child + 1 if second else child
            if boxes[kid, 2] > 0 and bound >= best:
                waiting[depth], bounds[depth] = kid, bound
                depth += 1
    return farthest


@inner
def _nearest(tree: Tree, points: Floats, row: int, near_row: Integers, near_far: Floats) -> None:
    """A row and those nearest to it, nearest first, as many as fit into ``near_row``; of equally near the first."""
    spots, rows, _, _, boxes, corners = tree
    point = points[row]
    last = near_row.shape[0] - 1
    near_row[0], near_far[0] = row, 0.0
    for i in range(1, last + 1):
        near_row[i], near_far[i] = -1, np.inf
    waiting, bounds = np.empty(DEEP, np.int64), np.empty(DEEP)
    waiting[0], bounds[0] = 0, 0.0
    depth = 1
    while depth > 0:
        depth -= 1
        box = waiting[depth]
        if bounds[depth] > near_far[last]:
            continue
        child = boxes[box, 4]
        if child < 0:
            for x in range(boxes[box, 0], boxes[box, 0] + boxes[box, 2]):
                far = _distance(spots, x, point)
                other = rows[x]
                if (
                    other == row
                    or far > near_far[last]
                    or (far == near_far[last] and other > near_row[last] >= 0)
                ):
                    continue
                place = last
                while place > 1 and (
                    far < near_far[place - 1] or (far == near_far[place - 1] and other < near_row[place - 1])
                ):
                    near_row[place], near_far[place] = near_row[place - 1], near_far[place - 1]
                    place -= 1
                near_row[place], near_far[place] = other, far
            continue
        gap, other_gap = _gap(corners, child, point), _gap(corners, child + 1, point)
        swapped = gap < other_gap  # the nearer one is opened first, so it waits on top
        for step in range(2):
            second = (step == 0) == swapped
            bound = other_gap if second else gap
            kid = child + 1 if second else child
            if boxes[kid, 2] > 0 and bound <= near_far[last]:
                waiting[depth], bounds[depth] = kid, bound
                depth += 1


@inner
def _take(
    tree: Tree, points: Floats, groups: Integers, near_row: Integers, total: Floats, group: int
) -> None:
    """Give some rows their group, and take them out of the tree and out of the sums of the columns."""
    spots, rows, places, leaves, boxes, _ = tree
    width = points.shape[1]
    for i in range(near_row.shape[0]):
        row = near_row[i]
        groups[row] = group
        for c in range(width):
            total[c] -= points[row, c]
        x = places[row]
        leaf = leaves[x]
        end = boxes[leaf, 0] + boxes[leaf, 2] - 1
        moved = rows[end]  # the last one left in the box takes the empty place
        rows[x], places[moved] = moved, x
        rows[end], places[row] = row, end
        for c in range(width):
            spots[x, c] = spots[end, c]
        box = leaf
        while box >= 0:
            boxes[box, 2] -= 1
            box = boxes[box, 3]
