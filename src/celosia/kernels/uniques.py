"""Minimal sample uniques: the smallest sets of columns by which a row is alone in its table.

All sets of columns are walked in the order of their numbers, a set being a number with a bit per column: so every
subset comes before the set. A set refines the groups of the set without its lowest column. A row that is alone is alone
by every larger set too and resembles nobody there: it leaves the groups, and those that are left shrink fast. Whether
a set by which a row is alone is minimal is asked of the sets already found for that row. The plain twin is in the
tests.
"""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Codes, Floats, Integers

__all__ = ["find_uniques"]

POOL = 1 << 24
"""Sets kept at a time, 12 bytes each; where rows have more, they are looked at in several goes."""

Tallies = tuple[Integers, Integers, Integers, Integers, Integers]
"""By code: how many entries and rows have it, how many of those are asked for, where they go, and codes seen."""
SearchRoom = tuple[Codes, Codes, Integers, Tallies]
"""By depth: rows in the order of their groups, where groups begin, how many there are; and the tallies."""
ALONE, GONE = -1, -2
"""Where rows go that are alone, and those of groups in which nobody is asked for; others have a place from 0."""

inner = numba.njit(cache=True, nogil=True, inline="always")


@inner
def _note(row: int, columns: int, heads: Codes, sets: Integers, following: Codes, used: int) -> int:
    """Write a set down for a row unless it holds one that is there; entries used, or -1 if there is no room."""
    at = heads[row]
    while at >= 0:
        if sets[at] & columns == sets[at]:
            return used
        at = following[at]
    if used == len(sets):
        return -1
    sets[used], following[used], heads[row] = columns, heads[row], used
    return used + 1


@inner
def _count(members: Codes, codes: Codes, rows: Integers, number: Codes, tallies: Tallies) -> int:
    """Count a group by the codes of one column, and list these; how many there are."""
    sizes, totals, wanted, _, seen = tallies
    touched = 0
    for row in members:
        code = codes[row]
        if sizes[code] == 0:
            seen[touched] = code
            touched += 1
        sizes[code] += 1
        totals[code] += rows[row]
        wanted[code] += number[row] >= 0
    return touched


@inner
def _place_codes(
    touched: int, is_leaf: bool, kept: int, group_count: int, bounds: Codes, tallies: Tallies
) -> tuple[int, int, bool]:
    """Say where the rows of each code go, and forget the counts: rows and groups kept, and whether one is alone."""
    sizes, totals, wanted, spots, seen = tallies
    has_alone = False
    for place in range(touched):
        code = seen[place]
        if totals[code] == 1:
            spots[code] = ALONE
            has_alone = True
        elif is_leaf or wanted[code] == 0:  # nobody in it is asked for
            spots[code] = GONE
        else:
            spots[code] = kept
            kept += sizes[code]
            group_count += 1
            bounds[group_count] = kept
        sizes[code], totals[code], wanted[code] = 0, 0, 0
    return kept, group_count, has_alone


@numba.njit(cache=True, nogil=True)
def _search(
    codes: Codes,
    rows: Integers,
    number: Codes,
    largest: int,
    room: SearchRoom,
    heads: Codes,
    sets: Integers,
    following: Codes,
) -> int:
    """All minimal uniques of the rows that have a ``number``; how many, or -1 if there is no room for them."""
    order, bounds, groups, tallies = room
    spots, width, used, columns = tallies[3], codes.shape[0], 0, 1
    order[0] = np.arange(codes.shape[1])
    bounds[0, 0], bounds[0, 1], groups[0] = 0, codes.shape[1], 1
    while columns < 1 << width:
        low, depth, lowest = columns & -columns, 0, 0
        for bit in range(width):
            depth += (columns >> bit) & 1
            lowest += low >> bit > 1
        is_leaf = low == 1 or depth == largest
        digits, kept, group_count = codes[lowest], 0, 0
        for group in range(groups[depth - 1]):
            members = order[depth - 1, bounds[depth - 1, group] : bounds[depth - 1, group + 1]]
            touched = _count(members, digits, rows, number, tallies)
            kept, group_count, has_alone = _place_codes(
                touched, is_leaf, kept, group_count, bounds[depth], tallies
            )
            if is_leaf and not has_alone:
                continue
            for row in members:
                spot = spots[digits[row]]
                if spot >= 0:
                    order[depth, spot] = row
                    spots[digits[row]] += 1
                elif spot == ALONE and number[row] >= 0:
                    used = _note(number[row], columns, heads, sets, following, used)
                    if used < 0:
                        return -1
        groups[depth] = group_count
        # With no group left, or no column to add, go past every set that has these columns and lower ones.
        columns += low if group_count == 0 else 1
    return used


@numba.njit(cache=True, nogil=True)
def _tally(
    heads: Codes,
    sets: Integers,
    following: Codes,
    worth: Floats,
    first: int,
    parts: Floats,
    scores: Floats,
    counts: Codes,
) -> None:
    """Add up what the sets of every row are worth, by row, by row and column, and count them by size."""
    width = parts.shape[1]
    for number in range(len(heads)):
        at = heads[number]
        while at >= 0:
            size = 0
            for bit in range(width):
                size += (sets[at] >> bit) & 1
            for bit in range(width):
                if (sets[at] >> bit) & 1:
                    parts[first + number, bit] += worth[size]
            scores[first + number] += worth[size]
            counts[first + number, size] += 1
            at = following[at]


def find_uniques(
    codes: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int64],
    worth: npt.NDArray[np.float64],
    *,
    largest: int,
    pool: int = POOL,
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], npt.NDArray[np.int32]]:
    """What minimal sample uniques are worth, for every combination that one row has, in their order.

    ``codes[column, combination]`` with ``rows[combination]``; a unique of ``size`` columns is worth ``worth[size]``.
    Returns ``scores[unique]``, ``parts[unique, column]``, the worth of those that the column is in, and
    ``counts[unique, size]``, how many there are. ``pool`` is the room for sets; it must hold those of one row.
    """
    width, size = codes.shape
    alone = np.flatnonzero(rows == 1)
    scores, parts = np.zeros(len(alone)), np.zeros((len(alone), width))
    counts = np.zeros((len(alone), largest + 1), np.int32)
    values = int(codes.max()) + 1 if codes.size else 1
    room = (
        np.empty((largest, size), np.int32),
        np.zeros((largest + 1, size + 1), np.int32),
        np.zeros(largest + 1, np.int64),
        tuple(np.zeros(values, np.int64) for _ in range(5)),
    )
    sets, following = np.empty(pool, np.int64), np.empty(pool, np.int32)
    waiting = [(0, len(alone))] if len(alone) else []
    while waiting:
        begin, end = waiting.pop()
        number = np.full(size, -1, np.int32)
        number[alone[begin:end]] = np.arange(end - begin)
        heads = np.full(end - begin, -1, np.int32)
        if _search(codes, rows, number, largest, room, heads, sets, following) < 0:
            middle = (begin + end) // 2
            waiting += [(begin, middle), (middle, end)]
            continue
        _tally(heads, sets, following, worth, begin, parts, scores, counts)
    return scores, parts, counts
