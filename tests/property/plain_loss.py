"""Cuts by loss in plain Python, point by point and from the definitions, to hold the compiled ones against.

What is equal must be so to the last digit, lest another cut win: sums are added up in the order of the columns.
"""

import itertools

BINS, FEW = 128, 48


def classes_by_loss(space, k, *, careful):
    """Lists of points: every part is cut where the loss to be expected is lowest, then both sides again.

    In parts of up to ``careful`` points the boxes of both sides are looked at, in larger ones one column at a time.
    """

    def cut(points):
        found = best_cut(space, points, k, is_careful=len(points) <= careful)
        if found is None:
            return [points]
        column, last = found
        left = [point for point in points if space.codes[point, column] <= last]
        right = [point for point in points if space.codes[point, column] > last]
        return [*cut(left), *cut(right)]

    return cut(list(range(len(space.codes))))


def best_cut(space, points, k, *, is_careful):
    """(column, last code on the left) with the lowest cost, of equal ones the first; None if there is no cut."""
    total = rows_of(space, points)
    cost_of = cost_by_boxes if is_careful else cost_by_column
    best = None
    for column, last in allowed_cuts(space, points, k, in_bins=True):
        left = [point for point in points if space.codes[point, column] <= last]
        right = [point for point in points if space.codes[point, column] > last]
        cost = cost_of(space, points, left, right, column)
        if best is None or cost < best[0]:
            best = cost, (column, last)
    if best is not None:
        return best[1]
    for column, last in allowed_cuts(space, points, k, in_bins=False):
        even = rows_of(space, [point for point in points if space.codes[point, column] <= last])
        even = min(even, total - even)
        if best is None or even > best[0]:
            best = even, (column, last)
    return None if best is None else best[1]


def allowed_cuts(space, points, k, *, in_bins):
    """Every cut with k rows on both sides; in parts of many points only those between two bins of a long column."""
    total = rows_of(space, points)
    for column in range(len(space.axes)):
        codes = sorted({int(space.codes[point, column]) for point in points})
        span = codes[-1] - codes[0] + 1
        scale = BINS / span if in_bins and span > 2 * BINS and len(points) > FEW else 1
        for code, following in itertools.pairwise(codes):
            if int((code - codes[0]) * scale) == int((following - codes[0]) * scale):
                continue
            left = rows_of(space, [point for point in points if space.codes[point, column] <= code])
            if min(left, total - left) >= k:
                yield column, code


def cost_by_boxes(space, points, left, right, column):
    """What two sides will lose once they are cut on: rows to the power 1 - 1/d, times all that they cover."""
    power = 1.0 - 1.0 / len(space.axes)
    sides = [(rows_of(space, side), covered(space, side)) for side in (left, right)]
    return sides[0][0] ** power * sides[0][1] + sides[1][0] ** power * sides[1][1]


def cost_by_column(space, points, left, right, column):
    """Rows times all that they cover, if the other columns stayed as they are; the next code begins the right side."""
    others = covered(space, points) - share(space, column, *ends(space, points, column))
    (low, last), (_, high) = ends(space, left, column), ends(space, right, column)
    costs = [
        rows_of(space, side) * (others + share(space, column, *between))
        for side, between in ((left, (low, last)), (right, (last + 1, high)))
    ]
    return costs[0] + costs[1]


def covered(space, points):
    total = 0.0
    for column in range(len(space.axes)):
        total += share(space, column, *ends(space, points, column))
    return total


def share(space, column, low, high):
    """The part of a column between two codes: of the label over both of them, or of the places they lie at."""
    axis = space.axes[column]
    if low == high:
        return 0.0
    if not axis.is_tree:
        return float(axis.places[high] - axis.places[low])
    for labels, parts in axis.labelled:
        if labels[low] == labels[high]:
            return float(parts[labels[low]])
    return 1.0


def ends(space, points, column):
    codes = [int(space.codes[point, column]) for point in points]
    return min(codes), max(codes)


def rows_of(space, points):
    return sum(int(space.weights[point]) for point in points)
