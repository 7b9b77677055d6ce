"""Mondrian in plain Python, row by row and from the definitions, to hold the compiled one against.

A row is a tuple of cells and a part a list of rows. Widths are fractions, so that what is equal is equal.
"""

import math
from collections import Counter
from datetime import date, timedelta
from fractions import Fraction

SAME = 1 + Fraction(1, 10**9)  # widths this close are the same


def cut_into_classes(rows, k, *, split, width):
    """LeFevre's Mondrian over whole numbers: the widest column that can be cut is, then both sides again.

    ``split`` is "up-to-median" (up to the median goes left), "median" (before or after it, whichever is more even) or
    "distribution" (the smallest value that leaves k rows on both sides); ``width`` is
    "share" (of the range of the whole column) or "deviation" (range over standard deviation).
    """
    columns = range(len(rows[0]))
    wholes = [extent(rows, column) for column in columns]
    where = {"up-to-median": up_to_median, "median": beside_median, "distribution": smallest_cut}[split]

    def cut(part):
        for column in by_width(part, wholes, width):
            last = where(part, column, k)
            left = [row for row in part if row[column] <= last]
            right = [row for row in part if row[column] > last]
            if len(left) >= k and len(right) >= k:
                return [*cut(left), *cut(right)]
        return [part]

    return cut(list(rows))


def extent(part, column):
    """From the lowest to the highest value."""
    return max(row[column] for row in part) - min(row[column] for row in part)


def by_width(part, wholes, width):
    """Columns with more than one value, widest first, of equally wide ones the first."""
    left = [column for column in range(len(wholes)) if extent(part, column) > 0]
    squares = {column: _square(part, column, wholes[column], width) for column in left}
    while left:
        widest = left[0]
        for column in left[1:]:
            if squares[column] > squares[widest] * SAME**2:
                widest = column
        yield widest
        left.remove(widest)


def _square(part, column, whole, width):
    """The square of a width: it compares like the width itself, and stays a fraction."""
    if width == "share":
        return Fraction(extent(part, column), whole) ** 2
    values = [row[column] for row in part]
    mean = Fraction(sum(values), len(values))
    variance = sum((value - mean) ** 2 for value in values) / len(values)
    return extent(part, column) ** 2 / variance


def up_to_median(part, column, k):
    """The median of the rows, halfway between the two in the middle where they are even in number."""
    values = sorted(row[column] for row in part)
    return Fraction(values[(len(values) - 1) // 2] + values[len(values) // 2], 2)


def beside_median(part, column, k):
    """The last value that goes left, so that both sides are as alike as a cut beside the lower median makes them."""
    values = sorted(row[column] for row in part)
    middle = values[(len(values) - 1) // 2]
    lower = [value for value in values if value < middle]
    after = sum(value <= middle for value in values)

    def smaller_side(left):
        return min(left, len(values) - left)

    return max(lower) if lower and smaller_side(len(lower)) > smaller_side(after) else middle


def smallest_cut(part, column, k):
    """The smallest value with at least k rows up to it and k above; any infeasible one if there is none."""
    frequencies = Counter(row[column] for row in part)
    values = sorted(frequencies)
    for place, value in enumerate(values):
        left = sum(frequencies[other] for other in values[: place + 1])
        if left >= k and len(part) - left >= k:
            return value
    return values[-1]


def all_cuts(part, k):
    """Every (column, value) such that k rows go up to the value and k above it, whatever the rule."""
    for column in range(len(part[0])):
        for value in sorted({row[column] for row in part}):
            left = sum(row[column] <= value for row in part)
            if left >= k and len(part) - left >= k:
                yield column, value


def information_gain(part, targets, is_left):
    """Quinlan's gain, in bits: what is known of the target once it is known on which side a row is."""
    sides = [[], []]
    for row, target in zip(part, targets, strict=True):
        sides[is_left(row)].append(target)
    return entropy(targets) - sum(len(side) / len(part) * entropy(side) for side in sides)


def entropy(targets):
    return -sum(n / len(targets) * math.log2(n / len(targets)) for n in Counter(targets).values())


# --- what stands for a class
# ----------------------------------------------------------------------------------------------------


def mode_else_median(cells):
    """The value that is more frequent than any other, a missing one among them; else the median of those present."""
    (value, most), *others = Counter(cells).most_common()
    if others and others[0][1] == most:
        return median(cells)
    return value


def median(cells):
    """Of whole numbers and dates the whole number below, of others halfway; None if nothing is there."""
    values = sorted(cell for cell in cells if cell is not None)
    if not values:
        return None
    low, high = values[(len(values) - 1) // 2], values[len(values) // 2]
    if isinstance(low, date):
        return low + timedelta(days=(high - low).days // 2)
    if isinstance(low, int):
        return low + (high - low) // 2
    return low if math.isinf(low) and math.isinf(high) else low / 2 + high / 2


def distance_to_mean(cells, shown):
    """How far a representative is from the mean, as an exact number; of dates in days."""
    values = [cell for cell in cells if cell is not None]
    if isinstance(shown, date):
        first = date(1970, 1, 1)
        shown, values = (shown - first).days, [(value - first).days for value in values]
    return abs(Fraction(shown) - sum(map(Fraction, values)) / len(values))


def most_frequent(cells):
    """All values that are as frequent as any; a missing one only where it alone is."""
    frequencies = Counter(cells)
    most = max(frequencies.values())
    found = {value for value, count in frequencies.items() if count == most}
    return found - {None} or {None}
