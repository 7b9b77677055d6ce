"""What every way of cutting a part in two needs: how much of a column a class covers, sorting, the tree's nodes.

Codes lie column by column, ``codes[column, row]``, because nearly every loop goes along one column.
"""

from .arrays import Codes, Floats, Integers
from .compiler import inner

__all__ = [
    "BINS",
    "DEVIATION",
    "FEW",
    "MEDIANS",
    "SAME",
    "SPAN",
    "add_child",
    "share_of",
    "sort_by_code",
]

SPAN, DEVIATION = 0, 1
"""Which column is the widest: by its share of the whole range, or by its range in standard deviations."""
BINS = 128
"""Where a column has more different codes than twice this, the cuts that are looked at lie between so many bins."""
FEW = 48
"""Parts of so few combinations have a cut between any two codes."""
MEDIANS = 62
"""This bit of the columns that may not be cut says that cuts are to be at medians."""
SAME = 1e-9
"""Widths this close are the same; the column that comes first is cut."""


@inner
def share_of(
    low: int, high: int, c: int, starts: Integers, places: Floats, ups: Integers, shares: Floats
) -> float:
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
def sort_by_code(rows: Integers, count: int, column: Codes) -> None:
    """Put some rows into the order of their codes in a column.

    Shell's sort with the gaps of Knuth: the parts are small, and the library's sort takes seconds to compile.
    """
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            row, place = rows[i], i
            code = column[row]
            while place >= gap and column[rows[place - gap]] > code:
                rows[place] = rows[place - gap]
                place -= gap
            rows[place] = row
        gap //= 3


@inner
def add_child(nodes: Integers, number: int, start: int, end: int, rows: int) -> None:
    """Write down a part that is not cut yet."""
    nodes[number, 0], nodes[number, 1], nodes[number, 2] = start, end, rows
    nodes[number, 3], nodes[number, 4], nodes[number, 5] = -1, -1, 0
