"""MDAV over numbers and categories together."""

import numba
import numpy as np
import numpy.typing as npt

from celosia.kernels.arrays import Floats, Integers

__all__ = ["mixed_groups"]

inner = numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)


@numba.njit(cache=True, nogil=True)
def mixed_groups(numbers: Floats, codes: Integers, sizes: Integers, k: int) -> npt.NDArray[np.int64]:
    """``groups[row]`` by the steps of MDAV, where rows are as far apart as the differences of their numbers add up to.

    ``numbers[row, column]`` are in ranges of their column; ``codes[row, column]`` are categories, of which a column has
    ``sizes[column]``: another category is as far away as the other end of a range. The centroid of the rows left has
    their means and their most frequent categories. Of equally far rows, and equally frequent categories, the first is
    taken. All rows left are looked at in every step.
    """
    rows = numbers.shape[0]
    groups = np.full(rows, -1, np.int64)
    left = np.arange(rows)
    count, groups_made = rows, 0
    tallies = np.zeros((codes.shape[1], max(1, sizes.max() if len(sizes) else 1)), np.int64)
    total = np.zeros(numbers.shape[1])
    for i in range(rows):
        _tally(numbers, codes, i, total, tallies, 1)
    centre, modes = np.empty(numbers.shape[1]), np.empty(codes.shape[1], np.int64)
    far = np.empty(rows)
    while count >= 2 * k:
        for c in range(numbers.shape[1]):
            centre[c] = total[c] / count
        for c in range(codes.shape[1]):
            modes[c] = np.argmax(tallies[c])
        is_pair = count >= 3 * k
        first = _farthest(numbers, codes, left, count, centre, modes)
        for step in range(2 if is_pair else 1):
            seed = (
                first if step == 0 else _farthest(numbers, codes, left, count, numbers[first], codes[first])
            )
            _measure(numbers, codes, left, count, numbers[seed], codes[seed], far)
            count = _take(numbers, codes, left, count, far, seed, k, groups, groups_made, total, tallies)
            groups_made += 1
    for i in range(count):
        groups[left[i]] = groups_made
    return groups


@inner
def _tally(numbers: Floats, codes: Integers, row: int, total: Floats, tallies: Integers, sign: int) -> None:
    for c in range(numbers.shape[1]):
        total[c] += sign * numbers[row, c]
    for c in range(codes.shape[1]):
        tallies[c, codes[row, c]] += sign


@inner
def _distance(numbers: Floats, codes: Integers, row: int, centre: Floats, modes: Integers) -> float:
    far = 0.0
    for c in range(numbers.shape[1]):
        far += abs(numbers[row, c] - centre[c])
    for c in range(codes.shape[1]):
        if codes[row, c] != modes[c]:
            far += 1.0
    return far


@inner
def _measure(
    numbers: Floats, codes: Integers, left: Integers, count: int, centre: Floats, modes: Integers, far: Floats
) -> None:
    for i in range(count):
        far[i] = _distance(numbers, codes, left[i], centre, modes)


@inner
def _farthest(
    numbers: Floats, codes: Integers, left: Integers, count: int, centre: Floats, modes: Integers
) -> int:
    best, farthest = -1.0, -1
    for i in range(count):
        far = _distance(numbers, codes, left[i], centre, modes)
        if far > best:  # rows that are left stay in order, so that this is the first of the farthest
            best, farthest = far, left[i]
    return farthest


@inner
def _take(
    numbers: Floats,
    codes: Integers,
    left: Integers,
    count: int,
    far: Floats,
    seed: int,
    k: int,
    groups: Integers,
    group: int,
    total: Floats,
    tallies: Integers,
) -> int:
    """Give a row and the k - 1 nearest to it their group; how many rows are left then, still in order."""
    groups[seed] = group
    _tally(numbers, codes, seed, total, tallies, -1)
    for _ in range(k - 1):
        best, nearest = np.inf, -1
        for i in range(count):
            if far[i] < best and groups[left[i]] < 0:
                best, nearest = far[i], left[i]
        groups[nearest] = group
        _tally(numbers, codes, nearest, total, tallies, -1)
    kept = 0
    for i in range(count):
        if groups[left[i]] < 0:
            left[kept] = left[i]
            kept += 1
    return kept
